"""Strips of a card with their block map."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.place_times import card_record
from wavediff.gpu.pairwise.strips.strip_layout import (
    GPU_GROUP_COLUMNS,
    LANES,
    DeltaBits,
    RowLayout,
    StripLayout,
    TileSpacing,
)

MAX_BOARD = 1024  # rows and columns of displayed blocks


class StripBoard:
    """Block map of strips: several strips per row, several groups per column; progress per strip.

    Args:
        strips: of a block; 0: automatic.

    Attributes:
        blocks: states of the blocks, initially outside the band or waiting.
        record: times of the blocks, initially empty.
        strips, groups: of a block; groups are a power of two, at least the groups of a warp between two calls of
            ``look``.
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
        # Row by row: a mask over all rows takes five times as long.
        for row, begins, ends in zip(self.blocks, self._marked.tolist(), self._end.tolist(), strict=True):
            row[:begins] = row[ends:] = BlockState.OUTSIDE_BAND

    def adopt(self, watched: StripBoard) -> None:
        """Reuse the arrays of a block map of the same shape that a view watches."""
        watched.blocks[:] = self.blocks
        self.blocks, self.record = watched.blocks, watched.record

    def mark(self, reached: Counts) -> None:
        """Mark the finished blocks: ``reached`` groups of each strip."""
        # In a band a strip may end before others of its row of blocks; it is then not waited for.
        at = np.minimum.reduceat(np.where(reached >= self._hi, self._hi.max(), reached), self._strips)
        now = np.where(at >= self._last, self._end, at // self.groups)
        if (now == self._end).all():
            np.copyto(self.blocks, np.uint8(BlockState.DONE), where=self.blocks != BlockState.OUTSIDE_BAND)
            return
        for row, first, end in zip(self.blocks, self._marked.tolist(), now.tolist(), strict=True):
            row[first:end] = BlockState.DONE
        self._marked = np.maximum(self._marked, now)


if TYPE_CHECKING:
    from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


class CardStrips:
    """One or more independent matrices in strips.

    Attributes:
        cards: those with a part of the work; ``card``: the first one. parts: of each card.
        pairs: dense codes of rows and of columns, uint8. form: layout in the strips. delta_bits: selects the method.
        tiles: stored borders; None: none.
        board: block map; several matrices follow each other in columns.
    """

    cards: tuple[Card, ...]
    card: Card
    pairs: list[tuple[Letters, Letters]]
    form: RowLayout
    delta_bits: DeltaBits
    tiles: TileSpacing | None
    layout: StripLayout
    board: StripBoard
    parts: tuple[StripMatrix, ...]

    @property
    def n_cells(self) -> int:
        return sum(part.n_cells for part in self.parts)

    def compute(self, step: Step, look: Callable[[Counts], None] | None = None) -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` at least every ``LAUNCH_SECONDS``.

        Args:
            look: called repeatedly with the computed groups of each strip.
        """
        raise NotImplementedError

    def length(self) -> int:
        """Return the length of the LCS (inside the band)."""
        return sum(part.length() for part in self.parts)

    def distance(self) -> int:
        """Return the edit distance (inside the band): along the top, then down the right edge."""
        columns = self.layout.sizes[0][1]
        return columns + sum(part.distance() - columns for part in self.parts)

    def value(self) -> int:
        return self.length() if self.delta_bits is DeltaBits.LCS else self.distance()

    def keeping(self, tiles: TileSpacing) -> CardStrips:
        """Return an uncomputed copy that stores other borders."""
        raise NotImplementedError

    def coarser(self) -> CardStrips | None:
        """Return an uncomputed copy with fewer stored borders and the same map, or None."""
        tiles = self.tiles.coarser(self.layout.width) if self.tiles is not None else None
        if tiles is None:
            return None
        new = self.keeping(tiles)
        new.watch(self.board)
        return new

    def watch(self, board: StripBoard) -> None:
        """Show the blocks on an existing map of the same shape."""
        self.board.adopt(board)

    @property
    def record(self) -> RunRecord:
        return self.board.record

    @property
    def block_map(self) -> BlockMap:
        return self.board.blocks

    @property
    def grid(self) -> BlockGrid:
        return self.board.grid

    def release(self) -> None:
        """Return unused memory of all cards to the driver."""
        for card in self.cards:
            card.release()
