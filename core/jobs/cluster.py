"""Address of a Dask cluster."""

from __future__ import annotations

from dataclasses import dataclass

TLS = "tls://"  # with which the address of a scheduler begins that encrypts


@dataclass(frozen=True, slots=True)
class Cluster:
    """Running Dask scheduler.

    Attributes:
        address: of the scheduler, as Dask has it: ``tcp://host:8786``, ``tls://host:8786``; empty: there is none.
        ca, certificate, key: PEM files for TLS; empty: those of Dask's own configuration.
    """

    address: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""
