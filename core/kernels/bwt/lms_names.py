"""Names of LMS substrings, the shorter text made of them, and the way back.

A name is the 1-based rank of the substring; where only one suffix has it, it is stored negative, for that suffix needs
no further sorting. The shorter text drops every unique name that does not end a stretch of others: two suffixes are
never compared beyond one.
"""

from __future__ import annotations

import numpy as np

from core.base.arrays import Counts
from core.jit.decorators import jit, jit_callee
from core.jit.unaligned import load_u64
from core.kernels.bwt.prefetch import PREFETCH_STEPS, prefetch_line
from core.kernels.bwt.suffix_types import Positions, Text


@jit_callee
def alike_letters(T: Text, p: int, q: int, size: int, a_word: int, bits: int) -> bool:
    """Return whether ``size`` letters at p and at q are equal, a word at a time where the text does not end."""
    k = 0
    while size - k >= a_word or (size > k and max(p, q) + k + a_word <= T.size):
        differs = load_u64(T, p + k) ^ load_u64(T, q + k)
        if size - k < a_word:
            differs <<= np.uint64((a_word - size + k) * bits)
        if differs != 0:
            return False
        k += a_word
    while k < size and T[p + k] == T[q + k]:
        k += 1
    return k >= size


@jit
def name_lms(T: Text, SA: Positions, m: int, lo: int, hi: int, state: Counts, first: Positions) -> None:
    """Name the LMS substrings ``SA[lo:hi]``; the name of p replaces its length at ``SA[m + p // 2]``.

    Args:
        SA: the LMS suffixes by their substrings up to ``m``, then the lengths.
        state: the substring before: position, length, its name, how many have it.
        first: int32: place among the LMS suffixes of the first with each name; filled.
    """
    n, a_word, bits = T.size, 8 // T.itemsize, 8 * T.itemsize
    q, q_size, name, alike = state[0], state[1], state[2], state[3]
    for i in range(lo, hi):
        ahead = SA[min(i + PREFETCH_STEPS, m - 1)]
        prefetch_line(T, ahead)
        prefetch_line(SA, m + (ahead >> 1))
        p = np.int64(SA[i])
        size = np.int64(SA[m + (p >> 1)])
        if size == q_size and q + size < n and alike_letters(T, p, q, size, a_word, bits):
            if alike == 1:
                SA[m + (q >> 1)] = name
            alike += 1
            SA[m + (p >> 1)] = name
        else:
            name += 1
            alike = 1
            first[name] = i
            SA[m + (p >> 1)] = -name
            q, q_size = p, size
    state[0], state[1], state[2], state[3] = q, q_size, name, alike


@jit
def gather_names(SA: Positions, lo: int, hi: int, r: int, out: Positions) -> int:
    """Write the names in ``SA[lo:hi]`` to ``out`` from place ``r`` on (and one place more); return the place after."""
    for i in range(lo, hi):
        name = SA[i]
        out[r] = name  # kept only if it is one: a branch would be guessed wrong too often
        r += name != 0
    return r


@jit
def shorten(R: Positions, lo: int, hi: int, q: int, out: Positions) -> int:
    """Write what is kept of ``R[lo:hi]``, names from 0, to ``out`` from place ``q`` on; return the place after."""
    for r in range(lo, hi):
        name = R[r]
        if name > 0:
            out[q] = name - 1
            q += 1
        elif r > 0 and R[r - 1] > 0:
            out[q] = -name - 1
            q += 1
    return q


@jit
def merge(SA: Positions, places: Positions, lo: int, hi: int, at: int, out: Positions) -> int:
    """Put the suffixes that the shorter text ordered in ``SA[lo:hi]`` where ``out`` is still empty (-1).

    Args:
        places: position in the text of each letter of the shorter one; ``~`` of it where the name is unique.
        at: place in ``out`` from which on to look; returned for the next call.
    """
    last = SA.size - 1
    for i in range(lo, hi):
        prefetch_line(places, SA[min(i + PREFETCH_STEPS, last)])
        p = places[SA[i]]
        if p >= 0:
            while out[at] >= 0:
                at += 1
            out[at] = p
            at += 1
    return at
