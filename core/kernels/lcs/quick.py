"""The length of an LCS as a plain call, for many short pairs: no job, no events, one compiled function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jobs import LcsJob, PathMethod
from core.kernels.borrowed import entrance, side_by_side, zeros_here
from core.kernels.ends import match_bytes, without_ends
from core.kernels.inner import inner
from core.kernels.lcs.run import run
from core.kernels.lcs.words import all_columns
from core.kernels.steps import returned
from core.simd import WORD, ones

SHORT_CELLS = 1 << 24
ONE, ZERO = np.uint64(1), np.uint64(0)


def lcs_length(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the length of the LCS of two uint8 arrays, letters compared as bytes."""
    length = _enter(a, b)
    if length < 0:
        a, b = side_by_side(a), side_by_side(b)
        job = LcsJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        length = returned(run(job)).length
    return length


def _first(a: Letters, b: Letters) -> int:
    """Compile (or load) what is called from then on."""
    global _enter
    _enter = entrance(_short)
    return _enter(a, b)


_enter: Callable[[Letters, Letters], int] = _first


# Not nogil: to let go of the interpreter's lock costs a short pair a tenth of its time, and this takes 0.2 ms at most.
@njit(cache=True)
def _short(lent_a, lent_b):  # type: ignore[no-untyped-def]
    """Return the length, -1 where there are too many cells: equal ends, then paper 1's column step, word by word."""
    a, b, common = without_ends(lent_a, lent_b)
    if common < 0:
        return -1
    if a.size == 0:
        return int(common)
    if a.size <= WORD:
        return int(common + _one_word(a, b))
    if a.size * b.size > SHORT_CELLS:
        return -1
    if a.size <= 2 * WORD:
        return int(common + _two_words(a, b))
    v = np.full((a.size + WORD - 1) // WORD, ~ZERO)
    all_columns(match_bytes(a), b, v)
    return int(common + a.size - ones_before(v, a.size))


@inner
def _one_word(a, b):  # type: ignore[no-untyped-def]
    match = zeros_here((0,))
    for i in range(a.size):
        match[a[i]] |= ONE << np.uint64(i)
    x = ~ZERO
    for j in range(b.size):
        both = x & match[b[j]]
        x = (x + both) | (x ^ both)
    return ones(~x)  # rows there are not match nothing and stay as they are


@inner
def _two_words(a, b):  # type: ignore[no-untyped-def]
    low, high = zeros_here((0,)), zeros_here((0,))
    for i in range(WORD):
        low[a[i]] |= ONE << np.uint64(i)
    for i in range(WORD, a.size):
        high[a[i]] |= ONE << np.uint64(i - WORD)
    x = y = ~ZERO
    for j in range(b.size):
        both = x & low[b[j]]
        total = x + both
        carry = np.uint64(total < both)
        x = total | (x ^ both)
        both = y & high[b[j]]
        y = (y + both + carry) | (y ^ both)
    return ones(~x) + ones(~y)
