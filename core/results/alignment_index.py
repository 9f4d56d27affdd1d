"""Random access into a run-length alignment: any column, any letter, any difference, at once.

An alignment of whole chromosomes has up to 10^8 runs. A checkpoint every ``CHECKPOINT_RUNS`` runs keeps what
was passed so far (columns, letters of A and of B, mismatches, differences of each kind); a question
is then one bisection and a look at ``CHECKPOINT_RUNS`` runs. The checkpoints take 4 % of the runs' memory.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntFlag

import numpy as np
import numpy.typing as npt

from core.arrays import Counts
from core.results.alignment import Alignment, Op

CHECKPOINT_RUNS = 256
STEP_RUNS = CHECKPOINT_RUNS * 256  # runs added up between two yields: about half a millisecond
MAX_BINS = 4096  # of the profile: more than a screen has pixels in a row would show nothing more


class Kinds(IntFlag):
    """Kinds of difference looked for; a difference is a longest stretch of columns of these kinds."""

    MISMATCH = 1
    INSERTION = 2
    DELETION = 4
    ANY = 7


# Rows of the checkpoint table; from _STARTS on, one row for each of the seven sets of kinds.
_COLUMN, _A, _B, _X, _STARTS = 0, 1, 2, 3, 4
_N_SETS = 7
_BIT = np.array([0, Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION], np.uint8)  # by Op
# Bit s-1 of _MEMBER[op]: whether ``op`` is in the set of kinds s.
_MEMBER = np.array([sum(1 << (s - 1) for s in range(1, 8) if s & int(bit)) for bit in _BIT], np.uint8)
# The bits of a byte spread over the bytes of a word, so that seven counts are added up as one number.
# At most every second run starts a difference of one set: 256 runs do not overflow a byte.
_SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64).ravel()
_WEIGHT = np.array([[1, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0], [0, 1, 0, 0]], np.int64)  # checkpoint row, Op


@dataclass(frozen=True, slots=True)
class ColumnWindow:
    """Some columns of an alignment.

    Attributes:
        op: uint8, shape (n,): an ``Op`` a column.
        a, b: int64, shape (n,): 0-based index of the letter in A and in B, -1 where there is a gap.
    """

    op: npt.NDArray[np.uint8]
    a: Counts
    b: Counts


@dataclass(frozen=True, slots=True)
class Difference:
    """A longest stretch of columns ``[col0, col1)`` of the kinds asked for; ``number`` counts from 0."""

    number: int
    col0: int
    col1: int


@dataclass(frozen=True, slots=True, eq=False)
class AlignmentIndex:
    """Made by ``index_steps`` or ``index_alignment``; never changes.

    Attributes:
        alignment: the runs.
        marks: int64, shape (11, c + 1): what lies before run ``STRIDE * i``; the last column holds the totals.
        profile: int64, shape (4, bins): columns of each ``Op`` in equal parts of the alignment, part ``i`` of
            ``bins`` being columns ``[i * n // bins, (i + 1) * n // bins)``; at most ``MAX_BINS`` parts.
    """

    alignment: Alignment
    marks: Counts
    profile: Counts

    @property
    def n_columns(self) -> int:
        return int(self.marks[_COLUMN, -1])

    @property
    def n_a(self) -> int:
        return int(self.marks[_A, -1])

    @property
    def n_b(self) -> int:
        return int(self.marks[_B, -1])

    def window(self, col0: int, col1: int) -> ColumnWindow:
        """Return columns ``[col0, col1)``, cut to those there are; work goes with their number only."""
        col0, col1 = max(0, col0), min(col1, self.n_columns)
        if col0 >= col1:
            return ColumnWindow(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0, np.int64))
        run, before = _locate(self.alignment, self.marks, _COLUMN, col0)
        ops = self.alignment.ops[run : run + col1 - col0]
        ends = before + np.cumsum(self.alignment.lengths[run : run + col1 - col0])
        n_runs = int(np.searchsorted(ends, col1)) + 1  # every run has a column, so the slice reaches col1
        ops, ends = ops[:n_runs], np.minimum(ends[:n_runs], col1)
        op = np.repeat(ops, np.diff(ends, prepend=col0))
        a0, b0 = self.letters_before(col0)
        return ColumnWindow(op, _number(op != Op.INSERTION, a0), _number(op != Op.DELETION, b0))

    def letters_before(self, col: int) -> tuple[int, int]:
        """Return how many letters of A and of B lie in columns before ``col``."""
        if col >= self.n_columns:
            return self.n_a, self.n_b
        sums = sums_before(self.alignment, self.marks, np.array([max(0, col)]))
        return int(sums[_A, 0]), int(sums[_B, 0])

    def column_of_a(self, i: int) -> int:
        """Return the column of letter ``i`` (0-based) of A. Raises IndexError where A has no such letter."""
        return self._column_of(_A, i)

    def column_of_b(self, j: int) -> int:
        """Return the column of letter ``j`` (0-based) of B. Raises IndexError where B has no such letter."""
        return self._column_of(_B, j)

    def n_differences(self, kinds: Kinds = Kinds.ANY) -> int:
        return int(self.marks[_starts_row(kinds), -1]) if kinds else 0

    def difference(self, number: int, kinds: Kinds = Kinds.ANY) -> Difference:
        """Return difference ``number`` (from 0) of those of ``kinds``. Raises IndexError where there is none."""
        if not 0 <= number < self.n_differences(kinds):
            raise IndexError(f"no difference {number}")
        row = self.marks[_starts_row(kinds)]
        mark = int(np.searchsorted(row, number, "right")) - 1
        run0 = mark * CHECKPOINT_RUNS
        hits = np.flatnonzero(_starts(self.alignment.ops, run0, run0 + CHECKPOINT_RUNS) >> np.uint8(kinds - 1) & 1)
        run = run0 + int(hits[number - int(row[mark])])
        return Difference(number, self._run_column(run), self._end_of_stretch(run, kinds))

    def differences_until(self, col: int, kinds: Kinds = Kinds.ANY) -> int:
        """Return how many differences of ``kinds`` start at column ``col`` or before."""
        if col < 0 or not kinds or not self.n_columns:
            return 0
        run, _ = _locate(self.alignment, self.marks, _COLUMN, min(col, self.n_columns - 1))
        mark = run // CHECKPOINT_RUNS
        found = _starts(self.alignment.ops, mark * CHECKPOINT_RUNS, run + 1) >> np.uint8(kinds - 1) & 1
        return int(self.marks[_starts_row(kinds), mark]) + int(found.sum())

    def next_difference(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the first difference that starts after column ``col``; None at the end."""
        number = self.differences_until(col, kinds)
        return self.difference(number, kinds) if number < self.n_differences(kinds) else None

    def previous_difference(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the last difference that starts before column ``col``; None at the beginning."""
        number = self.differences_until(col - 1, kinds) - 1
        return self.difference(number, kinds) if number >= 0 else None

    def difference_at(self, col: int, kinds: Kinds = Kinds.ANY) -> Difference | None:
        """Return the difference that column ``col`` is part of, None where it is of no such kind."""
        number = self.differences_until(col, kinds) - 1
        if number < 0 or col >= self.n_columns:
            return None
        found = self.difference(number, kinds)
        return found if col < found.col1 else None

    def runs(self, col0: int, col1: int) -> tuple[npt.NDArray[np.uint8], Counts]:
        """Return (ops, lengths) of the runs of columns ``[col0, col1)``, the outer ones cut to it."""
        col0, col1 = max(0, col0), min(col1, self.n_columns)
        if col0 >= col1:
            return np.empty(0, np.uint8), np.empty(0, np.int64)
        first, before = _locate(self.alignment, self.marks, _COLUMN, col0)
        last, _ = _locate(self.alignment, self.marks, _COLUMN, col1 - 1)
        ends = np.minimum(before + np.cumsum(self.alignment.lengths[first : last + 1]), col1)
        return self.alignment.ops[first : last + 1], np.diff(ends, prepend=col0)

    def _column_of(self, row: int, letter: int) -> int:
        if not 0 <= letter < int(self.marks[row, -1]):
            raise IndexError(f"no letter {letter}")
        run, before = _locate(self.alignment, self.marks, row, letter)
        return self._run_column(run) + letter - before

    def _run_column(self, run: int) -> int:
        mark = run // CHECKPOINT_RUNS
        return int(self.marks[_COLUMN, mark]) + int(self.alignment.lengths[mark * CHECKPOINT_RUNS : run].sum())

    def _end_of_stretch(self, run: int, kinds: Kinds) -> int:
        ops, end, reach = self.alignment.ops, run, 16
        while end < ops.size:
            others = np.flatnonzero(_BIT[ops[end : end + reach]] & np.uint8(kinds) == 0)
            if others.size:
                return self._run_column(end + int(others[0]))
            end, reach = end + reach, min(2 * reach, STEP_RUNS)
        return self.n_columns


def index_alignment(alignment: Alignment) -> AlignmentIndex:
    """Index ``alignment`` in one go: about 6 ms for 10^6 runs."""
    steps = index_steps(alignment)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]


def index_steps(alignment: Alignment) -> Generator[float, None, AlignmentIndex]:
    """Index ``alignment`` in steps of about a millisecond, so that an event loop can go on between them.

    Yields:
        the share done, from 0 to 1.
    """
    ops, lengths = alignment.ops, alignment.lengths
    n_marks = -(-ops.size // CHECKPOINT_RUNS)
    marks = np.zeros((_STARTS + _N_SETS, n_marks + 1), np.int64)
    for run0 in range(0, ops.size, STEP_RUNS):
        run1 = min(run0 + STEP_RUNS, ops.size)
        first, last = run0 // CHECKPOINT_RUNS + 1, -(-run1 // CHECKPOINT_RUNS) + 1
        marks[:, first:last] = _add_up(ops[run0:run1], lengths[run0:run1], _starts(ops, run0, run1))
        yield 0.8 * run1 / ops.size
    for row in marks:
        np.cumsum(row, out=row)
        yield 0.9
    n_columns = int(marks[_COLUMN, -1])
    bins = min(MAX_BINS, n_columns)
    edges = np.arange(bins + 1, dtype=np.int64) * n_columns // max(1, bins)
    sums = np.zeros((_STARTS, bins + 1), np.int64)
    sums[:, -1] = marks[:_STARTS, -1]
    for i in range(0, bins, 128):
        sums[:, i : min(i + 128, bins)] = sums_before(alignment, marks, edges[i : min(i + 128, bins)])
        yield 0.9 + 0.1 * i / bins
    n, a, b, x = np.diff(sums)
    profile = np.stack([a + b - n - x, x, n - a, n - b])
    marks.setflags(write=False)
    profile.setflags(write=False)
    return AlignmentIndex(alignment, marks, profile)


def _starts_row(kinds: Kinds) -> int:
    return _STARTS + int(kinds) - 1


def _starts(ops: npt.NDArray[np.uint8], run0: int, run1: int) -> npt.NDArray[np.uint8]:
    """Return for each run of ``[run0, run1)`` the sets of kinds of which it starts a difference, a bit a set."""
    member = _MEMBER[ops[run0:run1]]
    before = np.empty_like(member)
    before[:1] = _MEMBER[ops[run0 - 1]] if run0 else 0
    before[1:] = member[:-1]
    starts: npt.NDArray[np.uint8] = member & ~before
    return starts


def _add_up(ops: npt.NDArray[np.uint8], lengths: Counts, starts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return the sums of each ``CHECKPOINT_RUNS`` runs, shape (11, c)."""
    heads = np.arange(0, ops.size, CHECKPOINT_RUNS)
    out = np.empty((_STARTS + _N_SETS, heads.size), np.int64)
    columns = np.add.reduceat(lengths, heads)
    out[_COLUMN] = columns
    out[_A] = columns - np.add.reduceat(lengths * (ops == Op.INSERTION), heads)
    out[_B] = columns - np.add.reduceat(lengths * (ops == Op.DELETION), heads)
    out[_X] = np.add.reduceat(lengths * (ops == Op.MISMATCH), heads)
    counts = np.add.reduceat(_SPREAD[starts], heads)
    out[_STARTS:] = counts.view(np.uint8).reshape(-1, 8)[:, :_N_SETS].T
    return out


def _locate(alignment: Alignment, marks: Counts, row: int, value: int) -> tuple[int, int]:
    """Return the run in which count ``row`` passes ``value``, and the count before that run."""
    mark = int(np.searchsorted(marks[row], value, "right")) - 1
    run0 = mark * CHECKPOINT_RUNS
    weight = _WEIGHT[row][alignment.ops[run0 : run0 + CHECKPOINT_RUNS]]
    sums = marks[row, mark] + np.cumsum(alignment.lengths[run0 : run0 + CHECKPOINT_RUNS] * weight)
    i = int(np.searchsorted(sums, value, "right"))
    return run0 + i, int(sums[i - 1]) if i else int(marks[row, mark])


def sums_before(alignment: Alignment, marks: Counts, columns: Counts) -> Counts:
    """Return columns, letters of A, of B and mismatches before each of ``columns``; shape (4, n).

    ``columns`` must lie inside the alignment, ``0 <= column < n_columns``.
    """
    mark = np.searchsorted(marks[_COLUMN], columns, "right") - 1
    runs = mark[:, None] * CHECKPOINT_RUNS + np.arange(CHECKPOINT_RUNS)
    inside = runs < alignment.ops.size
    runs = np.where(inside, runs, 0)
    ops = alignment.ops[runs]
    ends = marks[_COLUMN, mark][:, None] + np.cumsum(np.where(inside, alignment.lengths[runs], 0), axis=1)
    ends = np.minimum(ends, columns[:, None])
    lengths = np.diff(ends, axis=1, prepend=marks[_COLUMN, mark][:, None])
    sums = marks[:_STARTS, mark].copy()
    sums[_COLUMN] = columns
    sums[_A] += (lengths * (ops != Op.INSERTION)).sum(axis=1)
    sums[_B] += (lengths * (ops != Op.DELETION)).sum(axis=1)
    sums[_X] += (lengths * (ops == Op.MISMATCH)).sum(axis=1)
    return sums


def _number(present: npt.NDArray[np.bool_], first: int) -> Counts:
    """Return running letter numbers from ``first`` where ``present``, else -1."""
    return np.where(present, first - 1 + np.cumsum(present), -1)
