"""Block map as an image with one pixel per entry, scaled by the painter; wavefront and hatches on top."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QRect, QRectF
from PySide6.QtGui import QBitmap, QImage, QPainter, QPainterPath, QPen, QRegion, QTransform

from wavediff.app.ui.block_map.block_colours import STATE_SKIPS, level_colours, paint_skip, skip_brush
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.block_map.block_map_reduce import EDGE_BIT, blocks_a_cell, computed_edge, downsample
from wavediff.app.ui.block_map.block_map_watch import Box
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.grid import BlockGrid, BlockState

MIN_BORDER_BLOCK_PX = 6.0  # pixels a block is wide before its border is drawn
BOX_PX = 32.0  # pixels a cell is wide before it is a rectangle: of an image so much larger, edges would be inexact
MARKED_PX = 1.5  # pixels; the front through smaller cells is the colour of the cells next to it
FRONT_PX = 2.0
FEW_BLOCKS = 4  # rows or columns


class BlockMapDrawing:
    """Draws the block map of ``model`` in ``frame``; create a new one when either changes.

    The number of blocks per cell of the picture depends on the whole frame, so that parts drawn later fit.

    Args:
        has_line: whether the path is drawn as a line, so that its blocks are not highlighted. They never are in maps
            with few rows or columns.
    """

    def __init__(
        self, model: BlockMapModel, grid: BlockGrid, theme: Theme, frame: BlockMapFrame, *, has_line: bool
    ) -> None:
        self._model, self._grid, self._theme, self._frame = model, grid, theme, frame
        self._has_line = has_line or min(model.block_map.shape) <= FEW_BLOCKS
        height, width = model.block_size
        inner = QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows)
        self._seen = frame.seen.intersected(inner)  # letters
        pixels = frame.box(self._seen)
        rows, cols = model.block_map.shape
        by_rows = blocks_a_cell(min(rows, int(self._seen.height() // height) + 2), int(pixels.height() * frame.ratio))
        by_cols = blocks_a_cell(min(cols, int(self._seen.width() // width) + 2), int(pixels.width() * frame.ratio))
        self._by = by_rows, by_cols
        self._size = height * by_rows, width * by_cols  # letters of a cell
        self._first = (
            max(0, floor((self._seen.top() - grid.row0) / self._size[0])),
            max(0, floor((self._seen.left() - grid.col0) / self._size[1])),
        )
        last_row = min(-(-rows // by_rows), ceil((self._seen.bottom() - grid.row0) / self._size[0]))
        last_col = min(-(-cols // by_cols), ceil((self._seen.right() - grid.col0) / self._size[1]))
        shape = max(0, last_row - self._first[0]), max(0, last_col - self._first[1])
        self._step = self._size[0] * frame.scale, self._size[1] * frame.scale  # pixels of a cell: high, wide
        self._reach = max(1, round(frame.ratio))  # cells on each side of the front that have its colour
        self._cells = np.zeros(shape, np.uint8)
        self._colours = np.zeros(shape, np.uint32)
        self._table = self._state_colours()
        self._update(0, shape[0])

    def _state_colours(self) -> npt.NDArray[np.uint32]:
        table = np.full(2 * EDGE_BIT, self._theme.accent.rgba(), np.uint32)
        for state in BlockState:
            drawn_as = BlockState.DONE if state is BlockState.PATH and self._has_line else state
            table[state] = self._theme.state_color(drawn_as).rgba()
        return table

    @property
    def _is_marked(self) -> bool:
        return max(self._step) < MARKED_PX

    def update(self, box: Box) -> QRect:
        """Update the blocks of ``box``; return the changed pixels of the widget."""
        by_rows, by_cols = self._by
        first, last = box[0] // by_rows - self._first[0], -(-box[1] // by_rows) - self._first[0]
        self._update(max(0, first), min(last, self._cells.shape[0]))
        rows, cols = (box[0] // by_rows, -(-box[1] // by_rows)), (box[2] // by_cols, -(-box[3] // by_cols))
        grid, (high, wide) = self._grid, self._size
        letters = QRectF(
            grid.col0 + cols[0] * wide, grid.row0 + rows[0] * high, (cols[1] - cols[0]) * wide,
            (rows[1] - rows[0]) * high,
        )  # fmt: skip
        near = self._reach * max(self._step) if self._is_marked else FRONT_PX
        pixels = self._frame.box(letters.intersected(self._seen)).adjusted(-near, -near, near, near)
        return pixels.toAlignedRect().intersected(self._frame.box(self._seen).toAlignedRect())

    def _update(self, first: int, last: int) -> None:
        """Update rows of cells ``[first, last)``."""
        if first >= last:
            return
        (by_rows, by_cols), (top, left), model = self._by, self._first, self._model
        rows = slice((top + first) * by_rows, (top + last) * by_rows)
        cols = slice(left * by_cols, (left + self._cells.shape[1]) * by_cols)
        self._cells[first:last] = downsample(model.block_map[rows, cols], by_rows, by_cols)
        beyond = max(0, first - 2 * self._reach)  # whose front reaches into the rows in addition to those
        cells = self._cells[beyond : last + 2 * self._reach]
        if model.is_moving and self._is_marked:
            cells = _marked(cells, self._reach)
        first = max(0, first - self._reach)
        last = min(last + self._reach, self._cells.shape[0])
        cells = cells[first - beyond : last - beyond]
        colours = self._table.take(cells)
        if model.colours is not None:
            is_done = cells == BlockState.DONE
            if self._has_line:
                is_done |= cells == BlockState.PATH
            rows = slice((top + first) * by_rows, (top + last) * by_rows)
            levels = downsample(model.colours.levels[rows, cols], by_rows, by_cols)
            every = level_colours(model.colours.by, dark=self._theme.dark)
            np.copyto(colours, every.take(levels), where=is_done & (levels > 0))
        self._colours[first:last] = colours

    def paint(self, painter: QPainter) -> None:
        if not self._cells.size:
            return
        x, y = self._edges(1), self._edges(0)
        if min(self._step) < BOX_PX:
            self._paint_image(painter)
        else:
            self._paint_boxes(painter, x, y)
        if min(self._step) >= MIN_BORDER_BLOCK_PX:
            painter.setPen(QPen(self._theme.base, 1))
            painter.drawLines([QLineF(at + 0.5, y[0], at + 0.5, y[-1]) for at in x[:-1]])
            painter.drawLines([QLineF(x[0], at + 0.5, x[-1], at + 0.5) for at in y[:-1]])
        if self._model.is_moving and not self._is_marked:
            self._paint_front(painter, x, y)

    def _edges(self, axis: int) -> list[float]:
        frame, seen = self._frame, self._frame.box(self._seen)
        start = frame.point(self._grid.col0, self._grid.row0).toTuple()[1 - axis]
        low, high = (seen.top(), seen.bottom()) if axis == 0 else (seen.left(), seen.right())
        cells = self._first[axis] + np.arange(self._cells.shape[axis] + 1)
        edges = start + cells * self._step[axis]
        return list(map(float, np.clip(edges, low, high)))

    def _paint_image(self, painter: QPainter) -> None:
        rows, cols = self._cells.shape
        image = QImage(self._colours.data, cols, rows, 4 * cols, QImage.Format.Format_RGB32)
        grid, seen, (high, wide), (top, left) = self._grid, self._seen, self._size, self._first
        source = QRectF(
            (seen.left() - grid.col0) / wide - left, (seen.top() - grid.row0) / high - top,
            seen.width() / wide, seen.height() / high,
        )  # fmt: skip
        target = self._frame.box(seen)
        painter.drawImage(target, image, source)
        for state, reason in STATE_SKIPS.items():
            mask = self._cells == state
            if mask.any():
                packed = np.packbits(np.pad(mask, ((0, 0), (0, -cols % 32))), axis=1)  # lines of whole words
                bits = QImage(packed.data, cols, rows, packed.shape[1], QImage.Format.Format_Mono)
                bits.setColorTable([0xFFFFFFFF, 0xFF000000])
                placed = QTransform.fromTranslate(
                    *self._frame.point(grid.col0 + left * wide, grid.row0 + top * high).toTuple()
                )
                placed.scale(self._step[1], self._step[0])
                path = QPainterPath()
                path.addRegion(placed.map(QRegion(QBitmap.fromImage(bits))).intersected(target.toAlignedRect()))
                painter.setRenderHint(QPainter.RenderHint.NonCosmeticBrushPatterns)
                painter.fillPath(path, skip_brush(self._theme, reason))

    def _paint_boxes(self, painter: QPainter, x: list[float], y: list[float]) -> None:
        for row, (top, bottom) in enumerate(pairwise(y)):
            for col, (left, right) in enumerate(pairwise(x)):
                state, box = BlockState(int(self._cells[row, col])), QRectF(left, top, right - left, bottom - top)
                if state in STATE_SKIPS:
                    paint_skip(painter, box, self._theme, STATE_SKIPS[state])
                else:
                    painter.fillRect(box, int(self._colours[row, col]))

    def _paint_front(self, painter: QPainter, x: list[float], y: list[float]) -> None:
        right, below = computed_edge(self._cells)
        rows, cols = (right > 0).nonzero()
        lines = [
            QLineF(x[col + 1], y[row], x[col + 1], y[row + 1])
            for row, col in zip(rows.tolist(), cols.tolist(), strict=True)
        ]
        rows, cols = (below > 0).nonzero()
        lines += [
            QLineF(x[col], y[row + 1], x[col + 1], y[row + 1])
            for row, col in zip(rows.tolist(), cols.tolist(), strict=True)
        ]
        painter.setPen(QPen(self._theme.accent, FRONT_PX))
        painter.drawLines(lines)


def _marked(cells: npt.NDArray[np.uint8], reach: int) -> npt.NDArray[np.uint8]:
    """Mark ``reach`` cells on each side of the wavefront with ``EDGE_BIT``."""
    (right, below), marked = computed_edge(cells), cells.copy()
    for part, edge in ((marked.T, right.T), (marked, below)):
        for k in range(reach):
            before, behind = part[: max(0, len(edge) - k)], part[1 + k :]
            before |= edge[k:]
            behind |= edge[: max(0, len(edge) - k)]
    return marked
