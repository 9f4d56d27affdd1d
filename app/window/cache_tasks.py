"""Background tasks of the window: kernel cache and garbage collection."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from queue import SimpleQueue
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wavediff.core.jit import background_compile
from wavediff.core.jit.gc_control import collect, release_gc, take_over_gc
from wavediff.core.run.dispatch import preload

GC_INTERVAL_MS = 200  # milliseconds: what is made meanwhile is looked through in one go
ALL, YOUNG = 2, 0
FULL_GC_OBJECTS = (
    100_000  # objects made between two looks at all of them, which also take a quarter more than there were
)


class GcTimer(QObject):
    """Timer for garbage collection in the window's thread, while the window is open."""

    def __init__(self) -> None:
        super().__init__()
        take_over_gc()
        self._made = self._old = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(GC_INTERVAL_MS)

    @Slot()
    def look(self) -> None:
        """Run the garbage collector if enough objects were allocated."""
        young = gc.get_count()[YOUNG]
        if young <= gc.get_threshold()[YOUNG]:
            return
        full = self._made + young > max(FULL_GC_OBJECTS, self._old // 4)
        if not collect(ALL if full else YOUNG):
            return
        self._made = 0 if full else self._made + young
        if full:
            self._old = len(gc.get_objects(generation=ALL))

    def close(self) -> None:
        """Collect everything, and reenable Python's collector."""
        self._timer.stop()
        collect(ALL)
        release_gc()


WATCH_MS = 500


class CacheTasks(QObject):
    """Runs background tasks sequentially on a thread; lives in the GUI thread.

    Signals:
        prepared: compilers may be imported now; with a message if kernels cannot be cached, else empty.
        optimising: ``Progress`` of background compilation at a first start, and the seconds since its step began; None
            and 0 at the end.
    """

    prepared = Signal(str)
    optimising = Signal(object, float)

    def __init__(self) -> None:
        super().__init__()
        self._chores: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="wavediff-chores", daemon=True)
        self._timer = QTimer(self, interval=WATCH_MS)
        self._timer.timeout.connect(self._watch)
        self._step, self._since, self._closed = 0, 0.0, False
        self.prepared.connect(self._watch)
        self._thread.start()

    def prepare(self) -> None:
        """Import the plot library and open the kernel cache; if it is empty, start compiling in child processes."""
        self._chores.put(self._prepare)

    def preload(self, job_type: type) -> None:
        """Import the kernels of the likely next jobs."""
        self._chores.put(partial(preload, job_type))

    def complete(self) -> None:
        """Compile kernels of later jobs in another process, when idle."""
        self._chores.put(background_compile.compile_missing)

    def close(self, timeout: float = 1.5) -> bool:
        """End the thread and the compiling process; False if still busy after ``timeout`` seconds."""
        background_compile.close()
        self._timer.stop()
        self._closed = True  # what waits is not begun any more
        self._chores.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (chore := self._chores.get()) is not None and not self._closed:
            with suppress(Exception):  # what is wrong with a kernel's module is shown by the job that needs it
                chore()

    def _prepare(self) -> None:
        note = ""
        with suppress(ImportError):  # which the first map would tell
            import_module("wavediff.app.draw.plot")  # takes 0.3 s, for which the window's thread would stand still
        try:
            cache = import_module("wavediff.core.jit.compile_cache")
            note = cache.state().note
            if cache.state().folder is not None:  # else nothing that a child compiles would be found here
                background_compile.start(cache.ready())
        except Exception as error:
            note = f"compiled kernels are not stored: {error!s}"
        self.prepared.emit(note)

    @Slot()
    def _watch(self) -> None:
        """Report the progress of the first compilation; stop watching if there is none or it is over."""
        now = background_compile.first_start()
        if now is None:
            self._timer.stop()
            self.optimising.emit(None, 0.0)
            return
        if now.done != self._step:
            self._step, self._since = now.done, perf_counter()
        self._timer.start()
        self.optimising.emit(now, perf_counter() - self._since)
