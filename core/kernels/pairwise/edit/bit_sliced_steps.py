"""Inner loop of edit distance: one strip of rows over a range of columns, one bit per stripe.

Myers' column step in Hyyro's form (Sudo and Shinohara, section 2.1) has D0, HP, HN, VP, VN and one addition per column.
For one cell, with the differences to the cell above (VP, VN: one more, one less) and to the left (HP, HN), it is ::

    D0  = equal | VN | HN
    HP' = VN | ~(D0 | VP)      HN' = D0 & VP
    VP' = HN | ~(D0 | HP)      VN' = D0 & HP

so ``depth`` rows stored in ``depth`` vectors (bit-sliced) need no addition, and no 128-bit carry as in Sudo and
Shinohara. The stagger is that of ``lcs_steps``. A bit whose group lies outside keeps its rows; its output reaches only
other outside bits.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.lane_ops import expand_mask, load_shifted, movemask, shift_left_lanes
from wavediff.core.jit.simd import (
    BITS,
    LANES,
    load,
    load_bit_planes,
    load_bits,
    mismatch,
    not_or_or,
    or_nor,
    shift_left_carry,
    store,
    top_bit,
)
from wavediff.core.kernels.pairwise.blocks.row_borders import (
    EDGE_ZERO,
    append_carry,
    carry,
    checkpoint_rows,
    outside_mask,
)

STREAMS = 2 * GROUP_COLUMNS  # of a row border: HP of each column of a group, then HN


@jit_callee_no_nrt
def edit_rows(rows, v, B0, B1, E0, E1, P0, P1, N0, N1):  # type: ignore[no-untyped-def]
    """Advance the rows ``v`` of all stripes by a column group; see ``lcs_rows``. VP before VN; returns HP, HN."""
    stride = v.size // 2
    for i in range(0, stride, LANES):
        VP, VN = load(v, i), load(v, stride + i)
        D0 = not_or_or(mismatch(rows, i, stride, B0), VN, N0)
        XP, XN = or_nor(N0, D0, P0), D0 & P0
        P0, N0 = or_nor(VN, D0, VP), D0 & VP
        if E0 is not None:
            XP, XN = (XP & ~E0) | (VP & E0), (XN & ~E0) | (VN & E0)
        D0 = not_or_or(mismatch(rows, i, stride, B1), XN, N1)
        VP, VN = or_nor(N1, D0, P1), D0 & P1
        P1, N1 = or_nor(XN, D0, XP), D0 & XP
        if E1 is not None:
            VP, VN = (VP & ~E1) | (XP & E1), (VN & ~E1) | (XN & E1)
        store(v, i, VP)
        store(v, stride + i, VN)
    return P0, P1, N0, N1


@jit_callee_no_nrt
def log_step(seen, step, v, P0, P1, N0, N1):  # type: ignore[no-untyped-def]
    """Log the carries entering a step, and periodically the rows; see
    ``wavediff.core.kernels.pairwise.blocks.strip.StepLog``.
    """
    at = step * STREAMS * LANES
    store(seen.h, at, P0)
    store(seen.h, at + LANES, P1)
    store(seen.h, at + 2 * LANES, N0)
    store(seen.h, at + 3 * LANES, N1)
    checkpoint_rows(seen, step, v)


def edit_steps(strip, t0, t1, planes, edge, seen):  # type: ignore[no-untyped-def]
    """Compute steps ``t0 <= t < t1`` of one strip; arguments as for ``lcs_steps``, VP before VN, HP before HN."""
    rows, v, h, above, below = strip.rows, strip.v, strip.h, strip.above, strip.below
    lo, hi0, hi1, above_lo, marks = strip.lo, strip.hi0, strip.hi1, strip.above_lo, strip.marks
    plane_bits = strip.n_planes * strip.words * 64
    first_bit = (strip.n_cols + GROUP_COLUMNS - 1) // GROUP_COLUMNS + BITS
    P0, P1, N0, N1 = load(h, 0), load(h, LANES), load(h, 2 * LANES), load(h, 3 * LANES)
    for t in range(t0, t1):
        B0 = load_bit_planes(strip.columns, strip.words, first_bit - t, planes)
        B1 = load_bit_planes(strip.columns, strip.words, first_bit - t + plane_bits, planes)
        if edge is not None:
            left = load_bits(edge, EDGE_ZERO - min(t - lo, BITS))
            E0 = left | ~load_bits(edge, EDGE_ZERO - max(t - hi0, -1))
            E1 = left | ~load_bits(edge, EDGE_ZERO - max(t - hi1, -1))
        group = min(t, hi0 - 1) - above_lo  # past the end nothing is kept of what comes in
        P0 = shift_left_carry(P0, carry(above, STREAMS, 0, group))
        P1 = shift_left_carry(P1, carry(above, STREAMS, 1, group))
        N0 = shift_left_carry(N0, carry(above, STREAMS, 2, group))
        N1 = shift_left_carry(N1, carry(above, STREAMS, 3, group))
        if seen.h.size:
            log_step(seen, t - seen.first, v, P0, P1, N0, N1)
        if edge is None:
            P0, P1, N0, N1 = edit_rows(rows, v, B0, B1, None, None, P0, P1, N0, N1)
        else:
            P0, P1, N0, N1 = edit_rows(rows, v, B0, B1, E0, E1, P0, P1, N0, N1)
        if marks.size:
            at, stream = t - lo, marks.size // STREAMS
            marks[at] = movemask(P0)
            marks[at + stream] = movemask(P1)
            marks[at + 2 * stream] = movemask(N0)
            marks[at + 3 * stream] = movemask(N1)
        group = t - (BITS - 1) - lo
        if group >= 0:
            append_carry(below, STREAMS, 0, group, top_bit(P0))
            append_carry(below, STREAMS, 1, group, top_bit(P1))
            append_carry(below, STREAMS, 2, group, top_bit(N0))
            append_carry(below, STREAMS, 3, group, top_bit(N1))
    store(h, 0, P0)
    store(h, LANES, P1)
    store(h, 2 * LANES, N0)
    store(h, 3 * LANES, N1)


def edit_steps_skewed(strip, lanes, n, planes, edges, seen):  # type: ignore[no-untyped-def]
    """Compute ``n`` steps of one strip with lane offsets; arguments as for ``lcs_steps_skewed``."""
    rows, v, h = strip.rows, strip.v, strip.h
    second = strip.n_planes * lanes.stride
    P0, P1, N0, N1 = load(h, 0), load(h, LANES), load(h, 2 * LANES), load(h, 3 * LANES)
    for u in range(n):
        place = lanes.place - u
        at, amount = -(place >> 6) * LANES, np.uint64(place & 63)
        B0 = load_shifted(lanes.letters, at, lanes.stride, planes, amount)
        B1 = load_shifted(lanes.letters, at + second, lanes.stride, planes, amount)
        P0 = shift_left_lanes(P0, expand_mask(lanes.entering, u))
        P1 = shift_left_lanes(P1, expand_mask(lanes.entering, n + u))
        N0 = shift_left_lanes(N0, expand_mask(lanes.entering, 2 * n + u))
        N1 = shift_left_lanes(N1, expand_mask(lanes.entering, 3 * n + u))
        log_step(seen, u, v, P0, P1, N0, N1)
        if edges is None:
            P0, P1, N0, N1 = edit_rows(rows, v, B0, B1, None, None, P0, P1, N0, N1)
        else:
            outside_mask(lanes.first, u, strip.lo, strip.hi0, strip.hi1, edges)
            P0, P1, N0, N1 = edit_rows(rows, v, B0, B1, load(edges, 0), load(edges, LANES), P0, P1, N0, N1)
