"""Extension of shared k-mers to maximal exact matches, each from its first k-mer."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.kernels.exact_matches.kmer_sort import KIND, LEFT_OUT, OTHER, PAD, PALINDROME, UNIQUE, common

A_START, B_START, LENGTH, MINUS, N_UNIQUE = range(5)  # rows of ``found``


@jit_callee_no_nrt
def _is_found_before(text, i, other, j, kinds):  # type: ignore[no-untyped-def]
    """Return whether the match at ``i`` contains an earlier k-mer that is not skipped."""
    while text[i - 1] == other[j - 1]:
        i -= 1
        j -= 1
        if (kinds[i] & KIND) != LEFT_OUT:
            return True
    return False


@jit
def extend_seeds(
    entries: Words, lo: int, hi: int, text: Letters, complement: Letters, n: int, k: int, place_bits: int,
    kinds: Letters, matches: Counts,
) -> Any:  # fmt: skip
    """Write the matches of the k-mers of ``entries[lo:hi]`` to ``matches``, int64, shape (5, room), until it is full.

    Returns:
        The next entry, ``hi`` at the end, and the matches so far; entries of one hash are written together.
    """
    one, down, behind_a, size = np.uint64(1), np.uint64(place_bits), PAD + n, text.size
    mask, n_found, end = (np.uint64(1) << down) - one, 0, lo
    for start in range(lo, hi):
        if start < end:
            continue
        end = start + 1
        while end < hi and entries[end] >> down == entries[start] >> down:
            end += 1
        if end == start + 1:
            continue
        n_before = n_found
        for x in range(start, end):
            i = np.int64((entries[x] & mask) >> one)
            kind = kinds[i]
            if i >= behind_a or (kind & KIND) == OTHER or (kind & KIND) == LEFT_OUT:
                continue
            for y in range(start, end):
                j = np.int64((entries[y] & mask) >> one)
                if j < behind_a:
                    continue
                for minus in range(2):
                    if ((entries[x] ^ entries[y]) & one) != minus and not kind & PALINDROME:
                        continue
                    other, at = (complement, size - k - j) if minus else (text, j)
                    if _is_found_before(text, i, other, at, kinds):
                        continue
                    back = 0
                    while text[i - back - 1] == other[at - back - 1]:
                        back += 1
                    length = common(text, i - back, other, at - back, size)
                    if length - back < k:
                        continue
                    if n_found == matches.shape[1]:
                        return start, n_before
                    first = at - back
                    matches[A_START, n_found] = i - back - PAD
                    matches[B_START, n_found] = (size - first - length if minus else first) - behind_a - 1
                    matches[LENGTH, n_found] = length
                    matches[MINUS, n_found] = minus
                    unique = 0
                    for p in range(i - back, i - back + length - k + 1):
                        unique += (kinds[p] & KIND) == UNIQUE
                    matches[N_UNIQUE, n_found] = unique
                    n_found += 1
    return hi, n_found
