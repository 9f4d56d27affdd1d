"""Runs jobs on a QThread and signals their events; the only module of core with Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from wavediff.core.base.errors import Cancelled, WavediffError
from wavediff.core.jobs import Job
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Progress, StepDone
from wavediff.core.run.dispatch import gpu_obstacle
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import lower_thread_priority

PROGRESS_SECONDS = 1 / 30  # seconds between two Progress of one stage: a screen shows no more
STEP_REPORT_SECONDS = 0.2  # seconds between two StepDone of one kernel: figures are shown three times a second
STACK_BYTES = 64 << 20  # bytes; a thread has 512 KiB by default on macOS, too little for a compiler


class _Executor(QObject):
    """Object in the worker thread; every slot emits exactly one of the last three signals."""

    reported = Signal(object)
    probed = Signal(object, object, object)
    finished = Signal(int, object)
    failed = Signal(int, object)
    cancelled = Signal(int)

    @Slot(object, object, object)
    def execute(self, job: Any, device: Device, cancel: CancelToken) -> None:
        def send(
            event: Event,
        ) -> None:  # an error's traceback keeps this; a bound signal in it would outlive its object
            self.reported.emit(event)

        outbox = _Outbox(send)
        try:
            cancel.raise_if_cancelled()  # before dispatch imports a compiler needlessly
            try:
                result = run_job(job, device=device, report=outbox.put, cancel=cancel)
            finally:
                outbox.flush()
        except Cancelled:
            self.cancelled.emit(job.id)
        except WavediffError as error:
            self.failed.emit(job.id, error.with_traceback(None))  # no frames: they hold the sequences
        except BaseException as error:  # an exception in a slot would leave the window running forever
            self.failed.emit(job.id, error)
        else:
            self.finished.emit(job.id, result)

    @Slot()
    def lower_priority(self) -> None:
        lower_thread_priority()

    @Slot(object)
    def probe(self, job_type: type[Job]) -> None:
        reason: str | None
        try:
            reason = gpu_obstacle(job_type)
            card = graphics_cards().describe() if reason is None else None
        except BaseException as error:
            reason, card = f"the GPU could not be asked: {error!s}", None
        self.probed.emit(job_type, reason, card)


class _Outbox:
    """Rate limiter for events: drops frequent ``Progress`` of a stage, and adds up the ``StepDone`` of a kernel."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._stage = ""
        self._told = 0.0
        self._steps: StepDone | None = None
        self._sent = 0.0

    def put(self, event: Event) -> None:
        now = monotonic()
        if isinstance(event, StepDone):
            held = self._steps
            if held is not None and held.kernel != event.kernel:
                self.flush()
                held = None
            self._steps = event if held is None else _sum(held, event)
            if now - self._sent >= STEP_REPORT_SECONDS:
                self.flush()
                self._sent = now
            return
        self.flush()
        if isinstance(event, Progress):
            if event.stage == self._stage and event.done != event.total and now - self._told < PROGRESS_SECONDS:
                return
            self._stage, self._told = event.stage, now
        self._emit(event)

    def flush(self) -> None:
        """Emit the events held back, before any other signal of the job."""
        if self._steps is not None:
            steps, self._steps = self._steps, None
            self._emit(steps)


def _sum(one: StepDone, other: StepDone) -> StepDone:
    calls, cells = one.calls + other.calls, one.cells + other.cells
    return one._replace(calls=calls, cells=cells, seconds=one.seconds + other.seconds, parts=())


class JobWorker(QObject):
    """Controller of the worker thread, in the GUI thread; runs one job at a time.

    Each submitted job ends in exactly one of finished, failed and cancelled, even if it is replaced before it starts.
    Connect only to slots of QObjects of the GUI thread: a lambda or a plain function would be called in the worker
    thread.

    Signals:
        reported: a ``wavediff.core.jobs.events`` object, in order; the ``StepDone`` of a kernel are added up and sent a
            few times a second.
        finished: id of the job, its result.
        failed: id of the job, the exception that ended it.
        cancelled: id of the job stopped by ``cancel`` or ``submit``.
        probed: type of a job, the reason why the GPU cannot run it (str) or None, the ``GraphicsCard`` if it can.
    """

    reported = Signal(object)
    probed = Signal(object, object, object)
    finished = Signal(int, object)
    failed = Signal(int, object)
    cancelled = Signal(int)
    _submitted = Signal(object, object, object)
    _asked = Signal(object)

    def __init__(self, name: str = "jobs", parent: QObject | None = None, *, polite: bool = False) -> None:
        super().__init__(parent)
        self._thread = QThread(self)
        self._thread.setObjectName(f"wavediff-{name}")
        self._thread.setStackSize(STACK_BYTES)
        self._executor = _Executor()
        self._executor.moveToThread(self._thread)
        if polite:
            self._thread.started.connect(self._executor.lower_priority)
        self._submitted.connect(self._executor.execute)
        self._asked.connect(self._executor.probe)
        self._executor.reported.connect(self.reported)
        self._executor.probed.connect(self.probed)
        self._executor.finished.connect(self.finished)
        self._executor.failed.connect(self.failed)
        self._executor.cancelled.connect(self.cancelled)
        self._cancel = CancelToken()
        self._thread.start()

    def submit(self, job: Any, device: Device = Device.AUTO) -> None:
        """Run ``job``; the previous one is cancelled.

        The job starts after the window is painted, as importing a compiler would delay painting.
        """
        self._cancel.cancel()
        self._cancel = CancelToken()
        QTimer.singleShot(0, self, partial(self._submitted.emit, job, device, self._cancel))

    def probe(self, job_type: type[Job]) -> None:
        """Query whether the GPU can run such jobs; ``probed`` is emitted after the running job."""
        self._asked.emit(job_type)

    def cancel(self) -> None:
        """Set the token directly: a queued slot would wait behind the running job."""
        self._cancel.cancel()

    def close(self, timeout: float = 1.5) -> bool:
        """Stop the job and the thread; return False if the thread is still busy after ``timeout`` s.

        A thread that does not end (compiler, lost network file) must not be destroyed: the caller exits by
        ``os._exit``.
        """
        self.cancel()
        self._thread.quit()
        return bool(self._thread.wait(int(timeout * 1000)))
