"""Index of the differences of an alignment: runs of one kind, found by number or column.

A swap of two letters is one difference, including the letters between them. Checkpoints are as in
``wavediff.core.jobs.alignment_index``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from functools import reduce

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import APART, CONSUMES_A, CONSUMES_B, SWAP, Op

CHECKPOINT_RUNS = 256
BATCH_DIFFERENCES = 1 << 12  # located at a time: 256 runs each are looked at


class Kinds(IntFlag):
    """Selected kinds of difference."""

    MISMATCH = 1
    INSERTION = 2
    DELETION = 4
    SWAP = 8
    APART = 16  # substitutions that are not counted: of an unknown letter, see ``core.jobs.ambiguous_columns``
    COUNTED = 15
    ANY = 31


EACH_KIND = (Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION, Kinds.SWAP, Kinds.APART)
OP_OF_KIND = dict(zip(EACH_KIND, (Op.MISMATCH, Op.INSERTION, Op.DELETION, SWAP, APART), strict=True))
COLUMNS_ROW = len(EACH_KIND)  # of the checkpoints: row ``COLUMNS_ROW + op`` has the columns of ``op``
NEITHER = 6  # follows ``Op``, ``SWAP`` and ``APART``: columns without a letter of A and B, see ``jobs.stacked``
IN_A, IN_B = (np.append(one, [1, 1, 0]) for one in (CONSUMES_A, CONSUMES_B))  # letters of a column, by these codes
_BIT = np.array([0, *EACH_KIND, 0], np.uint8)


@dataclass(frozen=True, slots=True)
class Difference:
    """Columns ``[col0, col1)`` of one kind; ``number``: 0-based among the selected kinds.

    Attributes:
        op: an ``Op``, ``SWAP`` or ``APART``.
    """

    number: int
    col0: int
    col1: int
    op: int

    @property
    def columns(self) -> int:
        return self.col1 - self.col0


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceIndex:
    """Runs of an alignment with checkpoints; each swap, and each group of separately counted substitutions, is one run.

    Attributes:
        run_ops: uint8, shape (k,): an ``Op`` each, ``SWAP`` or ``APART``.
        run_columns: int64, shape (k,): columns of each run.
        run_marks: int64, shape (11, c + 1): columns, runs of each kind and columns of each kind before run
            ``CHECKPOINT_RUNS * i``; the last column holds the totals.
    """

    run_ops: npt.NDArray[np.uint8]
    run_columns: Counts
    run_marks: Counts
    _counts: dict[Kinds, Counts] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_columns(self) -> int:
        return int(self.run_marks[0, -1])

    def n_columns_of(self, kind: Kinds) -> int:
        """Return the number of columns of one kind of difference."""
        return int(self.run_marks[COLUMNS_ROW + OP_OF_KIND[kind], -1])

    def n_differences(self, kinds: Kinds = Kinds.ANY) -> int:
        return int(self._before(kinds)[-1])

    def difference(self, number: int, kinds: Kinds = Kinds.ANY) -> Difference:
        """Return difference ``number`` (0-based) among ``kinds``. Raises IndexError if there is none."""
        before = self._before(kinds)
        if not 0 <= number < int(before[-1]):
            raise IndexError(f"no difference {number}")
        mark = int(np.searchsorted(before, number, "right")) - 1
        first = mark * CHECKPOINT_RUNS
        runs = np.flatnonzero(self.chosen(first, first + CHECKPOINT_RUNS, kinds))
        run = int(runs[number - int(before[mark])])
        col0 = int(self.run_marks[0, mark]) + int(self.run_columns[first : first + run].sum())
        return Difference(number, col0, col0 + int(self.run_columns[first + run]), int(self.run_ops[first + run]))

    def differences(self, numbers: Counts, kinds: Kinds = Kinds.ANY) -> tuple[npt.NDArray[np.uint8], Counts, Counts]:
        """Return (ops, first columns, columns) of existing differences, in the order of ``numbers``."""
        ops, col0 = np.empty(numbers.size, np.uint8), np.empty(numbers.size, np.int64)
        columns = np.empty(numbers.size, np.int64)
        before = self._before(kinds)
        for first in range(0, numbers.size, BATCH_DIFFERENCES):
            some = slice(first, first + BATCH_DIFFERENCES)
            mark = np.searchsorted(before, numbers[some], "right") - 1
            around = mark[:, None] * CHECKPOINT_RUNS + np.arange(CHECKPOINT_RUNS)
            inside = around < self.run_ops.size
            around = np.where(inside, around, 0)
            count = np.cumsum((_BIT[self.run_ops[around]] & np.uint8(kinds) != 0) & inside, axis=1)
            nth = (count <= (numbers[some] - before[mark])[:, None]).sum(axis=1)
            row = np.arange(mark.size)
            lengths = np.where(np.arange(CHECKPOINT_RUNS) < nth[:, None], self.run_columns[around], 0)
            run = around[row, nth]
            ops[some], columns[some] = self.run_ops[run], self.run_columns[run]
            col0[some] = self.run_marks[0, mark] + lengths.sum(axis=1)
        return ops, col0, columns

    def ops_at(self, col0: int, col1: int) -> npt.NDArray[np.uint8]:
        """Return an ``Op``, ``SWAP`` or ``APART`` for each of the existing columns ``[col0, col1)``."""
        if col0 >= col1:
            return np.empty(0, np.uint8)
        mark = int(np.searchsorted(self.run_marks[0], col0, "right")) - 1
        first = mark * CHECKPOINT_RUNS
        some = slice(first, first + CHECKPOINT_RUNS + col1 - col0)
        ends = np.clip(int(self.run_marks[0, mark]) + np.cumsum(self.run_columns[some]), col0, col1)
        return np.repeat(self.run_ops[some], np.diff(ends, prepend=col0))

    def differences_until(self, col: int, kinds: Kinds = Kinds.ANY) -> int:
        """Return how many differences of ``kinds`` start at or before column ``col``."""
        if col < 0 or not self.n_columns:
            return 0
        col = min(col, self.n_columns - 1)
        mark = int(np.searchsorted(self.run_marks[0], col, "right")) - 1
        first = mark * CHECKPOINT_RUNS
        ends = int(self.run_marks[0, mark]) + np.cumsum(self.run_columns[first : first + CHECKPOINT_RUNS])
        run = first + int(np.searchsorted(ends, col, "right"))
        return int(self._before(kinds)[mark]) + int(self.chosen(first, run + 1, kinds).sum())

    def next_difference(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the first difference that starts after column ``col``, or None."""
        number = self.differences_until(col, kinds)
        return self.difference(number, kinds) if number < self.n_differences(kinds) else None

    def previous_difference(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the last difference that starts before column ``col``, or None."""
        number = self.differences_until(col - 1, kinds) - 1
        return self.difference(number, kinds) if number >= 0 else None

    def difference_at(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the difference that contains column ``col``, or None if it is of no such kind."""
        number = self.differences_until(col, kinds) - 1
        if number < 0 or col >= self.n_columns:
            return None
        difference = self.difference(number, kinds)
        return difference if col < difference.col1 else None

    def chosen(self, run0: int, run1: int, kinds: Kinds) -> npt.NDArray[np.bool_]:
        """Return which of runs ``[run0, run1)`` are differences of ``kinds``."""
        wanted: npt.NDArray[np.bool_] = _BIT[self.run_ops[run0:run1]] & np.uint8(kinds) != 0
        return wanted

    def _before(self, kinds: Kinds) -> Counts:
        if kinds not in self._counts:
            rows = (self.run_marks[OP_OF_KIND[kind]] for kind in EACH_KIND if kind & kinds)
            self._counts[kinds] = reduce(np.add, rows, np.zeros_like(self.run_marks[0]))
        return self._counts[kinds]


def usual_kinds(index: DifferenceIndex) -> Kinds:
    """Return the default kinds: those that count as edits, or all if none of them occurs."""
    return Kinds.COUNTED if index.n_differences(Kinds.COUNTED) else Kinds.ANY


def count_runs(runs: npt.NDArray[np.uint8], columns: Counts) -> Counts:
    """Return columns, runs of each kind and columns of each kind of each ``CHECKPOINT_RUNS`` runs; shape (11, c)."""
    heads = np.arange(0, runs.size, CHECKPOINT_RUNS)
    out = np.zeros((COLUMNS_ROW + len(EACH_KIND) + 1, heads.size), np.int64)
    out[0] = np.add.reduceat(columns, heads)
    for op in OP_OF_KIND.values():
        those = runs == op
        if not those.any():
            continue
        out[op] = np.add.reduceat(those, heads, dtype=np.int64)
        out[COLUMNS_ROW + op] = np.add.reduceat(columns * those, heads)
    return out
