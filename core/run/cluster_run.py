"""Batches on a Dask cluster: tiles are sent to its workers, and their answers put in their places.

Dask's scheduler gives the tiles of a worker that died to another one. Letters are sent as tasks and not scattered,
since what is scattered to a worker that dies is lost.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from threading import Thread
from time import perf_counter, sleep
from typing import Any

import numpy as np

from core.base.errors import ClusterError, WavediffError
from core.base.translate import tr_n_noop, tr_noop
from core.jobs.choices import Device, Pairing
from core.jobs.cluster import Cluster
from core.jobs.event_streams import EventTotals
from core.jobs.events import DeviceChosen, Event, NoticeRaised, Progress, StepDone
from core.methods.batch import BatchJob, BatchResult
from core.run import cluster_tiles, rates
from core.run.cluster_tiles import Link, Tile, TileAnswer, TileTask
from core.system import program
from core.system.machine import cores
from core.system.version import VERSION

CONNECT_SECONDS = 10.0
PROBE_BYTES = 4 << 20
POLL_SECONDS = 0.02
WORKERS_SECONDS = 0.5  # between two looks at which workers there are
IN_FLIGHT_PER_THREAD = 3  # tiles that are sent ahead: one computed, one waiting, one on its way
RETRIES = 3  # of a tile whose worker died or failed


def run(job: BatchJob, device: Device = Device.AUTO) -> Generator[Event, None, BatchResult]:
    """Compute ``job`` on its ``cluster``; workers choose between CPU and card as this program does.

    Raises:
        ClusterError: nobody answers at the address, the workers have another version or none of this program, or they
            died again and again.
    """
    assert job.cluster is not None
    totals = EventTotals()
    client = yield from _in_thread(job.id, "connecting", partial(_connect, job.cluster))
    try:
        table = yield from totals.watch(_compute(job, client, device))
    finally:
        # What still runs is cancelled with the futures; nobody waits for a cluster that does not answer.
        Thread(target=partial(client.close, 2), daemon=True).start()
    return BatchResult(
        values=table.values,
        method=job.method,
        pairs=job.pairs,
        own=job.b is None,
        n_pairs=job.n_pairs,
        n_cells=job.n_cells,
        shares=table.shares,
        **totals.fields(job.id, "cluster"),
    )


@dataclass(slots=True)
class _Table:
    values: Any
    shares: Any


@dataclass(slots=True)
class _Workers:
    """Workers as they come and go."""

    client: Any
    known: set[str] = field(default_factory=set)
    looked: float = 0.0

    def threads(self) -> int:
        return sum(one["nthreads"] for one in self._info().values())

    def changes(self) -> Iterator[str]:
        """Yield a sentence for each change since the last look."""
        now = perf_counter()
        if now - self.looked < WORKERS_SECONDS:
            return
        self.looked, workers = now, set(self._info())
        gone, new = len(self.known - workers), len(workers - self.known)
        if gone and not workers:
            yield tr_noop("The cluster has no workers left; as soon as there is one, it goes on")
        elif gone and self.known:
            yield tr_n_noop(
                "{n} worker of the cluster is gone; others do its pairs",
                "{n} workers of the cluster are gone; others do their pairs",
                gone,
            )
        if new and self.known:
            yield tr_n_noop("{n} worker more in the cluster", "{n} workers more in the cluster", new)
        self.known = workers

    def _info(self) -> dict[str, Any]:
        workers: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        return workers


def _connect(cluster: Cluster) -> Any:
    """Return a client of ``cluster`` whose workers have this program in this version."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ClusterError("a cluster needs the package distributed: pip install 'wavediff[cluster]'") from None
    files = (cluster.ca, cluster.certificate, cluster.key)
    security: Any = {}
    if any(files):
        names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
        security = {"security": distributed.Security(require_encryption=True, **dict(zip(names, files, strict=True)))}
    try:
        client = distributed.Client(cluster.address, timeout=CONNECT_SECONDS, set_as_default=False, **security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(f"no Dask scheduler answers at {cluster.address}: {text}") from None
    try:
        _check_workers(client, cluster.address)
    except BaseException:
        client.close(2)
        raise
    return client


def _check_workers(client: Any, address: str) -> None:
    found = client.run(_worker_version, on_error="return")
    if not found:
        raise ClusterError(
            f"the cluster at {address} has no workers: start some with '{program.name()} worker {address}'"
        )
    for worker, version in found.items():
        if isinstance(version, Exception):
            raise ClusterError(
                f"worker {worker} cannot run this program ({type(version).__name__}: {version}); "
                f"start workers with '{program.name()} worker {address}', or install it there"
            )
        if version != VERSION:
            raise ClusterError(f"worker {worker} has version {version} of this program, and this is {VERSION}")


def _worker_version() -> str:
    return VERSION


def _measured(client: Any) -> Link:
    """Return how fast the way to a worker is; the better of two tries, as the first also opens connections."""
    best = Link(float("inf"), 1.0)
    for _ in range(2):
        start = perf_counter()
        client.submit(len, b"", pure=False).result(CONNECT_SECONDS)
        empty = perf_counter() - start
        start = perf_counter()
        client.submit(len, bytes(PROBE_BYTES), pure=False).result(CONNECT_SECONDS)
        full = perf_counter() - start
        best = Link(min(best.seconds, empty), max(best.bytes_per_second, PROBE_BYTES / max(1e-4, full - empty)))
    return best


def _compute(job: BatchJob, client: Any, device: Device) -> Generator[Event, None, _Table]:
    link = yield from _in_thread(job.id, "connecting", partial(_measured, client))
    workers = _Workers(client)
    list(workers.changes())
    threads = max(1, workers.threads())
    there = tr_n_noop("{n} worker", "{n} workers", len(workers.known))
    yield DeviceChosen(job.id, "cluster", tr_noop("{workers} with {n} threads", workers=there, n=threads))
    seconds_per_cell = rates.cpu_seconds(job) * (job.threads or cores()) / max(1, job.n_cells)
    records = cluster_tiles.records_per_tile(job, threads, seconds_per_cell, link)
    table = _Table(np.zeros(job.shape, np.int32), None)
    task = TileTask(job.method.id, job.pairs, job.fold_case, job.options, device)
    letters: dict[tuple[str, tuple[int, int]], Any] = {}

    def sent(side: str, span: tuple[int, int]) -> Any:
        if (side, span) not in letters:
            pool = job.a if side == "a" or job.b is None else job.b
            letters[side, span] = client.submit(_keep, cluster_tiles.part(pool, span), pure=False)
        return letters[side, span]

    def submitted(tile: Tile) -> Any:
        itself = job.b is None and job.pairs is Pairing.ALL_TO_ALL and tile.rows == tile.cols
        b = None if itself else sent("a" if job.b is None else "b", tile.cols)
        return client.submit(cluster_tiles.compute, sent("a", tile.rows), b, task, pure=False, retries=RETRIES)

    waiting = cluster_tiles.tiles(job, records)
    flying: dict[Any, Tile] = {}
    done = 0
    since = perf_counter()
    try:
        while True:
            for tile in waiting:
                flying[submitted(tile)] = tile
                if len(flying) >= IN_FLIGHT_PER_THREAD * threads:
                    break
            if not flying:
                return table
            ready = [future for future in flying if future.done()]
            if ready:
                answers: list[TileAnswer] = yield from _in_thread(
                    job.id, "comparing", partial(_gathered, client, ready)
                )
                cells = sum(answer.cells for answer in answers)
                for future, answer in zip(ready, answers, strict=True):
                    tile = flying.pop(future)
                    _enter(job, tile, answer, table)
                    done += cluster_tiles.pairs_of(job, tile)
                now = perf_counter()
                yield StepDone(job.id, "tiles", len(ready), cells, now - since)
                since = now
            else:
                sleep(POLL_SECONDS)
            for change in workers.changes():
                yield NoticeRaised(job.id, change)
                threads = max(1, workers.threads())
            yield Progress(job.id, "comparing", done, job.n_pairs, "pairs")
    finally:
        with suppress(Exception):
            client.cancel([*flying, *letters.values()], asynchronous=False)


def _keep(part: Any) -> Any:
    """Hold letters on a worker, for the tiles that need them."""
    return part


def _enter(job: BatchJob, tile: Tile, answer: TileAnswer, table: _Table) -> None:
    if table.values.dtype != answer.values.dtype:
        table.values = table.values.astype(answer.values.dtype)
    cluster_tiles.enter(job, tile, answer.values, table.values)
    if answer.shares is not None:
        if table.shares is None:
            table.shares = np.zeros(job.shape, np.float32)
        cluster_tiles.enter(job, tile, answer.shares, table.shares)


def _gathered(client: Any, futures: list[Any]) -> list[TileAnswer]:
    """Return the answers; what a worker met comes as the error that it was."""
    try:
        answers: list[TileAnswer] = client.gather(futures)
        return answers
    except WavediffError:
        raise
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise ClusterError(f"workers died {RETRIES + 1} times on the same pairs: {error}") from None
        if client.status != "running" or "Cancelled" in type(error).__name__:
            raise ClusterError("the scheduler of the cluster is gone; start it again, and compare again") from None
        raise ClusterError(f"the cluster could not compute: {type(error).__name__}: {error}") from error


def _in_thread(job_id: int, stage: str, call: Any) -> Generator[Event, None, Any]:
    """Return what ``call`` returns, which may wait for a network, while Stop is still heard."""
    found: list[Any] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(call())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(POLL_SECONDS)
        if thread.is_alive():
            yield Progress(job_id, stage, 0, 0, "")
    if failed:
        raise failed[0]
    return found[0]
