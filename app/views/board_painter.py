"""The blocks of a board, painted in pixels: all that a frame shows, or the part of it that changed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen

from app.models.board_picture import (
    FRONT,
    HATCHED,
    RANKS,
    Mask,
    Picture,
    blocks_a_cell,
    front,
    hatch,
    mark_front,
    reduced,
    runs,
)
from app.models.board_watch import Box
from app.models.wavefront import Phase, WavefrontModel
from app.theme import Theme
from app.views.band_hatch import HATCHES, STATE_SKIPS
from app.views.block_marks import paint_marks
from app.views.board_frame import Frame
from core.grid import BlockGrid

BORDERS_FROM = 6.0  # pixels a block is wide before its border is drawn
MARKS_FROM = 13.0
HATCH_MOST = 40_000  # cells of a picture; in one of more, hatches are single cells of it
HATCH_PIXELS = 7
MOVING = {Phase.RUNNING, Phase.STOPPED, Phase.FAILED}


class BoardPainter:
    """Paints the board of ``model`` as ``frame`` shows it; make another one when either changes.

    How many blocks share a cell of the picture depends on the whole frame, so a part that is painted alone
    fits to what is there already.
    """

    def __init__(self, model: WavefrontModel, grid: BlockGrid, theme: Theme, frame: Frame) -> None:
        self._model, self._grid, self._theme, self._frame = model, grid, theme, frame
        self._colours = _colour_table(theme)
        self._inner = QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows)
        self._inner_pixels = frame.box(self._inner)
        self._height, self._width = model.block_size
        self._by_rows = self._by_cols = 1  # blocks of the board in a cell of the picture
        rows, cols = self._blocks(frame.whole)
        seen = frame.box(frame.letters(frame.whole).intersected(self._inner))
        self._by_rows = blocks_a_cell(rows[1] - rows[0], int(seen.height() * frame.ratio) + 1)
        self._by_cols = blocks_a_cell(cols[1] - cols[0], int(seen.width() * frame.ratio) + 1)
        self._step_x = self._width * self._by_cols * frame.per_x  # pixels of a cell
        self._step_y = self._height * self._by_rows * frame.per_y
        self._size = min(self._step_x, self._step_y)
        n_cells = (rows[1] - rows[0]) // self._by_rows * ((cols[1] - cols[0]) // self._by_cols)
        self._has_boxes = n_cells <= HATCH_MOST

    def pixels_of(self, box: Box) -> QRectF:
        """Return where the blocks of ``box`` are seen, and a cell more on each side: the front is drawn there too."""
        first, last = box[0] // self._by_rows - 1, -(-box[1] // self._by_rows) + 1
        left, right = box[2] // self._by_cols - 1, -(-box[3] // self._by_cols) + 1
        at = self._frame.point(self._grid.col0, self._grid.row0)
        x, y = at.x() + left * self._step_x, at.y() + first * self._step_y
        return QRectF(x, y, (right - left) * self._step_x, (last - first) * self._step_y)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint what of the board lies in ``area`` (pixels), to which the painter is clipped."""
        if not area.intersects(self._inner_pixels):
            return
        shown = reduced(self._model.board, *self._blocks(area), self._by_rows, self._by_cols)
        column, row = self._grid.col0 + shown.col * self._width, self._grid.row0 + shown.row * self._height
        at = self._frame.point(column, row)
        edges = front(shown) if self._size >= BORDERS_FROM else None
        moving = self._model.phase in MOVING
        if not self._has_boxes:
            hatch(shown, max(2, round(HATCH_PIXELS / max(1.0, self._size))))
        if moving and edges is None:
            mark_front(shown)
        painter.save()
        painter.setClipRect(self._inner_pixels, Qt.ClipOperation.IntersectClip)
        self._paint_cells(painter, at, shown, area.intersected(self._inner_pixels))
        if self._has_boxes:
            self._paint_hatches(painter, at, shown)
        if self._size >= BORDERS_FROM:
            self._paint_borders(painter, at, shown)
        if moving and edges is not None:
            self._paint_front(painter, at, edges)
        if self._size >= MARKS_FROM:
            self._paint_marks(painter, at, shown)
        painter.restore()

    def _blocks(self, area: QRectF) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return rows and columns of the board (half-open) in ``area``, whole cells and one more on each side."""
        letters, shape = self._frame.letters(area), self._model.board.shape
        y0, y1 = letters.top() - self._grid.row0, letters.bottom() - self._grid.row0
        x0, x1 = letters.left() - self._grid.col0, letters.right() - self._grid.col0
        rows = _range(y0, y1, self._height, self._by_rows, shape[0])
        return rows, _range(x0, x1, self._width, self._by_cols, shape[1])

    def _paint_cells(self, painter: QPainter, at: QPointF, shown: Picture, area: QRectF) -> None:
        """One colour a pixel of the screen, found by its middle: Qt's scaling of a part rounds unlike that of all."""
        ratio = self._frame.ratio
        y0, rows = _cells(area.top() * ratio, area.bottom() * ratio, at.y() * ratio, self._step_y * ratio)
        x0, cols = _cells(area.left() * ratio, area.right() * ratio, at.x() * ratio, self._step_x * ratio)
        pixels = self._colours[shown.ranks].take(rows, 0, mode="clip").take(cols, 1, mode="clip")
        image = QImage(pixels.data, cols.size, rows.size, 4 * cols.size, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(x0 / ratio, y0 / ratio), image)

    def _boxes(self, at: QPointF, cells: list[tuple[int, int, int]]) -> list[QRectF]:
        """Return the pixels of runs of cells: (row, first column, column after the last) each."""
        x, y, step_x, step_y = at.x(), at.y(), self._step_x, self._step_y
        return [QRectF(x + step_x * a, y + step_y * row, step_x * (b - a), step_y) for row, a, b in cells]

    def _paint_hatches(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        """Over what was not computed, in pixels, a row of such blocks at a time."""
        painter.setPen(Qt.PenStyle.NoPen)
        for state, reason in STATE_SKIPS.items():
            if self._model.has(state):
                painter.setBrush(QBrush(self._theme.hatch, HATCHES[reason]))
                painter.drawRects(self._boxes(at, runs(shown.ranks == RANKS[state])))

    def _paint_borders(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        n_rows, n_cols = shown.ranks.shape
        left, top = at.x(), at.y()
        right, bottom = left + self._step_x * n_cols, top + self._step_y * n_rows
        across = [QLineF(left, y, right, y) for y in (top + self._step_y * np.arange(n_rows + 1)).tolist()]
        down = [QLineF(x, top, x, bottom) for x in (left + self._step_x * np.arange(n_cols + 1)).tolist()]
        painter.setPen(QPen(self._theme.base, 1.0))
        painter.drawLines(across + down)

    def _paint_front(self, painter: QPainter, at: QPointF, edges: tuple[Mask, Mask]) -> None:
        lines = []
        for row, col in np.argwhere(edges[0]).tolist():
            x, y = at.x() + self._step_x * (col + 1), at.y() + self._step_y * row
            lines.append(QLineF(x, y, x, y + self._step_y))
        for row, col in np.argwhere(edges[1]).tolist():
            x, y = at.x() + self._step_x * col, at.y() + self._step_y * (row + 1)
            lines.append(QLineF(x, y, x + self._step_x, y))
        painter.setPen(QPen(self._theme.accent, 2.5))
        painter.drawLines(lines)

    def _paint_marks(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for state, rank in RANKS.items():
            cells = [(row, col, col + 1) for row, col in np.argwhere(shown.ranks == rank).tolist()]
            paint_marks(painter, state, self._boxes(at, cells), self._theme)


def _colour_table(theme: Theme) -> npt.NDArray[np.uint32]:
    table = np.full(256, theme.base.rgba(), np.uint32)
    for state, at in RANKS.items():
        table[at] = theme.state_color(state).rgba()
    table[HATCHED] = theme.hatch.rgba()
    table[FRONT] = theme.accent.rgba()
    return table


def _cells(first: float, last: float, start: float, step: float) -> tuple[int, npt.NDArray[np.intp]]:
    """Return the first pixel of ``first`` to ``last``, and the cell of each; cell 0 begins at ``start``."""
    pixels = np.arange(int(first // 1), max(int(-(-last // 1)), int(first // 1) + 1))
    return int(pixels[0]), np.floor((pixels + (0.5 - start)) / step).astype(np.intp)


def _range(low: float, high: float, letters: int, blocks: int, limit: int) -> tuple[int, int]:
    """Return the blocks from ``low`` to ``high``: whole cells of ``blocks`` blocks of ``letters``, and one more."""
    first = blocks * (int(low // (letters * blocks)) - 1)
    last = blocks * (int(-(-high // (letters * blocks))) + 1)
    first = max(0, min(first, (limit - 1) // blocks * blocks))
    return first, max(first + 1, min(limit, last))
