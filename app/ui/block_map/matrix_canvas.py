"""Plot of the matrix of A and B with pointer, zoom and panning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from wavediff.app.ui.block_map.block_map_frame import MAX_CELL_PX, TOP_PX, BlockMapFrame, Letters, left_room
from wavediff.app.ui.pair import NOWHERE, CaretPlace, MatrixPosition, SharedCursor
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.axes import Axes

if TYPE_CHECKING:
    from wavediff.app.draw.plot import Plot

RING_PX = 10.0
LETTER_CELL_PX = 24.0  # pixels of a cell from which on its letter stands on the axes
WHEEL_STEP = 120  # of an angle: a notch, which doubles


class MatrixCanvas(QWidget):
    """Shows the full matrix at the upper left, or a part of it, in a pyqtgraph plot.

    Args:
        letters: returns A and B as compared, for the axes; None: no axes.
        letter_px: minimum pixels of a cell for letters on the axes.

    Attributes:
        is_of_pair: whether rows and columns are the letters of the pair, so that the caret has a cell.

    Signals:
        clicked, hovered: letters of A and B (0-based); hovered also None.
        frame_changed: the visible part or the matrix changed.
    """

    clicked = Signal(object, object)
    hovered = Signal(object, object)
    frame_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        letters: Callable[[], Letters] | None = None,
        letter_px: float = LETTER_CELL_PX,
    ) -> None:
        super().__init__(parent, mouseTracking=True)
        self._theme, self._letters, self._letter_px = theme, letters, letter_px
        self._plot: Plot | None = None  # once there is a matrix: pyqtgraph takes a while to import
        self.frame = BlockMapFrame(0, 0, QRectF(0, 0, 1, 1))
        self.cross = self.ring = NOWHERE
        self._cursor: SharedCursor | None = None
        self.is_of_pair = True
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.refresh)

    # Asked of subclasses

    def paint_matrix(self, painter: QPainter) -> None:
        raise NotImplementedError

    def zoomed_at(self, place: QPointF, _at: QPointF) -> QPointF:
        """Return the target of a zoom at ``place``."""
        return place

    def click_cell(self, row: int, col: int, _at: QPointF) -> None:
        self.clicked.emit(row, col)

    def _made_plot(self) -> Plot:
        if self._plot is None:
            from wavediff.app.draw.plot import Plot
            from wavediff.app.ui.block_map.map_axes import SequenceAxis

            letters, frame, sides = self._letters, lambda: self.frame, ("left", "top")
            axes = [SequenceAxis(side, frame, letters, self._theme, self._letter_px) for side in sides if letters]
            self._plot = Plot(self, self._paint, axes)
        return self._plot

    @property
    def _has_cells(self) -> bool:
        return self.frame.n * self.frame.m > 0

    def show_matrix(self, n: int, m: int, axes: Axes | None = None) -> None:
        """Show a matrix of ``n`` rows and ``m`` columns; the zoom is kept if the size is the same."""
        self.frame = replace(self.frame, axes=axes)
        if (self.frame.n, self.frame.m) != (n, m):
            self.frame = replace(self.frame, n=n, m=m, scale=0.0)
            self._lay_out()
        self.refresh()

    def fit(self) -> None:
        self._show(self.frame.fit_scale, QPointF())

    def show_cross(self, at: MatrixPosition, ring: MatrixPosition | None = None) -> None:
        """Mark a row and a column by lines, and a cell by a ring; None: at the intersection."""
        marks = at, at if ring is None else ring
        if marks != (self.cross, self.ring):
            self.cross, self.ring = marks
            if self._plot is not None:
                self._plot.viewport().update()

    def listen(self, cursor: SharedCursor) -> None:
        self._cursor = cursor
        cursor.moved.connect(self._follow)
        cursor.caret_moved.connect(self._follow_caret)

    @Slot()
    def _follow(self) -> None:
        """Mark the position of the pointer, else of the caret, which always has a ring."""
        assert self._cursor is not None
        at, caret = self._cursor.position, self._cursor.caret
        ring = None if caret is None else self._cell_of(caret.a0, caret.b0)
        self.show_cross(ring if at == NOWHERE and ring is not None else self._cell_of(at.a0, at.b0), ring)

    @Slot(object)
    def _follow_caret(self, caret: CaretPlace | None) -> None:
        if caret is not None and self.is_of_pair:
            at = self._cell_of(caret.a0, caret.b0)
            self.keep_in_sight(at.a0 or 0, at.b0 or 0)
        self._follow()

    def _cell_of(self, a0: int | None, b0: int | None) -> MatrixPosition:
        axes = self.frame.axes
        return MatrixPosition(*((a0, b0) if axes is None or axes.rows is None else axes.cell(a0, b0)))

    def keep_in_sight(self, row: int, col: int) -> None:
        """Centre a cell if it is not visible; the zoom is kept."""
        frame = self.frame
        if not frame.fits and not frame.seen.contains(col + 0.5, row + 0.5):
            seen = frame.room.size() / frame.scale
            self._show(frame.scale, QPointF(col + 0.5 - seen.width() / 2, row + 0.5 - seen.height() / 2))

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return the cell (0-based) at a pixel; None outside."""
        place = self.frame.place(at)
        if not (self.frame.room.contains(at) and 0 <= place.y() < self.frame.n and 0 <= place.x() < self.frame.m):
            return None
        return int(place.y()), int(place.x())

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom by ``factor`` at pixel ``at``, or at a nearby target."""
        frame, place = self.frame, self.frame.place(at)
        if factor > 1:
            place = self.zoomed_at(place, at)
        scale = min(max(frame.scale * factor, frame.fit_scale), MAX_CELL_PX)
        corner = place - (at - frame.room.topLeft()) / scale
        self._show(scale, corner, QRectF(corner, frame.room.size() / scale) if factor > 1 else QRectF())

    def _pan(self, by: QPointF) -> None:
        frame = self.frame
        self._show(frame.scale, QPointF(frame.left, frame.top) - by / frame.scale, frame.seen)

    def _show(self, scale: float, corner: QPointF, beyond: QRectF | None = None) -> None:
        """Show letters from ``corner``, limited to the matrix and ``beyond`` as far as they fill the area."""
        frame = self.frame
        if self._plot is not None:
            box, seen = self._plot.box, frame.room.size() / scale
            limits = frame.matrix.united(QRectF(QPointF(), seen)).united(beyond or QRectF())
            box.setLimits(xMin=limits.left(), xMax=limits.right(), yMin=limits.top(), yMax=limits.bottom())
            box.setRange(QRectF(corner, seen), padding=0)
            corner = box.viewRect().topLeft()
        frame = replace(frame, scale=scale, left=corner.x(), top=corner.y())
        if frame != self.frame:
            self.frame = frame
            self.refresh()
            self.frame_changed.emit()

    def _lay_out(self) -> None:
        """Update the layout; a fitted matrix stays fitted, else the centre is kept."""
        fits, middle = self.frame.fits, QPointF() if self.frame.fits else self.frame.seen.center()
        metrics = QFontMetricsF(self._theme.small_font)
        left, top = (0, 0) if self._letters is None else (left_room(self.frame.n, metrics), TOP_PX)
        room = QRectF(left, top, max(1, self.width() - left), max(1, self.height() - top))
        frame = self.frame = replace(self.frame, room=room)
        if self._has_cells:
            self._made_plot().place(room)
        if self._plot is not None:
            self._plot.setVisible(bool(self._has_cells))
        if fits or frame.fits:
            self.fit()
        else:
            self._show(frame.scale, middle - (room.center() - room.topLeft()) / frame.scale)
        self.refresh()
        self.frame_changed.emit()

    @Slot()
    def refresh(self) -> None:
        self.update()
        if self._plot is not None:
            self._plot.refresh(self._theme)

    # User input

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
        if cell is not None:
            self.click_cell(*cell, at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None, None)
        super().leaveEvent(event)

    def _hover(self, at: QPointF) -> None:
        self.hovered.emit(*(self.cell_at(at) or (None, None)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = min(self.frame.room.width(), self.frame.room.height()) / 8
        moves = {
            Qt.Key.Key_Left: QPoint(1, 0), Qt.Key.Key_Right: QPoint(-1, 0),
            Qt.Key.Key_Up: QPoint(0, 1), Qt.Key.Key_Down: QPoint(0, -1),
        }  # fmt: skip
        by = moves.get(Qt.Key(event.key()))
        if by is not None:
            self._pan(QPointF(by) * step)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            row, col = self.cross.a0, self.cross.b0
            at = QPointF(self.rect().center()) if row is None or col is None else self._middle(row, col)
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
        self.paint_matrix(painter)
        if self.frame.n and self.frame.m:
            self._paint_cross(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)  # the ring at the cross has one
            frame = self.frame
            seen = frame.box(frame.matrix).intersected(frame.room) if self._has_cells else frame.room
            painter.drawRect(seen.adjusted(1, 1, -1, -1))

    def paint_edge(self, painter: QPainter) -> None:
        frame = self.frame
        near = frame.room.adjusted(-9, -9, 9, 9)  # far corners are no place for a painter
        painter.setPen(QPen(self._theme.control, 1))
        painter.drawRect(frame.box(frame.matrix).adjusted(0, 0, -1, -1).intersected(near))

    def _paint_cross(self, painter: QPainter) -> None:
        lines = self._cross_lines()
        if lines:
            painter.setPen(QPen(self._theme.accent, 1, Qt.PenStyle.DashLine))
            painter.drawLines(lines)
        at = None if self.ring.a0 is None or self.ring.b0 is None else self._middle(self.ring.a0, self.ring.b0)
        if at is not None and self.frame.room.contains(at):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(self._theme.base)
            painter.setPen(QPen(self._theme.accent, 2))
            painter.drawEllipse(at, RING_PX / 2 - 1, RING_PX / 2 - 1)

    def _middle(self, row: int, col: int) -> QPointF:
        return self.frame.point(col + 0.5, row + 0.5)

    def _cross_lines(self) -> list[QLineF]:
        row, col = self.cross.a0, self.cross.b0
        frame = self.frame
        box = frame.box(frame.matrix).intersected(frame.room)
        lines = []
        middle = self._middle(row or 0, col or 0)
        y, x = middle.y(), middle.x()
        if row is not None and box.top() <= y <= box.bottom():
            lines.append(QLineF(box.left(), y, box.right(), y))
        if col is not None and box.left() <= x <= box.right():
            lines.append(QLineF(x, box.top(), x, box.bottom()))
        return lines
