"""Suffix order by induced sorting (SA-IS): linear in any text, in pieces that can be stopped.

Source: Nong, Zhang and Chan, two efficient algorithms for linear time suffix array construction (2011), with the
places of Mori's sais and unique names left out of the recursion as in libsais (Grebnov). We depart from it where LMS
substrings get their names: see ``core.kernels.bwt.lms_names``.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from core.base.arrays import Letters, Words
from core.jit.bits import count_bytes
from core.jobs.events import Event
from core.kernels.bwt import induce_scans, lms_names, suffix_types
from core.kernels.bwt.scratch import Scratch
from core.kernels.bwt.step_timer import FILL_PLACES, SCAN_PLACES, StepTimer, ranges, ranges_backwards
from core.kernels.bwt.suffix_types import Positions, Text, position_type

SCRATCH_BYTES = 8  # a letter: LMS suffixes, names, the shorter text and its order, or the order of the text
LONG_SCRATCH_BYTES = 5  # a letter more where positions are int64


def last_column(text: Letters, pace: StepTimer) -> Generator[Event, None, tuple[Letters, int]]:
    """Return the last column, uint8, shape (n,), and the primary row of ``text`` (at least two letters)."""
    n = text.size
    whole = 0
    scratch = _scratch(n)
    SA = scratch.take(n, position_type(n))  # which is not used while the LMS suffixes are sorted
    heads, ends = yield from _up_to_stage_two(text, 256, SA, scratch, 0, pace)
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


def _scratch(n: int) -> Scratch:
    return Scratch((SCRATCH_BYTES + LONG_SCRATCH_BYTES * (position_type(n) is np.int64)) * n)


def with_suffixes(text: Letters, pace: StepTimer) -> Generator[Event, None, tuple[Letters, int, Positions]]:
    """Return the last column, the primary row, and the suffixes of all rows, shape (n + 1,)."""
    suffixes = np.empty(text.size + 1, position_type(text.size))
    suffixes[0] = text.size
    yield from suffix_order(text, 256, suffixes[1:], _scratch(text.size), pace)
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


def suffix_order(T: Text, sigma: int, SA: Positions, scratch: Scratch, pace: StepTimer) -> Generator[Event, None, None]:
    """Write the order of the suffixes of ``T`` (letters below ``sigma``) to ``SA``, of the same shape."""
    n = T.size
    if n < 2:
        SA[:] = 0
        return
    heads, ends = yield from _up_to_stage_two(T, sigma, SA, scratch, scratch.at, pace)
    for lo, hi in ranges(n):
        induce_scans.order_l(T, SA, lo, hi, heads)
        yield from pace()
    for lo, hi in ranges_backwards(n):
        induce_scans.order_s(T, SA, lo, hi, ends)
        yield from pace()


def _up_to_stage_two(
    T: Text, sigma: int, SA: Positions, scratch: Scratch, free: int, pace: StepTimer
) -> Generator[Event, None, tuple[Positions, Positions]]:
    """Sort the LMS suffixes, put them at the ends of their buckets and the last suffix at the head of its own.

    Args:
        free: of ``scratch`` what is taken behind this (``SA`` itself may be) can be used until they are sorted.

    Returns:
        Heads (after the last suffix) and ends of the buckets, as ``SA`` shape (sigma,).
    """
    n, taken = T.size, scratch.at
    lms_counts = np.zeros(sigma, SA.dtype)
    lms = yield from _sorted_lms(T, sigma, lms_counts, scratch, free, pace)
    scratch.at = taken  # and nothing is taken until the suffixes are where they belong
    counts = np.zeros(sigma, SA.dtype)
    for lo, hi in ranges(n):
        if T.dtype == np.uint8:
            counts += count_bytes(T[lo:hi]).astype(SA.dtype)
        else:
            suffix_types.count_names(T, lo, hi, counts)
        yield from pace()
    ends = np.cumsum(counts, dtype=SA.dtype)
    heads = ends - counts
    del counts
    for lo, hi in ranges(n, FILL_PLACES):
        SA[lo:hi] = 0
        yield from pace()
    first = np.zeros(sigma + 1, SA.dtype)
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


def _lms_suffixes(T: Text, kind: npt.DTypeLike, scratch: Scratch, pace: StepTimer) -> Generator[Event, None, Positions]:
    """Return the LMS suffixes, falling, of type ``kind``."""
    state, lms = suffix_types.at_end(), scratch.take(T.size // 2 + 2, kind)
    for lo, hi in ranges_backwards(T.size):
        suffix_types.find_lms(T, lo, hi, state, lms)
        yield from pace()
    return scratch.resize(lms, int(state[2]))


def _sorted_lms(
    T: Text, sigma: int, lms_counts: Positions, scratch: Scratch, free: int, pace: StepTimer
) -> Generator[Event, None, Positions]:
    """Return the LMS suffixes in order, of the type of ``lms_counts``, and count their first letters."""
    taken, scratch.at = scratch.at, free
    kind = lms_counts.dtype
    lms = yield from _lms_suffixes(T, kind, scratch, pace)
    m = lms.size
    if m == 0:
        return lms
    R, first, n_names = yield from _named(T, sigma, lms, lms_counts, scratch, pace)
    kept, shorter = 0, scratch.take(m, np.int32)
    for lo, hi in ranges(m):
        kept = lms_names.shorten(R, lo, hi, kept, shorter)
        yield from pace()
    shorter = scratch.resize(shorter, kept)
    order = scratch.take(kept, np.int32)
    yield from suffix_order(shorter, n_names, order, scratch, pace)
    scratch.at = max(scratch.at, taken)
    out, state = scratch.take(m, kind), np.array([m - 1], np.int64)
    for lo, hi in ranges(m, FILL_PLACES):
        out[lo:hi] = -1
        yield from pace()
    for lo, hi in ranges(m):
        suffix_types.place_names(lms, lo, hi, state, R, first, out)
        yield from pace()
    at = 0
    for lo, hi in ranges(kept):
        at = lms_names.merge(order, R[m - kept :], lo, hi, at, out)
        yield from pace()
    return out


def _named(
    T: Text, sigma: int, lms: Positions, lms_counts: Positions, scratch: Scratch, pace: StepTimer
) -> Generator[Event, None, tuple[Positions, Positions, int]]:
    """Return the names of all LMS suffixes in the order of the text, where each name's suffixes begin, and how many."""
    m, done, n_names = lms.size, 0, 0
    R = scratch.take(m, lms.dtype)  # for ``place_names`` puts positions in their place
    taken = scratch.at
    known, size = scratch.take(0, np.uint64), 1 << 15
    while done < m:
        size *= 2
        known, table = scratch.resize(known, 2 * min(m, size)), scratch.take_last(size, np.uint64)
        table[:] = 0
        for lo, hi in ranges(n_names):
            lms_names.fill_table(known, lo, hi, table)
            yield from pace()
        start = done
        for _, hi in ranges(m - start):
            done, n_names = lms_names.find_alike(T, lms, done, start + hi, table, known, n_names, R)
            yield from pace()
            if done < start + hi:
                break
    keys, order = yield from _sorted_holders(T, sigma, known, n_names, scratch, pace)
    names, first, at = scratch.take(n_names, np.int32), np.empty(n_names + 1, np.int32), 0
    bits = lms_names.letter_bits(sigma)
    for lo, hi in ranges(n_names):
        at = lms_names.name_numbers(order, known, keys, bits, lo, hi, at, names, first, lms_counts)
        yield from pace()
    for lo, hi in ranges(m):
        lms_names.name_suffixes(R, lo, hi, names)
        yield from pace()
    scratch.at = taken
    return R, first, n_names


def _sorted_holders(
    T: Text, sigma: int, known: Words, n: int, scratch: Scratch, pace: StepTimer
) -> Generator[Event, None, tuple[Words, Positions]]:
    """Return the ``n`` numbers in the order of their holders' suffixes, int32, after the keys of these."""
    bits = lms_names.letter_bits(sigma)
    keys, order, counts = scratch.take(n, np.uint64), scratch.take(n, np.int32), np.zeros((8, 256), np.int64)
    for lo, hi in ranges(n):
        lms_names.take_keys(T, known, lo, hi, bits, keys, order, counts)
        yield from pace()
    keys_to, order_to = scratch.take(n, np.uint64), scratch.take(n, np.int32)
    for digit in range(8):
        if counts[digit].max() == n:
            continue
        heads = np.cumsum(counts[digit]) - counts[digit]
        for lo, hi in ranges(n):
            lms_names.radix_pass(keys, order, lo, hi, digit, heads, keys_to, order_to)
            yield from pace()
        keys, keys_to, order, order_to = keys_to, keys, order_to, order
    at = 0
    while at < n:
        at = lms_names.sort_ties(T, known, keys, at, order, order_to, SCAN_PLACES)
        yield from pace()
    return keys, order
