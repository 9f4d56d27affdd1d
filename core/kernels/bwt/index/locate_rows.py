"""Text positions of rows, and the rows of the preceding letters, for row views."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.jobs.bwt import LocateRowsJob
from wavediff.core.jobs.bwt_result import RowsResult
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import Clock, ranges
from wavediff.core.kernels.bwt.index import build as building
from wavediff.core.kernels.bwt.index import wavelet_matrix
from wavediff.core.kernels.bwt.index.backward_search import PIECE_ROWS, locate


def run(job: LocateRowsJob) -> Generator[Event, None, RowsResult]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.RowsResult``.

    Raises:
        SelfCheckFailed: the index contradicts itself.
    """
    pace, index = Clock(job.id), job.index
    yield from building.make_ready(pace)
    yield from pace.turn("locate")
    rows = np.array(job.rows, np.int64)  # one that can be written to, as everywhere else: no second variant
    positions, before = np.empty(rows.size, np.int32), np.empty(rows.size, np.int64)
    offsets = np.arange(rows.size + 1)
    for lo, hi in ranges(rows.size, PIECE_ROWS):
        locate(index, rows, offsets, lo, hi, positions)
        wavelet_matrix.lf_step(index.ranks, rows[lo:hi], before[lo:hi])
        yield from pace()
    yield from pace.turn()
    for array in (positions, before):
        array.setflags(write=False)
    return RowsResult(job_id=job.id, rows=rows, positions=positions, before=before)
