"""The inner loop of the LCS: one strip of rows over a range of columns, a bit per stripe.

Paper 1's column step ``V' = (V + (V & M)) | (V & ~M)`` adds a carry bit to each row. Written for one
cell (v: no increase from the row above, h: the carry, that is an increase from the column to the left,
m: letters differ) it is ::

    v' = h | (v & m)        h' = v & (h | ~m)

so ``depth`` rows kept in ``depth`` vectors (bit-sliced) need no addition at all, where the paper spends
five rounds of conditional sums on one. Bit b of a vector is stripe b of the strip; it works on group
``t - b`` at step t (paper 2's stagger), so that what leaves the last row of a stripe enters the first
row of the next by a shift of one bit. A bit whose group lies outside ``lo <= group < hi`` is held by
calling every letter of it a mismatch.
"""

from __future__ import annotations

from core.bits import COLUMNS
from core.kernels.blocks.borders import EDGE_ZERO, SAVE_EVERY, ZERO, carry, put
from core.lanes import tops
from core.simd import BITS, LANES, and_or_not, load, mismatch, or_and, shift_in, store, top_bit, window, windows


def lcs_steps(strip, t0, t1, planes, edge, seen):  # type: ignore[no-untyped-def]
    """Do steps ``t0 <= t < t1`` of one strip.

    Args:
        strip, seen: see ``core.kernels.blocks.strip``.
        planes: a tuple as long as the planes to compare; the letters met must not need more.
        edge: ``edge_stream()``, or None where every stripe is inside in every step: the quick form.
    """
    rows, v, h, above, below = strip.rows, strip.v, strip.h, strip.above, strip.below
    lo, hi0, hi1, above_lo, marks = strip.lo, strip.hi0, strip.hi1, strip.above_lo, strip.marks
    stride = strip.depth * LANES
    plane_bits = strip.n_planes * strip.words * 64
    first_bit = (strip.n_cols + COLUMNS - 1) // COLUMNS + BITS
    H0, H1 = load(h, 0), load(h, LANES)
    for t in range(t0, t1):
        B0 = windows(strip.columns, strip.words, first_bit - t, planes)
        B1 = windows(strip.columns, strip.words, first_bit - t + plane_bits, planes)
        if edge is None:
            H0 = shift_in(H0, carry(above, COLUMNS, 0, t - above_lo))
            H1 = shift_in(H1, carry(above, COLUMNS, 1, t - above_lo))
        else:
            left = window(edge, EDGE_ZERO - min(t - lo, BITS))
            E0 = left | ~window(edge, EDGE_ZERO - max(t - hi0, -1))
            E1 = left | ~window(edge, EDGE_ZERO - max(t - hi1, -1))
            H0 = shift_in(H0, carry(above, COLUMNS, 0, t - above_lo) if t < hi0 else ZERO)
            H1 = shift_in(H1, carry(above, COLUMNS, 1, t - above_lo) if t < hi1 else ZERO)
        if seen.h.size:
            since = t - seen.first
            store(seen.h, since * COLUMNS * LANES, H0)
            store(seen.h, since * COLUMNS * LANES + LANES, H1)
            if since % SAVE_EVERY == 0:
                for i in range(0, stride, LANES):
                    store(seen.v, since // SAVE_EVERY * stride + i, load(v, i))
        for i in range(0, stride, LANES):
            V = load(v, i)
            M = mismatch(rows, i, stride, B0)
            if edge is not None:
                M = M | E0
            X = or_and(H0, V, M)
            H0 = and_or_not(V, H0, M)
            M = mismatch(rows, i, stride, B1)
            if edge is not None:
                M = M | E1
            V = or_and(H1, X, M)
            H1 = and_or_not(X, H1, M)
            store(v, i, V)
        if marks.size:
            marks[t - lo] = tops(H0)
            marks[marks.size // COLUMNS + t - lo] = tops(H1)
        group = t - (BITS - 1) - lo
        if group >= 0:
            put(below, COLUMNS, 0, group, top_bit(H0))
            put(below, COLUMNS, 1, group, top_bit(H1))
    store(h, 0, H0)
    store(h, LANES, H1)
