"""Induced sorting: from sorted LMS suffixes to all suffixes, by a forward and a backward scan.

Places in SA, as in Mori's sais: 0 is empty; a negative entry ``~j`` waits for the other scan. Every function scans
``SA[lo:hi]`` and carries the heads or ends of the buckets in ``heads`` / ``ends``. Random access is prefetched.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit
from wavediff.core.jit.unaligned import PREFETCH_STEPS, prefetch_line
from wavediff.core.kernels.bwt.sort.suffix_types import Positions, Text


@jit
def spread_lms(SA: Positions, out: Positions, lo: int, hi: int, c: int, first: Positions, bounds: Positions) -> None:
    """Move the sorted LMS suffixes ``out[lo:hi]`` to the ends of their buckets.

    Args:
        c: first letter of the first LMS suffix.
        first: shape (letters + 1,): LMS suffixes that begin with a smaller letter.
        bounds: shape (letters + 1,): suffixes that begin with a smaller letter.
    """
    for i in range(lo, hi):
        while i >= first[c + 1]:
            c += 1
        SA[bounds[c + 1] - first[c + 1] + i] = out[i]


@jit
def order_l(T: Text, SA: Positions, lo: int, hi: int, heads: Positions) -> None:
    """Forward scan: induce the L suffixes."""
    last = SA.size - 1
    for i in range(lo, hi):
        prefetch_line(T, max(SA[min(i + PREFETCH_STEPS, last)] - 2, 0))
        j = SA[i]
        SA[i] = ~j
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            b = heads[c]
            heads[c] = b + 1
            SA[np.uint64(b)] = ~j if j > 0 and T[np.uint64(j - 1)] < c else j


@jit
def order_s(T: Text, SA: Positions, lo: int, hi: int, ends: Positions) -> None:
    """Backward scan: induce the S suffixes; SA is then the suffix array."""
    for i in range(hi - 1, lo - 1, -1):
        prefetch_line(T, max(SA[max(i - PREFETCH_STEPS, 0)] - 2, 0))
        j = SA[i]
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            b = ends[c] - 1
            ends[c] = b
            SA[np.uint64(b)] = ~j if j == 0 or T[np.uint64(j - 1)] > c else j
        else:
            SA[i] = ~j


@jit
def letters_l(T: Text, SA: Positions, lo: int, hi: int, heads: Positions) -> None:
    """Like ``order_l``, but used entries become ``~`` the preceding letter."""
    last = SA.size - 1
    for i in range(lo, hi):
        prefetch_line(T, max(SA[min(i + PREFETCH_STEPS, last)] - 2, 0))
        j = SA[i]
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            SA[i] = ~np.int32(c)
            b = heads[c]
            heads[c] = b + 1
            SA[np.uint64(b)] = ~j if j > 0 and T[np.uint64(j - 1)] < c else j
        elif j < 0:
            SA[i] = ~j


@jit
def letters_s(T: Text, SA: Positions, lo: int, hi: int, ends: Positions, whole: int) -> int:
    """Like ``order_s``, but SA becomes the preceding letters; return the place of the whole text if reached."""
    for i in range(hi - 1, lo - 1, -1):
        prefetch_line(T, max(SA[max(i - PREFETCH_STEPS, 0)] - 2, 0))
        j = SA[i]
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            SA[i] = c
            b = ends[c] - 1
            ends[c] = b
            before = T[np.uint64(max(j - 1, 0))]
            SA[np.uint64(b)] = ~np.int32(before) if j > 0 and before > c else j
        elif j < 0:
            SA[i] = ~j
        else:
            whole = i
    return whole
