"""LMS-substring naming: equal substrings share a number, only the different ones are sorted.

Names are the ranks of the suffixes that hold the numbers (see ``lms_numbers``): different LMS substrings alone decide
the order of two suffixes, so any holder gives the same names.

A name is 1-based. A name of a single suffix is stored as a negative number, since that suffix needs no further sorting.
The reduced text drops every unique name that does not end a run of other names: no comparison of two suffixes passes a
unique name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Words
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.unaligned import PREFETCH_STEPS, load_u64, prefetch_line, reversed_bytes
from wavediff.core.kernels.bwt.sort.lms_numbers import holder, members
from wavediff.core.kernels.bwt.sort.suffix_types import Positions, Text


def letter_bits(sigma: int) -> int:
    """Return the bits per letter in a key."""
    return max(1, (sigma - 1).bit_length())


def first_letter(key: int, bits: int) -> int:
    """Return the first letter of a key."""
    return key >> (64 // bits - 1) * bits


@jit_callee
def _key(T: Text, p: int, bits: int) -> Any:
    """Return the letters from p as a key, ``bits`` each, first letter highest, zero-padded."""
    if T.itemsize == 1 and p + 8 <= T.size:
        return reversed_bytes(load_u64(T, p))
    key = np.uint64(0)
    for k in range(p, p + 64 // bits):
        key = (key << np.uint64(bits)) | (np.uint64(T[k]) if k < T.size else np.uint64(0))
    return key


@jit
def take_keys(
    T: Text, known: Words, lo: int, hi: int, to: int, bits: int, keys: Words, order: Positions, counts: Counts
) -> None:
    """Write keys and numbers of representatives ``lo`` to ``hi`` from index ``to`` on, and count the keys' bytes.

    Args:
        counts: int64, shape (8, 256), one row per radix pass, lowest byte first.
    """
    for one in range(lo, hi):
        prefetch_line(T, holder(known, min(one + PREFETCH_STEPS, hi - 1)))
        key = _key(T, holder(known, one), bits)
        keys[to + one - lo], order[to + one - lo] = key, one
        for digit in range(8):
            counts[digit, (key >> np.uint64(8 * digit)) & np.uint64(255)] += 1


@jit
def count_digit(keys: Words, lo: int, hi: int, digit: int, counts: Counts) -> None:
    """Count a byte of the keys ``lo`` to ``hi``."""
    shift = np.uint64(8 * digit)
    for x in range(lo, hi):
        counts[(keys[x] >> shift) & np.uint64(255)] += 1


@jit
def radix_pass(
    keys: Words, order: Positions, lo: int, hi: int, digit: int, heads: Counts, to: Words, order_to: Positions
) -> None:
    """Radix sort pass over ``lo`` to ``hi`` by a byte of the keys."""
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
def sort_ties(T: Text, known: Words, keys: Words, lo: int, stop: int, order: Positions, room: Positions) -> None:
    """Sort groups of equal keys that begin in ``lo`` to ``stop`` by their representatives' suffixes (merge sort)."""
    n_keys = keys.size
    while 0 < lo < stop and keys[lo] == keys[lo - 1]:
        lo += 1
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
                        x < middle and not _precedes(T, holder(known, order[y]), holder(known, order[x]))
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
                prefetch_line(T, holder(known, order[ahead]))
                prefetch_line(T, holder(known, order[ahead - 1]))
        lo = hi


@jit
def count_members(order: Positions, known: Words, lo: int, hi: int) -> int:
    """Return how many LMS suffixes have the numbers ``order[lo:hi]``."""
    n_members, last = 0, order.size - 1
    for x in range(lo, hi):
        prefetch_line(known, 2 * order[min(x + PREFETCH_STEPS, last)] + 1)
        n_members += members(known, order[x])
    return n_members


@jit
def name_numbers(
    order: Positions,
    known: Words,
    keys: Words,
    bits: int,
    lo: int,
    hi: int,
    at: Counts,
    names: Positions,
    first: Positions,
    counts: Positions,
    lms_counts: Positions,
) -> int:
    """Write the rank of each number in ``order[lo:hi]``, and the position of its first LMS suffix.

    Args:
        at: int64, shape (1,): LMS suffixes with a smaller name than ``lo + 1``; then than ``hi + 1``.
        counts: by name plus one, from 0: its letters in the reduced text, 0 for a unique name.
        lms_counts: by letter plus one: LMS suffixes with this first letter; not set for the first letter of this piece,
            which the previous piece may share.

    Returns:
        LMS suffixes with the first letter of this piece.
    """
    last, shift, begun, mine = order.size - 1, np.uint64((64 // bits - 1) * bits), at[0], 0
    letter, start = keys[lo] >> shift, begun
    for x in range(lo, hi):
        prefetch_line(known, 2 * order[min(x + PREFETCH_STEPS, last)] + 1)
        one = order[x]
        n_members = members(known, one)
        names[one] = -(x + 1) if n_members == 1 else x + 1
        first[x + 1] = begun
        counts[x + 1] = 0 if n_members == 1 else n_members
        if keys[x] >> shift != letter:
            if letter == keys[lo] >> shift:
                mine = begun - start
            else:
                lms_counts[letter + np.uint64(1)] = begun - start
            letter, start = keys[x] >> shift, begun
        begun += n_members
    at[0] = begun
    if letter == keys[lo] >> shift:
        return begun - start  # type: ignore[no-any-return]
    lms_counts[letter + np.uint64(1)] = begun - start
    return mine


@jit
def name_suffixes(R: Positions, lo: int, hi: int, names: Positions) -> None:
    """Replace numbers in ``R[lo:hi]`` by ranks."""
    for r in range(lo, hi):
        R[r] = names[R[r]]


@jit
def count_kept(R: Positions, lo: int, hi: int) -> int:
    """Return how many ranks in ``R[lo:hi]`` become letters of the reduced text."""
    kept = 0
    for r in range(lo, hi):
        kept += (R[r] > 0) | (R[max(r - 1, 0)] > 0)
    return kept


@jit
def shorten(R: Positions, lo: int, hi: int, at: Counts, out: Positions, counts: Positions) -> None:
    """Copy the letters of the reduced text in ``R[lo:hi]``, renumbered from 0, to ``out``.

    Args:
        at: int64, shape (1,): first place to write; then the place after the last.
        counts: see ``name_numbers``; includes the unique names that are not dropped.
    """
    q = at[0]
    for r in range(lo, hi):
        name = R[r]
        if name > 0:
            out[q] = name - 1
            q += 1
        elif r > 0 and R[r - 1] > 0:
            out[q] = -name - 1
            counts[-name] = 1
            q += 1
    at[0] = q


@jit
def place_names(
    lms: Positions, R: Positions, lo: int, hi: int, at: Counts, first: Positions, out: Positions, places: Positions
) -> None:
    """Write the LMS suffixes with unique ranks in ``R[lo:hi]`` to their final places in ``out``.

    Args:
        at: int64, shape (1,): letters of the reduced text before ``lo``; then before ``hi``.
        places: text position of each letter of the reduced text; output.
    """
    q, last = at[0], lms.size - 1
    for r in range(lo, hi):
        prefetch_line(first, max(-R[min(r + 2 * PREFETCH_STEPS, last)], 0))
        prefetch_line(out, first[max(-R[min(r + PREFETCH_STEPS, last)], 1)])
        p, name = lms[last - r], R[r]
        if name < 0:
            out[first[-name]] = p
        if name > 0 or R[max(r - 1, 0)] > 0:
            places[q] = p
            q += 1
    at[0] = q


@jit
def merge(
    SA: Positions, places: Positions, lo: int, hi: int, x: int, bounds: Positions, first: Positions, out: Positions
) -> None:
    """Merge the suffixes sorted by the reduced text, ``SA[lo:hi]``, into ``out``.

    Args:
        x: letter of the reduced text at the start of the first suffix.
        bounds: for each letter of the reduced text, the number of smaller ones; then the total.
        first: see ``name_numbers``.
    """
    last = SA.size - 1
    for i in range(lo, hi):
        prefetch_line(places, SA[min(i + PREFETCH_STEPS, last)])
        while i >= bounds[x + 1]:
            x += 1
        out[first[x + 1] + i - bounds[x]] = places[SA[i]]
