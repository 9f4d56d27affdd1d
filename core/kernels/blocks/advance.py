"""Blocks of a matrix, computed by any number of threads that share a ticket and a progress line.

The matrix is cut into strips of ``BITS * depth`` rows and each strip into blocks of ``steps`` steps.
A thread takes a strip (``core.kernels.blocks.queue``) and walks its blocks from left to right, always behind the strip
above. A block needs the state its left neighbour left (paper 1's black arrows) and the carries
of the strip above (white arrows). Because stripes are staggered, block q of a strip covers the
columns of steps ``q * steps`` on: a parallelogram that leans left by one group a stripe.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Counts, Words
from core.atomics import observe, publish
from core.bits import COLUMNS, COMMON, pack_rows
from core.grid import BlockState
from core.jitted import lean, lean_inner
from core.kernels.blocks.borders import put
from core.kernels.blocks.method import is_monotone
from core.kernels.blocks.plan import CARRIES, State, padded, row, workplace
from core.kernels.blocks.queue import NOTHING_READY, next_strip
from core.kernels.blocks.strip import Seen, run_steps, strip_of
from core.simd import BITS, LANES, WORD, ones

RUNNING, DONE, MONOTONE = int(BlockState.RUNNING), int(BlockState.DONE), int(BlockState.MONOTONE)
SPINS = 4000  # looks for a strip: as long as some blocks take
Planes = tuple[tuple[int, ...], tuple[int, ...]]  # as long as the planes of common codes, and of all


@lean_inner
def copy_words(source: Words, target: Words) -> None:
    """Copy the words of ``source``; an assignment of slices would compile a second of error texts along."""
    for i in range(source.size):
        target[i] = source[i]


@lean_inner
def fill_words(target: Words, word: np.uint64) -> None:
    for i in range(target.size):
        target[i] = word


@lean
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


@lean
def column_ones(depth: int, rows: int, final: Words, first: int) -> int:
    """Return the same of all strips, ``rows`` in all.

    Args:
        final: see ``core.kernels.blocks.plan.State``. first: word of a strip's state with which the sign begins.
    """
    total = 0
    for s in range(final.shape[0]):
        total += row_ones(depth, min(rows - s * depth * BITS, depth * BITS), final[s, first:])
    return total


@lean_inner
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


@lean
def advance(plan, state, few, every, me, budget):  # type: ignore[no-untyped-def]
    """Let thread ``me`` compute up to ``budget`` blocks.

    Returns:
        Blocks computed; fewer than ``budget`` when waiting for another thread, when told to stop,
        or when nothing is left (``state.strip[me]`` is then the number of strips).
    """
    n_strips, n_board, sign = plan.lo.size, state.board.shape[1], plan.depth * LANES
    size, carries, planes = len(plan.signs) * sign, len(plan.signs) * CARRIES, plan.n_planes * sign
    at_work = state.work.size // padded(size + carries + planes)
    nothing = Seen(0, state.work[:0], state.work[:0])
    done = spins = 0
    while done < budget and spins < SPINS and observe(state.shared, 1) == 0:
        mine = state.strip[me]
        s = next_strip(plan.steps, plan.last, state.progress, state.owner, state.shared, at_work, mine, me)
        state.strip[me] = s
        if s == NOTHING_READY:
            spins += 1
            continue
        if s == n_strips:
            break
        spins, q = 0, state.progress[s]
        v, h, rows = workplace(plan, state, s % at_work)
        if q == plan.first[s]:
            pack_rows(plan.rows, s * plan.depth * BITS, plan.depth, plan.n_planes, rows)
            if state.row_planes.size:
                copy_words(rows, row(state.row_planes, s, planes))
            fill_words(v[:sign], ~np.uint64(0))
            fill_words(v[sign:], np.uint64(0))
            fill_words(h, np.uint64(0))
        place = (s // plan.board_rows, min(q // plan.board_cols, n_board - 1))
        if state.board[place] != DONE:
            state.board[place] = RUNNING
        if plan.keep and (q - plan.first[s]) % plan.keep == 0:
            at = plan.saved_at[s] + (q - plan.first[s]) // plan.keep * (size + carries)
            copy_words(v, state.saved[at:])
            copy_words(h, state.saved[at + size :])
        t0 = q * plan.steps
        t1 = min(t0 + plan.steps, plan.hi[s] + BITS - 1)
        inside = plan.lo[s] + BITS - 1 <= t0 and t1 <= min(plan.hi[s], plan.n_cols // COLUMNS)
        strip = strip_of(plan, state, s, v, h, rows)
        group = t0 - strip.above_lo
        through = plan.monotone and inside and is_monotone(plan.signs, v, h, strip.above, group, t1 - t0)
        if through:
            group = t0 - (BITS - 1) - plan.lo[s]
            _hand_through(strip.below, strip.marks, h, len(plan.signs), group, t1 - t0)
        else:
            run_steps(strip, s, t0, t1, few, every, plan.edge, plan.rare_a, plan.rare_b, nothing)
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
            copy_words(v, state.final[s])
        publish(state.progress, s, q + 1)
        done += 1
    return done


def stop(state: State) -> None:
    """Tell every thread inside ``advance`` to return after the block it is at."""
    publish_from_python(state.shared)


@lean
def publish_from_python(shared: Counts) -> None:
    publish(shared, 1, 1)


def planes_of(code_planes: int, n_codes: int) -> Planes:
    """Return ``few`` and ``every`` of ``advance`` for this many codes."""
    every = (0,) * code_planes
    return (every[:2] if n_codes > COMMON else every), every
