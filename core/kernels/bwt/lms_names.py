"""Names of LMS substrings without sorting them all: what is equal is found by hashing, and only what differs is sorted.

An LMS substring goes from one LMS suffix to the next inclusive; its letters and its length tell it from others. Each
different one keeps a *holder*, the first suffix that was met with it, and names are the ranks of the holders' suffixes:
two suffixes whose LMS substrings differ are ordered by these alone, so any holder does.

A name is 1-based; where only one suffix has it, it is stored negative, for that suffix needs no further sorting. The
shorter text drops every unique name that does not end a stretch of others: two suffixes are never compared beyond one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Counts, Words
from core.jit.decorators import jit, jit_callee
from core.jit.simd import trailing_zeros
from core.jit.unaligned import load_u64, reversed_bytes
from core.kernels.bwt.prefetch import PREFETCH_STEPS, prefetch_line
from core.kernels.bwt.suffix_types import Positions, Text

BATCH = 128  # suffixes whose places in the table are asked for together
_ODD = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
LONG_DIGEST = np.uint64(0xFF << 56)  # from here on a digest stands for 8 bytes and more
_HUGE = (1 << 16) - 1  # letters; a digest does not tell longer ones apart by their length
_MEMBER_BITS = np.uint64(31)  # of the second word of a number; the rest is its holder


def letter_bits(sigma: int) -> int:
    """Return the bits of a letter of a key."""
    return max(1, (sigma - 1).bit_length())


@jit_callee
def _holder(known: Words, one: int) -> Any:
    return np.int64(known[2 * one + 1] >> _MEMBER_BITS)


@jit
def find_alike(
    T: Text,
    lms: Positions,
    lo: int,
    hi: int,
    table: Words,
    known: Words,
    n_known: int,
    R: Positions,
) -> Any:
    """Number the LMS substrings at ``lms[lo:hi]``, equal ones alike, in the order in which they are met.

    Args:
        lms: LMS suffixes, falling.
        table: a power of two: 0, or a number plus one and the low half of a hash; full to three quarters at most.
        known: for each number its digest, and its holder with how many have it (see ``holder``); room for as many as
            there are LMS suffixes.
        n_known: numbers given so far.
        R: the number of each LMS suffix, in the order of the text; filled.

    Returns:
        How far it came, as the table may have to grow first, and the numbers given by then.
    """
    m = lms.size
    room = table.size - table.size // 4 - BATCH
    shift, mask = np.uint64(64 - trailing_zeros(np.uint64(table.size))), np.uint64(table.size - 1)
    batch = np.empty(BATCH, np.uint64)
    for first in range(lo, hi, BATCH):
        if n_known > room:
            return first, n_known
        after = min(first + BATCH, hi)
        for k in range(max(first, 1), after):
            p = np.int64(lms[k])
            digest = _digest(T, p, np.int64(lms[k - 1]) - p + 1)
            batch[k - first] = digest
            prefetch_line(table, np.int64((digest * _ODD) >> shift))
        for k in range(max(first, 1), after):
            one = np.int64(table[(batch[k - first] * _ODD) >> shift] >> np.uint64(32))
            prefetch_line(known, 2 * one - 2)
        for k in range(first, after):
            digest = batch[k - first]
            spread = digest * _ODD
            at = spread >> shift
            found: Any = -1
            while k > 0 and table[at] != 0:
                one = np.int64(table[at] >> np.uint64(32)) - 1
                if (
                    table[at] & _LOW == spread & _LOW
                    and known[2 * one] == digest
                    and (digest < LONG_DIGEST or _alike(T, lms, k, _holder(known, one)))
                ):
                    found = one
                    break
                at = (at + np.uint64(1)) & mask
            if found < 0:  # the one that ends with the text has no equal, and is not looked for
                found = n_known
                n_known += 1
                known[2 * found], known[2 * found + 1] = digest, np.uint64(lms[k]) << _MEMBER_BITS
                if k > 0:
                    table[at] = (np.uint64(n_known) << np.uint64(32)) | (spread & _LOW)
            known[2 * found + 1] += np.uint64(1)
            R[m - 1 - k] = found
    return hi, n_known


@jit
def fill_table(known: Words, lo: int, hi: int, table: Words) -> None:
    """Put the numbers ``lo`` to ``hi`` into a larger table; number 0 ends with the text and is left out."""
    shift, mask = np.uint64(64 - trailing_zeros(np.uint64(table.size))), np.uint64(table.size - 1)
    for one in range(max(lo, 1), hi):
        prefetch_line(table, np.int64((known[2 * min(one + PREFETCH_STEPS, hi - 1)] * _ODD) >> shift))
        spread = known[2 * one] * _ODD
        at = spread >> shift
        while table[at] != 0:
            at = (at + np.uint64(1)) & mask
        table[at] = (np.uint64(one + 1) << np.uint64(32)) | (spread & _LOW)


@jit_callee
def _members(known: Words, one: int) -> Any:
    return np.int64(known[2 * one + 1] & ((np.uint64(1) << _MEMBER_BITS) - np.uint64(1)))


@jit_callee
def _digest(T: Text, p: int, size: int) -> Any:
    """Return what stands for ``size`` letters from p on: themselves and how many, or 0xFF, their number and a hash."""
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
    found = (load_u64(T, p) ^ np.uint64(size)) * _ODD
    for k in range(step, size - step, step):
        found = ((found ^ (found >> np.uint64(29))) ^ load_u64(T, p + k)) * _ODD
    found = ((found ^ (found >> np.uint64(29))) ^ load_u64(T, p + size - step)) * _ODD  # some of them again
    return LONG_DIGEST | (np.uint64(min(size, _HUGE)) << np.uint64(40)) | (found >> np.uint64(24))


@jit_callee
def _alike(T: Text, lms: Positions, k: int, q: int) -> Any:
    """Return whether the LMS substrings (8 bytes at least) at ``lms[k]`` and at q, which have one digest, are equal."""
    p, step = np.int64(lms[k]), 8 // T.itemsize
    size = np.int64(lms[k - 1]) - p + 1
    if size >= _HUGE:  # a digest tells the lengths of shorter ones
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


@jit_callee
def _key(T: Text, p: int, bits: int) -> Any:
    """Return the letters from p on, ``bits`` each, the first highest, zeros beyond the end."""
    if T.itemsize == 1 and p + 8 <= T.size:
        return reversed_bytes(load_u64(T, p))
    key = np.uint64(0)
    for k in range(p, p + 64 // bits):
        key = (key << np.uint64(bits)) | (np.uint64(T[k]) if k < T.size else np.uint64(0))
    return key


@jit
def take_keys(
    T: Text, known: Words, lo: int, hi: int, bits: int, keys: Words, order: Positions, counts: Counts
) -> None:
    """Write the first letters of the holders ``lo`` to ``hi`` and their numbers, and count the digits of the keys.

    Args:
        counts: int64, shape (8, 256), for the passes from the lowest digit on.
    """
    last = keys.size - 1
    for one in range(lo, hi):
        prefetch_line(T, _holder(known, min(one + PREFETCH_STEPS, last)))
        key = _key(T, _holder(known, one), bits)
        keys[one], order[one] = key, one
        for digit in range(8):
            counts[digit, (key >> np.uint64(8 * digit)) & np.uint64(255)] += 1


@jit
def radix_pass(
    keys: Words, order: Positions, lo: int, hi: int, digit: int, heads: Counts, to: Words, order_to: Positions
) -> None:
    """Distribute ``lo`` to ``hi`` by a byte of the keys."""
    shift = np.uint64(8 * digit)
    for x in range(lo, hi):
        key = keys[x]
        d = (key >> shift) & np.uint64(255)
        b = heads[d]
        heads[d] = b + 1
        to[np.uint64(b)] = key
        order_to[np.uint64(b)] = order[x]


@jit_callee
def _precedes(T: Text, p: int, q: int) -> Any:
    """Return whether suffix p is smaller than suffix q."""
    n, step = T.size, 8 // T.itemsize
    while max(p, q) + step <= n and load_u64(T, p) == load_u64(T, q):
        p += step
        q += step
    while max(p, q) < n and T[p] == T[q]:
        p += 1
        q += 1
    return q < n and (p == n or T[p] < T[q])


@jit
def sort_ties(T: Text, known: Words, keys: Words, lo: int, order: Positions, room: Positions, most: int) -> int:
    """Sort stretches of equal keys from ``lo`` on by the suffixes of their holders, merging ever longer runs.

    Returns:
        Where to go on, after some ``most`` places or the stretch that passes them.
    """
    n_keys, stop = keys.size, min(keys.size, lo + most)
    while lo < stop:
        hi = lo + 1
        while hi < n_keys and keys[hi] == keys[lo]:
            hi += 1
        width = 1
        while width < hi - lo:
            for left in range(lo, hi, 2 * width):
                middle, right = min(left + width, hi), min(left + 2 * width, hi)
                x, y = left, middle
                for z in range(left, right):
                    if y == right or (
                        x < middle and not _precedes(T, _holder(known, order[y]), _holder(known, order[x]))
                    ):
                        room[z] = order[x]
                        x += 1
                    else:
                        room[z] = order[y]
                        y += 1
            for z in range(lo, hi):
                order[z] = room[z]
            width *= 2
        for x in range(lo, hi):
            ahead = min(x + PREFETCH_STEPS, n_keys - 1)
            prefetch_line(known, 2 * order[min(ahead + PREFETCH_STEPS, n_keys - 1)] + 1)
            if keys[ahead] == keys[ahead - 1]:
                prefetch_line(T, _holder(known, order[ahead]))
                prefetch_line(T, _holder(known, order[ahead - 1]))
        lo = hi
    return lo


@jit
def name_numbers(
    order: Positions,
    known: Words,
    keys: Words,
    bits: int,
    lo: int,
    hi: int,
    at: int,
    names: Positions,
    first: Positions,
    lms_counts: Positions,
) -> int:
    """Write the name of each number in ``order[lo:hi]``, and where in the order of LMS suffixes those with it begin.

    Args:
        at: LMS suffixes with a smaller name than ``lo + 1``; returned for the next call.
        lms_counts: LMS suffixes that begin with each letter; these are added.
    """
    last, shift = order.size - 1, np.uint64((64 // bits - 1) * bits)
    for x in range(lo, hi):
        prefetch_line(known, 2 * order[min(x + PREFETCH_STEPS, last)] + 1)
        one = order[x]
        members = _members(known, one)
        names[one] = -(x + 1) if members == 1 else x + 1
        first[x + 1] = at
        at += members
        lms_counts[keys[x] >> shift] += members
    return at


@jit
def name_suffixes(R: Positions, lo: int, hi: int, names: Positions) -> None:
    """Replace the numbers in ``R[lo:hi]`` by names."""
    for r in range(lo, hi):
        R[r] = names[R[r]]


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
