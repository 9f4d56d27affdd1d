"""The length of an LCS as a plain call, for many short pairs: no job, no events, one compiled function."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jobs import LcsJob, PathMethod
from core.kernels.ends import match_bytes, without_ends
from core.kernels.inner import inner
from core.kernels.lcs.run import run
from core.kernels.lcs.words import all_columns, step
from core.kernels.steps import returned
from core.simd import WORD, ones

SHORT_CELLS = 1 << 24
ONE = np.uint64(1)


def lcs_length(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the length of the LCS of two uint8 arrays, letters compared as bytes."""
    length: int = _short(a, b)
    if length < 0:
        job = LcsJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        length = returned(run(job)).length
    return length


# Not nogil: to let go of the interpreter's lock costs a short pair a tenth of its time, and this takes 0.2 ms at most.
@njit(cache=True)
def _short(a: Letters, b: Letters) -> int:
    """Return the length, -1 where there are too many cells: equal ends, then paper 1's column step, word by word."""
    a, b, common = without_ends(a, b)
    if a.size == 0:
        return int(common)
    if a.size * b.size > SHORT_CELLS:
        return -1
    if a.size <= WORD:
        return int(common + _one_word(a, b))
    if a.size <= 2 * WORD:
        return int(common + _two_words(a, b))
    v = np.full((a.size + WORD - 1) // WORD, ~np.uint64(0))
    all_columns(match_bytes(a), b, v)
    return int(common + a.size - ones_before(v, a.size))


@inner
def _one_word(a, b):  # type: ignore[no-untyped-def]
    match = np.zeros(256, np.uint64)
    for i in range(a.size):
        match[a[i]] |= ONE << np.uint64(i)
    x = ~np.uint64(0)
    for j in range(b.size):
        x, _ = step(x, match[b[j]], np.uint64(0))
    return ones(~x)  # rows there are not match nothing and stay as they are


@inner
def _two_words(a, b):  # type: ignore[no-untyped-def]
    match = match_bytes(a)
    x = y = ~np.uint64(0)
    for j in range(b.size):
        x, carry = step(x, match[b[j], 0], np.uint64(0))
        y, _ = step(y, match[b[j], 1], carry)
    return ones(~x) + ones(~y)
