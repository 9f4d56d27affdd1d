"""Kawanami and Fujimoto's column step in vector lanes, staggered as in
``wavediff.core.kernels.pairwise.edit.lane_columns``: for small matrices and traceback tiles."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.lane_ops import gather_rows, lane_of, last_lane, plus, shift_lanes_up, top_bits, with_lane
from wavediff.core.jit.simd import LANES, broadcast, store

TOP_AT, ONES = np.uint64(63), ~np.uint64(0)


@jit_callee_no_nrt
def columns_logged(match, rows, v, carries, seen):  # type: ignore[no-untyped-def]
    """Process up to ``BITS`` rows over all columns; log them to ``seen`` unless None.

    The bits of word w after column j are at ``(j + w) * LANES + w``.

    Args:
        match: uint64, shape (any, LANES): match masks of the rows.
        rows: int64, row of ``match`` for column j at ``columns + LANES - 1 - j``; at both ends ``LANES`` rows of a
            letter that does not occur.
        v: uint64, one per word: the rows before the first column; updated to those after the last.
        carries: one per column, 0 or 1: input from above; updated to the output of the last lane.
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
        if seen is not None:
            store(seen, t * LANES, V)
        if t >= LANES - 1:
            carries[t - LANES + 1] = last_lane(C) >> TOP_AT
        if 0 <= t - n + 1 < v.size:
            v[t - n + 1] = lane_of(V, t - n + 1)
