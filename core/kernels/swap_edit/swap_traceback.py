"""Traceback through recomputed blocks: substitutions, insertions, deletions and swaps.

Ties, from the end: equal letters first, then X, D, I; a swap only if nothing else explains the cell. Of two swaps the
one across fewer letters, then the one across letters of A.
"""

from __future__ import annotations

from wavediff.core.jit.decorators import jit, jit_callee, jit_with
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.swap_edit.strips import LOG_VECTORS

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
# Of a place: letters of A and of B that are left; what is searched for (nothing, a swap's p, its q), and where; swaps.
ROW, COLUMN, MODE, PLACE, SWAPS = range(5)
ALONG, LOOK_FOR_P, LOOK_FOR_Q = range(3)
D0, VP, HP, DOWN = range(LOG_VECTORS)


@jit
def next_cell(place):  # type: ignore[no-untyped-def]
    """Return (row, column), 1-based, of the next cell needed by the traceback at ``place``."""
    if place[MODE] == LOOK_FOR_P:
        return place[PLACE], place[COLUMN] - 1
    if place[MODE] == LOOK_FOR_Q:
        return place[ROW] - 1, place[PLACE]
    return place[ROW], place[COLUMN]


@jit_callee
def _bit(seen, t0, which, row, column):  # type: ignore[no-untyped-def]
    w = (row - 1) // WORD
    word = seen[((column - 1 + w - t0) * LOG_VECTORS + which) * LANES + w % LANES]
    return (word >> ((row - 1) % WORD)) & 1


@jit_callee
def _add(ops, lengths, runs, op, n):  # type: ignore[no-untyped-def]
    if runs and ops[runs - 1] == op:
        lengths[runs - 1] += n
        return runs
    ops[runs], lengths[runs] = op, n
    return runs + 1


@jit_with(error_model="numpy")
def trace_swaps(a, b, s, t0, seen, place, ops, lengths, swaps):  # type: ignore[no-untyped-def]
    """Trace from ``place`` until a cell outside strip s (from step t0) is needed, or an edge is reached.

    Args:
        a, b: codes. place: int64, see above; updated. ops, lengths: output of the runs, last column first.
        swaps: int64, shape (k, 4), output: (p, i, q, j), 0-based, of each swap.

    Returns:
        Runs written.
    """
    runs = 0
    while place[ROW] > 0 and place[COLUMN] > 0:
        i, j = place[ROW], place[COLUMN]
        row, column = next_cell(place)
        w = (row - 1) // WORD
        if w // LANES != s or column - 1 + w < t0:
            break
        p = q = 0
        if place[MODE] == LOOK_FOR_P:
            if a[row - 1] == b[j - 1] and _bit(seen, t0, D0, row, column) == 0:
                p, q = row, j - 1
            else:
                place[PLACE] -= 1
        elif place[MODE] == LOOK_FOR_Q:
            if b[column - 1] == a[i - 1] and _bit(seen, t0, D0, row, column) == 0:
                p, q = i - 1, column
            else:
                place[PLACE] -= 1
        elif a[i - 1] == b[j - 1]:
            runs = _add(ops, lengths, runs, EQUAL, 1)
            place[ROW], place[COLUMN] = i - 1, j - 1
        elif _bit(seen, t0, D0, i, j) == 0:
            runs = _add(ops, lengths, runs, MISMATCH, 1)
            place[ROW], place[COLUMN] = i - 1, j - 1
        elif _bit(seen, t0, VP, i, j) != 0:
            runs = _add(ops, lengths, runs, DELETION, 1)
            place[ROW] = i - 1
        elif _bit(seen, t0, HP, i, j) != 0:
            runs = _add(ops, lengths, runs, INSERTION, 1)
            place[COLUMN] = j - 1
        elif _bit(seen, t0, DOWN, i, j) != 0:
            place[MODE], place[PLACE] = LOOK_FOR_P, i - 1
        else:
            place[MODE], place[PLACE] = LOOK_FOR_Q, j - 1
        if p > 0:
            runs = _add(ops, lengths, runs, MISMATCH, 1)
            if i - p > 1:
                runs = _add(ops, lengths, runs, DELETION, i - p - 1)
            if j - q > 1:
                runs = _add(ops, lengths, runs, INSERTION, j - q - 1)
            runs = _add(ops, lengths, runs, MISMATCH, 1)
            n = place[SWAPS]
            swaps[n, 0], swaps[n, 1], swaps[n, 2], swaps[n, 3] = p - 1, i - 1, q - 1, j - 1
            place[SWAPS] = n + 1
            place[ROW], place[COLUMN], place[MODE] = p - 1, q - 1, ALONG
        if place[MODE] != ALONG and place[PLACE] <= 0:  # cannot be: a swap that matters has its other end
            place[ROW] = place[COLUMN] = -1
    return runs
