"""Sorting of the k-mers of A and B by hash, and classification of positions: shared once, repeated, skipped.

The hash is that of ntHash (Mohamadi and others 2016): it rolls for any k, and is the same for a k-mer and its reverse
complement. K-mers of one hash are compared letter by letter, so collisions change no answer.

One text holds the codes of A and of B: ``PAD`` letters, A, one letter, B, ``PAD`` letters. Letters that are no
nucleotides have one code in A and others in B and on its complement, so they match nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.jit.unaligned import load_u64
from wavediff.core.kernels.bwt.sort.packed_keys import sort_bucket
from wavediff.core.screening.kmer_table import mixed
from wavediff.core.screening.nucleotides import NO_CODE

PAD = 8  # letters: a word may be read from any place
OF_A, OF_B, BETWEEN, OF_COMPLEMENT = 4, 5, 6, 7  # codes that are no nucleotide's
OTHER, UNIQUE, REPEATED, LEFT_OUT, PALINDROME = 0, 1, 2, 3, 4  # of a place; the last one is a bit
KIND = 3  # bits of the others
ENTER, ENTER_BACK, LEAVE, LEAVE_BACK = range(4)  # rows of ``roll_table``
_LETTER_HASHES = 0x3C8BFBB395C60474, 0x3193C18562A02B4C, 0x20323ED082572324, 0x295549F54BE24456
_WORD = 64


def roll_table(k: int) -> Words:
    """Return uint64, shape (4, 4): contributions of an entering or leaving code to the hashes of both strands."""

    def turned(word: int, by: int) -> int:
        by %= _WORD
        return (word << by | word >> (_WORD - by)) & (1 << _WORD) - 1

    rows = [[turned(each, by) for each in _LETTER_HASHES] for by in (0, k - 1, k, -1)]
    rows[ENTER_BACK].reverse()
    rows[LEAVE_BACK].reverse()
    return np.array(rows, np.uint64)


@jit
def write_codes(letters: Letters, codes: Letters, other: int, text: Letters, complement: Letters, at: int) -> None:
    """Write the codes of ``letters`` at ``text[at]``, and their reverse complement to ``complement``.

    Args:
        codes: see ``nucleotide_codes``. other: replaces ``NO_CODE``.
    """
    for i in range(letters.size):
        code = codes[letters[i]]
        text[at + i] = other if code == NO_CODE else code
        complement[text.size - 1 - at - i] = OF_COMPLEMENT if code == NO_CODE else 3 - code


@jit
def place_kmers(
    text: Letters, lo: int, hi: int, k: int, roll: Words, bucket_bits: int, place_bits: int, heads: Counts,
    entries: Words, kinds: Letters, fill: bool,
) -> None:  # fmt: skip
    """Count the k-mers starting in ``text[lo:hi]`` by the top bits of their hash, or write them to ``entries``.

    An entry has, from high to low: the lower bits of the hash, the place (``place_bits``), and 1 if the hash is that of
    the reverse complement.

    Args:
        heads: int64, shape (2^bucket_bits,): k-mers counted so far; with ``fill``, the index of the next entry.
        kinds: uint8, of each place: with ``fill``, ``PALINDROME`` is set where both hashes are equal.
        fill: write the entries; else count them.
    """
    one, low = np.uint64(1), (np.uint64(1) << np.uint64(place_bits)) - np.uint64(1)
    last, down, up = np.uint64(_WORD - 1), np.uint64(_WORD - bucket_bits), np.uint64(bucket_bits)
    forward, backward, known = np.uint64(0), np.uint64(0), 0
    for i in range(lo, min(text.size, hi + k - 1)):
        code = text[i]
        if code >= OF_A:
            forward, backward, known = np.uint64(0), np.uint64(0), 0
            continue
        forward = ((forward << one) | (forward >> last)) ^ roll[ENTER, code]
        backward = ((backward >> one) | (backward << last)) ^ roll[ENTER_BACK, code]
        if known == k:
            out = text[i - k]
            forward ^= roll[LEAVE, out]
            backward ^= roll[LEAVE_BACK, out]
        else:
            known += 1
        if known < k:
            continue
        bits = mixed(min(forward, backward))
        bucket = bits >> down
        if fill:
            place = i - k + 1
            entries[heads[bucket]] = ((bits << up) & ~low) | np.uint64(2 * place + (backward < forward))
            if forward == backward:
                kinds[place] = PALINDROME
        heads[bucket] += 1


@jit
def sort_entries(entries: Words, ends: Counts, lo: int, hi: int, room: Words, counts: Counts) -> None:
    """Sort the buckets ``lo`` to ``hi`` in place.

    Args:
        ends: int64: end of each bucket. room: scratch of the size of the largest bucket. counts: int64, shape (4097,).
    """
    for b in range(lo, hi):
        start = ends[b - 1] if b else 0
        size = ends[b] - start
        if size:
            sort_bucket(entries, start, size, _WORD, room, counts)
            entries[start : ends[b]] = room[:size]


@jit_callee_no_nrt
def common(text, i, other, j, enough):  # type: ignore[no-untyped-def]
    """Return the length of the common run of letters from ``i`` and ``j`` on; it may stop at ``enough``."""
    at = 0
    while at < enough:
        differs = load_u64(text, i + at) ^ load_u64(other, j + at)
        if differs != 0:
            return at + np.int64(trailing_zeros(differs) >> np.uint64(3))
        at += 8
    return at


@jit
def mark_kinds(
    entries: Words, lo: int, hi: int, text: Letters, complement: Letters, n: int, k: int, place_bits: int,
    max_copies: int, kinds: Letters,
) -> Any:  # fmt: skip
    """Write the kind of each position to ``kinds``; return the number of skipped positions of A.

    Args:
        entries: sorted; ``entries[lo:hi]`` has all or none of the equal k-mers.
        n: letters of A.
    """
    one, down, behind_a = np.uint64(1), np.uint64(place_bits), PAD + n
    mask, size, left_out = (np.uint64(1) << down) - one, text.size, 0
    end = lo
    for start in range(lo, hi):
        if start < end:
            continue
        # Of the entries of one hash those with the k-mer of the first one come first; nearly always these are all.
        first, of_a, end = entries[start], 0, start
        place = np.int64((first & mask) >> one)
        for x in range(start, hi):
            entry = entries[x]
            if entry >> down != first >> down:
                break
            other = np.int64((entry & mask) >> one)
            if (entry ^ first) & one:
                if common(text, place, complement, size - k - other, k) < k:
                    continue
            elif common(text, place, text, other, k) < k:
                continue
            entries[x] = entries[end]
            entries[end] = entry
            end += 1
            of_a += int(other < behind_a)
        of_b = end - start - of_a
        kind = OTHER
        if of_a and of_b:
            kind = UNIQUE if end - start == 2 else REPEATED
            if max(of_a, of_b) > max_copies:
                kind = LEFT_OUT
                left_out += of_a
        for x in range(start, end):
            at = np.int64((entries[x] & mask) >> one)
            kinds[at] = (kinds[at] & PALINDROME) | kind
    return left_out
