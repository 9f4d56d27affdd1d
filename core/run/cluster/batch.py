"""Batches on a cluster: tiles are sent to its workers, and their answers put in their places."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.event_streams import EventTotals
from wavediff.core.jobs.events import Event
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.run import rates
from wavediff.core.run.cluster import batch_tiles
from wavediff.core.run.cluster.batch_tiles import Tile, TileAnswer, TileTask
from wavediff.core.run.cluster.client import Session, Work
from wavediff.core.system.machine import cores

CHEAP_SECONDS = 0.5  # of a pair that is computed again for each worker


def run(job: BatchJob, session: Session, device: Device) -> Generator[Event, None, BatchResult]:
    """Compute ``job``; workers choose between CPU and card as this program does."""
    totals = EventTotals()
    table = _Table(job, session, device)
    yield from totals.watch(session.run(table))
    return BatchResult.of(job, table.values, table.shares, **totals.fields(job.id, "cluster"))


class _Table(Work[Tile]):
    """See ``wavediff.core.run.cluster.client.Work``."""

    stage, unit, kernel, is_checked = "comparing", "pairs", "tiles", True

    def __init__(self, job: BatchJob, session: Session, device: Device) -> None:
        self.values: Any = np.zeros(job.shape, np.int32)
        self.shares: Any = None
        self._job, self._done = job, 0
        seconds_per_cell = rates.cpu_seconds(job) * (job.threads or cores()) / max(1, job.n_cells)
        records = batch_tiles.records_per_tile(job, session.threads, seconds_per_cell, session.link)
        self._seconds_per_cell = seconds_per_cell
        self._waiting: Iterator[Tile] = batch_tiles.tiles(job, records)
        self._task = TileTask(job.method.id, job.pairs, job.fold_case, job.alphabets, job.options, device)

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

    def fault(self, task: Tile, answer: TileAnswer, *, cheaply: bool) -> str:
        """Compute the shortest pair of a tile again."""
        job = self._job
        row, col = batch_tiles.shortest_pair(job, task)
        a, b = (
            batch_tiles.part(pool, (at, at + 1))
            for pool, at in ((job.a, row), (job.a if job.b is None else job.b, col))
        )
        if cheaply and a[0].size * b[0].size * self._seconds_per_cell > CHEAP_SECONDS:
            return ""
        here = batch_tiles.compute(a, b, replace(self._task, pairs=Pairing.ALL_TO_ALL, device=Device.CPU))
        there = batch_tiles.value_of(job, task, answer.values, row, col)
        mine = here.values[0, 0].item()
        if there == mine:
            return ""
        names = f"record {row + 1} and record {col + 1}"
        return f"answers {there} for {names}, and this computer {mine}; all its answers are computed anew"

    def undo(self, tasks: list[Tile]) -> None:
        self._waiting = chain(tasks, self._waiting)
        self._done -= sum(batch_tiles.pairs_of(self._job, task) for task in tasks)

    def progress(self) -> tuple[int, int]:
        return self._done, self._job.n_pairs
