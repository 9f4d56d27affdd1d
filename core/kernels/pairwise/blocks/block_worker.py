"""Threads that compute blocks of a matrix with a shared ticket and progress counters.

The matrix is cut into strips of ``BITS * depth`` rows, and each strip into blocks of ``steps`` steps. A thread takes a
strip and computes its blocks from left to right, always behind the strip above. A block needs the state of its left
neighbour (Kawanami and Fujimoto's black arrows) and the carries of the strip above (white arrows). Stripes are
staggered, so block q of a strip covers the columns of steps ``q * steps`` on: a parallelogram that leans left by one
group per stripe.

The queue of ready blocks (Sudo and Shinohara) selects the next strip of a thread.

A thread stays with its strip, whose state is in its cache, while the next block is ready. Otherwise it takes the most
urgent ready strip: the one with the longest chain of remaining blocks. Among the last strips it switches to one that is
more urgent by ``SWITCH_LEAD_BLOCKS`` blocks, so that all strips end at about the same time. A descheduled thread delays
others only if no other strip is ready.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.bits import GROUP_COLUMNS, N_COMMON_CODES, pack_rows
from wavediff.core.jit.clock import tick
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD, popcount
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.blocks.matrix_plan import CARRY_WORDS, padded, row, strip_workspace
from wavediff.core.kernels.pairwise.blocks.method_dispatch import is_monotone
from wavediff.core.kernels.pairwise.blocks.row_borders import append_carry
from wavediff.core.kernels.pairwise.blocks.strip import StepLog, run_steps, strip_of

SWITCH_LEAD_BLOCKS = 4
NOTHING_READY = -1
RUNNING, DONE, MONOTONE = int(BlockState.RUNNING), int(BlockState.DONE), int(BlockState.MONOTONE)
MAX_SPINS = 4000  # looks for a strip: as long as some blocks take
Planes = tuple[tuple[int, ...], tuple[int, ...]]  # as long as the planes of common codes, and of all


@jit_callee_no_nrt
def copy_words(source: Words, target: Words) -> None:
    """Copy words in a loop; slice assignment would add a second of compile time for its errors."""
    for i in range(source.size):
        target[i] = source[i]


@jit_callee_no_nrt
def fill_words(target: Words, word: np.uint64) -> None:
    for i in range(target.size):
        target[i] = word


@jit_callee_no_nrt
def row_ones(depth: int, rows: int, values: Words) -> int:
    """Return the set bits in the first ``rows`` rows of one sign of a strip's state."""
    total = 0
    for r in range(depth):
        stripes = max(0, (rows - r + depth - 1) // depth)
        for k in range(LANES):
            most = min(max(stripes - k * WORD, 0), WORD)
            if most:
                total += popcount(values[r * LANES + k] & (~np.uint64(0) >> np.uint64(WORD - most)))
    return total


@jit_no_nrt
def column_ones(depth: int, rows: int, final: Words, first: int) -> int:
    """Return the number of set bits over all strips, ``rows`` rows in total.

    Args:
        final: see ``wavediff.core.kernels.pairwise.blocks.matrix_plan.MatrixState``. first: first word of the sign in a
            strip's state.
    """
    total = 0
    for s in range(final.shape[0]):
        total += row_ones(depth, min(rows - s * depth * BITS, depth * BITS), final[s, first:])
    return total


@jit_callee_no_nrt
def _pass_through(below, marks, h, n_delta_bits, group, n):  # type: ignore[no-untyped-def]
    """Write the next ``n`` groups of the lower border of a passed-through block, and its marks."""
    streams = n_delta_bits * GROUP_COLUMNS
    for stream in range(streams):
        bit = h[stream * LANES + LANES - 1] >> np.uint64(63)
        for k in range(n):
            append_carry(below, streams, stream, group + k, bit)
        if marks.size:
            first = stream * (marks.size // streams) + group + BITS - 1
            for k in range(n):
                marks[first + k] = 255 * bit


@jit_no_nrt
def advance(plan, state, few, every, me, budget):  # type: ignore[no-untyped-def]
    """Compute up to ``budget`` blocks in thread ``me``.

    Returns:
        Blocks computed; fewer than ``budget`` when waiting for another thread, stopped or finished (``state.strip[me]``
            is then the number of strips).
    """
    n_strips, n_board, sign = plan.lo.size, state.block_map.shape[1], plan.depth * LANES
    size, carries, planes = len(plan.delta_bits) * sign, len(plan.delta_bits) * CARRY_WORDS, plan.n_planes * sign
    n_active = state.work.size // padded(size + carries + planes)
    nothing = StepLog(0, state.work[:0], state.work[:0])
    done = spins = 0
    while done < budget and spins < MAX_SPINS and load_acquire(state.shared, 1) == 0:
        mine = state.strip[me]
        s = next_strip(plan.steps, plan.last, state.progress, state.owner, state.shared, n_active, mine, me)
        state.strip[me] = s
        if s == NOTHING_READY:
            spins += 1
            continue
        if s == n_strips:
            break
        spins, q = 0, state.progress[s]
        v, h, rows = strip_workspace(plan, state, s % n_active)
        if q == plan.first[s]:
            pack_rows(plan.rows, s * plan.depth * BITS, plan.depth, plan.n_planes, rows)
            if state.row_planes.size:
                copy_words(rows, row(state.row_planes, s, planes))
            copy_words(state.final[s], v)
            fill_words(h, np.uint64(0))
        place = (s // plan.board_rows, min(q // plan.board_cols, n_board - 1))
        if state.began[place] == 0:
            state.began[place] = tick(state.shared)
        if state.block_map[place] != DONE:
            state.block_map[place] = RUNNING
        if plan.keep and (q - plan.first[s]) % plan.keep == 0:
            at = plan.saved_at[s] + (q - plan.first[s]) // plan.keep * (size + carries)
            copy_words(v, state.saved[at:])
            copy_words(h, state.saved[at + size :])
        t0 = q * plan.steps
        t1 = min(t0 + plan.steps, plan.hi[s] + BITS - 1)
        inside = plan.lo[s] + BITS - 1 <= t0 and t1 <= min(plan.hi[s], plan.n_cols // GROUP_COLUMNS)
        strip = strip_of(plan, state, s, v, h, rows)
        group = t0 - strip.above_lo
        through = plan.monotone and inside and is_monotone(plan.delta_bits, v, h, strip.above, group, t1 - t0)
        if through:
            group = t0 - (BITS - 1) - plan.lo[s]
            _pass_through(strip.below, strip.marks, h, len(plan.delta_bits), group, t1 - t0)
        else:
            run_steps(strip, s, t0, t1, few, every, plan.edge, plan.rare_a, plan.rare_b, nothing)
        columns = (
            min(min((q + 1) * plan.steps, plan.hi[s]) * GROUP_COLUMNS, plan.n_cols) - q * plan.steps * GROUP_COLUMNS
        )
        cells = max(columns, 0) * min(plan.rows.size - s * plan.depth * BITS, plan.depth * BITS)
        if through:
            state.skipped[me] += cells
        else:
            state.cells[me] += cells
        ends = q + 1 == plan.last[s]
        lowest = s % plan.board_rows == plan.board_rows - 1 or s == n_strips - 1
        if lowest and (ends or ((q + 1) % plan.board_cols == 0 and q // plan.board_cols < n_board - 1)):
            state.block_map[place] = MONOTONE if through and plan.board_rows * plan.board_cols == 1 else DONE
        if ends:
            copy_words(v, state.final[s])
        state.ended[place] = tick(state.shared)
        state.by[place] = me
        store_release(state.progress, s, q + 1)
        done += 1
    return done


def planes_of(code_planes: int, n_codes: int) -> Planes:
    """Return the arguments ``few`` and ``every`` of ``advance`` for a number of codes."""
    every = (0,) * code_planes
    return (every[:2] if n_codes > N_COMMON_CODES else every), every


@jit_callee_no_nrt
def _is_ready(progress, last, steps, s):  # type: ignore[no-untyped-def]
    """Return whether the next block of strip s has all its inputs."""
    q = load_acquire(progress, s)
    if q >= last[s]:
        return False
    return s == 0 or load_acquire(progress, s - 1) >= min(q + _behind(steps), last[s - 1])


@jit_callee_no_nrt
def _behind(steps):  # type: ignore[no-untyped-def]
    """Return the minimum lag in blocks behind the strip above, as stripes are staggered."""
    return (BITS - 1 + steps - 1) // steps + 1


@jit_callee_no_nrt
def next_strip(steps, last, progress, owner, shared, n_active, mine, me):  # type: ignore[no-untyped-def]
    """Return the strip that thread ``me`` takes next, and claim it.

    Args:
        steps, last: see ``wavediff.core.kernels.pairwise.blocks.matrix_plan.MatrixPlan``; others: see ``MatrixState``.
        n_active: unfinished strips that may be started, from the first.
        mine: current strip; -1: none.

    Returns:
        ``NOTHING_READY`` to wait (without a strip); the number of strips if the other threads suffice for the remaining
        strips.
    """
    n, far = last.size, _behind(steps)
    most: Any = n * far + last[n - 1]  # more than the urgency of any; a lower one is more urgent
    if mine == n:
        return mine
    if mine >= 0 and _is_ready(progress, last, steps, mine):
        if mine < n - n_active:
            return mine
        most = mine * far + progress[mine] - SWITCH_LEAD_BLOCKS
    elif mine >= 0:
        store_release(owner, mine, 0)
        mine = -1
    top = load_acquire(shared, 0)
    if top < n and load_acquire(progress, top) == last[top]:
        while top < n and load_acquire(progress, top) == last[top]:
            top += 1
        store_release(shared, 0, top)  # perhaps less than another thread has just written: it is where to begin to look
    best = NOTHING_READY
    for s in range(top, min(top + n_active, n)):
        if load_acquire(owner, s) == 0 and _is_ready(progress, last, steps, s):
            urgency = s * far + load_acquire(progress, s)
            if urgency < most:
                best, most = s, urgency
    if best >= 0 and fetch_add(owner, best, 1) == 0:
        if _is_ready(progress, last, steps, best):
            if mine >= 0:
                store_release(owner, mine, 0)
            return best
        store_release(owner, best, 0)  # another thread has had it meanwhile
    if mine >= 0:
        return mine
    return n if n - top <= me else NOTHING_READY
