"""The length of an LCS as a plain call, for many short pairs: no job, no events, one compiled function."""

from __future__ import annotations

import numpy as np
from numba import njit

from core import bits
from core.arrays import Letters, freeze
from core.jobs import LcsJob, PathMethod
from core.kernels.inner import inner
from core.kernels.lcs.run import run
from core.kernels.steps import returned
from core.simd import WORD

SHORT_CELLS = 1 << 24
ONE = np.uint64(1)


def lcs_length(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the length of the LCS of two uint8 arrays, letters compared as bytes."""
    length: int = _short(a, b)
    if length < 0:
        job = LcsJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        length = returned(run(job)).length
    return length


@njit(nogil=True, cache=True)
def _short(a: Letters, b: Letters) -> int:
    """Return the length, -1 where there are too many cells: equal ends, then paper 1's column step, word by word."""
    prefix = bits.common_prefix(a, b)
    a, b = a[prefix:], b[prefix:]
    suffix = bits.common_suffix(a, b)
    a, b = a[: a.size - suffix], b[: b.size - suffix]
    if a.size > b.size:
        a, b = b, a
    if a.size == 0:
        return int(prefix + suffix)
    if a.size * b.size > SHORT_CELLS:
        return -1
    n_words = (a.size + WORD - 1) // WORD
    match = np.zeros((256, n_words), np.uint64)
    for i in range(a.size):
        match[a[i], i >> 6] |= ONE << np.uint64(i & 63)
    v = np.full(n_words, ~np.uint64(0))
    n = b.size - b.size % 4
    for j in range(0, n, 4):  # four columns at once: none waits for the carries of the one before
        m0, m1, m2, m3 = match[b[j]], match[b[j + 1]], match[b[j + 2]], match[b[j + 3]]
        c0 = c1 = c2 = c3 = np.uint64(0)
        for w in range(n_words):
            x, c0 = _step(v[w], m0[w], c0)
            x, c1 = _step(x, m1[w], c1)
            x, c2 = _step(x, m2[w], c2)
            x, c3 = _step(x, m3[w], c3)
            v[w] = x
    for j in range(n, b.size):
        m0 = match[b[j]]
        c0 = np.uint64(0)
        for w in range(n_words):
            v[w], c0 = _step(v[w], m0[w], c0)
    return int(prefix + suffix + a.size - bits.ones_before(v, a.size))


@inner
def _step(x, match, carry):  # type: ignore[no-untyped-def]
    """Return a word of rows after one more column, and the carry out of its top bit."""
    both = x & match
    total = x + both + carry
    return total | (x ^ both), (both | (x & ~total)) >> np.uint64(63)
