"""Tracks and effects of the alignment that is shown: found on threads, kinds of tracks hidden by a menu."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.tracks import Tracks, find_tracks
from wavediff.app.compare.tracks.track import BySide
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.core.base.numbers import number
from wavediff.core.features.effects import Effects, effects_of

MAX_KINDS = 30  # in the menu, those that are off and the most frequent others


class Annotator(QObject):
    """Finds the tracks of a model, and the effects of its differences.

    Signals:
        found: ``Tracks``. effects_found: their numbers in words, where there are features.
    """

    found, effects_found = Signal(object), Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._task = BackgroundTask("annotations", self)
        self._task.finished.connect(self._show)
        self._finder = BackgroundTask("effects", self)
        self._finder.finished.connect(self._tell)
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
    def _tell(self, effects: Effects | None) -> None:
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
