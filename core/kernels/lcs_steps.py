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

TOP = np.uint64(63)
SAVE_EVERY = 16  # steps between two states of the rows kept while tracing
EDGE_ZERO = 2 * BITS


def edge_stream() -> Words:
    """Return the bit stream whose bits above ``EDGE_ZERO`` are ones: a window of it masks one side."""
    words = np.zeros(5 * LANES + 2, np.uint64)
    words[EDGE_ZERO // 64 + 1 :] = ~np.uint64(0)
    words[EDGE_ZERO // 64] = ~np.uint64(1)
    return words


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _carry(border, base, words, c, group):  # type: ignore[no-untyped-def]
    """Bit of column c of ``group`` in a packed row border, moved to bit 63."""
    return (border[base + c * words + (group >> 6)] >> np.uint64(group & 63)) << TOP


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _put(border, base, words, c, group, bit):  # type: ignore[no-untyped-def]
    at = base + c * words + (group >> 6)
    place = np.uint64(group & 63)
    if place == 0:
        border[at] = bit
    else:
        border[at] |= bit << place


@njit(nogil=True, cache=True, error_model="numpy")
def inner_steps(rows, depth, v, h, columns, words, n_planes, groups, border, cin, cin_words, cin_lo, cout, cout_words, cout_lo, t0, t1, planes):  # type: ignore[no-untyped-def]
    """Steps ``t0 <= t < t1`` in which every stripe is inside the matrix.

    Args:
        rows, columns: bit planes, see ``core.bits``; ``words`` a column stream, ``n_planes`` of them a column.
        v: uint64, shape (depth * LANES,); h: uint64, shape (COLUMNS * LANES,): state, updated.
        border: uint64, all row borders; ``cin``/``cout`` the first word of the one above/below,
            ``*_words`` words of each of its streams, ``*_lo`` the group of its first bit.
        planes: a tuple as long as the planes to compare; the letters met must not need more.
    """
    stride = depth * LANES
    H0, H1 = load(h, 0), load(h, LANES)
    for t in range(t0, t1):
        bit = groups + BITS - t
        B0 = windows(columns, words, bit, planes)
        B1 = windows(columns, words, bit + n_planes * words * 64, planes)
        H0 = shift_in(H0, _carry(border, cin, cin_words, 0, t - cin_lo))
        H1 = shift_in(H1, _carry(border, cin, cin_words, 1, t - cin_lo))
        for i in range(0, stride, LANES):
            V = load(v, i)
            M = mismatch(rows, i, stride, B0)
            X = H0 | (V & M)
            H0 = V & (H0 | ~M)
            M = mismatch(rows, i, stride, B1)
            V = H1 | (X & M)
            H1 = X & (H1 | ~M)
            store(v, i, V)
        _put(border, cout, cout_words, 0, t - (BITS - 1) - cout_lo, top_bit(H0))
        _put(border, cout, cout_words, 1, t - (BITS - 1) - cout_lo, top_bit(H1))
    store(h, 0, H0)
    store(h, LANES, H1)


@njit(nogil=True, cache=True, error_model="numpy")
def edge_steps(rows, depth, v, h, columns, words, n_planes, groups, border, cin, cin_words, cin_lo, cout, cout_words, cout_lo, t0, t1, planes, lo, hi0, hi1, edge, seen_v, seen_h):  # type: ignore[no-untyped-def]
    """The same for any steps: stripes outside ``lo <= group < hi`` are held.

    Args:
        hi0, hi1: end of the groups whose column 0, column 1 exists.
        edge: ``edge_stream()``.
        seen_v, seen_h: uint64; where ``seen_h`` is not empty, ``h`` as it enters each step is written there
            (step t at ``(t - t0) * COLUMNS * LANES``) and ``v`` before every ``SAVE_EVERY``-th step.
    """
    stride = depth * LANES
    H0, H1 = load(h, 0), load(h, LANES)
    for t in range(t0, t1):
        bit = groups + BITS - t
        B0 = windows(columns, words, bit, planes)
        B1 = windows(columns, words, bit + n_planes * words * 64, planes)
        left = window(edge, EDGE_ZERO - min(t - lo, BITS))
        E0 = left | ~window(edge, EDGE_ZERO - max(t - hi0, -1))
        E1 = left | ~window(edge, EDGE_ZERO - max(t - hi1, -1))
        c0 = _carry(border, cin, cin_words, 0, t - cin_lo) if t < hi0 else np.uint64(0)
        c1 = _carry(border, cin, cin_words, 1, t - cin_lo) if t < hi1 else np.uint64(0)
        H0 = shift_in(H0, c0)
        H1 = shift_in(H1, c1)
        if seen_h.size:
            store(seen_h, (t - t0) * COLUMNS * LANES, H0)
            store(seen_h, (t - t0) * COLUMNS * LANES + LANES, H1)
            if (t - t0) % SAVE_EVERY == 0:
                kept = (t - t0) // SAVE_EVERY * stride
                for i in range(0, stride, LANES):
                    store(seen_v, kept + i, load(v, i))
        for i in range(0, stride, LANES):
            V = load(v, i)
            M = mismatch(rows, i, stride, B0) | E0
            X = H0 | (V & M)
            H0 = V & (H0 | ~M)
            M = mismatch(rows, i, stride, B1) | E1
            V = H1 | (X & M)
            H1 = X & (H1 | ~M)
            store(v, i, V)
        group = t - (BITS - 1)
        if group >= lo:
            _put(border, cout, cout_words, 0, group - cout_lo, top_bit(H0))
            _put(border, cout, cout_words, 1, group - cout_lo, top_bit(H1))
    store(h, 0, H0)
    store(h, LANES, H1)
