"""Myers' column step with one 64-row word per SIMD lane, staggered by a column: small matrices, traceback tiles.

Word w is at column ``t - w`` at time t (Sudo and Shinohara, Fig. 2), so carries between words move by one lane per
step: ``LANES`` words take the time of one.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.lane_ops import (
    gather_rows,
    lane_of,
    last_lane,
    plus,
    shift_lanes_up,
    shift_left_lanes,
    top_bits,
    with_lane,
)
from wavediff.core.jit.simd import LANES, broadcast, or_nor, store

TOP_AT, ONES = np.uint64(63), ~np.uint64(0)


@jit_callee_no_nrt
def _step(equal, VP, VN, HP, HN, up, down):  # type: ignore[no-untyped-def]
    """Process one column in each lane; ``up`` and ``down``: words whose top bits enter the first one."""
    hp_above, hn_above = shift_lanes_up(HP, up), shift_lanes_up(HN, down)
    reached = equal | top_bits(hn_above)
    D0 = (plus(reached & VP, VP) ^ VP) | reached | VN
    HP, HN = or_nor(VN, D0, VP), D0 & VP
    up, down = shift_left_lanes(HP, hp_above), shift_left_lanes(HN, hn_above)
    return or_nor(down, D0, up), D0 & up, HP, HN, D0


@jit_callee_no_nrt
def columns_logged(match, rows, vps, vns, ups, downs, seen, zeros):  # type: ignore[no-untyped-def]
    """Process up to ``BITS`` rows over all columns; log VP to ``seen`` and D0 to ``zeros`` unless None.

    The bits of word w after column j are at ``(j + w) * LANES + w``.

    Args:
        match: uint64, shape (any, LANES): match masks of the rows.
        rows: int64, row of ``match`` for column j at ``columns + LANES - 1 - j``; at both ends ``LANES`` rows of a
            letter that does not occur.
        vps, vns: uint64, one per word: the rows before the first column; updated to those after the last.
        ups, downs: one per column, 0 or 1: input from above; updated to the output of the last lane.
    """
    n = ups.size
    VP, VN = broadcast(ONES), broadcast(np.uint64(0))  # as a lane that has not begun, and matches nothing, stays
    HP, HN = broadcast(np.uint64(0)), broadcast(np.uint64(0))
    for t in range(n + LANES - 1):
        if t < vps.size:
            VP, VN = with_lane(VP, t, vps[t]), with_lane(VN, t, vns[t])
        column = min(t, n - 1)
        up, down = ups[column] << TOP_AT, downs[column] << TOP_AT
        VP, VN, HP, HN, D0 = _step(gather_rows(match, rows, n + LANES - 1 - t), VP, VN, HP, HN, up, down)
        if seen is not None:
            store(seen, t * LANES, VP)
            store(zeros, t * LANES, D0)
        if t >= LANES - 1:
            ups[t - LANES + 1], downs[t - LANES + 1] = last_lane(HP) >> TOP_AT, last_lane(HN) >> TOP_AT
        if 0 <= t - n + 1 < vps.size:
            vps[t - n + 1], vns[t - n + 1] = lane_of(VP, t - n + 1), lane_of(VN, t - n + 1)
