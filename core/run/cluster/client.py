"""A job's part of a Dask cluster: the way there, workers as they come and go, and tasks sent ahead of their answers.

Dask's scheduler gives the tasks of a worker that died to another one. Letters are sent as tasks and not scattered,
since what is scattered to a worker that dies is lost.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from threading import Thread
from time import perf_counter, sleep
from typing import Any, NamedTuple, Protocol, TypeVar

from wavediff.core.base.errors import ClusterError, WavediffError
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import DeviceChosen, Event, NoticeRaised, Progress, StepDone
from wavediff.core.run.cluster import tls
from wavediff.core.system import program
from wavediff.core.system.version import VERSION

T = TypeVar("T")
CONNECT_SECONDS = 10.0
PROBE_BYTES = 4 << 20
POLL_SECONDS = 0.02
WORKERS_SECONDS = 0.5  # between two looks at which workers there are
IN_FLIGHT_PER_THREAD = 3  # tasks that are sent ahead: one computed, one waiting, one on its way
RETRIES = 3  # of a task whose worker died or failed
MOST_TRANSFER_SHARE = 0.05  # of a task's computing
MIN_TASK_SECONDS = 0.5
MAX_TASK_SECONDS = 30.0  # what a worker that dies loses at most
SCHEDULER_SECONDS_PER_TASK = 2e-3  # of the scheduler's one thread, which all workers share
LARGEST_SENT_BYTES = 1 << 30  # in one piece
GONE = "the scheduler of the cluster is gone; start it again, and begin again"


class Link(NamedTuple):
    """Way to the workers: seconds until an empty task is back, and bytes a second."""

    seconds: float
    bytes_per_second: float


class Work(Protocol[T]):
    """Parts of a job, each a task for the cluster.

    Attributes:
        stage, unit: of its ``Progress``. kernel: of its ``StepDone``.
    """

    stage: str
    unit: str
    kernel: str

    def next(self) -> T | None:
        """Return a task that can be sent now; None where there is none before another answer, or at all."""
        ...

    def submit(self, session: Session, task: T) -> Any:
        """Send ``task``; return what it will answer, as Dask has it."""
        ...

    def enter(self, task: T, answer: Any) -> int:
        """Take an answer; return the cells computed for it."""
        ...

    def progress(self) -> tuple[int, int]:
        """Return how much is done, and of how much."""
        ...


@contextmanager
def _scheduler_there(client: Any) -> Iterator[None]:
    """Tell what fails for want of a scheduler: a client that gave it up raises whatever it meets first."""
    try:
        yield
    except (Exception, CancelledError) as error:
        if client.status != "running":
            raise ClusterError(GONE) from error
        raise


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
        before, self.known = self.known, workers
        if gone and not workers:
            yield "The cluster has no workers left; as soon as there is one, it goes on"
        elif gone and before:
            yield (
                f"{gone:,} worker of the cluster is gone; others do its part"
                if gone == 1
                else f"{gone:,} workers of the cluster are gone; others do their part"
            )
        if new and before:
            yield f"{new:,} worker more in the cluster" if new == 1 else f"{new:,} workers more in the cluster"

    def _info(self) -> dict[str, Any]:
        with _scheduler_there(self.client):
            workers: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
            return workers


class Session:
    """A connection for one job; ``close`` it, and what still runs of it is cancelled.

    Attributes:
        link: measured way to the workers. threads: of all of them, by now.
    """

    def __init__(self, job_id: int, client: Any, link: Link) -> None:
        self.job_id, self.client, self.link = job_id, client, link
        self._workers = _Workers(client)
        list(self._workers.changes())
        self.threads = max(1, self._workers.threads())
        self._kept: dict[object, Any] = {}

    @property
    def chosen(self) -> DeviceChosen:
        """Event that says who computes."""
        n = len(self._workers.known)
        workers = f"{n:,} worker" if n == 1 else f"{n:,} workers"
        threads = f"{self.threads:,} thread" if self.threads == 1 else f"{self.threads:,} threads"
        text = f"{workers} with {threads}"
        return DeviceChosen(self.job_id, "cluster", text)

    def submit(self, call: Any, *arguments: Any) -> Any:
        """Send a task; an argument may be what another task answers."""
        with _scheduler_there(self.client):
            return self.client.submit(call, *arguments, pure=False, retries=RETRIES)

    def keep(self, key: object, part: Any) -> Any:
        """Send ``part``, the one of this ``key``, to be held by a worker for the tasks that need it; once."""
        if key not in self._kept:
            self._kept[key] = self.submit(_keep, part)
        return self._kept[key]

    def run(self, work: Work[T]) -> Generator[Event, None, None]:
        """Have all tasks of ``work`` done."""
        flying: dict[Any, T] = {}
        since = perf_counter()
        try:
            while True:
                while len(flying) < IN_FLIGHT_PER_THREAD * self.threads and (task := work.next()) is not None:
                    flying[work.submit(self, task)] = task
                if not flying:
                    return
                ready = [future for future in flying if future.done()]
                if ready:
                    answers = yield from in_thread(self.job_id, work.stage, partial(self._gathered, ready))
                    cells = sum(
                        work.enter(flying.pop(future), answer) for future, answer in zip(ready, answers, strict=True)
                    )
                    now = perf_counter()
                    yield StepDone(self.job_id, work.kernel, len(ready), cells, now - since)
                    since = now
                else:
                    sleep(POLL_SECONDS)
                for change in self._workers.changes():
                    yield NoticeRaised(self.job_id, change)
                    self.threads = max(1, self._workers.threads())
                    if self._workers.known:
                        yield self.chosen
                yield Progress(self.job_id, work.stage, *work.progress(), work.unit)
        finally:
            with suppress(Exception):
                self.client.cancel([*flying, *self._kept.values()], asynchronous=False)
            self._kept.clear()

    def close(self) -> None:
        """Leave the cluster, without waiting for one that does not answer."""
        Thread(target=partial(self.client.close, 2), daemon=True).start()

    def _gathered(self, futures: list[Any]) -> list[Any]:
        """Return the answers; what a worker met comes as the error that it was."""
        try:
            answers: list[Any] = self.client.gather(futures)
            return answers
        except WavediffError:
            raise
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise ClusterError(f"workers died {RETRIES + 1} times on the same part: {error}") from None
            if self.client.status != "running" or "Cancelled" in type(error).__name__:
                raise ClusterError(GONE) from None
            raise ClusterError(f"the cluster could not compute: {type(error).__name__}: {error}") from error


def connected(job_id: int, cluster: Cluster) -> Generator[Event, None, Session]:
    """Return a session of ``cluster``, whose workers have this program in this version.

    Raises:
        ClusterError: nobody answers at the address, a file for TLS is none, or the workers have another version or
            none of this program.
    """
    client = yield from in_thread(job_id, "connecting", partial(_connect, cluster))
    try:
        link = yield from in_thread(job_id, "connecting", partial(_measured, client))
        return Session(job_id, client, link)
    except BaseException:
        Thread(target=partial(client.close, 2), daemon=True).start()
        raise


def _connect(cluster: Cluster) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ClusterError(f"a cluster needs Dask; {program.lacks('distributed')}") from None
    # Letters go with their tasks, on purpose; Dask warns of tasks of 10 MB.
    import_module("dask").config.set({"distributed.admin.large-graph-warning-threshold": 2 * LARGEST_SENT_BYTES})
    security, address = tls.security(distributed, cluster), cluster.address
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        text = tls.mismatch(error) or (str(error).splitlines()[0] if str(error) else type(error).__name__)
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
    """Return how fast the way to a worker is, however busy it is; the better of two tries: the first opens connections.

    Raises:
        ClusterError: it is gone again.
    """
    best = Link(float("inf"), 1.0)
    workers = list(client.scheduler_info(n_workers=-1)["workers"])[:1]
    try:
        for _ in range(2):
            seconds = []
            for data in (b"", bytes(PROBE_BYTES)):
                start = perf_counter()
                client.run(len, data, workers=workers)
                seconds.append(perf_counter() - start)
            empty, full = seconds
            best = Link(min(best.seconds, empty), max(best.bytes_per_second, PROBE_BYTES / max(1e-4, full - empty)))
    except Exception as error:
        raise ClusterError(f"the workers of the cluster do not answer: {type(error).__name__}: {error}") from None
    return best


def _keep(part: Any) -> Any:
    """Hold letters on a worker, for the tasks that need them."""
    return part


def in_thread(job_id: int, stage: str, call: Any) -> Generator[Event, None, Any]:
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
