"""Walk back through recomputed blocks of edit distance.

From the end: equal letters are always taken (that is optimal), else a mismatch where it is, else a deletion, else an
insertion. So gaps lie as far left as that brings them, and the path depends on the sequences alone within a band.
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

EQUAL, MISMATCH = int(Op.EQUAL), int(Op.MISMATCH)
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)
ONE = np.uint64(1)


@inner
def _replay_stripe(plan, s, top, stripe, t0, group_from, until, seen_v, seen_h, masks, words):  # type: ignore[no-untyped-def]
    """Fill ``words[:, j - COLUMNS * group_from]`` with VP and D0 of the stripe's rows after column j, up to ``until``.

    ``group_from + stripe`` must be a step whose rows were remembered; it may lie before the first column.
    """
    a, b, depth = plan.rows, plan.letters, plan.depth
    lo, hi = plan.lo[s], plan.hi[s]
    kept = (group_from + stripe - t0) // SAVE_EVERY * 2 * depth * LANES
    lane, bit = stripe // WORD, np.uint64(stripe % WORD)
    first = top + stripe * depth
    n = min(depth, a.size - first)
    vp = vn = np.uint64(0)
    for r in range(depth):
        vp |= ((seen_v[kept + r * LANES + lane] >> bit) & ONE) << np.uint64(r)
        vn |= ((seen_v[kept + (depth + r) * LANES + lane] >> bit) & ONE) << np.uint64(r)
    for r in range(n):
        masks[a[first + r]] |= ONE << np.uint64(r)
    for j in range(COLUMNS * max(group_from, lo), until + 1):
        group = j // COLUMNS
        d0 = np.uint64(0)
        if group < hi:
            step = (group + stripe - t0) * 2 * COLUMNS * LANES + (j % COLUMNS) * LANES
            up = (seen_h[step + lane] >> bit) & ONE
            down = (seen_h[step + COLUMNS * LANES + lane] >> bit) & ONE
            equal = masks[b[j]]
            xv = equal | vn
            equal |= down
            d0 = (((equal & vp) + vp) ^ vp) | equal | vn
            hp = vn | ~(d0 | vp)
            hn = d0 & vp
            hp = (hp << ONE) | up
            hn = (hn << ONE) | down
            vp = hn | ~(xv | hp)
            vn = hp & xv
        words[0, j - COLUMNS * group_from] = vp
        words[1, j - COLUMNS * group_from] = d0
    for r in range(n):
        masks[a[first + r]] = np.uint64(0)


@njit(nogil=True, cache=True)
def edit_walk(plan, s, t0, i, j, seen_v, seen_h, masks, words, ops, lengths):  # type: ignore[no-untyped-def]
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
    low, high = plan.lo[s] * COLUMNS, min(plan.hi[s] * COLUMNS, plan.n_cols)
    have, have_from = -1, 0  # stripe in ``words``, and its first column
    runs, last = 0, -1
    while i > top and j > 0:
        n = 1
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
            if a[i - 1] == b[j - 1]:
                op = EQUAL
                i -= 1
                j -= 1
            else:
                if stripe != have or j - 1 < have_from:
                    have_from = ((step - t0) // SAVE_EVERY * SAVE_EVERY + t0 - stripe) * COLUMNS
                    _replay_stripe(plan, s, top, stripe, t0, have_from // COLUMNS, j - 1, seen_v, seen_h, masks, words)
                    have = stripe
                place = np.uint64(i - 1 - top - stripe * depth)
                if not (words[1, j - 1 - have_from] >> place) & ONE:
                    op = MISMATCH
                    i -= 1
                    j -= 1
                elif (words[0, j - 1 - have_from] >> place) & ONE:
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
