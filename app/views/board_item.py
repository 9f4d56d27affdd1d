"""The board as one item of a pyqtgraph plot: only what is seen is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from app.models.board_picture import FRONT, HATCHED, RANKS, Mask, Picture, front, hatch, mark_front, picture, runs
from app.models.wavefront import Phase, WavefrontModel
from app.theme import Theme
from app.views.band_hatch import HATCHES, STATE_SKIPS, paint_skip
from app.views.block_marks import paint_marks
from core.grid import BlockState
from core.results.edit import SkipReason

BORDERS_FROM = 6.0  # pixels a block is wide before its border is drawn
MARKS_FROM = 13.0
HATCH_MOST = 40_000  # cells of a picture; in one of more, hatches are single cells of it
HATCH_PIXELS = 7


class BoardItem(pg.GraphicsObject):
    """Blocks in the coordinates of the matrix: x = letters of B, y = letters of A."""

    def __init__(self, model: WavefrontModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._box = QRectF()
        self._path: QPolygonF | None = None
        self.blocks_shown = self.path_shown = True
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)  # or nobody tells which part is to be drawn

    def reset(self) -> None:
        """The grid is another one."""
        self.prepareGeometryChange()
        self._box = QRectF(0, 0, max(1, self._model.m), max(1, self._model.n))
        self._path = None
        self.update()

    def update_rows(self, rows: tuple[int, int] | None) -> None:
        """Draw again: these rows of blocks, or everything. While a job runs only the front moves."""
        model = self._model
        _, letters = self.pixelVectors() or (None, None)
        height = model.block_size[0]
        if rows is None or model.grid is None or letters is None or height < abs(letters.y()):
            self.update()  # several rows share a line of pixels: how they are put together must stay the same
            return
        top, bottom = model.grid.row0 + (rows[0] - 1) * height, model.grid.row0 + (rows[1] + 1) * height
        self.update(QRectF(0, top, self._box.width(), bottom - top))

    def set_path(self, path: QPolygonF | None) -> None:
        """Show the path of the result, in the coordinates of the matrix."""
        self._path = path
        self.update()

    def boundingRect(self) -> QRectF:
        return self._box

    def paint(self, painter: QPainter, option: Any, *_args: Any) -> None:
        model, theme = self._model, self._theme
        seen = self.viewRect().intersected(self._box).intersected(option.exposedRect)
        if seen.isEmpty():
            return
        # From the painter: pyqtgraph's own deviceTransform() crashes inside paint (PySide6 6.11).
        on_screen = painter.worldTransform().mapRect(seen)
        per_x = on_screen.width() / seen.width()
        per_y = on_screen.height() / seen.height()
        if model.grid is None or not self.blocks_shown:
            painter.fillRect(seen, theme.state_color(BlockState.WAITING) if self.blocks_shown else theme.base)
        else:
            self._paint_skips(painter, seen)
            if model.board.size and model.inner_skip is None:
                self._paint_board(painter, seen, per_x, per_y)
        if self.path_shown:
            self._paint_ends(painter)
        if self._path is not None and self.path_shown:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(_thin(theme.base, 4.0))
            painter.drawPolyline(self._path)
            painter.setPen(_thin(theme.state_color(BlockState.PATH), 1.8))
            painter.drawPolyline(self._path)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(_thin(theme.dim, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._box)

    def _paint_skips(self, painter: QPainter, seen: QRectF) -> None:
        """What lies outside the grid, and a grid of which nothing was computed; in pixels, see ``paint_skip``."""
        grid, inner_skip = self._model.grid, self._model.inner_skip
        if grid is None:
            return
        transform = painter.worldTransform()
        inner = QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows)
        painter.save()
        painter.resetTransform()
        if inner != self._box:
            paint_skip(painter, transform.mapRect(seen), SkipReason.ENDS, self._theme)
        if inner_skip is not None and inner.intersects(seen):
            paint_skip(painter, transform.mapRect(seen.intersected(inner)), inner_skip, self._theme)
            painter.setPen(QPen(self._theme.dim, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(transform.mapRect(inner))
        painter.restore()

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
        size = min(cell_x, cell_y)
        top, left = grid.row0 + shown.row * height, grid.col0 + shown.col * width
        step_y, step_x = height * shown.by_rows, width * shown.by_cols
        edges = front(shown) if size >= BORDERS_FROM else None
        moving = model.phase in {Phase.RUNNING, Phase.STOPPED, Phase.FAILED}
        hatched = shown.ranks.size <= HATCH_MOST
        if not hatched:
            hatch(shown, max(2, round(HATCH_PIXELS / max(1.0, size))))
        if moving and edges is None:
            mark_front(shown)
        rows_shown, cols_shown = shown.ranks.shape
        painter.save()
        painter.setClipRect(inner, Qt.ClipOperation.IntersectClip)
        # 32 bits a pixel: the raster engine scales a palette image four times slower.
        pixels = self._colour_table()[shown.ranks]
        image = QImage(pixels.data, cols_shown, rows_shown, 4 * cols_shown, QImage.Format.Format_RGB32)
        painter.drawImage(QRectF(left, top, step_x * cols_shown, step_y * rows_shown), image)
        if hatched:
            self._paint_hatches(painter, left, top, step_x, step_y, shown)
        if size >= BORDERS_FROM:
            self._paint_borders(painter, left, top, step_x, step_y, shown)
        if moving and edges is not None:
            self._paint_front(painter, left, top, step_x, step_y, edges)
        painter.restore()
        if size >= MARKS_FROM:
            self._paint_marks(painter, left, top, step_x, step_y, shown)
        painter.setPen(_thin(self._theme.dim, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(inner)

    def _paint_hatches(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, shown: Picture
    ) -> None:
        """Over what was not computed, in pixels, a row of such blocks at a time."""
        transform = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setPen(Qt.PenStyle.NoPen)
        for state, reason in STATE_SKIPS.items():
            boxes = []
            for row, first, last in runs(shown.ranks == RANKS[state]):
                box = QRectF(left + step_x * first, top + step_y * row, step_x * (last - first), step_y)
                boxes.append(transform.mapRect(box))
            painter.setBrush(QBrush(self._theme.hatch, HATCHES[reason]))
            painter.drawRects(boxes)
        painter.restore()

    def _colour_table(self) -> npt.NDArray[np.uint32]:
        table = np.full(256, self._theme.base.rgba(), np.uint32)
        for state, at in RANKS.items():
            table[at] = self._theme.state_color(state).rgba()
        table[HATCHED] = self._theme.hatch.rgba()
        table[FRONT] = self._theme.accent.rgba()
        return table

    def _paint_borders(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, shown: Picture
    ) -> None:
        right, bottom = left + step_x * shown.ranks.shape[1], top + step_y * shown.ranks.shape[0]
        across = [QLineF(left, y, right, y) for y in top + step_y * np.arange(shown.ranks.shape[0] + 1)]
        down = [QLineF(x, top, x, bottom) for x in left + step_x * np.arange(shown.ranks.shape[1] + 1)]
        painter.setPen(_thin(self._theme.base, 1.0))
        painter.drawLines(across + down)

    def _paint_front(
        self, painter: QPainter, left: float, top: float, step_x: float, step_y: float, edges: tuple[Mask, Mask]
    ) -> None:
        right, below = (np.argwhere(mask).tolist() for mask in edges)
        lines = []
        for row, col in right:
            x, y = left + step_x * (col + 1), top + step_y * row
            lines.append(QLineF(x, y, x, y + step_y))
        for row, col in below:
            x, y = left + step_x * col, top + step_y * (row + 1)
            lines.append(QLineF(x, y, x + step_x, y))
        painter.setPen(_thin(self._theme.accent, 2.5))
        painter.drawLines(lines)

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
            for row, col in zip(*np.nonzero(shown.ranks == at), strict=True):
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
