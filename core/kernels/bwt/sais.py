"""Suffix order by induced sorting (SA-IS): linear in any text, in pieces that can be stopped.

Source: Nong, Zhang and Chan, two efficient algorithms for linear time suffix array construction (2011), with the
places of Mori's sais and unique names left out of the recursion as in libsais (Grebnov). Needs 4 bytes a letter for
the order, and up to 6 more while names are sorted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from core.base.arrays import Letters
from core.jit.bits import count_bytes
from core.jobs.events import Event, StepDone
from core.kernels.bwt import induce_scans, lms_names, suffix_types
from core.kernels.bwt.step_timer import FILL_PLACES, StepTimer, ranges, ranges_backwards
from core.kernels.bwt.suffix_types import Positions, Text


def last_column(text: Letters, pace: StepTimer) -> Generator[Event, None, tuple[Letters, int]]:
    """Return the last column, uint8, shape (n,), and the primary row of ``text`` (at least two letters)."""
    n = text.size
    whole = 0
    SA = np.empty(n, np.int32)
    heads, ends = yield from _up_to_stage_two(text, 256, SA, pace)
    for lo, hi in ranges(n):
        induce_scans.letters_l(text, SA, lo, hi, heads)
        yield from pace()
    for lo, hi in ranges_backwards(n):
        whole = induce_scans.letters_s(text, SA, lo, hi, ends, whole)
        yield from pace()
    last = np.empty(n, np.uint8)
    last[0] = text[-1]
    for lo, hi in ranges(n, FILL_PLACES):
        last[lo + 1 : min(hi, whole) + 1] = SA[lo : min(hi, whole)]
        lo = max(lo, whole + 1)
        last[lo:hi] = SA[lo:hi]
        yield from pace()
    return last, whole + 1


def with_suffixes(text: Letters, pace: StepTimer) -> Generator[Event, None, tuple[Letters, int, Positions]]:
    """Return the last column, the primary row, and the suffixes of all rows, int32, shape (n + 1,)."""
    suffixes = np.empty(text.size + 1, np.int32)
    suffixes[0] = text.size
    yield from suffix_order(text, 256, suffixes[1:], pace)
    last, primary = yield from last_column_of(text, suffixes, pace)
    return last, primary, suffixes


def last_column_of(text: Letters, suffixes: Positions, pace: StepTimer) -> Generator[Event, None, tuple[Letters, int]]:
    """Return the last column and the primary row of rows that begin with ``suffixes``."""
    last, whole = np.empty(text.size, np.uint8), -1
    last[:1] = text[-1:]
    for lo, hi in ranges(text.size):
        whole = suffix_types.letters_before(text, suffixes[1:], lo, hi, whole, last)
        yield from pace()
    return last, whole + 1


def suffix_order(T: Text, sigma: int, SA: Positions, pace: StepTimer) -> Generator[Event, None, None]:
    """Write the order of the suffixes of ``T`` (letters below ``sigma``) to ``SA``, int32, same shape."""
    n = T.size
    if n < 2:
        SA[:] = 0
        return
    heads, ends = yield from _up_to_stage_two(T, sigma, SA, pace)
    for lo, hi in ranges(n):
        induce_scans.order_l(T, SA, lo, hi, heads)
        yield from pace()
    for lo, hi in ranges_backwards(n):
        induce_scans.order_s(T, SA, lo, hi, ends)
        yield from pace()


def _up_to_stage_two(
    T: Text, sigma: int, SA: Positions, pace: StepTimer
) -> Generator[Event, None, tuple[Positions, Positions]]:
    """Sort the LMS suffixes, put them at the ends of their buckets and the last suffix at the head of its own.

    Returns:
        Heads (after the last suffix) and ends of the buckets, int32, shape (sigma,).
    """
    n = T.size
    counts, lms_counts = np.zeros(sigma, np.int32), np.zeros(sigma, np.int32)
    for lo, hi in ranges(n):
        if T.dtype == np.uint8:
            counts += count_bytes(T[lo:hi]).astype(np.int32)
        else:
            suffix_types.count_names(T, lo, hi, counts)
        yield from pace()
    state, room = suffix_types.at_end(), np.empty(n // 2 + 2, np.int32)  # only the pages that are written take memory
    for lo, hi in ranges_backwards(n):
        suffix_types.find_lms(T, lo, hi, state, room)
        yield from pace()
    lms = room[: int(state[2])]
    ends = np.cumsum(counts, dtype=np.int32)
    heads = (ends - counts).astype(np.int32)
    del counts
    lms = yield from _sorted_lms(T, SA, lms, heads, ends, lms_counts, pace)
    yield from _clear(SA, pace)
    first = np.zeros(sigma + 1, np.int32)
    np.cumsum(lms_counts, out=first[1:])
    del lms_counts
    c = 0
    for lo, hi in ranges(lms.size):
        c = induce_scans.spread_lms(SA, lms, lo, hi, c, first, ends)
        yield from pace()
    at = heads[T[n - 1]]
    heads[T[n - 1]] += 1
    SA[at] = ~(n - 1) if T[n - 2] < T[n - 1] else n - 1
    return heads, ends


def _clear(array: Positions, pace: StepTimer) -> Iterator[StepDone]:
    for lo, hi in ranges(array.size, FILL_PLACES):
        array[lo:hi] = 0
        yield from pace()


def _sorted_lms(
    T: Text, SA: Positions, lms: Positions, heads: Positions, ends: Positions, lms_counts: Positions, pace: StepTimer
) -> Generator[Event, None, Positions]:
    """Return the LMS suffixes in order, int32, and count their first letters; ``SA`` and ``lms`` are used up."""
    n, m = T.size, lms.size
    if m == 0:
        return lms
    yield from _clear(SA, pace)
    tails = ends.copy()
    for lo, hi in ranges(m):
        suffix_types.place_lms(T, lms, lo, hi, SA, tails, lms_counts)
        yield from pace()
    fronts = heads.copy()
    c = T[n - 1]
    SA[fronts[c]] = ~(n - 2) if T[n - 2] < c else n - 2
    fronts[c] += 1
    for lo, hi in ranges(n):
        induce_scans.sort_l(T, SA, lo, hi, fronts)
        yield from pace()
    tails = ends.copy()
    for lo, hi in ranges_backwards(n):
        induce_scans.sort_s(T, SA, lo, hi, tails)
        yield from pace()
    found = 0
    for lo, hi in ranges(n):
        found = induce_scans.gather_lms(SA, lo, hi, found)
        yield from pace()
    R, first, n_names = yield from _named(T, SA, lms, pace)
    if n_names == m:
        lms[:] = SA[:m]
        return lms
    kept = 0
    tail = SA[m:]
    for lo, hi in ranges(m):
        kept = lms_names.shorten(R, lo, hi, kept, tail)
        yield from pace()
    yield from suffix_order(tail[:kept], n_names, SA[:kept], pace)
    out, state = np.full(m, -1, np.int32), np.array([m - 1], np.int64)
    for lo, hi in ranges(m):
        suffix_types.place_names(lms, lo, hi, state, R, first, out)
        yield from pace()
    at = 0
    for lo, hi in ranges(kept):
        at = lms_names.merge(SA[:kept], R[m - kept :], lo, hi, at, out)
        yield from pace()
    return out


def _named(
    T: Text, SA: Positions, lms: Positions, pace: StepTimer
) -> Generator[Event, None, tuple[Positions, Positions, int]]:
    """Return the names of all LMS suffixes in the order of the text, where each name's suffixes begin, and how many."""
    n, m = T.size, lms.size
    yield from _clear(SA[m:], pace)
    for lo, hi in ranges(m):
        suffix_types.write_lengths(lms, lo, hi, n, SA[m:])
        yield from pace()
    first, run = np.empty(m + 1, np.int32), np.array([n, 0, 0, 0], np.int64)
    for lo, hi in ranges(m):
        lms_names.name_lms(T, SA, m, lo, hi, run, first)
        yield from pace()
    R, r = np.empty(m + 1, np.int32), 0
    if run[2] < m:
        for lo, hi in ranges(n - m):
            r = lms_names.gather_names(SA, m + lo, m + hi, r, R)
            yield from pace()
    return R[:m], first, int(run[2])
