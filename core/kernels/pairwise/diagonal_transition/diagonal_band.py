"""O(ND) band for long similar pairs, where diagonals have far fewer points than cells.

Computes the furthest-reaching points of all diagonals of the band, cost by cost, until the end is reached. Per edit
there is one point per diagonal; the band has one cell per diagonal and letter. Points are stored at cost intervals; the
traceback recomputes those between, near the path.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Ops
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid, BlockState, SkippedBlocks
from wavediff.core.jobs.run_record import COARSE_TICK_SECONDS, blank_record, coarse_ticks
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import FurthestPoints, trace_stretch
from wavediff.core.kernels.pairwise.estimate import clip_band
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.kernels.traceback.block_path import mark_path

REPORT_SECONDS = 0.02  # seconds between two reports of the walk back
MAX_BOARD = 1024  # blocks along the path
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


class DiagonalBand:
    """Base of O(ND) bands; subclasses compute the points.

    Args:
        a, b: codes, uint8, neither empty.
        n_delta_bits: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        band: (low, high): diagonals ``column - row``; includes those of both ends.
        path: store fronts for a traceback.
        most: maximum edits.

    A subclass sets ``_cost`` (of the end), ``_fronts``, and ``_steps`` (costs between stored fronts). ``leaves_band``:
    points between two fronts may lie outside the band.
    """

    n_skipped, kept, leaves_band = 0, None, False

    def __init__(
        self, a: Letters, b: Letters, n_delta_bits: int, band: tuple[int, int], *, path: bool, most: int
    ) -> None:
        self._a, self._b, self._path = a, b, path
        self._signs = (0,) * n_delta_bits
        self._most = most
        n, m = int(a.size), int(b.size)
        self._band = clip_band(band, n, m)
        self._cost = self._steps = -1
        self._fronts: list[FurthestPoints] = []
        unit = max(1, -(-max(n, m) // MAX_BOARD))
        self.grid = BlockGrid(n, m, unit, unit)
        self.block_map: BlockMap = np.full(self.grid.shape, int(BlockState.OUTSIDE_BAND), np.uint8)
        rows, columns = np.arange(self.grid.shape[0]), self.grid.shape[1]
        begins = np.clip(rows - 1 - -self._band[0] // unit, 0, columns)
        ends = np.clip(rows + 2 + self._band[1] // unit, begins, columns)
        self._inside = [slice(*one) for one in zip(begins.tolist(), ends.tolist(), strict=True)]  # blocks of each row
        for row, inside in zip(self.block_map, self._inside, strict=True):
            row[inside] = BlockState.WAITING
        self.record = blank_record(self.block_map.shape)
        self._marked_rows, self._marked_at = 0, 0.0  # of the map, and when

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        raise NotImplementedError

    @property
    def n_cells(self) -> int:
        """Number of cells of the band; none is computed individually."""
        n, m, (low, high) = int(self._a.size), int(self._b.size), self._band
        rows = np.arange(0, n, max(1, n >> 12), dtype=np.int64)  # thinned out: this is for proportions
        wide = np.clip(rows + high + 1, 0, m) - np.clip(rows + low, 0, m)
        return int(wide.mean() * n)

    @property
    def share(self) -> float:
        return 0.0  # who asks for it has weighed that

    def rounding(self, _block_rows: int, _block_cols: int) -> str:
        return "the furthest points on its diagonals instead of its cells"

    def value(self) -> int:
        """Return the length of the LCS, or the edit distance, inside the band."""
        if len(self._signs) == LCS_SIGNS:
            return (int(self._a.size) + int(self._b.size) - self._cost) // 2
        return self._cost

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck | None]:
        """See ``wavediff.core.kernels.pairwise.matrix.DpMatrix``."""
        fronts = {front.cost: front for front in self._fronts if front.cost < max(self._cost, 1)}

        def fetch(cost: int, low: int, n: int) -> Counts:
            return fronts[cost].fetch(low, n)

        if not fronts or self._cost > self._most:
            return None
        how = step, len(self._signs), original, sorted(fronts), self._cost, fetch, seconds, self._band, self.leaves_band
        return (yield from points_check.recheck(*how))

    def skipped_blocks(self) -> SkippedBlocks:
        return SkippedBlocks.without_through(self.block_map)

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        delta_bits, cost, n_steps = self._signs, self._cost, self._steps
        since = perf_counter()
        ops, lengths = np.empty(2 * n_steps + 1, np.uint8), np.empty(2 * n_steps + 1, np.int64)
        seen = np.empty((n_steps + 1) * (2 * n_steps + 1), np.uint32)
        i, j = marked = int(self._a.size), int(self._b.size)
        while cost > 0 and i > 0 and j > 0:
            before = self._fronts[(cost - 1) // n_steps]
            steps, k = cost - before.cost, j - i
            points = before.fetch(k - steps - 1, 2 * steps + 3)
            i, j, runs = trace_stretch(delta_bits, self._a, self._b, points, i, k, seen, ops, lengths, 0)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            cost = before.cost
            if perf_counter() - since > REPORT_SECONDS or cost == 0:
                mark_path(self.block_map, self.grid, [marked, (i, j)])
                marked = i, j
                yield step.done("traceback", since)
                since = perf_counter()
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))

    def _begin(self, lane: str) -> None:
        """Start the record; ``lane`` computes everything."""
        record = self.record
        record.names, record.interpolated = (lane,), True
        record.start, record.seconds_per_tick = perf_counter(), COARSE_TICK_SECONDS

    def _mark(self, row: int) -> int:
        """Mark the band as done up to a row; return its cells.

        Rows reached since the last call get evenly spaced times.
        """
        first, end = self._marked_rows, row // self.grid.block_rows
        if row == self._a.size:
            end = self.block_map.shape[0]
        now = perf_counter() - self.record.start
        if end > first:
            ticks = coarse_ticks(np.linspace(self._marked_at, now, end - first + 1))
            for k, inside in enumerate(self._inside[first:end]):
                self.block_map[first + k, inside] = BlockState.DONE
                self.record.began[first + k, inside] = ticks[k]
                self.record.ended[first + k, inside] = ticks[k + 1]
            self._marked_rows, self._marked_at = end, now
        return int(self.n_cells * row / self._a.size)

    def _left(self, low: int, front: Sequence[int] | Counts) -> int:
        """Return the upper bound of the remaining cost of an abandoned path.

        Args:
            front: furthest row of each diagonal from ``low`` on; negative: none.
        """
        points = np.asarray(front)
        reached = points >= 0
        i = points[reached].astype(np.int64)
        down = self._a.size - i
        right = self._b.size - i - (low + np.flatnonzero(reached))
        return int((down + right if len(self._signs) == LCS_SIGNS else np.maximum(down, right)).min())
