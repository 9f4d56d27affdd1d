"""Batch on a cluster: workers compute tiles of the pairs, this computer collects the results."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.run import rates
from wavediff.core.run.cluster.client import (
    MAX_TASK_SECONDS,
    MIN_TASK_SECONDS,
    MOST_TRANSFER_SHARE,
    SCHEDULER_SECONDS_PER_TASK,
    Link,
    Session,
    Work,
)
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import cores

TILES_PER_THREAD = 4  # minimum tiles per thread, so that the last ones do not delay the end
ANSWER_BYTES = 4
BYTES_PER_LETTER = 1


@dataclass(frozen=True, slots=True)
class Tile:
    """Records ``rows`` of A against ``cols`` of B, half open; both ranges are equal in one-to-one batches."""

    rows: tuple[int, int]
    cols: tuple[int, int]


class TileAnswer(NamedTuple):
    """Results of a tile (shape of the tile), ``shares`` as in ``BatchResult``, and the number of cells."""

    values: npt.NDArray[Any]
    shares: npt.NDArray[np.float32] | None
    cells: int


def records_per_tile(job: BatchJob, threads: int, seconds_per_cell: float, link: Link) -> int:
    """Return the number of records per side of a tile; for one-to-one batches, the number of pairs in a tile.

    A tile is large enough that the scheduler keeps up with ``threads`` worker threads and that transfers take at most
    ``MOST_TRANSFER_SHARE`` of its time, and small enough for ``TILES_PER_THREAD`` per thread.
    """
    pairs = max(1, job.n_pairs)
    pair_seconds = max(1e-9, job.n_cells / pairs * seconds_per_cell)
    letters = job.n_letters / max(1, len(job.a) + len(job.b or ()))
    one_to_one = job.pairs is Pairing.ONE_TO_ONE

    def size(seconds: float) -> int:
        of_pairs = min(seconds / pair_seconds, pairs / (TILES_PER_THREAD * max(1, threads)))
        return max(1, int(of_pairs if one_to_one else sqrt(of_pairs)))

    def share(records: int) -> float:
        of_pairs = records if one_to_one else records * records
        sent = 2 * records * letters * BYTES_PER_LETTER + of_pairs * ANSWER_BYTES
        return (link.seconds + sent / link.bytes_per_second) / (of_pairs * pair_seconds)

    seconds = max(MIN_TASK_SECONDS, SCHEDULER_SECONDS_PER_TASK * threads)
    while seconds < MAX_TASK_SECONDS and share(size(seconds)) > MOST_TRANSFER_SHARE:
        seconds *= 2
    return size(min(seconds, MAX_TASK_SECONDS))


def tiles(job: BatchJob, records: int) -> Iterator[Tile]:
    """Yield the tiles of ``job``; if a file is compared with itself, only those on and above the diagonal."""
    n_a, n_b = len(job.a), len(job.a if job.b is None else job.b)
    for i in range(0, n_a, records):
        rows = (i, min(n_a, i + records))
        if job.pairs is Pairing.ONE_TO_ONE:
            yield Tile(rows, rows)
            continue
        for j in range(i if job.b is None else 0, n_b, records):
            yield Tile(rows, (j, min(n_b, j + records)))


def part(pool: SequencePool, span: tuple[int, int]) -> SequencePool:
    """Return the records ``span`` of ``pool``."""
    starts = pool.starts[span[0] : span[1] + 1]
    return SequencePool(pool.letters[starts[0] : starts[-1]], starts - starts[0])


def pairs_of(job: BatchJob, tile: Tile) -> int:
    n, m = tile.rows[1] - tile.rows[0], tile.cols[1] - tile.cols[0]
    if job.pairs is Pairing.ONE_TO_ONE:
        return n
    return n * (n - 1) // 2 if job.b is None and tile.rows == tile.cols else n * m


def shortest_pair(job: BatchJob, tile: Tile) -> tuple[int, int]:
    """Return the records of A and B that form the pair of a tile with the fewest cells."""
    sizes_a = np.diff(job.a.starts[tile.rows[0] : tile.rows[1] + 1])
    other = job.a if job.b is None else job.b
    sizes_b = np.diff(other.starts[tile.cols[0] : tile.cols[1] + 1])
    if job.pairs is Pairing.ONE_TO_ONE:
        at = int(np.argmin(sizes_a * sizes_b))
        return tile.rows[0] + at, tile.cols[0] + at
    if job.b is None and tile.rows == tile.cols:  # its pairs are of two records each
        at, other_at = np.sort(np.argsort(sizes_a, kind="stable")[:2])[[0, -1]].tolist()
        return tile.rows[0] + at, tile.cols[0] + other_at
    return tile.rows[0] + int(np.argmin(sizes_a)), tile.cols[0] + int(np.argmin(sizes_b))


def value_of(job: BatchJob, tile: Tile, answer: npt.NDArray[Any], row: int, col: int) -> float:
    """Return the value for records ``row`` of A and ``col`` of B in the ``answer`` of ``tile``."""
    at = row - tile.rows[0]
    value: float = (answer[at] if job.pairs is Pairing.ONE_TO_ONE else answer[at, col - tile.cols[0]]).item()
    return value


def compute(a: SequencePool, b: SequencePool | None, job: BatchJob, device: Device) -> TileAnswer:
    """Compute ``job`` for a tile in a thread of a worker; ``b`` None: the records of ``a`` with each other."""
    job = replace(job, a=a, b=b)
    try:
        result = run_job(job, device=device)
    except WavediffError as error:  # as one that can be sent, with its text alone
        raise WavediffError(str(error)) from None
    return TileAnswer(result.values, result.shares, job.n_cells)


def enter(job: BatchJob, tile: Tile, answer: npt.NDArray[Any], table: npt.NDArray[Any]) -> None:
    """Copy the ``answer`` of ``tile`` into ``table``; if a file is compared with itself, into both halves."""
    rows, cols = slice(*tile.rows), slice(*tile.cols)
    if job.pairs is Pairing.ONE_TO_ONE:
        table[rows] = answer
        return
    table[rows, cols] = answer
    if job.b is None and tile.rows != tile.cols:
        table[cols, rows] = answer.T


CHEAP_SECONDS = 0.5  # seconds of a pair recomputed per worker


def run(job: BatchJob, session: Session, device: Device) -> Generator[Event, None, BatchResult]:
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
        records = records_per_tile(job, session.threads, seconds_per_cell, session.link)
        self._seconds_per_cell = seconds_per_cell
        self._waiting: Iterator[Tile] = tiles(job, records)
        none, self._device = part(job.a, (0, 0)), device
        self._without = replace(job, a=none, b=none, threads=1, cluster=None)

    def next(self) -> Tile | None:
        return next(self._waiting, None)

    def submit(self, session: Session, task: Tile) -> Any:
        job = self._job
        itself = job.b is None and job.pairs is Pairing.ALL_TO_ALL and task.rows == task.cols
        rows = session.keep(("a", task.rows), part(job.a, task.rows))
        side, pool = ("a", job.a) if job.b is None else ("b", job.b)
        cols = None if itself else session.keep((side, task.cols), part(pool, task.cols))
        return session.submit(compute, rows, cols, self._without, self._device)

    def enter(self, task: Tile, answer: TileAnswer) -> int:
        if self.values.dtype != answer.values.dtype:
            self.values = self.values.astype(answer.values.dtype)
        enter(self._job, task, answer.values, self.values)
        if answer.shares is not None:
            if self.shares is None:
                self.shares = np.zeros(self._job.shape, np.float32)
            enter(self._job, task, answer.shares, self.shares)
        self._done += pairs_of(self._job, task)
        return answer.cells

    def fault(self, task: Tile, answer: TileAnswer, *, cheaply: bool) -> str:
        """Recompute the shortest pair of a tile and compare."""
        job = self._job
        row, col = shortest_pair(job, task)
        a, b = (part(pool, (at, at + 1)) for pool, at in ((job.a, row), (job.a if job.b is None else job.b, col)))
        if cheaply and a.letters.size * b.letters.size * self._seconds_per_cell > CHEAP_SECONDS:
            return ""
        here = compute(a, b, replace(self._without, pairs=Pairing.ALL_TO_ALL), Device.CPU)
        there = value_of(job, task, answer.values, row, col)
        mine = here.values[0, 0].item()
        if there == mine:
            return ""
        names = f"record {row + 1} and record {col + 1}"
        return f"answers {there} for {names}, and this computer {mine}; all its answers are recomputed"

    def undo(self, tasks: list[Tile]) -> None:
        self._waiting = chain(tasks, self._waiting)
        self._done -= sum(pairs_of(self._job, task) for task in tasks)

    def progress(self) -> tuple[int, int]:
        return self._done, self._job.n_pairs
