"""O(ND) band on one CPU thread; its points are too few for several."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.jit.bits import common_prefix
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.run_record import thread_lane
from wavediff.core.kernels.pairwise.blocks.block_shape import CHECK_BYTES, BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition.diagonal_band import DiagonalBand
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import NOWHERE, FurthestPoints
from wavediff.core.kernels.pairwise.diagonal_transition.probe import (
    INITIAL_STATE,
    SLICE_LETTERS,
    make_ready,
    probe_steps,
)
from wavediff.core.kernels.pairwise.estimate import clip_band
from wavediff.core.kernels.pairwise.problem import B, PairProblem
from wavediff.core.system.machine import available_memory

POINT_SECONDS = (
    1e-8  # seconds of a point, when ways are weighed: those of long sequences lie far from each other in memory
)
MIN_CHECKPOINT_COSTS = 64  # costs from one kept front to the next, at least
MAX_CHECKPOINT_COSTS = 1 << 9  # at most: the walk back computes twice as many diagonals of as many costs for each again
SLICE_SECONDS = 0.008  # seconds between two reports
MAX_ROWS = 1 << 31  # that fit the 32 bits of a kept point
UNCHECKED_BYTES = 1 << 28  # bytes no one need be asked for


def choose_diagonals(
    problem: PairProblem[B],
    shape: BlockShapePlan | None,
    band: tuple[int, int] | None,
    edits: int,
    rate: float,
    n_delta_bits: int,
) -> CpuDiagonalBand | None:
    """Return the diagonals of a band if likely faster than blocks and within memory, else None.

    Args:
        shape: of the blocks; None if they exceed memory.
        edits: expected; 0: unknown.
        rate: cells per second and thread.
    """
    job = problem.job
    if band is None or not edits or job.block_rows or job.block_cols:
        return None
    band = clip_band(band, int(problem.a.size), int(problem.b.size))
    points, blocks = seconds_of(problem, shape, band, edits, rate, n_delta_bits)
    if points > blocks:
        return None
    # What is given up leaves a bound that says little, so it may take as long as blocks do.
    most = int(edits * min(max(2.0, blocks / points), (problem.a.size + problem.b.size) / edits + 1))
    if problem.wants_path:
        most = min(most, edits_that_fit(band[1] - band[0] + 1, MAX_CHECKPOINT_COSTS))
    if most < edits:
        return None
    return CpuDiagonalBand(problem.a, problem.b, n_delta_bits, band, path=problem.wants_path, most=most)


def seconds_of(
    problem: PairProblem[B],
    shape: BlockShapePlan | None,
    band: tuple[int, int],
    edits: int,
    rate: float,
    n_delta_bits: int,
) -> tuple[float, float]:
    """Estimate the seconds of a band by points, and by blocks; see ``choose_diagonals``."""
    n, m = int(problem.a.size), int(problem.b.size)
    low, high = clip_band(band, n, m)
    width = high - low + 1
    each = min(width, edits) / (2 if n_delta_bits == LCS_SIGNS else 1)  # there are as many on each side as edits so far
    return edits * each * POINT_SECONDS, n * m / rate if shape is None else shape.seconds(n, width, rate)


def edits_that_fit(width: int, steps: int) -> int:
    """Return the edits for which every ``steps``-th front of a band fits into memory."""
    return max(UNCHECKED_BYTES, available_memory() // 8) // (4 * width) * steps


class CpuDiagonalBand(DiagonalBand):
    """See ``DiagonalBand``."""

    def __init__(
        self, a: Letters, b: Letters, n_delta_bits: int, band: tuple[int, int], *, path: bool, most: int
    ) -> None:
        super().__init__(a, b, n_delta_bits, band, path=path, most=most)
        self._kept = np.int32 if a.size < MAX_ROWS else np.int64
        self._steps, width = MIN_CHECKPOINT_COSTS, self._band[1] - self._band[0] + 1
        while self._steps < MAX_CHECKPOINT_COSTS and edits_that_fit(width, self._steps) < most:
            self._steps *= 2

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        yield from make_ready(step, self._signs, self._a.dtype.type)
        self._begin(thread_lane(0))
        since, (low, high), n = perf_counter(), self._band, int(self._a.size)
        points = np.full(high - low + 3, NOWHERE, np.int64)
        first = int(common_prefix(self._a, self._b))
        points[1 - low] = first
        self._fronts = [FurthestPoints(0, 0, np.array([first], self._kept))]
        cost_at_end, reported, cost, batch, place = 0 if first == n == self._b.size else -1, 0, 1, 8, INITIAL_STATE
        while cost_at_end < 0 and cost <= self._most:
            full = self._fronts[-1].cost + self._steps
            end = min(cost + batch, full + 1)
            cost_at_end, cost, *place = probe_steps(
                self._signs, self._a, self._b, points, low, cost, end, tuple(place), SLICE_LETTERS
            )
            seconds = perf_counter() - since
            if cost_at_end < 0 and cost > full:
                self._keep(full, points)
            batch = min(2 * batch, self._steps)
            if seconds > SLICE_SECONDS:
                done = self._mark(max(0, int(points.max())))
                yield step.took("blocks", seconds, 1, done - reported)
                reported, since = done, perf_counter()
                batch = max(1, int(batch * SLICE_SECONDS / seconds / 2))
        self._cost = cost_at_end if cost_at_end >= 0 else cost - 1 + self._left(low, points[1:-1])
        yield step.done("blocks", since, 1, self._mark(n) - reported)
        return False

    def _keep(self, cost: int, points: Counts) -> None:
        low, high = max(self._band[0], -cost), min(self._band[1], cost)
        at = low - self._band[0] + 1
        if not self._path and len(self._fronts) * points.nbytes > CHECK_BYTES:
            self._fronts.clear()
        self._fronts.append(FurthestPoints(cost, low, points[at : at + high - low + 1].astype(self._kept)))
