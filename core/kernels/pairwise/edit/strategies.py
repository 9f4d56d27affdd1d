"""The ways to an edit distance, and the choice between them: what is likely to be fastest, and always a proof.

``BandMode.PAPER`` does what Sudo and Shinohara does and nothing more: subsequence check, one band from the Hamming
distance, borders handed through where they only rise and fall. ``BandMode.AUTO`` begins where that ends: stripped ends,
an O(ND) probe, and a band from sampled seeds that is widened to the distance it found until it proves itself.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from core.errors import NotEnoughMemory
from core.jit.warmup import warm_up
from core.jobs.event_streams import run_to_end
from core.jobs.events import Event, StepDone
from core.kernels.pairwise.backend import MatrixBackend
from core.kernels.pairwise.band_bounds import ukkonen_band
from core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from core.kernels.pairwise.diagonal_transition.probe import MIN_PROBE_EDITS, POINT_SECONDS, probe
from core.kernels.pairwise.divergence import DivergenceRange
from core.kernels.pairwise.edit.cheap_bounds import hamming, is_subsequence, subsequence_path
from core.kernels.pairwise.edit.small_pairs import small_distance, small_edit_path
from core.kernels.pairwise.pair_problem import PairProblem, ScoreSteps, estimate_divergence, make_alignment_ready
from core.kernels.pairwise.prefix_estimate import estimate_threshold
from core.kernels.pairwise.seeds.band_narrowing import MIN_BAND_EDITS, Narrowing
from core.methods.edit import BandMode, EditJob
from core.results.alignment import Op
from core.results.edit import BandAttempt, SkipReason
from core.system.machine import available_memory

PROBE_TIME_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
MAX_PROBE_EDITS = 5000  # edits; the memory of its path grows with the square
SIGNS = (0,) * EDIT_SIGNS
MAX_BAND_TIME_SHARE = 0.75  # of the matrix's time; a band that takes longer is not tried


@dataclass(slots=True)
class SkipLedger:
    """Ledger of work not done, as (reason, blocks, cells), and the bands that were computed."""

    lines: list[tuple[SkipReason, int, int]] = field(default_factory=list)
    bands: list[BandAttempt] = field(default_factory=list)


def run_strategy(problem: PairProblem[EditJob], backend: MatrixBackend[EditJob], skipped: SkipLedger) -> ScoreSteps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the distance."""
    job, n, m = problem.job, int(problem.a.size), int(problem.b.size)
    pace = backend.pace(problem)
    if not n or not m:
        return (yield from _only_ends(problem))
    if not problem.n_shared and job.band is BandMode.AUTO:
        return (yield from _disjoint(problem, skipped))
    if job.band in (BandMode.AUTO, BandMode.PAPER) and n != m:
        distance = yield from _subsequence(problem, skipped)
        if distance >= 0:
            return distance
    if n * m <= pace.small_cells and job.band in (BandMode.AUTO, BandMode.NONE) and not job.block_rows:
        return (yield from _small(problem))
    yield from backend.make_ready(problem)
    if problem.wants_path:
        yield from make_alignment_ready(problem)
    if job.band is BandMode.FIXED:
        assert job.threshold is not None  # the job checks it
        return (
            yield from _one_band(
                problem, backend, skipped, job.threshold, f"the threshold asked for, {job.threshold:,}"
            )
        )
    if job.band is BandMode.PAPER:
        yield from warm_up(
            job.id, "bound", "hamming", lambda: run_to_end(hamming(job.id, problem.a[:1], problem.b[:1]))
        )
        bound = yield from hamming(job.id, problem.a, problem.b)
        return (
            yield from _one_band(
                problem, backend, skipped, bound, f"Hamming distance of the prefixes bounds it by {bound:,}"
            )
        )
    if job.band is BandMode.AUTO:
        changed = (
            (yield from estimate_divergence(problem))
            if problem.n_cells >= pace.no_band_cells
            else DivergenceRange(0.0, 0.0)
        )
        limit = int((PROBE_TIME_SHARE * n * m / pace.rate / POINT_SECONDS) ** 0.5)
        limit = min(max(limit, MIN_PROBE_EDITS), n + m, MAX_PROBE_EDITS)
        if changed is None or changed.high * min(n, m) > limit:
            limit = 0  # it would hardly reach the end
        distance = yield from probe(problem, SIGNS, limit, "edits")
        if distance >= 0:
            skipped.lines.append((SkipReason.PROBE, 0, n * m))
        else:
            distance = yield from _bands(problem, backend, skipped, changed, limit)
        if distance >= 0:
            return distance
    reason = "asked for"
    if job.band is BandMode.AUTO:
        reason = (
            "too different for a band" if problem.n_cells >= pace.no_band_cells else f"only {problem.n_cells:,} cells"
        )
    return (yield from _matrix(problem, backend, skipped, None, None, "full", reason, None))


def _only_ends(problem: PairProblem[EditJob]) -> ScoreSteps:
    n, m = int(problem.a.size), int(problem.b.size)
    problem.pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([n, m], np.int64)))
    grid, block_map = problem.one_block()
    reason = "one is the other with a single gap" if n or m else "identical"
    yield problem.planned("ends", reason, block_map, grid, 0)
    return n + m


def _disjoint(problem: PairProblem[EditJob], skipped: SkipLedger) -> ScoreSteps:
    n, m = int(problem.a.size), int(problem.b.size)
    ops = np.array([Op.MISMATCH, Op.DELETION, Op.INSERTION], np.uint8)
    problem.pieces.append((ops, np.array([min(n, m), max(n - m, 0), max(m - n, 0)], np.int64)))
    grid, block_map = problem.one_block()
    yield problem.planned("disjoint", "no letter occurs in both", block_map, grid, 0)
    skipped.lines.append((SkipReason.DISJOINT, 0, n * m))
    return max(n, m)


def _subsequence(problem: PairProblem[EditJob], skipped: SkipLedger) -> ScoreSteps:
    """Return the distance when the shorter is a subsequence of the longer, else -1."""
    n, m = int(problem.a.size), int(problem.b.size)
    part, whole, gap = (problem.a, problem.b, Op.INSERTION) if n < m else (problem.b, problem.a, Op.DELETION)
    job, tiny = problem.job, problem.a[:1]

    def rehearse() -> None:
        run_to_end(is_subsequence(job.id, tiny, tiny))
        run_to_end(subsequence_path(job.id, tiny, tiny, int(Op.EQUAL), int(gap)))

    yield from warm_up(job.id, "subsequence", "subsequence", rehearse)
    found = yield from is_subsequence(job.id, part, whole)
    if found and problem.wants_path:
        problem.pieces.append((yield from subsequence_path(job.id, part, whole, int(Op.EQUAL), int(gap))))
    if not found:
        return -1
    grid, block_map = problem.one_block()
    yield problem.planned("subsequence", "the shorter one is a subsequence of the longer", block_map, grid, 0)
    skipped.lines.append((SkipReason.SUBSEQUENCE, 0, n * m))
    return abs(n - m)


def _small(problem: PairProblem[EditJob]) -> ScoreSteps:
    n, m = int(problem.a.size), int(problem.b.size)
    grid, block_map = problem.one_block()
    yield problem.planned("full", f"only {n * m:,} cells", block_map, grid, n * m)
    yield from _small_ready(problem)
    start = perf_counter()
    if not problem.wants_path:
        distance = int(small_distance(problem.a, problem.b))
    else:
        ops, lengths = small_edit_path(problem.a, problem.b)
        problem.pieces.append((ops, lengths))
        distance = int(lengths[ops != Op.EQUAL].sum())
    yield StepDone(problem.job.id, "blocks", 1, n * m, perf_counter() - start)
    return distance


def _small_ready(problem: PairProblem[EditJob]) -> Generator[Event, None, None]:
    tiny = problem.a[:1]
    yield from warm_up(
        problem.job.id, "blocks", "small edit", lambda: (small_distance(tiny, tiny), small_edit_path(tiny, tiny))
    )


def _bands(
    problem: PairProblem[EditJob],
    backend: MatrixBackend[EditJob],
    skipped: SkipLedger,
    changed: DivergenceRange | None,
    tried: int,
) -> ScoreSteps:
    """Return the distance once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(problem.a.size), int(problem.b.size)
    if problem.n_cells < backend.pace(problem).no_band_cells:
        return -1
    if changed is None:
        yield from _small_ready(problem)
        k = yield from estimate_threshold(problem, small_distance)
        seeds = "no seed is shared, and fronts tell how much is changed"
    else:
        k, seeds = int(changed.high * min(n, m)) + abs(n - m), f"seeds say about {changed.high:.2%} is changed"
    k, found = max(k, 2 * tried, abs(n - m) + MIN_BAND_EDITS), False
    narrowing = Narrowing(problem, backend, EDIT_SIGNS, alike=changed is not None)
    while True:
        k, band, told = yield from narrowing.band(k, found=found)
        reason = f"{seeds}; threshold {k:,}{told}"
        edits = 0 if changed is None else k
        distance = yield from _matrix(problem, backend, skipped, k, band, "band", reason, MAX_BAND_TIME_SHARE, edits)
        if distance < 0 or distance <= k:
            return distance
        # The path found is an upper bound: a band that holds it holds the best.
        k, found, seeds = distance, True, f"a path of {distance:,} edits was found"


def _one_band(
    problem: PairProblem[EditJob], backend: MatrixBackend[EditJob], skipped: SkipLedger, threshold: int, reason: str
) -> ScoreSteps:
    strategy = "paper" if problem.job.band is BandMode.PAPER else "band"
    band = ukkonen_band(int(problem.a.size), int(problem.b.size), threshold)
    return (yield from _matrix(problem, backend, skipped, threshold, band, strategy, reason, None))


def _matrix(
    problem: PairProblem[EditJob],
    backend: MatrixBackend[EditJob],
    skipped: SkipLedger,
    threshold: int | None,
    band: tuple[int, int] | None,
    strategy: str,
    reason: str,
    worth: float | None,
    edits: int = 0,
) -> ScoreSteps:
    """Compute the matrix, or a band, and walk back when that is proof.

    Args:
        threshold, band: all paths of so many edits are on these diagonals; None for the whole matrix.
        worth: the share of the time of the matrix that the band may take; None when it is computed anyway.
        edits: that are expected; 0 where nothing is known.

    Returns:
        The distance found, or -1 when the band is not worth it.
    """
    job, n, m = problem.job, int(problem.a.size), int(problem.b.size)
    matrix = problem.matrix = yield from backend.matrix(problem, band, edits)
    if matrix is None:
        raise NotEnoughMemory(
            f"the block borders of {n:,} x {m:,} letters do not fit in the memory that is available"
            f" ({available_memory():,} bytes on the host); ask for the distance only, without a path"
        )
    if worth is not None and matrix.share > worth:
        return -1
    reason += matrix.rounding(job.block_rows, job.block_cols)
    yield problem.planned(
        strategy, reason, matrix.block_map, matrix.grid, matrix.n_cells, band=band, threshold=threshold
    )
    walked = yield from matrix.solve(job.id, problem.pieces if problem.wants_path and band is None else None)
    if matrix.n_skipped:
        yield StepDone(job.id, "skipped", 0, matrix.n_skipped, 0.0)
    distance = matrix.value()
    if band is not None and threshold is not None:
        skipped.bands.append(BandAttempt(threshold, band[0], band[1], distance, matrix.n_cells - matrix.n_skipped))
        if distance > threshold and job.band is not BandMode.FIXED:
            return distance
    outside, through = matrix.skipped_blocks()
    skipped.lines.append((SkipReason.BAND, outside, problem.n_cells - matrix.n_cells))
    skipped.lines.append((SkipReason.MONOTONE, through, matrix.n_skipped))
    if problem.wants_path and not walked:
        yield from matrix.trace(job.id, problem.pieces)
    return distance
