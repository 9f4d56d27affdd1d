"""The only module of core that knows Qt: runs jobs on a QThread and signals what they report."""

from __future__ import annotations

from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from core.cancel import CancelToken
from core.dispatch import Device, why_no_gpu
from core.errors import Cancelled, WavediffError
from core.events import Event, Progress
from core.runner import run_job

PROGRESS_INTERVAL = 1 / 30  # seconds between two Progress of one stage: a screen shows no more
STACK = 64 << 20  # bytes; a thread has 512 KiB by default on macOS, too little for a compiler


class _Executor(QObject):
    """Lives in the worker thread; every slot ends in exactly one of its last three signals."""

    reported = Signal(object)
    probed = Signal(object, object)
    finished = Signal(int, object)
    failed = Signal(int, object)
    cancelled = Signal(int)

    @Slot(object, object, object)
    def execute(self, job: Any, device: Device, cancel: CancelToken) -> None:
        throttle = _Throttle()

        def report(event: Event) -> None:
            if throttle.lets_pass(event):
                self.reported.emit(event)

        try:
            cancel.raise_if_cancelled()  # before dispatch imports a compiler for nothing
            result = run_job(job, device=device, report=report, cancel=cancel)
        except Cancelled:
            self.cancelled.emit(job.id)
        except WavediffError as error:
            self.failed.emit(job.id, error.with_traceback(None))  # no frames: they hold the sequences
        except BaseException as error:  # a slot that raises would leave the window running for ever
            self.failed.emit(job.id, error)
        else:
            self.finished.emit(job.id, result)

    @Slot(object)
    def probe(self, job_type: type) -> None:
        try:
            reason = why_no_gpu(job_type)
        except BaseException as error:
            reason = f"the GPU could not be asked: {error}"
        self.probed.emit(job_type, reason)


class _Throttle:
    """Lets through every event but a ``Progress`` that follows another of its stage too soon."""

    def __init__(self) -> None:
        self._stage = ""
        self._last = 0.0

    def lets_pass(self, event: Event) -> bool:
        if not isinstance(event, Progress):
            return True
        now = monotonic()
        if event.stage == self._stage and event.done != event.total and now - self._last < PROGRESS_INTERVAL:
            return False
        self._stage, self._last = event.stage, now
        return True


class JobWorker(QObject):
    """Front of the worker thread; lives in the GUI thread and runs one job at a time.

    Each job submitted ends in exactly one of finished, failed and cancelled, also when it was
    replaced before it began. Connect only to slots of QObjects that live in the GUI thread: a
    lambda or a plain function would be called in the worker thread.

    Signals:
        reported: a ``core.events`` object, in the order the kernel made them.
        finished: id of the job, its result.
        failed: id of the job, the exception that ended it.
        cancelled: id of the job, which stopped because ``cancel`` or ``submit`` was called.
        probed: type of a job, why the GPU cannot run it (str) or None.
    """

    reported = Signal(object)
    probed = Signal(object, object)
    finished = Signal(int, object)
    failed = Signal(int, object)
    cancelled = Signal(int)
    _submitted = Signal(object, object, object)
    _asked = Signal(object)

    def __init__(self, name: str = "jobs", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread(self)
        self._thread.setObjectName(f"wavediff-{name}")
        self._thread.setStackSize(STACK)
        self._executor = _Executor()
        self._executor.moveToThread(self._thread)
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
        """Run ``job`` (anything with an ``id`` that dispatch knows); the one before it is stopped."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._submitted.emit(job, device, self._cancel)

    def probe(self, job_type: type) -> None:
        """Ask whether the GPU can run such jobs; ``probed`` answers, after the job that is running."""
        self._asked.emit(job_type)

    def cancel(self) -> None:
        """Set the token directly: a queued slot would wait behind the running job."""
        self._cancel.cancel()

    def close(self, timeout: float = 1.5) -> bool:
        """Stop the job and the thread; return False when the thread was still busy after ``timeout`` s.

        A thread that does not end (a compiler at work, a file on a network that is gone) must not
        be destroyed: the caller leaves the process by ``os._exit``.
        """
        self.cancel()
        self._thread.quit()
        return bool(self._thread.wait(int(timeout * 1000)))
