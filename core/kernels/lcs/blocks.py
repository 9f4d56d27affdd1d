"""Blocks of the LCS matrix, computed by any number of threads that share a ticket and a progress line.

The matrix is cut into strips of ``BITS * depth`` rows and each strip into blocks of ``steps`` steps.
A thread takes the next strip and walks its blocks from left to right, always behind the strip
above: paper 2's queue of ready blocks, served strip by strip so that a strip's state stays in one
core's cache. A block needs the state its left neighbour left (paper 1's black arrows) and the carries
of the strip above (white arrows). Because stripes are staggered, block q of a strip covers the
columns of steps ``q * steps`` on: a parallelogram that leans left by one group a stripe.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Counts, Words
from core.atomics import observe, publish, take
from core.bits import COLUMNS, COMMON, pack_rows
from core.grid import BlockState
from core.kernels.lcs.plan import STATE, Plan, State, padded, row, strip_rows
from core.kernels.lcs.steps import steps
from core.simd import BITS, LANES, WORD, ones

RUNNING, DONE = int(BlockState.RUNNING), int(BlockState.DONE)
SPINS = 4000
Planes = tuple[tuple[int, ...], tuple[int, ...]]  # as long as the planes of common codes, and of all


@njit(nogil=True, cache=True)
def copy_words(source: Words, start: int, target: Words, at: int, n: int) -> None:
    """Copy ``n`` words; an assignment of slices would compile a second of error texts along."""
    for i in range(n):
        target[at + i] = source[start + i]


@njit(nogil=True, cache=True)
def fill_words(target: Words, word: np.uint64) -> None:
    for i in range(target.size):
        target[i] = word


@njit(nogil=True, cache=True)
def row_weight(depth: int, rows: int, values: Words) -> int:
    """Return the zero bits of one strip's state that belong to its first ``rows`` rows: the LCS they add."""
    total = 0
    for r in range(depth):
        stripes = max(0, (rows - r + depth - 1) // depth)
        for k in range(LANES):
            most = min(max(stripes - k * WORD, 0), WORD)
            if most == WORD:
                total += WORD - ones(values[r * LANES + k])
            elif most:
                mask = (np.uint64(1) << np.uint64(most)) - np.uint64(1)
                total += ones(~values[r * LANES + k] & mask)
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def run_steps(plan, state, s, t0, t1, v, h, few, every, seen_v, seen_h):  # type: ignore[no-untyped-def]
    """Compute steps t0 to t1 of strip s; only those at the ends of the strip need the careful loop.

    Args:
        few, every: tuples as long as the planes of the common codes and of all codes.
        seen_v, seen_h: as in ``steps``, from t0 on.
    """
    lo, hi0 = plan.lo[s], plan.hi[s]
    hi1 = min(hi0, plan.n_cols // COLUMNS)
    inside, outside = lo + BITS - 1, hi1  # every stripe is inside from step to step
    if len(few) < len(every) and _has_rare(plan, s, t0, t1):
        inside = outside
    size = plan.n_planes * plan.depth * LANES
    rows = row(state.row_planes, s % (state.row_planes.size // padded(size)), size)
    above_lo = plan.lo[s - 1] if s > 0 else 0
    above = state.border[plan.border_at[s] : plan.border_at[s] + plan.border_words[s] * COLUMNS]
    below = state.border[plan.border_at[s + 1] : plan.border_at[s + 1] + plan.border_words[s + 1] * COLUMNS]
    t = t0
    while t < t1:
        if inside <= t < outside:
            end = min(outside, t1)
            steps(plan, rows, v, h, above, above_lo, below, lo, hi0, hi1, t, end, few, None, t0, seen_v, seen_h)
        else:
            end = t1 if t >= inside else min(inside, t1)
            steps(plan, rows, v, h, above, above_lo, below, lo, hi0, hi1, t, end, every, plan.edge, t0, seen_v, seen_h)
        t = end


@njit(nogil=True, cache=True)
def _has_rare(plan, s, t0, t1):  # type: ignore[no-untyped-def]
    """Whether strip s, or a column that its stripes meet in steps t0 to t1, has a code that is not common."""
    first, end = s * plan.depth * BITS // WORD, min((s + 1) * plan.depth * BITS // WORD, plan.rare_a.size - 1)
    from_word = max(t0 - BITS + 1, 0) * COLUMNS // WORD
    to_word = max(min(t1 * COLUMNS // WORD + 1, plan.rare_b.size - 1), from_word)
    return plan.rare_a[end] > plan.rare_a[first] or plan.rare_b[to_word] > plan.rare_b[from_word]


@njit(nogil=True, cache=True, error_model="numpy")
def advance(plan, state, few, every, me, budget):  # type: ignore[no-untyped-def]
    """Let thread ``me`` compute up to ``budget`` blocks.

    Returns:
        Blocks computed; fewer than ``budget`` when waiting for another thread, when told to stop,
        or when nothing is left (``state.strip[me]`` is then the number of strips).
    """
    n_strips = plan.lo.size
    size = plan.depth * LANES
    v, h, nothing = row(state.v, me, size), row(state.h, me, STATE), state.v[:0]
    n_board = state.board.shape[1]
    done = 0
    while done < budget and observe(state.shared, 1) == 0:
        s = state.strip[me]
        if s < 0:
            s = take(state.shared, 0, 1)
            state.strip[me] = min(s, n_strips)
            if s < n_strips:
                planes_size = plan.n_planes * size
                packed = row(state.row_planes, s % (state.row_planes.size // padded(planes_size)), planes_size)
                pack_rows(plan.rows, s * plan.depth * BITS, plan.depth, plan.n_planes, packed)
                fill_words(v, ~np.uint64(0))
                fill_words(h, np.uint64(0))
                state.block[me] = plan.first[s]
        if s >= n_strips:
            break
        q = state.block[me]
        if s > 0:
            need = min(plan.last[s - 1], ((q + 1) * plan.steps + BITS - 1 + plan.steps - 1) // plan.steps)
            spins = 0
            while observe(state.progress, s - 1) < need and spins < SPINS:
                spins += 1
            if spins == SPINS:
                break
        place = (s // plan.board_rows, min(q // plan.board_cols, n_board - 1))
        if state.board[place] != DONE:
            state.board[place] = RUNNING
        if plan.keep and (q - plan.first[s]) % plan.keep == 0:
            at = plan.saved_at[s] + (q - plan.first[s]) // plan.keep * (size + STATE)
            copy_words(v, 0, state.saved, at, size)
            copy_words(h, 0, state.saved, at + size, STATE)
        t0 = q * plan.steps
        run_steps(plan, state, s, t0, min(t0 + plan.steps, plan.hi[s] + BITS - 1), v, h, few, every, nothing, nothing)
        columns = min(min((q + 1) * plan.steps, plan.hi[s]) * COLUMNS, plan.n_cols) - q * plan.steps * COLUMNS
        state.cells[me] += max(columns, 0) * min(plan.rows.size - s * plan.depth * BITS, plan.depth * BITS)
        ends = q + 1 == plan.last[s]
        lowest = s % plan.board_rows == plan.board_rows - 1 or s == n_strips - 1
        if lowest and (ends or ((q + 1) % plan.board_cols == 0 and q // plan.board_cols < n_board - 1)):
            state.board[place] = DONE
        if ends:
            copy_words(v, 0, state.final[s], 0, size)
            state.strip[me] = -1
        state.block[me] = q + 1
        publish(state.progress, s, q + 1)
        done += 1
    return done


def stop(state: State) -> None:
    """Tell every thread inside ``advance`` to return after the block it is at."""
    publish_from_python(state.shared)


@njit(nogil=True, cache=True)
def publish_from_python(shared: Counts) -> None:
    publish(shared, 1, 1)


def length(plan: Plan, state: State) -> int:
    """Return the length of the LCS inside the band, once every block is done."""
    height = strip_rows(plan.depth)
    return sum(
        int(row_weight(plan.depth, min(plan.rows.size - s * height, height), state.final[s]))
        for s in range(plan.lo.size)
    )


@njit(nogil=True, cache=True)
def _profile(depth: int, n_rows: int, final: Words) -> Counts:
    out = np.zeros(n_rows + 1, np.int64)
    height = depth * BITS
    for i in range(n_rows):
        s, stripe = i // height, i % height // depth
        word = final[s, (i % depth) * LANES + stripe // WORD]
        out[i + 1] = out[i] + 1 - np.int64((word >> np.uint64(stripe % WORD)) & np.uint64(1))
    return out


def profile(plan: Plan, state: State) -> Counts:
    """Return the LCS of the first i rows with all columns, int64, shape (rows + 1,), once every block is done."""
    found: Counts = _profile(plan.depth, plan.rows.size, state.final)
    return found


def planes_of(code_planes: int, n_codes: int) -> Planes:
    """Return ``few`` and ``every`` of ``advance`` for this many codes."""
    every = (0,) * code_planes
    return (every[:2] if n_codes > COMMON else every), every
