"""Kusudo, Ino and Hagihara's own loop: one stream, one word of 256 bits, a test at every letter. See
``wavediff.core.sequences.cyclic_layout`` for
the layout."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.kernels.search.scan import BASE, BEGIN, BLOCK, BLOCKS, END, FIRST, FOUND, STAGE, SYMBOLS, _report


@jit
def scan_paper(symbols, text, group, shift, search, found, state, at, before):  # type: ignore[no-untyped-def]
    """Twin of ``scan.scan`` for a group of ``wavediff.core.sequences.cyclic_layout.cyclic_automaton``; ``state`` has 4
    words."""
    table, start, owner, _ = group
    q = np.uint64(shift)
    rest = np.uint64(64) - q
    room = 32
    first, n = at[FIRST], at[SYMBOLS]
    if at[STAGE] == BEGIN:
        for w in range(4):
            state[w] = start[w]
        at[BLOCK] = -min(before, first)
        at[STAGE] = BLOCKS
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    i, capacity = at[BLOCK], found[0].size
    while i < n and at[FOUND] + room <= capacity:
        row = int(symbols[first + i]) * 4
        s3 = (s3 << q) | (s2 >> rest) | table[row + 3]
        s2 = (s2 << q) | (s1 >> rest) | table[row + 2]
        s1 = (s1 << q) | (s0 >> rest) | table[row + 1]
        s0 = (s0 << q) | table[row]
        reached = ~s3 >> np.uint64(32)
        i += 1
        if i > 0:
            while reached != 0:
                who = owner[224 + trailing_zeros(reached)]
                reached &= reached - np.uint64(1)
                _report(at[BASE] + first + i, who, text, search, found, at)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    at[BLOCK] = i
    if i >= n:
        at[STAGE] = END
