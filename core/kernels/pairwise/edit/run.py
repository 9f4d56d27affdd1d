"""Edit distance: choose the way, compute, walk back, check, and account for what was skipped.

Source: Sudo and Shinohara (Sudo and Shinohara): the block grid, the queue of ready blocks, the staggered layout, the
subsequence check, the band from a Hamming bound and the monotone borders. We depart from it: rows are bit-sliced (no
addition at all, so blocks are 512 rows or a multiple, not 128), the path is found, and the default band comes from what
the sequences share rather than from their Hamming distance.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

from core.jobs.event_streams import EventTotals
from core.jobs.events import Event
from core.kernels.pairwise.backend import MatrixBackend
from core.kernels.pairwise.edit.edit_matrix import CpuEdit
from core.kernels.pairwise.edit.strategies import SkipLedger, run_strategy
from core.kernels.pairwise.pair_problem import PairProblem, align, check, encode, make_ready
from core.kernels.pairwise.small_pair_check import EDIT, recompute_score
from core.methods.edit import BandMode, EditJob
from core.results.alignment import Alignment, Op
from core.results.edit import EditResult, Skip, SkipReason

CPU = CpuEdit()


def run(job: EditJob, backend: MatrixBackend[EditJob] = CPU) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``core.results.edit.EditResult``.

    Args:
        engine: what computes matrices; the CPU where ``core.run.dispatch`` says nothing else.

    Raises:
        SelfCheckFailed: the result contradicted itself.
        NotEnoughMemory: the path needs more than there is.
    """
    start, tally = perf_counter(), EventTotals()
    skipped = SkipLedger()
    problem, distance, alignment = yield from tally.watch(_steps(job, backend, skipped))
    counts = tally.block_seconds > 0 and tally.block_cells > 1 << 24
    rate = tally.block_cells / tally.block_seconds if counts else backend.pace(problem).rate
    return EditResult(
        job_id=job.id,
        distance=distance,
        exact=_is_exact(problem, distance),
        alignment=alignment,
        strategy=problem.strategy,
        reason=problem.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=tally.cells,
        skips=tuple(Skip(reason, n, saved, saved / rate) for reason, n, saved in _ledger(problem, skipped) if saved),
        bands=tuple(skipped.bands),
        device=backend.device,
        kernel_seconds=tally.kernel_seconds,
        wall_seconds=perf_counter() - start - tally.compile_seconds,
    )


def _is_exact(problem: PairProblem[EditJob], distance: int) -> bool:
    threshold = problem.job.threshold
    return threshold is None or distance <= threshold or problem.strategy in ("ends", "subsequence")


def _ledger(problem: PairProblem[EditJob], skipped: SkipLedger) -> list[tuple[SkipReason, int, int]]:
    whole = int(problem.job.a.size) * int(problem.job.b.size)
    return [(SkipReason.ENDS, 0, whole - problem.n_cells), *skipped.lines]


def _steps(
    job: EditJob, backend: MatrixBackend[EditJob], skipped: SkipLedger
) -> Generator[Event, None, tuple[PairProblem[EditJob], int, Alignment | None]]:
    start = perf_counter()
    if backend is CPU:
        CPU.foresee(job)
    yield from make_ready(job)
    problem = yield from encode(job, strip=job.band in (BandMode.AUTO, BandMode.FIXED))
    distance = yield from run_strategy(problem, backend, skipped)
    if _is_exact(problem, distance):
        yield from recompute_score(job.id, job.a, job.b, job.fold_case, EDIT, distance, perf_counter() - start)
    if not problem.wants_path:
        return problem, distance, None
    alignment = yield from align(problem)
    yield from check(problem, alignment, lambda columns: int(columns[Op.MISMATCH :].sum()) == distance)
    return problem, distance, alignment
