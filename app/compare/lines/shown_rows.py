"""Display order of rows: folds, and the inline view with the lines of a hunk below each other."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

import numpy as np

from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineRows

CONTEXT_ROWS = 2  # of a fold's neighbours
LEAST_HIDDEN_ROWS = 6  # fewer are not folded


class Entry(NamedTuple):
    """Screen row: a row of the texts, a part of a wrapped one, or a fold of rows ``[row, end)``.

    Attributes:
        side: the text whose line is shown; None: all lines of the row. part: of wrapped lines, from 0.
    """

    row: int
    end: int
    side: Side | None = None
    part: int = 0

    @property
    def is_fold(self) -> bool:
        return self.end > self.row + 1


class Folding(NamedTuple):
    """Open folds: all except ``others``, or only ``others``; a fold is identified by its first hidden row."""

    all_open: bool = False
    others: Set[int] = frozenset()

    def toggled(self, fold: int) -> Folding:
        return Folding(self.all_open, self.others ^ {fold})


class Heights(NamedTuple):
    """Cumulative heights of rows in entries, with all folds open.

    Attributes:
        before: by side, shape (rows + 1,): total height of this text's lines before each row, then of all.
        both: the same for lines side by side.
    """

    before: dict[Side, Counts]
    both: Counts

    @classmethod
    def of(cls, rows: LineRows, widths: Mapping[Side, Counts] | None = None, columns: int = 1) -> Heights:
        """Return the heights for lines of these widths wrapped after ``columns``; without ``widths`` each is 1."""
        if widths is None or max(int(each.max(initial=0)) for each in widths.values()) <= columns:
            return cls(dict(zip(Side, rows.before, strict=True)), np.arange(rows.kind.size + 1))
        high = [np.maximum(1, -(-widths[side].astype(np.int32) // columns)) for side in Side]
        ours, theirs = (np.zeros(rows.kind.size, np.int32) for _ in Side)
        for lines, each, of in ((rows.a, ours, high[0]), (rows.b, theirs, high[1])):
            there = lines >= 0
            each[there] = of  # lines are in order
        sums = [np.zeros(rows.kind.size + 1, np.int64) for _ in range(3)]
        for each, before in zip((ours, theirs, np.maximum(ours, theirs)), sums, strict=True):
            np.cumsum(each, out=before[1:])
        return cls({Side.A: sums[0], Side.B: sums[1]}, sums[2])


class ShownRows:
    """Rows in display order.

    Args:
        heights: of the rows.
        inline: lines of A before those of B in each hunk. folding: open folds.
        aligned: False before the answer: each line has its own row.

    Attributes:
        row_of: row of each line of A, and of B.
    """

    def __init__(
        self,
        rows: LineRows,
        inline: bool = False,
        folding: Folding | None = None,
        aligned: bool = True,
        heights: Heights | None = None,
    ) -> None:
        folding = folding or Folding()
        self.rows = rows
        n = rows.kind.size
        self._before, self._both = heights or Heights.of(rows)
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
        apart = self._of_a + self._count(Side.B, self._first, self._end)
        high = np.where(self._is_apart, apart, self._both[self._end] - self._both[self._first])
        self._tops = np.append(0, np.cumsum(np.where(self._is_fold, 1, high)))

    @property
    def n(self) -> int:
        return int(self._tops[-1])

    def entries(self, first: int, end: int) -> list[Entry]:
        places = np.arange(max(first, 0), min(end, self.n))
        parts = np.searchsorted(self._tops, places, "right") - 1
        return [
            self._entry(part, k) for part, k in zip(parts.tolist(), (places - self._tops[parts]).tolist(), strict=True)
        ]

    def place(self, row: int, side: Side | None = None) -> int:
        """Return the index of the entry of a row, or of its fold; ``side``: of this text's line in the row."""
        part = int(np.searchsorted(self._first, row, "right")) - 1
        top, first = int(self._tops[part]), int(self._first[part])
        if self._is_fold[part]:
            return top
        if not self._is_apart[part]:
            return top + int(self._both[row] - self._both[first])
        side = self._side_of(row, side)
        before = int(self._before[side][row] - self._before[side][first])
        return top + before + (int(self._of_a[part]) if side is Side.B else 0)

    def end(self, row: int, side: Side | None = None) -> int:
        """Return the index after the last entry of a row, see ``place``."""
        part = int(np.searchsorted(self._first, row, "right")) - 1
        parts = self._before[self._side_of(row, side)] if self._is_apart[part] else self._both
        return self.place(row, side) + (1 if self._is_fold[part] else int(parts[row + 1] - parts[row]))

    def _side_of(self, row: int, side: Side | None) -> Side:
        if side is None or (self.rows.a, self.rows.b)[side is Side.B][row] < 0:
            return Side.A if self.rows.a[row] >= 0 else Side.B
        return side

    def fold_at(self, row: int) -> int | None:
        k = int(np.searchsorted(self._folds[0], row, "right")) - 1
        return int(self._folds[0, k]) if k >= 0 and row < self._folds[1, k] else None

    def _entry(self, part: int, k: int) -> Entry:
        first, end = int(self._first[part]), int(self._end[part])
        if self._is_fold[part]:
            return Entry(first, end)
        side, before, n_a = None, self._both, int(self._of_a[part])
        if self._is_apart[part]:
            side, k = (Side.A, k) if k < n_a else (Side.B, k - n_a)
            before = self._before[side]
        k += int(before[first])
        row = int(np.searchsorted(before, k, "right")) - 1
        return Entry(row, row + 1, side, k - int(before[row]))

    def _count(self, side: Side, first: Counts, end: Counts) -> Counts:
        before: Counts = self._before[side]
        return before[end] - before[first]
