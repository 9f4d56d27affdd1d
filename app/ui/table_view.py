"""The table that every view uses."""

from __future__ import annotations

from PySide6.QtWidgets import QTableView, QWidget

ROW_PX = 24  # pixels of a row, unless its font needs more


class TableView(QTableView):
    """Tab goes on to the next control; the arrow keys move among the cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabKeyNavigation(False)  # Qt has it on: Tab then goes from cell to cell for ever
        self.verticalHeader().setDefaultSectionSize(max(ROW_PX, self.fontMetrics().height() + 6))
