"""Differences with their positions in both sequences, singly or as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import SWAP, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex, sums_before
from wavediff.core.jobs.difference_index import IN_A, IN_B, Kinds

PIECE_RUNS = 1 << 15  # runs of an alignment walked at a time: some ms of work


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceRows:
    """Table of some differences.

    Attributes:
        number: number of each difference among the selected kinds, from 0.
        op: uint8, an ``Op`` or ``SWAP`` each.
        col0, columns: first column and number of columns of each.
        a0, a1, b0, b1: int64, letters ``[a0, a1)`` of A and ``[b0, b1)`` of B, 0-based; empty in a gap.
    """

    number: Counts
    op: npt.NDArray[np.uint8]
    col0: Counts
    columns: Counts
    a0: Counts
    a1: Counts
    b0: Counts
    b1: Counts

    def __len__(self) -> int:
        return int(self.number.size)


def rows_of(index: AlignmentIndex, numbers: Counts, kinds: Kinds = Kinds.ANY) -> DifferenceRows:
    """Return differences ``numbers`` (int64, 0-based, existing) among ``kinds``, in that order."""
    op, col0, columns = index.differences(numbers, kinds)
    _, a0, b0, _ = sums_before(index.alignment, index.marks, col0)
    a1, b1 = a0 + columns * (op != Op.INSERTION), b0 + columns * (op != Op.DELETION)
    for each in np.flatnonzero(op == SWAP).tolist():  # whose letters the columns alone do not determine
        a1[each], b1[each] = index.letters_before(int(col0[each] + columns[each]))
    return DifferenceRows(numbers, op, col0, columns, a0, a1, b0, b1)


def all_rows(index: AlignmentIndex, kinds: Kinds = Kinds.ANY) -> Iterator[DifferenceRows]:
    """Yield all differences of ``kinds`` in chunks."""
    head, tail = index.alignment.head_runs, index.run_ops.size - index.alignment.tail_runs  # overhang has none
    number, col = 0, int(index.run_columns[:head].sum())
    at_a, at_b = index.letters_before(col) if head else (0, 0)  # short pairs have no sums
    for first in range(head, tail, PIECE_RUNS):
        end = min(first + PIECE_RUNS, tail)
        op, columns = index.run_ops[first:end], index.run_columns[first:end]
        ends = col + np.cumsum(columns)
        in_a, in_b = columns * IN_A[op], columns * IN_B[op]
        for each in np.flatnonzero(op == SWAP).tolist():
            before, after = index.letters_before(int(ends[each] - columns[each])), index.letters_before(int(ends[each]))
            in_a[each], in_b[each] = after[0] - before[0], after[1] - before[1]
        ends_a, ends_b = at_a + np.cumsum(in_a), at_b + np.cumsum(in_b)
        wanted = np.flatnonzero(index.chosen(first, end, kinds))
        numbers = np.arange(number, number + wanted.size)
        yield DifferenceRows(
            numbers, op[wanted], (ends - columns)[wanted], columns[wanted],
            (ends_a - in_a)[wanted], ends_a[wanted], (ends_b - in_b)[wanted], ends_b[wanted],
        )  # fmt: skip
        number, col, at_a, at_b = number + wanted.size, int(ends[-1]), int(ends_a[-1]), int(ends_b[-1])
