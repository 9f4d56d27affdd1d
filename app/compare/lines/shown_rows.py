"""Order in which rows of two texts are shown: folds, and in the inline view the lines of a hunk below each other."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineRows

CONTEXT_ROWS = 2  # of a fold's neighbours
LEAST_HIDDEN_ROWS = 6  # fewer are not folded


class Entry(NamedTuple):
    """Row of the screen: a row of the texts, or a fold of rows ``[row, end)``.

    Attributes:
        side: the text whose line alone is shown; None: all that the row has.
    """

    row: int
    end: int
    side: Side | None = None

    @property
    def is_fold(self) -> bool:
        return self.end > self.row + 1


class Folding(NamedTuple):
    """Folds that are open: all but ``others``, or ``others`` alone; a fold is named by its first hidden row."""

    all_open: bool = False
    others: Set[int] = frozenset()

    def toggled(self, fold: int) -> Folding:
        return Folding(self.all_open, self.others ^ {fold})


class ShownRows:
    """Rows as they are shown.

    Args:
        inline: lines of A before those of B in each hunk. folding: which folds are open.
        aligned: False before there is an answer; then all rows are apart inline, and no line is beside another.

    Attributes:
        n_hunks: of the rows. row_of: row of each line of A, and of B.
    """

    def __init__(
        self, rows: LineRows, inline: bool = False, folding: Folding | None = None, aligned: bool = True
    ) -> None:
        folding = folding or Folding()
        self.rows, self.n_hunks = rows, rows.n_hunks
        n = rows.kind.size
        self._before = dict(zip(Side, rows.before, strict=True))
        self.row_of = dict(zip(Side, rows.row_of, strict=True))
        edges = np.concatenate(([0], rows.places.ravel(), [n]))
        starts, ends = edges[:-1], edges[1:]
        starts, ends = starts[starts < ends], ends[starts < ends]
        equal = rows.hunk[starts] == 0
        first = starts + np.where(starts > 0, CONTEXT_ROWS, 0)
        last = ends - np.where(ends < n, CONTEXT_ROWS, 0)
        folds = equal & (last - first >= LEAST_HIDDEN_ROWS)
        self._folds = np.stack([first[folds], last[folds]])
        closed = folds & (np.isin(first, np.fromiter(folding.others, np.int64)) == folding.all_open)
        parts = np.where(closed, 3, 1)  # context, fold, context
        where = np.cumsum(parts) - parts
        self._first, self._end = np.repeat(starts, parts), np.repeat(ends, parts)
        self._is_fold = np.zeros(self._first.size, bool)
        self._is_fold[where[closed] + 1] = True
        self._end[where[closed]] = self._first[where[closed] + 1] = first[closed]
        self._end[where[closed] + 1] = self._first[where[closed] + 2] = last[closed]
        self._of_a = self._count(Side.A, self._first, self._end)
        self._is_apart = np.repeat(~equal | (not aligned), parts) & inline
        both = self._of_a + self._count(Side.B, self._first, self._end)
        high = np.where(self._is_apart, both, self._end - self._first)
        self._tops = np.append(0, np.cumsum(np.where(self._is_fold, 1, high)))

    @property
    def n(self) -> int:
        """Entries."""
        return int(self._tops[-1])

    def entries(self, first: int, end: int) -> list[Entry]:
        places = np.arange(max(first, 0), min(end, self.n))
        parts = np.searchsorted(self._tops, places, "right") - 1
        return [
            self._entry(part, k) for part, k in zip(parts.tolist(), (places - self._tops[parts]).tolist(), strict=True)
        ]

    def place(self, row: int, side: Side | None = None) -> int:
        """Return the entry that shows a row, or the fold that it is in; ``side``: its line of one text."""
        part = int(np.searchsorted(self._first, row, "right")) - 1
        top, first = int(self._tops[part]), int(self._first[part])
        if self._is_fold[part]:
            return top
        if not self._is_apart[part]:
            return top + row - first
        if side is None or (self.rows.a, self.rows.b)[side is Side.B][row] < 0:
            side = Side.A if self.rows.a[row] >= 0 else Side.B
        before = int(self._before[side][row] - self._before[side][first])
        return top + before + (int(self._of_a[part]) if side is Side.B else 0)

    def fold_at(self, row: int) -> int | None:
        """Return the fold that a row is in, be it open or closed."""
        k = int(np.searchsorted(self._folds[0], row, "right")) - 1
        return int(self._folds[0, k]) if k >= 0 and row < self._folds[1, k] else None

    def _entry(self, part: int, k: int) -> Entry:
        first, end = int(self._first[part]), int(self._end[part])
        if self._is_fold[part]:
            return Entry(first, end)
        if not self._is_apart[part]:
            return Entry(first + k, first + k + 1)
        n_a = int(self._of_a[part])
        side, k = (Side.A, k) if k < n_a else (Side.B, k - n_a)
        row = int(self.row_of[side][self._before[side][first] + k])
        return Entry(row, row + 1, side)

    def _count(self, side: Side, first: Counts, end: Counts) -> Counts:
        before: Counts = self._before[side]
        return before[end] - before[first]
