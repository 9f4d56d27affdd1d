"""The length of an LCS as a plain call, for many short pairs: no job, no events, one compiled function."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Letters, freeze
from core.jobs import LcsJob, PathMethod
from core.kernels.lcs.run import run
from core.simd import WORD, ones

SHORT_CELLS = 1 << 24


def lcs_length(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the length of the LCS of two uint8 arrays, letters compared as bytes."""
    if a.size * b.size <= SHORT_CELLS:
        return int(_short(a, b) if a.size <= b.size else _short(b, a))
    steps = run(LcsJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads))
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return int(end.value.length)


@njit(nogil=True, cache=True)
def _short(a: Letters, b: Letters) -> int:
    """Paper 1's column step, word by word; ``a`` is the shorter one."""
    n_words = (a.size + WORD - 1) // WORD
    match = np.zeros((256, n_words), np.uint64)
    for i in range(a.size):
        match[a[i], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    v = np.full(n_words, ~np.uint64(0))
    for j in range(b.size):
        carry = np.uint64(0)
        letter = b[j]
        for w in range(n_words):
            word = v[w]
            both = word & match[letter, w]
            total = word + both + carry
            carry = (word & both) | ((word | both) & ~total)  # carry out of the top bit
            carry >>= np.uint64(63)
            v[w] = total | (word ^ both)
    length = 0
    for w in range(n_words):
        rows = min(WORD, a.size - w * WORD)
        length += ones(~v[w] & (~np.uint64(0) >> np.uint64(WORD - rows)))
    return length
