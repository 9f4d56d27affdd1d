"""The list of hunks: every one a row, beside the lines."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHeaderView, QWidget

from wavediff.app.compare.differences_order import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER
from wavediff.app.compare.differences_rows import RowDelegate, fit
from wavediff.app.compare.lines.hunk_steps import HunkSteps
from wavediff.app.compare.lines.hunks_table import HunksTable
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.number_text import as_wide_as
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number

CURRENT_PLACE = 2  # row in sight, from 0, that the current hunk is kept at


class HunksList(QWidget):
    """Follows the current hunk of ``steps``, and moves it."""

    def __init__(self, steps: HunkSteps, theme: Theme) -> None:
        super().__init__()
        self._steps, self._leads = steps, False
        self.model = HunksTable(self)
        self.table = LongTableView(self.model, "List of hunks")
        self.status = ElidedLabel(parent=self)
        self.status.setContentsMargins(8, 2, 8, 2)
        header = self.table.rows.horizontalHeader()
        header.setSortIndicatorShown(False)
        header.setSectionResizeMode(CHANGE, QHeaderView.ResizeMode.Stretch)
        self.table.rows.setItemDelegate(RowDelegate(self.table, self.model, theme))
        in_column(self.status, (self.table, 1), on=self, margin=0, gap=0)
        self.setFocusProxy(self.table)
        self.table.moved.connect(self._lead)
        self.table.clicked.connect(self._lead)
        steps.listed.connect(self.refresh)
        steps.moved.connect(self._follow)
        theme.changed.connect(self.table.rows.viewport().update)

    @Slot()
    def refresh(self) -> None:
        """List the hunks that are stepped through."""
        view, numbers = self._steps.view, self._steps.numbers
        self.model.show(view, numbers)
        self.status.set_text(self._steps.total)
        if view is not None:
            rows = view.rows
            widest = (number(as_wide_as(one.size)) for one in (rows.starts_a, rows.starts_b))
            a, b = (f"{each}–{each}" for each in widest)
            most = as_wide_as(rows.starts_a.size + rows.starts_b.size)
            kinds = "88 changed, 88 added, 88 removed"
            texts = {NUMBER: number(as_wide_as(view.n_hunks)), KIND: kinds, IN_A: a, IN_B: b, LENGTH: number(most)}
            fit(self.table.rows, {column: [text] for column, text in texts.items()}, self.model.columns, 3)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if not self._leads:
            self.table.show_current(self.model.row_of(self._steps.hunk), CURRENT_PLACE)

    @Slot(object)
    def _lead(self, row: int) -> None:
        self._leads = True
        self._steps.show_hunk(self.model.number_of(row))
        self._leads = False
