"""Columns of a table of edit distances with swaps as machine words, as the kernel computes them.

The recurrence is that of ``core/kernels/swap_edit/swap_column.py``, on Python integers: bit i stands for row i + 1.
"""

from __future__ import annotations

import numpy as np

from core.jobs.kept_matrix import WordBits
from core.teach.words import match_mask

SWAP_OPERATIONS = ("down", "across", "D0", "HP", "HN", "VP", "VN")


def swap_words(a: str, b: str) -> WordBits:
    """Return the words of every column, A down.

    Returns:
        uint8 0 or 1, shape (len(a), len(b)) each, by name: ``EQ``: rows with the column's letter; ``down``, ``across``:
        rows where a swap with the column before, or with the row above, costs no more; the others as in Hyyrö 2003.

    >>> swap_words("CA", "ABC")["across"].tolist()
    [[0, 0, 0], [0, 0, 1]]
    """
    n, ones = len(a), (1 << len(a)) - 1
    found = {name: np.zeros((n, len(b)), np.uint8) for name in ("EQ", *SWAP_OPERATIONS)}
    vp, vn, d0, o2, eq_before = ones, 0, 0, 0, 0
    for j, letter in enumerate(b):
        eq = match_mask(a, letter)
        starts = eq & ~d0
        through = vp | starts
        o1 = ((through + starts) ^ through ^ starts) & ones
        down, across = o1 & eq_before, o2 & eq << 1
        reached = eq | down | across
        d0 = (((reached & vp) + vp) ^ vp | reached | vn) & ones
        hp, hn = (vn | ~(d0 | vp)) & ones, d0 & vp
        up, fell = (hp << 1 | 1) & ones, hn << 1 & ones
        o2 = eq & ~(d0 << 1) | o2 & up
        vp, vn, eq_before = (fell | ~(d0 | up)) & ones, d0 & up, eq
        for name, word in zip(found, (eq, down, across, d0, hp, hn, vp, vn), strict=True):
            octets = np.frombuffer(word.to_bytes(-(-n // 8), "little"), np.uint8)
            found[name][:, j] = np.unpackbits(octets, count=n, bitorder="little")
    return found
