"""Kawanami and Fujimoto's column step (section 2.4) in words of 64 rows: for inputs or tiles too small for vectors.

Several columns are interleaved, each one word behind the previous one, so that none waits for carries.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt

TOP = np.uint64(63)


@jit_callee_no_nrt
def step(x, match, carry):  # type: ignore[no-untyped-def]
    """Return a word of rows after one more column, and the carry out of its top bit."""
    both = x & match
    total = x + both + carry
    return total | (x ^ both), (both | (x & ~total)) >> TOP


@jit_callee_no_nrt
def all_columns(match, codes, v):  # type: ignore[no-untyped-def]
    """Process all columns for the rows ``v``; the upper border is zero.

    Args:
        match: uint64, shape (codes, words): match masks of the rows.
    """
    n = codes.size - codes.size % 4
    for j in range(0, n, 4):
        m0, m1, m2, m3 = match[codes[j]], match[codes[j + 1]], match[codes[j + 2]], match[codes[j + 3]]
        c0 = c1 = c2 = c3 = np.uint64(0)
        for w in range(v.size):
            x, c0 = step(v[w], m0[w], c0)
            x, c1 = step(x, m1[w], c1)
            x, c2 = step(x, m2[w], c2)
            x, c3 = step(x, m3[w], c3)
            v[w] = x
    for j in range(n, codes.size):
        m0, c0 = match[codes[j]], np.uint64(0)
        for w in range(v.size):
            v[w], c0 = step(v[w], m0[w], c0)


@jit_callee_no_nrt
def columns_logged(match, codes, v, carries, seen):  # type: ignore[no-untyped-def]
    """Process all columns for the rows ``v``, logging them to ``seen`` per column.

    Args:
        carries: uint64, one per column: input from above, 0 or 1.
    """
    n_words, n = np.int64(v.size), codes.size
    for j in range(0, n - 1, 2):
        m0, m1, c0, c1 = match[codes[j]], match[codes[j + 1]], carries[j], carries[j + 1]
        for w in range(n_words):
            at, after = np.uint64(j * n_words + w), np.uint64((j + 1) * n_words + w)  # or it would ask for the sign
            x, c0 = step(v[w], m0[w], c0)
            seen[at] = x
            x, c1 = step(x, m1[w], c1)
            seen[after] = x
            v[w] = x
    if n % 2:
        m0, c0, at = match[codes[n - 1]], carries[n - 1], (n - 1) * n_words
        for w in range(n_words):
            v[w], c0 = step(v[w], m0[w], c0)
            seen[at + w] = v[w]
