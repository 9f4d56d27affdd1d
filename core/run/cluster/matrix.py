"""One pair on a cluster: tiles of its matrix along the wavefront, each sent with its upper and left borders.

A tile's borders are one or two bits per letter, so transfers are small: a tile of 500,000 by 500,000 letters takes half
a second of a core and 0.25 MB each way. Borders pass through this computer, not from worker to worker, so only the
current tiles of a dead worker are repeated. Source: the grid of blocks of Kawanami and Fujimoto (2011), Fig. 1, with
machines in the place of multiprocessors.
"""

from __future__ import annotations

import platform
from collections.abc import Generator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from importlib import import_module
from math import ceil, sqrt
from os import getpid
from threading import get_ident
from time import perf_counter
from typing import Any, ClassVar, Generic, NamedTuple

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Ops
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import DeviceChosen, Event, Step, run_to_end
from wavediff.core.jobs.grid import MAX_BOARD, BlockGrid, BlockState, SkippedBlocks
from wavediff.core.jobs.run_record import COARSE_TICK_SECONDS, RunRecord, coarse_ticks
from wavediff.core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from wavediff.core.kernels.pairwise.blocks.border_tile import (
    DEEPEST,
    TILE_ROWS,
    Border,
    TileBorders,
    compute_tile,
    ones,
    outer_border,
)
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.cpu import NO_BAND_CELLS, CpuBackend
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.estimate import clip_band
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.look_again import NotLookedAt
from wavediff.core.kernels.pairwise.matrix import BackendSpeed, DpMatrix
from wavediff.core.kernels.pairwise.problem import B, PairProblem
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
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
from wavediff.core.system.machine import cores

WAVE_TILES = 4  # tiles of a row, and of a column, for each thread: then four fifths of the time all are busy
MIN_SIDE = 16 * TILE_ROWS  # letters; smaller tiles are mostly overhead
COLUMN_UNIT = 128  # letters
SIDE_STEP = 1.1  # ratio of consecutive tile sides to try
LEAST_SECONDS = MIN_TASK_SECONDS  # seconds of this computer; smaller matrices stay here


def run(job: LcsJob | EditJob, session: Session, device: Device) -> Generator[Event, None, Any]:  # noqa: ARG001
    """Compute ``job`` by this computer's strategy, with the matrices on the cluster."""
    seconds_per_cell = rates.cpu_seconds(job) * (job.threads or cores()) / max(1, job.n_cells)
    kernel = import_module(job.modules.cpu)
    backend: _Backend[Any] = _Backend(session, kernel.CPU, seconds_per_cell)
    result: Any = yield from kernel.run(job, backend)
    if backend.sent:
        return result
    yield DeviceChosen(job.id, "cpu", "done here in less time than it would take to send it to the cluster")
    return replace(result, device="cpu")


class _Backend(Generic[B]):
    """``wavediff.core.kernels.pairwise.matrix.MatrixBackend``; small and narrow matrices run here, on ``cpu``."""

    device = "cluster"

    def __init__(self, session: Session, cpu: CpuBackend[B], seconds_per_cell: float) -> None:
        self._session, self._cpu, self._seconds_per_cell = session, cpu, seconds_per_cell
        self.sent = False  # whether a matrix went to the cluster

    def foresee(self, job: B) -> None:
        """No-op: workers compile their kernels."""

    def is_ready(self, problem: PairProblem[B]) -> bool:  # noqa: ARG002
        """Return False: workers compile their kernels."""
        return False

    def speed(self, problem: PairProblem[B]) -> BackendSpeed:  # noqa: ARG002
        rate = self._session.threads / self._seconds_per_cell
        return BackendSpeed(rate, self._cpu.small_cells, NO_BAND_CELLS)

    def make_ready(self, problem: PairProblem[B]) -> Generator[Event, None, None]:
        yield from self._cpu.make_ready(problem)

    def matrix(
        self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        tiles = self._tiles(problem, band)
        here = problem.n_cells * self._seconds_per_cell / problem.threads < LEAST_SECONDS
        if here or (band is not None and 2 * self._here(problem, band, edits) <= tiles.seconds):
            return (yield from self._cpu.matrix(problem, band, edits))
        self.sent = True
        return tiles

    def band_seconds(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        return min(self._here(problem, band, edits), self._tiles(problem, band).seconds)

    def _here(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        """Estimate the seconds for a band on this computer; unknown edits: without the traceback points."""
        if edits:
            return self._cpu.band_seconds(problem, band, edits)
        return problem.a.size * (band[1] - band[0]) * self._seconds_per_cell / problem.threads

    def half(self, problem: PairProblem[LcsJob]) -> None:  # noqa: ARG002
        return None

    def end_matrix(self, problem: PairProblem[EditJob], *, free_rows: bool, free_columns: bool) -> Any:
        raise NotImplementedError("refused by wavediff.core.run.cluster.run.check")

    def _tiles(self, problem: PairProblem[B], band: tuple[int, int] | None) -> ClusterMatrix:
        monotone = self._cpu.hands_through(problem.job)
        kind = self._cpu.matrix_class
        return ClusterMatrix(self._session, problem, kind, self._seconds_per_cell, band, monotone=monotone)


def tile_shape(n: int, m: int, threads: int, seconds_per_cell: float, link: Link, n_signs: int) -> tuple[int, int]:
    """Return rows and columns of a tile.

    A tile is so large that the scheduler keeps up, but leaves ``WAVE_TILES`` per side for each of ``threads``. It is
    larger if border transfers would take over ``MOST_TRANSFER_SHARE`` of its time. Letters go to each worker once.
    """

    def side(seconds: float) -> float:
        return sqrt(seconds / seconds_per_cell)

    def share(letters: float) -> float:
        sent = 4 * n_signs * letters / 8
        return (link.seconds + sent / link.bytes_per_second) / (letters * letters * seconds_per_cell)

    kept_up_with = side(max(MIN_TASK_SECONDS, SCHEDULER_SECONDS_PER_TASK * threads))
    best = max(MIN_SIDE, min(kept_up_with, min(n, m) / (WAVE_TILES * threads)))
    while share(best) > MOST_TRANSFER_SHARE and best < side(MAX_TASK_SECONDS):
        best *= SIDE_STEP
    deep = TILE_ROWS * DEEPEST
    unit = deep if best >= deep else TILE_ROWS
    rows = max(ceil(best / unit), -(-n // (unit * MAX_BOARD)), 1) * unit
    cols = max(ceil(best / COLUMN_UNIT), -(-m // (COLUMN_UNIT * MAX_BOARD)), 1) * COLUMN_UNIT
    return rows, cols


class _Tile(NamedTuple):
    """Position of a tile, ordered along the wavefront."""

    diagonal: int
    row: int
    col: int


@dataclass(frozen=True, slots=True)
class TileAnswer:
    """Borders of a computed tile, seconds, and the worker thread."""

    borders: TileBorders
    seconds: float
    lane: tuple[str, int, int]


def compute(
    n_signs: int, a: Letters, b: Letters, codes: tuple[int, int], left: Border, above: Border, monotone: bool
) -> TileAnswer:
    """Compute a tile in a thread of a worker; see ``compute_tile``."""
    start = perf_counter()
    kind = LcsMatrix if n_signs == LCS_SIGNS else EditMatrix
    borders = run_to_end(compute_tile(kind, a, b, codes, left, above, monotone))
    return TileAnswer(borders, perf_counter() - start, (platform.node(), getpid(), get_ident()))


class ClusterMatrix(NotLookedAt, Work[_Tile]):
    """See ``wavediff.core.kernels.pairwise.matrix.DpMatrix`` and ``wavediff.core.run.cluster.client.Work``.

    Attributes:
        seconds: expected time of the job.
    """

    stage, unit, kernel = "computing", "tiles", "blocks"
    kept: ClassVar[None] = None

    def __init__(
        self,
        session: Session,
        problem: PairProblem[Any],
        kind: type[BlockMatrix],
        seconds_per_cell: float,
        band: tuple[int, int] | None,
        *,
        monotone: bool,
    ) -> None:
        self._session, self._kind, self._monotone = session, kind, monotone
        self._a, self._b, self._codes = problem.a, problem.b, (problem.n_codes, problem.planes)
        n, m = int(problem.a.size), int(problem.b.size)
        self._rows, self._cols = tile_shape(
            n, m, session.threads, seconds_per_cell, session.link, kind.n_delta_bits
        )  # fmt: skip
        self.grid = BlockGrid(n, m, self._rows, self._cols)
        n_rows, n_cols = self.grid.shape
        low, high = (-n, m) if band is None else clip_band(band, n, m)
        top = np.arange(n_rows) * self._rows
        bottom = np.minimum(top + self._rows, n)
        self._lo = np.clip((top + low) // self._cols, 0, n_cols - 1)
        self._hi = np.clip(-(-(bottom + high + 1) // self._cols), self._lo + 1, n_cols)
        self._hi[-1] = n_cols
        self.block_map: BlockMap = np.full(self.grid.shape, BlockState.OUTSIDE_BAND, np.uint8)
        for i in range(n_rows):
            self.block_map[i, self._lo[i] : self._hi[i]] = BlockState.WAITING
        times = np.zeros(self.grid.shape, np.uint32), np.zeros(self.grid.shape, np.uint32)
        self.record = RunRecord(*times, np.zeros(self.grid.shape, np.uint16), ())
        self._lanes: dict[tuple[str, int, int], int] = {}
        self._below: dict[tuple[int, int], Border] = {}
        self._right: dict[tuple[int, int], Border] = {}
        self._ready: list[_Tile] = []
        self._done = 0
        self._growth = 0
        self.n_skipped = 0
        spans = np.minimum(self._hi * self._cols, m) - self._lo * self._cols
        self.n_cells = int(((bottom - top) * spans).sum())
        at_once = min(session.threads, n_rows, int((self._hi - self._lo).max()))
        self.seconds = self.n_cells * seconds_per_cell / at_once
        self.share = self.seconds / (n * m * seconds_per_cell / min(session.threads, n_rows, n_cols))

    def rounding(self, block_rows: int, block_cols: int) -> str:  # noqa: ARG002
        return f"tiles of {self._rows:,} x {self._cols:,} letters for the cluster"

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:  # noqa: ARG002
        """Compute every tile."""
        self.record.start, self.record.seconds_per_tick = perf_counter(), COARSE_TICK_SECONDS
        self._offer(0, int(self._lo[0]))
        yield from self._session.run(self)
        return False

    def value(self) -> int:
        """Return the length or the distance, summed along the top row and the right column."""
        return self._growth if self._kind.n_delta_bits == LCS_SIGNS else self.grid.n_cols + self._growth

    def skipped_blocks(self) -> SkippedBlocks:
        """Return the blocks outside the band; for tiles of workers only the number of skipped cells is known."""
        return SkippedBlocks.without_through(self.block_map)._replace(through_cells=self.n_skipped)

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        raise NotImplementedError("refused by wavediff.core.run.cluster.run.check")

    # Work

    def next(self) -> _Tile | None:
        return heappop(self._ready) if self._ready else None

    def submit(self, session: Session, task: _Tile) -> Any:
        _, i, j = task
        n_signs = self._kind.n_delta_bits
        a, b = self._letters(i, j)
        left, above = self._right.pop((i, j - 1), None), self._below.pop((i - 1, j), None)
        left = outer_border(a.size, n_signs, left=True) if left is None else left
        above = outer_border(b.size, n_signs, left=False) if above is None else above
        rows, cols = session.keep(("a", i), a), session.keep(("b", j), b)
        self.block_map[i, j] = BlockState.RUNNING
        return session.submit(compute, n_signs, rows, cols, self._codes, left, above, self._monotone)

    def enter(self, task: _Tile, answer: TileAnswer) -> int:
        _, i, j = task
        a, b = self._letters(i, j)
        right, below, skipped = answer.borders
        self._note(i, j, answer)
        self._done += 1
        self.n_skipped += skipped
        if j + 1 == self._hi[i]:
            rises = ones(right, a.size)
            self._growth += int(a.size - rises[0] if rises.size == LCS_SIGNS else rises[0] - rises[1])
        else:
            self._right[i, j] = right
            self._offer(i, j + 1)
        if i + 1 < self.grid.shape[0] and self._lo[i + 1] <= j < self._hi[i + 1]:
            assert below is not None
            self._below[i, j] = below
            self._offer(i + 1, j)
        return int(a.size) * int(b.size) - skipped

    def progress(self) -> tuple[int, int]:
        return self._done, int((self._hi - self._lo).sum())

    def _offer(self, i: int, j: int) -> None:
        waits_left = j > self._lo[i] and (i, j - 1) not in self._right
        waits_above = i > 0 and self._lo[i - 1] <= j < self._hi[i - 1] and (i - 1, j) not in self._below
        if not waits_left and not waits_above:
            heappush(self._ready, _Tile(i + j, i, j))

    def _letters(self, i: int, j: int) -> tuple[Letters, Letters]:
        a = self._a[i * self._rows : (i + 1) * self._rows]
        return a, self._b[j * self._cols : (j + 1) * self._cols]

    def _note(self, i: int, j: int, answer: TileAnswer) -> None:
        record, ended = self.record, perf_counter() - self.record.start
        record.ended[i, j] = coarse_ticks(ended)
        record.began[i, j] = coarse_ticks(max(0.0, ended - answer.seconds))
        record.by[i, j] = self._lanes.setdefault(answer.lane, len(self._lanes))
        if len(record.names) < len(self._lanes):
            host, pid, _ = answer.lane
            record.names = (*record.names, f"{host} {pid}")
        self.block_map[i, j] = BlockState.DONE
