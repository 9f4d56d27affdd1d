"""Jobs on threads of their own: a slot that runs one at a time, and the session of a view beside the comparison."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.app.ui.notices import Notifier, Severity
from wavediff.app.ui.number_text import compiling_text
from wavediff.core.base.numbers import number
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, MemoryForecast, NoticeRaised, Progress
from wavediff.core.run.worker import JobWorker


class JobSlot(QObject):
    """Runs one job at a time; a newer one replaces the older one, of which nothing is heard any more.

    Args:
        name: of the thread, which starts when it is first needed.

    Attributes:
        job: the one that runs, else None. polite: its thread has a low priority.

    Signals:
        reported: an event of the job.
        part_reported: an event of a job inside it, which may be one of a job before: compare the ids.
        finished: the result, and the job; the slot is free already.
        failed: the error that ended the job; the slot is free already.
        probed: as of ``JobWorker``.
    """

    reported = Signal(object)
    part_reported = Signal(object)
    finished = Signal(object, object)
    failed = Signal(object)
    probed = Signal(object, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._thread: JobWorker | None = None
        self._closed = False
        self.job: Any = None
        self.polite = False

    @property
    def _worker(self) -> JobWorker:
        if self._thread is None:
            self._thread = JobWorker(self._name, self, polite=self.polite)
            self._thread.reported.connect(self._report)
            self._thread.finished.connect(self._finish)
            self._thread.failed.connect(self._fail)
            self._thread.probed.connect(self.probed)
        return self._thread

    def submit(self, job: Any, device: Device = Device.AUTO) -> None:
        """Run ``job`` (anything with an ``id`` that dispatch knows)."""
        if not self._closed:  # a view that is painted once more may ask once more
            self.job = job
            self._worker.submit(job, device)

    def probe(self, job_type: type) -> None:
        """Ask whether the GPU can run such jobs; ``probed`` answers."""
        if not self._closed:
            self._worker.probe(job_type)

    def stop(self) -> bool:
        """Stop at once, whatever the thread still does; return whether there was a job."""
        running, self.job = self.job is not None, None
        if running and self._thread is not None:
            self._thread.cancel()
        return running

    def close(self) -> bool:
        """End the thread; False when it is stuck (see ``JobWorker.close``)."""
        self.job, self._closed = None, True
        return self._thread is None or self._thread.close()

    @Slot(object)
    def _report(self, event: Event) -> None:
        if self.job is not None:
            (self.reported if event.job_id == self.job.id else self.part_reported).emit(event)

    @Slot(int, object)
    def _finish(self, job_id: int, result: Any) -> None:
        if self.job is not None and self.job.id == job_id:
            job, self.job = self.job, None
            self.finished.emit(result, job)

    @Slot(int, object)
    def _fail(self, job_id: int, error: BaseException) -> None:
        if self.job is not None and self.job.id == job_id:
            self.job = None
            self.failed.emit(error)


class SideSession(Notifier):
    """Base of what runs jobs of a view of its own, beside the comparison; subclasses answer ``_on_result``.

    Args:
        name: of the thread, and of what runs in notices. failure: what is said of a job that failed.
        status: what is said before the first job.
        unit: that the status counts progress in, as events name it; empty = none.

    Signals:
        changed: ``running``, ``share`` or ``exit_code`` changed.
    """

    changed = Signal()

    def __init__(self, name: str, failure: str, status: str, unit: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title, self._failure, self._unit = name.replace("-", " ").capitalize(), failure, unit
        self.status = status
        self.share = 0.0  # done of what runs, 0 to 1
        self.slot = JobSlot(name, self)
        self.slot.reported.connect(self._on_event)
        self.slot.finished.connect(self._on_result)
        self.slot.failed.connect(self._fail)

    @property
    def running(self) -> bool:
        return self.slot.job is not None

    def stop(self) -> None:
        """Stop at once, whatever the thread still does."""
        if self.slot.stop():
            self._end("Stopped")

    def kept(self) -> Any:
        """Return what is known of the pair, which ``take_up`` takes when the pair comes back; None: nothing."""
        return None

    def take_up(self, kept: Any) -> None:
        """Take back what ``kept`` returned; the pair that it is of comes after that."""

    def close(self) -> bool:
        """End the threads; False when one is stuck (see ``JobWorker.close``)."""
        return self.slot.close()

    def _submit(self, job: Any, status: str, device: Device = Device.AUTO) -> None:
        self.slot.submit(job, device)
        self.replaced.emit(frozenset({self._failure}))
        self.status, self.share = status, 0.0
        self.changed.emit()

    def _end(self, status: str) -> None:
        self.replaced.emit(frozenset({self._title}))
        self.status, self.share = status, 0.0
        self.changed.emit()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        """Take note of an event of the job; subclasses add to this."""
        if isinstance(event, MemoryForecast):
            text = f"{self._title}: {event.text[:1].lower()}{event.text[1:]}"
            self.notice(Severity.INFO, text, self._title)
        elif isinstance(event, NoticeRaised):
            self.pass_on(event)
        elif isinstance(event, Progress):
            self.share = event.done / event.total if event.total else 0.0
            if event.stage.startswith(STAGE):
                self.status = compiling_text(event)
            elif self._unit and event.unit == self._unit:
                self.status = f"{number(event.done)} of {number(event.total)} {self._unit}"
            self.changed.emit()

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        raise NotImplementedError

    @Slot(object)
    def refuse(self, error: BaseException) -> None:
        """Say why a job failed or cannot begin, until the next one begins."""
        self.report_error(error, self._failure, self._failure)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._end("Failed")
        self.refuse(error)
