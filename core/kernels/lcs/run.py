"""Longest common subsequence: choose the way, compute, walk back, check.

Source: paper 1 (Kawanami and Fujimoto) for the bit-parallel column step, the block grid and Hirschberg's
recursion; paper 2 (Sudo and Shinohara) for the staggered layout and the queue of ready blocks. We
depart from paper 1 in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter

from core.events import Event
from core.jobs import LcsJob
from core.kernels.lcs.matrix import CpuLcs
from core.kernels.lcs.ways import LcsEngine, take_way
from core.kernels.problem import Core, Steps, align, check, encode, make_ready
from core.kernels.second import INDEL, confirm
from core.kernels.steps import Tally
from core.results.alignment import Alignment, Op
from core.results.lcs import LcsResult

CPU = CpuLcs()
Take = Callable[[Core[LcsJob], LcsEngine], Steps]


def run(
    job: LcsJob, engine: LcsEngine = CPU, take: Take = take_way, strip: bool = True
) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``.

    Args:
        engine: what computes matrices; the CPU where ``core.dispatch`` says nothing else.
        take: what chooses a way and solves the core.
        strip: leave equal ends out of the core.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    start, tally = perf_counter(), Tally()
    core, length, alignment = yield from tally.watch(_steps(job, engine, take, strip))
    return LcsResult(
        job_id=job.id,
        length=length,
        alignment=alignment,
        way=core.way,
        reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=tally.cells,
        device=engine.device,
        kernel_seconds=tally.kernel_seconds,
        wall_seconds=perf_counter() - start - tally.compile_seconds,
    )


def _steps(
    job: LcsJob, engine: LcsEngine, take: Take, strip: bool
) -> Generator[Event, None, tuple[Core[LcsJob], int, Alignment | None]]:
    start = perf_counter()
    if engine is CPU:
        CPU.foresee(job)
    yield from make_ready(job)
    core = yield from encode(job, strip)
    length = core.prefix + core.suffix
    length += yield from take(core, engine)
    yield from confirm(job.id, job.a, job.b, job.fold_case, INDEL, length, perf_counter() - start)
    if not core.wants_path:
        return core, length, None
    alignment = yield from align(core)
    yield from check(core, alignment, lambda columns: columns[Op.EQUAL] == length and not columns[Op.MISMATCH])
    return core, length, alignment
