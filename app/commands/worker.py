"""``worker``: a Dask worker with this program."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from urllib.parse import urlsplit

from wavediff.core.base.errors import ClusterError, printable
from wavediff.core.jobs.cluster import TLS
from wavediff.core.system import program, signals

WAIT_SECONDS = 10.0  # for a scheduler that is being started
RETRY_SECONDS = 0.5
END_SECONDS = 5.0  # from a signal to the end of the process, if Dask has not ended it by then
DEFAULT_PORT = 8786  # of a Dask scheduler
LISTENING = ("--host", "--interface", "--listen-address")  # Dask's options for the address


def run(arguments: argparse.Namespace) -> int:
    """Start Dask's worker with our modules on the path, and return its exit code.

    Raises:
        ClusterError: the package distributed is missing, or the address does not answer.
    """
    if find_spec("distributed") is None:
        raise ClusterError(f"a worker needs Dask; {program.lacks('distributed')}")
    options = listening(arguments.address, arguments.rest)
    # -P: nothing is imported from the folder that one stands in.
    command = [sys.executable, "-P", "-m", __spec__.name, arguments.address, *arguments.rest, *options]
    if os.name != "nt":  # there exec would give the prompt back while the worker runs
        os.execve(sys.executable, command, program.child_environment())
    return subprocess.call(command, env=program.child_environment())


def listening(address: str, given: Sequence[str]) -> list[str]:
    """Return options that bind the worker to the interface that reaches the scheduler; warn without encryption.

    Raises:
        ClusterError: the address does not answer.
    """
    here = local_host(address)
    options = [] if here is None or _has(given, LISTENING) else ["--host", here]
    if options and not _has(given, ("--dashboard-address",)):
        options += ["--dashboard-address", f"[{here}]:0" if ":" in options[1] else f"{here}:0"]
    if not address.startswith(TLS):
        where, who = "on the address in its options,", "whoever reaches it"
        if "--host" in options:
            is_loopback = here is not None and here.startswith(("127.", "::1"))
            where, who = f"on {here}", "every user of this computer" if is_loopback else who
        sys.stderr.write(
            f"wavediff: this worker listens {where} without TLS: {who} can run programs as you. "
            "Join only clusters that you trust; between computers use tls:// and --tls-ca-file, --tls-cert, --tls-key\n"
        )
        sys.stderr.flush()
    return options


def local_host(address: str) -> str | None:
    """Return the local address that reaches ``address``; None if it is not TCP.

    Raises:
        ClusterError: the address does not answer.
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme not in ("tcp", "tls"):
        return None
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            with socket.create_connection((parts.hostname or "", parts.port or DEFAULT_PORT), WAIT_SECONDS) as there:
                return str(there.getsockname()[0])
        except (OSError, ValueError) as error:  # a port that is none
            if not isinstance(error, ConnectionRefusedError) or time.monotonic() >= until:
                text = getattr(error, "strerror", None) or str(error)
                raise ClusterError(f"no Dask scheduler answers at {printable(address)}: {text}") from None
        time.sleep(RETRY_SECONDS)


def serve() -> None:
    """Run the worker: Dask closes it after the first signal; after a timeout the process exits."""
    signals.SHUTDOWN_SECONDS = END_SECONDS
    signals.watch(window=False)
    from distributed.cli.dask_worker import main

    with signals.handle_first(lambda _number: None):
        main()


def _has(given: Sequence[str], names: tuple[str, ...]) -> bool:
    return any(one.startswith(names) for one in given)


if __name__ == "__main__":
    serve()
