"""Batches on a cluster: tiles are sent to its workers, and their answers put in their places."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.event_streams import EventTotals
from wavediff.core.jobs.events import Event
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.run import rates
from wavediff.core.run.cluster import batch_tiles
from wavediff.core.run.cluster.batch_tiles import Tile, TileAnswer, TileTask
from wavediff.core.run.cluster.client import Session
from wavediff.core.system.machine import cores


def run(job: BatchJob, session: Session, device: Device) -> Generator[Event, None, BatchResult]:
    """Compute ``job``; workers choose between CPU and card as this program does."""
    totals = EventTotals()
    table = _Table(job, session, device)
    yield from totals.watch(session.run(table))
    return BatchResult.of(job, table.values, table.shares, **totals.fields(job.id, "cluster"))


class _Table:
    """See ``wavediff.core.run.cluster.client.Work``."""

    stage, unit, kernel = "comparing", "pairs", "tiles"

    def __init__(self, job: BatchJob, session: Session, device: Device) -> None:
        self.values: Any = np.zeros(job.shape, np.int32)
        self.shares: Any = None
        self._job, self._done = job, 0
        seconds_per_cell = rates.cpu_seconds(job) * (job.threads or cores()) / max(1, job.n_cells)
        records = batch_tiles.records_per_tile(job, session.threads, seconds_per_cell, session.link)
        self._waiting = batch_tiles.tiles(job, records)
        self._task = TileTask(job.method.id, job.pairs, job.fold_case, job.options, device)

    def next(self) -> Tile | None:
        return next(self._waiting, None)

    def submit(self, session: Session, task: Tile) -> Any:
        job = self._job
        itself = job.b is None and job.pairs is Pairing.ALL_TO_ALL and task.rows == task.cols
        rows = session.keep(("a", task.rows), batch_tiles.part(job.a, task.rows))
        side, pool = ("a", job.a) if job.b is None else ("b", job.b)
        cols = None if itself else session.keep((side, task.cols), batch_tiles.part(pool, task.cols))
        return session.submit(batch_tiles.compute, rows, cols, self._task)

    def enter(self, task: Tile, answer: TileAnswer) -> int:
        if self.values.dtype != answer.values.dtype:
            self.values = self.values.astype(answer.values.dtype)
        batch_tiles.enter(self._job, task, answer.values, self.values)
        if answer.shares is not None:
            if self.shares is None:
                self.shares = np.zeros(self._job.shape, np.float32)
            batch_tiles.enter(self._job, task, answer.shares, self.shares)
        self._done += batch_tiles.pairs_of(self._job, task)
        return answer.cells

    def progress(self) -> tuple[int, int]:
        return self._done, self._job.n_pairs
