"""The table that every view uses."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

ROW_PX, ROW_GAP_PX = 24, 6  # pixels of a row, unless its font needs more, and those between two


class TableView(QTableView):
    """Rows are selected as a whole; Tab goes on to the next control, and the arrow keys move among the cells.

    Args:
        name: what the table holds, for screen readers.
        striped: every second row is shaded.
    """

    def __init__(
        self, model: QAbstractItemModel, name: str, parent: QWidget | None = None, *, striped: bool = False
    ) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)  # Qt has it on: Tab then goes from cell to cell for ever
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(striped)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.horizontalHeader().setHighlightSections(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # a million rows are not measured one by one
        rows.setDefaultSectionSize(max(ROW_PX, self.fontMetrics().height() + ROW_GAP_PX))

    def sizeHintForRow(self, row: int) -> int:
        return super().sizeHintForRow(row) + ROW_GAP_PX
