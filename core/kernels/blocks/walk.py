"""From what a method remembers of a piece of its matrix back to the path.

A strip's rows are recomputed from the nearest kept state to the right edge of what is still needed, this time
remembering the carries that enter every step and, now and then, the rows. With these any stripe, at most 64 rows, can
be replayed as one machine word a column, so the walk has the bits it asks for without the whole block ever being
written down.

The walk goes from the end: equal letters are always taken (that is optimal for every method here), else a mismatch
where the method has one and it is optimal, else up, else left. So gaps lie as far left as they can. Inside a band the
walk keeps to the cells that were computed, whose values it rests on; no best path leaves a band that proved itself.

``words[:, at]`` are the bits of up to 64 rows after a column: for the LCS whether it does not grow from the row above,
for edit distance VP and D0 (whether the cell is no more than its upper left neighbour).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.bits import COLUMNS
from core.kernels.blocks.borders import SAVE_EVERY
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.diagonals.slide import slide_back
from core.kernels.inner import inner
from core.results.alignment import Op
from core.simd import BITS, LANES, WORD
from core.traceback.runs import push

EQUAL, MISMATCH = int(Op.EQUAL), int(Op.MISMATCH)
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)
ONE, ZERO = np.uint64(1), np.uint64(0)


@inner
def _bit(words, at, bit):  # type: ignore[no-untyped-def]
    return (words[at] >> np.uint64(bit)) & ONE


@inner
def other_letters(signs, words, at, bit):  # type: ignore[no-untyped-def]
    """Return the operation at a cell whose letters differ."""
    if len(signs) == EDIT_SIGNS and not _bit(words[1], at, bit):
        return MISMATCH
    return DELETION if _bit(words[0], at, bit) else INSERTION


@inner
def _replay_stripe(plan, s, top, stripe, t0, group_from, until, seen_v, seen_h, masks, words):  # type: ignore[no-untyped-def]
    """Fill ``words[:, j - COLUMNS * group_from]`` with the stripe's rows after column j, up to column ``until``.

    ``group_from + stripe`` must be a step whose rows were remembered; it may lie before the first column.
    """
    a, b, depth, n_signs = plan.rows, plan.letters, plan.depth, len(plan.signs)
    lo, hi = plan.lo[s], plan.hi[s]
    kept = (group_from + stripe - t0) // SAVE_EVERY * n_signs * depth * LANES
    lane, bit = stripe // WORD, stripe % WORD
    first = top + stripe * depth
    n = min(depth, a.size - first)
    v = vn = ZERO  # of the LCS; VP and VN
    for r in range(depth):
        v |= _bit(seen_v, kept + r * LANES + lane, bit) << np.uint64(r)
        if n_signs == EDIT_SIGNS:
            vn |= _bit(seen_v, kept + (depth + r) * LANES + lane, bit) << np.uint64(r)
    for r in range(n):
        masks[a[first + r]] |= ONE << np.uint64(r)
    for j in range(COLUMNS * max(group_from, lo), until + 1):
        group = j // COLUMNS
        d0 = ZERO
        if group < hi:
            step = (group + stripe - t0) * n_signs * COLUMNS * LANES + (j % COLUMNS) * LANES + lane
            equal = masks[b[j]]
            carry = _bit(seen_h, step, bit)
            if n_signs == EDIT_SIGNS:
                down = _bit(seen_h, step + COLUMNS * LANES, bit)
                xv = equal | vn
                equal |= down
                d0 = (((equal & v) + v) ^ v) | equal | vn
                hp = ((vn | ~(d0 | v)) << ONE) | carry
                hn = ((d0 & v) << ONE) | down
                v = hn | ~(xv | hp)
                vn = hp & xv
            else:
                both = v & equal
                v = (v + both + carry) | (v & ~equal)
        words[0, j - COLUMNS * group_from] = v
        if n_signs == EDIT_SIGNS:
            words[1, j - COLUMNS * group_from] = d0
    for r in range(n):
        masks[a[first + r]] = ZERO


@njit(nogil=True, cache=True)
def walk_strip(plan, s, t0, i, j, common, seen_v, seen_h, masks, words, ops, lengths):  # type: ignore[no-untyped-def]
    """Walk from cell (i, j) of strip s until it or the recomputed steps end.

    Args:
        i, j: letters of A and of B still to be aligned.
        common: letters at the front where the walk may end.
        seen_v, seen_h, masks, words: of ``Memory``.
        ops, lengths: where the runs go, last column first; as long as the letters that can be met.

    Returns:
        (i, j, number of runs).
    """
    a, b, depth = plan.rows, plan.letters, plan.depth
    top = s * depth * BITS
    low, high = plan.lo[s] * COLUMNS, min(plan.hi[s] * COLUMNS, plan.n_cols)
    have, have_from = -1, 0  # stripe in ``words``, and its first column
    runs = 0
    if j > high:  # nothing was computed here: the strip above ended further left
        runs = push(ops, lengths, runs, INSERTION, j - high)
        j = high
    end = max(top, common)
    while i > end and j > common:
        if j <= low:
            runs = push(ops, lengths, runs, DELETION, i - top)
            i = top
            break
        at = slide_back(a, b, i, j, max(end, i - j + max(low, common)))
        runs = push(ops, lengths, runs, EQUAL, i - at)
        j -= i - at
        i = at
        if i == end or j <= max(low, common):
            continue
        stripe = (i - 1 - top) // depth
        step = (j - 1) // COLUMNS + stripe
        if step < t0:
            break
        if stripe != have or j - 1 < have_from:
            have_from = ((step - t0) // SAVE_EVERY * SAVE_EVERY + t0 - stripe) * COLUMNS
            _replay_stripe(plan, s, top, stripe, t0, have_from // COLUMNS, j - 1, seen_v, seen_h, masks, words)
            have = stripe
        op = other_letters(plan.signs, words, j - 1 - have_from, i - 1 - top - stripe * depth)
        runs = push(ops, lengths, runs, op, 1)
        i -= op != INSERTION
        j -= op != DELETION
    return i, j, runs


@njit(nogil=True, cache=True)
def walk_columns(signs: Any, a: Letters, b: Letters, words: Words, ops: Letters, lengths: Counts) -> int:
    """Walk from the end through a whole small matrix and return the number of runs, last column first.

    Args:
        words: uint64, shape (signs, columns * words of rows).
        ops, lengths: where the runs go; as long as the letters of both.
    """
    i, j, runs = a.size, b.size, 0
    n_words = (a.size + WORD - 1) // WORD
    while i > 0 and j > 0:
        at = slide_back(a, b, i, j, max(0, i - j))
        runs = push(ops, lengths, runs, EQUAL, i - at)
        j -= i - at
        i = at
        if i > 0 and j > 0:
            op = other_letters(signs, words, (j - 1) * n_words + (i - 1) // WORD, (i - 1) % WORD)
            runs = push(ops, lengths, runs, op, 1)
            i -= op != INSERTION
            j -= op != DELETION
    return int(push(ops, lengths, push(ops, lengths, runs, DELETION, i), INSERTION, j))


@njit(nogil=True, cache=True)
def match_masks(a: Letters, b: Letters) -> Words:
    """Return where each code occurs in ``a``, uint64, shape (codes of both, words of rows)."""
    highest = 0
    for i in range(a.size):
        highest = max(highest, a[i])
    for j in range(b.size):
        highest = max(highest, b[j])
    masks = np.zeros((highest + 1, (a.size + WORD - 1) // WORD), np.uint64)
    for i in range(a.size):
        masks[a[i], i // WORD] |= ONE << np.uint64(i % WORD)
    return masks
