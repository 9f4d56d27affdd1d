"""Inputs too small for vectors: Myers' column step, every column kept for the path."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.kernels.blocks.walk import match_masks, walk_columns
from core.simd import WORD

ONE = np.uint64(1)


@njit(nogil=True, cache=True)
def _columns(a: Letters, b: Letters, seen: Words) -> int:
    """Return the distance; keep VP and D0 of every column in ``seen``, shape (2, columns * words), unless empty.

    ``a`` and ``b`` are dense codes, neither empty.
    """
    masks = match_masks(a, b)
    n_words = masks.shape[1]
    vps, vns = np.full(n_words, ~np.uint64(0)), np.zeros(n_words, np.uint64)
    last = np.uint64((a.size - 1) % WORD)
    distance = a.size
    for j in range(b.size):
        up, down = ONE, np.uint64(0)  # of the row above: one more a column
        match = masks[b[j]]
        for w in range(n_words):
            vp, vn, equal = vps[w], vns[w], match[w]
            xv = equal | vn
            equal |= down
            d0 = (((equal & vp) + vp) ^ vp) | equal | vn
            hp = vn | ~(d0 | vp)
            hn = d0 & vp
            if w == n_words - 1:
                distance += int((hp >> last) & ONE) - int((hn >> last) & ONE)
            top_up, top_down = hp >> np.uint64(63), hn >> np.uint64(63)
            hp = (hp << ONE) | up
            hn = (hn << ONE) | down
            up, down = top_up, top_down
            vps[w] = hn | ~(xv | hp)
            vns[w] = hp & xv
            if seen.size:
                seen[0, j * n_words + w] = vps[w]
                seen[1, j * n_words + w] = d0
    return distance


@njit(nogil=True, cache=True)
def small_distance(a: Letters, b: Letters) -> int:
    """Return the edit distance of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return max(a.size, b.size)
    return int(_columns(a, b, np.empty((2, 0), np.uint64)))


@njit(nogil=True, cache=True)
def small_edit_path(a: Letters, b: Letters) -> tuple[Letters, Counts]:
    """Return the runs (operations, lengths) of the alignment of two sequences of dense codes, last column first."""
    ops, lengths = np.empty(a.size + b.size, np.uint8), np.empty(a.size + b.size, np.int64)
    seen = np.empty((2, b.size * ((a.size + WORD - 1) // WORD)), np.uint64)
    if a.size and b.size:
        _columns(a, b, seen)
    runs = walk_columns((0, 0), a, b, seen, ops, lengths)
    return ops[:runs], lengths[:runs]
