"""The matrix as it is computed: blocks, path, and the place that is pointed at; closer and farther with the mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from wavediff.app.draw.picture_ratio import LINES_RATIO, pixel_ratio
from wavediff.app.ui.block_map.alignment_path import MatrixPath
from wavediff.app.ui.block_map.band_attempts import Band
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_drawing import BlockMapDrawing
from wavediff.app.ui.block_map.block_map_frame import MAX_CELL_PX, TOP_PX, BlockMapFrame, Letters, left_room
from wavediff.app.ui.block_map.skip_style import paint_skip
from wavediff.app.ui.shared_cursor import NOWHERE, MatrixPosition
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.swap_result import SWAP

if TYPE_CHECKING:
    from wavediff.app.draw.plot import Plot

MIN_CORNER_PX = 2  # pixels from one corner of the path to the next that is drawn
MIN_GRID_CELL_PX = 5.0  # pixels of a cell from which on its borders are drawn
NARROW_BAND_PX = 5.0  # pixels; of a band below this nothing could be seen beside the path
PATH_PX, MOVED_PX, HALO_PX, RING_PX = 2.0, 4.0, 5.0, 10.0
MAX_MOVED = 10_000  # blocks that are drawn
ON_PATH_PX = 8.0  # pixels: a click so near to the path means it
KEEP_TO_PATH_PX = 24.0  # pixels from the pointer to the path that it then zooms at
WHEEL_STEP = 120  # of an angle: a notch, which doubles
PREVIEW_BLOCKS, PREVIEW_FRONT = 8, 5  # a side of the picture that stands for a run that is to come
VEIL_ALPHA = 170  # of 255
MAX_STAIRS = 500  # rows of cells that are paled one by one


class BlockMapCanvas(QWidget):
    """Shows the map of ``model``: the whole matrix at the upper left, or a part of it, as a plot of pyqtgraph's.

    Args:
        letters: of A and B, as compared, which then stand beside the map; None: it has no axes.
        is_veiled: cells outside the band are paled: of the blocks at its edges they were computed too.

    Signals:
        clicked, hovered: letters of A and B (0-based) that were, clicked those of the path where it is near; None for
            hovered where there are none.
        frame_changed: another part is shown, or another matrix.
    """

    clicked = Signal(object, object)
    hovered = Signal(object, object)
    frame_changed = Signal()

    def __init__(
        self,
        model: BlockMapModel,
        theme: Theme,
        parent: QWidget | None = None,
        letters: Callable[[], Letters] | None = None,
        *,
        is_veiled: bool = False,
    ) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme
        self._letters, self._is_veiled = letters, is_veiled
        self._plot: Plot | None = None  # once there is a matrix: pyqtgraph takes a while to import
        self._frame = BlockMapFrame(0, 0, QRectF(0, 0, 1, 1))
        self._zoomed: BlockMapFrame | None = None  # to which it goes back from the whole matrix
        self._path: MatrixPath | None = None
        self._cross = self._ring = NOWHERE
        self._drawn: tuple[float, BlockMapDrawing | None] | None = None  # pixel ratio, and the blocks if there are any
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self._listen(model)
        theme.changed.connect(self.refresh)
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

    def _made_plot(self) -> Plot:
        if self._plot is None:
            from wavediff.app.draw.plot import Plot
            from wavediff.app.ui.block_map.map_axes import SequenceAxis

            letters, frame = self._letters, lambda: self._frame
            axes = [SequenceAxis(side, frame, letters, self._theme) for side in ("left", "top") if letters]
            self._plot = Plot(self, self._paint, axes)
        return self._plot

    @property
    def cross(self) -> MatrixPosition:
        """Row and column that are marked by lines; None for no line."""
        return self._cross

    @property
    def ring(self) -> MatrixPosition:
        return self._ring

    @property
    def frame(self) -> BlockMapFrame:
        return self._frame

    @property
    def path(self) -> MatrixPath | None:
        return self._path

    def fit(self) -> None:
        self._show(self._frame.fit_scale, QPointF())

    def show_whole(self, on: bool) -> None:
        """Show the whole matrix for a while, then the part of before unless another was chosen meanwhile."""
        part, self._zoomed = self._zoomed, None
        if on and not self._frame.fits:
            self._zoomed = self._frame
            self.fit()
        elif part is not None and not on and self._frame.fits and (part.n, part.m) == (self._frame.n, self._frame.m):
            self._show(part.scale, QPointF(part.left, part.top), part.seen)

    def show_path(self, path: MatrixPath | None) -> None:
        self._path = path
        self.refresh()

    def show_cross(self, at: MatrixPosition, ring: MatrixPosition | None = None) -> None:
        """Mark a row and a column of letters by lines, and a cell by a ring; None: where the lines cross."""
        marks = at, at if ring is None else ring
        if marks != (self._cross, self._ring):
            self._cross, self._ring = marks
            if self._plot is not None:
                self._plot.viewport().update()

    def keep_in_sight(self, row: int, col: int) -> None:
        """Move what is seen so that a cell is in its middle, where it is outside; no closer and no farther."""
        frame = self._frame
        if not frame.fits and not frame.seen.contains(col + 0.5, row + 0.5):
            seen = frame.room.size() / frame.scale
            self._show(frame.scale, QPointF(col + 0.5 - seen.width() / 2, row + 0.5 - seen.height() / 2))

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return the cell (0-based) under a pixel; None outside of the matrix."""
        place = self._frame.place(at)
        if not (self._frame.room.contains(at) and 0 <= place.y() < self._frame.n and 0 <= place.x() < self._frame.m):
            return None
        return int(place.y()), int(place.x())

    def zoom(self, factor: float, at: QPointF) -> None:
        """Go ``factor`` closer to the pixel ``at``, or to the path where that is near."""
        place = self._frame.place(at)
        if self._path is not None and factor > 1:
            a, b = self._path.nearest(place.y(), place.x())
            if QLineF(self._frame.point(b, a), at).length() <= KEEP_TO_PATH_PX:
                place = QPointF(b, a)
        frame = self._frame
        scale = min(max(frame.scale * factor, frame.fit_scale), MAX_CELL_PX)
        corner = place - (at - frame.room.topLeft()) / scale
        self._show(scale, corner, QRectF(corner, frame.room.size() / scale) if factor > 1 else QRectF())

    def _pan(self, by: QPointF) -> None:
        """Move what is seen by pixels, no farther beyond the matrix than it is."""
        frame = self._frame
        self._show(frame.scale, QPointF(frame.left, frame.top) - by / frame.scale, frame.seen)

    def _show(self, scale: float, corner: QPointF, beyond: QRectF | None = None) -> None:
        """Show letters from ``corner`` on, none but the matrix's and those ``beyond`` as far as these fill the room."""
        frame = self._frame
        if self._plot is not None:
            box, seen = self._plot.box, frame.room.size() / scale
            limits = frame.matrix.united(QRectF(QPointF(), seen)).united(beyond or QRectF())
            box.setLimits(xMin=limits.left(), xMax=limits.right(), yMin=limits.top(), yMax=limits.bottom())
            box.setRange(QRectF(corner, seen), padding=0)
            corner = box.viewRect().topLeft()
        frame = replace(frame, scale=scale, left=corner.x(), top=corner.y())
        if frame != self._frame:
            self._frame = frame
            self.refresh()
            self.frame_changed.emit()

    @Slot()
    def _planned(self) -> None:
        """Show the new matrix; one of the same size is left as a person has zoomed it."""
        self._path = None
        self._frame = replace(self._frame, axes=self._model.axes)
        if (self._frame.n, self._frame.m) != (self._model.n, self._model.m):
            self._frame = replace(self._frame, n=self._model.n, m=self._model.m, scale=0.0)
            self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        """Give the map the room beside the axes; all of it stays all of it, else the middle stays in the middle."""
        fits, middle = self._frame.fits, QPointF() if self._frame.fits else self._frame.seen.center()
        metrics = QFontMetricsF(self._theme.small_font)
        left, top = (0, 0) if self._letters is None else (left_room(self._model.n, metrics), TOP_PX)
        room = QRectF(left, top, max(1, self.width() - left), max(1, self.height() - top))
        frame = self._frame = replace(self._frame, room=room)
        if self._model.n_cells:
            self._made_plot().place(room)
        if self._plot is not None:
            self._plot.setVisible(bool(self._model.n_cells))
        if fits or frame.fits:
            self.fit()
        else:
            self._show(frame.scale, middle - (room.center() - room.topLeft()) / frame.scale)
        self.refresh()
        self.frame_changed.emit()

    @Slot()
    def update_blocks(self) -> None:
        """Paint the blocks again that the model says have changed, or everything."""
        box, drawn = self._model.changed_box, None if self._drawn is None else self._drawn[1]
        if box is None or drawn is None or not self.isVisible():
            self.refresh()
        elif self._plot is not None:  # now: an event for later is a turn of the loop more, for every frame
            self._plot.viewport().repaint(drawn.update(box))

    @Slot()
    def refresh(self) -> None:
        """Something else than blocks changed: paint all of it again."""
        self._drawn = None
        self.update()
        if self._plot is not None:
            self._plot.refresh(self._theme)

    # What a person does

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y()
        if delta:
            self.zoom(2 ** (delta / WHEEL_STEP), event.position())
            self._hover(event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            self._hover(event.position())
            return
        by = event.position() - self._pressed
        if self._dragged or by.manhattanLength() >= 4:
            self._dragged, self._pressed = True, event.position()
            self._pan(by)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            self._click(event.position())
        self._pressed = None

    def _click(self, at: QPointF) -> None:
        cell = self.cell_at(at)
        if cell is None:
            return
        near = self.on_path(*cell)
        off = QLineF(self._frame.point(near[1] + 0.5, near[0] + 0.5), at).length()
        self.clicked.emit(*(near if off < ON_PATH_PX else cell))

    def on_path(self, a0: int, b0: int) -> tuple[int, int]:
        """Return the letters of the alignment's column that is nearest to a cell, or the first of a block that moved
        there; those of the cell without a path."""
        if self._path is None:
            return a0, b0
        if (block := self.moved_at(a0, b0)) is not None:
            return int(self._path.moved[block, 0]), int(self._path.moved[block, 1])
        a, b = self._path.nearest(a0 + 0.5, b0 + 0.5)
        return min(int(a), self._frame.n - 1), min(int(b), self._frame.m - 1)

    def moved_at(self, a0: int, b0: int) -> int | None:
        """Return the block that moved that a cell is on, see ``MatrixPath.moved``."""
        path, near = self._path, max(1, ON_PATH_PX / self._frame.scale)
        return None if path is None else path.moved_near(a0 + 0.5, b0 + 0.5, near)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None, None)
        super().leaveEvent(event)

    def _hover(self, at: QPointF) -> None:
        self.hovered.emit(*(self.cell_at(at) or (None, None)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = min(self._frame.room.width(), self._frame.room.height()) / 8
        moves = {
            Qt.Key.Key_Left: QPoint(1, 0), Qt.Key.Key_Right: QPoint(-1, 0),
            Qt.Key.Key_Up: QPoint(0, 1), Qt.Key.Key_Down: QPoint(0, -1),
        }  # fmt: skip
        by = moves.get(Qt.Key(event.key()))
        if by is not None:
            self._pan(QPointF(by) * step)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            row, col = self._cross.a0, self._cross.b0
            at = (
                QPointF(self.rect().center()) if row is None or col is None else self._frame.point(col + 0.5, row + 0.5)
            )
            self.zoom(0.5 if event.key() == Qt.Key.Key_Minus else 2.0, at)
        else:
            super().keyPressEvent(event)

    # What is painted

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.refresh()
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        if self._plot is None or self._plot.isHidden():
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        """Paint what is in the box of the plot, or stands there while there is no matrix."""
        ratio = min(pixel_ratio(self), LINES_RATIO)
        if self._drawn is None or self._drawn[0] != ratio:
            self._drawn = ratio, self._blocks(ratio)
        self._paint_ground(painter)
        if (blocks := self._drawn[1]) is not None:
            blocks.paint(painter)
        self._paint_above(painter)
        if self._is_veiled and self._model.band is not None:
            self._paint_veil(painter, self._model.band)
        self._paint_cross(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)  # the ring at the cross has one
            painter.drawRect(self._frame.room.adjusted(1, 1, -1, -1))

    def _blocks(self, ratio: float) -> BlockMapDrawing | None:
        model, frame = self._model, replace(self._frame, ratio=ratio)
        if model.grid is None or not model.block_map.size or model.inner_skip is not None:
            return None
        return BlockMapDrawing(model, model.grid, self._theme, frame, has_line=self._path is not None)

    def _paint_ground(self, painter: QPainter) -> None:
        """Paint what is outside the grid, and a grid of which nothing was computed."""
        model, frame = self._model, self._frame
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
        """Paint a front on its way over a matrix, for where nothing was compared yet."""
        room = self._frame.room
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

    def _paint_above(self, painter: QPainter) -> None:
        """Cells where they are large enough, band, path and frame."""
        model, frame = self._model, self._frame
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
        if self._path is not None:
            # A line is drawn in a time that grows with its corners, most of which are in a pixel with others.
            part = self._path.part(frame.letters(near), int(frame.room.width() + frame.room.height()) // MIN_CORNER_PX)
            line = QPolygonF([frame.point(b, a) for a, b in part])
            halo = self._theme.done if narrow else self._theme.base
            for pen in (QPen(halo, HALO_PX), QPen(self._theme.text, PATH_PX)):
                pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
                painter.setPen(pen)
                painter.drawPolyline(line)
            painter.setPen(QPen(self._theme.kind(SWAP).strong, MOVED_PX, c=Qt.PenCapStyle.RoundCap))
            for a, b, n in self._path.moved[:MAX_MOVED].tolist():
                painter.drawLine(QLineF(frame.point(b, a), frame.point(b + n, a + n)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self._theme.control, 1))
        painter.drawRect(frame.box(frame.matrix).adjusted(0, 0, -1, -1).intersected(near))

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
                    painter.fillRect(self._frame.box(cells), colour)

    def _paint_cross(self, painter: QPainter) -> None:
        lines = self._cross_lines()
        if lines:
            painter.setPen(QPen(self._theme.accent, 1, Qt.PenStyle.DashLine))
            painter.drawLines(lines)
        at = None if self._ring.a0 is None or self._ring.b0 is None else self._middle(self._ring.a0, self._ring.b0)
        if at is not None and self._frame.room.contains(at):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(self._theme.base)
            painter.setPen(QPen(self._theme.accent, 2))
            painter.drawEllipse(at, RING_PX / 2 - 1, RING_PX / 2 - 1)

    def _middle(self, row: int, col: int) -> QPointF:
        return self._frame.point(col + 0.5, row + 0.5)

    def _cross_lines(self) -> list[QLineF]:
        """Return the line of a row, then that of a column, as far as they are marked and seen."""
        row, col = self._cross.a0, self._cross.b0
        frame = self._frame
        box = frame.box(frame.matrix).intersected(frame.room)
        lines = []
        middle = self._middle(row or 0, col or 0)
        y, x = middle.y(), middle.x()
        if row is not None and box.top() <= y <= box.bottom():
            lines.append(QLineF(box.left(), y, box.right(), y))
        if col is not None and box.left() <= x <= box.right():
            lines.append(QLineF(x, box.top(), x, box.bottom()))
        return lines


def _clipped(edge: tuple[float, float, float, float], seen: QRectF, frame: BlockMapFrame) -> QLineF:
    """Return the part of a diagonal (row, column, row, column) in pixels that may be seen."""
    row, col, last, _ = edge
    low = min(max(0.0, seen.top() - row, seen.left() - col), last - row)
    high = max(low, min(last - row, seen.bottom() - row, seen.right() - col))
    return QLineF(frame.point(col + low, row + low), frame.point(col + high, row + high))
