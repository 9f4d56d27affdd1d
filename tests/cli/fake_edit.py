"""Stands in for the kernel of the edit distance: the textbook's answer, reported as a kernel reports."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from tests.core.export.helpers import alignment
from tests.oracles import edit as oracle
from wavediff.core.jobs.edit_result import BandAttempt, EditResult, Skip, SkipReason
from wavediff.core.jobs.events import Event, Planned, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob


def run(job: EditJob) -> Generator[Event, None, EditResult]:
    a, b = (one.tobytes().upper() if job.fold_case else one.tobytes() for one in (job.a, job.b))
    grid = BlockGrid(len(a), len(b), job.block_rows or 64, job.block_cols or 64)
    block_map = np.full(grid.shape, BlockState.DONE, np.uint8)
    n_cells, distance = len(a) * len(b), oracle.distance(a, b)
    low, high = -len(a), len(b)
    yield Planned(job.id, grid, block_map, str(job.band), "as the textbook has it", n_cells, low, high, job.threshold)
    yield StepDone(job.id, "blocks", grid.n_blocks, n_cells, 1e-3)
    threshold = job.threshold if job.threshold is not None else distance
    return EditResult(
        job_id=job.id,
        distance=max(distance, min(distance, threshold) + 3 * (distance > threshold)),
        exact=distance <= threshold,
        alignment=None if job.path is TracebackMethod.NONE else alignment(oracle.script(a, b)),
        strategy="full" if job.band is BandMode.NONE else "band",
        reason="as the textbook has it",
        n_cells=n_cells,
        cells=n_cells,
        skips=(Skip(SkipReason.BAND, 2, n_cells // 4, 0.25), Skip(SkipReason.ENDS, 0, n_cells // 8, 0.125)),
        bands=(BandAttempt(threshold, low, high, distance, n_cells),),
        device="cpu",
        kernel_seconds=1e-3,
        wall_seconds=2e-3,
    )
