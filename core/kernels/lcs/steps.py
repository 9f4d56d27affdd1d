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

import numpy as np
from numba import njit

from core.arrays import Words
from core.bits import COLUMNS
from core.simd import BITS, LANES, load, mismatch, shift_in, store, top_bit, window, windows

TOP, ZERO = np.uint64(63), np.uint64(0)
SAVE_EVERY = 16  # steps between two states of the rows kept while tracing
EDGE_ZERO = 2 * BITS


def edge_stream() -> Words:
    """Return the bit stream whose bits above ``EDGE_ZERO`` are ones: a window of it masks one side."""
    words = np.zeros(5 * LANES + 2, np.uint64)
    words[EDGE_ZERO // 64 + 1 :] = ~np.uint64(0)
    words[EDGE_ZERO // 64] = ~np.uint64(1)
    return words


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _carry(border, column, group):  # type: ignore[no-untyped-def]
    """Bit of a column of ``group`` in a packed row border, moved to bit 63."""
    return (border[column * (border.size // COLUMNS) + (group >> 6)] >> np.uint64(group & 63)) << TOP


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _put(border, column, group, bit):  # type: ignore[no-untyped-def]
    """Append the next group's bit to a packed row border."""
    at, place = column * (border.size // COLUMNS) + (group >> 6), np.uint64(group & 63)
    if place == 0:
        border[at] = bit
    else:
        border[at] |= bit << place


@njit(nogil=True, cache=True, error_model="numpy")
def steps(plan, rows, v, h, above, above_lo, below, lo, hi0, hi1, t0, t1, planes, edge, seen_from, seen_v, seen_h):  # type: ignore[no-untyped-def]
    """Do steps ``t0 <= t < t1`` of one strip.

    Args:
        plan: ``lcs_blocks.Plan``: the column streams and the depth.
        rows: bit planes of the strip, see ``core.bits``.
        v: uint64, shape (depth * LANES,); h: uint64, shape (COLUMNS * LANES,): the state, updated.
        above, below: uint64, packed row borders, from group ``above_lo`` and ``lo`` on; ``below`` is written.
        lo, hi0, hi1: the strip's groups; ``hi0``, ``hi1`` is where its column 0, column 1 of a group ends.
        planes: a tuple as long as the planes to compare; the letters met must not need more.
        edge: ``edge_stream()``, or None where every stripe is inside in every step: the quick form.
        seen_from, seen_v, seen_h: where ``seen_h`` (uint64) is not empty, ``h`` as it enters step t is written there
            at ``(t - seen_from) * COLUMNS * LANES``, and to ``seen_v`` the state ``v`` before every
            ``SAVE_EVERY``-th step.
    """
    stride = plan.depth * LANES
    plane_bits = plan.n_planes * plan.words * 64
    first_bit = (plan.n_cols + COLUMNS - 1) // COLUMNS + BITS
    H0, H1 = load(h, 0), load(h, LANES)
    for t in range(t0, t1):
        B0 = windows(plan.columns, plan.words, first_bit - t, planes)
        B1 = windows(plan.columns, plan.words, first_bit - t + plane_bits, planes)
        if edge is None:
            H0 = shift_in(H0, _carry(above, 0, t - above_lo))
            H1 = shift_in(H1, _carry(above, 1, t - above_lo))
        else:
            left = window(edge, EDGE_ZERO - min(t - lo, BITS))
            E0 = left | ~window(edge, EDGE_ZERO - max(t - hi0, -1))
            E1 = left | ~window(edge, EDGE_ZERO - max(t - hi1, -1))
            H0 = shift_in(H0, _carry(above, 0, t - above_lo) if t < hi0 else ZERO)
            H1 = shift_in(H1, _carry(above, 1, t - above_lo) if t < hi1 else ZERO)
        if seen_h.size:
            since = t - seen_from
            store(seen_h, since * COLUMNS * LANES, H0)
            store(seen_h, since * COLUMNS * LANES + LANES, H1)
            if since % SAVE_EVERY == 0:
                for i in range(0, stride, LANES):
                    store(seen_v, since // SAVE_EVERY * stride + i, load(v, i))
        for i in range(0, stride, LANES):
            V = load(v, i)
            M = mismatch(rows, i, stride, B0)
            if edge is not None:
                M = M | E0
            X = H0 | (V & M)
            H0 = V & (H0 | ~M)
            M = mismatch(rows, i, stride, B1)
            if edge is not None:
                M = M | E1
            V = H1 | (X & M)
            H1 = X & (H1 | ~M)
            store(v, i, V)
        group = t - (BITS - 1) - lo
        if group >= 0:
            _put(below, 0, group, top_bit(H0))
            _put(below, 1, group, top_bit(H1))
    store(h, 0, H0)
    store(h, LANES, H1)
