"""Meet in the middle: concurrent forward and backward halves, also of Hirschberg's recursion.

The steps of a warp are sequential, so a small matrix leaves most of a card idle. The left half forwards and the right
half backwards need half the steps each and run concurrently; the path crosses where their sums are best (Hirschberg
1975, as in Kawanami and Fujimoto, section 3.1). This gives the length or distance. A path needs the traceback of one
matrix.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Ops
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid, BlockState, SkippedBlocks
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.kernels.pairwise.lcs.hirschberg import Show, SubMatrix
from wavediff.core.kernels.pairwise.look_again import NotLookedAt
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.lcs import LcsJob
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.place_times import card_record
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, DeltaBits
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix

CPU_CELLS = 1 << 26  # cells; a smaller half takes a core some milliseconds


class CardHirschbergHalf:
    """See ``wavediff.core.kernels.pairwise.lcs.hirschberg.Half``."""

    def __init__(self, problem: PairProblem[LcsJob], card: Card) -> None:
        self._problem, self._card = problem, card

    def __call__(self, part: SubMatrix, backwards: bool, show: Show) -> Generator[Event, None, Counts]:
        problem = self._problem
        if part.n_cells < CPU_CELLS:
            return (yield from hirschberg.word_half(problem, part, backwards))
        a, b = problem.a[part.a0 : part.a1], problem.b[part.b0 : part.b1]
        pair = (a[::-1].copy(), b[::-1].copy()) if backwards else (a, b)
        form = StaggeredRows.chosen(problem.n_shared, int(a.size), b.size / a.size, DeltaBits.LCS, self._card)
        matrix = StripMatrix(self._card, [pair], form, DeltaBits.LCS)
        for event in matrix.compute(problem.step):
            show(matrix.block_map)
            yield event
        start = perf_counter()
        profile = matrix.profile(0)
        yield problem.step.done("download", start)
        return profile


class MeetInMiddleMatrix(NotLookedAt):
    """Distance without path: both halves in one launch.

    Args:
        halves: a matrix of two rectangles: the left half, and the reversed right half.
        n, m: rows and columns of the whole matrix.
    """

    n_skipped, share, kept = 0, 1.0, None

    def __init__(self, halves: StripMatrix, n: int, m: int) -> None:
        self._halves, self._middle = halves, halves.layout.sizes[0][1]
        self.grid = BlockGrid(n, m, max(1, n // 64), max(1, m // 64))
        self.block_map: BlockMap = np.zeros(self.grid.shape, np.uint8)
        self.record = card_record(self.grid.shape)

    @property
    def n_cells(self) -> int:
        return self._halves.n_cells

    def rounding(self, block_rows: int, block_cols: int) -> str:
        return ""

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        rows, cols = self.block_map.shape
        try:
            for event in self._halves.compute(step):
                for part, (i, j) in enumerate(self._halves.shares()):
                    down, right = int(i * rows), int(j * cols / 2)
                    corner = np.s_[:down, :right] if part == 0 else np.s_[rows - down :, cols - right :]
                    self.block_map[corner] = BlockState.DONE
                yield event
        finally:  # however much there is
            self._record_halves()
        self.block_map[:] = BlockState.DONE
        return False

    def _record_halves(self) -> None:
        """Set the time of each block to that of its strips."""
        halves, here = self._halves.record, self.record
        here.names, here.start, here.seconds_per_tick = halves.names, halves.start, halves.seconds_per_tick
        board, layout, n, m = self._halves.board, self._halves.layout, self.grid.n_rows, self.grid.n_cols
        top = np.arange(self.grid.shape[0], dtype=np.int64) * self.grid.block_rows
        left = np.arange(self.grid.shape[1], dtype=np.int64) * self.grid.block_cols
        bottom, right = np.minimum(top + self.grid.block_rows, n), np.minimum(left + self.grid.block_cols, m)
        first_half = left < self._middle
        right[first_half] = np.minimum(right[first_half], self._middle)
        for part, col in enumerate((first_half, ~first_half)):  # the second is computed from its end
            rows = np.stack((top, bottom) if part == 0 else (n - bottom, n - top))
            cols = np.stack((left[col], right[col]) if part == 0 else (m - right[col], m - left[col]))
            first_row, last_row = (layout.first_strip[part] + (rows - [[0], [1]]) // layout.height) // board.strips
            first_col, last_col = (layout.base[part] + (cols - [[0], [1]]) // GPU_GROUP_COLUMNS) // board.groups
            here.began[:, col] = halves.began[np.ix_(first_row, first_col)]
            here.ended[:, col] = halves.ended[np.ix_(last_row, last_col)]
            here.by[:, col] = halves.by[np.ix_(last_row, last_col)]

    def value(self) -> int:
        return self._halves.met()

    def skipped_blocks(self) -> SkippedBlocks:
        return SkippedBlocks.without_through(self.block_map)

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        raise NotImplementedError("halves that met keep no borders")
