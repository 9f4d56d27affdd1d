"""Certificates for a cluster of this machine, made by openssl: an authority, and one certificate for all."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Certificates(NamedTuple):
    """PEM files, as ``wavediff.core.jobs.cluster.Cluster`` has them."""

    ca: str
    certificate: str
    key: str


def make_certificates(folder: Path) -> Certificates:
    """Make an authority and a certificate of it in ``folder``; a test that needs them is skipped without openssl."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder.mkdir(exist_ok=True)

    def call(*words: str) -> None:
        subprocess.run([openssl, *words], cwd=folder, check=True, capture_output=True, timeout=60)

    call("req", "-x509", *CURVE, "-keyout", "ca-key.pem", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test authority")
    call("req", *CURVE, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost")
    (folder / "names.txt").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    call(
        "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial",
        "-out", "certificate.pem", "-days", "2", "-extfile", "names.txt",
    )  # fmt: skip
    return Certificates(*(str(folder / name) for name in ("ca.pem", "certificate.pem", "key.pem")))
