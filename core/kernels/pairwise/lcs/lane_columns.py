"""Kawanami and Fujimoto's column step in the lanes of a vector, staggered as in
``core.kernels.pairwise.edit.lane_columns``: for
tiles of a walk."""

from __future__ import annotations

import numpy as np

from core.jit.decorators import jit_callee
from core.jit.lane_ops import gather_rows, plus, shift_lanes_up, top_bits, with_lane
from core.jit.simd import LANES, broadcast, store

TOP_AT, ONES = np.uint64(63), ~np.uint64(0)


@jit_callee
def columns_logged(match, rows, v, carries, seen):  # type: ignore[no-untyped-def]
    """Bring at most ``KEY_BITS`` rows past all columns and write them to ``seen`` step by step.

    Those of word w after column j are at ``(j + w) * LANES + w``.

    Args:
        match: uint64, shape (any, LANES): where a letter occurs among the rows.
        rows: of ``match``: int64, that of column j at ``columns + LANES - 1 - j``, and ``LANES`` of letters that occur
            nowhere at either end.
        v: uint64, one a word: the rows before the first column. carries: one a column, what enters from above, 0 or 1.
    """
    n = carries.size
    V, C = broadcast(ONES), broadcast(np.uint64(0))
    for t in range(n + LANES - 1):
        if t < v.size:
            V = with_lane(V, t, v[t])
        both = V & gather_rows(match, rows, n + LANES - 1 - t)
        carry = top_bits(shift_lanes_up(C, carries[min(t, n - 1)] << TOP_AT))
        total = plus(plus(V, both), carry)
        C = both | (V & ~total)
        V = total | (V ^ both)
        store(seen, t * LANES, V)
