"""Borders that strips keep for a traceback, brought together for some tiles of some strips."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.memory import StripMemory
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, DeltaBits

NOTHING_ABOVE = {
    DeltaBits.LCS: 0,
    DeltaBits.EDIT: 0xFF00,
}  # a byte a sign, the last first: no growth; one edit more a column


def tile_size(matrix: StripMemory) -> tuple[int, int]:
    """Return rows and columns of the tiles whose borders ``matrix`` keeps."""
    assert matrix.tiles is not None, "nothing is kept"
    return matrix.tiles.lanes * 32 * matrix.form.words, matrix.tiles.groups * GPU_GROUP_COLUMNS


class TileBorders:
    """The tiles of a whole matrix as it kept them; what ``wavediff.gpu.pairwise.traceback.part_borders`` gives finer
    ones of is used likewise.

    Attributes:
        coarse: rows of a strip and columns of a tile. rows, width: of a tile. most_rows: of a window.
    """

    most_rows = 1 << 17

    def __init__(self, matrix: StripMemory) -> None:
        self._matrix = matrix
        self.rows, self.width = tile_size(matrix)
        self.coarse = matrix.layout.height, self.width

    @property
    def tile_bytes(self) -> int:
        """Bytes that the borders of a tile of each strip take."""
        delta_bits, (height, width) = int(self._matrix.delta_bits), self.coarse
        return delta_bits * (height // 8 + (height // self.rows + 1) * width // GPU_GROUP_COLUMNS)

    def room(self, n_strips: int, n_tiles: int) -> tuple[Words, Letters]:
        """Return where the borders of some tiles go, as
        ``wavediff.core.kernels.pairwise.blocks.tile_traceback.TileWindow`` has them."""
        delta_bits, (height, width), card = int(self._matrix.delta_bits), self.coarse, self._matrix.card
        v = card.pinned((n_strips, 1, n_tiles, delta_bits, height // 64), np.uint64)
        return v, card.pinned(
            (n_strips, 1, 1, height // self.rows + 1, n_tiles * width // GPU_GROUP_COLUMNS, delta_bits), np.uint8
        )

    def window(self, card: Card, first: int, starts: Counts, n_tiles: int) -> tuple[Words, Letters]:
        """Return borders of some tiles, as ``wavediff.core.kernels.pairwise.blocks.tile_traceback.TileWindow`` has
        them.

        Args:
            card: of this thread.
            first: strip. starts: int64, the first of ``n_tiles`` tiles of each strip from there on.
        """
        v, h = self._on_card(card, first, starts, n_tiles)
        down = card.download(v).view(np.uint64).reshape(starts.size, 1, n_tiles, int(self._matrix.delta_bits), -1)
        return down, card.download(h)

    def bring(self, card: Card, first: int, starts: Counts, v: Words, h: Letters) -> None:
        """Bring the same to where they go; see ``room`` and ``load_bits``."""
        on_card = self._on_card(card, first, starts, v.shape[2])
        card.download_to(on_card[0], v.view(np.uint32).reshape(on_card[0].shape))
        card.download_to(on_card[1], h)

    def _on_card(self, card: Card, first: int, starts: Counts, n_tiles: int) -> tuple[Any, Any]:
        matrix = self._matrix
        delta_bits, rows, groups = (
            int(matrix.delta_bits),
            LANES * 32 * matrix.form.words // self.rows,
            self.width // GPU_GROUP_COLUMNS,
        )
        on_card = card.upload(starts.astype(np.int32))
        v = matrix.rows_on_card(card, first, on_card, n_tiles)
        h = card.empty((starts.size, 1, 1, rows + 1, n_tiles * groups, delta_bits), np.uint8)
        entering = 0 if matrix.link.entering is None else card.address(matrix.link.entering)
        card.begin(
            card.kernel("kept.cu", "handed_down"), starts.size * (rows + 1), 128, 0,
            matrix.kept_h, np.int64(matrix.kept_h_stride), np.int32(matrix.layout.width), np.int32(rows),
            np.int32(delta_bits), np.int32(NOTHING_ABOVE[matrix.delta_bits]), np.uint64(entering), np.int32(groups),
            np.int32(first), on_card, np.int32(n_tiles), h,
        )  # fmt: skip
        return v, h
