"""Blocks of the LCS matrix, computed by any number of threads that share a ticket and a progress line.

The matrix is cut into strips of ``BITS * depth`` rows and each strip into blocks of ``steps`` steps.
A thread takes the next strip and walks its blocks from left to right, always behind the strip
above: paper 2's queue of ready blocks, served strip by strip so that a strip's state stays in one
core's cache. A block needs the state its left neighbour left (paper 1's black arrows) and the carries
of the strip above (white arrows). Because stripes are staggered, block q of a strip covers the
columns of steps ``q * steps`` on: a parallelogram that leans left by one group a stripe.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from core.arrays import Board, Counts, Letters, Words
from core.atomics import observe, publish, take
from core.bits import COLUMNS, column_words, pack_columns, pack_rows, rare_before
from core.grid import BlockGrid, BlockState
from core.kernels.lcs_steps import edge_stream, steps
from core.simd import BITS, LANES, WORD, ones

RUNNING, DONE, OUTSIDE = int(BlockState.RUNNING), int(BlockState.DONE), int(BlockState.OUTSIDE_BAND)
STATE = (COLUMNS) * LANES  # words of the carries kept beside the rows' state
SPINS = 4000
MAX_BOARD = 4096


class Plan(NamedTuple):
    """What the threads read; integers are groups (``COLUMNS`` columns), words or counts.

    lo, hi: groups of each strip; first, last: its blocks. border_at, border_words: place of the row
    border below strip s - 1 at s, and words of each of its streams. saved_at: place of the strip's first
    kept state; every ``keep``-th block's is kept, none when 0.
    """

    rows: Letters  # codes of A
    letters: Letters  # codes of B
    columns: Words
    rare_a: Counts
    rare_b: Counts
    lo: Counts
    hi: Counts
    first: Counts
    last: Counts
    border_at: Counts
    border_words: Counts
    saved_at: Counts
    edge: Words
    n_cols: int
    n_planes: int
    words: int
    depth: int
    steps: int
    keep: int
    board_rows: int
    board_cols: int


class State(NamedTuple):
    """What they write: shared counters, and one row a thread of the rest."""

    border: Words
    saved: Words
    final: Words  # state of the rows after the last column, (strips, depth * LANES)
    board: Board
    shared: Counts  # 0: next strip, 1: stop
    progress: Counts  # blocks finished, counted from column 0, of each strip
    strip: Counts
    block: Counts
    cells: Counts
    row_planes: Words  # (strips, n_planes * depth * LANES); only those at work where nothing is kept
    v: Words
    h: Words


def strip_rows(depth: int) -> int:
    return BITS * depth


def plan(
    a: Letters, b: Letters, n_codes: int, n_planes: int, *, depth: int, steps: int, threads: int, keep: int,
    band: tuple[int, int] | None = None,
) -> tuple[Plan, State, BlockGrid]:
    """Lay strips and blocks over ``a`` x ``b`` (codes, uint8), allocate what they need, pack B.

    Args:
        band: (low, high): only diagonals ``low <= column - row <= high`` need to be inside; None for all.
        keep: keep the state of every ``keep``-th block of a strip and all row borders; 0 keeps neither.
    """
    height = strip_rows(depth)
    n_strips = -(-a.size // height)
    groups = -(-b.size // COLUMNS)
    top = np.arange(n_strips, dtype=np.int64) * height
    if band is None:
        lo, hi = np.zeros(n_strips, np.int64), np.full(n_strips, groups, np.int64)
    else:
        low, high = band
        unit = steps * COLUMNS
        lo = np.clip((top + low) // unit * steps, 0, max(0, groups - 1) // steps * steps)
        bottom = np.minimum(top + height, a.size)
        hi = np.clip(-(-(bottom + high + 1) // unit) * steps, lo + 1, groups)
        hi[-1] = groups
    first, last = lo // steps, -(-(hi + BITS - 1) // steps)
    reach = np.append(np.maximum(hi[1:], hi[:-1]), groups) if n_strips > 1 else hi.copy()
    streams = (reach - lo + WORD - 1) // WORD + 1
    border_words = np.concatenate([[(groups + WORD - 1) // WORD + 1 if n_strips else 1], streams])
    if keep or band is not None:
        border_at = np.concatenate([[0], np.cumsum(border_words * COLUMNS)])
        border_size, border_at = int(border_at[-1]), border_at[:-1]
    else:  # a ring: a strip's border is dead once the strip below has read it
        ring = threads + 2
        size = int(border_words.max()) * COLUMNS
        border_at = np.concatenate([[0], size * (1 + np.arange(n_strips) % ring)])
        border_size = size * (ring + 1)
    state_words = depth * LANES + STATE
    kept = (last - first + keep - 1) // keep if keep else np.zeros(n_strips, np.int64)
    saved_at = np.concatenate([[0], np.cumsum(kept * state_words)]).astype(np.int64)
    words = column_words(groups)
    columns = np.zeros(COLUMNS * n_planes * words, np.uint64)
    pack_columns(b, n_planes, words, columns, 0, groups)
    common = n_codes <= 4
    none = np.zeros(1, np.int64)
    rare_a, rare_b = (none, none) if common else (rare_before(a), rare_before(b))
    shape = (n_strips, max(1, -(-groups // steps)))
    board_rows, board_cols = (-(-side // MAX_BOARD) for side in (max(1, shape[0]), shape[1]))
    board = np.zeros((-(-shape[0] // board_rows), -(-shape[1] // board_cols)), np.uint8)
    whole = Plan(
        a, b, columns, rare_a, rare_b, lo, hi, first, last, border_at, border_words, saved_at, edge_stream(),
        int(b.size), n_planes, words, depth, steps, keep, board_rows, board_cols,
    )
    state = State(
        border=np.zeros(border_size, np.uint64),
        saved=np.empty(int(saved_at[-1]), np.uint64),
        final=np.empty((n_strips, depth * LANES), np.uint64),
        board=board,
        shared=np.zeros(2, np.int64),
        progress=first.copy(),
        strip=np.full(threads, -1, np.int64),
        block=np.zeros(threads, np.int64),
        cells=np.zeros(threads, np.int64),
        row_planes=np.empty((n_strips if keep else min(n_strips, threads), n_planes * depth * LANES), np.uint64),
        v=np.empty((threads, depth * LANES), np.uint64),
        h=np.empty((threads, COLUMNS * LANES), np.uint64),
    )
    if band is not None:
        mark_outside(whole, board, shape[1])
    return whole, state, BlockGrid(int(a.size), int(b.size), height * board_rows, steps * COLUMNS * board_cols)


def mark_outside(plan: Plan, board: Board, n_cols: int) -> None:
    """Mark the places of the board no block of which is computed."""
    board[:] = OUTSIDE
    ends = -(-plan.hi // plan.steps)
    for s in range(plan.lo.size):
        board[s // plan.board_rows, plan.first[s] // plan.board_cols : -(-min(ends[s], n_cols) // plan.board_cols)] = 0


def n_cells(plan: Plan) -> int:
    """Return the cells inside the strips' ranges, those past the last row or column not counted."""
    height = strip_rows(plan.depth)
    rows = np.minimum(plan.rows.size - np.arange(plan.lo.size) * height, height)
    cols = np.minimum(plan.hi * COLUMNS, plan.n_cols) - plan.lo * COLUMNS
    return int((rows * cols).sum())


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
    rows = state.row_planes[s % state.row_planes.shape[0]]
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
    v, h, nothing = state.v[me], state.h[me], state.v[me][:0]
    size = plan.depth * LANES
    n_board = state.board.shape[1]
    done = 0
    while done < budget and observe(state.shared, 1) == 0:
        s = state.strip[me]
        if s < 0:
            s = take(state.shared, 0, 1)
            state.strip[me] = min(s, n_strips)
            if s < n_strips:
                packed = state.row_planes[s % state.row_planes.shape[0]]
                pack_rows(plan.rows, s * plan.depth * BITS, plan.depth, plan.n_planes, packed)
                v[:] = ~np.uint64(0)
                h[:] = np.uint64(0)
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
        row = s // plan.board_rows
        col = min(q // plan.board_cols, n_board - 1)
        if state.board[row, col] != DONE:
            state.board[row, col] = RUNNING
        if plan.keep and (q - plan.first[s]) % plan.keep == 0:
            at = plan.saved_at[s] + (q - plan.first[s]) // plan.keep * (size + STATE)
            state.saved[at : at + size] = v
            state.saved[at + size : at + size + STATE] = h
        t0 = q * plan.steps
        run_steps(plan, state, s, t0, min(t0 + plan.steps, plan.hi[s] + BITS - 1), v, h, few, every, nothing, nothing)
        columns = min(min((q + 1) * plan.steps, plan.hi[s]) * COLUMNS, plan.n_cols) - q * plan.steps * COLUMNS
        state.cells[me] += max(columns, 0) * min(plan.rows.size - s * plan.depth * BITS, plan.depth * BITS)
        ends = q + 1 == plan.last[s]
        lowest = s % plan.board_rows == plan.board_rows - 1 or s == n_strips - 1
        if lowest and (ends or ((q + 1) % plan.board_cols == 0 and q // plan.board_cols < n_board - 1)):
            state.board[row, col] = DONE
        if ends:
            state.final[s, :] = v
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
    return _profile(plan.depth, plan.rows.size, state.final)


def planes_of(code_planes: int, n_codes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return ``few`` and ``every`` of ``advance`` for this many codes."""
    every = (0,) * code_planes
    return (every[:2] if n_codes > 4 else every), every


__all__: list[Any] = ["Plan", "State", "advance", "length", "n_cells", "plan", "planes_of", "profile", "stop", "strip_rows"]
