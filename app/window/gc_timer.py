"""Garbage collection on the window's thread alone, by a timer.

Python collects on the thread that happens to make an object too many. A widget in a cycle would end there, in the
middle of a job: it takes a lock of Qt and then asks for the interpreter, while the thread of the window may have the
interpreter and ask for that lock. Both then wait for ever. It was seen once, in hundreds of runs of the tests.

pyqtgraph has the same idea in a class, but that would also look through what is being imported
(``wavediff.core.jit.gc_control``).
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

from wavediff.core.jit.gc_control import collect, release_gc, take_over_gc

GC_INTERVAL_MS = 200  # milliseconds: what is made meanwhile is looked through in one go
ALL, YOUNG = 2, 0
FULL_GC_OBJECTS = (
    100_000  # objects made between two looks at all of them, which also take a quarter more than there were
)


class GcTimer(QObject):
    """Collects for as long as it is open; lives in the thread of the window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        take_over_gc()
        self._made = self._old = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(GC_INTERVAL_MS)

    @Slot()
    def look(self) -> None:
        """Collect where enough was made."""
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
        """Collect everything, and let Python do it from now on."""
        self._timer.stop()
        collect(ALL)
        release_gc()
