"""Numbering of LMS substrings by hashing: equal ones get equal numbers; each thread owns a part of the digests.

An LMS substring ends at the next LMS suffix, inclusive; its letters and length identify it. Each distinct substring has
a *holder*, its first suffix. A number has two words: the digest; and the holder with the count of suffixes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Words
from wavediff.core.jit.atomics import fetch_add
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.jit.unaligned import PREFETCH_STEPS, load_u64, prefetch_line
from wavediff.core.kernels.bwt.sort.suffix_types import Positions, Text

BATCH = 128  # suffixes whose places in the table are asked for together
RUN = 1 << 10  # numbers that a thread takes at once
AT, NEXT, END, FOUND, FULL = range(5)  # of the state of ``find_alike``
_ODD = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
LONG_DIGEST = np.uint64(0xFF << 56)  # from here on a digest stands for 8 bytes and more
_HUGE = (1 << 16) - 1  # letters; a digest does not tell longer ones apart by their length
_MEMBER_BITS = np.uint64(31)  # of the second word of a number; the rest is its holder


@jit_callee
def holder(known: Words, one: int) -> Any:
    """Return the first suffix with a number, its representative."""
    return np.int64(known[2 * one + 1] >> _MEMBER_BITS)


@jit_callee
def members(known: Words, one: int) -> Any:
    """Return how many suffixes share a number."""
    return np.int64(known[2 * one + 1] & ((np.uint64(1) << _MEMBER_BITS) - np.uint64(1)))


@jit
def digests_of(
    T: Text, lms: Positions, lo: int, hi: int, parts: int, digests: Words, part_of: npt.NDArray[np.uint8]
) -> None:
    """Write digests of the LMS substrings ``lms[lo:hi]``, and the part responsible for each.

    Args:
        digests, part_of: shape (hi - lo,).
    """
    n_parts = np.uint64(parts)
    for k in range(lo, hi):
        p = np.int64(lms[k])
        # the one that ends with the text has no equal, and is not searched for
        digest = _digest(T, p, np.int64(lms[k - 1]) - p + 1) if k > 0 else np.uint64(0)
        digests[k - lo], part_of[k - lo] = digest, _part(digest, n_parts)


@jit
def find_alike(
    T: Text,
    lms: Positions,
    lo: int,
    digests: Words,
    part_of: npt.NDArray[np.uint8],
    table: Words,
    known: Words,
    R: Positions,
    part: int,
    parts: int,
    shared: Counts,
    state: Counts,
) -> None:
    """Number the LMS substrings from ``lms[lo]`` in one part of the digests.

    Args:
        lms: LMS suffixes, descending.
        digests, part_of: of ``lms[lo : lo + digests.size]``; see ``digests_of``.
        table: size a power of two; 0, or a number plus one and the low half of a hash; at most three quarters full.
        known: digest of each number, and a word for ``holder`` and ``members``; digest 0: not searched.
        R: the number of each LMS suffix, in text order; output.
        part, parts: one independent part per thread.
        shared: int64, shape (1,): numbers allocated to all parts, ``RUN`` at a time.
        state: int64, shape (5,), of this part: position ``AT``, next number ``NEXT``, ``END`` of its numbers, ``FOUND``
            (assigned), and ``FULL``: the table must grow first.
    """
    m, n_digests = lms.size, digests.size
    at_digest: Any = state[AT] - lo
    room = table.size - table.size // 4 - BATCH
    shift, mask = np.uint64(64 - trailing_zeros(np.uint64(table.size))), np.uint64(table.size - 1)
    mine, spreads = np.empty(BATCH + 1, np.int64), np.empty(BATCH, np.uint64)
    n_parts = np.uint64(parts)
    if state[AT] == 0:
        at_digest += 1
        if part == 0:
            one = _new_number(known, shared, state)
            known[2 * one], known[2 * one + 1] = np.uint64(0), (np.uint64(lms[0]) << _MEMBER_BITS) + np.uint64(1)
            R[m - 1] = one
    while at_digest < n_digests:
        if state[FOUND] > room:
            state[FULL] = 1
            break
        size: Any = 0
        while at_digest < n_digests and size < BATCH:
            mine[size] = at_digest  # kept only if it is: a branch would be guessed wrong too often
            size += np.int64(part_of[at_digest] == part)
            at_digest += 1
        for x in range(size):
            spreads[x] = _spread(digests[mine[x]], n_parts)
            prefetch_line(table, np.int64(spreads[x] >> shift))
        for x in range(size):
            one = np.int64(table[spreads[x] >> shift] >> np.uint64(32))
            prefetch_line(known, 2 * one - 2)
        for x in range(size):
            digest, spread, k = digests[mine[x]], spreads[x], lo + mine[x]
            at = spread >> shift
            number: Any = -1
            while table[at] != 0:
                one = np.int64(table[at] >> np.uint64(32)) - 1
                if (
                    table[at] & _LOW == spread & _LOW
                    and known[2 * one] == digest
                    and (digest < LONG_DIGEST or _alike(T, lms, k, holder(known, one)))
                ):
                    number = one
                    break
                at = (at + np.uint64(1)) & mask
            if number < 0:
                number = _new_number(known, shared, state)
                known[2 * number], known[2 * number + 1] = digest, np.uint64(lms[k]) << _MEMBER_BITS
                table[at] = (np.uint64(number + 1) << np.uint64(32)) | (spread & _LOW)
            known[2 * number + 1] += np.uint64(1)
            R[m - 1 - k] = number
    state[AT] = lo + at_digest


@jit_callee
def _part(digest: Any, parts: Any) -> Any:
    return (((digest * _ODD) >> np.uint64(32)) * parts) >> np.uint64(32)


@jit_callee
def _spread(digest: Any, parts: Any) -> Any:
    return digest * _ODD * parts


@jit_callee
def _new_number(known: Words, shared: Counts, state: Counts) -> Any:
    if state[NEXT] == state[END]:
        state[NEXT] = fetch_add(shared, 0, RUN)
        state[END] = state[NEXT] + RUN
        for one in range(state[NEXT], state[END]):
            known[2 * one] = 0
    state[NEXT] += 1
    state[FOUND] += 1
    return state[NEXT] - 1


@jit
def fill_table(known: Words, n: int, table: Words, part: int, parts: int) -> None:
    """Insert the numbers of ``part`` among the first ``n`` into an empty hash table."""
    shift, mask = np.uint64(64 - trailing_zeros(np.uint64(table.size))), np.uint64(table.size - 1)
    n_parts, this = np.uint64(parts), np.uint64(part)
    for one in range(n):
        ahead = known[2 * min(one + PREFETCH_STEPS, n - 1)]
        if _part(ahead, n_parts) == this:
            prefetch_line(table, np.int64(_spread(ahead, n_parts) >> shift))
        digest = known[2 * one]
        if digest == 0 or _part(digest, n_parts) != this:
            continue
        spread = _spread(digest, n_parts)
        at = spread >> shift
        while table[at] != 0:
            at = (at + np.uint64(1)) & mask
        table[at] = (np.uint64(one + 1) << np.uint64(32)) | (spread & _LOW)


@jit_callee
def _digest(T: Text, p: int, size: int) -> Any:
    """Return the digest of ``size`` letters from p: letters and length, or 0xFF, length and a hash."""
    n_bytes = size * T.itemsize
    if n_bytes < 8:
        word = np.uint64(0)
        if p + 8 <= T.size:
            word = load_u64(T, p) & ((np.uint64(1) << np.uint64(8 * n_bytes)) - np.uint64(1))
        else:
            for k in range(n_bytes):
                word |= np.uint64(T[p + k]) << np.uint64(8 * k)
        return word | (np.uint64(n_bytes) << np.uint64(56))
    step = 8 // T.itemsize
    digest = (load_u64(T, p) ^ np.uint64(size)) * _ODD
    for k in range(step, size - step, step):
        digest = ((digest ^ (digest >> np.uint64(29))) ^ load_u64(T, p + k)) * _ODD
    digest = ((digest ^ (digest >> np.uint64(29))) ^ load_u64(T, p + size - step)) * _ODD  # some of them again
    return LONG_DIGEST | (np.uint64(min(size, _HUGE)) << np.uint64(40)) | (digest >> np.uint64(24))


@jit_callee
def _alike(T: Text, lms: Positions, k: int, q: int) -> Any:
    """Return whether the LMS substrings (at least 8 bytes) at ``lms[k]`` and q with equal digests are equal."""
    p, step = np.int64(lms[k]), 8 // T.itemsize
    size = np.int64(lms[k - 1]) - p + 1
    if size >= _HUGE:  # a digest has the lengths of shorter ones
        lo, hi = 0, lms.size - 1
        while lo < hi:
            middle = (lo + hi) // 2
            if lms[middle] > q:
                lo = middle + 1
            else:
                hi = middle
        if np.int64(lms[lo - 1]) - q + 1 != size:
            return False
    for x in range(0, size - step, step):
        if load_u64(T, p + x) != load_u64(T, q + x):
            return False
    return load_u64(T, p + size - step) == load_u64(T, q + size - step)
