"""Edit distance on the CPU: choose the way, compute, walk back, check, and account for what was skipped.

Source: paper 2 (Sudo and Shinohara): the block grid, the queue of ready blocks, the staggered layout, the subsequence
check, the band from a Hamming bound and the monotone borders. We depart from it: rows are bit-sliced (no addition at
all, so blocks are 512 rows or a multiple, not 128), the path is found, and the default band comes from what the
sequences share rather than from their Hamming distance.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

from core.events import Compiled, Event, StepDone
from core.jobs import Band, EditJob
from core.kernels.edit.ways import RATE, Skipped, take_way
from core.kernels.problem import Core, check, encode, make_ready
from core.results.alignment import Alignment, Op
from core.results.edit import EditResult, Skip, SkipReason
from core.traceback.runs import from_walk


def run(job: EditJob) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``core.results.edit.EditResult``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
        NotEnoughMemory: the path needs more than there is.
    """
    kernel_seconds = compile_seconds = block_seconds = 0.0
    cells = block_cells = 0
    start = perf_counter()
    skipped = Skipped()
    steps = _steps(job, skipped)
    try:
        while True:
            event = next(steps)
            if isinstance(event, StepDone) and event.kernel != "skipped":
                kernel_seconds += event.seconds
                cells += event.cells
                if event.kernel == "blocks":
                    block_seconds, block_cells = block_seconds + event.seconds, block_cells + event.cells
            elif isinstance(event, Compiled):
                compile_seconds += event.seconds
            yield event
    except StopIteration as end:
        core, distance, alignment = end.value
    finally:
        steps.close()
    rate = block_cells / block_seconds if block_seconds > 0 and block_cells > 1 << 24 else RATE
    return EditResult(
        job_id=job.id,
        distance=distance,
        exact=job.threshold is None or distance <= job.threshold or core.way in ("ends", "subsequence"),
        alignment=alignment,
        way=core.way,
        reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=cells,
        skips=tuple(Skip(reason, n, saved, saved / rate) for reason, n, saved in _ledger(core, skipped) if saved),
        bands=tuple(skipped.bands),
        device="cpu",
        kernel_seconds=kernel_seconds,
        wall_seconds=perf_counter() - start - compile_seconds,
    )


def _ledger(core: Core[EditJob], skipped: Skipped) -> list[tuple[SkipReason, int, int]]:
    whole = int(core.job.a.size) * int(core.job.b.size)
    return [(SkipReason.ENDS, 0, whole - core.n_cells), *skipped.lines]


def _steps(job: EditJob, skipped: Skipped) -> Generator[Event, None, tuple[Core[EditJob], int, Alignment | None]]:
    yield from make_ready(job)
    core = yield from encode(job, strip=job.band in (Band.AUTO, Band.FIXED))
    distance = yield from take_way(core, skipped)
    if not core.wants_path:
        return core, distance, None
    start = perf_counter()
    alignment = from_walk(core.pieces, core.prefix, core.suffix)
    yield StepDone(job.id, "traceback", 0, 0, perf_counter() - start)
    yield from check(core, alignment, alignment.n_columns - alignment.count(Op.EQUAL) == distance)
    return core, distance, alignment
