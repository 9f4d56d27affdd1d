"""The skipped work: a table of what of the matrix was left out."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.compare.skipped_work import SkippedWorkModel
from app.ui.figures_table import FiguresTable
from app.ui.theme import Theme
from core.translate import tr


class LedgerView(FiguresTable):
    """Above the table stands the way that was taken, and why."""

    def __init__(self, model: SkippedWorkModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(model, model, tr("Skipped work"), 0, theme, parent)
        self._ledger = model
        model.modelReset.connect(self._show_line)
        self._show_line()

    @Slot()
    def _show_line(self) -> None:
        self.say(self._ledger.note or tr("Nothing compared yet"))
