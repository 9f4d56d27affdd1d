"""The list of hunks as a table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from wavediff.app.compare.differences_model import OP_ROLE
from wavediff.app.compare.differences_order import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER
from wavediff.app.compare.lines.hunk_steps import KINDS
from wavediff.app.ui.kind_swatch import MOVED
from wavediff.app.ui.long_table import LongTable
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.jobs.difference_index import OP_OF_KIND
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import Hunk, LineView

MAX_TITLE = 400  # characters


class HunksTable(LongTable):
    """A row is one hunk, named by its first line."""

    columns = ("#", "Kind", "Lines of A", "Lines of B", "Lines", "Change")
    left = frozenset({KIND, CHANGE})

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view: LineView | None = None
        self._numbers: Counts = np.zeros(0, np.int64)
        self._hunk = lru_cache(256)(self._found)

    @property
    def n_rows(self) -> int:
        return self._numbers.size

    def show(self, view: LineView | None, numbers: Counts) -> None:
        """Show the hunks of these ``numbers``, from 1 on."""
        self._view, self._numbers = view, numbers
        self._hunk.cache_clear()
        self.refresh()

    def number_of(self, row: int) -> int:
        return int(self._numbers[row])

    def row_of(self, hunk: int) -> int:
        """Return the row of a hunk, -1 where it is not listed."""
        row = int(np.searchsorted(self._numbers, hunk))
        return row if row < self.n_rows and self._numbers[row] == hunk else -1

    def _found(self, number: int) -> tuple[Hunk, str]:
        assert self._view is not None
        hunk, rows = self._view.hunk(number), self._view.rows
        if hunk.moved:  # from where to where
            at = np.concatenate([np.arange(first, end) for first, end in hunk.places])
            moved = (rows.a[at[rows.kind[at] == LineKind.MOVED_FROM]], rows.b[at[rows.kind[at] == LineKind.MOVED_TO]])
            a, b = ((int(lines[0]), int(lines[-1]) + 1) for lines in moved)
            hunk = hunk._replace(a=a, b=b)
        return hunk, self._view.title(number)[:MAX_TITLE]

    def cell(self, row: int, column: int, role: int) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, OP_ROLE):
            return None
        hunk, title = self._hunk(self.number_of(self.top + row))
        if role == OP_ROLE:
            return _signs(hunk)
        texts = {
            NUMBER: lambda: number(hunk.number),
            KIND: lambda: hunk.text,
            IN_A: lambda: _lines(*hunk.a),
            IN_B: lambda: _lines(*hunk.b),
            LENGTH: lambda: number(hunk.added + hunk.removed + hunk.changed + hunk.moved),
            CHANGE: lambda: title,
        }
        return texts[column]()


def _signs(hunk: Hunk) -> tuple[int, ...]:
    """Return the signs of the kinds of lines that a hunk has."""
    counts = {LineKind.CHANGED: hunk.changed, LineKind.ADDED: hunk.added, LineKind.REMOVED: hunk.removed}
    return (*(OP_OF_KIND[KINDS[kind]] for kind, n in counts.items() if n), *([MOVED] if hunk.moved else []))


def _lines(first: int, end: int) -> str:
    if first == end:
        return f"after {number(first)}"
    return number(first + 1) if end == first + 1 else f"{number(first + 1)}–{number(end)}"
