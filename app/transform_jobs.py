"""The threads that jobs of a transform run on: one for each kind of question, so that none waits for another."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.notices import Level, Notice, one_line
from core.bwt_jobs import BwtMethod
from core.dispatch import Device
from core.errors import WavediffError
from core.events import Event
from core.worker import JobWorker

STAGES = {
    "induced": "Sorting",
    "ternary": "Sorting",
    "sort": "Sorting",
    "double": "Sorting",
    "inverse": "Checking",
    "check": "Checking",
}
SORTINGS = {
    BwtMethod.DEFAULT: "",
    BwtMethod.TERNARY: " · ternary quicksort",
    BwtMethod.PAPER: " · paper 4's kernels",
}  # told behind what was found


class TransformJobs(QObject):
    """What ``Transform`` asks for; a newer job of the same kind replaces an older one.

    Subclasses answer ``_reported``, ``_done`` and ``_lost``.

    Signals:
        changed: ``running`` or ``status`` changed.
        noticed: a ``Notice``.
        crashed: an exception that nobody foresaw.
    """

    changed = Signal()
    noticed = Signal(object)
    crashed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: dict[int, str] = {}
        self._workers: dict[str, JobWorker] = {}
        self._closed = False

    def close(self) -> bool:
        """End the threads; False when one is stuck (see ``JobWorker.close``)."""
        self._names.clear()
        self._closed = True  # a view that is painted once more may ask once more
        ended = [worker.close() for worker in self._workers.values()]
        return all(ended)

    def _submit(self, name: str, job: Any, device: Device = Device.AUTO) -> None:
        if self._closed:
            return
        if name not in self._workers:
            worker = JobWorker(f"transform-{name}", self)
            worker.reported.connect(self._reported)
            worker.finished.connect(self._finished)
            worker.failed.connect(self._failed)
            self._workers[name] = worker
        self._names = {number: one for number, one in self._names.items() if one != name}
        self._names[job.id] = name
        self._workers[name].submit(job, device)

    def _cancel(self) -> None:
        for worker in self._workers.values():
            worker.cancel()
        self._names.clear()

    def _name_of(self, job_id: int) -> str:
        """Return the kind of a job that somebody waits for, else nothing."""
        return self._names.get(job_id, "")

    @Slot(object)
    def _reported(self, event: Event) -> None:
        """Take note of an event."""

    def _done(self, result: Any) -> None:
        """Take a result."""

    def _lost(self, name: str) -> None:
        """Take note that a job of this kind failed, which is told already."""

    @Slot(int, object)
    def _finished(self, job_id: int, result: Any) -> None:
        if self._names.pop(job_id, None) is not None:
            self._done(result)

    @Slot(int, object)
    def _failed(self, job_id: int, error: BaseException) -> None:
        name = self._names.pop(job_id, None)
        if name is not None:
            self._lost(name)
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, WavediffError):
            self._tell(Level.ERROR, str(error))
            return
        self._tell(Level.ERROR, f"The transform failed: {one_line(error)}")
        if not isinstance(error, MemoryError | OSError):
            self.crashed.emit(error)

    def _tell(self, level: Level, text: str) -> None:
        self.noticed.emit(Notice(level, text))
