"""The blocks of strips that are told of, and which of them are done."""

from __future__ import annotations

import numpy as np

from core.arrays import BlockMap, Counts
from core.jobs.grid import BlockGrid, BlockState
from gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, StripLayout

MAX_BOARD = 1024  # rows and columns of blocks that are told of


class StripBoard:
    """Some strips to a row of blocks, some groups to a column; the rows' first strips and where they have come.

    Attributes:
        blocks: their states, at first those outside the band and those that nothing was done of.
    """

    def __init__(self, layout: StripLayout) -> None:
        groups = int(layout.hi.max())
        shape = min(layout.n_strips, MAX_BOARD), max(1, min(groups // LANES, MAX_BOARD))
        self._layout, each = layout, -(-layout.n_strips // shape[0])
        self._strips = np.arange(0, layout.n_strips, each)
        self._groups = -(-groups // shape[1])
        first = np.minimum.reduceat(layout.lo, self._strips)
        self._last = np.maximum.reduceat(layout.hi, self._strips)
        self._marked, self._end = first // self._groups, -(-self._last // self._groups)
        self.grid = BlockGrid(*layout.sizes[0], each * layout.height, self._groups * GPU_GROUP_COLUMNS)
        self.blocks: BlockMap = np.zeros(shape, np.uint8)
        # Row by row: a mask over all of them takes five times as long.
        for row, begins, ends in zip(self.blocks, self._marked.tolist(), self._end.tolist(), strict=False):
            row[:begins] = row[ends:] = BlockState.OUTSIDE_BAND

    def go_on_with(self, block_map: BlockMap) -> None:
        """Have the blocks in ``board`` instead, of the same shape, which somebody watches already."""
        block_map[:] = self.blocks
        self.blocks = block_map

    def mark(self, reached: Counts) -> None:
        """Mark as done what is: ``with_imports`` groups of each strip."""
        at = np.minimum.reduceat(reached, self._strips)
        now = np.where(at >= self._last, self._end, at // self._groups)
        if (now == self._end).all():
            blocks = self.blocks[: now.size]
            np.copyto(blocks, np.uint8(BlockState.DONE), where=blocks != BlockState.OUTSIDE_BAND)
            return
        for row, first, end in zip(self.blocks, self._marked.tolist(), now.tolist(), strict=False):
            row[first:end] = BlockState.DONE
        self._marked = np.maximum(self._marked, now)
