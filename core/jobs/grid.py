"""Geometry of the block grid over a dynamic-programming matrix."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap

MAX_BOARD = 1024  # places per side of the map: few screens show more; a record has 9 bytes per place, 9.4 MB


class BlockState(IntEnum):
    """State of a block, as stored in block maps.

    Larger values are more important to the viewer: a pixel with several blocks shows the largest.
    """

    WAITING = 0
    OUTSIDE_BAND = 1  # not computed: paths outside the band cost more
    MONOTONE = 2  # not computed: its top row only rises and its left column only falls (Sudo and Shinohara, section 4)
    DONE = 3
    RUNNING = 4
    PATH = 5  # computed, and the path of the result crosses it
    FAILED = 6


class SkippedBlocks(NamedTuple):
    """Blocks that a block map marks as not computed.

    Attributes:
        outside: blocks outside the band.
        through: blocks through which monotone borders passed unchanged; ``through_cells``: number of their cells.
    """

    outside: int
    through: int = 0
    through_cells: int = 0

    @classmethod
    def without_through(cls, block_map: BlockMap) -> SkippedBlocks:
        """Return the skipped blocks of a matrix whose block map has one entry per block."""
        return cls(int(np.count_nonzero(block_map == BlockState.OUTSIDE_BAND)))


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """Blocks of ``block_rows`` x ``block_cols`` cells over ``n_rows`` x ``n_cols`` letters.

    ``row0`` and ``col0`` are the position of the grid in the whole matrix: the lengths of the stripped common prefix
    (0-based, in letters of A and of B).
    """

    n_rows: int
    n_cols: int
    block_rows: int
    block_cols: int
    row0: int = 0
    col0: int = 0

    def __post_init__(self) -> None:
        if self.block_rows < 1 or self.block_cols < 1:
            raise ValueError(f"blocks must have at least one cell, got {self.block_rows} x {self.block_cols}")

    @property
    def shape(self) -> tuple[int, int]:
        return -(-self.n_rows // self.block_rows), -(-self.n_cols // self.block_cols)

    @property
    def n_blocks(self) -> int:
        rows, cols = self.shape
        return rows * cols

    @property
    def n_cells(self) -> int:
        return self.n_rows * self.n_cols

    @property
    def n_diagonals(self) -> int:
        """Number of anti-diagonals of blocks: the kernel calls of Kawanami and Fujimoto, section 3.2."""
        rows, cols = self.shape
        return rows + cols - 1 if rows and cols else 0

    def diagonal(self, d: int) -> npt.NDArray[np.int32]:
        """Return (row, col) of each block on anti-diagonal ``d``, shape ``(k, 2)``."""
        rows, cols = self.shape
        i = np.arange(max(0, d - cols + 1), min(rows, d + 1), dtype=np.int32)
        return np.stack([i, d - i], axis=1)

    def calls(self) -> npt.NDArray[np.int32]:
        """Return the 1-based kernel call that can first run each block (Kawanami and Fujimoto, Fig. 1)."""
        rows, cols = self.shape
        return np.add.outer(np.arange(rows, dtype=np.int32), np.arange(1, cols + 1, dtype=np.int32))
