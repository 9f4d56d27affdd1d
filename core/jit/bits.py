"""Dense codes and bit planes of letters: host part of all bit-parallel kernels.

Letters in both sequences get codes 0, 1, 2... by falling frequency. Letters of A only share one further code, those of
B only another, since they never match. So p = ceil(log2(codes)) planes decide equality, no byte value is reserved, and
inputs with all 256 values work. Frequent letters have low codes: a piece without rare ones needs the low planes only.

Layouts (``LANES``, ``KEY_BITS`` of ``wavediff.core.jit.simd``; a *group* is ``GROUP_COLUMNS`` neighbouring columns):

- rows: a strip of ``BITS * depth`` letters of A, bit b of vector r is letter ``b * depth + r``; a
  *stripe* is the ``depth`` letters of one bit. uint64, shape ``(planes, depth, LANES)`` flattened.
- columns: B as ``COLUMNS * planes`` bit streams of ``words`` words; bit ``groups + BITS - g`` of a stream
  belongs to group g, that is reversed, so that one window serves stripes each a group behind the last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words, letter_type
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD, popcount, trailing_zeros
from wavediff.core.jit.unaligned import letter_shift, letters_of_word, load_u64

GROUP_COLUMNS = 2
UPPER, LOWER = (slice(ord(first), ord(last) + 1) for first, last in ("AZ", "az"))
N_COMMON_CODES = 4  # codes below this are the common ones: two planes


# Planes of more codes than there are bytes: few numbers, as everything is compiled for each.
WIDE_PLANES = (12, 16, 21, 26, 32)


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """Dense codes of two sequences.

    Attributes:
        table: shape (256,), longer for letters wider than bytes: code of each letter; uint8, wider for more than 256
            codes.
        n_codes: codes in use.
        n_shared: codes below this belong to letters of both.
    """

    table: Letters
    n_codes: int
    n_shared: int

    @property
    def planes(self) -> int:
        return planes_for(self.n_codes)


def planes_for(n_codes: int) -> int:
    """Return the number of bit planes for ``n_codes`` codes; above 256 with spare ones."""
    planes = max(1, (n_codes - 1).bit_length())
    return planes if planes <= 8 else next(more for more in WIDE_PLANES if planes <= more)


def count_bytes(letters: Letters) -> Counts:
    """Return the count of each byte, int64, shape (256,)."""
    parts = np.zeros((4, 256), np.int64)  # four tables: runs of one letter do not wait for their own sums
    _count_bytes(letters, parts)
    total: Counts = parts[0]
    return total


@jit_no_nrt
def _count_bytes(letters: Letters, parts: Counts) -> None:
    n = letters.size - letters.size % 4
    for i in range(0, n, 4):
        parts[0, letters[i]] += 1
        parts[1, letters[i + 1]] += 1
        parts[2, letters[i + 2]] += 1
        parts[3, letters[i + 3]] += 1
    for i in range(n, letters.size):
        parts[0, letters[i]] += 1
    for code in range(256):
        parts[0, code] += parts[1, code] + parts[2, code] + parts[3, code]


def dense_code(counts_a: Counts, counts_b: Counts, fold_case: bool) -> Code:
    """Return the code for sequences with these letter counts (int64, shape (256,) or longer)."""
    if fold_case:
        counts_a, counts_b = _as_upper(counts_a), _as_upper(counts_b)
    in_a, in_b = counts_a > 0, counts_b > 0
    shared = np.flatnonzero(in_a & in_b)
    shared = shared[np.argsort(-(counts_a + counts_b)[shared], kind="stable")]
    alone = [only for only in (in_a & ~in_b, in_b & ~in_a) if only.any()]
    table: Letters = np.zeros(counts_a.size, letter_type(shared.size + len(alone)))
    table[shared] = np.arange(shared.size)
    n_codes = shared.size
    for only in alone:
        table[only] = n_codes
        n_codes += 1
    if fold_case:
        table[LOWER] = table[UPPER]
    return Code(table, n_codes, int(shared.size))


def _as_upper(counts: Counts) -> Counts:
    out = counts.copy()
    out[UPPER] += out[LOWER]
    out[LOWER] = 0
    return out


@jit_no_nrt
def encode(letters: Letters, table: Letters, out: Letters) -> None:
    """Encode letters into ``out`` (same shape)."""
    for i in range(letters.size):
        out[i] = table[letters[i]]


@jit_no_nrt
def fold_letters(letters: Letters, out: Letters) -> None:
    """Copy letters to ``out`` (uint8, same shape) with a-z as A-Z."""
    for i in range(letters.size):
        letter = letters[i]
        out[i] = letter - np.uint8(32 * (np.uint8(letter - np.uint8(97)) < np.uint8(26)))


@jit_no_nrt
def encode_pair(
    a: Letters, b: Letters, codes_a: Letters, codes_b: Letters, table: Letters, counts: Counts
) -> tuple[int, int]:
    """Encode two short sequences in one call, with the codes of ``dense_code``.

    Args:
        codes_a, codes_b: output of the codes. table: uint8, shape (256,), zeros. counts: int64, shape (9, 256), zeros.

    Returns:
        (n_codes, n_shared) of ``Code``.
    """
    _count_bytes(a, counts[:4])
    _count_bytes(b, counts[4:8])
    in_a, in_b, order = counts[0], counts[4], counts[8]
    n_shared = 0
    for letter in range(256):
        if in_a[letter] > 0 and in_b[letter] > 0:
            k, total = n_shared, in_a[letter] + in_b[letter]
            while k > 0 and in_a[order[k - 1]] + in_b[order[k - 1]] < total:
                order[k] = order[k - 1]
                k -= 1
            order[k] = letter
            n_shared += 1
    for k in range(n_shared):
        table[order[k]] = k
    n_codes = n_shared
    for own in range(0, 8, 4):
        is_used = 0
        for letter in range(256):
            if counts[own, letter] > 0 and counts[4 - own, letter] == 0:
                table[letter], is_used = n_codes, 1
        n_codes += is_used
    encode(a, table, codes_a)
    encode(b, table, codes_b)
    return n_codes, n_shared


@jit_no_nrt
def common_prefix(a: Letters, b: Letters) -> int:
    """Return the length of the common prefix of ``a`` and ``b``."""
    n, i = min(a.size, b.size), np.int64(0)
    step = letters_of_word(a)
    while i + 4 * step <= n and not _differs(a, b, i, i):
        i += 4 * step
    while i + step <= n:
        differs = load_u64(a, i) ^ load_u64(b, i)
        if differs != 0:
            return int(i + (trailing_zeros(differs) >> letter_shift(a)))
        i += step
    while i < n and a[i] == b[i]:
        i += 1
    return int(i)


@jit_no_nrt
def common_suffix(a: Letters, b: Letters) -> int:
    """Return the length of the common suffix of ``a`` and ``b``."""
    n, m = a.size, b.size
    i, most = np.int64(0), min(n, m)
    step = letters_of_word(a)
    while i + 4 * step <= most and not _differs(a, b, n - i - 4 * step, m - i - 4 * step):
        i += 4 * step
    while i + step <= most and load_u64(a, n - i - step) == load_u64(b, m - i - step):
        i += step
    while i < most and a[n - 1 - i] == b[m - 1 - i]:
        i += 1
    return int(i)


@jit_callee_no_nrt
def _differs(a, b, i, j):  # type: ignore[no-untyped-def]
    step = letters_of_word(a)
    near = (load_u64(a, i) ^ load_u64(b, j)) | (load_u64(a, i + step) ^ load_u64(b, j + step))
    i, j = i + 2 * step, j + 2 * step
    far = (load_u64(a, i) ^ load_u64(b, j)) | (load_u64(a, i + step) ^ load_u64(b, j + step))
    return (near | far) != 0


@jit_no_nrt
def popcount_prefix(words: Words, n: int) -> int:
    """Return the one bits among the first ``n`` bits of ``words``."""
    total = 0
    for w in range(n // WORD):
        total += popcount(words[w])
    if n % WORD:
        total += popcount(words[n // WORD] & ~(~np.uint64(0) << np.uint64(n % WORD)))
    return int(total)


@jit_no_nrt
def pack_rows(codes: Letters, first: int, depth: int, planes: int, out: Words) -> None:
    """Write the strip of ``BITS * depth`` rows from ``first`` to ``out``; padding is code 0."""
    size = depth * LANES
    for p in range(planes):
        for r in range(depth):
            for k in range(LANES):
                out[p * size + r * LANES + k] = 0
    n = codes.size
    for k in range(LANES):
        for r in range(depth):
            at = first + k * WORD * depth + r
            w0 = np.uint64(0)
            w1 = np.uint64(0)
            most = min(WORD, (n - at + depth - 1) // depth)
            for bit in range(most):
                code = np.uint64(codes[at + bit * depth])
                w0 |= (code & np.uint64(1)) << np.uint64(bit)
                w1 |= ((code >> np.uint64(1)) & np.uint64(1)) << np.uint64(bit)
                if code >= N_COMMON_CODES:
                    for p in range(2, planes):
                        out[p * size + r * LANES + k] |= ((code >> np.uint64(p)) & np.uint64(1)) << np.uint64(bit)
            out[r * LANES + k] = w0
            if planes > 1:
                out[size + r * LANES + k] = w1


def stream_words(groups: int) -> int:
    """Return the words of a column stream, including read-ahead."""
    return (groups + 2 * BITS) // WORD + LANES + 2


@jit_no_nrt
def pack_columns(codes: Letters, planes: int, words: int, out: Words, first: int, last: int) -> None:
    """Write groups ``first`` to ``last`` of B to ``out``, uint64, shape ``(COLUMNS * planes * words,)``, zeroed.

    Stream of column c of a group and plane p is number ``c * planes + p``. ``first`` and ``last``
    must not share a word with a group that another thread packs.
    """
    groups, complete = (codes.size + GROUP_COLUMNS - 1) // GROUP_COLUMNS, codes.size // GROUP_COLUMNS
    g = first
    while g < last:
        w, bit = (groups + BITS - g) >> 6, (groups + BITS - g) & 63
        if letters_of_word(codes) == 8 and bit == WORD - 1 and g + WORD <= min(last, complete):
            for p in range(planes):
                even, odd = np.uint64(0), np.uint64(0)
                for j in range(g * GROUP_COLUMNS, (g + WORD) * GROUP_COLUMNS, 8):
                    eight = load_u64(codes, j) >> np.uint64(p)
                    even = even << np.uint64(4) | _every_other(eight)
                    odd = odd << np.uint64(4) | _every_other(eight >> np.uint64(8))
                out[p * words + w], out[(planes + p) * words + w] = even, odd
            g += WORD
            continue
        for j in range(g * GROUP_COLUMNS, min((g + 1) * GROUP_COLUMNS, codes.size)):
            code, stream = np.uint64(codes[j]), (j - g * GROUP_COLUMNS) * planes
            for p in range(planes):
                out[(stream + p) * words + w] |= ((code >> np.uint64(p)) & np.uint64(1)) << np.uint64(bit)
        g += 1


@jit_callee_no_nrt
def _every_other(eight):  # type: ignore[no-untyped-def]
    """Gather the lowest bits of letters 0, 2, 4 and 6 of a word, the last one lowest, without carries."""
    return (eight & np.uint64(0x0001000100010001)) * np.uint64(1 << 63 | 1 << 46 | 1 << 29 | 1 << 12) >> np.uint64(60)


@jit_no_nrt
def rare_prefix_counts(codes: Letters, out: Counts, first: int, last: int) -> None:
    """Write the prefix counts of rare codes, ``out[k]`` for the first ``k * WORD`` codes, from ``first`` to
    ``last``.
    """
    for k in range(first, last):
        rare = 0
        for i in range(k * WORD, min(codes.size, (k + 1) * WORD)):
            rare += codes[i] >= N_COMMON_CODES
        out[k + 1] = out[k] + rare
