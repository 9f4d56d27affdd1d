"""Interactive map of the matrix: blocks, path, pointer, zoom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from wavediff.app.draw.recording import LINES_RATIO, pixel_ratio
from wavediff.app.ui.block_map.band_attempts import Band
from wavediff.app.ui.block_map.block_colours import paint_skip
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_drawing import BlockMapDrawing
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame, Letters, MatrixPath
from wavediff.app.ui.block_map.matrix_canvas import MatrixCanvas
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment import SWAP
from wavediff.core.jobs.edit_result import SkipReason

MIN_CORNER_PX = 2  # pixels from one corner of the path to the next that is drawn
MIN_GRID_CELL_PX = 5.0  # pixels of a cell from which on its borders are drawn
NARROW_BAND_PX = 5.0  # pixels; in a narrower band only the path is visible
PATH_PX, MOVED_PX, HALO_PX = 2.0, 4.0, 5.0
MAX_MOVED = 10_000  # blocks that are drawn
ON_PATH_PX = 8.0  # pixels: a click so near to the path means it
KEEP_TO_PATH_PX = 24.0  # pixels from the pointer to the path that it then zooms at
PREVIEW_BLOCKS, PREVIEW_FRONT = 8, 5  # a side of the picture that stands for a run that is to come
VEIL_ALPHA = 170  # of 255
MAX_STAIRS = 500  # rows of cells that are paled one by one


class BlockMapCanvas(MatrixCanvas):
    """Shows the map of ``model``; clicks near the path select its letters.

    Args:
        letters: see ``MatrixCanvas``.
        is_veiled: draw cells outside the band paler, although those in blocks at its edges were computed too.
    """

    def __init__(
        self,
        model: BlockMapModel,
        theme: Theme,
        parent: QWidget | None = None,
        letters: Callable[[], Letters] | None = None,
        *,
        is_veiled: bool = False,
    ) -> None:
        super().__init__(theme, parent, letters)
        self._model, self._is_veiled = model, is_veiled
        self._zoomed: BlockMapFrame | None = None  # to which it goes back from the whole matrix
        self.path: MatrixPath | None = None
        self._drawn: tuple[float, BlockMapDrawing | None] | None = None  # pixel ratio, and the blocks if there are any
        self._listen(model)
        self._planned()

    def show_model(self, model: BlockMapModel) -> None:
        self._model.planned.disconnect(self._planned)
        self._model.changed.disconnect(self.update_blocks)
        self._model = model
        self._listen(model)
        self._planned()

    def _listen(self, model: BlockMapModel) -> None:
        model.planned.connect(self._planned)
        model.changed.connect(self.update_blocks)

    def show_whole(self, on: bool) -> None:
        """Show the full matrix temporarily, then the previous part unless changed."""
        part, self._zoomed = self._zoomed, None
        if on and not self.frame.fits:
            self._zoomed = self.frame
            self.fit()
        elif part is not None and not on and self.frame.fits and (part.n, part.m) == (self.frame.n, self.frame.m):
            self._show(part.scale, QPointF(part.left, part.top), part.seen)

    def show_path(self, path: MatrixPath | None) -> None:
        self.path = path
        self.refresh()

    @Slot()
    def _planned(self) -> None:
        self.path = None
        self.show_matrix(self._model.n, self._model.m, self._model.axes)

    @Slot()
    def update_blocks(self) -> None:
        """Repaint the changed blocks, or everything."""
        box, drawn = self._model.changed_box, None if self._drawn is None else self._drawn[1]
        if box is None or drawn is None or not self.isVisible():
            self.refresh()
        elif self._plot is not None:  # now: an event for later is a turn of the loop more, for every frame
            self._plot.viewport().repaint(drawn.update(box))

    # User input

    def zoomed_at(self, place: QPointF, at: QPointF) -> QPointF:
        """Return the position ``place``, or the nearest one on a path next to it."""
        if self.path is not None:
            a, b = self.path.nearest(place.y(), place.x())
            if QLineF(self.frame.point(b, a), at).length() <= KEEP_TO_PATH_PX:
                return QPointF(b, a)
        return place

    def click_cell(self, row: int, col: int, at: QPointF) -> None:
        near = self.on_path(row, col)
        off = QLineF(self.frame.point(near[1] + 0.5, near[0] + 0.5), at).length()
        self.clicked.emit(*(near if off < ON_PATH_PX else (row, col)))

    def on_path(self, a0: int, b0: int) -> tuple[int, int]:
        """Return the letters of the path point nearest to a cell, or the first letters of its moved block; without a
        path the letters of the cell."""
        if self.path is None:
            return a0, b0
        if (block := self.moved_at(a0, b0)) is not None:
            return int(self.path.moved[block, 0]), int(self.path.moved[block, 1])
        a, b = self.path.nearest(a0 + 0.5, b0 + 0.5)
        return min(int(a), self.frame.n - 1), min(int(b), self.frame.m - 1)

    def moved_at(self, a0: int, b0: int) -> int | None:
        """Return the moved block at a cell, see ``MatrixPath.moved``."""
        path, near = self.path, max(1, ON_PATH_PX / self.frame.scale)
        return None if path is None else path.moved_near(a0 + 0.5, b0 + 0.5, near)

    # What is painted

    @Slot()
    def refresh(self) -> None:
        self._drawn = None
        super().refresh()

    def paint_matrix(self, painter: QPainter) -> None:
        ratio = min(pixel_ratio(self), LINES_RATIO)
        if self._drawn is None or self._drawn[0] != ratio:
            self._drawn = ratio, self._blocks(ratio)
        self._paint_ground(painter)
        if (blocks := self._drawn[1]) is not None:
            blocks.paint(painter)
        self._paint_above(painter)
        if self._is_veiled and self._model.band is not None:
            self._paint_veil(painter, self._model.band)

    def _blocks(self, ratio: float) -> BlockMapDrawing | None:
        model, frame = self._model, replace(self.frame, ratio=ratio)
        if model.grid is None or not model.block_map.size or model.inner_skip is not None:
            return None
        return BlockMapDrawing(model, model.grid, self._theme, frame, has_line=self.path is not None)

    def _paint_ground(self, painter: QPainter) -> None:
        """Paint the area outside the grid, and a grid without computed cells."""
        model, frame = self._model, self.frame
        if not model.n_cells:
            if model.phase is Phase.IDLE:
                self._paint_preview(painter)
            return
        seen = frame.box(frame.seen.intersected(frame.matrix))
        if model.grid is None:
            painter.fillRect(seen, self._theme.waiting)
        elif model.inner_skip is not None or (model.grid.n_rows, model.grid.n_cols) != (model.n, model.m):
            paint_skip(painter, seen, self._theme, model.inner_skip or SkipReason.ENDS)

    def _paint_preview(self, painter: QPainter) -> None:
        """Paint an example wavefront before the first comparison."""
        room = self.frame.room
        cell = int(min(room.width(), room.height())) // PREVIEW_BLOCKS
        painter.translate(room.topLeft())
        front = QPolygonF()
        for row in range(PREVIEW_BLOCKS):
            for col in range(PREVIEW_BLOCKS):
                done = row + col < PREVIEW_FRONT
                ground = self._theme.tint if done else self._theme.waiting
                painter.fillRect(col * cell, row * cell, cell - 1, cell - 1, ground)
            if row <= PREVIEW_FRONT:
                for corner in (row, row + 1)[: 2 if row < PREVIEW_FRONT else 1]:
                    front.append(QPointF((PREVIEW_FRONT - row) * cell, corner * cell))
        painter.setPen(QPen(self._theme.accent, 2))
        painter.drawPolyline(front)
        painter.translate(-room.topLeft())

    def _paint_above(self, painter: QPainter) -> None:
        """Paint cells (if large enough), band, path and frame."""
        model, frame = self._model, self.frame
        if not model.n_cells:
            return
        near = frame.room.adjusted(-9, -9, 9, 9)  # far corners are no place for a painter
        if frame.scale >= MIN_GRID_CELL_PX:
            self._paint_cells(painter, frame)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        band = model.band
        narrow = band is not None and band.n_diagonals * frame.scale < NARROW_BAND_PX
        if band is not None and not narrow:
            painter.setPen(QPen(self._theme.accent, 1))
            painter.drawLines([_clipped(edge, frame.letters(near), frame) for edge in band.edges()])
        if self.path is not None:
            # A line is drawn in a time that grows with its corners, most of which are in a pixel with others.
            part = self.path.part(frame.letters(near), int(frame.room.width() + frame.room.height()) // MIN_CORNER_PX)
            line = QPolygonF([frame.point(b, a) for a, b in part])
            halo = self._theme.done if narrow else self._theme.base
            for pen in (QPen(halo, HALO_PX), QPen(self._theme.text, PATH_PX)):
                pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
                painter.setPen(pen)
                painter.drawPolyline(line)
            painter.setPen(QPen(self._theme.kind(SWAP).strong, MOVED_PX, c=Qt.PenCapStyle.RoundCap))
            for a, b, n in self.path.moved[:MAX_MOVED].tolist():
                painter.drawLine(QLineF(frame.point(b, a), frame.point(b + n, a + n)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.paint_edge(painter)

    def _paint_cells(self, painter: QPainter, frame: BlockMapFrame) -> None:
        seen = frame.seen.intersected(frame.matrix)
        room = frame.box(seen)
        painter.setPen(QPen(self._theme.base, 1))
        for row in range(int(seen.top()) + 1, int(seen.bottom()) + 1):
            y = frame.point(0, row).y()
            painter.drawLine(QLineF(room.left(), y, room.right(), y))
        for col in range(int(seen.left()) + 1, int(seen.right()) + 1):
            x = frame.point(col, 0).x()
            painter.drawLine(QLineF(x, room.top(), x, room.bottom()))

    def _paint_veil(self, painter: QPainter, band: Band) -> None:
        grid, colour = band.grid, QColor(self._theme.base)
        colour.setAlpha(VEIL_ALPHA)
        step = max(1, grid.n_rows // MAX_STAIRS)
        for row in range(0, grid.n_rows, step):
            middle = row + (step - 1) // 2
            low, high = (min(max(0, middle + each), grid.n_cols) for each in (band.low, band.high + 1))
            for first, end in ((0, low), (high, grid.n_cols)):
                if first < end:
                    cells = QRectF(grid.col0 + first, grid.row0 + row, end - first, min(step, grid.n_rows - row))
                    painter.fillRect(self.frame.box(cells), colour)


def _clipped(edge: tuple[float, float, float, float], seen: QRectF, frame: BlockMapFrame) -> QLineF:
    row, col, last, _ = edge
    low = min(max(0.0, seen.top() - row, seen.left() - col), last - row)
    high = max(low, min(last - row, seen.bottom() - row, seen.right() - col))
    return QLineF(frame.point(col + low, row + low), frame.point(col + high, row + high))
