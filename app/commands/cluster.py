"""Options that name a Dask cluster, of the commands that can have one compute."""

from __future__ import annotations

import argparse
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cluster import Cluster


def add_cluster(command: Any, what: str) -> None:
    """Add ``--scheduler`` and the files for TLS; ``what`` says what its workers do."""
    group = command.add_argument_group("on a cluster (with the package distributed)")
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=f"of a Dask scheduler, tcp://host:8786: its workers {what} (see 'worker')",
    )
    for name, text in (("ca", "certificate authority"), ("cert", "certificate"), ("key", "private key")):
        group.add_argument(f"--tls-{name}", metavar="FILE", default="", help=f"{text} for tls:// addresses, PEM")


def cluster_of(arguments: argparse.Namespace) -> Cluster | None:
    """Return the cluster that was named, if any.

    Raises:
        WavediffError: options that do not go together.
    """
    files = (arguments.tls_ca, arguments.tls_cert, arguments.tls_key)
    if arguments.scheduler is None:
        if any(files):
            raise WavediffError("--tls-ca, --tls-cert and --tls-key go with --scheduler only")
        return None
    return Cluster(arguments.scheduler, *files)
