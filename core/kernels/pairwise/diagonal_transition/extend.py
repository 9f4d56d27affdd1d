"""Extension along a diagonal over equal letters, first one word at a time, then sixty-four letters at a time."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.simd import leading_zeros, trailing_zeros
from wavediff.core.jit.unaligned import letter_shift, letters_of_word, load_u64


@jit_callee_no_nrt
def _differ(a, b, i, j):  # type: ignore[no-untyped-def]
    """Return whether any of 64 letters differs."""
    bits = np.uint64(0)
    for k in range(0, 64, letters_of_word(a)):
        bits |= load_u64(a, i + k) ^ load_u64(b, j + k)
    return bits != 0


@jit_callee_no_nrt
def _slide_far(a, b, i, j):  # type: ignore[no-untyped-def]
    """Continue ``extend_matches`` after an equal word, or near an end (rare, out of line)."""
    n, m, step = a.size, b.size, letters_of_word(a)
    while i + 64 <= n and j + 64 <= m and not _differ(a, b, i, j):
        i += 64
        j += 64
    while i + step <= n and j + step <= m:
        differs = load_u64(a, i) ^ load_u64(b, j)
        if differs != 0:
            return i + (trailing_zeros(differs) >> letter_shift(a))
        i += step
        j += step
    while i < n and j < m and a[i] == b[j]:
        i += 1
        j += 1
    return i


@jit_no_nrt
def extend_matches(a: Letters, b: Letters, i: int, j: int) -> int:
    """Return the end in A of the equal run starting at (i, j)."""
    step = letters_of_word(a)
    if i + step <= a.size and j + step <= b.size:
        differs = load_u64(a, i) ^ load_u64(b, j)
        if differs != 0:
            return int(i + (trailing_zeros(differs) >> letter_shift(a)))
    return int(_slide_far(a, b, i, j))


@jit_no_nrt
def extend_matches_back(a: Letters, b: Letters, i: int, j: int, top: int) -> int:
    """Return the start in A (not before ``top``) of the equal run ending at (i, j)."""
    while i - 64 >= top and j >= 64 and not _differ(a, b, i - 64, j - 64):
        i -= 64
        j -= 64
    step = letters_of_word(a)
    while i - step >= top and j >= step:
        differs = load_u64(a, i - step) ^ load_u64(b, j - step)
        if differs != 0:
            return int(i - (leading_zeros(differs) >> letter_shift(a)))
        i -= step
        j -= step
    while i > top and j > 0 and a[i - 1] == b[j - 1]:
        i -= 1
        j -= 1
    return i


@jit_callee_no_nrt
def slide(a, b, i, k):  # type: ignore[no-untyped-def]
    """Return the end of the equal run from row ``i`` (>= 0) of diagonal ``k``; its length if it exceeded one word."""
    edge = min(a.size, b.size - k)
    if i <= edge - letters_of_word(a):
        differs = load_u64(a, i) ^ load_u64(b, i + k)
        if differs != 0:
            return i + (trailing_zeros(differs) >> letter_shift(a)), np.int64(0)
    start = max(min(i, edge), -1)  # beyond the last diagonal there is no row
    end = np.int64(extend_matches(a, b, start, start + k))
    return end, end - start
