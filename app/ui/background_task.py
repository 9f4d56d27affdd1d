"""Background work of the window: calls, event loop slices, and jobs of the worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from PySide6.QtCore import QMetaMethod, QObject, QTimer, Signal, SignalInstance, Slot

from wavediff.app.ui.notices import Notifier, Severity
from wavediff.app.ui.number_text import compiling_text
from wavediff.core.base.numbers import number
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, KernelTiming, MemoryForecast, NoticeRaised, Progress
from wavediff.core.run.worker import JobWorker

Listener = Callable[..., object] | SignalInstance | None
_threads: dict[threading.Thread, CancelToken] = {}  # those that have not ended, of every task


def end_tasks(seconds: float) -> bool:
    """Cancel all tasks and wait; False if a thread still runs and may use objects that Qt is about to destroy."""
    running = dict(_threads)
    for cancel in running.values():
        cancel.cancel()
    until = monotonic() + seconds
    for thread in running:
        thread.join(max(0.0, until - monotonic()))
    return not any(thread.is_alive() for thread in running)


def _connect(sender: BackgroundTask | JobSlot, finished: Listener, failed: Listener) -> None:
    for signal, listener in ((sender.finished, finished), (sender.failed, failed)):
        if listener is not None:
            signal.connect(listener)


def on(slot: Callable[..., object] | SignalInstance, *signals: SignalInstance) -> None:
    """Connect each of ``signals`` to ``slot``."""
    for signal in signals:
        signal.connect(slot)


class BackgroundTask(QObject):
    """Runs one callable at a time; a replaced one is cancelled, and its result dropped.

    Args:
        finished, failed: connected to these signals.

    Signals:
        finished: return value of the callable.
        failed: its exception; without a connection it is raised in the window's thread.
    """

    finished = Signal(object)
    failed = Signal(object)
    _ended = Signal(int, object, object)

    def __init__(
        self, name: str, parent: QObject | None = None, finished: Listener = None, failed: Listener = None
    ) -> None:
        super().__init__(parent)
        _connect(self, finished, failed)
        self._name = name
        self._number = 0
        self._cancel = CancelToken()
        self._emitting = threading.Lock()  # what is stopped may be deleted, and emits nothing any more
        self._ended.connect(self._on_ended)
        self.running = False

    def start(self, call: Callable[[CancelToken], Any]) -> None:
        """Run ``call`` with a token that is set when its result is no longer needed."""
        self.stop()
        self.running = True
        cancel, number, lock = self._cancel, self._number, self._emitting

        def work() -> None:
            try:
                answer, error = call(cancel), None
            except BaseException as problem:  # handed over: a thread that dies silently leaves the window waiting
                answer, error = None, problem
            with lock, suppress(RuntimeError):  # the task was deleted with its window
                if not cancel.cancelled:
                    self._ended.emit(number, answer, error)
            _threads.pop(thread, None)

        thread = threading.Thread(target=work, name=f"wavediff-{self._name}", daemon=True)
        _threads[thread] = cancel
        thread.start()

    def stop(self) -> None:
        with self._emitting:
            self._cancel.cancel()
        self._cancel = CancelToken()
        self._number += 1
        self.running = False

    @Slot(int, object, object)
    def _on_ended(self, number: int, answer: Any, error: BaseException | None) -> None:
        if number != self._number:
            return
        self.running = False
        if error is None:
            self.finished.emit(answer)
        elif self.isSignalConnected(QMetaMethod.fromSignal(self.failed)):
            self.failed.emit(error)
        else:
            raise error


TURN_MS = 5  # milliseconds to the next turn; a shorter time would end before what the last one changed is painted


class Turns(QObject):
    """Queue of calls; each runs after the changes of the previous one are painted.

    Qt runs all queued calls, including ``singleShot(0)``, before it paints, so all parts of a result would be painted
    together. With this queue letters, list and map take a frame each.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], None]] = []
        self._timer = QTimer(self, singleShot=True, interval=TURN_MS)
        self._timer.timeout.connect(self._take_turn)

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    def put(self, call: Callable[[], None]) -> None:
        """Append ``call`` to the queue, unless it is there already."""
        if call not in self._waiting:
            self._waiting.append(call)
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _take_turn(self) -> None:
        call, *self._waiting = self._waiting
        if self._waiting:
            self._timer.start()
        call()


class JobSlot(QObject):
    """Runs one job at a time; a new one replaces the old, whose events are dropped.

    Args:
        name: of the thread, which starts on first use. finished, failed: connected to these signals.

    Attributes:
        job: the running job, or None. polite: its thread has a low priority.

    Signals:
        reported: an event of the job.
        part_reported: an event of an inner job, perhaps of an earlier job: compare the ids.
        finished: the result, and the job; the slot is already free.
        failed: the error that ended the job; the slot is already free.
        probed: see ``JobWorker``.
    """

    reported = Signal(object)
    part_reported = Signal(object)
    finished = Signal(object, object)
    failed = Signal(object)
    probed = Signal(object, object, object)

    def __init__(
        self, name: str, parent: QObject | None = None, finished: Listener = None, failed: Listener = None
    ) -> None:
        super().__init__(parent)
        _connect(self, finished, failed)
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
        """Run ``job`` (an object with an ``id`` known to dispatch)."""
        if not self._closed:  # a view that is painted once more may ask once more
            self.job = job
            self._worker.submit(job, device)

    def probe(self, job_type: type) -> None:
        """Check whether the GPU supports such jobs; ``probed`` follows."""
        if not self._closed:
            self._worker.probe(job_type)

    def stop(self) -> bool:
        """Cancel the job at once, without waiting for the thread; return whether there was a job."""
        running, self.job = self.job is not None, None
        if running and self._thread is not None:
            self._thread.cancel()
        return running

    def close(self) -> bool:
        """End the thread; False if it is stuck (see ``JobWorker.close``)."""
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
    """Base of sessions that run jobs next to the comparison; subclasses implement ``_on_result``.

    Args:
        name: of the thread, and of the task in notices. failure: message for a failed job.
        status: text before the first job.
        unit: unit of the progress in the status, as in events; empty: no progress.

    Attributes:
        chosen_device: returns the device for jobs with a GPU kernel.
        answered: ``asked`` of the shown answer, or None.

    Signals:
        changed: ``running``, ``status``, ``share``, ``exit_code`` or the answer changed.
    """

    changed = Signal()
    outdated_text = ""
    answered: tuple[object, ...] | None = None

    def __init__(self, name: str, failure: str, status: str, unit: str) -> None:
        super().__init__()
        self._title, self._failure, self._unit = name.replace("-", " ").capitalize(), failure, unit
        self.status = status
        self.chosen_device: Callable[[], Device] = lambda: Device.AUTO
        self.share = 0.0  # done of what runs, 0 to 1
        self._timings: list[KernelTiming] = []  # of the last job, which began then
        self._began = self._compiles = 0.0  # since when: the job, and what it waits for the compiler; 0: it does not
        self.slot = JobSlot(name, self, self._on_result, self._fail)
        self.slot.reported.connect(self._on_event)

    @property
    def running(self) -> bool:
        return self.slot.job is not None

    @property
    def asked(self) -> tuple[object, ...]:
        """Options that the answer depends on."""
        return ()

    @property
    def outdated(self) -> str:
        """Notice that the options changed after the answer; empty if they did not."""
        return self.outdated_text if self.answered not in (None, self.asked) else ""

    def stop(self) -> None:
        """Cancel the job at once, without waiting for the thread."""
        if self.slot.stop():
            self._end("Stopped")

    def kept(self) -> Any:
        """Return the results for the pair, which ``take_up`` restores; None without results."""
        return None

    def take_up(self, kept: Any) -> None:
        """Restore results that ``kept`` returned; their pair is set afterwards."""

    def close(self) -> bool:
        """End the threads; False if one is stuck (see ``JobWorker.close``)."""
        return self.slot.close()

    def _submit(self, job: Any, status: str, device: Device | None = None) -> None:
        self._timings, self._began, self._compiles = [], monotonic(), 0.0
        self.slot.submit(job, device or (Device.AUTO if job.modules.gpu is None else self.chosen_device()))
        self.replaced.emit(frozenset({self._failure}))
        self.status, self.share = status, 0.0
        self.changed.emit()

    def _end(self, status: str) -> None:
        self.replaced.emit(frozenset({self._title}))
        self.status, self.share = status, 0.0
        self.changed.emit()

    @property
    def _took(self) -> float:
        return (self._compiles or monotonic()) - self._began

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        """Handle an event of the job; subclasses extend this."""
        compiles = isinstance(event, Progress) and event.stage.startswith(STAGE)
        if compiles and not self._compiles:
            self._compiles = monotonic()
        elif self._compiles and not compiles:
            self._began, self._compiles = self._began + monotonic() - self._compiles, 0.0
        if isinstance(event, MemoryForecast):
            text = f"{self._title}: {event.text[:1].lower()}{event.text[1:]}"
            self.notice(Severity.INFO, text, self._title)
        elif isinstance(event, NoticeRaised):
            self.pass_on(event)
        elif isinstance(event, KernelTiming):
            self._timings.append(event)
        elif isinstance(event, Progress):
            self.share = event.done / event.total if event.total and not compiles else 0.0
            if compiles:
                self.status = compiling_text(event._replace(total=0))  # steps of a first start are the pair's
            elif self._unit and event.unit == self._unit:
                self.status = f"{number(event.done)} of {number(event.total)} {self._unit}"
            self.changed.emit()

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        raise NotImplementedError

    @Slot(object)
    def refuse(self, error: BaseException) -> None:
        """Show why a job failed or cannot start, until the next one starts."""
        self.report_error(error, self._failure, self._failure)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._end("Failed")
        self.refuse(error)
