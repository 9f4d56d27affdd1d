"""Trace an alignment back through blocks that are computed again.

Ties, from the end: two letters in one column first, then an insertion, then a deletion; a gap is as short as it can
be. So no gap could lie further left at the same score, and which alignment is found depends on nothing but the letters
and the scores.
"""

from __future__ import annotations

from wavediff.core.jit.decorators import jit_callee, jit_with
from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.affine.blocks import INSERTION as INSERTED
from wavediff.core.kernels.affine.blocks import OPENS_DELETION, OPENS_INSERTION, PAIR

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
ROW, COLUMN, GAP = range(3)  # of a place: letters of A and of B that are left; the gap that is open there
CLOSED, IN_INSERTION, IN_DELETION = range(3)


@jit_callee
def _add(ops, lengths, runs, op):  # type: ignore[no-untyped-def]
    if runs and ops[runs - 1] == op:
        lengths[runs - 1] += 1
        return runs
    ops[runs], lengths[runs] = op, 1
    return runs + 1


@jit_with(error_model="numpy")
def follow_block(a, b, row0, col0, steps, lanes, seen, place, ops, lengths):  # type: ignore[no-untyped-def]
    """Trace back from ``place`` until an edge of the block is passed.

    Args:
        a, b: letters, case folded where that makes them equal.
        row0, col0: letters before the block. steps, lanes: shape of a strip's flags in ``seen``.
        place: int64, see above; updated. ops, lengths: get the runs, last column first.

    Returns:
        Runs written.
    """
    runs = 0
    i, j, gap = place[ROW], place[COLUMN], place[GAP]
    while i > row0 and j > col0:
        strip, lane = (i - row0 - 1) // lanes, (i - row0 - 1) % lanes
        flags = seen[(strip * steps + j - col0 - 1 + lane) * lanes + lane]
        if gap == CLOSED and flags & PAIR:
            runs = _add(ops, lengths, runs, EQUAL if a[i - 1] == b[j - 1] else MISMATCH)
            i, j = i - 1, j - 1
        elif (gap == CLOSED and flags & INSERTED) or (gap == IN_INSERTION and not flags & OPENS_INSERTION):
            runs = _add(ops, lengths, runs, INSERTION)
            j, gap = j - 1, IN_INSERTION
        elif gap == CLOSED or (gap == IN_DELETION and not flags & OPENS_DELETION):
            runs = _add(ops, lengths, runs, DELETION)
            i, gap = i - 1, IN_DELETION
        else:
            gap = CLOSED
    place[ROW], place[COLUMN], place[GAP] = i, j, gap
    return runs
