"""Longest common subsequence on the CPU: choose the way, compute, walk back, check.

Source: paper 1 (Kawanami and Fujimoto) for the bit-parallel column step, the block grid and Hirschberg's
recursion; paper 2 (Sudo and Shinohara) for the staggered layout and the queue of ready blocks. We
depart from paper 1 in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

from core.events import Compiled, Event, StepDone
from core.jobs import LcsJob
from core.kernels.lcs.ways import take_way
from core.kernels.problem import Core, check, encode, make_ready
from core.results.alignment import Alignment, Op
from core.results.lcs import LcsResult
from core.traceback.runs import from_walk


def run(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    kernel_seconds, compile_seconds, cells = 0.0, 0.0, 0
    start = perf_counter()
    steps = _steps(job)
    try:
        while True:
            event = next(steps)
            if isinstance(event, StepDone):
                kernel_seconds += event.seconds
                cells += event.cells
            elif isinstance(event, Compiled):
                compile_seconds += event.seconds
            yield event
    except StopIteration as end:
        core, length, alignment = end.value
    finally:
        steps.close()
    return LcsResult(
        job_id=job.id,
        length=length,
        alignment=alignment,
        way=core.way,
        reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=cells,
        device="cpu",
        kernel_seconds=kernel_seconds,
        wall_seconds=perf_counter() - start - compile_seconds,
    )


def _steps(job: LcsJob) -> Generator[Event, None, tuple[Core[LcsJob], int, Alignment | None]]:
    yield from make_ready(job)
    core = yield from encode(job)
    length = core.prefix + core.suffix
    length += yield from take_way(core)
    if not core.wants_path:
        return core, length, None
    start = perf_counter()
    alignment = from_walk(core.pieces, core.prefix, core.suffix)
    yield StepDone(job.id, "traceback", 0, 0, perf_counter() - start)
    yield from check(core, alignment, alignment.count(Op.EQUAL) == length and not alignment.count(Op.MISMATCH))
    return core, length, alignment
