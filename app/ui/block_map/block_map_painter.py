"""The blocks of a board, drawn into a picture: all that a frame shows, or the part of it that changed."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

from wavediff.app.ui.block_map.block_colours import level_colours
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.block_map.block_map_pixels import Axis, BlockMapPixels, Overlay, PixelColours, line_width
from wavediff.app.ui.block_map.block_map_reduce import (
    BORDER,
    EDGE_BIT,
    N_LOOKS,
    STATE,
    STRIPE,
    THROUGH_STRIPE,
    blocks_a_cell,
)
from wavediff.app.ui.block_map.block_map_watch import Box
from wavediff.app.ui.block_map.cached_layer import CachedLayer
from wavediff.app.ui.block_map.skip_style import KNOWN_BORDERS, STATE_SKIPS
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.grid import BlockGrid, BlockState

MIN_BORDER_BLOCK_PX = 6.0  # pixels a block is wide before its border is drawn


class BlockMapPainter:
    """Draws the board of ``model`` as ``frame`` shows it; make another one when either changes.

    How many blocks share a cell of the picture depends on the whole frame, so a part that is drawn alone
    fits to what is there already.

    Args:
        layer: where to, as large as the frame.
        has_line: whether the path is drawn over it, so that its blocks need not tell of it; one block alone never does.
    """

    def __init__(
        self,
        model: BlockMapModel,
        grid: BlockGrid,
        theme: Theme,
        frame: BlockMapFrame,
        layer: CachedLayer,
        *,
        has_line: bool,
    ) -> None:
        self._model, self._layer = model, layer
        has_line = has_line or model.block_map.size == 1
        self._ratio = ratio = frame.ratio
        self._inner = inner = frame.box(QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows))
        height, width = model.block_size
        seen = frame.letters(frame.whole).intersected(QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows))
        pixels = frame.box(seen)
        rows, cols = model.block_map.shape
        rows_seen, cols_seen = _blocks(seen.height(), height, rows), _blocks(seen.width(), width, cols)
        by_rows = blocks_a_cell(rows_seen, int(pixels.height() * ratio) + 1)  # blocks of the board in a cell
        by_cols = blocks_a_cell(cols_seen, int(pixels.width() * ratio) + 1)
        self._step_x, self._step_y = width * by_cols * frame.scale, height * by_rows * frame.scale  # pixels of a cell
        self._size = min(self._step_x, self._step_y)
        room_y, room_x = layer.pixels.shape
        span_y = max(0, floor(pixels.top() * ratio)), min(room_y, ceil(pixels.bottom() * ratio))
        span_x = max(0, floor(pixels.left() * ratio)), min(room_x, ceil(pixels.right() * ratio))
        self._overlay = None
        if model.colours is not None:
            by = model.colours.by
            self._overlay = Overlay(model.colours.levels, level_colours(by, dark=theme.dark), _plain_looks(has_line))
        self._pixels = BlockMapPixels(
            Axis.of(span_y, inner.top(), self._step_y, -(-rows // by_rows), ratio, by_rows),
            Axis.of(span_x, inner.left(), self._step_x, -(-cols // by_cols), ratio, by_cols),
            _colour_table(theme, has_line),
            ratio,
            has_borders=self._size >= MIN_BORDER_BLOCK_PX,
        )

    def draw(self, box: Box) -> tuple[int, int, int, int]:
        """Draw the blocks of ``box``, and some pixels on each side: the front is there too.

        Returns:
            Where, as x, y, width and height, in whole pixels of the widget; empty where none is seen.
        """
        return self._draw(box, self._model.block_map, moving=self._model.is_moving)

    def draw_all(self, blocks: npt.NDArray[np.uint8], *, moving: bool) -> None:
        """Draw all blocks that the frame shows, of ``blocks``, the block map of the model or of a moment before."""
        self._draw((0, blocks.shape[0], 0, blocks.shape[1]), blocks, moving=moving)

    def _draw(self, box: Box, blocks: npt.NDArray[np.uint8], *, moving: bool) -> tuple[int, int, int, int]:
        y, height = self._span(self._pixels.rows, self._inner.top(), self._step_y, box[0], box[1])
        x, width = self._span(self._pixels.cols, self._inner.left(), self._step_x, box[2], box[3])
        rows = self._pixels.rows.within(y, y + height, self._ratio)
        cols = self._pixels.cols.within(x, x + width, self._ratio)
        if rows[1] > rows[0] and cols[1] > cols[0]:
            pixels = self._pixels.part(blocks, rows, cols, moving=moving, overlay=self._overlay)
            self._layer.pixels[rows[0] : rows[1], cols[0] : cols[1]] = pixels
        return x, y, width, height

    def _span(self, axis: Axis, start: float, step: float, first: int, last: int) -> tuple[int, int]:
        """Return the first pixel and the number of them of blocks ``first`` to ``last`` (half-open)."""
        near = ceil(line_width(self._ratio) / self._ratio)
        low = floor(start + first // axis.blocks * step) - near
        high = ceil(start + -(-last // axis.blocks) * step) + near
        low, high = max(low, floor(axis.first / self._ratio)), min(high, ceil(axis.last / self._ratio))
        return low, max(0, high - low)


def _colour_table(theme: Theme, has_line: bool) -> PixelColours:
    """Return the colour of every state and bits beside it: a front is over borders, and these are over hatches."""
    table = np.full(N_LOOKS, theme.base.rgba(), np.uint32)
    bits = np.arange(N_LOOKS)
    for state in BlockState:
        shown = BlockState.DONE if state is BlockState.PATH and has_line else state
        table[bits & STATE == state] = theme.state_color(shown).rgba()
        if state in STATE_SKIPS:
            stripe = THROUGH_STRIPE if STATE_SKIPS[state] in KNOWN_BORDERS else STRIPE
            table[(bits & STATE == state) & (bits & stripe != 0)] = theme.hatch.rgba()
    table[bits & BORDER != 0] = theme.base.rgba()
    table[bits & EDGE_BIT != 0] = theme.accent.rgba()
    return table


def _plain_looks(has_line: bool) -> npt.NDArray[np.bool_]:
    """Return for each state and bits beside it whether it is a computed block's own ground."""
    states = {BlockState.DONE, BlockState.PATH} if has_line else {BlockState.DONE}
    bits = np.arange(N_LOOKS)
    plain: npt.NDArray[np.bool_] = np.isin(bits & STATE, list(states)) & (bits & (BORDER | EDGE_BIT) == 0)
    return plain


def _blocks(letters: float, size: int, limit: int) -> int:
    return min(limit, int(letters // size) + 2)
