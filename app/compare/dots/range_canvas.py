"""Canvas with a rectangular selection that mouse and keys create, move and resize."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPen

from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.ui.block_map.block_map_frame import MAX_CELL_PX
from wavediff.app.ui.block_map.matrix_canvas import MatrixCanvas
from wavediff.app.ui.canvas import ARROWS

HANDLE_PX, NEAR_PX, DRAG_PX = 6.0, 7.0, 4
SHARE = 0.16  # opacity
ALL = QKeySequence.StandardKey.SelectAll


class RangeCanvas(MatrixCanvas):
    """Dragging selects, Shift+drag scrolls.

    Attributes:
        selection: selected letters; None: none.

    Signals:
        selected: the range changed (not during a drag). selecting: a drag began.
        compare_wanted: Enter was pressed.
    """

    selected = Signal()
    selecting = Signal()
    compare_wanted = Signal()
    selection: LetterRange | None = None
    _anchor: QPointF | None = None  # place at which a drag began that selects

    def select(self, letters: LetterRange | None) -> None:
        if letters != self.selection:
            self.selection = letters
            self.refresh()
            self.selected.emit()

    def clear_selection(self) -> None:
        self.select(None)

    @property
    def is_selecting(self) -> bool:
        return self._anchor is not None and self._dragged

    @property
    def in_sight(self) -> QRectF:
        return self.frame.seen.intersected(self.frame.matrix)

    @property
    def range_in_sight(self) -> LetterRange:
        return LetterRange.between(self.in_sight.topLeft(), self.in_sight.bottomRight(), self.in_sight)

    def look_at(self, letters: LetterRange) -> None:
        """Show these letters in the middle, as large as possible."""
        box, room = letters.box, self.frame.room.size()
        scale = min(room.width() / box.width(), room.height() / box.height(), MAX_CELL_PX)
        self._show(scale, box.center() - QPointF(room.width(), room.height()) / (2 * scale))

    def selection_box(self) -> QRectF | None:
        """Pixel rectangle of the visible selection, or None."""
        if self.selection is None:
            return None
        box = self.frame.box(self.selection.box).intersected(self.frame.room)
        return None if box.isEmpty() else box

    def _handles(self) -> list[tuple[QPointF, QPointF]]:
        """Return the selection's corners in pixels, each with the opposite corner in letters."""
        if self.selection is None:
            return []
        box = self.selection.box
        corners = [(box.topLeft(), box.bottomRight()), (box.topRight(), box.bottomLeft())]
        ends = [*corners, *(corner[::-1] for corner in corners)]
        return [(self.frame.point(one.x(), one.y()), other) for one, other in ends]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        at = event.position()
        held = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        starts = event.button() is Qt.MouseButton.LeftButton and self._has_cells and self.frame.room.contains(at)
        self._anchor = None
        if starts and not held:
            near = (other for corner, other in self._handles() if (corner - at).manhattanLength() <= NEAR_PX)
            self._anchor = next(near, self.frame.place(at))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._anchor is None or self._pressed is None:
            super().mouseMoveEvent(event)
            return
        at = event.position()
        if self._dragged or (at - self._pressed).manhattanLength() >= DRAG_PX:
            if not self._dragged:
                self.setFocus(Qt.FocusReason.MouseFocusReason)
                self.selecting.emit()
            self._dragged = True
            self.selection = LetterRange.between(self._anchor, self.frame.place(at), self.in_sight)
            self.refresh()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        selects = self._anchor is not None and self._dragged
        self._anchor = None
        super().mouseReleaseEvent(event)
        if selects:
            self.selected.emit()

    def event(self, event: QEvent) -> bool:
        """Accept Ctrl+A here; elsewhere it is a shortcut of the letters."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.matches(ALL):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, frame, now = Qt.Key(event.key()), self.frame, self.selection
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        step, shifted = ARROWS.get(key), held == Qt.KeyboardModifier.ShiftModifier
        if event.matches(ALL) and self._has_cells:
            self.select(self.range_in_sight)
        elif now is not None and step is not None and (shifted or not held):
            self.select((now.resized if shifted else now.moved)(*step, frame.n, frame.m))
        elif now is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held:
            self.compare_wanted.emit()
        else:
            super().keyPressEvent(event)

    def paint_selection(self, painter: QPainter) -> None:
        if (box := self.selection_box()) is None:
            return
        accent = self._theme.accent
        fill = QColor(accent)
        fill.setAlphaF(SHARE)
        painter.fillRect(box, fill)
        painter.setPen(QPen(accent, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        painter.setBrush(self._theme.base)
        painter.setPen(QPen(accent, 1.5))
        half = QPointF(HANDLE_PX, HANDLE_PX) / 2
        for corner, _ in self._handles():
            if self.frame.room.contains(corner):
                painter.drawRect(QRectF(corner - half, corner + half))
