"""Blocks of the matrix as differences of adjacent cells, in strips with one row per lane.

Source: Gotoh 1982 for the recurrence (E, H and F of a row, a cell, a column); Suzuki and Kasahara 2018 for the
differences, which stay small for any sequence length:

    u = H[i,j] - H[i,j-1]     x = E[i,j+1] - H[i,j]     E: the best that ends with an insertion
    v = H[i,j] - H[i-1,j]     y = F[i+1,j] - H[i,j]     F: the best that ends with a deletion

The lanes of a vector lie on an anti-diagonal: lane k is at column t - k in step t. u and y move down one lane per step;
v and x stay in their lane. Scores differ from the source: each column has one vector of scores with the rows (a query
profile), and log2(lanes) blends delay lane k by k steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import ALIGN_BYTES, BlockMap, Counts, Letters
from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.clock import tick
from wavediff.core.jit.decorators import jit, jit_callee, jit_inline_with_nrt, jit_with
from wavediff.core.jit.lane_ops import minus, plus
from wavediff.core.jit.simd import store
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.affine.vectors import fill, flag, largest, load, load_skewed, push, put_last, within

SPINS = 2000  # looks at the block to the left before the thread rests
PAIR, INSERTION, OPENS_INSERTION, OPENS_DELETION = 1, 2, 4, 8  # flags of a cell
RUNNING, DONE = int(BlockState.RUNNING), int(BlockState.DONE)


class Plan(NamedTuple):
    """Input arrays of the threads.

    Attributes:
        cols: codes of B, uint8, shape (m + lanes,); padding at the end.
        profile: scores of each strip's rows with each code, int8 or int16, (strips, codes, lanes) in one dimension.
        n: rows. m: columns. n_codes: of the profile.
        costs: of the first letter of a gap, and of each following letter.
        block_rows: a multiple of the lanes. block_cols: any.
        kept: store all borders; else one row and one column, overwritten.
        board_rows, board_cols: blocks per place of the map.
    """

    cols: Letters
    profile: Any
    n: int
    m: int
    n_codes: int
    costs: tuple[int, int]
    block_rows: int
    block_cols: int
    kept: bool
    board_rows: int
    board_cols: int


class State(NamedTuple):
    """Output arrays of the threads.

    Attributes:
        u, y: int8 or int16, (rows of blocks + 1, m + lanes) in one dimension: the row above each row of blocks.
        v, x: (columns of blocks + 1, n rounded up to lanes): the column to the left of each column of blocks.
        block_map: a ``BlockState`` each.
        shared: int64, next column of blocks to take, whether to stop, and what ``wavediff.core.jit.clock.tick`` needs.
        progress: int64, blocks done of each column of blocks.
        column, row, cells: int64, one per thread: its current block, and the computed cells.
        rings: scratch, lanes squared a thread.
        began, ended, by: see ``wavediff.core.jobs.run_record.RunRecord``.
    """

    u: Any
    y: Any
    v: Any
    x: Any
    block_map: BlockMap
    shared: Counts
    progress: Counts
    column: Counts
    row: Counts
    cells: Counts
    rings: Any
    began: Any
    ended: Any
    by: Letters


@jit_inline_with_nrt
def cell(s, u, y, v, x, first, extend):  # type: ignore[no-untyped-def]
    """Compute one anti-diagonal.

    Args:
        s: scores. u, y: of the cells above. v, x: of those to the left. first: minus the cost of the first letter of a
            gap.

    Returns:
        u, y, v, x, and H[i,j] - H[i-1,j-1], without and with an insertion last.
    """
    inserted, deleted = plus(x, v), plus(y, u)
    best = largest(s, largest(inserted, deleted))
    shut = plus(best, extend)
    return (
        minus(best, v),
        largest(first, minus(deleted, shut)),
        minus(best, u),
        largest(first, minus(inserted, shut)),
        best,
        inserted,
    )  # fmt: skip


@jit_callee
def run_strip(profile, at, costs, cols, col0, n_cols, u, y, above, v, x, left, ring, seen, place, stages):  # type: ignore[no-untyped-def]
    """Compute a strip of rows of a block; its borders are updated in place.

    Args:
        at: start of the strip in the profile. costs: of the first letter of a gap, and of each following letter.
        cols, col0, n_cols: columns of the block.
        u, y, above: the row above, from index ``above``; overwritten with the last row.
        v, x, left: the column to the left, from index ``left``; overwritten with the last column.
        seen: output of the flags of each cell, from index ``place``, (steps, lanes); None: not stored.
        stages: a tuple with one element per bit of a lane number.
    """
    lanes = np.int64(1) << len(stages)
    far = np.int64(127)
    first, extend = fill(v, -costs[0]), fill(v, costs[1])
    V, X = load(v, left), load(x, left)
    U, Y = V, X
    for t in range(n_cols + lanes - 1):
        S = load_skewed(profile, at + lanes * np.int64(cols[col0 + t]), ring, t, stages)
        U_above, Y_above = push(U, u, above + t), push(Y, y, above + t)
        U, Y, V_next, X_next, best, inserted = cell(S, U_above, Y_above, V, X, first, extend)
        if t < lanes - 1 or t >= n_cols:  # some lanes are before the first column or behind the last one
            begun, ended = min(t, far), max(t - n_cols + 1, 0)
            V, X = within(V_next, V, ended, begun), within(X_next, X, ended, begun)
        else:
            V, X = V_next, X_next
        if t >= lanes - 1:
            put_last(u, above + t - lanes + 1, U)
            put_last(y, above + t - lanes + 1, Y)
        if seen is not None:
            flags = flag(best, S, ()) | flag(best, inserted, (0,))
            opens = flag(X_next, first, (0, 0)) | flag(Y, first, (0, 0, 0))
            store(seen, place + t * lanes, flags | opens)
    store(v, left, V)
    store(x, left, X)


@jit_callee
def run_strips(plan, row0, row1, col0, col1, borders, ring, seen, stages):  # type: ignore[no-untyped-def]
    """Compute the strips of a block, see ``run_strip``."""
    u, y, above, v, x, left = borders
    n_cols, lanes = col1 - col0, np.int64(1) << len(stages)
    for row in range(0, row1 - row0, lanes):
        run_strip(
            plan.profile, (row0 + row) * plan.n_codes, plan.costs, plan.cols, col0, n_cols, u, y, above,
            v, x, left + row, ring, seen, row * (n_cols + lanes - 1), stages,
        )  # fmt: skip


@jit_callee
def run_block(plan, state, r, c, ring, stages):  # type: ignore[no-untyped-def]
    """Compute block (r, c) from its borders, and write those of the next blocks below and right."""
    lanes = np.int64(1) << len(stages)
    row0, col0 = r * plan.block_rows, c * plan.block_cols
    row1, col1 = min(row0 + plan.block_rows, plan.n), min(col0 + plan.block_cols, plan.m)
    width, height = plan.m + lanes, (plan.n + lanes - 1) // lanes * lanes
    above, left = col0, row0
    if plan.kept:
        below, right = (r + 1) * width + col0, (c + 1) * height + row0
        for k in range(col1 - col0):
            state.u[below + k] = state.u[below + k - width]
            state.y[below + k] = state.y[below + k - width]
        for k in range((row1 - row0 + lanes - 1) // lanes * lanes):
            state.v[right + k] = state.v[right + k - height]
            state.x[right + k] = state.x[right + k - height]
        above, left = below, right
    run_strips(plan, row0, row1, col0, col1, (state.u, state.y, above, state.v, state.x, left), ring, None, stages)
    return (row1 - row0) * (col1 - col0)


@jit_with(error_model="numpy")
def solve_block(a, b, scores, first, more, seen, stages):  # type: ignore[no-untyped-def]
    """Compute a matrix of one block, and return its scaled score.

    Args:
        a, b: codes. scores: of the codes. seen: empty if no flags are stored; of the type of the differences.
        first, more: cost of the first letter of a gap, and of each following letter. stages: see ``run_strip``.
    """
    n, m, lanes = a.size, b.size, np.int64(1) << len(stages)
    padded = (n + lanes - 1) // lanes * lanes
    space = np.empty(padded * scores.shape[1] + ALIGN_BYTES, seen.dtype)
    profile = space[ALIGN_BYTES - np.int64(space.ctypes.data) % ALIGN_BYTES >> (space.itemsize > 1) :]
    fill_profile(profile, a, scores, lanes, 0, padded // lanes)
    u, y = np.full(m + lanes, -more, profile.dtype), np.full(m + lanes, -first, profile.dtype)
    v, x = np.full(padded, -more, profile.dtype), np.full(padded, -first, profile.dtype)
    u[0], v[0] = -first, -first
    cols, ring = np.zeros(m + lanes, np.uint8), np.empty(lanes * lanes, profile.dtype)
    cols[:m] = b
    at, costs, steps = lanes * scores.shape[1], (first, more), m + lanes - 1
    for k in range(padded // lanes):
        row = k * lanes
        if seen.size:
            run_strip(profile, k * at, costs, cols, 0, m, u, y, 0, v, x, row, ring, seen, row * steps, stages)
        else:
            run_strip(profile, k * at, costs, cols, 0, m, u, y, 0, v, x, row, ring, None, 0, stages)
    return v[:n].sum() - first - (m - 1) * more


@jit_with(error_model="numpy")
def trace_block(plan, state, r, c, row1, col1, u, y, v, x, ring, seen, stages):  # type: ignore[no-untyped-def]
    """Recompute the part of block (r, c) that the traceback may cross, up to ``row1`` and ``col1``.

    Args:
        u, y, v, x: scratch, a side of a block and lanes.
        seen: output of the flags: (strips, steps, lanes).
    """
    lanes = np.int64(1) << len(stages)
    row0, col0 = r * plan.block_rows, c * plan.block_cols
    width, height = plan.m + lanes, (plan.n + lanes - 1) // lanes * lanes
    for k in range(col1 - col0):
        u[k], y[k] = state.u[r * width + col0 + k], state.y[r * width + col0 + k]
    for k in range((row1 - row0 + lanes - 1) // lanes * lanes):
        v[k], x[k] = state.v[c * height + row0 + k], state.x[c * height + row0 + k]
    run_strips(plan, row0, row1, col0, col1, (u, y, 0, v, x, 0), ring, seen, stages)


@jit_with(error_model="numpy")
def advance(plan, state, stages, me, budget):  # type: ignore[no-untyped-def]
    """Compute up to ``budget`` blocks in thread ``me``.

    Returns:
        Blocks computed; fewer than ``budget`` when waiting for another thread, when stopped, or when nothing is
        left (``state.column[me]`` is then the number of columns of blocks).
    """
    lanes = np.int64(1) << len(stages)
    n_rows = (plan.n + plan.block_rows - 1) // plan.block_rows
    n_cols = state.progress.size
    ring = state.rings[me * lanes * lanes : (me + 1) * lanes * lanes]
    done = 0
    while done < budget and load_acquire(state.shared, 1) == 0:
        if state.column[me] < 0:
            state.column[me] = min(fetch_add(state.shared, 0, 1), n_cols)
            state.row[me] = 0
        c, r = state.column[me], state.row[me]
        if c >= n_cols:
            break
        if c > 0:
            spins = 0
            while load_acquire(state.progress, c - 1) <= r and spins < SPINS:
                spins += 1
            if spins == SPINS:
                break
        place = (r // plan.board_rows, c // plan.board_cols)
        if state.began[place] == 0:
            state.began[place] = tick(state.shared)
        state.block_map[place] = RUNNING
        state.cells[me] += run_block(plan, state, r, c, ring, stages)
        state.block_map[place] = DONE
        state.ended[place] = tick(state.shared)
        state.by[place] = me
        state.row[me] = r + 1
        store_release(state.progress, c, r + 1)
        if r + 1 == n_rows:
            state.column[me] = -1
        done += 1
    return done


@jit
def fill_profile(profile, rows, scores, lanes, first, last):  # type: ignore[no-untyped-def]
    """Fill the profile of strips ``first`` to ``last`` - 1; rows after the last one are scored as code 0.

    Args:
        rows: codes of A. scores: of the codes, shape (codes of A, codes of B).
    """
    n_codes = scores.shape[1]
    for s in range(first, last):
        row = s * lanes
        height = min(lanes, rows.size - row)
        for c in range(n_codes):
            at = (s * n_codes + c) * lanes
            for k in range(height):
                profile[np.uint64(at + k)] = scores[rows[np.uint64(row + k)], c]
            profile[at + height : at + lanes] = scores[0, c]
