"""Where rows begin in the text, and the row one letter earlier: what a view of rows shows beside them."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.bwt_jobs import RowsJob
from core.errors import SelfCheckFailed
from core.events import Event
from core.kernels.bwt import index as building
from core.kernels.bwt import ranks
from core.kernels.bwt.find import ROWS, shape_of
from core.kernels.bwt.pace import Pace, pieces
from core.results.bwt_index import RowsResult


def run(job: RowsJob) -> Generator[Event, None, RowsResult]:
    """Compute ``job``; see ``core.results.bwt_index.RowsResult``.

    Raises:
        SelfCheckFailed: the index contradicts itself.
    """
    yield from building.make_ready(job.id)
    pace, index = Pace(job.id, "locate"), job.index
    rows = np.array(job.rows, np.int64)  # one that can be written to, as everywhere else: no second variant
    positions, before = np.empty(rows.size, np.int32), np.empty(rows.size, np.int64)
    for lo, hi in pieces(rows.size, ROWS):
        right = ranks.locate(*shape_of(index), index.marks, index.samples, index.every, rows[lo:hi], positions[lo:hi])
        if not right:
            raise SelfCheckFailed(f"the index of '{index.name}' contradicts itself: its samples are those of another")
        ranks.step_back(*shape_of(index), rows[lo:hi], before[lo:hi])
        yield from pace()
    yield from pace.turn()
    for array in (positions, before):
        array.setflags(write=False)
    return RowsResult(job_id=job.id, rows=rows, positions=positions, before=before)
