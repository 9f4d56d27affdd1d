"""Memory of strips, and the stored tile borders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.gpu.card.arguments import filled
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.pairwise.strips.strip_layout import (
    GPU_GROUP_COLUMNS,
    LANES,
    DeltaBits,
    RowLayout,
    StripLayout,
    TileSpacing,
)

NOTHING_ABOVE = {
    DeltaBits.LCS: 0,
    DeltaBits.EDIT: 0xFF00,
}  # one byte per sign, last first: no growth; one more edit per column


def tile_size(matrix: StripMemory) -> tuple[int, int]:
    assert matrix.tiles is not None, "nothing is kept"
    return matrix.tiles.lanes * 32 * matrix.form.words, matrix.tiles.groups * GPU_GROUP_COLUMNS


class TileBorders:
    """Tiles of a full matrix as stored; refined ones of ``wavediff.gpu.pairwise.traceback.part_borders`` have the same
    interface.

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
        """Bytes per column of tiles: borders of one tile of each strip."""
        delta_bits, (height, width) = int(self._matrix.delta_bits), self.coarse
        return delta_bits * (height // 8 + (height // self.rows + 1) * width // GPU_GROUP_COLUMNS)

    def room(self, n_strips: int, n_tiles: int) -> tuple[Words, Letters]:
        """Allocate host memory for tile borders, as in
        ``wavediff.core.kernels.pairwise.blocks.tile_traceback.TileWindow``.
        """
        delta_bits, (height, width), card = int(self._matrix.delta_bits), self.coarse, self._matrix.card
        v = card.pinned((n_strips, 1, n_tiles, delta_bits, height // 64), np.uint64)
        return v, card.pinned(
            (n_strips, 1, 1, height // self.rows + 1, n_tiles * width // GPU_GROUP_COLUMNS, delta_bits), np.uint8
        )

    def window(self, card: Card, first: int, starts: Counts, n_tiles: int) -> tuple[Words, Letters]:
        """Return the borders of some tiles, as in ``wavediff.core.kernels.pairwise.blocks.tile_traceback.TileWindow``.

        Args:
            card: of this thread.
            first: first strip. starts: int64, the first of ``n_tiles`` tiles of each strip.
        """
        v, h = self._on_card(card, first, starts, n_tiles)
        down = card.download(v).view(np.uint64).reshape(starts.size, 1, n_tiles, int(self._matrix.delta_bits), -1)
        return down, card.download(h)

    def bring(self, card: Card, first: int, starts: Counts, v: Words, h: Letters) -> None:
        """Download the borders described in ``window`` into existing arrays; see ``room`` and ``load_bits``."""
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


BATCH = 4  # steps per check of the mailbox
MOST_REUSES = 0xFFF0  # uses of a mailbox: their number is in each packet


@dataclass(frozen=True, slots=True, eq=False)
class CardLink:
    """Borders passed from card to card when a matrix is split by rows.

    Attributes:
        first_strip: first strip of this card, numbered in the whole matrix.
        entering, leaving: uint32, one per group of columns, see ``cuda/matrix.cuh`` and ``Card.border``; None at the
            top and at the bottom.
        reader: the card that reads ``leaving``.
    """

    first_strip: int = 0
    entering: Any | None = None
    leaving: Any | None = None
    reader: Card | None = None


ALONE = CardLink()


class StripMemory:
    """Arrays of independent matrices, or of a band of one.

    Args:
        pairs: dense codes of rows and of columns, uint8, none empty.
        form: layout in the strips.
        signs: selects the method.
        band: (low, high): diagonals ``column - row`` that must be inside; None for all.
        tiles: borders to store; None: none.
        panel: consecutive groups of a strip per ticket.
        free_rows, free_columns: a path may begin in any row of column 0, in any column of row 0, at no cost; of edit
            distance.
        link: to the cards with the rows above and below; for a part of a matrix.
    """

    def __init__(
        self,
        card: Card,
        pairs: list[tuple[Letters, Letters]],
        form: RowLayout,
        delta_bits: DeltaBits,
        band: tuple[int, int] | None,
        tiles: TileSpacing | None,
        panel: int,
        free_rows: bool,
        free_columns: bool,
        link: CardLink,
    ) -> None:
        self.card, self.pairs, self.form, self.delta_bits, self.tiles = card, pairs, form, delta_bits, tiles
        self.link, self.free_rows, self.free_columns = link, free_rows, free_columns
        sizes = tuple((int(a.size), int(b.size)) for a, b in pairs)
        unit = tiles.groups if tiles else form.unit
        self.layout = StripLayout(sizes, form.words, band, unit, panel, link.entering is not None)

    def allocate(self, inputs: tuple[Any, Any], warps: int, slice_seconds: float) -> None:
        """Allocate all arrays, zeroed.

        Args:
            inputs: match tables and columns on the card, from ``RowLayout.pack``.
            warps: concurrent ones. slice_seconds: of one launch.
        """
        card, tiles, layout, words = self.card, self.tiles, self.layout, self.form.words
        tickets, n, width = layout.tickets, layout.n_strips, layout.width
        self.ring = ring = max(min(warps + 2, tickets.size + 1), tickets.size // MOST_REUSES + 1)
        self.mail_groups = mail_groups = int((tickets["last"] - tickets["first"]).max())
        kept_columns = -(-width // tiles.groups) if tiles else 0
        kept_lanes = LANES // tiles.lanes if tiles else 0
        self.moving = card.zeros((n, self.delta_bits, LANES * words), np.uint32)
        self.kept_v = card.zeros((n, kept_columns, self.form.kept(self.delta_bits)), np.uint32)
        self.kept_h = card.zeros((n, kept_lanes, width if tiles else 0, self.delta_bits), np.uint8)
        self._state = card.upload(np.stack([layout.lo, np.zeros(n, np.int64)]).astype(np.int32))
        self._done, self.step = self._state[0], self._state[1]
        self._begun = card.zeros(tickets.size, np.int32)
        self._counter = card.zeros(1, np.int32)
        names = "tables", "columns", "tickets", "mail", "flight", "lo"
        self.mail, flight = (
            card.zeros(ring * mail_groups, np.uint32),
            card.zeros(n * LANES * self.form.flight, np.uint32),
        )
        lo, taken = card.upload(layout.lo.astype(np.int32)), card.upload(tickets.view(np.int32))
        self._hold = dict(zip(names, (*inputs, taken, self.mail, flight, lo), strict=True))
        self.kept_h_stride = kept_lanes * self.delta_bits * width
        self.struct = filled(
            card,
            {
                **self._hold,
                "v": self.moving,
                "done": self._done,
                "step": self.step,
                "begun": self._begun,
                "counter": self._counter,
                "entering": self.link.entering,
                "leaving": self.link.leaving,
                "kept_v": self.kept_v,
                "kept_h": self.kept_h,
            },
            kept_v_stride=kept_columns * self.form.kept(self.delta_bits),
            kept_h_stride=self.kept_h_stride,
            kept_width=width,
            n_tickets=tickets.size,
            table_rows=self.form.table_rows,
            ring=ring,
            mail_groups=mail_groups,
            batch=BATCH,
            keep_groups=tiles.groups if tiles else 1,
            keep_lanes=tiles.lanes if tiles else 1,
            slice=int(slice_seconds * card.cycles_per_second),
        )

    def rows_on_card(self, card: Card, first: int, starts: Any, n_tiles: int) -> Any:
        """Return the row states before some tiles, on the card: uint32, shape (strips, tiles, words).

        Args:
            card: of this thread.
            first: first strip. starts: int32 on the card, the first of ``n_tiles`` tiles of each strip.
        """
        return self.form.kept_in_rows(card, self.kept_v, self.struct, self.layout.panel, first, starts, n_tiles)

    def rows_before(self, card: Card, first: int, starts: Any, n_tiles: int) -> Words:
        """Return the row states of ``rows_on_card`` as uint64, shape (strips, tiles, signs, words per strip)."""
        rows = card.download(self.rows_on_card(card, first, starts, n_tiles))
        return rows.view(np.uint64).reshape(*rows.shape[:2], int(self.delta_bits), -1)
