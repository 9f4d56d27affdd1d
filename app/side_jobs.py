"""Jobs on a thread of their own, one at a time, beside the comparison of the pair."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.models.figures import grouped
from app.notices import Level, Notice, one_line
from core.compile_ahead import STAGE
from core.dispatch import Device
from core.errors import WavediffError
from core.events import Event, Foreseen, Noticed, Progress
from core.worker import JobWorker


class SideJobs(QObject):
    """What the classes share that run jobs of a view of their own; they answer ``_told``, ``_done`` and ``_gone``.

    Args:
        name: of the thread. what: that failed, at the front of a sentence. unit: that progress is counted in.
        status: what is said before the first job.

    Signals:
        changed: ``running``, ``share`` or ``status`` changed.
        noticed: a ``Notice``.
        crashed: an error that nobody foresaw.
    """

    changed = Signal()
    noticed = Signal(object)
    crashed = Signal(object)

    def __init__(self, name: str, what: str, unit: str, status: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name, self._what, self._unit = name, what, unit
        self.status = status
        self.share = 0.0  # done of what runs, 0 to 1
        self._worker: JobWorker | None = None
        self._job: Any = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def close(self) -> bool:
        """End the thread; False when it is stuck (see ``JobWorker.close``)."""
        self._job = None
        return self._worker is None or self._worker.close()

    def _submit(self, job: Any, status: str, device: Device = Device.AUTO) -> None:
        worker = self._start_worker()
        self._job, self.status, self.share = job, status, 0.0
        worker.submit(job, device)
        self.changed.emit()

    def _start_worker(self) -> JobWorker:
        """Return the thread, which is not there before it is needed."""
        if self._worker is None:
            self._worker = JobWorker(self._name, self)
            self._worker.reported.connect(self._reported)
            self._worker.finished.connect(self._finished)
            self._worker.failed.connect(self._failed)
        return self._worker

    def _end(self, status: str) -> None:
        self._job, self.status, self.share = None, status, 0.0
        self.changed.emit()

    def _tell(self, level: Level, text: str) -> None:
        self.noticed.emit(Notice(level, text))

    def _told(self, event: Event) -> None:
        """Take an event of the job that is no progress."""

    def _done(self, result: Any) -> None:
        """Take the result of the job."""
        raise NotImplementedError

    def _gone(self) -> None:
        """Forget what was to come after a job that failed."""

    @Slot(object)
    def _reported(self, event: Event) -> None:
        if self._job is None or event.job_id != self._job.id:
            return
        if isinstance(event, Noticed | Foreseen):
            self._tell(Level.WARNING if isinstance(event, Noticed) else Level.INFO, event.text)
        if not isinstance(event, Progress):
            self._told(event)
            return
        self.share = event.done / event.total if event.total else 0.0
        if event.stage.startswith(STAGE):
            self.status = f"Compiling kernels, once for this machine: {event.stage.removeprefix(STAGE).strip()}"
        elif event.unit == self._unit:
            self.status = f"{grouped(event.done)} of {grouped(event.total)} {self._unit}"
        self.changed.emit()

    @Slot(int, object)
    def _finished(self, job_id: int, result: Any) -> None:
        if self._job is not None and self._job.id == job_id:
            self._done(result)

    @Slot(int, object)
    def _failed(self, job_id: int, error: BaseException) -> None:
        if self._job is None or self._job.id != job_id:
            return
        self._gone()
        self._end("Failed")
        if isinstance(error, WavediffError):
            self._tell(Level.ERROR, str(error))
            return
        self._tell(Level.ERROR, f"{self._what} failed: {one_line(error)}")
        if not isinstance(error, MemoryError | OSError):
            self.crashed.emit(error)
