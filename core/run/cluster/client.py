"""Client of a Dask cluster: connection, changing workers, and tasks submitted ahead of their results.

Dask's scheduler reassigns the tasks of a dead worker. Letters are sent as tasks, not scattered, because scattered data
are lost with their worker.

TLS files are checked before Dask reads them, because its messages are unclear and it waits 20 s.
"""

from __future__ import annotations

import os
import ssl
from asyncio import CancelledError
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import Thread
from time import perf_counter, sleep
from typing import Any, Generic, NamedTuple, TypeVar

from wavediff.core.base.errors import ClusterError, WavediffError, count_noun, printable
from wavediff.core.jobs.cluster import TLS, Cluster
from wavediff.core.jobs.events import DeviceChosen, Event, Step
from wavediff.core.run.cluster.workers import Answer, Workers, answer, build
from wavediff.core.system import program

T = TypeVar("T")
CONNECT_SECONDS = 10.0
PROBE_BYTES = 4 << 20
POLL_SECONDS = 0.02
IN_FLIGHT_PER_THREAD = 3  # tasks sent ahead per thread: one computed, one waiting, one in transit
RETRIES = 3  # retries of a task whose worker died or failed
MOST_TRANSFER_SHARE = 0.05  # of a task's computing
MIN_TASK_SECONDS = 0.5
MAX_TASK_SECONDS = 30.0  # maximum loss if a worker dies, seconds
SCHEDULER_SECONDS_PER_TASK = 2e-3  # of the scheduler's single thread, shared by all workers
LARGEST_SENT_BYTES = 1 << 30  # in one piece
CHECKED_TASKS = 100  # one of this many tasks is partly recomputed here
GONE = "the scheduler of the cluster is gone; start it and the job again"


class Link(NamedTuple):
    """Connection to the workers: round-trip time of an empty task (s), and bandwidth (bytes/s)."""

    seconds: float
    bytes_per_second: float


class Work(Generic[T]):
    """Work of a job as tasks for the cluster.

    Attributes:
        stage, unit: of its ``Progress``. kernel: of its ``StepDone``. is_checked: whether ``fault`` and ``undo`` are
            defined.
    """

    stage: str
    unit: str
    kernel: str
    is_checked = False

    def next(self) -> T | None:
        """Return a task to submit now; None if none is ready or none is left."""
        raise NotImplementedError

    def submit(self, session: Session, task: T) -> Any:
        """Submit ``task``; return its Dask future."""
        raise NotImplementedError

    def enter(self, task: T, answer: Any) -> int:
        """Store a result; return its number of computed cells."""
        raise NotImplementedError

    def progress(self) -> tuple[int, int]:
        """Return the units done and the total."""
        raise NotImplementedError

    def fault(self, task: T, answer: Any, *, cheaply: bool) -> str:
        """Recompute a part of a result on this computer; return how the worker's result differs, or an empty string.

        Args:
            cheaply: recompute only what is fast.
        """
        raise NotImplementedError

    def undo(self, tasks: list[T]) -> None:
        """Discard results, and requeue their tasks."""
        raise NotImplementedError


@contextmanager
def _scheduler_there(client: Any) -> Iterator[None]:
    """Report a lost scheduler; the client raises unrelated errors."""
    try:
        yield
    except (Exception, CancelledError) as error:
        if client.status != "running":
            raise ClusterError(GONE) from error
        raise


class Session:
    """Connection for one job; ``close`` cancels its running tasks.

    Attributes:
        link: measured connection to the workers. workers: current workers, with their threads and builds.
    """

    def __init__(self, step: Step, client: Any, link: Link, workers: Workers) -> None:
        self.step, self.client, self.link, self.workers = step, client, link, workers
        self._kept: dict[object, Any] = {}
        self._sent: dict[Any, tuple[Any, ...]] = {}  # workers, call and arguments of unanswered tasks

    @property
    def threads(self) -> int:
        return self.workers.threads

    @property
    def chosen(self) -> DeviceChosen:
        """Event that names the computing device."""
        workers, threads = count_noun(len(self.workers.known), "worker"), count_noun(self.threads, "thread")
        return DeviceChosen(self.step.job_id, "cluster", f"{workers} with {threads}")

    def submit(self, call: Any, *arguments: Any) -> Any:
        """Submit a task; arguments may be futures of other tasks."""
        future = self._submit(answer, build(), call, *arguments)
        self._sent[future] = (self.workers.only, call, *arguments)
        return future

    def keep(self, key: object, part: Any) -> Any:
        """Send ``part`` to a worker at the first call with this ``key``; return its future, an argument for tasks."""
        if key not in self._kept:
            self._kept[key] = self._submit(_keep, part)
        return self._kept[key]

    def run(self, work: Work[T]) -> Generator[Event, None, None]:
        """Run all tasks of ``work``."""
        flying: dict[Any, T] = {}
        done: dict[str, list[T]] = defaultdict(list)  # by the worker that did them
        since = perf_counter()
        try:
            while True:
                while len(flying) < IN_FLIGHT_PER_THREAD * self.threads and (task := work.next()) is not None:
                    flying[work.submit(self, task)] = task
                if not flying:
                    return
                ready = [future for future in flying if future.done()]
                if ready:
                    cells = 0
                    answers = yield from in_thread(self.step, work.stage, partial(self._gathered, ready))
                    for future, answer in zip(ready, answers, strict=True):
                        task, sent = flying.pop(future), self._sent.pop(future)
                        yield from self._examine(work, task, answer, done)
                        if answer.worker in self.workers.rejected:
                            flying[self.submit(*sent[1:])] = task
                            continue
                        cells += work.enter(task, answer.value)
                        if work.is_checked:
                            done[answer.worker].append(task)
                    now = perf_counter()
                    yield self.step.took(work.kernel, now - since, len(ready), cells)
                    since = now
                else:
                    sleep(POLL_SECONDS)
                if self.workers.is_due():
                    yield from self._poll(work.stage)
                yield self.step.progress(work.stage, *work.progress(), work.unit)
        finally:
            with suppress(Exception):
                self.client.cancel([*flying, *self._kept.values()], asynchronous=False)
            self._kept.clear()
            self._sent.clear()

    def _examine(self, work: Work[T], task: T, reply: Answer, done: dict[str, list[T]]) -> Generator[Event, None, None]:
        """Reject a worker of another build, or whose checked result is wrong."""
        if reply.worker in self.workers.rejected:
            return
        why = reply.build.difference(build())
        if not why and work.is_checked:
            due = sum(map(len, done.values())) % CHECKED_TASKS == 0
            if due or not done[reply.worker]:
                call = partial(work.fault, task, reply.value, cheaply=not due)
                why = yield from in_thread(self.step, work.stage, call)
        if why:
            yield self.step.notice(self.workers.reject(reply.worker, why))
            self._kept.clear()  # it may hold some of that
            if tasks := done.pop(reply.worker, None):
                work.undo(tasks)
            self._check_left()
            yield self.chosen

    def _poll(self, stage: str) -> Generator[Event, None, None]:
        for change in (yield from in_thread(self.step, stage, self._changes)):
            yield self.step.notice(change)
            if self.workers.known:
                yield self.chosen
        self._check_left()

    def _check_left(self) -> None:
        known, rejected = self.workers.known, self.workers.rejected
        stuck = any(only is not None and not known.keys() & only for only, *_ in self._sent.values())
        if rejected and (stuck or not known):
            why = "; ".join(f"{worker} {why}" for worker, why in rejected.items())
            raise ClusterError(f"no worker of the cluster is left to use ({printable(why)}); start the job again")

    def _changes(self) -> list[str]:
        with _scheduler_there(self.client):
            return [*self.workers.changes()]

    def _submit(self, call: Any, *arguments: Any) -> Any:
        with _scheduler_there(self.client):
            return self.client.submit(call, *arguments, pure=False, retries=RETRIES, workers=self.workers.only)

    def close(self) -> None:
        """Disconnect without waiting for an unresponsive cluster."""
        Thread(target=partial(self.client.close, 2), daemon=True).start()

    def _gathered(self, futures: list[Any]) -> list[Any]:
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
            text = " ".join(str(error).split())
            raise ClusterError(f"the cluster could not compute: {type(error).__name__}: {text}") from error


def connected(step: Step, cluster: Cluster) -> Generator[Event, None, Session]:
    """Connect to ``cluster`` with the workers of the same build as this computer.

    Raises:
        ClusterError: no scheduler at the address, an invalid TLS file, or another build of this program there.
    """
    client = yield from in_thread(step, "connecting", partial(_connect, cluster))
    try:
        workers = Workers(client)
        for change in (yield from in_thread(step, "connecting", partial(_asked, workers, cluster.address))):
            yield step.notice(change)
        link = yield from in_thread(step, "connecting", partial(_measured, client, [*workers.known][:1]))
        return Session(step, client, link, workers)
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
    security, address = tls_security(distributed, cluster), cluster.address
    try:
        distributed.comm.resolve_address(address)  # closing a client that was refused blocks for 20 s
        return begin_client(address, security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        text = mismatch(error) or (str(error).splitlines()[0] if str(error) else type(error).__name__)
        raise ClusterError(f"no Dask scheduler answers at {cluster.address}: {text}") from None


def begin_client(address: str, security: Any) -> Any:
    client = import_module("distributed").Client
    begin = partial(client, address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    try:
        return begin()
    except AssertionError:  # raised by Dask if a worker joins at that moment
        return begin()


def _asked(workers: Workers, address: str) -> list[str]:
    """Query scheduler and workers; return a sentence for each unusable one."""
    try:
        workers.client.run_on_scheduler(build)
    except ImportError as error:
        raise ClusterError(
            f"the scheduler at {address} cannot import Wavediff ({error}): "
            "start 'dask scheduler' in an environment that has it, as the workers have"
        ) from None
    rejected = [*workers.changes()]
    if not workers.known:
        start = f"start some with '{program.name()} worker {address}'"
        if not workers.rejected:
            raise ClusterError(f"the cluster at {address} has no workers: {start}")
        worker, why = next(iter(workers.rejected.items()))
        raise ClusterError(f"no worker of the cluster at {address} can be used: {worker} {why}; {start}")
    return rejected


def _measured(client: Any, workers: list[str]) -> Link:
    """Measure the connection to the least busy worker: the better of two tries, as the first opens connections."""
    best = Link(float("inf"), 1.0)
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
    return part


def in_thread(step: Step, stage: str, call: Any) -> Generator[Event, None, Any]:
    """Run ``call``, which may wait for the network, in a thread, so that the job can be cancelled."""
    answers: list[Any] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(POLL_SECONDS)
        if thread.is_alive():
            yield step.progress(stage, 0, 0, "")
    if failed:
        raise failed[0]
    return answers[0]


def tls_security(distributed: Any, cluster: Cluster) -> Any:
    """Return the TLS settings: the files of ``cluster``, else Dask's configuration.

    Raises:
        ClusterError: files and address do not match, or a file is invalid.
    """
    files = (cluster.ca, cluster.certificate, cluster.key)
    encrypted = cluster.address.startswith(TLS)
    if any(files):
        if not encrypted:
            raise ClusterError(f"files for TLS go with an address {TLS}…, and this is {printable(cluster.address)}")
        _check(*files)
        names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
        return distributed.Security(require_encryption=True, **dict(zip(names, files, strict=True)))
    security = distributed.Security()
    if encrypted and not security.tls_ca_file:
        raise ClusterError(
            f"an address {TLS}… needs three PEM files: of the certificate authority, a certificate, and its key"
        )
    return security


def mismatch(error: Exception) -> str:
    """Return a short explanation if ``error`` is a failed verification of a TLS certificate, else an empty string."""
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
        if not os.path.isfile(name):
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
