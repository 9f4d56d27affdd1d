"""Inputs too small for vectors: one machine word of rows at a time, every column kept.

The column step is paper 1's, section 2.4, word by word with the carry handed on; the walk back is that of
``core.kernels.lcs.trace``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.kernels.lcs.trace import DELETION, EQUAL, INSERTION
from core.simd import WORD, ones


@njit(nogil=True, cache=True)
def small_columns(a: Letters, b: Letters, keep: bool) -> Words:
    """Return V after every column, uint64, shape (columns, words); after the last one only if not ``keep``.

    ``a`` and ``b`` are dense codes, neither empty. A zero bit is a row where the LCS grows.
    """
    n_words = (a.size + WORD - 1) // WORD
    highest = 0
    for i in range(a.size):
        highest = max(highest, a[i])
    for j in range(b.size):
        highest = max(highest, b[j])
    masks = np.zeros((highest + 1, n_words), np.uint64)
    for i in range(a.size):
        masks[a[i], i // WORD] |= np.uint64(1) << np.uint64(i % WORD)
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
    v = small_columns(a, b, False)[0]
    total = 0
    for w in range(v.size):
        rows = min(WORD, a.size - w * WORD)
        total += ones(~v[w] & ((np.uint64(1) << np.uint64(rows)) - np.uint64(1) if rows < WORD else ~np.uint64(0)))
    return total


@njit(nogil=True, cache=True)
def small_path(a: Letters, b: Letters) -> tuple[Letters, Counts]:
    """Return the runs (operations, lengths) of the alignment of two sequences of dense codes, last column first."""
    ops, lengths = np.empty(a.size + b.size, np.uint8), np.empty(a.size + b.size, np.int64)
    i, j, runs, last = a.size, b.size, 0, -1
    seen = small_columns(a, b, True) if i and j else np.empty((0, 0), np.uint64)
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
        elif (seen[j - 1, (i - 1) // WORD] >> np.uint64((i - 1) % WORD)) & np.uint64(1):
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
