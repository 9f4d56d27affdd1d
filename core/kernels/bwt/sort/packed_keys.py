"""Packed keys: 31 letters and the preceding one in a word; sorted words hold the last column in their low bits.

For texts of at most four letters. A key is 62 bits, first letter highest; letter code 0 is the end. A word is the key
and the code of the preceding letter. Positions are not stored: equal keys are compared in the text again, and only if
their preceding letters differ, since otherwise their order does not change the transform.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.jit.unaligned import PREFETCH_STEPS, load_u64, prefetch_line
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

KEY_LETTERS = 31
KEY_BITS = 2 * KEY_LETTERS
SAMPLE_BITS = 12  # of 2^12 keys one is sampled, by its value: all its occurrences or none
_HASH = np.uint64(0x9E3779B97F4A7C15)
_INSERTION_WORDS = 20  # words sorted by insertion alone


@jit
def count_digits(
    text: Letters, codes: Letters, lo: int, hi: int, key: int, shift: int, counts: Counts, sample: Words, n_sample: int
) -> Any:
    """Count the highest digit of the keys starting in ``text[lo:hi]``, without the whole text.

    Args:
        codes: uint8, shape (256,).
        key: at ``hi``; 0 at the end.
        sample: uint64: sampled words; output.

    Returns:
        The key at ``lo``, and the number of samples.
    """
    k = np.uint64(key)
    for p in range(hi - 1, lo - 1, -1):
        k = (k >> np.uint64(2)) | (np.uint64(codes[text[p]]) << np.uint64(KEY_BITS - 2))
        if p == 0:
            break
        counts[k >> np.uint64(shift)] += 1
        if ((k + np.uint64(1)) * _HASH) >> np.uint64(64 - SAMPLE_BITS) == 0 and n_sample < sample.size:
            sample[n_sample] = (k << np.uint64(2)) | np.uint64(codes[text[p - 1]])
            n_sample += 1
    return np.int64(k), n_sample


@jit
def spread(text: Letters, codes: Letters, lo: int, hi: int, key: int, shift: int, heads: Counts, words: Words) -> Any:
    """Distribute the words of ``text[lo:hi]`` into buckets by highest digit; return the key at ``lo``."""
    k = np.uint64(key)
    for p in range(hi - 1, lo - 1, -1):
        k = (k >> np.uint64(2)) | (np.uint64(codes[text[p]]) << np.uint64(KEY_BITS - 2))
        if p == 0:
            break
        digit = k >> np.uint64(shift)
        at = heads[digit]
        heads[digit] = at + 1
        words[at] = (k << np.uint64(2)) | np.uint64(codes[text[p - 1]])
    return np.int64(k)


@jit_callee
def _sort_few(words: Words, lo: int, hi: int) -> None:
    """Sort in place: Shell sort, insertion sort for few."""
    gap = 1
    while hi - lo > _INSERTION_WORDS * gap:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(lo + gap, hi):
            word, j = words[i], i
            while j >= lo + gap and words[j - gap] > word:
                words[j] = words[j - gap]
                j -= gap
            words[j] = word
        gap //= 3


@jit_callee
def sort_bucket(words: Words, start: int, size: int, shift: int, room: Words, counts: Counts) -> None:
    """Sort ``words[start : start + size]`` into ``room``; all have the same bits from ``shift`` up."""
    bits = 2
    while bits < 12 and size >> (bits + 2):
        bits += 1
    low, mask = np.uint64(shift - bits), np.uint64((1 << bits) - 1)
    counts[: (1 << bits) + 1] = 0
    for i in range(start, start + size):
        counts[np.int64((words[i] >> low) & mask) + 1] += 1
    most = 0
    for d in range(1 << bits):
        most = max(most, counts[d + 1])
        counts[d + 1] += counts[d]
    for i in range(start, start + size):
        word = words[i]
        digit = np.int64((word >> low) & mask)
        room[counts[digit]] = word
        counts[digit] += 1
    if most > _INSERTION_WORDS:
        before = 0
        for d in range(1 << bits):
            if counts[d] - before > 1:
                _sort_few(room, before, counts[d])
            before = counts[d]
        return
    for i in range(1, size):  # insertion over all at once: nothing moves further than the few of its digit
        word, j = room[i], i
        while j > 0 and room[j - 1] > word:
            room[j] = room[j - 1]
            j -= 1
        room[j] = word


@jit
def sort_buckets(
    words: Words,
    ends: Counts,
    lo: int,
    hi: int,
    shift: int,
    whole: int,
    letters: Letters,
    room: Words,
    counts: Counts,
    last: Letters,
    ties: Counts,
    state: Counts,
) -> None:
    """Sort the buckets ``lo`` to ``hi`` of ``words``, and write the letters in their low bits to ``last``.

    Args:
        ends: int64: end of each bucket; a bucket starts at the end of the previous one.
        shift: bits of a word below the shared digit.
        whole: key of the whole text, which has no word.
        letters: uint8, shape (4,): letter of each code.
        room: scratch of the size of the largest bucket.
        last: the row of ``$`` comes first.
        ties: int64, shape (-, 3): start, end, key of each range of equal keys after different letters, except that of
            the whole text; output.
        state: ties so far (-1: array full), words with a key smaller than, and equal to, that of the whole text.
    """
    two = np.uint64(2)
    key_of_whole = np.uint64(whole)
    n_ties, smaller, equal = state[0], state[1], state[2]
    for b in range(lo, hi):
        start = ends[b - 1] if b else 0
        size = ends[b] - start
        if size == 0 or n_ties < 0:
            continue
        sort_bucket(words, start, size, shift, room, counts)
        before = ~room[0]
        for i in range(size):
            word = room[i]
            last[start + i + 1] = letters[word & np.uint64(3)]
            smaller += word >> two < key_of_whole
            equal += word >> two == key_of_whole
            if (word ^ before) >> two == 0 and (i < 2 or (room[i - 2] ^ word) >> two != 0):
                j = i + 1
                while j < size and (room[j] ^ word) >> two == 0:
                    j += 1
                if room[i - 1] != room[j - 1] and word >> two != key_of_whole:
                    if n_ties == ties.shape[0]:
                        n_ties = -1
                        break
                    ties[n_ties, 0], ties[n_ties, 1] = start + i - 1, start + j
                    ties[n_ties, 2] = np.int64(word >> two)
                    n_ties += 1
            before = word
    state[0], state[1], state[2] = n_ties, smaller, equal


@jit
def look_up(
    text: Letters,
    codes: Letters,
    lo: int,
    hi: int,
    key: int,
    keys: Words,
    sieve: Letters,
    heads: Counts,
    out: Positions,
) -> Any:
    """Write the positions in ``text[lo:hi]`` whose key is in ``keys`` to the places in ``heads``.

    Args:
        keys: uint64, ascending; ``sieve``, uint8, size a power of two: 1 if a key may be present.
    """
    k = np.uint64(key)
    shift = np.uint64(64 - trailing_zeros(np.uint64(sieve.size)))
    for p in range(hi - 1, lo - 1, -1):
        k = (k >> np.uint64(2)) | (np.uint64(codes[text[p]]) << np.uint64(KEY_BITS - 2))
        if sieve[(k * _HASH) >> shift]:
            at = np.searchsorted(keys, k)
            if at < keys.size and keys[at] == k:
                out[heads[at]] = p
                heads[at] += 1
    return np.int64(k)


@jit
def fill_sieve(keys: Words, sieve: Letters) -> None:
    shift = np.uint64(64 - trailing_zeros(np.uint64(sieve.size)))
    for k in keys:
        sieve[(k * _HASH) >> shift] = 1


@jit_callee
def _smaller(text: Letters, p: int, q: int) -> tuple[bool, int]:
    """Return whether suffix p < q (equal keys), and the number of compared words."""
    n, skip = text.size, min(KEY_LETTERS, text.size - max(p, q))
    i, j, looked = p + skip, q + skip, 1
    while i + 8 <= n and j + 8 <= n and load_u64(text, i) == load_u64(text, j):
        i += 8
        j += 8
        looked += 1
    while i < n and j < n and text[i] == text[j]:
        i += 1
        j += 1
    if j == n:
        return False, looked
    return i == n or text[i] < text[j], looked


@jit
def sort_ties(text: Letters, places: Positions, starts: Counts, lo: int, hi: int, budget: int) -> int:
    """Sort the positions of groups ``lo`` to ``hi``; return the remaining budget, negative: given up."""
    for t in range(lo, hi):
        start, end = starts[t], starts[t + 1]
        for x in range(start + 1, end):
            p = places[x]
            prefetch_line(text, places[min(x + PREFETCH_STEPS, end - 1)])
            a, b = start, x
            while a < b:
                middle = (a + b) // 2
                smaller, looked = _smaller(text, p, places[middle])
                budget -= looked
                if smaller:
                    b = middle
                else:
                    a = middle + 1
            budget -= (x - a) // 8
            if budget < 0:
                return budget
            for y in range(x, a, -1):
                places[y] = places[y - 1]
            places[a] = p
    return budget
