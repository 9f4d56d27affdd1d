"""Verification of a computed affine-gap matrix: its score along other borders, and sampled blocks cell by cell.

The score is the sum along the top and right edges; the check uses the left and bottom edges. Sampled blocks are
recomputed from their upper and left borders by Gotoh's published recurrence and must reproduce the right and lower
borders; without stored borders the first rows are recomputed.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.affine.affine_matrix import AffineMatrix
from wavediff.core.kernels.pairwise.look_again import Recheck, budget, expected_seconds

CELL_SECONDS = 6e-9  # that a cell takes
CELL_RATE = 8e9  # cells that the job itself computes a second on a core
MAX_BLOCKS = 64  # that are computed again


@jit
def gotoh_block(a, b, scores, first, more, u, y, v, x):  # type: ignore[no-untyped-def]
    """Compute a block from its borders, and replace them by the opposite ones.

    Args:
        a, b: codes. first, more: cost of the first letter of a gap, and of each following letter.
        u, y: int64, of the row above, see ``wavediff.core.kernels.affine.blocks``. v, x: of the column to the left.
    """
    m = b.size
    best, deleted = np.empty(m + 1, np.int64), np.empty(m + 1, np.int64)
    best[0] = 0
    for j in range(1, m + 1):
        best[j] = best[j - 1] + u[j - 1]
        deleted[j] = best[j] + y[j - 1]
    for i in range(a.size):
        diagonal = best[0]
        best[0] += v[i]
        inserted, above = best[0] + x[i], best[m]
        for j in range(1, m + 1):
            pair = diagonal + scores[a[i], b[j - 1]]
            diagonal = best[j]
            best[j] = max(pair, inserted, deleted[j])
            inserted = max(best[j] - first, inserted - more)
            deleted[j] = max(best[j] - first, deleted[j] - more)
        v[i], x[i] = best[m] - above, inserted - best[m]
    for j in range(1, m + 1):
        u[j - 1], y[j - 1] = best[j] - best[j - 1], deleted[j] - best[j]


def rehearse() -> None:
    """Compile the functions by a call with tiny input."""
    one, border = np.zeros(1, np.uint8), np.zeros(1, np.int64)
    gotoh_block(one, one, np.zeros((1, 1), np.int16), 1, 1, border, border, border, border)


def recheck(step: Step, matrix: AffineMatrix, a: Letters, b: Letters, scores: Any) -> Generator[Event, None, Recheck]:
    """Verify a computed matrix.

    Args:
        a, b: codes of the rows of ``scores``.
    """
    plan, start, cells = matrix.plan, perf_counter(), 0
    left = budget(expected_seconds(plan.n * plan.m, CELL_RATE))
    value = second_score(matrix)
    rows, cols = matrix.grid.shape if plan.kept else (1, 1)
    random = np.random.default_rng((plan.n, plan.m, abs(value)))
    for at in random.permutation(rows * cols)[:MAX_BLOCKS].tolist():
        width = min(plan.block_cols, plan.m - at % cols * plan.block_cols) if plan.kept else plan.m
        height = min(plan.block_rows, plan.n - at // cols * plan.block_rows) if plan.kept else plan.n
        most = int(left / CELL_SECONDS / width)
        if cells and not most:
            break
        whole, height = most >= height, min(height, max(1, most))
        right = _is_right(matrix, a, b, scores, (at // cols, at % cols), (height, width), whole)
        cells += height * width
        left -= height * width * CELL_SECONDS
        yield step.done("verify", start)
        start = perf_counter()
        if not right:
            top = at // cols * plan.block_rows
            return Recheck(value, 0.0, f"rows {top + 1:,} to {top + height:,}")
    return Recheck(value, cells / (plan.n * plan.m))


def second_score(matrix: AffineMatrix) -> int:
    """Return the scaled score along the left, the bottom, and up past the padding rows."""
    plan, (first, more) = matrix.plan, matrix.plan.costs
    padded = -(-plan.n // matrix.lanes) * matrix.lanes
    bottom = matrix.state.u[-(plan.m + matrix.lanes) :][: plan.m].sum(dtype=np.int64)
    right = matrix.state.v[-padded:][plan.n :].sum(dtype=np.int64)
    return -first - (padded - 1) * more + int(bottom - right)


def _is_right(
    matrix: AffineMatrix, a: Letters, b: Letters, scores: Any, at: tuple[int, int], shape: tuple[int, int], whole: bool
) -> bool:
    """Recompute the first ``shape[0]`` rows of a block; return whether its right border, if ``whole`` also its lower
    border, is the same."""
    plan, state, lanes, (r, c), (n, m) = matrix.plan, matrix.state, matrix.lanes, at, shape
    top, first = r * plan.block_rows, c * plan.block_cols
    wide, high = plan.m + lanes, -(-plan.n // lanes) * lanes

    def border(along: Counts, k: int, size: int, begin: int, length: int) -> Counts:
        at = k * size + begin
        part: Counts = along[at : at + length].astype(np.int64)
        return part

    if plan.kept:
        above = [border(one, r, wide, first, m) for one in (state.u, state.y)]
        side = [border(one, c, high, top, n) for one in (state.v, state.x)]
    else:
        above, side = ([np.full(k, -cost) for cost in (plan.costs[1], plan.costs[0])] for k in (m, n))
        above[0][0] = side[0][0] = -plan.costs[0]
    codes = a[top : top + n], b[first : first + m]
    gotoh_block(*codes, scores, *plan.costs, *above, *side)
    after = c + 1 if plan.kept else 0
    right = [border(one, after, high, top, n) for one in (state.v, state.x)]
    if not all(np.array_equal(one, other) for one, other in zip(side, right, strict=True)):
        return False
    if not plan.kept or not whole or top + n > plan.n // lanes * lanes:  # below the rows that fill the last lanes
        return True
    below = [border(one, r + 1, wide, first, m) for one in (state.u, state.y)]
    return all(np.array_equal(one, other) for one, other in zip(above, below, strict=True))
