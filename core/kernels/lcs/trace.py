"""From kept block borders back to the path: recompute what the path crosses, and walk.

A strip's rows are recomputed from the nearest kept state to the right edge of what is still needed,
this time remembering the carries that enter every step and, now and then, the rows. With these any
stripe, at most 64 rows, can be replayed as one machine word a column, so the walk has the bits it asks
for without the whole block ever being written down.

The walk goes from the end: equal letters are always taken (that is optimal for an LCS), else up
where the LCS does not grow from the row above, else left. So gaps lie as far left as they can.
Inside a band the walk keeps to the cells that were computed, whose values it rests on.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.bits import COLUMNS
from core.kernels.blocks.borders import SAVE_EVERY
from core.kernels.inner import inner
from core.results.alignment import Op
from core.simd import BITS, LANES, WORD

EQUAL, INSERTION, DELETION = int(Op.EQUAL), int(Op.INSERTION), int(Op.DELETION)


@inner
def _replay_stripe(plan, s, top, stripe, t0, group_from, until, seen_v, seen_h, masks, words):  # type: ignore[no-untyped-def]
    """Fill ``words[0, j - COLUMNS * group_from]`` with the stripe's rows after column j, up to column ``until``.

    ``group_from + stripe`` must be a step whose rows were remembered; it may lie before the first column.
    """
    a, b, depth = plan.rows, plan.letters, plan.depth
    lo, hi = plan.lo[s], plan.hi[s]
    kept = (group_from + stripe - t0) // SAVE_EVERY * depth * LANES
    lane, bit = stripe // WORD, np.uint64(stripe % WORD)
    first = top + stripe * depth
    n = min(depth, a.size - first)
    word = np.uint64(0)
    for r in range(depth):
        word |= ((seen_v[kept + r * LANES + lane] >> bit) & np.uint64(1)) << np.uint64(r)
    for r in range(n):
        masks[a[first + r]] |= np.uint64(1) << np.uint64(r)
    for j in range(COLUMNS * max(group_from, lo), until + 1):
        group = j // COLUMNS
        if group < hi:
            step = (group + stripe - t0) * COLUMNS * LANES + (j % COLUMNS) * LANES
            carry = (seen_h[step + lane] >> bit) & np.uint64(1)
            both = word & masks[b[j]]
            word = (word + both + carry) | (word & ~both)
        words[0, j - COLUMNS * group_from] = word
    for r in range(n):
        masks[a[first + r]] = np.uint64(0)


@njit(nogil=True, cache=True)
def walk(plan, s, t0, i, j, seen_v, seen_h, masks, words, ops, lengths):  # type: ignore[no-untyped-def]
    """Walk from cell (i, j) of strip s until it or the recomputed steps end.

    Args:
        i, j: letters of A and of B still to be aligned.
        seen_v, seen_h, masks, words: of ``Memory``.
        ops, lengths: where the runs go, last column first; as long as the letters that can be met.

    Returns:
        (i, j, number of runs).
    """
    a, b = plan.rows, plan.letters
    depth = plan.depth
    top = s * depth * BITS
    lo, hi = plan.lo[s], plan.hi[s]
    low, high = lo * COLUMNS, min(hi * COLUMNS, plan.n_cols)
    have, have_from = -1, 0  # stripe in ``words``, and its first column
    runs, last = 0, -1
    while i > top and j > 0:
        if j > high:  # nothing was computed here: the strip above ended further left
            op, n = INSERTION, j - high
            j = high
        elif j <= low:
            op, n = DELETION, i - top
            i = top
        else:
            stripe = (i - 1 - top) // depth
            step = (j - 1) // COLUMNS + stripe
            if step < t0:
                break
            n = 1
            if a[i - 1] == b[j - 1]:
                op = EQUAL
                i -= 1
                j -= 1
            else:
                if stripe != have or j - 1 < have_from:
                    have_from = ((step - t0) // SAVE_EVERY * SAVE_EVERY + t0 - stripe) * COLUMNS
                    _replay_stripe(plan, s, top, stripe, t0, have_from // COLUMNS, j - 1, seen_v, seen_h, masks, words)
                    have = stripe
                if (words[0, j - 1 - have_from] >> np.uint64(i - 1 - top - stripe * depth)) & np.uint64(1):
                    op = DELETION
                    i -= 1
                else:
                    op = INSERTION
                    j -= 1
        if op == last:
            lengths[runs - 1] += n
        else:
            ops[runs] = op
            lengths[runs] = n
            runs += 1
            last = op
    return i, j, runs
