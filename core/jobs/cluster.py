"""Address of a Dask cluster."""

from __future__ import annotations

from dataclasses import dataclass

TLS = "tls://"  # prefix of encrypted scheduler addresses


@dataclass(frozen=True, slots=True)
class Cluster:
    """Running Dask scheduler.

    Attributes:
        address: of the scheduler in Dask's syntax: ``tcp://host:8786``, ``tls://host:8786``; empty: no cluster.
        ca, certificate, key: PEM files for TLS; empty: from Dask's configuration.
    """

    address: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""
