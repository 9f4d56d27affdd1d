"""A band by O(ND) on one thread of the CPU: its points are so few that more threads would wait for each other."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.arrays import Counts, Letters
from core.bits import common_prefix
from core.events import Event, StepDone
from core.jobs import EditJob, LcsJob
from core.kernels.bands import inside
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.blocks.shape import Shape
from core.kernels.diagonals.fronts import Front
from core.kernels.diagonals.matrix import DiagonalMatrix
from core.kernels.diagonals.points import NOWHERE
from core.kernels.diagonals.probe import BEGIN, LETTERS, make_ready, probe_steps
from core.kernels.problem import Core
from core.machine import available_memory
from core.traceback.runs import Ops

POINT = 1e-8  # seconds of a point, when ways are weighed: those of long sequences lie far from each other in memory
STEPS = 64  # costs from one kept front to the next, at least
MOST_STEPS = 1 << 9  # at most: the walk back computes twice as many diagonals of as many costs for each again
SLICE = 0.008  # seconds between two reports
MOST_ROWS = 1 << 31  # that fit the 32 bits of a kept point
MODEST = 1 << 28  # bytes nobody need be asked for


def instead_of_blocks(
    core: Core[LcsJob] | Core[EditJob],
    shape: Shape | None,
    band: tuple[int, int] | None,
    edits: int,
    rate: float,
    n_signs: int,
) -> CpuDiagonals | None:
    """Return the diagonals of a band where they are likely to take less time than its blocks, and fit into memory.

    Args:
        shape: of the blocks; None where those do not fit.
        edits: that are expected; 0 where nothing is known.
        rate: cells that a thread computes a second.
    """
    job = core.job
    if band is None or not edits or job.block_rows or job.block_cols:
        return None
    band = inside(band, int(core.a.size), int(core.b.size))
    points, blocks = seconds_of(core, shape, band, edits, rate, n_signs)
    if points > blocks:
        return None
    # What is given up leaves a bound that says little, so it may take as long as blocks do.
    most = int(edits * min(max(2.0, blocks / points), (core.a.size + core.b.size) / edits + 1))
    if core.wants_path:
        most = min(most, edits_that_fit(band[1] - band[0] + 1, MOST_STEPS))
    return CpuDiagonals(core.a, core.b, n_signs, band, path=core.wants_path, most=most) if most >= edits else None


def seconds_of(
    core: Core[LcsJob] | Core[EditJob],
    shape: Shape | None,
    band: tuple[int, int],
    edits: int,
    rate: float,
    n_signs: int,
) -> tuple[float, float]:
    """Return how long the points of a band are likely to take, and its blocks; see ``instead_of_blocks``."""
    n, m = int(core.a.size), int(core.b.size)
    low, high = inside(band, n, m)
    width = high - low + 1
    each = min(width, edits) / (2 if n_signs == LCS_SIGNS else 1)  # there are as many on each side as edits so far
    return edits * each * POINT, n * m / rate if shape is None else shape.seconds(n, width, rate)


def edits_that_fit(width: int, steps: int) -> int:
    """Return of how many edits every ``steps``-th front of a band fits into memory."""
    return max(MODEST, available_memory() // 8) // (4 * width) * steps


class CpuDiagonals(DiagonalMatrix):
    """See ``DiagonalMatrix``."""

    def __init__(self, a: Letters, b: Letters, n_signs: int, band: tuple[int, int], *, path: bool, most: int) -> None:
        super().__init__(a, b, n_signs, band, path=path, most=most)
        self._kept = np.int32 if a.size < MOST_ROWS else np.int64
        self._steps, width = STEPS, self._band[1] - self._band[0] + 1
        while self._steps < MOST_STEPS and edits_that_fit(width, self._steps) < most:
            self._steps *= 2

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        yield from make_ready(job_id, self._signs)
        since, (low, high), n = perf_counter(), self._band, int(self._a.size)
        points = np.full(high - low + 3, NOWHERE, np.int64)
        first = int(common_prefix(self._a, self._b))
        points[1 - low] = first
        self._fronts = [Front(0, 0, np.array([first], self._kept))]
        found, told, cost, batch, place = 0 if first == n == self._b.size else -1, 0, 1, 8, BEGIN
        while found < 0 and cost <= self._most:
            full = self._fronts[-1].cost + self._steps
            end = min(cost + batch, full + 1)
            found, cost, *place = probe_steps(
                self._signs, self._a, self._b, points, low, cost, end, tuple(place), LETTERS
            )
            seconds = perf_counter() - since
            if found < 0 and cost > full:
                self._keep(full, points)
            batch = min(2 * batch, self._steps)
            if seconds > SLICE:
                done = self._mark(max(0, int(points.max())))
                yield StepDone(job_id, "blocks", 1, done - told, seconds)
                told, since = done, perf_counter()
                batch = max(1, int(batch * SLICE / seconds / 2))
        self._cost = found if found >= 0 else cost - 1 + self._left(low, points[1:-1])
        yield StepDone(job_id, "blocks", 1, self._mark(n) - told, perf_counter() - since)
        return False

    def _keep(self, cost: int, points: Counts) -> None:
        low, high = max(self._band[0], -cost), min(self._band[1], cost)
        at = low - self._band[0] + 1
        if not self._path:
            self._fronts.clear()
        self._fronts.append(Front(cost, low, points[at : at + high - low + 1].astype(self._kept)))
