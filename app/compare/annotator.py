"""Index, tracks and effects of an alignment, computed in the background."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from math import inf
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.tracks import Tracks, find_tracks
from wavediff.app.compare.tracks.track import BySide
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import Alignment, Swaps
from wavediff.core.jobs.alignment_index import STEP_RUNS, AlignmentIndex, index_steps
from wavediff.core.jobs.features.effects import Effects, effects_of

SLICE_SECONDS = 0.004


class IndexBuilder(QObject):
    """Builds one index at a time; ``start`` cancels the previous one.

    Signals:
        progressed: completed share, 0 to 1, after each slice.
        built: the ``AlignmentIndex``.
    """

    progressed = Signal(float)
    built = Signal(object)

    def __init__(self) -> None:
        super().__init__()
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
        """Start indexing; return the index of a small alignment at once, else None (a signal follows).

        A slice of up to ``STEP_RUNS`` runs takes one or two milliseconds, even on a busy machine.
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


MAX_KINDS = 30  # in the menu, those that are off and the most frequent others


class Annotator(QObject):
    """Finds the tracks of a model and the effects of its differences.

    Signals:
        found: ``Tracks``. effects_found: text that counts the effects; only for sequences with features.
    """

    found, effects_found = Signal(object), Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._task = BackgroundTask("annotations", self, self._show)
        self._finder = BackgroundTask("effects", self, self._show_effects)
        self._model: AlignmentModel | None = None
        self._hits: BySide = {}
        self.hidden: frozenset[str] = frozenset()
        self.menu = QMenu("Tracks", parent)
        self.menu.setEnabled(False)
        self.menu.triggered.connect(self._toggle)

    def set_model(self, model: AlignmentModel | None) -> None:
        self._model = model
        self._find()
        self._finder.stop()
        if model is not None and any(one.features is not None for one in (model.a, model.b)):
            self._finder.start(lambda _cancel: effects_of(model.a, model.b, model.index))

    @Slot(object)
    def _show_effects(self, effects: Effects | None) -> None:
        if self._model is not None:
            self._model.effects = effects
            self.effects_found.emit(self._model.effects_text)

    def set_hits(self, hits: BySide) -> None:
        self._hits = hits
        self._find()

    def _find(self) -> None:
        self._task.stop()
        model = self._model
        if model is not None:
            self._task.start(partial(find_tracks, model.index, model.a, model.b, self._hits, self.hidden))

    @Slot(object)
    def _show(self, tracks: Tracks) -> None:
        self.menu.clear()
        self.menu.setEnabled(bool(tracks.kinds))
        by_number = sorted(tracks.kinds, key=lambda one: (one not in self.hidden, -tracks.kinds[one], one))
        for kind in sorted(by_number[:MAX_KINDS], key=lambda one: (-tracks.kinds[one], one)):
            action = self.menu.addAction(f"{kind} ({number(tracks.kinds[kind])})".replace("&", "&&"))
            action.setData(kind)
            action.setCheckable(True)
            action.setChecked(kind not in self.hidden)
        self.found.emit(tracks)

    @Slot(QAction)
    def _toggle(self, action: QAction) -> None:
        self.hidden ^= {action.data()}
        self._find()
