"""The ways to an LCS, and the choice between them: what is likely to be fastest, and always a proof."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Protocol

import numpy as np

from core.jit.warmup import warm_up
from core.jobs.events import Event, StepDone
from core.kernels.pairwise.backend import MatrixBackend
from core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from core.kernels.pairwise.diagonal_transition.probe import MIN_PROBE_EDITS, POINT_SECONDS, probe
from core.kernels.pairwise.divergence import DivergenceRange
from core.kernels.pairwise.lcs import hirschberg
from core.kernels.pairwise.lcs.small_pairs import small_length, small_path
from core.kernels.pairwise.pair_problem import PairProblem, ScoreSteps, estimate_divergence, make_alignment_ready
from core.kernels.pairwise.prefix_estimate import estimate_threshold
from core.kernels.pairwise.seeds.band_narrowing import MIN_BAND_EDITS, Narrowing
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob, Strategy
from core.results.alignment import Op

PROBE_TIME_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
MAX_PROBE_EDITS = 6000  # insertions and deletions; its memory grows with the square
SIGNS = (0,) * LCS_SIGNS
MAX_BAND_TIME_SHARE = 0.75  # of the matrix's time; a band that takes longer is not tried


class LcsEngine(MatrixBackend[LcsJob], Protocol):
    """An engine that may compute the halves of Hirschberg's recursion too."""

    def half(self, problem: PairProblem[LcsJob]) -> hirschberg.Half | None:
        """Return what computes a half of ``core``; None: the CPU, in blocks."""
        ...


def run_strategy(problem: PairProblem[LcsJob], backend: LcsEngine) -> ScoreSteps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the length."""
    job, n, m = problem.job, int(problem.a.size), int(problem.b.size)
    pace = backend.pace(problem)
    if not n or not m:
        return (yield from _only_ends(problem, "ends", "one is the other with a single gap" if n or m else "identical"))
    if not problem.n_shared and job.strategy is Strategy.AUTO:
        return (yield from _only_ends(problem, "disjoint", "no letter occurs in both"))
    if (
        n * m <= pace.small_cells
        and job.path is not TracebackMethod.HIRSCHBERG
        and job.strategy in (Strategy.AUTO, Strategy.FULL)
        and not job.block_rows
    ):
        return (yield from _small(problem))
    if job.path is TracebackMethod.HIRSCHBERG:
        return (
            yield from hirschberg.solve(
                problem, "asked for: halves and recursion, as in paper 1", backend.half(problem)
            )
        )
    yield from backend.make_ready(problem)
    if problem.wants_path:
        yield from make_alignment_ready(problem)
    changed: DivergenceRange | None = DivergenceRange(0.0, 0.0)
    if job.strategy is Strategy.BAND or (job.strategy is Strategy.AUTO and problem.n_cells >= pace.no_band_cells):
        changed = yield from estimate_divergence(problem)
    tried = 0
    if job.strategy is Strategy.PROBE or (job.strategy is Strategy.AUTO and changed is not None):
        limit = int((2 * PROBE_TIME_SHARE * problem.n_cells / pace.rate / POINT_SECONDS) ** 0.5)
        limit = min(max(limit, MIN_PROBE_EDITS), n + m) if job.strategy is Strategy.AUTO else n + m
        tried = min(limit, MAX_PROBE_EDITS)
        if changed is not None and job.strategy is Strategy.AUTO and changed.high * min(n, m) > tried:
            tried = 0  # it would hardly reach the end
        distance = yield from probe(problem, SIGNS, tried, "insertions and deletions")
        if distance >= 0:
            return (n + m - distance) // 2
    if job.strategy in (Strategy.AUTO, Strategy.PROBE, Strategy.BAND):
        length = yield from _band(problem, backend, changed, tried)
        if length >= 0:
            return length
    return (yield from _full(problem, backend))


def _only_ends(problem: PairProblem[LcsJob], strategy: str, reason: str) -> ScoreSteps:
    problem.pieces.append(
        (np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([problem.a.size, problem.b.size], np.int64))
    )
    grid, block_map = problem.one_block()
    yield problem.planned(strategy, reason, block_map, grid, 0)
    return 0


def _small(problem: PairProblem[LcsJob]) -> ScoreSteps:
    n, m = int(problem.a.size), int(problem.b.size)
    grid, block_map = problem.one_block()
    yield problem.planned("full", f"only {n * m:,} cells", block_map, grid, n * m)
    yield from _small_ready(problem)
    start = perf_counter()
    if not problem.wants_path:
        length = int(small_length(problem.a, problem.b))
    else:
        ops, lengths = small_path(problem.a, problem.b)
        problem.pieces.append((ops, lengths))
        length = int(lengths[ops == Op.EQUAL].sum())
    yield StepDone(problem.job.id, "blocks", 1, n * m, perf_counter() - start)
    return length


def _small_ready(problem: PairProblem[LcsJob]) -> Generator[Event, None, None]:
    tiny = problem.a[:1]
    yield from warm_up(problem.job.id, "blocks", "small", lambda: (small_length(tiny, tiny), small_path(tiny, tiny)))


def _band(
    problem: PairProblem[LcsJob], backend: MatrixBackend[LcsJob], changed: DivergenceRange | None, tried: int
) -> ScoreSteps:
    """Return the length once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(problem.a.size), int(problem.b.size)
    asked = problem.job.strategy is not Strategy.AUTO
    if n * m < backend.pace(problem).no_band_cells and not asked:
        return -1
    if changed is None:
        yield from _small_ready(problem)
        k = yield from estimate_threshold(problem, lambda a, b: a.size + b.size - 2 * int(small_length(a, b)))
    else:  # a change costs at most a deletion and an insertion
        k = int(2 * changed.high * min(n, m)) + abs(n - m)
    k, found = max(k, 2 * tried, abs(n - m) + MIN_BAND_EDITS), False
    narrowing = Narrowing(problem, backend, LCS_SIGNS, alike=changed is not None)
    while True:
        k, band, told = yield from narrowing.band(k, found=found)
        matrix = yield from backend.matrix(problem, band, 0 if changed is None else k)
        if matrix is None or (matrix.share > MAX_BAND_TIME_SHARE and not asked):
            return -1
        reason = f"band of diagonals {band[0]:,} to {band[1]:,}, enough for {k:,} insertions and deletions{told}"
        reason += matrix.rounding(problem.job.block_rows, problem.job.block_cols)
        yield problem.planned("band", reason, matrix.block_map, matrix.grid, matrix.n_cells, band=band, threshold=k)
        yield from matrix.solve(problem.job.id, None)
        length = matrix.value()
        distance = n + m - 2 * length
        if distance <= k:
            problem.reason = f"{reason}; {distance:,} found, so no better path leaves it"
            if problem.wants_path:
                yield from matrix.trace(problem.job.id, problem.pieces)
            return length
        k, found = distance, True  # that path is an upper bound: a band that holds it holds the best


def _full(problem: PairProblem[LcsJob], backend: LcsEngine) -> ScoreSteps:
    matrix = yield from backend.matrix(problem, None)
    if matrix is None:
        return (
            yield from hirschberg.solve(problem, "the borders of blocks do not fit in memory", backend.half(problem))
        )
    reason = "asked for"
    if problem.job.strategy is Strategy.AUTO:
        reason = (
            "too different for a band"
            if problem.n_cells >= backend.pace(problem).no_band_cells
            else f"only {problem.n_cells:,} cells"
        )
    reason += matrix.rounding(problem.job.block_rows, problem.job.block_cols)
    yield problem.planned("full", reason, matrix.block_map, matrix.grid, matrix.n_cells)
    walked = yield from matrix.solve(problem.job.id, problem.pieces if problem.wants_path else None)
    if problem.wants_path and not walked:
        yield from matrix.trace(problem.job.id, problem.pieces)
    return matrix.value()
