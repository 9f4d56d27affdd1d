"""A Dask scheduler and workers on this machine, to try ``batch --scheduler`` with: ``make cluster``."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Security

from tests.processes import KILLED_SECONDS, begin, kill
from wavediff.core.run.cluster.client import begin_client

JOIN_SECONDS = 60.0  # for workers to start, on a busy machine
ROOT = Path(__file__).resolve().parents[1]


WORKER_OPTIONS = ("--no-nanny", "--no-dashboard")


def worker_command(address: str, root: Path = ROOT) -> list[str]:
    """Return what starts a worker of the checkout ``root``, in one process."""
    return [sys.executable, str(root / "main.py"), "worker", address, *WORKER_OPTIONS]


@dataclass(slots=True)
class LocalCluster:
    """Processes of a cluster."""

    address: str
    scheduler: subprocess.Popen[Any]
    workers: list[subprocess.Popen[Any]]

    def kill_first(self) -> None:
        """Kill the first worker where it runs."""
        if self.workers[0].poll() is None:
            os.kill(self.workers[0].pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
            self.workers[0].wait()


@contextmanager
def local_cluster(
    workers: int = 2,
    threads: int = 1,
    port: int = 0,
    tls: tuple[str, str, str] | None = None,
    others: Sequence[Sequence[str]] = (),
) -> Iterator[LocalCluster]:
    """Start a scheduler and workers as the command starts them, and end them afterwards.

    Args:
        port: of the scheduler; 0: any free one. tls: PEM files of an authority, a certificate and its key, for all.
        others: commands of more workers, to which address and options are added.
    """
    security: dict[str, Any] = {}
    if tls is not None:
        ca, certificate, key = tls
        both = {
            f"tls_{who}_{what}": one
            for who in ("scheduler", "client")
            for what, one in (("cert", certificate), ("key", key))
        }
        security = {"tls_ca_file": ca, "require_encryption": True, **both}
    code = (
        "import asyncio, sys; from distributed import Scheduler, Security\n"
        "async def main():\n"
        f"    safe = {{'protocol': 'tls', 'security': Security(**{security})}} if {security} else {{}}\n"
        f"    async with Scheduler(host='127.0.0.1', port={port}, dashboard=False, **safe) as one:\n"
        "        print(one.address, flush=True); await one.finished()\n"
        "asyncio.run(main())"
    )
    # Where a worker died its silence is noticed at once, as the connection ends. This is for a machine that stands, and
    # long, as a worker that compiles is silent too.
    environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "60s"}
    silent = {"stderr": subprocess.DEVNULL}
    scheduler = begin([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment, **silent)
    assert scheduler.stdout is not None
    address = scheduler.stdout.readline().decode().strip()
    if not address:
        raise SystemExit(f"no scheduler could be started on port {port}: is it in use? (--port N)")
    command = [*worker_command(address), "--nthreads", str(threads)]
    if tls is not None:
        command += ["--tls-ca-file", tls[0], "--tls-cert", tls[1], "--tls-key", tls[2]]
    started = [begin(command, **silent) for _ in range(workers)]
    started += [begin([*one, address, *WORKER_OPTIONS, "--nthreads", str(threads)], **silent) for one in others]
    try:
        if started:
            client = begin_client(address, Security(**security) if security else None)
            client.wait_for_workers(len(started), timeout=JOIN_SECONDS)
            client.close()
        yield LocalCluster(address, scheduler, started)
    finally:
        for process in (*started, scheduler):
            kill(process)
            process.wait(KILLED_SECONDS)
        scheduler.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make cluster", allow_abbrev=False)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--port", type=int, default=8786)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # or the workers would stay
    with local_cluster(asked.workers, asked.threads, asked.port) as cluster:
        sys.stdout.write(
            f"{asked.workers} workers: wavediff batch MANY.fa --scheduler {cluster.address}   (Ctrl+C ends them)\n"
        )
        sys.stdout.flush()
        try:
            cluster.scheduler.wait()
        except KeyboardInterrupt:
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
