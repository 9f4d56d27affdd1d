"""Table of how often each pattern was found."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from app.ui.number_text import grouped
from app.ui.table_model import Table
from core.base.arrays import Counts
from core.base.errors import printable
from core.base.translate import tr_noop
from core.jobs.hits import Hits
from core.sequences.pattern_list import Pattern

NAME, LENGTH, HITS = range(3)
SHOWN_CHARACTERS = 60  # characters of a name


class PatternCounts(Table):
    """One row a pattern, in the order of the list or by what a column says."""

    columns = (tr_noop("Pattern"), tr_noop("Letters"), tr_noop("Hits"))

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._patterns: tuple[Pattern, ...] = ()
        self._counts: Counts = np.zeros(0, np.int64)
        self._rows: Counts = np.zeros(0, np.int64)
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)

    @property
    def counts(self) -> Counts:
        return self._counts

    def show(self, patterns: tuple[Pattern, ...]) -> None:
        """Show ``patterns``, none of which was found yet."""
        self.beginResetModel()
        self._patterns, self._counts = patterns, np.zeros(len(patterns), np.int64)
        self._rows = np.arange(len(patterns))
        self.endResetModel()

    def add(self, hits: Hits) -> None:
        self._counts = self._counts + hits.counts(self._counts.size)
        if self._rows.size:
            self.dataChanged.emit(self.index(0, HITS), self.index(self._rows.size - 1, HITS))

    def pattern(self, row: int) -> int:
        """Return which pattern (0-based) is in ``row``."""
        return int(self._rows[row])

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._sorted = column, order
        keys: Any = np.arange(len(self._patterns))
        if column == NAME:
            keys = ranks(self._patterns)
        elif column == LENGTH:
            keys = np.array([len(one.letters) for one in self._patterns], np.int64)
        elif column == HITS:
            keys = self._counts
        self._rows = np.argsort(-keys if order is Qt.SortOrder.DescendingOrder else keys, kind="stable")
        self.endResetModel()

    def height(self) -> int:
        return int(self._rows.size)

    def cell(self, row: int, column: int, role: int) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        k = int(self._rows[row])
        if column == NAME:
            return printable(self._patterns[k].name, SHOWN_CHARACTERS)
        return grouped(len(self._patterns[k].letters) if column == LENGTH else int(self._counts[k]))


def ranks(patterns: tuple[Pattern, ...]) -> Counts:
    """Return the place of each pattern when they are sorted by name."""
    places = np.empty(len(patterns), np.int64)
    places[sorted(range(len(patterns)), key=lambda k: patterns[k].name.casefold())] = np.arange(len(patterns))
    return places
