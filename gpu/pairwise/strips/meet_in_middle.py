"""Meet in the middle: forward and backward halves at once, and the halves of Hirschberg's recursion.

A warp's steps wait for each other, so a small matrix leaves most of a card idle. Its left half forwards and its right
half backwards need half the steps each and go side by side; where their sums are best the path crosses (Hirschberg
1975, as in Kawanami and Fujimoto, section 3.1). That gives the length or the distance; for the path one matrix is
walked.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.arrays import BlockMap, Counts
from core.jobs.alignment import Alignment
from core.jobs.events import Event, StepDone
from core.jobs.grid import BlockGrid, BlockState
from core.kernels.pairwise.lcs import hirschberg
from core.kernels.pairwise.lcs.hirschberg import Show, SubMatrix
from core.kernels.pairwise.problem import PairProblem
from core.kernels.traceback.left_align import Ops
from core.methods.lcs import LcsJob
from gpu.card.interface import Card
from gpu.pairwise.strips.staggered import StaggeredRows
from gpu.pairwise.strips.strip_layout import DeltaBits
from gpu.pairwise.strips.strip_matrix import StripMatrix

CPU_CELLS = 1 << 26  # a half of fewer takes a core some milliseconds


class CardHirschbergHalf:
    """See ``core.kernels.pairwise.lcs.hirschberg.Half``."""

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
        for event in matrix.compute(problem.job.id):
            show(matrix.block_map)
            yield event
        start = perf_counter()
        profile = matrix.profile(0)
        yield StepDone(problem.job.id, "download", 1, 0, perf_counter() - start)
        return profile


class MeetInMiddleMatrix:
    """See ``core.kernels.pairwise.matrix.DpMatrix``; no path, both halves in one launch.

    Args:
        halves: a matrix of two rectangles: the left half, and the right half from its end.
        n, m: rows and columns of the whole.
    """

    n_skipped, share, record, kept = 0, 1.0, None, None

    def __init__(self, halves: StripMatrix, n: int, m: int) -> None:
        self._halves = halves
        self.grid = BlockGrid(n, m, max(1, n // 64), max(1, m // 64))
        self.block_map: BlockMap = np.zeros(self.grid.shape, np.uint8)

    @property
    def n_cells(self) -> int:
        return self._halves.n_cells

    def rounding(self, block_rows: int, block_cols: int) -> str:
        return ""

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        rows, cols = self.block_map.shape
        for event in self._halves.compute(job_id):
            for part, (i, j) in enumerate(self._halves.shares()):
                down, right = int(i * rows), int(j * cols / 2)
                corner = np.s_[:down, :right] if part == 0 else np.s_[rows - down :, cols - right :]
                self.block_map[corner] = BlockState.DONE
            yield event
        self.block_map[:] = BlockState.DONE
        return False

    def value(self) -> int:
        return self._halves.met()

    def skipped_blocks(self) -> tuple[int, int]:
        return 0, 0

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        raise NotImplementedError("halves that met keep no borders")

    def mark_prefix_path(self, alignment: Alignment) -> None:
        raise NotImplementedError("halves that met have no path")
