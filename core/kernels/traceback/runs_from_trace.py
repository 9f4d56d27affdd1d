"""Conversion of the byte codes of a traceback (``wavediff.core.kernels.pairwise.blocks.cell_traceback``) into runs."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, MISMATCH, ZERO, append_run


@jit_callee_no_nrt
def _gather(met, start, end, ops, lengths, runs, kind, first, second):  # type: ignore[no-untyped-def]
    """Convert trace codes ``start`` to ``end``; see ``runs_of_trace``.

    Args:
        runs: number written. kind: of the current run: EQUAL, MISMATCH, or INSERTION for any gap.
        first, second: its columns; of a gap, those of I and of D.

    Returns:
        The updated values of the last four arguments.
    """
    equal, others, deleted = (first, ZERO, ZERO) if kind == EQUAL else (ZERO, first, second)
    gap = kind == INSERTION
    for k in range(start, end):
        n, op = np.int64(met[np.uint64(k)] >> 2), np.int64(met[np.uint64(k)] & 3)
        is_gap, is_mismatch = op >= INSERTION, op == MISMATCH
        # What was before the equal letters ends where there are any, or where the column is of another kind.
        ends = (n > 0) | (is_gap & ~gap) | (is_mismatch & gap)
        ops[np.uint64(runs)], lengths[np.uint64(runs)] = INSERTION if gap else MISMATCH, others
        runs += ends & (others > 0)
        ops[np.uint64(runs)], lengths[np.uint64(runs)] = DELETION, deleted
        runs += ends & (deleted > 0)
        others, deleted = (ZERO if ends else others), (ZERO if ends else deleted)
        equal += n
        ops[np.uint64(runs)], lengths[np.uint64(runs)] = EQUAL, equal
        column = is_gap | is_mismatch
        runs += column & (equal > 0)
        equal = ZERO if column else equal
        others += (op == INSERTION) | is_mismatch
        deleted += op == DELETION
        gap = is_gap | (gap & ~column)
    if equal > 0 or others + deleted == 0:
        kind, first, second = EQUAL, equal, ZERO
    else:
        kind, first, second = INSERTION if gap else MISMATCH, others, deleted
    return runs, kind, first, second


@jit_no_nrt
def runs_of_trace(met: Letters, ops: Ops, lengths: Counts) -> int:
    """Convert trace codes to runs, last column first, insertions before deletions of a gap; return their number.

    It has no branch on trace codes, which are unpredictable.

    Args:
        met: uint8 trace codes ``4 * n + op``: n equal letters, up to eight, then a column of ``op`` unless it is EQUAL.
        ops, lengths: output of the runs, at most 2 * met.size + 2.
    """
    runs, kind, first, second = _gather(met, 0, met.size, ops, lengths, ZERO, EQUAL, ZERO, ZERO)
    return int(append_run(ops, lengths, append_run(ops, lengths, runs, kind, first), DELETION, second))


@jit_no_nrt
def runs_of_trace_at(met: Letters, marks: Counts, ops: Ops, lengths: Counts, places: Counts) -> int:
    """Convert trace codes as ``runs_of_trace`` does, recording positions at marks.

    Args:
        marks: int64, shape (k,), non-decreasing: entries of ``met`` before each place.
        places: int64, shape (k, 3): run at or after each place, and its columns before it (of a gap: of I and of D, and
            the run is the first one of the gap).
    """
    runs, kind, first, second = ZERO, EQUAL, ZERO, ZERO
    start = ZERO
    for x in range(marks.size):
        runs, kind, first, second = _gather(met, start, marks[x], ops, lengths, runs, kind, first, second)
        places[x, 0], places[x, 1], places[x, 2] = runs, first, second
        start = marks[x]
    runs, kind, first, second = _gather(met, start, met.size, ops, lengths, runs, kind, first, second)
    return int(append_run(ops, lengths, append_run(ops, lengths, runs, kind, first), DELETION, second))
