"""Blocks of a matrix, computed by any number of threads that share a ticket and a progress line.

The matrix is cut into strips of ``BITS * depth`` rows and each strip into blocks of ``steps`` steps.
A thread takes the next strip and walks its blocks from left to right, always behind the strip
above: paper 2's queue of ready blocks, served strip by strip so that a strip's state stays in one
core's cache. The first strips start a part of a strip apart, so that a thread the system takes a core from holds up no
other. A block needs the state its left neighbour left (paper 1's black arrows) and the carries
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
from core.kernels.blocks.borders import put
from core.kernels.blocks.method import is_monotone, strip_steps
from core.kernels.blocks.plan import CARRIES, Seen, State, Strip, padded, row
from core.kernels.inner import inner
from core.simd import BITS, LANES, WORD, ones

RUNNING, DONE, MONOTONE = int(BlockState.RUNNING), int(BlockState.DONE), int(BlockState.MONOTONE)
SPINS = 4000
Planes = tuple[tuple[int, ...], tuple[int, ...]]  # as long as the planes of common codes, and of all


@inner
def copy_words(source: Words, start: int, target: Words, at: int, n: int) -> None:
    """Copy ``n`` words; an assignment of slices would compile a second of error texts along."""
    for i in range(n):
        target[at + i] = source[start + i]


@inner
def fill_words(target: Words, word: np.uint64) -> None:
    for i in range(target.size):
        target[i] = word


@njit(nogil=True, cache=True)
def row_ones(depth: int, rows: int, values: Words) -> int:
    """Return the one bits that belong to the first ``rows`` rows of one sign of a strip's state."""
    total = 0
    for r in range(depth):
        stripes = max(0, (rows - r + depth - 1) // depth)
        for k in range(LANES):
            most = min(max(stripes - k * WORD, 0), WORD)
            if most:
                total += ones(values[r * LANES + k] & (~np.uint64(0) >> np.uint64(WORD - most)))
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def run_steps(plan, state, s, t0, t1, v, h, few, every, seen_v, seen_h):  # type: ignore[no-untyped-def]
    """Compute steps t0 to t1 of strip s; only those at the ends of the strip need the careful loop.

    Args:
        few, every: tuples as long as the planes of the common codes and of all codes.
        seen_v, seen_h: as in ``Seen``, from t0 on.
    """
    lo, hi0 = plan.lo[s], plan.hi[s]
    hi1 = min(hi0, plan.n_cols // COLUMNS)
    inside, outside = lo + BITS - 1, hi1  # every stripe is inside from step to step
    if len(few) < len(every) and _has_rare(plan, s, t0, t1):
        inside = outside
    size = plan.n_planes * plan.depth * LANES
    rows = row(state.row_planes, s % (state.row_planes.size // padded(size)), size)
    above, below, marks = border(plan, state, s), border(plan, state, s + 1), marks_of(plan, state, s)
    strip = Strip(rows, v, h, above, above_lo(plan, s), below, marks, lo, hi0, hi1)
    seen = Seen(t0, seen_v, seen_h)
    t = t0
    while t < t1:
        if inside <= t < outside:
            end = min(outside, t1)
            strip_steps(plan.signs, plan, strip, t, end, few, None, seen)
        else:
            end = t1 if t >= inside else min(inside, t1)
            strip_steps(plan.signs, plan, strip, t, end, every, plan.edge, seen)
        t = end


@inner
def border(plan, state, s):  # type: ignore[no-untyped-def]
    """Return the row border above strip s, ``COLUMNS`` streams a sign."""
    at = plan.border_at[s]
    return state.border[at : at + plan.border_words[s] * COLUMNS * len(plan.signs)]


@inner
def marks_of(plan, state, s):  # type: ignore[no-untyped-def]
    """Return the marks of strip s, ``COLUMNS`` streams a sign; nothing where none are kept."""
    return state.marks[plan.marks_at[s] : plan.marks_at[s + 1]]


@inner
def above_lo(plan, s):  # type: ignore[no-untyped-def]
    """Return the group of the first bit of the row border above strip s."""
    return plan.lo[s - 1] if s > 0 else 0


@inner
def _hand_through(below, marks, h, n_signs, group, n):  # type: ignore[no-untyped-def]
    """Write the next ``n`` groups of the border below a block whose carries leave it as they entered, and its marks."""
    streams = n_signs * COLUMNS
    for stream in range(streams):
        bit = h[stream * LANES + LANES - 1] >> np.uint64(63)
        for k in range(n):
            put(below, streams, stream, group + k, bit)
        if marks.size:
            first = stream * (marks.size // streams) + group + BITS - 1
            for k in range(n):
                marks[first + k] = 255 * bit


@inner
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
    n_strips, n_threads = plan.lo.size, state.strip.size
    sign = plan.depth * LANES  # words of one sign of a strip's rows
    size, carries = len(plan.signs) * sign, len(plan.signs) * CARRIES
    v, h, nothing = row(state.v, me, size), row(state.h, me, carries), state.v[:0]
    n_board = state.board.shape[1]
    done = 0
    while done < budget and observe(state.shared, 1) == 0:
        s = state.strip[me]
        if s < 0:
            s = take(state.shared, 0, 1)
            state.strip[me] = min(s, n_strips)
            if s < n_strips:
                planes_size = plan.n_planes * sign
                packed = row(state.row_planes, s % (state.row_planes.size // padded(planes_size)), planes_size)
                pack_rows(plan.rows, s * plan.depth * BITS, plan.depth, plan.n_planes, packed)
                fill_words(v[:sign], ~np.uint64(0))
                fill_words(v[sign:], np.uint64(0))
                fill_words(h, np.uint64(0))
                state.block[me] = plan.first[s]
        if s >= n_strips:
            break
        q = state.block[me]
        if s > 0:
            need = ((q + 1) * plan.steps + BITS - 1 + plan.steps - 1) // plan.steps
            if s < n_threads and q == plan.first[s] and n_strips >= 8 * n_threads:
                need = max(need, plan.first[s - 1] + (plan.last[s - 1] - plan.first[s - 1]) // n_threads)
            need = min(need, plan.last[s - 1])
            spins = 0
            while observe(state.progress, s - 1) < need and spins < SPINS:
                spins += 1
            if spins == SPINS:
                break
        place = (s // plan.board_rows, min(q // plan.board_cols, n_board - 1))
        if state.board[place] != DONE:
            state.board[place] = RUNNING
        if plan.keep and (q - plan.first[s]) % plan.keep == 0:
            at = plan.saved_at[s] + (q - plan.first[s]) // plan.keep * (size + carries)
            copy_words(v, 0, state.saved, at, size)
            copy_words(h, 0, state.saved, at + size, carries)
        t0 = q * plan.steps
        t1 = min(t0 + plan.steps, plan.hi[s] + BITS - 1)
        inside = plan.lo[s] + BITS - 1 <= t0 and t1 <= min(plan.hi[s], plan.n_cols // COLUMNS)
        above, group = border(plan, state, s), t0 - above_lo(plan, s)
        through = plan.monotone and inside and is_monotone(plan.signs, v, h, above, group, t1 - t0)
        if through:
            below, group = border(plan, state, s + 1), t0 - (BITS - 1) - plan.lo[s]
            _hand_through(below, marks_of(plan, state, s), h, len(plan.signs), group, t1 - t0)
        else:
            run_steps(plan, state, s, t0, t1, v, h, few, every, nothing, nothing)
        columns = min(min((q + 1) * plan.steps, plan.hi[s]) * COLUMNS, plan.n_cols) - q * plan.steps * COLUMNS
        cells = max(columns, 0) * min(plan.rows.size - s * plan.depth * BITS, plan.depth * BITS)
        if through:
            state.skipped[me] += cells
        else:
            state.cells[me] += cells
        ends = q + 1 == plan.last[s]
        lowest = s % plan.board_rows == plan.board_rows - 1 or s == n_strips - 1
        if lowest and (ends or ((q + 1) % plan.board_cols == 0 and q // plan.board_cols < n_board - 1)):
            state.board[place] = MONOTONE if through and plan.board_rows * plan.board_cols == 1 else DONE
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


def planes_of(code_planes: int, n_codes: int) -> Planes:
    """Return ``few`` and ``every`` of ``advance`` for this many codes."""
    every = (0,) * code_planes
    return (every[:2] if n_codes > COMMON else every), every
