"""Borders of a matrix distributed over cards: each stores those of its strips.

Borders of the fine tiles along the path: their coarse tiles are recomputed on the card, concurrently.

Fine borders of a whole matrix would exceed the card's memory, or take longer to store than to recompute; the traceback
needs a few tiles in a thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jobs.events import REHEARSAL, run_to_end
from wavediff.gpu.card.arguments import filled
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.pairwise.strips.memory import TileBorders, tile_size
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, LANES, StripLayout, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix

FINE_TILE_SIDE = 256  # rows and columns of a fine tile
MIN_REFINED_CELLS = 1 << 20  # cells of a tile; tracing smaller ones takes less than recomputing them twice
STRIP = LANES * 32  # rows of a strip with one word per lane


class BordersOfParts:
    """A ``TileRefiner`` or ``TileBorders`` for each part, used as those of one matrix.

    Rows of tiles and strips are numbered through all parts. The calling thread opened ``cards``, one per part.

    Attributes:
        refined: whether stored tiles are refined.
    """

    def __init__(self, parts: Sequence[StripMatrix]) -> None:
        self._parts: list[TileBorders | TileRefiner] = [refinement(part) or TileBorders(part) for part in parts]
        one = self._parts[0]
        self.refined = isinstance(one, TileRefiner)
        self.coarse, self.rows, self.width, self.most_rows = one.coarse, one.rows, one.width, one.most_rows
        rows = parts[0].layout.height // self.coarse[0]  # of coarse tiles in a strip
        self._first = np.array([part.link.first_strip * rows for part in parts])

    def first_of(self, row: int) -> int:
        return int(self._first[self._part(row)])

    def _part(self, row: int) -> int:
        return int(np.searchsorted(self._first, row, side="right")) - 1

    @property
    def tile_bytes(self) -> int:
        return self._unrefined(0).tile_bytes

    def room(self, n_strips: int, n_tiles: int) -> tuple[Words, Letters]:
        return self._unrefined(0).room(n_strips, n_tiles)

    def window(self, cards: tuple[Card, ...], first: int, starts: Counts, n_tiles: int) -> tuple[Words, Letters]:
        part = self._part(first)
        return self._parts[part].window(cards[part], first - int(self._first[part]), starts, n_tiles)

    def bring(self, cards: tuple[Card, ...], first: int, starts: Counts, v: Words, h: Letters) -> None:
        for part, here in self._slices(first, first + starts.size):
            at = first + here.start - int(self._first[part])
            self._unrefined(part).bring(cards[part], at, starts[here], v[here], h[here])

    def _slices(self, first: int, last: int) -> Iterator[tuple[int, slice]]:
        """Yield the parts with strips ``first`` to ``last``, and their slices."""
        ends = [*self._first[1:].tolist(), last]
        for part, (begin, end) in enumerate(zip(self._first.tolist(), ends, strict=True)):
            if max(begin, first) < min(end, last):
                yield part, slice(max(begin, first) - first, min(end, last) - first)

    def _unrefined(self, part: int) -> TileBorders:
        borders = self._parts[part]
        assert isinstance(borders, TileBorders), "what is refined is fetched window by window"
        return borders


def refinement(matrix: StripMatrix) -> TileRefiner | None:
    """Return the refiner for tiles of ``matrix``; None if not useful, or if a warp cannot process a tile."""
    rows, width = tile_size(matrix)
    if matrix.layout.band is not None or rows % STRIP or rows * width <= MIN_REFINED_CELLS:
        return None
    form = StaggeredRows(matrix.form.n_shared, rows // STRIP)
    return TileRefiner(matrix, form) if form.fits(matrix.delta_bits, matrix.card) else None


class TileRefiner:
    """Recomputes coarse tiles, one warp each, to get the borders of fine ones.

    Args:
        form: layout of the rows of a coarse tile in a warp.

    Attributes:
        coarse: rows and columns of a coarse tile. rows, width: of a fine one. most_rows: of a window.
    """

    most_rows = 1 << 17

    def __init__(self, matrix: StripMatrix, form: StaggeredRows) -> None:
        self._matrix, self._form = matrix, form
        self.coarse = tile_size(matrix)
        groups = self.coarse[1] // GPU_GROUP_COLUMNS
        self._tiles = TileSpacing(
            min(groups, FINE_TILE_SIDE // GPU_GROUP_COLUMNS), max(1, FINE_TILE_SIDE // (32 * form.words))
        )
        self.rows, self.width = self._tiles.lanes * 32 * form.words, self._tiles.groups * GPU_GROUP_COLUMNS
        self._macros = {
            "METHOD": int(matrix.delta_bits),
            "WORDS": form.words,
            "COLUMNS": GPU_GROUP_COLUMNS,
            "KEEP": 1,
            **form.macros,
        }
        self._lock = Lock()
        self._inputs: tuple[Any, Any] | None = None

    def _packed(self, card: Card) -> tuple[Any, Any]:
        matrix, form = self._matrix, self._form
        with self._lock:
            if self._inputs is None:
                size = matrix.layout.n_strips * matrix.layout.height, matrix.layout.sizes[0][1]
                layout = StripLayout((size,), form.words)
                self._inputs = run_to_end(form.pack(card, layout, matrix.pairs, matrix.letters, REHEARSAL))
            return self._inputs

    def window(self, card: Card, first_row: int, starts: Counts, n_tiles: int) -> tuple[Words, Letters]:
        """Return borders of fine tiles, as in ``wavediff.core.kernels.pairwise.blocks.tile_traceback.TileWindow``.

        Args:
            card: of this thread.
            first_row: first row of coarse tiles. starts: int64, the first of ``n_tiles`` tiles of each row.
        """
        matrix, tiles, form = self._matrix, self._tiles, self._form
        delta_bits, groups = matrix.delta_bits, self.coarse[1] // GPU_GROUP_COLUMNS
        tables, columns = self._packed(card)
        n, fine_tiles, fine_rows = starts.size * n_tiles, groups // tiles.groups, LANES // tiles.lanes
        kept_v = card.empty((n, fine_tiles, form.kept(delta_bits)), np.uint32)
        kept_h = card.empty((n, fine_rows + 1, groups, int(delta_bits)), np.uint8)
        mail = card.empty(groups, np.uint32)
        arrays = {
            "tables": tables[first_row * form.table_rows * form.words * LANES :],
            "columns": columns, "mail": mail, "kept_v": kept_v, "kept_h": kept_h, "entering": matrix.link.entering,
        }  # fmt: skip
        struct = filled(
            card, arrays,
            kept_v_stride=fine_tiles * form.kept(delta_bits), kept_h_stride=(fine_rows + 1) * int(delta_bits) * groups,
            kept_width=groups, table_rows=form.table_rows, keep_groups=tiles.groups, keep_lanes=tiles.lanes,
        )  # fmt: skip
        tile_rows = matrix.layout.height // self.coarse[0]
        first, last = first_row // tile_rows, (first_row + starts.size - 1) // tile_rows
        low = int(starts.min())
        wide = int(starts.max()) + n_tiles - low
        before = matrix.rows_on_card(card, first, card.upload(np.full(last + 1 - first, low, np.int32)), wide)
        card.begin(
            card.kernel("refine.cu", "refine", **self._macros), n, LANES, form.shared,
            struct, before, matrix.kept_h, np.int64(matrix.kept_h_stride),
            np.int32(matrix.layout.width), card.upload(starts.astype(np.int32)), np.int32(n_tiles), np.int32(first_row),
            np.int32(tile_rows), np.int32(low), np.int32(wide), np.int32(groups),
            np.int32(matrix.layout.sizes[0][1]),
        )  # fmt: skip
        v, h = card.download(kept_v), card.download(kept_h)
        return (
            v.view(np.uint64).reshape(starts.size, 1, n_tiles * fine_tiles, int(delta_bits), -1),
            h.reshape(starts.size, 1, n_tiles, fine_rows + 1, groups, int(delta_bits)),
        )
