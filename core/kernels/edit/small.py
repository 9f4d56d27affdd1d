"""Inputs too small for vectors: Myers' column step, every column kept for the path."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters, Words
from core.kernels.edit.trace import DELETION, EQUAL, INSERTION, MISMATCH
from core.simd import WORD

ONE = np.uint64(1)


@njit(nogil=True, cache=True)
def _columns(a: Letters, b: Letters, ups: Words, zeros: Words) -> int:
    """Return the distance; keep VP and D0 of every column in ``ups`` and ``zeros`` (columns, words) unless empty.

    ``a`` and ``b`` are dense codes, neither empty.
    """
    n_words = (a.size + WORD - 1) // WORD
    highest = 0
    for i in range(a.size):
        highest = max(highest, a[i])
    for j in range(b.size):
        highest = max(highest, b[j])
    masks = np.zeros((highest + 1, n_words), np.uint64)
    for i in range(a.size):
        masks[a[i], i // WORD] |= ONE << np.uint64(i % WORD)
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
            if ups.size:
                ups[j, w] = vps[w]
                zeros[j, w] = d0
    return distance


@njit(nogil=True, cache=True)
def small_distance(a: Letters, b: Letters) -> int:
    """Return the edit distance of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return max(a.size, b.size)
    nothing = np.empty((0, 0), np.uint64)
    return int(_columns(a, b, nothing, nothing))


@njit(nogil=True, cache=True)
def small_edit_path(a: Letters, b: Letters) -> tuple[npt.NDArray[np.uint8], Counts]:
    """Return the runs (operations, lengths) of the alignment of two sequences of dense codes, last column first."""
    ops, lengths = np.empty(a.size + b.size, np.uint8), np.empty(a.size + b.size, np.int64)
    shape = (b.size, (a.size + WORD - 1) // WORD)
    ups, zeros = np.empty(shape, np.uint64), np.empty(shape, np.uint64)
    if a.size and b.size:
        _columns(a, b, ups, zeros)
    i, j, runs, last = a.size, b.size, 0, -1
    while i > 0 or j > 0:
        n = 1
        if j == 0:
            op, n = DELETION, i
            i = 0
        elif i == 0:
            op, n = INSERTION, j
            j = 0
        elif a[i - 1] == b[j - 1]:
            op = EQUAL
            i -= 1
            j -= 1
        else:
            w, place = (i - 1) // WORD, np.uint64((i - 1) % WORD)
            if not (zeros[j - 1, w] >> place) & ONE:
                op = MISMATCH
                i -= 1
                j -= 1
            elif (ups[j - 1, w] >> place) & ONE:
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
    return ops[:runs], lengths[:runs]
