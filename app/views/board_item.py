"""The board as one item of a pyqtgraph plot: only what is seen is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from app.models.board_picture import HATCHED, RANKS, Picture, front, hatch, picture
from app.models.wavefront import Phase, WavefrontModel
from app.theme import Theme
from app.views.block_marks import paint_marks
from core.grid import BlockState

BORDERS_FROM = 6.0  # pixels a block is wide before its border is drawn
MARKS_FROM = 13.0
HATCH_PIXELS = 7


class BoardItem(pg.GraphicsObject):
    """Blocks in the coordinates of the matrix: x = letters of B, y = letters of A."""

    def __init__(self, model: WavefrontModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._box = QRectF()
        self._path: QPolygonF | None = None

    def reset(self) -> None:
        """The grid is another one."""
        self.prepareGeometryChange()
        self._box = QRectF(0, 0, max(1, self._model.m), max(1, self._model.n))
        self._path = None
        self.update()

    def set_path(self, path: QPolygonF | None) -> None:
        """Show the path of the result, in the coordinates of the matrix."""
        self._path = path
        self.update()

    def boundingRect(self) -> QRectF:
        return self._box

    def paint(self, painter: QPainter, *_args: Any) -> None:
        model, theme = self._model, self._theme
        seen = self.viewRect().intersected(self._box)
        if seen.isEmpty():
            return
        # From the painter: pyqtgraph's own deviceTransform() crashes inside paint (PySide6 6.11).
        on_screen = painter.worldTransform().mapRect(seen)
        per_x = on_screen.width() / seen.width()
        per_y = on_screen.height() / seen.height()
        painter.fillRect(seen, theme.state_color(BlockState.WAITING) if model.grid is None else theme.window)
        if model.grid is not None and model.board.size:
            self._paint_board(painter, seen, per_x, per_y)
        self._paint_ends(painter)
        if self._path is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(_thin(theme.base, 4.0))
            painter.drawPolyline(self._path)
            painter.setPen(_thin(theme.state_color(BlockState.PATH), 1.8))
            painter.drawPolyline(self._path)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(_thin(theme.dim, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._box)

    def _paint_board(self, painter: QPainter, seen: QRectF, per_x: float, per_y: float) -> None:
        model, grid = self._model, self._model.grid
        if grid is None:
            return
        height, width = model.block_size
        inner = QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows)
        seen = seen.intersected(inner)
        if seen.isEmpty():
            return
        rows = _range(seen.top() - grid.row0, seen.bottom() - grid.row0, height, model.board.shape[0])
        cols = _range(seen.left() - grid.col0, seen.right() - grid.col0, width, model.board.shape[1])
        ratio = painter.device().devicePixelRatioF()
        pixels_y, pixels_x = ratio * per_y * seen.height() + 1, ratio * per_x * seen.width() + 1
        shown = picture(model.board, rows, cols, max(1, int(pixels_y)), max(1, int(pixels_x)))
        cell_x, cell_y = width * shown.by_cols * per_x, height * shown.by_rows * per_y
        marked = min(cell_x, cell_y) >= MARKS_FROM
        if not marked:
            hatch(shown, max(2, round(HATCH_PIXELS / max(1.0, min(cell_x, cell_y)))))
        top, left = grid.row0 + shown.row * height, grid.col0 + shown.col * width
        step_y, step_x = height * shown.by_rows, width * shown.by_cols
        painter.save()
        painter.setClipRect(inner, Qt.ClipOperation.IntersectClip)
        count = shown.ranks.shape[0]
        image = QImage(shown.ranks.data, shown.width, count, shown.ranks.shape[1], QImage.Format.Format_Indexed8)
        image.setColorTable(self._colour_table())
        painter.drawImage(QRectF(left, top, step_x * shown.width, step_y * count), image)
        if min(cell_x, cell_y) >= BORDERS_FROM:
            self._paint_borders(painter, left, top, step_x, step_y, shown)
        if model.phase in {Phase.RUNNING, Phase.STOPPED, Phase.FAILED}:
            self._paint_front(painter, left, top, step_x, step_y, shown)
        painter.restore()
        if marked:
            self._paint_marks(painter, left, top, step_x, step_y, shown)
        painter.setPen(_thin(self._theme.dim, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(inner)

    def _colour_table(self) -> list[int]:
        table = [self._theme.base.rgba()] * 256
        for state, at in RANKS.items():
            table[at] = self._theme.state_color(state).rgba()
        table[HATCHED] = self._theme.grid.rgba()
        return table

    def _paint_borders(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, shown: Picture
    ) -> None:
        right, bottom = left + step_x * shown.width, top + step_y * shown.ranks.shape[0]
        across = [QLineF(left, y, right, y) for y in top + step_y * np.arange(shown.ranks.shape[0] + 1)]
        down = [QLineF(x, top, x, bottom) for x in left + step_x * np.arange(shown.width + 1)]
        painter.setPen(_thin(self._theme.base, 1.0))
        painter.drawLines(across + down)

    def _paint_front(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, shown: Picture
    ) -> None:
        firsts, ends = front(shown)
        line, low = QPolygonF(), 0.0
        for row, (first, end) in enumerate(zip(firsts.tolist(), ends.tolist(), strict=True)):
            if end:
                x, low = left + step_x * end, left + step_x * first
                line.append(QPointF(x, top + step_y * row))
                line.append(QPointF(x, top + step_y * (row + 1)))
            elif line.size():
                line.append(QPointF(low, top + step_y * row))
                break
        painter.setPen(_thin(self._theme.accent, 2.0))
        painter.drawPolyline(line)

    def _paint_marks(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, shown: Picture
    ) -> None:
        """In pixels, not in letters: a mark is as wide as it is high."""
        transform = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for state, at in RANKS.items():
            boxes = []
            for row, col in zip(*np.nonzero(shown.ranks[:, : shown.width] == at), strict=True):
                box = QRectF(left + step_x * float(col), top + step_y * float(row), step_x, step_y)
                boxes.append(transform.mapRect(box))
            paint_marks(painter, state, boxes, self._theme)
        painter.restore()

    def _paint_ends(self, painter: QPainter) -> None:
        """What was alike at both ends was stripped before: the path runs down the diagonal there."""
        grid, model = self._model.grid, self._model
        if grid is None:
            return
        pen = _thin(self._theme.state_color(BlockState.PATH), 2.0)
        painter.setPen(pen)
        if grid.row0 and grid.col0:
            painter.drawLine(QLineF(0, 0, grid.col0, grid.row0))
        end_x, end_y = grid.col0 + grid.n_cols, grid.row0 + grid.n_rows
        if end_x < model.m and end_y < model.n:
            painter.drawLine(QLineF(end_x, end_y, model.m, model.n))


def _range(low: float, high: float, step: int, limit: int) -> tuple[int, int]:
    first = max(0, min(limit - 1, int(low // step)))
    return first, max(first + 1, min(limit, int(-(-high // step))))


def _thin(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen
