"""Blocks of Kawanami and Fujimoto's kernel, chosen at random, computed again on the CPU; see
``gpu.pairwise.strips.spot_check``."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Letters
from core.jobs.events import Event, StepDone
from gpu.pairwise.strips.reference_steps import Rows, fresh, replay
from gpu.pairwise.strips.spot_check import TimeBudget, differs, integers
from gpu.pairwise.strips.strip_layout import LANES, DeltaBits

if TYPE_CHECKING:
    from gpu.pairwise.lcs.paper1 import KawanamiMatrix

BLOCK = 32 * LANES


class BlockSpotChecker:
    """A block whose anti-diagonal is launched alone: its borders lie in the card's memory before it and after it."""

    def __init__(self, matrix: KawanamiMatrix) -> None:
        self._matrix = matrix
        self._allowance = TimeBudget()
        self._chosen: tuple[int, int, Rows, Letters] | None = None
        self._begun = 0.0
        # However short a run is, the first block from here on is one.
        self._sure: int | None = int(self._allowance.rng.integers(matrix.grid.n_diagonals))

    def begin(self, diagonal: int) -> bool:
        """Choose a block of ``diagonal``, which comes next, if one is due; return whether that was so."""
        sure = self._sure is not None and diagonal >= self._sure
        if not sure and not self._allowance.is_due:
            return False
        start, matrix = perf_counter(), self._matrix
        first, last = matrix.span(diagonal)
        last = min(last, matrix.grid.n_rows // BLOCK)  # what rows past the end would hand down is defined by nobody
        if first >= last:
            return False
        self._sure = None
        row = int(self._allowance.rng.integers(first, last))
        column = diagonal - row
        above = self._carries(column) if row else np.zeros((1, BLOCK), np.uint8)
        self._chosen = row, column, self._rows(row) if column else fresh(DeltaBits.LCS, BLOCK), above
        self._begun = perf_counter() - start
        return True

    def end(self, job_id: int, seconds: float) -> Generator[Event, None, None]:
        """The launches that followed took ``estimated_seconds``: check the block that was chosen.

        Raises:
            SelfCheckFailed: the card computed something else than the CPU.
        """
        self._allowance.earn(seconds)
        if self._chosen is None:
            return
        start, matrix = perf_counter(), self._matrix
        row, column, rows, above = self._chosen
        self._chosen = None
        a, b = matrix.block(row, column)
        found = replay(DeltaBits.LCS, BLOCK, a, b, matrix.strings.n_codes, rows, above[:, : b.size])
        below = self._carries(column)[:, : b.size]
        if found.rows != self._rows(row) or not np.array_equal(found.below, below):
            left = column * BLOCK
            raise differs((row * BLOCK, (row + 1) * BLOCK), (left, left + int(b.size)))
        spent = self._begun + perf_counter() - start
        self._allowance.spend(spent)
        yield StepDone(job_id, "sample", 1, 0, spent)

    def _rows(self, row: int) -> Rows:
        words = self._matrix.card.download(self._matrix.v[row * LANES : (row + 1) * LANES])
        return integers(words[None])

    def _carries(self, column: int) -> Letters:
        words = self._matrix.card.download(self._matrix.carries[column * LANES : (column + 1) * LANES])
        return np.unpackbits(words.view(np.uint8), bitorder="little")[None]
