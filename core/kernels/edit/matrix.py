"""The matrix of edit distance, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.arrays import Letters
from core.events import Event
from core.grid import BlockState
from core.kernels.blocks.advance import planes_of
from core.kernels.blocks.matrix import Matrix
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.blocks.shape import Shape
from core.kernels.edit.trace import edit_walk
from core.kernels.warm import warm_up


class EditMatrix(Matrix):
    """See ``Matrix``."""

    def __init__(
        self,
        a: Letters,
        b: Letters,
        n_codes: int,
        planes: int,
        shape: Shape,
        band: tuple[int, int] | None = None,
        *,
        monotone: bool = True,
    ) -> None:
        super().__init__(a, b, n_codes, planes, shape, n_signs=EDIT_SIGNS, walk=edit_walk, band=band, monotone=monotone)

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
    key = planes_of(planes, n_codes)

    def rehearse(path: bool) -> None:
        EditMatrix(np.zeros(3, np.uint8), np.ones(3, np.uint8), n_codes, planes, Shape(1, 512, 1, 1)).rehearse(path)

    yield from warm_up(job_id, "blocks", (*key, "edit"), lambda: rehearse(False))
    if path:
        yield from warm_up(job_id, "traceback", (*key, "edit path"), lambda: rehearse(True))
