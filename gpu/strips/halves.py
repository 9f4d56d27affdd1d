"""What halves tell of a whole: Hirschberg's recursion, and a matrix computed from both ends at once.

A warp's steps wait for each other, so a small matrix leaves most of a card idle. Its left half forwards and its right
half backwards need half the steps each and go side by side; where their sums are best the path crosses (Hirschberg
1975, as in paper 1, section 3.1). That gives the length or the distance; for the path one matrix is walked.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.arrays import Board, Counts
from core.events import Event, StepDone
from core.grid import BlockGrid, BlockState
from core.jobs import LcsJob
from core.kernels.lcs import hirschberg
from core.kernels.lcs.hirschberg import Part, Show
from core.kernels.problem import Core
from core.results.alignment import Alignment
from core.traceback.runs import Ops
from gpu.card.interface import Card
from gpu.strips.layout import Signs
from gpu.strips.matrix import StripMatrix
from gpu.strips.staggered import Staggered

CPU_CELLS = 1 << 26  # a half of fewer takes a core some milliseconds


class CardHalf:
    """See ``core.kernels.lcs.hirschberg.Half``."""

    def __init__(self, core: Core[LcsJob], card: Card) -> None:
        self._core, self._card = core, card

    def __call__(self, part: Part, backwards: bool, show: Show) -> Generator[Event, None, Counts]:
        core = self._core
        if part.n_cells < CPU_CELLS:
            return (yield from hirschberg.word_half(core, part, backwards))
        a, b = core.a[part.a0 : part.a1], core.b[part.b0 : part.b1]
        pair = (a[::-1].copy(), b[::-1].copy()) if backwards else (a, b)
        form = Staggered.chosen(core.n_shared, int(a.size), b.size / a.size, Signs.LCS, self._card)
        matrix = StripMatrix(self._card, [pair], form, Signs.LCS)
        for event in matrix.compute(core.job.id):
            show(matrix.board)
            yield event
        start = perf_counter()
        profile = matrix.profile(0)
        yield StepDone(core.job.id, "download", 1, 0, perf_counter() - start)
        return profile


class MetMatrix:
    """See ``core.kernels.rectangle.Rectangle``; no path, both halves in one launch.

    Args:
        halves: a matrix of two rectangles: the left half, and the right half from its end.
        n, m: rows and columns of the whole.
    """

    n_skipped, share = 0, 1.0

    def __init__(self, halves: StripMatrix, n: int, m: int) -> None:
        self._halves = halves
        self.grid = BlockGrid(n, m, max(1, n // 64), max(1, m // 64))
        self.board: Board = np.zeros(self.grid.shape, np.uint8)

    @property
    def n_cells(self) -> int:
        return self._halves.n_cells

    def rounding(self, block_rows: int, block_cols: int) -> str:
        return ""

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        rows, cols = self.board.shape
        for event in self._halves.compute(job_id):
            for part, (i, j) in enumerate(self._halves.shares()):
                down, right = int(i * rows), int(j * cols / 2)
                corner = np.s_[:down, :right] if part == 0 else np.s_[rows - down :, cols - right :]
                self.board[corner] = BlockState.DONE
            yield event
        self.board[:] = BlockState.DONE
        return False

    def value(self) -> int:
        return self._halves.met()

    def skipped_blocks(self) -> tuple[int, int]:
        return 0, 0

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        raise NotImplementedError("halves that met keep no borders")

    def mark_front(self, alignment: Alignment) -> None:
        raise NotImplementedError("halves that met have no path")
