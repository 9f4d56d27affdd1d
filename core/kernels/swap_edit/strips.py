"""Blocks of one pair's matrix: words of rows in vector lanes, staggered, on any number of threads.

Word w of the rows (64 of them) is at column ``t - w`` at time t (Sudo and Shinohara, Fig. 2), so carries between words
move by one lane per step. ``LANES`` words are a strip; a block is a strip over ``SLAB_STEPS`` steps; a *slab* is the
blocks of all strips over the same steps. A thread takes the next slab and computes its strips downward, behind the
thread of the preceding slab. A row border below a strip has one byte per column: bits HP, HN, O1, D0, EQ.

If borders and states exceed memory, only some are stored (``SwapPlan.keep_strips``, ``keep_slabs``). The strips between
two stored borders share one row, as each reads a column before it writes one further left; the states of a strip are
shared likewise. Other blocks are recomputed (``wavediff.core.kernels.swap_edit.strip_part``).

Lanes before their first column read the code ``pad``, which no row has: with no input from above it does not change the
state. Rows after the last row and columns after the last column are computed and never read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Words
from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.clock import tick
from wavediff.core.jit.decorators import jit, jit_callee, jit_with
from wavediff.core.jit.lane_ops import bit_to_top, last_lane, load_planes, shift_lanes_up, shift_left_lanes, top_bits
from wavediff.core.jit.simd import BITS, LANES, WORD, broadcast, load, mismatch, popcount, store
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.swap_edit.swap_column import swap_word

RUNNING, DONE = int(BlockState.RUNNING), int(BlockState.DONE)
SLAB_STEPS = 1024  # of a block
MAX_SPINS = 4000
STATE_VECTORS = 6  # vectors of a strip: VP, VN, D0, O2, EQ and what is under way between its words
LOG_VECTORS = 4  # vectors of a step that a walk asks for: D0, VP, HP and the rows with a swap across two columns
TOP = 1  # the border above row 1: one more a column


class SwapPlan(NamedTuple):
    """Input arrays of the threads.

    rows, cols: codes of A and B. pad: a code that no row has. keep_strips, keep_slabs: strips (slabs) between stored
    borders (states); ``NOTHING_KEPT``: none. swaps: all ones, or 0 for the plain edit distance. board_rows,
    board_cols: blocks per place of the map.
    """

    rows: Letters
    cols: Letters
    pad: int
    n_planes: int
    keep_strips: int
    keep_slabs: int
    swaps: np.uint64
    board_rows: int
    board_cols: int


class SwapState(NamedTuple):
    """Output arrays of the threads.

    border: uint8, row q is the border above strip ``q * keep_strips``, or below the last one: ``PAD`` places, the
    columns, ``PAD`` places. saved: of each strip the states before slab ``q * keep_slabs``, or after the last one,
    ``STATE_VECTORS * LANES`` words each. rises: VP minus VN of the rows of each strip after the last column. shared:
    next slab, stop, and the counters of ``wavediff.core.jit.clock.tick``. progress: completed strips of each slab.
    cells: computed by each thread. masks: per thread, all-ones masks of the bit planes of its slab's columns, last
    column first. began, ended, by: see ``wavediff.core.jobs.run_record.RunRecord``.
    """

    border: Letters
    saved: Words
    rises: Counts
    block_map: BlockMap
    shared: Counts
    progress: Counts
    slab: Counts
    strip: Counts
    cells: Counts
    masks: Words
    planes: Words
    began: Any
    ended: Any
    by: Letters


PAD = 2 * LANES
NOTHING_KEPT = 1 << 40  # strips, or slabs, from one that is kept to the next: more than there are


@jit
def n_strips(n: int) -> int:
    return (n + BITS - 1) // BITS


@jit
def n_slabs(n: int, m: int) -> int:
    return int((LANES * (n_strips(n) - 1) + m + LANES - 1 + SLAB_STEPS - 1) // SLAB_STEPS)


@jit
def mask_words(n: int) -> int:
    """Return the words per mask plane: columns of all strips in one slab."""
    return int(SLAB_STEPS + LANES * n_strips(n) + LANES)


@jit
def kept_place(k, step):  # type: ignore[no-untyped-def]
    """Return the slot of the predecessor of strip or slab k; those between stored ones share a slot."""
    return (k + step - 1) // step


@jit
def border_at(plan, s):  # type: ignore[no-untyped-def]
    """Return the offset of column 0 in the row of ``border`` read by strip s."""
    return kept_place(s, plan.keep_strips) * (plan.cols.size + 2 * PAD) + PAD


@jit
def state_at(plan, s, c, slabs):  # type: ignore[no-untyped-def]
    """Return the offset in ``saved`` of the state of strip s before slab c."""
    return (s * (kept_place(slabs, plan.keep_slabs) + 1) + kept_place(c, plan.keep_slabs)) * STATE_VECTORS * LANES


@jit
def pack_planes(plan, state, s):  # type: ignore[no-untyped-def]
    """Write the bit planes of the rows of strip s, (planes, LANES) from ``s * planes * LANES`` on."""
    at, first = s * plan.n_planes * LANES, s * BITS
    for x in range(plan.n_planes * LANES):
        state.planes[at + x] = 0
    for r in range(min(BITS, plan.rows.size - first)):
        code, k, bit = np.uint64(plan.rows[first + r]), r // WORD, np.uint64(r % WORD)
        for p in range(plan.n_planes):
            state.planes[at + p * LANES + k] |= ((code >> np.uint64(p)) & np.uint64(1)) << bit


@jit
def begin_border(plan, state, s):  # type: ignore[no-untyped-def]
    """Initialise the border of strip s: the top row, and places past the last column."""
    at, behind = border_at(plan, s), plan.cols.size
    for x in range(behind if s else -PAD, behind + PAD):
        state.border[at + x] = TOP


@jit
def spread_columns(plan, masks, c, first, last):  # type: ignore[no-untyped-def]
    """Write the masks of slab c for strips ``first`` to ``last``.

    Plane p of column j is at ``p * words + (c + 1) * SLAB_STEPS - 1 - j``.
    """
    words, m = mask_words(plan.rows.size), plan.cols.size
    end = (c + 1) * SLAB_STEPS - 1
    for x in range(LANES * first, LANES * last + SLAB_STEPS + LANES):
        j = end - x
        code = np.uint64(plan.cols[j]) if 0 <= j < m else np.uint64(plan.pad)
        for p in range(plan.n_planes):
            masks[p * words + x] = np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))


@jit_callee
def begin(saved, at):  # type: ignore[no-untyped-def]
    """Write the initial state of a strip: costs increasing by one per row."""
    for k in range(LANES):
        saved[at + k] = ~np.uint64(0)
    for k in range(LANES, STATE_VECTORS * LANES):
        saved[at + k] = np.uint64(0)


@jit_with(error_model="numpy")
def run_steps(plan, planes, masks, s, c, t0, t1, border, above, below, source, at, target, to, seen, every):  # type: ignore[no-untyped-def]
    """Compute steps t0 to t1 of strip s from the state at ``source[at:]`` to ``target[to:]``.

    Args:
        planes: of all rows. masks: of slab c.
        above, below: places in ``border`` that step 0 reads (row above) and writes (row below).
        seen: output log of the steps from t0, ``LOG_VECTORS * LANES`` words each; empty: no log.
        every: a tuple with one element per bit plane.
    """
    words = mask_words(plan.rows.size)
    rows = load_planes(planes, s * plan.n_planes * LANES, LANES, every)
    allow = broadcast(plan.swaps)
    VP, VN, D0 = load(source, at), load(source, at + LANES), load(source, at + 2 * LANES)
    O2, EQ, under_way = load(source, at + 3 * LANES), load(source, at + 4 * LANES), load(source, at + 5 * LANES)
    first = (c + 1) * SLAB_STEPS - 1 + LANES * s
    for t in range(t0, t1):
        eq = ~mismatch(masks, first - t, words, rows)
        handed = shift_lanes_up(under_way, np.uint64(border[above + t]))
        hp_a, hn_a, o1_a = bit_to_top(handed, ()), bit_to_top(handed, (0,)), bit_to_top(handed, (0, 0))
        d0_a, eq_a = bit_to_top(handed, (0, 0, 0)), bit_to_top(handed, (0, 0, 0, 0))
        VP, VN, D0, O2, O1, HN, HP, down = swap_word(eq, allow, VP, VN, D0, O2, EQ, eq_a, d0_a, o1_a, hn_a, hp_a)
        EQ = eq
        under_way = shift_left_lanes(shift_left_lanes(shift_left_lanes(shift_left_lanes(top_bits(eq), D0), O1), HN), HP)
        border[below + t] = last_lane(under_way)
        if seen.size:
            place = (t - t0) * LOG_VECTORS * LANES
            store(seen, place, D0)
            store(seen, place + LANES, VP)
            store(seen, place + 2 * LANES, HP)
            store(seen, place + 3 * LANES, down)
    store(target, to, VP)
    store(target, to + LANES, VN)
    store(target, to + 2 * LANES, D0)
    store(target, to + 3 * LANES, O2)
    store(target, to + 4 * LANES, EQ)
    store(target, to + 5 * LANES, under_way)


@jit_callee
def _count_rises(plan, state, s, k, at):  # type: ignore[no-untyped-def]
    """Add the increase over the rows of word k of strip s after their last column."""
    n = min(plan.rows.size - s * BITS - k * WORD, WORD)
    if n > 0:
        rows = ~np.uint64(0) >> np.uint64(WORD - n)
        state.rises[s] += popcount(state.saved[at + k] & rows) - popcount(state.saved[at + LANES + k] & rows)


@jit
def block_steps(plan, s, c):  # type: ignore[no-untyped-def]
    """Return the step range of strip s in slab c; empty if there is none."""
    lo = LANES * s  # its first word meets the first column
    return max(c * SLAB_STEPS, lo), min((c + 1) * SLAB_STEPS, lo + plan.cols.size - 1 + LANES)


@jit_callee
def _block(plan, state, s, c, slabs, masks, every):  # type: ignore[no-untyped-def]
    """Compute the block of strip s in slab c; return its cells."""
    last = LANES * s + plan.cols.size - 1  # step at which its first word meets the last column
    t0, t1 = block_steps(plan, s, c)
    if t0 >= t1:
        return 0
    at, to = state_at(plan, s, c, slabs), state_at(plan, s, c + 1, slabs)
    if t0 == LANES * s:
        pack_planes(plan, state, s)
        begin_border(plan, state, s)
        begin(state.saved, at)
    border, above = state.border, border_at(plan, s) - LANES * s
    below = border_at(plan, s + 1) - LANES * s - (LANES - 1)
    nothing, saved, planes = state.saved[:0], state.saved, state.planes
    t = min(t1, max(t0, last))
    run_steps(plan, planes, masks, s, c, t0, t, border, above, below, saved, at, saved, to, nothing, every)
    while t < t1:  # the words pass the last column one by one
        run_steps(plan, planes, masks, s, c, t, t + 1, border, above, below, saved, to, saved, to, nothing, every)
        _count_rises(plan, state, s, t - last, to)
        t += 1
    return max(min(t1, last + 1) - t0, 0) * min(BITS, plan.rows.size - s * BITS)


@jit_callee
def _mark(plan, state, s, c, value):  # type: ignore[no-untyped-def]
    """Record the state of the columns that the first word of strip s processes in slab c."""
    first = max(c * SLAB_STEPS - LANES * s, 0)
    last = min((c + 1) * SLAB_STEPS - LANES * s, plan.cols.size) - 1
    if first <= last:
        for x in range(first // SLAB_STEPS // plan.board_cols, last // SLAB_STEPS // plan.board_cols + 1):
            state.block_map[s // plan.board_rows, x] = value


@jit_callee
def _place(plan, s, c):  # type: ignore[no-untyped-def]
    """Return the map entry for the times of a block: the entry of its last column, or (-1, -1)."""
    first = max(c * SLAB_STEPS - LANES * s, 0)
    last = min((c + 1) * SLAB_STEPS - LANES * s, plan.cols.size) - 1
    if first > last:
        return -1, -1
    return s // plan.board_rows, last // SLAB_STEPS // plan.board_cols


@jit_with(error_model="numpy")
def advance(plan, state, every, me, budget):  # type: ignore[no-untyped-def]
    """Compute up to ``budget`` blocks in thread ``me``.

    Returns:
        Blocks computed; fewer than ``budget`` when waiting for another thread, stopped or finished (``state.slab[me]``
            is then the number of slabs).
    """
    strips, slabs = n_strips(plan.rows.size), n_slabs(plan.rows.size, plan.cols.size)
    size = plan.n_planes * mask_words(plan.rows.size)
    masks = state.masks[me * size : (me + 1) * size]
    done = 0
    while done < budget and load_acquire(state.shared, 1) == 0:
        c = state.slab[me]
        if c < 0:
            c = min(fetch_add(state.shared, 0, 1), slabs)
            state.slab[me] = c
            state.strip[me] = 0
            if c < slabs:
                spread_columns(plan, masks, c, 0, strips - 1)
        if c >= slabs:
            break
        s = state.strip[me]
        if c > 0:
            spins = 0
            while load_acquire(state.progress, c - 1) <= s and spins < MAX_SPINS:
                spins += 1
            if spins == MAX_SPINS:
                break
        place = _place(plan, s, c)
        if place[0] >= 0 and state.began[place] == 0:
            state.began[place] = tick(state.shared)
        _mark(plan, state, s, c, RUNNING)
        state.cells[me] += _block(plan, state, s, c, slabs, masks, every)
        _mark(plan, state, s, c, DONE)
        if place[0] >= 0:
            state.ended[place] = tick(state.shared)
            state.by[place] = me
        state.strip[me] = s + 1
        store_release(state.progress, c, s + 1)
        if s + 1 == strips:
            state.slab[me] = -1
        done += 1
    return done
