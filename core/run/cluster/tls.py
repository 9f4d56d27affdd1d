"""Files for TLS, looked at before Dask sees them: what it says of a wrong one is no sentence, and it waits 20 s."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

from wavediff.core.base.errors import ClusterError, printable
from wavediff.core.jobs.cluster import TLS, Cluster


def security(distributed: Any, cluster: Cluster) -> Any:
    """Return what Dask encrypts with: the files of ``cluster``, else those of Dask's own configuration.

    Raises:
        ClusterError: files and address do not go together, or a file is not what it should be.
    """
    files = (cluster.ca, cluster.certificate, cluster.key)
    encrypted = cluster.address.startswith(TLS)
    if any(files):
        if not encrypted:
            raise ClusterError(f"files for TLS go with an address {TLS}…, and this is {printable(cluster.address)}")
        _check(*files)
        names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
        return distributed.Security(require_encryption=True, **dict(zip(names, files, strict=True)))
    found = distributed.Security()
    if encrypted and not found.tls_ca_file:
        raise ClusterError(
            f"an address {TLS}… needs three PEM files: of the certificate authority, a certificate, and its key"
        )
    return found


def mismatch(error: Exception) -> str:
    """Return in a clause what ``error`` says of two that do not trust each other, if it does."""
    text = str(error)
    if "TLS certificate does not match" in text:
        return "its certificate and yours are not of the same authority"
    if "ConnectionReset" in text or "closed" in text.lower():
        return f"it closed the connection; if it encrypts, its address begins with {TLS}"
    return ""


def _check(ca: str, certificate: str, key: str) -> None:
    if not all((ca, certificate, key)):
        raise ClusterError("for TLS three files are needed: the certificate authority, a certificate, and its key")
    for name in (ca, certificate, key):
        if not Path(name).is_file():
            raise ClusterError(f"{printable(name)}: there is no such file; a PEM file is needed")
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH)
    try:
        context.load_verify_locations(ca)
    except (OSError, ValueError):
        raise ClusterError(f"{printable(ca)}: no certificate of an authority, as PEM") from None
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")  # or it would ask for one
    except (OSError, ValueError) as error:
        pair = f"{printable(certificate)} and {printable(key)}"
        if getattr(error, "reason", "") == "KEY_VALUES_MISMATCH":
            raise ClusterError(f"{pair}: the key is not that of the certificate") from None
        raise ClusterError(f"{pair}: not a certificate and its key without a password, as PEM") from None
