"""The table of hits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from wavediff.app.search.hits_model import CONTEXT, HitsTable
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.table_view import TableView
from wavediff.core.base.numbers import number

_COLUMN_MARGIN_PX = 20  # pixels of a column beside its text, as the style sheet has them for headings
_MEASURED_NAMES = 200  # patterns whose names are looked at for a width
_FAR_PX = 1 << 16  # pixels


class HitsTableView(LongTableView):
    """A hit that is clicked is chosen at once."""

    def __init__(self, model: HitsTable) -> None:
        super().__init__(model, "Hits")
        self._hits = model
        header = self.rows.horizontalHeader()
        self.fit_columns()
        header.setSectionResizeMode(CONTEXT, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.clicked.connect(self.chosen)

    @staticmethod
    def in_sight(model: HitsTable, parent: QWidget) -> TableView:
        """Return a table of the rows that another view has in sight, which it leaves as they are."""
        table = TableView(model, "Hits", parent)
        fit_columns(table, model)
        table.horizontalHeader().setSectionResizeMode(CONTEXT, QHeaderView.ResizeMode.Stretch)
        return table

    def fit_columns(self) -> None:
        """Give the columns the room that this search needs."""
        fit_columns(self.rows, self._hits)


def fit_columns(rows: TableView, hits: HitsTable) -> None:
    """Give the columns the room that the names and places of this search need, the rest to the context."""
    searched, metrics = hits.searched, rows.fontMetrics()
    names = [pattern.name for pattern in searched.wish.patterns[:_MEASURED_NAMES]] if searched is not None else []
    longest = max(map(metrics.horizontalAdvance, ["Pattern", *names])) if names else _FAR_PX
    place = grouped(max(map(len, searched.sequences))) if searched is not None else number(999_999_999)
    name = min(longest, metrics.horizontalAdvance("a long name"))
    for column, text in enumerate(("", "±", "", place, place, "")):
        least = metrics.horizontalAdvance(hits.heading(column)) if column else name
        rows.setColumnWidth(column, max(least, metrics.horizontalAdvance(text)) + _COLUMN_MARGIN_PX)
