"""Longest common subsequence: choose the way, compute, walk back, check.

Source: Kawanami and Fujimoto (Kawanami and Fujimoto) for the bit-parallel column step, the block grid and Hirschberg's
recursion; Sudo and Shinohara (Sudo and Shinohara) for the staggered layout and the queue of ready blocks. We
depart from Kawanami and Fujimoto in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter

from core.jobs.event_streams import EventTotals
from core.jobs.events import Event
from core.kernels.pairwise.lcs.lcs_matrix import CpuLcs
from core.kernels.pairwise.lcs.strategies import LcsEngine, run_strategy
from core.kernels.pairwise.pair_problem import PairProblem, ScoreSteps, align, check, encode, make_ready
from core.kernels.pairwise.small_pair_check import INDEL, recompute_score
from core.methods.lcs import LcsJob
from core.results.alignment import Alignment, Op
from core.results.lcs import LcsResult

CPU = CpuLcs()
Take = Callable[[PairProblem[LcsJob], LcsEngine], ScoreSteps]


def run(
    job: LcsJob, backend: LcsEngine = CPU, take: Take = run_strategy, strip: bool = True
) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``.

    Args:
        engine: what computes matrices; the CPU where ``core.run.dispatch`` says nothing else.
        take: what chooses a way and solves the core.
        strip: leave equal ends out of the core.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    start, tally = perf_counter(), EventTotals()
    problem, length, alignment = yield from tally.watch(_steps(job, backend, take, strip))
    return LcsResult(
        job_id=job.id,
        length=length,
        alignment=alignment,
        strategy=problem.strategy,
        reason=problem.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=tally.cells,
        device=backend.device,
        kernel_seconds=tally.kernel_seconds,
        wall_seconds=perf_counter() - start - tally.compile_seconds,
    )


def _steps(
    job: LcsJob, backend: LcsEngine, take: Take, strip: bool
) -> Generator[Event, None, tuple[PairProblem[LcsJob], int, Alignment | None]]:
    start = perf_counter()
    if backend is CPU:
        CPU.foresee(job)
    yield from make_ready(job)
    problem = yield from encode(job, strip)
    length = problem.prefix + problem.suffix
    length += yield from take(problem, backend)
    yield from recompute_score(job.id, job.a, job.b, job.fold_case, INDEL, length, perf_counter() - start)
    if not problem.wants_path:
        return problem, length, None
    alignment = yield from align(problem)
    yield from check(problem, alignment, lambda columns: columns[Op.EQUAL] == length and not columns[Op.MISMATCH])
    return problem, length, alignment
