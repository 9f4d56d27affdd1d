"""Strips of a matrix on one card or several, as who computes them and walks back through them sees them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from wavediff.core.base.arrays import BlockMap, Counts, Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.jobs.run_record import RunRecord
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.board import StripBoard
from wavediff.gpu.pairwise.strips.row_layout import RowLayout
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, StripLayout, TileSpacing

if TYPE_CHECKING:
    from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


class CardStrips:
    """Matrices that do not depend on each other, or one.

    Attributes:
        cards: that have a part in it; ``card``: the first. parts: what each has.
        pairs: dense codes of rows and of columns, uint8. form: how the strips hold them. delta_bits: which method.
        tiles: what is kept; None for nothing.
        board: the blocks that are shown; those of several matrices are in columns behind each other.
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
        """Cells inside the strips' ranges."""
        return sum(part.n_cells for part in self.parts)

    def compute(self, step: Step, look: Callable[[Counts], None] | None = None) -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` at least every ``LAUNCH_SECONDS``.

        Args:
            look: told again and again which groups of each strip are computed.
        """
        raise NotImplementedError

    def length(self) -> int:
        """Return the length of the LCS (inside the band): the rows where it grows."""
        return sum(part.length() for part in self.parts)

    def distance(self) -> int:
        """Return the edit distance (inside the band): along the top, then down the right edge."""
        columns = self.layout.sizes[0][1]
        return columns + sum(part.distance() - columns for part in self.parts)

    def value(self) -> int:
        return self.length() if self.delta_bits is DeltaBits.LCS else self.distance()

    def keeping(self, tiles: TileSpacing) -> CardStrips:
        """Return the same, not computed, that keeps other borders."""
        raise NotImplementedError

    def coarser(self) -> CardStrips | None:
        """Return the same, not computed, with fewer borders to keep and with this one's board; None at the end."""
        tiles = self.tiles.coarser(self.layout.width) if self.tiles is not None else None
        if tiles is None:
            return None
        new = self.keeping(tiles)
        new.watch(self.board)
        return new

    def watch(self, board: StripBoard) -> None:
        """Show the blocks on a board of the same shape, which somebody watches already."""
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
        """Give memory of all cards that nothing uses back to the driver."""
        for card in self.cards:
            card.release()
