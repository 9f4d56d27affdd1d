"""Matrix rows one by one, 64 columns per word, by additions; independent of block and diagonal kernels.

It checks those kernels and shares no code with them. A step is that of the small-pair kernels, with rows and columns
exchanged.

Source: Myers 1999 in Hyyrö's form (2003) for edits, Crochemore, Iliopoulos, Pinzon and Reid 2001 for insertions and
deletions; whole words inside Ukkonen's band (1985). Outside the band each row and column counts one more, the maximum,
so the value at the end is the cost of some path.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.simd import popcount

ONE, TOP, ZERO, ALL = np.uint64(1), np.uint64(63), np.uint64(0), ~np.uint64(0)
HALVES = (  # shift and mask: bits further apart each time, until there is one between any two
    (np.uint64(16), np.uint64(0x0000FFFF0000FFFF)),
    (np.uint64(8), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(1), np.uint64(0x5555555555555555)),
)


@jit_no_nrt
def fill_match(codes, match, first, last):  # type: ignore[no-untyped-def]
    """Set the bits of letters ``first`` to ``last`` - 1 in ``match``, uint64, shape (codes, words), zeroed."""
    for j in range(first, last):
        match[codes[j], j >> 6] |= ONE << np.uint64(j & 63)


@jit_callee_no_nrt
def _edit_word(p, n, equal, up, down):  # type: ignore[no-untyped-def]
    """Return the rises and falls along the next row, and the steps down its right edge (0 or 1)."""
    x = equal | n
    equal = equal | down
    d0 = (((equal & p) + p) ^ p) | equal | n
    more, less = n | ~(d0 | p), d0 & p
    a, b = (more << ONE) | up, (less << ONE) | down
    return b | ~(x | a), a & x, more >> TOP, less >> TOP


@jit_callee_no_nrt
def _indel_word(x, equal, carry):  # type: ignore[no-untyped-def]
    """Return where the LCS does not grow along the next row, and whether it grows down its right edge."""
    both = x & equal
    total = x + both + carry
    return total | (x ^ both), (both | (x & ~total)) >> TOP


@jit_callee_no_nrt
def _words(i, k, low, high, m):  # type: ignore[no-untyped-def]
    """Return the first and last word of diagonals ``low`` to ``high`` in rows ``i`` to ``i + k - 1``."""
    return (min(max(i + 1 + low, 1), m) - 1) >> 6, (max(min(i + k + high, m), 1) - 1) >> 6


@jit_no_nrt
def edit_rows(rows, match, up, down, low, high, m, first, last, place):  # type: ignore[no-untyped-def]
    """Advance a row of edit distances from ``first`` to ``last``, two rows interleaved.

    Args:
        rows: codes of A, each a row of ``match``.
        up, down: uint64, bits where the row rises and falls between columns; updated.
        low, high: diagonals of the band. m: columns, at least one.
        place: int64, shape (2,): the cost at the start of the band in this row, and the word there; updated.
    """
    left, begin, i = place[0], place[1], first
    while i < last:
        k = min(last - i, 2)
        lo, hi = _words(i, k, low, high, m)
        while begin < lo:
            left += popcount(up[begin]) - popcount(down[begin])
            begin += 1
        left += k
        e0, e1 = match[rows[i]], match[rows[i + k - 1]]
        p0 = p1 = ONE
        n0 = n1 = ZERO
        a, b, p0, n0 = _edit_word(up[np.uint64(lo)], down[np.uint64(lo)], e0[np.uint64(lo)], p0, n0)
        for w in range(lo + 1, hi + 1):
            c, d, p0, n0 = _edit_word(up[np.uint64(w)], down[np.uint64(w)], e0[np.uint64(w)], p0, n0)
            if k == 2:
                a, b, p1, n1 = _edit_word(a, b, e1[np.uint64(w - 1)], p1, n1)
            up[np.uint64(w - 1)], down[np.uint64(w - 1)] = a, b
            a, b = c, d
        if k == 2:
            a, b, p1, n1 = _edit_word(a, b, e1[np.uint64(hi)], p1, n1)
        up[np.uint64(hi)], down[np.uint64(hi)] = a, b
        i += k
    place[0], place[1] = left, begin


@jit_no_nrt
def indel_rows(rows, match, same, low, high, m, first, last, place):  # type: ignore[no-untyped-def]
    """Advance a row of LCS lengths from ``first`` to ``last``; see ``edit_rows``.

    Args:
        same: uint64, bits where the length does not grow between columns; updated.
        place: as in ``edit_rows``, with the length.
    """
    left, begin, i = place[0], place[1], first
    while i < last:
        k = min(last - i, 2)
        lo, hi = _words(i, k, low, high, m)
        while begin < lo:
            left += popcount(~same[begin])
            begin += 1
        e0, e1 = match[rows[i]], match[rows[i + k - 1]]
        c0 = c1 = ZERO
        a, c0 = _indel_word(same[np.uint64(lo)], e0[np.uint64(lo)], c0)
        for w in range(lo + 1, hi + 1):
            b, c0 = _indel_word(same[np.uint64(w)], e0[np.uint64(w)], c0)
            if k == 2:
                a, c1 = _indel_word(a, e1[np.uint64(w - 1)], c1)
            same[np.uint64(w - 1)] = a
            a = b
        if k == 2:
            a, c1 = _indel_word(a, e1[np.uint64(hi)], c1)
        same[np.uint64(hi)] = a
        i += k
    place[0], place[1] = left, begin


@jit_no_nrt
def look_up(letters, table, out, seen):  # type: ignore[no-untyped-def]
    """Write the code of each letter to ``out``, and that it occurs to ``seen``, bool."""
    for i in range(letters.size):
        code = table[letters[i]]
        out[i] = code
        seen[code] = True


@jit_no_nrt
def ones(words, first, end):  # type: ignore[no-untyped-def]
    """Return the set bits of ``words`` from ``first`` to ``end`` - 1."""
    total = np.int64(0)
    for w in range(first >> 6, (end + 63) >> 6):
        word = words[w]
        if w << 6 < first:
            word &= ALL << np.uint64(first & 63)
        if (w + 1) << 6 > end:
            word &= ALL >> np.uint64(64 - (end & 63))
        total += popcount(word)
    return total


@jit_callee_no_nrt
def _spread(bits):  # type: ignore[no-untyped-def]
    """Spread the lower 32 bits of a word, with zeros between."""
    for shift, mask in HALVES:
        bits = (bits | bits << shift) & mask
    return bits


@jit_no_nrt
def join_columns(even, odd, group, out):  # type: ignore[no-untyped-def]
    """Interleave the bits of even and odd columns, from ``group`` (a multiple of a word), into ``out``."""
    at = group >> 6
    for w in range(out.size):
        shift = np.uint64((w & 1) << 5)
        lower = np.uint64(0xFFFFFFFF)
        out[w] = _spread(even[at + (w >> 1)] >> shift & lower) | _spread(odd[at + (w >> 1)] >> shift & lower) << ONE


@jit_callee_no_nrt
def _window(words, k, shift):  # type: ignore[no-untyped-def]
    """Return 64 bits of ``words`` from bit ``shift`` of the ``k``-th."""
    behind = words[np.uint64(min(k + 1, words.size - 1))]
    return words[np.uint64(k)] >> shift | behind << ONE << (TOP - shift)


@jit_callee_no_nrt
def _bit(words, first, lane, stripe):  # type: ignore[no-untyped-def]
    return words[first + lane] >> np.uint64(stripe & 63) & ONE


@jit_callee_no_nrt
def _hand_down(row, stripe, lanes, first, before, after):  # type: ignore[no-untyped-def]
    """Shift the carries of a stripe by one group, as the next stripe lags by one; return whether they match the stored
    ones.

    Args:
        row: uint64, output of the stripe. first: vector of the sign in ``before`` and ``after``, the carries.
    """
    lane, last = stripe >> 6, row[row.size - 1] >> np.uint64(62)
    enters = _bit(before, first, lane, stripe) | _bit(before, first + lanes, lane, stripe) << ONE
    leaves = _bit(after, first, lane, stripe) | _bit(after, first + lanes, lane, stripe) << ONE
    for w in range(row.size - 1, 0, -1):
        row[w] = row[w] << np.uint64(2) | row[w - 1] >> np.uint64(62)
    row[0] = row[0] << np.uint64(2) | enters
    return last == leaves


@jit_no_nrt
def edit_block(rows, match, depth, lanes, up, down, v0, v1, h0, h1):  # type: ignore[no-untyped-def]
    """Compute a block of staggered stripes from its borders; return the number of rows that match the stored ones.

    Args:
        rows: codes of A, each an index into ``match``, whose first bit is the first column of the last stripe.
        depth: rows of a stripe. lanes: words of a vector, each with one bit for 64 stripes.
        up, down: uint64, bits where the row above rises and falls in the columns of the first stripe; updated to those
            of the last stripe, shifted by one group.
        v0, v1: rises of the rows before and after the block; h0, h1: carries out of each stripe at these times.
    """
    sign, carries = v0.size // 2, h0.size // 2
    at, stripe, i = 2 * (64 * lanes - 1), 0, 0
    while i < rows.size:
        shift = np.uint64(at & 63)
        for r in range(min(depth, rows.size - i)):
            equal, lane = match[rows[i + r]], stripe >> 6
            p, n = _bit(v0, r * lanes, lane, stripe), _bit(v0, sign + r * lanes, lane, stripe)
            for w in range(up.size):
                x = np.uint64(w)
                up[x], down[x], p, n = _edit_word(up[x], down[x], _window(equal, (at >> 6) + w, shift), p, n)
            if p != _bit(v1, r * lanes, lane, stripe) or n != _bit(v1, sign + r * lanes, lane, stripe):
                return i + r
        i += depth
        if i > rows.size:
            break
        if not _hand_down(up, stripe, lanes, 0, h0, h1) or not _hand_down(down, stripe, lanes, carries, h0, h1):
            return i - 1
        stripe, at = stripe + 1, at - 2
    return rows.size


@jit_no_nrt
def indel_block(rows, match, depth, lanes, grows, v0, v1, h0, h1):  # type: ignore[no-untyped-def]
    """``edit_block`` for the LCS; ``grows``: where the LCS grows along the row above."""
    at, stripe, i = 2 * (64 * lanes - 1), 0, 0
    while i < rows.size:
        shift = np.uint64(at & 63)
        for r in range(min(depth, rows.size - i)):
            equal, lane = match[rows[i + r]], stripe >> 6
            carry = ONE - _bit(v0, r * lanes, lane, stripe)
            for w in range(grows.size):
                x = np.uint64(w)
                same, carry = _indel_word(~grows[x], _window(equal, (at >> 6) + w, shift), carry)
                grows[x] = ~same
            if carry == _bit(v1, r * lanes, lane, stripe):
                return i + r
        i += depth
        if i > rows.size:
            break
        if not _hand_down(grows, stripe, lanes, 0, h0, h1):
            return i - 1
        stripe, at = stripe + 1, at - 2
    return rows.size
