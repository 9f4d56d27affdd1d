"""The borders along the straight way through a whole matrix, brought to the host while the card computes.

All walks share them: one that stays near the straight way, as most do, never waits for a transfer of its own.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.kernels.pairwise.blocks.tile_traceback import TileWindow
from wavediff.core.system.machine import available_memory
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS
from wavediff.gpu.pairwise.traceback.part_borders import BordersOfParts

SPREAD_FACTOR = (
    1.25  # times the two thirds' power of the rows: how far paths between random letters are from the straight way
)
MAX_HOST_BYTES = (
    1 << 27
)  # bytes of the host, which has them locked; to lock more takes the first run longer than it saves
MAX_HOST_SHARE = 1 / 16  # of the host's free memory, at most
MIN_STRIPS = 4  # strips that are worth a transfer while others are still computed


class Corridor:
    """Tiles beside the straight way, those of the upper strips first; one thread at a time brings more.

    Args:
        n, m: rows and columns of the matrix.

    Attributes:
        window: of all strips; only the first ``rows`` rows are there.
    """

    def __init__(self, kept: BordersOfParts, n: int, m: int) -> None:
        height, width = kept.coarse
        n_strips = -(-n // height)
        most = -(-m // width)
        n_tiles, columns = _tiles(kept, n, m)
        starts = (np.arange(n_strips) * height * m // n - columns) // width
        self._starts = np.clip(starts, 0, most - n_tiles)
        self._ends = np.minimum((self._starts + n_tiles) * width, m)
        self._kept, self._n, self._n_tiles = kept, n, n_tiles
        v, h = kept.room(n_strips, n_tiles)
        nothing = np.zeros(n_strips, np.int64)
        self.window = TileWindow(
            v, h, h[0, 0, 0, 0], nothing, nothing + m, 0, self._starts * width, 0, 0, height, kept.rows, kept.width, 1
        )
        self.rows = self._strips = 0

    @staticmethod
    def fits(kept: BordersOfParts, n: int, m: int) -> bool:
        """Return whether it is not too much for the host."""
        room = -(-n // kept.coarse[0]) * _tiles(kept, n, m)[0] * kept.tile_bytes
        return room <= min(MAX_HOST_BYTES, MAX_HOST_SHARE * available_memory())

    def computed(self, reached: Counts) -> int:
        """Return up to which strip its tiles are, given the groups of each strip that are."""
        there = reached * GPU_GROUP_COLUMNS >= self._ends
        return there.size if there.all() else int(np.argmin(there))

    def is_worth(self, strips: int) -> bool:
        """Return whether there is enough to bring up to a strip."""
        return strips >= self._strips + MIN_STRIPS or self._strips < strips == self._starts.size

    def bring(self, cards: tuple[Card, ...], strips: int) -> None:
        """Bring the tiles up to a strip, which are computed; ``cards`` are of this thread."""
        first = self._strips
        here = slice(first, strips)
        self._kept.bring(cards, first, self._starts[here], self.window.v[here], self.window.h[here])
        self._strips, self.rows = strips, min(self._n, strips * self.window.height)

    def has(self, i: int, j: int) -> bool:
        """Return whether the tile that a path comes to at node (i, j) is there."""
        if not 0 < i <= self.rows:
            return False
        start = int(self.window.first[(i - 1) // self.window.height])
        return start < j <= start + self._n_tiles * self.window.width


def _tiles(kept: BordersOfParts, n: int, m: int) -> tuple[int, int]:
    """Return how many tiles of each strip belong to it, and how many columns on each side."""
    height, width = kept.coarse
    columns = int(SPREAD_FACTOR * n ** (2 / 3) * m / n)
    return min(-(-m // width), (2 * columns + height * m // n) // width + 2), columns
