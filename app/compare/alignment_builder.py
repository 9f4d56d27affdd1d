"""Index an alignment a few milliseconds at a time inside the event loop, so that the window stays alive.

No thread: a step takes half a millisecond, nothing is locked, and dropping the builder stops it.
"""

from __future__ import annotations

from collections.abc import Generator
from math import inf
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.alignment_index import STEP_RUNS, AlignmentIndex, index_steps
from wavediff.core.jobs.swap_result import Swaps

SLICE_SECONDS = 0.004


class IndexBuilder(QObject):
    """Builds one index at a time; a new ``start`` forgets the one before.

    Signals:
        progressed: share done, 0 to 1, after each slice.
        built: the ``AlignmentIndex``.
    """

    progressed = Signal(float)
    built = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: Generator[float, None, AlignmentIndex] | None = None
        self._share = 0.0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._build_next)

    @property
    def busy(self) -> bool:
        return self._steps is not None

    def start(
        self, alignment: Alignment, swaps: Swaps | None = None, apart_at: Counts | None = None
    ) -> AlignmentIndex | None:
        """Begin at once; return the index of a small alignment, for which there is no signal, None of another.

        One of up to ``STEP_RUNS`` runs takes a millisecond or two, and is small however busy the machine is.
        """
        self.stop()
        self._steps = index_steps(alignment, swaps, apart_at)
        index = self._build_slice(inf if alignment.ops.size <= STEP_RUNS else SLICE_SECONDS)
        if index is None:
            self._timer.start()
        return index

    def stop(self) -> None:
        self._timer.stop()
        self._steps = None

    @Slot()
    def _build_next(self) -> None:
        index = self._build_slice(SLICE_SECONDS)
        if index is not None:
            self.built.emit(index)
        elif self._steps is not None:
            self.progressed.emit(self._share)

    def _build_slice(self, seconds: float) -> AlignmentIndex | None:
        until = perf_counter() + seconds
        while self._steps is not None and perf_counter() < until:
            try:
                self._share = next(self._steps)
            except StopIteration as end:
                self.stop()
                index: AlignmentIndex = end.value
                return index
        return None
