"""Types of suffixes, and the LMS suffixes among them: scans of the text from right to left.

A suffix is of type S when it is smaller than the one after it, else of type L; ``$``, which is not stored, is smaller
than every letter, so the last suffix is of type L. A suffix of type S after one of type L is *leftmost S* (LMS).

Every function scans ``T[lo:hi]``; ``state`` (int64) is carried to the call for the letters before: the letter at
``hi`` (-1 for ``$``), whether its suffix is of type S, LMS suffixes seen, and a place of the function's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts
from core.kernels.bwt.fetch import AHEAD, fetch

Places = npt.NDArray[np.int32]  # positions in a text below 2^31 letters
Text = npt.NDArray[Any]  # uint8, or int32 where it is made of names


def at_end() -> Counts:
    """Return the state with which a scan begins: nothing but ``$`` was seen."""
    return np.array([-1, 0, 0, 0], np.int64)


@njit(nogil=True, cache=True)
def count_types(T: Text, lo: int, hi: int, state: Counts, counts: Places, lms_counts: Places) -> None:
    """Count every letter, and every letter that an LMS suffix begins with."""
    c1, s1, m = state[0], state[1], state[2]
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        counts[c0] += 1
        if s1 > s0:
            lms_counts[c1] += 1
            m += 1
        c1, s1 = c0, s0
    state[0], state[1], state[2] = c1, s1, m


@njit(nogil=True, cache=True)
def place_lms(T: Text, lo: int, hi: int, state: Counts, SA: Places, ends: Places) -> None:
    """Put the letter before every LMS suffix at the end of the bucket of its first letter."""
    c1, s1 = state[0], state[1]
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        if s1 > s0:
            b = ends[c1] - 1
            ends[c1] = b
            SA[b] = i
        c1, s1 = c0, s0
    state[0], state[1] = c1, s1


@njit(nogil=True, cache=True)
def write_lengths(T: Text, lo: int, hi: int, state: Counts, out: Places) -> None:
    """Write the length of the LMS substring at p, to the next LMS suffix inclusive, to ``out[p // 2]``."""
    c1, s1, following = state[0], state[1], state[3]
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        if s1 > s0:
            out[(i + 1) >> 1] = following - i
            following = i + 1
        c1, s1 = c0, s0
    state[0], state[1], state[3] = c1, s1, following


@njit(nogil=True, cache=True)
def place_names(T: Text, lo: int, hi: int, state: Counts, R: Places, kept: int, first: Places, out: Places) -> None:
    """Turn the names ``R`` (see ``names``) of all LMS suffixes into positions, from the last suffix to the first.

    A unique one gets its place in ``out``; the position of the k-th of the ``kept`` ones replaces ``R[m - kept + k]``.
    """
    c1, s1, r, q = state[0], state[1], state[2], state[3]
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        if s1 > s0:
            r -= 1
            name = R[r]
            if name < 0:
                out[first[-name]] = i + 1
            if name > 0 or (r > 0 and R[r - 1] > 0):
                q -= 1
                R[R.size - kept + q] = i + 1
        c1, s1 = c0, s0
    state[0], state[1], state[2], state[3] = c1, s1, r, q


@njit(nogil=True, cache=True)
def letters_before(T: Text, SA: Places, lo: int, hi: int, whole: int, out: Text) -> int:
    """Write the letter before each suffix ``SA[lo:hi]`` to ``out`` as the last column has it, without ``$``.

    Args:
        whole: place of the whole text in SA if met before ``lo``, else -1; returned.
        out: uint8, shape (n,): ``out[0]`` is the last letter of the text and left alone.
    """
    last = SA.size - 1
    for i in range(lo, hi):
        fetch(T, max(SA[min(i + AHEAD, last)] - 1, 0))
        j = SA[i]
        if j == 0:
            whole = i
        else:
            out[i + 1 if whole < 0 else i] = T[j - 1]
    return whole


@njit(nogil=True, cache=True)
def count_runs(letters: Text, lo: int, hi: int) -> int:
    """Return how many of the letters ``lo`` to ``hi`` differ from the one before; the very first does."""
    runs = 0
    for i in range(max(lo, 1), hi):
        runs += letters[i] != letters[i - 1]
    return runs + (lo == 0 and hi > 0)
