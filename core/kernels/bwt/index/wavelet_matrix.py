"""The last column as a wavelet matrix: rank of any letter with one access per bit of a code.

Source: Claude and Navarro, The wavelet matrix (2012); Vigna, Broadword implementation of rank (2008). A level stores
one bit of each letter; the next level has the letters with 0 before those with 1. Counts and bits share a cache line,
so a lookup is one memory access.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import popcount
from wavediff.core.jit.unaligned import prefetch_line
from wavediff.core.jobs.bwt_result import BLOCK_BITS, BLOCK_WORDS, HEAD_WORDS, RankMatrix
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

LANES = 24  # queries that go side by side
NO_CODE = 255  # of a letter that does not occur; with 256 letters every byte occurs


@jit
def write_bits(codes: Letters, bit: int, lo: int, hi: int, blocks: Words, base: int) -> None:
    """Set the bits of ``codes[lo:hi]`` in the level at ``base``, which must be 0 before."""
    for i in range(lo, hi):
        value = np.uint64((codes[i] >> bit) & 1)
        block = i // BLOCK_BITS
        blocks[base + block * BLOCK_WORDS + HEAD_WORDS + (i - block * BLOCK_BITS) // 64] |= value << np.uint64(i & 63)


@jit
def count_blocks(blocks: Words, base: int, lo: int, hi: int, total: int) -> int:
    """Write the counts of blocks ``lo`` to ``hi``, starting with ``total``; return the sum after them."""
    for k in range(lo, hi):
        at = base + k * BLOCK_WORDS
        blocks[at] = total
        inside, packed = 0, np.uint64(0)
        for w in range(BLOCK_WORDS - HEAD_WORDS):
            packed |= np.uint64(inside) << np.uint64(9 * w)
            inside += popcount(blocks[at + HEAD_WORDS + w])
        blocks[at + 1] = packed
        total += inside
    return total


@jit
def partition_bits(codes: Letters, bit: int, lo: int, hi: int, at: Counts, out: Letters) -> None:
    """Partition ``codes[lo:hi]`` by a bit into ``out``: zeros from ``at[0]``, ones from ``at[1]``."""
    for i in range(lo, hi):
        value = (codes[i] >> bit) & 1
        out[at[value]] = codes[i]
        at[value] += 1


@jit
def mark_rows(suffixes: Positions, every: int, lo: int, hi: int, marks: Words, samples: Positions, count: int) -> int:
    """Mark the rows ``lo`` to ``hi`` with sampled positions; store these positions, and return their number."""
    for row in range(lo, hi):
        p = suffixes[row]
        if p % every == 0:
            block = row // BLOCK_BITS
            marks[block * BLOCK_WORDS + HEAD_WORDS + (row - block * BLOCK_BITS) // 64] |= np.uint64(1) << np.uint64(
                row & 63
            )
            samples[count] = p // every
            count += 1
    return count


@jit_callee
def rank(blocks: Words, base: int, i: int) -> int:
    """Return the number of ones in the first ``i`` bits of the level at ``base``."""
    block = i // BLOCK_BITS
    at, rest = base + block * BLOCK_WORDS, i - block * BLOCK_BITS
    word = rest // 64
    before = blocks[at] + ((blocks[at + 1] >> np.uint64(9 * word)) & np.uint64(511))
    below = (np.uint64(1) << np.uint64(rest & 63)) - np.uint64(1)
    return np.int64(before) + popcount(blocks[at + HEAD_WORDS + word] & below)  # type: ignore[no-any-return]


@jit_callee
def _step_back(matrix: RankMatrix, rows: Counts, n: int, code: Counts) -> None:
    """Replace each of the first ``n`` rows by the row of the preceding letter (undefined for the whole text).

    All rows descend level by level together to overlap memory latency.
    """
    words, bits_each, words_each = matrix.words, np.uint64(BLOCK_BITS), np.uint64(BLOCK_WORDS)
    for x in range(n):
        rows[x] -= rows[x] > matrix.primary
        code[x] = 0
    for level in range(matrix.levels):
        base, zeros = np.uint64(level * matrix.stride), np.uint64(matrix.zeros[level])
        following = base + np.uint64(matrix.stride if level + 1 < matrix.levels else 0)
        for x in range(n):
            i = np.uint64(rows[x])
            block = i // bits_each
            rest = i - block * bits_each
            at, word = base + block * words_each, rest >> np.uint64(6)
            bits, shift = words[at + np.uint64(HEAD_WORDS) + word], rest & np.uint64(63)
            before = words[at] + ((words[at + np.uint64(1)] >> np.uint64(9) * word) & np.uint64(511))
            above = before + np.uint64(popcount(bits & ((np.uint64(1) << shift) - np.uint64(1))))
            bit = bits >> shift & np.uint64(1)
            i += bit * (zeros + above + above - i) - above
            prefetch_line(words, following + i // bits_each * words_each)
            rows[x], code[x] = i, 2 * code[x] + np.int64(bit)
    for x in range(n):
        rows[x] += matrix.offsets[code[x]]


@jit
def search_patterns(
    matrix: RankMatrix, codes: Letters, ends: Counts, lo: int, hi: int, seed: int, seeds: Positions, lows: Counts,
    highs: Counts,
) -> None:  # fmt: skip
    """Narrow the intervals of patterns ``lo`` to ``hi``, ``LANES`` interleaved to hide memory latency.

    Args:
        codes: concatenated patterns; ``ends``, shape (patterns + 1,): start of each.
        seed, seeds: length of words with known intervals, and the intervals (see ``BwtIndex.seeds``); 0: none.
        lows, highs: initial intervals without a seed, e.g. all rows; equal if nothing is found.
    """
    ranks, stride, levels, zeros, offsets, primary = matrix
    low, high = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    left, who = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    letter = np.empty(LANES, np.int64)
    for first in range(lo, hi, LANES):
        busy = 0
        for q in range(first, min(first + LANES, hi)):
            size = ends[q + 1] - ends[q]
            who[busy], left[busy] = q, size
            low[busy], high[busy] = lows[q], highs[q]
            if seed and size >= seed:
                word, known = 0, True
                for i in range(ends[q + 1] - seed, ends[q + 1]):
                    known &= codes[i] < offsets.size
                    word = word * offsets.size + codes[i]
                if known:
                    prefetch_line(seeds, 2 * word)
                    left[busy], low[busy] = size - seed, -1 - word
            busy += 1
        for x in range(busy):
            if low[x] < 0:
                word = -1 - low[x]
                low[x], high[x] = seeds[2 * word], seeds[2 * word + 1]
        while busy:
            still = 0
            for x in range(busy):
                q = who[x]
                if left[x] == 0 or low[x] >= high[x]:
                    lows[q], highs[q] = low[x], max(low[x], high[x])
                    continue
                code = codes[ends[q] + left[x] - 1]
                if code == NO_CODE and offsets.size < 256:
                    lows[q] = highs[q] = 0
                    continue
                i, j = low[x] - (low[x] > primary), high[x] - (high[x] > primary)
                prefetch_line(ranks, i // BLOCK_BITS * BLOCK_WORDS)
                prefetch_line(ranks, j // BLOCK_BITS * BLOCK_WORDS)
                who[still], left[still], letter[still] = q, left[x] - 1, code
                low[still], high[still] = i, j
                still += 1
            busy = still
            for level in range(levels):
                base, following = level * stride, (level + 1) * stride
                for x in range(busy):
                    i, j = low[x], high[x]
                    above_i, above_j = rank(ranks, base, i), rank(ranks, base, j)
                    if (letter[x] >> (levels - 1 - level)) & 1:
                        i, j = zeros[level] + above_i, zeros[level] + above_j
                    else:
                        i, j = i - above_i, j - above_j
                    if level + 1 < levels:
                        prefetch_line(ranks, following + i // BLOCK_BITS * BLOCK_WORDS)
                        prefetch_line(ranks, following + j // BLOCK_BITS * BLOCK_WORDS)
                    low[x], high[x] = i, j
            for x in range(busy):
                low[x] += offsets[letter[x]]
                high[x] += offsets[letter[x]]


@jit
def locate(
    matrix: RankMatrix, marks: Words, samples: Positions, every: int, lows: Counts, offsets: Counts, first: int,
    last: int, out: Positions,
) -> bool:  # fmt: skip
    """Write the positions of hits ``first`` to ``last``: LF steps to the next sampled position.

    Args:
        lows, offsets: first row and first hit of each pattern; its other hits are in the following rows.

    Returns:
        False if a hit needs more than ``every`` steps: the samples do not belong to these ranks.
    """
    row, who, steps = np.empty(LANES, np.int64), np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    code, busy, hit = np.empty(LANES, np.int64), 0, first
    pattern = np.searchsorted(offsets, first, side="right") - 1
    while busy or hit < last:
        while busy < LANES and hit < last:
            while offsets[pattern + 1] <= hit:
                pattern += 1
            row[busy], who[busy], steps[busy] = lows[pattern] + hit - offsets[pattern], hit, 0
            prefetch_line(marks, row[busy] // BLOCK_BITS * BLOCK_WORDS)
            busy, hit = busy + 1, hit + 1
        still = 0
        for x in range(busy):
            r = row[x]
            block = r // BLOCK_BITS
            word = marks[block * BLOCK_WORDS + HEAD_WORDS + (r - block * BLOCK_BITS) // 64]
            if (word >> np.uint64(r & 63)) & np.uint64(1):
                out[who[x]] = samples[rank(marks, 0, r)] * every + steps[x]
                continue
            if steps[x] + 1 == every:
                return False
            prefetch_line(matrix.words, (r - (r > matrix.primary)) // BLOCK_BITS * BLOCK_WORDS)
            row[still], who[still], steps[still] = r, who[x], steps[x] + 1
            still += 1
        busy = still
        _step_back(matrix, row, busy, code)
        for x in range(busy):
            prefetch_line(marks, row[x] // BLOCK_BITS * BLOCK_WORDS)
    return True


@jit
def lf_step(matrix: RankMatrix, rows: Counts, out: Counts) -> None:
    """Write the row of the preceding letter for each of ``rows``; 0 for the whole text."""
    code = np.empty(LANES, np.int64)
    for first in range(0, rows.size, LANES):
        n = min(LANES, rows.size - first)
        some = out[first : first + n]
        some[:] = rows[first : first + n]
        _step_back(matrix, some, n, code)
        for x in range(n):
            if rows[first + x] == matrix.primary:
                some[x] = 0


@jit
def marked_row(marks: Words, before: int) -> int:
    """Return the row of mark number ``before`` (0-based), or -1."""
    low, high = 0, marks.size // BLOCK_WORDS - 1
    while low < high:
        middle = (low + high + 1) // 2
        if np.int64(marks[middle * BLOCK_WORDS]) <= before:
            low = middle
        else:
            high = middle - 1
    left = before - np.int64(marks[low * BLOCK_WORDS])
    for bit in range(BLOCK_BITS):
        word = marks[low * BLOCK_WORDS + HEAD_WORDS + bit // 64]
        if (word >> np.uint64(bit & 63)) & np.uint64(1):
            if left == 0:
                return low * BLOCK_BITS + bit
            left -= 1
    return -1
