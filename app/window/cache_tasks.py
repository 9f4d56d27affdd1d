"""Slow chores that belong to no job: compiled kernels and the folder they are kept in."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from time import perf_counter

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from core.jit import background_compile
from core.run.dispatch import preload
from core.translate import tr

WATCH_MS = 500


class _Chores(QObject):
    """Lives in the background thread; every slot answers with its signal, whatever happens."""

    prepared = Signal(str)

    @Slot()
    def prepare(self) -> None:
        note = ""
        try:
            cache = import_module("core.jit.compile_cache")
            note = cache.state().note
            if cache.state().folder is not None:  # else nothing that a child compiles would be found here
                background_compile.start(cache.ready())
        except Exception as error:
            note = tr("compiled kernels are not kept: {error}", error=str(error))
        self.prepared.emit(note)

    @Slot(object)
    def preload(self, job_type: type) -> None:
        with suppress(Exception):  # what is wrong with a kernel's module is told by the job that needs it
            preload(job_type)

    @Slot()
    def complete(self) -> None:
        background_compile.compile_missing()


class CacheTasks(QObject):
    """Front of the thread; lives in the GUI thread.

    Signals:
        prepared: compilers may be imported now; a line to show when kernels cannot be kept, else empty.
        optimising: the ``Progress`` of a first start in which kernels are compiled before anybody waits for them, and
            the seconds since its step began; None and 0 when that is over.
    """

    prepared = Signal(str)
    optimising = Signal(object, float)
    _prepare = Signal()
    _preload = Signal(object)
    _complete = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread(self)
        self._thread.setObjectName("wavediff-chores")
        self._chores = _Chores()
        self._chores.moveToThread(self._thread)
        self._prepare.connect(self._chores.prepare)
        self._preload.connect(self._chores.preload)
        self._complete.connect(self._chores.complete)
        self._chores.prepared.connect(self.prepared)
        self._chores.prepared.connect(self._watch)
        self._timer = QTimer(self)
        self._timer.setInterval(WATCH_MS)
        self._timer.timeout.connect(self._watch)
        self._step, self._since = 0, 0.0
        self._thread.start()

    @Slot()
    def _watch(self) -> None:
        """Tell how far a first start is; where there is none, or it is over, look no more."""
        now = background_compile.first_start()
        if now is None:
            self._timer.stop()
            self.optimising.emit(None, 0.0)
            return
        if now.done != self._step:
            self._step, self._since = now.done, perf_counter()
        self._timer.start()
        self.optimising.emit(now, perf_counter() - self._since)

    def prepare(self) -> None:
        """Make all ready for compilers, and begin to compile what is missing."""
        self._prepare.emit()

    def preload(self, job_type: type) -> None:
        """Import the kernels of the jobs that are likely to come."""
        self._preload.emit(job_type)

    def complete(self) -> None:
        """Nobody waits: let another process compile what later jobs may need."""
        self._complete.emit()

    def close(self, timeout: float = 1.5) -> bool:
        """End the thread and the compiling process; False when it is still busy after ``timeout`` seconds."""
        background_compile.close()
        self._timer.stop()
        self._thread.quit()
        return bool(self._thread.wait(int(timeout * 1000)))
