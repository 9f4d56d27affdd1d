"""The list of differences, or of hunks of lines, as a table: the rows in sight, of ten million, in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from wavediff.app.compare.difference_list import DifferenceList, Listed
from wavediff.app.compare.differences_order import CHANGE, EFFECT, KIND, LENGTH, NUMBER
from wavediff.app.compare.lines.hunk_rows import HunkList
from wavediff.app.ui.long_table import LongTable
from wavediff.core.base.arrays import Counts
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.jobs.line_view import LineView
from wavediff.core.jobs.word_view import WordView

OP_ROLE = int(Qt.ItemDataRole.UserRole)
_SEARCHED_ROWS = 1 << 20  # rows in which a number is looked for at a time
DIFFERENCES = DifferenceList()
HUNKS = {units: HunkList(*units) for units in (LineView.units, WordView.units)}


def kind_of(listed: Listed | None) -> DifferenceList:
    return HUNKS[listed.index.units] if isinstance(listed, ListedHunks) else DIFFERENCES


class DifferencesTable(LongTable):
    """A row is one difference, or one hunk."""

    left = frozenset({KIND, CHANGE, EFFECT})
    greatest_first = frozenset({LENGTH})

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._listed: Listed | None = None
        self._rows: Any = None
        self._texts: dict[int, tuple[str, ...]] = {}  # of rows in sight that were painted: each cell is asked for often
        self._sorted = NUMBER, False
        self._room = 0  # characters that the column of changes holds

    @property
    def listed(self) -> Listed | None:
        return self._listed

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return kind_of(self._listed).columns

    @property
    def n_rows(self) -> int:
        return len(self._listed) if self._listed is not None else 0

    def show_room(self, characters: int) -> None:
        """Show as many letters of a change as fit into so many characters."""
        if characters != self._room:
            self._room = characters
            self._texts.clear()

    def show(self, listed: Listed | None) -> None:
        """Show other differences, or the same ones in another order."""
        self._listed = listed
        self.refresh()

    def read(self) -> None:
        self._rows = None
        self._texts.clear()
        if self._listed is not None and self.height():
            self._rows = self.rows_of(range(self.top, self.top + self.height()))

    def rows_of(self, some: range) -> Any:
        return kind_of(self._listed).read(self._listed, self.numbers(some))

    def numbers(self, some: range) -> Counts:
        """Return the numbers (from 0) of what rows (of all) show."""
        assert self._listed is not None
        order = self._listed.order
        return np.arange(some.start, some.stop) if order is None else order[some.start : some.stop].astype(np.int64)

    def row_of(self, wanted: int) -> int:
        """Return the row (of all) of difference ``wanted`` (from 0), -1 where it is left out."""
        if self._listed is None:
            return -1
        order = self._listed.order
        if order is None:
            return wanted
        for first in range(0, order.size, _SEARCHED_ROWS):
            found = np.flatnonzero(order[first : first + _SEARCHED_ROWS] == wanted)
            if found.size:
                return first + int(found[0])
        return -1

    def show_sorted(self, column: int, descending: bool) -> None:
        """Say in its heading by which column the rows are sorted."""
        self._sorted = column, descending
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, NUMBER, EFFECT)

    def heading(self, column: int) -> str:
        mark = (" ▼" if self._sorted[1] else " ▲") if column == self._sorted[0] else ""
        return self.columns[column] + mark

    def cell(self, row: int, column: int, role: int) -> Any:
        if self._rows is None or row >= self.height():
            return None
        kind, shown = kind_of(self._listed), (self._listed, self._rows, row)
        if role == OP_ROLE:
            return kind.op(self._rows, row)
        if role == Qt.ItemDataRole.DisplayRole:
            if row not in self._texts:
                self._texts[row] = kind.texts(*shown, self._room)
            return self._texts[row][column]
        if role == Qt.ItemDataRole.ToolTipRole and column == CHANGE:
            return kind.around(*shown)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NUMBER:
            return kind.sentence(*shown)
        return None
