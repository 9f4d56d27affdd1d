"""Inputs too small for vectors: one machine word of rows at a time, every column kept.

The column step is paper 1's, section 2.4, word by word with the carry handed on.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.bits import ones_before
from core.kernels.blocks.walk import match_masks, walk_columns
from core.simd import WORD


@njit(nogil=True, cache=True)
def _columns(a: Letters, b: Letters, keep: bool) -> Words:
    """Return V after every column, uint64, shape (columns, words); after the last one only if not ``keep``.

    ``a`` and ``b`` are dense codes, neither empty. A zero bit is a row where the LCS grows.
    """
    masks = match_masks(a, b)
    n_words = masks.shape[1]
    v = np.full(n_words, ~np.uint64(0))
    seen = np.empty((b.size if keep else 1, n_words), np.uint64)
    for j in range(b.size):
        carry = np.uint64(0)
        match = masks[b[j]]
        for w in range(n_words):
            both = v[w] & match[w]
            total = v[w] + both
            over = total < both
            total += carry
            carry = np.uint64(over | (total < carry))
            v[w] = total | (v[w] & ~match[w])
        if keep:
            seen[j] = v
    if not keep:
        seen[0] = v
    return seen


@njit(nogil=True, cache=True)
def small_length(a: Letters, b: Letters) -> int:
    """Return the length of the LCS of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return 0
    return int(a.size - ones_before(_columns(a, b, False)[0], a.size))


@njit(nogil=True, cache=True)
def small_profile(a: Letters, b: Letters) -> Counts:
    """Return the LCS of the first i letters of ``a`` with all of ``b``, int64, shape (a.size + 1,); dense codes."""
    out = np.zeros(a.size + 1, np.int64)
    if a.size and b.size:
        v = _columns(a, b, False)[0]
        for i in range(a.size):
            out[i + 1] = out[i] + 1 - np.int64(v[i // WORD] >> np.uint64(i % WORD) & np.uint64(1))
    return out


@njit(nogil=True, cache=True)
def small_path(a: Letters, b: Letters) -> tuple[Letters, Counts]:
    """Return the runs (operations, lengths) of the alignment of two sequences of dense codes, last column first."""
    ops, lengths = np.empty(a.size + b.size, np.uint8), np.empty(a.size + b.size, np.int64)
    seen = _columns(a, b, True) if a.size and b.size else np.empty((0, 0), np.uint64)
    runs = walk_columns((0,), a, b, seen.reshape(1, seen.size), ops, lengths)
    return ops[:runs], lengths[:runs]
