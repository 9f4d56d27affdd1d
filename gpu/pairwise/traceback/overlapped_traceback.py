"""Traceback from stored borders, started while the card still computes.

The continuation of a traceback depends on its node alone, so tracebacks that meet stay together. Tracebacks that begin
near the path soon meet it: between random letters, best paths at distance d meet within about d ** 1.5 rows. So
tracebacks start at likely nodes while the matrix is computed, and the one from the end only runs until it meets one of
them.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future, wait
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Ops
from wavediff.core.base.errors import DeviceError
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.tile_traceback import scratch_bytes
from wavediff.core.kernels.traceback.block_path import mark_path
from wavediff.core.system.machine import cores
from wavediff.core.system.thread_loop import thread_pool
from wavediff.gpu.pairwise.strips.card_strips import CardStrips
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, DeltaBits, TileSpacing
from wavediff.gpu.pairwise.traceback.border_fetch import BorderFetcher
from wavediff.gpu.pairwise.traceback.partial_traces import MeetingRows, TraceWorker

MIN_MEETING_ROWS = 1 << 10  # minimum rows between two lines where tracebacks may meet
MAX_LINES = 1 << 13
FIRST_START_SHARE = 0.65  # of the rows from the end: the first start, as meeting the path takes long there
START_RATIO = 0.6  # ratio of the distances of consecutive starts from the end
LAST_START_SHARE = 1 / 64  # of the rows from the end: the last start, as the traceback from the end is as fast beyond
MIN_TRACE_ROWS = 1 << 13  # minimum rows for a start, which takes as long as tracing some thousand rows
MAX_STARTS = 10  # maximum number of starts
MIN_PARALLEL_ROWS = 100_000  # rows; shorter tracebacks are faster alone
MAX_THREADS = 14  # tracing threads; each needs the interpreter after some milliseconds
MAX_JOBS = 4  # jobs with concurrent tracebacks from the end
MAX_SCRATCH_BYTES = 1 << 30  # bytes of the host for their tiles
START_OFFSETS = (0.5, -0.5)  # start positions, in units of the path's likely distance from the diagonal
THREE_START_ROWS = 1 << 19  # rows from which another traceback pays for its thread
LONG_OFFSETS = (0.0, 0.6, -0.6)
REPORT_SECONDS = 0.01  # seconds between two reports
BORDER_MEMORY_SHARE = 0.6  # maximum share of the card's free memory for stored borders
MAX_BORDER_BYTES = 1 << 34  # bytes: storing more takes longer than recomputing coarse tiles
MIN_TILE_SIDE = 512  # rows and columns of a tile: smaller ones slow the traceback down more than they save
MIN_COARSE_TILE_SIDE = 4096  # rows and columns of a recomputed tile
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


def choose_tiles(
    n: int, width: int, words: int, delta_bits: DeltaBits, free: int, *, whole: bool = True
) -> TileSpacing | None:
    """Return the finest tiles whose borders fit, or None; coarser tiles if ``refinement`` applies.

    Args:
        n: rows. width: computed columns of a strip. words: of a lane. free: bytes on the card.
        whole: the matrix has no band.
    """
    lanes = max(1, min(LANES, MIN_TILE_SIDE // (32 * words)))
    groups = MIN_TILE_SIDE // GPU_GROUP_COLUMNS
    height = words * LANES * 32
    strips = -(-n // height)
    while True:
        rows_kept = strips * delta_bits * (height // 8) * (-(-width // (groups * GPU_GROUP_COLUMNS)) + 1)
        below_kept = strips * (LANES // lanes) * delta_bits * (width // GPU_GROUP_COLUMNS + groups)
        coarse = (
            not whole
            or lanes * 32 * words >= MIN_COARSE_TILE_SIDE
            or groups * GPU_GROUP_COLUMNS >= MIN_COARSE_TILE_SIDE
        )
        if rows_kept + below_kept <= (
            BORDER_MEMORY_SHARE * free if coarse else min(BORDER_MEMORY_SHARE * free, MAX_BORDER_BYTES)
        ):
            return TileSpacing(groups, lanes)
        if lanes < LANES and below_kept >= rows_kept:
            lanes *= 2
        elif groups * GPU_GROUP_COLUMNS < max(width, MIN_TILE_SIDE):
            groups *= 2
        else:
            return None


class OverlappedTraceback:
    """Traceback of a matrix with stored borders.

    Call ``look`` during the computation, ``rest`` after it, then ``trace`` and ``close``.

    Args:
        common: equal letters at the front, which need not be crossed.

    Attributes:
        looks_on: whether to start further tracebacks before the matrix is complete.
    """

    def __init__(self, matrix: CardStrips, common: int) -> None:
        self._matrix, self._common = matrix, common
        a, b = matrix.pairs[0]
        self._n, self._m = int(a.size), int(b.size)
        self._offsets = START_OFFSETS if self._n < THREE_START_ROWS else LONG_OFFSETS
        n_aside = len(self._offsets)
        spacing = max(MIN_MEETING_ROWS, 1 << (self._n // MAX_LINES).bit_length())
        self._borders, self.lines = BorderFetcher(matrix), MeetingRows(self._n, spacing, MAX_STARTS * n_aside + 1)
        # Not all run at a time: earlier ones have met before the last ones start.
        each = scratch_bytes(int(matrix.delta_bits), self._borders.rows, self._borders.width)
        most = max(n_aside + 1, min(MAX_THREADS, cores() - n_aside))
        self._threads = max(1, min(most, MAX_SCRATCH_BYTES // each))
        # The job waits for the traceback from the end, so this one waits for no other.
        self._from_end, self._pool = (
            thread_pool("walk from the end", MAX_JOBS),
            thread_pool("walk", max(1, self._threads - 1)),
        )
        self.walks: list[Future[None]] = []  # of each trail
        self._idle: list[TraceWorker] = []
        self.last = -1  # number of the trail from the end
        self.looks_on = self._n >= MIN_PARALLEL_ROWS and self._threads > n_aside  # with a thread left for it
        self._begun = int(self._n * (1 - FIRST_START_SHARE / START_RATIO))
        self._nearest = max(2 * spacing, LAST_START_SHARE * self._n, MIN_TRACE_ROWS)
        self._rows = np.arange(spacing, self._n, spacing)
        self._strips = (self._rows - 1) // matrix.layout.height
        self._columns = self._rows * self._m // self._n
        self._aside = ((self._n - self._rows) ** (2 / 3) * self._m / self._n).astype(np.int64)

    def look(self, reached: Counts) -> None:
        """Start tracebacks at likely nodes of the path in the computed part; do nothing unless ``looks_on``.

        Args:
            reached: computed groups of each strip.
        """
        if not self.looks_on or self._borders.follow(reached, self._begin):
            return
        computed = self._columns + self._aside <= reached[self._strips] * GPU_GROUP_COLUMNS
        all_of_it = (reached >= self._matrix.layout.hi).all()
        self._begin(self._n if all_of_it else int(np.count_nonzero(computed)) * self.lines.spacing)

    def _begin(self, rows: int) -> None:
        """Start tracebacks down to row ``rows``, further along than earlier ones."""
        if rows == self._n and self.last < 0:
            self.last = self.lines.begin(self._n, self._m)
            # It soon meets one of the earlier tracebacks there.
            self.walks.append(self._submit(self.last, not self.walks))
        while self.looks_on and len(self.walks) < MAX_STARTS * len(self._offsets):
            left = START_RATIO * (self._n - self._begun)
            front = int(self._n - left) // self.lines.spacing - 1  # the line above
            if left <= self._nearest or front < 0 or self._rows[front] > rows:
                break
            self._begun = int(self._rows[front])
            for offset in self._offsets:
                column = max(1, int(self._columns[front] + offset * self._aside[front]))
                if self._borders.computed(self._begun, column):  # the path stays closer than the edge of a narrow band
                    self.walks.append(self._submit(self.lines.begin(self._begun, column)))

    def rest(self) -> None:
        """Pause all tracebacks, and wait until they are paused."""
        self.lines.halt[0] = 1
        wait(self.walks)

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Walk back from the end, appending runs (last column first) to ``pieces``."""
        since, cells = perf_counter(), 0
        self.lines.halt[0] = 0
        if self.looks_on:
            self._borders.complete(self._begin)
        self._begin(self._n)
        self.resume()
        chain, number, line = [], self.last, -1
        while number >= 0:
            while not wait([self.walks[number]], REPORT_SECONDS).done:
                yield step.done("traceback", since)
                since = perf_counter()
            self.walks[number].result()
            trail = self.lines.trails[number]
            cells += trail.cells
            chain.append((trail, line))
            line, number = trail.joined or (-1, -1)
        self.lines.end()  # pending transfers are not needed
        for one, start in chain:
            pieces += one.runs_from(start)
        nodes = [one.nodes_from(start) for one, start in chain]
        mark_path(
            self._matrix.block_map,
            self._matrix.grid,
            np.concatenate([[(self._n, self._m)], *nodes, [(trail.i, trail.j)]]),
        )
        yield step.done("traceback", since, 1, cells)
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([trail.i, trail.j], np.int64)))

    def close(self) -> list[BaseException]:
        """Stop all tracebacks.

        Returns:
            The reason why a traceback or its prefetch failed, if it is a defect and not caused by the card. It concerns
                guesses only: failures on the path have been raised before.
        """
        self.lines.end()
        wait([walk for walk in self.walks if not walk.cancel()])
        failed = [self._borders.close(), *(walk.exception() for walk in self.walks if not walk.cancelled())]
        self.walks.clear()
        return [error for error in failed if error is not None and _is_defect(error)]

    def resume(self) -> None:
        """Continue paused tracebacks, one thread per trail."""
        for number, walk in enumerate(self.walks):
            if walk.done() and self.goes_on(number) and not _is_defect(walk.exception()):
                self.walks[number] = self._submit(number)

    def _submit(self, number: int, hasty: bool = False) -> Future[None]:
        threads = self._from_end if number == self.last else self._pool
        return threads.submit(self._follow, number, hasty)

    def goes_on(self, number: int) -> bool:
        trail = self.lines.trails[number]
        return trail.joined is None and trail.i > self._common and trail.j > self._common

    def _follow(self, number: int, hasty: bool = False) -> None:
        """Advance a trail until it meets another one or the computed front; ``hasty``: the caller waits for it."""
        walker = self._idle.pop() if self._idle else TraceWorker(self._matrix, self._borders, self.lines, self._common)
        while not self.lines.halt[0] and self.goes_on(number):
            walker.step(number, hasty)
        self._idle.append(walker)


def _is_defect(error: BaseException | None) -> bool:
    return error is not None and not isinstance(error, DeviceError)
