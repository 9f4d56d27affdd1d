"""Inner loop of the LCS: one strip of rows over a range of columns, one bit per stripe.

Kawanami and Fujimoto's column step ``V' = (V + (V & M)) | (V & ~M)`` adds a carry bit to each row. For one cell (v: no
increase from the row above, h: the carry, an increase from the column to the left, m: letters differ) it is ::

    v' = h | (v & m)        h' = v & (h | ~m)

so ``depth`` rows stored in ``depth`` vectors (bit-sliced) need no addition, where the paper needs five rounds of
conditional sums. Bit b of a vector is stripe b of the strip. It works on group ``t - b`` at step t (Sudo and
Shinohara's stagger), so that the output of a stripe's last row enters the first row of the next by a one-bit shift. A
bit whose group lies outside ``lo <= group < hi`` treats all its letters as mismatches, which keeps its rows.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.lane_ops import expand_mask, load_shifted, movemask, shift_left_lanes
from wavediff.core.jit.simd import (
    BITS,
    LANES,
    and_or_not,
    load,
    load_bit_planes,
    load_bits,
    mismatch,
    or_and,
    shift_left_carry,
    store,
    top_bit,
)
from wavediff.core.kernels.pairwise.blocks.row_borders import (
    EDGE_ZERO,
    ZERO,
    append_carry,
    carry,
    checkpoint_rows,
    outside_mask,
)


@jit_callee_no_nrt
def lcs_rows(rows, v, B0, B1, E0, E1, H0, H1):  # type: ignore[no-untyped-def]
    """Advance the rows ``v`` of all stripes by a column group with letters ``B0``, ``B1``; return the carries.

    Args:
        E0, E1: stripes outside the range; None: none are.
    """
    stride = v.size
    for i in range(0, stride, LANES):
        V = load(v, i)
        M = mismatch(rows, i, stride, B0)
        if E0 is not None:
            M = M | E0
        X = or_and(H0, V, M)
        H0 = and_or_not(V, H0, M)
        M = mismatch(rows, i, stride, B1)
        if E1 is not None:
            M = M | E1
        V = or_and(H1, X, M)
        H1 = and_or_not(X, H1, M)
        store(v, i, V)
    return H0, H1


@jit_callee_no_nrt
def log_step(seen, step, v, H0, H1):  # type: ignore[no-untyped-def]
    """Log the carries entering a step, and periodically the rows; see
    ``wavediff.core.kernels.pairwise.blocks.strip.StepLog``.
    """
    store(seen.h, step * GROUP_COLUMNS * LANES, H0)
    store(seen.h, step * GROUP_COLUMNS * LANES + LANES, H1)
    checkpoint_rows(seen, step, v)


def lcs_steps(strip, t0, t1, planes, edge, seen):  # type: ignore[no-untyped-def]
    """Compute steps ``t0 <= t < t1`` of one strip.

    Args:
        strip, seen: see ``wavediff.core.kernels.pairwise.blocks.strip``.
        planes: a tuple with one element per compared plane; enough for the letters of these columns.
        edge: ``edge_stream()``, or None (faster) if every stripe is inside in every step.
    """
    rows, v, h, above, below = strip.rows, strip.v, strip.h, strip.above, strip.below
    lo, hi0, hi1, above_lo, marks = strip.lo, strip.hi0, strip.hi1, strip.above_lo, strip.marks
    plane_bits = strip.n_planes * strip.words * 64
    first_bit = (strip.n_cols + GROUP_COLUMNS - 1) // GROUP_COLUMNS + BITS
    H0, H1 = load(h, 0), load(h, LANES)
    for t in range(t0, t1):
        B0 = load_bit_planes(strip.columns, strip.words, first_bit - t, planes)
        B1 = load_bit_planes(strip.columns, strip.words, first_bit - t + plane_bits, planes)
        if edge is None:
            H0 = shift_left_carry(H0, carry(above, GROUP_COLUMNS, 0, t - above_lo))
            H1 = shift_left_carry(H1, carry(above, GROUP_COLUMNS, 1, t - above_lo))
        else:
            left = load_bits(edge, EDGE_ZERO - min(t - lo, BITS))
            E0 = left | ~load_bits(edge, EDGE_ZERO - max(t - hi0, -1))
            E1 = left | ~load_bits(edge, EDGE_ZERO - max(t - hi1, -1))
            H0 = shift_left_carry(H0, carry(above, GROUP_COLUMNS, 0, t - above_lo) if t < hi0 else ZERO)
            H1 = shift_left_carry(H1, carry(above, GROUP_COLUMNS, 1, t - above_lo) if t < hi1 else ZERO)
        if seen.h.size:
            log_step(seen, t - seen.first, v, H0, H1)
        if edge is None:
            H0, H1 = lcs_rows(rows, v, B0, B1, None, None, H0, H1)
        else:
            H0, H1 = lcs_rows(rows, v, B0, B1, E0, E1, H0, H1)
        if marks.size:
            marks[t - lo] = movemask(H0)
            marks[marks.size // GROUP_COLUMNS + t - lo] = movemask(H1)
        group = t - (BITS - 1) - lo
        if group >= 0:
            append_carry(below, GROUP_COLUMNS, 0, group, top_bit(H0))
            append_carry(below, GROUP_COLUMNS, 1, group, top_bit(H1))
    store(h, 0, H0)
    store(h, LANES, H1)


def lcs_steps_skewed(strip, lanes, n, planes, edges, seen):  # type: ignore[no-untyped-def]
    """Compute ``n`` steps of one strip with lane offsets, logging everything.

    Args:
        lanes: see ``wavediff.core.kernels.pairwise.blocks.block_recompute``.
        planes: a tuple with one element per plane.
        edges: buffer of the stripes outside, or None if all are inside in every step.
    """
    rows, v, h = strip.rows, strip.v, strip.h
    second = strip.n_planes * lanes.stride
    H0, H1 = load(h, 0), load(h, LANES)
    for u in range(n):
        place = lanes.place - u
        at, amount = -(place >> 6) * LANES, np.uint64(place & 63)
        B0 = load_shifted(lanes.letters, at, lanes.stride, planes, amount)
        B1 = load_shifted(lanes.letters, at + second, lanes.stride, planes, amount)
        H0 = shift_left_lanes(H0, expand_mask(lanes.entering, u))
        H1 = shift_left_lanes(H1, expand_mask(lanes.entering, n + u))
        log_step(seen, u, v, H0, H1)
        if edges is None:
            H0, H1 = lcs_rows(rows, v, B0, B1, None, None, H0, H1)
        else:
            outside_mask(lanes.first, u, strip.lo, strip.hi0, strip.hi1, edges)
            H0, H1 = lcs_rows(rows, v, B0, B1, load(edges, 0), load(edges, LANES), H0, H1)
