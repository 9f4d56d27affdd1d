"""Suffix types and LMS suffixes, by right-to-left scans of the text.

A suffix is of type S if it is smaller than the next one, else of type L. ``$`` is not stored and smaller than every
letter, so the last suffix is of type L. A suffix of type S after one of type L is *leftmost S* (LMS).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.unaligned import PREFETCH_STEPS, prefetch_line

Positions = npt.NDArray[Any]  # int32, or int64 in a text of more than ``MAX_INT32_LETTERS``
Text = npt.NDArray[Any]  # uint8, or int32 where it is made of names

MAX_INT32_LETTERS = (1 << 31) - 2  # whose rows are numbered in 31 bits


def position_type(n: int) -> type[np.int32 | np.int64]:
    """Return the type of positions in a text of ``n`` letters."""
    return np.int32 if n <= MAX_INT32_LETTERS else np.int64


def at_end() -> Counts:
    """Return the initial state of a scan: only ``$`` seen."""
    return np.array([-1, 0, 0], np.int64)


def states_at(T: Text, bounds: list[int]) -> list[Counts]:
    """Return the scan states at each of ``bounds`` (descending; the first is the end)."""
    states, is_small = [at_end()], False
    for after, at in pairwise(bounds):
        last = after == T.size
        is_small = bool(is_smaller(T, at, after - last, False if last else is_small))
        states.append(np.array([T[at], is_small, 0], np.int64))
    return states


@jit
def find_lms(T: Text, lo: int, hi: int, state: Counts, lms: Positions) -> None:
    """List the LMS suffixes that start in (lo, hi], from right to left.

    Args:
        state: input and output, from one call to the next: the letter at ``hi`` (-1 for ``$``), 1 if its suffix is of
            type S, number of suffixes listed.
        lms: int32 or int64, output, with one spare entry.
    """
    c1, s1, m = state[0], state[1], state[2]
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        lms[m] = i + 1  # kept only if it is one: a branch would be guessed wrong too often
        m += s1 & ~s0
        c1, s1 = c0, s0
    state[0], state[1], state[2] = c1, s1, m


@jit
def count_lms(T: Text, lo: int, hi: int, state: Counts) -> int:
    """Count the LMS suffixes that start in (lo, hi]; ``state`` as for ``find_lms``, unchanged."""
    c1, s1, m = state[0], state[1], 0
    for i in range(hi - 1, lo - 1, -1):
        c0 = np.int64(T[i])
        s0 = np.int64(c0 < c1) | (np.int64(c0 == c1) & s1)
        m += s1 & ~s0
        c1, s1 = c0, s0
    return m


@jit
def is_smaller(T: Text, i: int, stop: int, stop_is: bool) -> bool:
    """Return whether suffix ``i`` is of type S, given the type of suffix ``stop``."""
    while i < stop:
        if T[i] != T[i + 1]:
            return T[i] < T[i + 1]  # type: ignore[no-any-return]
        i += 1
    return stop_is


@jit
def letters_before(T: Text, SA: Positions, lo: int, hi: int, whole: int, out: Text) -> int:
    """Write the letters before ``SA[lo:hi]`` to ``out`` as the last column without ``$``; return the updated ``whole``.

    Args:
        whole: row of the whole text in SA if below ``lo``, else -1.
        out: uint8, shape (n,): ``out[0]``, the last letter of the text, is not changed.
    """
    last = SA.size - 1
    for i in range(lo, hi):
        prefetch_line(T, max(SA[min(i + PREFETCH_STEPS, last)] - 1, 0))
        j = SA[i]
        if j == 0:
            whole = i
        else:
            out[i + 1 if whole < 0 else i] = T[j - 1]
    return whole


@jit
def count_runs(letters: Text, lo: int, hi: int) -> int:
    """Return the number of run starts in letters ``lo`` to ``hi``."""
    runs = 0
    for i in range(max(lo, 1), hi):
        runs += letters[i] != letters[i - 1]
    return runs + (lo == 0 and hi > 0)
