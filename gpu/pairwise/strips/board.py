"""The blocks of strips that are told of, and which of them are done."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.gpu.card.place_times import card_record
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, StripLayout

MAX_BOARD = 1024  # rows and columns of blocks that are told of


class StripBoard:
    """Some strips to a row of blocks, some groups to a column; the rows' first strips and where they have come.

    Args:
        strips: of a block, 0 = chosen.

    Attributes:
        blocks: their states, at first those outside the band and those that nothing was done of.
        record: when each of them is computed, at first nothing.
        strips, groups: of a block; groups are a power of two, and no fewer than a warp computes between two looks.
    """

    def __init__(self, layout: StripLayout, strips: int = 0) -> None:
        n_groups, self._hi = int(layout.hi.max()), layout.hi
        self.strips = strips or -(-layout.n_strips // MAX_BOARD)
        self.groups = max(LANES, 1 << (-(-n_groups // MAX_BOARD) - 1).bit_length())
        shape = -(-layout.n_strips // self.strips), -(-n_groups // self.groups)
        self._strips = np.arange(0, layout.n_strips, self.strips)
        first = np.minimum.reduceat(layout.lo, self._strips)
        self._last = np.maximum.reduceat(layout.hi, self._strips)
        self._marked, self._end = first // self.groups, -(-self._last // self.groups)
        self.grid = BlockGrid(*layout.sizes[0], self.strips * layout.height, self.groups * GPU_GROUP_COLUMNS)
        self.blocks: BlockMap = np.zeros(shape, np.uint8)
        self.record = card_record(shape)
        # Row by row: a mask over all of them takes five times as long.
        for row, begins, ends in zip(self.blocks, self._marked.tolist(), self._end.tolist(), strict=True):
            row[:begins] = row[ends:] = BlockState.OUTSIDE_BAND

    def adopt(self, watched: StripBoard) -> None:
        """Reuse the arrays of a block map of the same shape that a view already watches."""
        watched.blocks[:] = self.blocks
        self.blocks, self.record = watched.blocks, watched.record

    def mark(self, reached: Counts) -> None:
        """Mark as done what is: ``with_imports`` groups of each strip."""
        # In a band a strip may end before others of its row of blocks, and is waited for no more.
        at = np.minimum.reduceat(np.where(reached >= self._hi, self._hi.max(), reached), self._strips)
        now = np.where(at >= self._last, self._end, at // self.groups)
        if (now == self._end).all():
            np.copyto(self.blocks, np.uint8(BlockState.DONE), where=self.blocks != BlockState.OUTSIDE_BAND)
            return
        for row, first, end in zip(self.blocks, self._marked.tolist(), now.tolist(), strict=True):
            row[first:end] = BlockState.DONE
        self._marked = np.maximum(self._marked, now)
