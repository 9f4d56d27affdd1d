"""The matrix of edit distance, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.events import Event
from core.grid import BlockState
from core.kernels.blocks.matrix import Matrix, warm_matrix
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.blocks.packed import Packed
from core.kernels.blocks.shape import Shape


class EditMatrix(Matrix):
    """See ``Matrix``."""

    def __init__(
        self,
        packed: Packed,
        shape: Shape,
        band: tuple[int, int] | None = None,
        *,
        monotone: bool = True,
        common: int = 0,
    ) -> None:
        super().__init__(packed, shape, n_signs=EDIT_SIGNS, band=band, monotone=monotone, common=common)

    def distance(self) -> int:
        """Return the edit distance inside the band, once every block is done: along the top, then down the right."""
        return self.plan.n_cols + self.ones(0) - self.ones(1)

    def skipped_blocks(self) -> tuple[int, int]:
        """Return the blocks outside the band, and those handed through; before a path is drawn over them."""
        plan, board = self.plan, self.state.board
        unit = plan.board_rows * plan.board_cols
        outside = int(np.count_nonzero(board == BlockState.OUTSIDE_BAND)) * unit
        return outside, int(np.count_nonzero(board == BlockState.MONOTONE)) * unit


def make_ready(job_id: int, n_codes: int, planes: int, path: bool) -> Generator[Event, None, None]:
    """Compile (or load) what a matrix of such codes needs."""
    yield from warm_matrix(job_id, n_codes, planes, path, "edit", EditMatrix)
