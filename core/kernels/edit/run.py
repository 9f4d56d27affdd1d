"""Edit distance: choose the way, compute, walk back, check, and account for what was skipped.

Source: paper 2 (Sudo and Shinohara): the block grid, the queue of ready blocks, the staggered layout, the subsequence
check, the band from a Hamming bound and the monotone borders. We depart from it: rows are bit-sliced (no addition at
all, so blocks are 512 rows or a multiple, not 128), the path is found, and the default band comes from what the
sequences share rather than from their Hamming distance.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

from core.events import Event
from core.jobs import Band, EditJob
from core.kernels.edit.matrix import CpuEdit
from core.kernels.edit.ways import Skipped, take_way
from core.kernels.engine import Engine
from core.kernels.problem import Core, align, check, encode, make_ready
from core.kernels.second import EDIT, confirm
from core.kernels.steps import Tally
from core.results.alignment import Alignment, Op
from core.results.edit import EditResult, Skip, SkipReason

CPU = CpuEdit()


def run(job: EditJob, engine: Engine[EditJob] = CPU) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``core.results.edit.EditResult``.

    Args:
        engine: what computes matrices; the CPU where ``core.dispatch`` says nothing else.

    Raises:
        SelfCheckFailed: the result contradicted itself.
        NotEnoughMemory: the path needs more than there is.
    """
    start, tally = perf_counter(), Tally()
    skipped = Skipped()
    core, distance, alignment = yield from tally.watch(_steps(job, engine, skipped))
    counts = tally.block_seconds > 0 and tally.block_cells > 1 << 24
    rate = tally.block_cells / tally.block_seconds if counts else engine.pace(core).rate
    return EditResult(
        job_id=job.id,
        distance=distance,
        exact=_is_exact(core, distance),
        alignment=alignment,
        way=core.way,
        reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=tally.cells,
        skips=tuple(Skip(reason, n, saved, saved / rate) for reason, n, saved in _ledger(core, skipped) if saved),
        bands=tuple(skipped.bands),
        device=engine.device,
        kernel_seconds=tally.kernel_seconds,
        wall_seconds=perf_counter() - start - tally.compile_seconds,
    )


def _is_exact(core: Core[EditJob], distance: int) -> bool:
    threshold = core.job.threshold
    return threshold is None or distance <= threshold or core.way in ("ends", "subsequence")


def _ledger(core: Core[EditJob], skipped: Skipped) -> list[tuple[SkipReason, int, int]]:
    whole = int(core.job.a.size) * int(core.job.b.size)
    return [(SkipReason.ENDS, 0, whole - core.n_cells), *skipped.lines]


def _steps(
    job: EditJob, engine: Engine[EditJob], skipped: Skipped
) -> Generator[Event, None, tuple[Core[EditJob], int, Alignment | None]]:
    start = perf_counter()
    if engine is CPU:
        CPU.foresee(job)
    yield from make_ready(job)
    core = yield from encode(job, strip=job.band in (Band.AUTO, Band.FIXED))
    distance = yield from take_way(core, engine, skipped)
    if _is_exact(core, distance):
        yield from confirm(job.id, job.a, job.b, job.fold_case, EDIT, distance, perf_counter() - start)
    if not core.wants_path:
        return core, distance, None
    alignment = yield from align(core)
    yield from check(core, alignment, lambda columns: int(columns[Op.MISMATCH :].sum()) == distance)
    return core, distance, alignment
