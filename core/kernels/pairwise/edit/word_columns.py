"""Myers' column step in Hyyro's form (Sudo and Shinohara, section 2.1) in words of 64 rows: for inputs or tiles too
small for vectors.

Two columns are interleaved, the second one word behind, so that it does not wait for the carries of the first.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt

ONE, TOP = np.uint64(1), np.uint64(63)


@jit_callee_no_nrt
def step(vp, vn, equal, up, down):  # type: ignore[no-untyped-def]
    """Return VP, VN, the steps up and down below the word (0 or 1), and D0 after one column."""
    xv = equal | vn
    equal |= down
    d0 = (((equal & vp) + vp) ^ vp) | equal | vn
    hp = vn | ~(d0 | vp)
    hn = d0 & vp
    p, n = (hp << ONE) | up, (hn << ONE) | down
    return n | ~(xv | p), p & xv, hp >> TOP, hn >> TOP, d0


@jit_callee_no_nrt
def all_columns(match, codes, vps, vns, top):  # type: ignore[no-untyped-def]
    """Process all columns for the rows.

    Args:
        match: uint64, shape (codes, words): match masks of the rows.
        top: 1 if the row above grows by one per column, 0 if it is constant.
    """
    n = codes.size - codes.size % 2
    for j in range(0, n, 2):
        m0, m1 = match[codes[j]], match[codes[j + 1]]
        p0, p1, n0, n1 = top, top, np.uint64(0), np.uint64(0)
        for w in range(vps.size):
            vp, vn, p0, n0, _ = step(vps[w], vns[w], m0[w], p0, n0)
            vps[w], vns[w], p1, n1, _ = step(vp, vn, m1[w], p1, n1)
    for j in range(n, codes.size):
        m0, p0, n0 = match[codes[j]], top, np.uint64(0)
        for w in range(vps.size):
            vps[w], vns[w], p0, n0, _ = step(vps[w], vns[w], m0[w], p0, n0)


@jit_callee_no_nrt
def columns_logged(match, codes, vps, vns, ups, downs, seen, zeros):  # type: ignore[no-untyped-def]
    """Process all columns; log VP to ``seen`` and D0 to ``zeros`` per column.

    Args:
        ups, downs: uint64, one per column: input from above, 0 or 1.
    """
    n_words, n = np.int64(vps.size), codes.size
    for j in range(0, n - 1, 2):
        m0, m1, p0, p1, n0, n1 = match[codes[j]], match[codes[j + 1]], ups[j], ups[j + 1], downs[j], downs[j + 1]
        for w in range(n_words):
            at, after = np.uint64(j * n_words + w), np.uint64((j + 1) * n_words + w)  # or it would ask for the sign
            vp, vn, p0, n0, d0 = step(vps[w], vns[w], m0[w], p0, n0)
            seen[at] = vp
            zeros[at] = d0
            vp, vn, p1, n1, d0 = step(vp, vn, m1[w], p1, n1)
            seen[after] = vp
            zeros[after] = d0
            vps[w] = vp
            vns[w] = vn
    if n % 2:
        m0, p0, n0, at = match[codes[n - 1]], ups[n - 1], downs[n - 1], (n - 1) * n_words
        for w in range(n_words):
            vps[w], vns[w], p0, n0, d0 = step(vps[w], vns[w], m0[w], p0, n0)
            seen[at + w] = vps[w]
            zeros[at + w] = d0
