"""Rows of text positions: the inverse suffix array, for links from letters to rows.

The inverse suffix array is not stored. The next sampled position is searched among the samples, and its row among the
marks; LF steps then go back to the position.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.bwt import RowsOfPositionsJob
from wavediff.core.jobs.bwt_result import BwtIndex, PositionsResult
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import FILL_PLACES, Clock, ranges
from wavediff.core.kernels.bwt.index import build as building
from wavediff.core.kernels.bwt.index import wavelet_matrix


def run(job: RowsOfPositionsJob) -> Generator[Event, None, PositionsResult]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.PositionsResult``.

    Raises:
        SelfCheckFailed: the index contradicts itself.
    """
    pace, index = Clock(job.id), job.index
    yield from building.make_ready(pace)
    yield from pace.turn("locate")
    rows = np.empty(job.positions.size, np.int64)
    for k, position in enumerate(job.positions.tolist()):
        sample = -(-position // index.every)
        if sample < index.samples.size:
            row = yield from _row(index, sample, pace)
            steps = sample * index.every - position
        else:
            row, steps = 0, index.length - position  # ``$`` alone is row 0
        at, then = np.array([row], np.int64), np.empty(1, np.int64)
        for _ in range(steps):
            wavelet_matrix.lf_step(index.ranks, at, then)
            at, then = then, at
            yield from pace()
        rows[k] = at[0]
    yield from pace.turn()
    rows.setflags(write=False)
    return PositionsResult(job_id=job.id, positions=job.positions, rows=rows)


def _row(index: BwtIndex, sample: int, pace: Clock) -> Generator[Event, None, int]:
    row = -1
    for lo, hi in ranges(index.samples.size, FILL_PLACES):
        marked = np.flatnonzero(index.samples[lo:hi] == sample)
        yield from pace()
        if marked.size:
            row = int(wavelet_matrix.marked_row(index.marks, lo + int(marked[0])))
            break
    if row < 0:
        place = sample * index.every
        raise SelfCheckFailed(f"the index of '{index.name}' contradicts itself: position {place:,} has no row")
    return row
