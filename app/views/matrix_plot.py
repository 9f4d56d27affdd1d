"""Axes around the picture of a matrix: dragging moves it, the wheel zooms at the pointer, a double click shows all.

A plotting library would do as much, but importing it takes a quarter of the time from the start of the program to
its first result.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.figures import grouped
from app.models.span import Span
from app.theme import Theme
from app.views.board_canvas import BoardCanvas

TITLES = "A, rows ↓", "B, columns →"
TICK, SHORT_TICK, GAP, EDGE = 5, 3, 3, 5  # pixels
NOTCH = 0.75  # what a notch of the wheel, or a key, zooms by
STRIDE = 0.1  # of what is seen: what a key moves by
ZOOMS = {Qt.Key.Key_Plus: NOTCH, Qt.Key.Key_Equal: NOTCH, Qt.Key.Key_Minus: 1 / NOTCH}
MOVES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class MatrixPlot(QWidget):
    """``canvas`` between two axes: x = letters of B to the right, y = letters of A down.

    Signals:
        pointed: the place in the matrix under the pointer as a ``QPointF``, or None outside of the picture.
    """

    pointed = Signal(object)

    def __init__(self, canvas: BoardCanvas, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cols, self.rows = Span.all(1), Span.all(1)
        self._canvas, self._theme = canvas, theme
        self._dragged: QPointF | None = None
        self._drags = True, True  # along x, along y
        canvas.setParent(self)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(400, 400)

    def show_matrix(self, n: int, m: int) -> None:
        """Show a matrix of ``n`` x ``m``; one of the same size is left as a person has zoomed it."""
        if (max(1, n), max(1, m)) != (self.rows.length, self.cols.length):
            self.show_range(Span.all(m), Span.all(n))

    def show_range(self, x: Span, y: Span) -> None:
        """Show columns ``x`` and rows ``y``."""
        if (x, y) != (self.cols, self.rows):
            self.cols, self.rows = x, y
            self._place()
            self.update()

    def fit(self) -> None:
        """Show all of the matrix."""
        self.show_range(Span.all(self.cols.length), Span.all(self.rows.length))

    def zoom(self, factor: float) -> None:
        """Show ``factor`` times as much on each side, around the middle."""
        x, y = ((span.first + span.last) / 2 for span in (self.cols, self.rows))
        self.show_range(self.cols.zoomed(factor, x), self.rows.zoomed(factor, y))

    @property
    def inner(self) -> QRect:
        """Pixels of the picture."""
        metrics = self.fontMetrics()
        left = metrics.height() + metrics.horizontalAdvance(grouped(self.rows.length)) + GAP + TICK + 3
        top = 2 * metrics.height() + GAP + TICK
        return QRect(QPoint(left, top), QPoint(max(left, self.width() - EDGE), max(top, self.height() - EDGE)))

    def letters(self, point: QPointF) -> QPointF:
        """Return the place in the matrix under ``point`` (pixels), also outside of the picture."""
        inner, x, y = self.inner, self.cols, self.rows
        return QPointF(
            x.first + (point.x() - inner.left()) / inner.width() * x.size,
            y.first + (point.y() - inner.top()) / inner.height() * y.size,
        )

    def _place(self) -> None:
        self._canvas.setGeometry(self.inner)
        self._canvas.show_range((self.cols.first, self.cols.last), (self.rows.first, self.rows.last))

    def _along(self, point: QPointF) -> tuple[bool, bool]:
        """Return what is meant at ``point``: both directions, and on an axis only its own."""
        inner = self.inner
        return point.x() >= inner.left(), point.y() >= inner.top()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        factor = NOTCH ** (event.angleDelta().y() / 120)
        at, (along_x, along_y) = self.letters(event.position()), self._along(event.position())
        self.show_range(
            self.cols.zoomed(factor, at.x()) if along_x else self.cols,
            self.rows.zoomed(factor, at.y()) if along_y else self.rows,
        )
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._dragged, self._drags = event.position(), self._along(event.position())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._dragged is not None:
            before, now = self.letters(self._dragged), self.letters(point)
            self._dragged = point
            along_x, along_y = self._drags
            self.show_range(
                self.cols.moved(before.x() - now.x()) if along_x else self.cols,
                self.rows.moved(before.y() - now.y()) if along_y else self.rows,
            )
        self.pointed.emit(self.letters(point) if self.inner.contains(point.toPoint()) else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ZOOMS:
            self.zoom(ZOOMS[key])
        elif key in MOVES:
            x, y = MOVES[key]
            self.show_range(self.cols.moved(STRIDE * x * self.cols.size), self.rows.moved(STRIDE * y * self.rows.size))
        elif key == Qt.Key.Key_Home:
            self.fit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        inner, metrics = self.inner, painter.fontMetrics()
        painter.setPen(self._theme.grid)
        painter.drawLine(inner.left() - 1, inner.top() - 1, inner.right(), inner.top() - 1)
        painter.drawLine(inner.left() - 1, inner.top() - 1, inner.left() - 1, inner.bottom())
        numbers = max(metrics.horizontalAdvance(grouped(self.cols.length)), 4 * metrics.averageCharWidth())
        self._paint_x(painter, inner, numbers + 2 * metrics.height())
        self._paint_y(painter, inner, 2.0 * metrics.height())
        centre = int(Qt.AlignmentFlag.AlignCenter)
        painter.setPen(self._theme.dim)
        painter.drawText(QRect(inner.left(), 0, inner.width(), metrics.height()), centre, TITLES[1])
        painter.translate(0, inner.center().y())
        painter.rotate(-90)
        painter.drawText(QRect(-inner.height() // 2, 0, inner.height(), metrics.height()), centre, TITLES[0])
        painter.end()

    def _paint_x(self, painter: QPainter, inner: QRect, needed: float) -> None:
        height, bottom = painter.fontMetrics().height(), inner.top() - 1
        numbered, plain = self.cols.ticks(inner.width(), needed)
        for places, length in ((plain, SHORT_TICK), (numbered, TICK)):
            for at in places:
                x = round(inner.left() + (at - self.cols.first) / self.cols.size * inner.width())
                painter.setPen(self._theme.grid)
                painter.drawLine(x, bottom - length, x, bottom)
                if length == TICK:
                    box = QRectF(x - needed / 2, bottom - TICK - height, needed, height)
                    painter.setPen(self._theme.dim)
                    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), grouped(max(1, at)))

    def _paint_y(self, painter: QPainter, inner: QRect, needed: float) -> None:
        height, right = painter.fontMetrics().height(), inner.left() - 1
        numbered, plain = self.rows.ticks(inner.height(), needed)
        for places, length in ((plain, SHORT_TICK), (numbered, TICK)):
            for at in places:
                y = round(inner.top() + (at - self.rows.first) / self.rows.size * inner.height())
                painter.setPen(self._theme.grid)
                painter.drawLine(right - length, y, right, y)
                if length == TICK:
                    box = QRectF(0, y - height / 2, right - TICK - GAP, height)
                    right_middle = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    painter.setPen(self._theme.dim)
                    painter.drawText(box, int(right_middle), grouped(max(1, at)))
