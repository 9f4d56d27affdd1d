"""The statistics panel: figure, value, definition."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.compare.statistics_model import StatisticsModel
from app.ui.figures_table import FiguresTable
from app.ui.theme import Theme
from core.translate import tr


class StatisticsView(FiguresTable):
    """Above the table stands what the figures are of, and whether a path was computed at all."""

    def __init__(self, model: StatisticsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(model, model, tr("Statistics"), 2, theme, parent)
        self._model = model
        model.modelReset.connect(self._show_note)
        self._show_note()

    @Slot()
    def _show_note(self) -> None:
        self.say(self._model.note or tr("Nothing compared yet"))
