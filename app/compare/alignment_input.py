"""Mouse, keyboard and scroll bars of the alignment canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QGridLayout, QScrollBar, QToolTip, QWidget

from wavediff.app.compare.alignment_canvas import AlignmentCanvas
from wavediff.app.compare.alignment_layout import BarScale
from wavediff.app.ui.theme import Theme

WHEEL_STEP_UNITS = 120  # angle units of one step of a wheel
AUTO_SCROLL_MS = 30


class InteractiveCanvas(AlignmentCanvas):
    """The canvas with mouse and keyboard input.

    Signals:
        hovered: column under the pointer, or None.
        menu_wanted: global point of a requested context menu.
    """

    hovered = Signal(object)
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._drag_from: int | None = None  # boundary between columns where a drag began
        self._extend_from: int | None = None  # column at which Shift+arrow began
        self._last_point = QPointF()
        self._wheel_rest = 0.0
        self._auto_scroll = QTimer(self, interval=AUTO_SCROLL_MS)
        self._auto_scroll.timeout.connect(self._drag_on)

    def select_all(self) -> None:
        if self.model is not None:
            self.set_selection(0, self.model.n_columns)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.surface is None:
            super().mousePressEvent(event)
            return
        boundary = self._boundary(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            start, end = self.selection
            self._drag_from = (end if boundary < start else start) if start < end else self.caret
            self.set_selection(*sorted((self._drag_from, boundary)))
        else:
            self._drag_from = boundary
            self.set_selection(0, 0)
            col = self.column_under(event.position())
            self.set_caret(boundary if col is None else col)
        self._extend_from = None
        self._last_point = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._last_point = event.position()
        self.hovered.emit(self.column_under(event.position()))
        if self._drag_from is not None:
            self._drag_on()
            inside = self.rect().contains(event.position().toPoint())
            if inside:
                self._auto_scroll.stop()
            elif not self._auto_scroll.isActive():
                self._auto_scroll.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_from = None
            self._auto_scroll.stop()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the difference under the pointer, or the equal run between two differences."""
        col, model = self.column_under(event.position()), self.model
        if col is None or model is None:
            return
        here = model.index.difference_at(col)
        if here is not None:
            self.set_selection(here.col0, here.col1)
            return
        after = model.index.next_difference(col)
        number = (after.number if after is not None else model.index.n_differences()) - 1
        before = model.index.difference(number).col1 if number >= 0 else 0
        self.set_selection(before, after.col0 if after is not None else model.n_columns)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            col = self.column_under(QPointF(event.pos()))
            if col is None or self.model is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.model.describe(col), self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        surface = self.surface
        if surface is None:
            super().wheelEvent(event)
            return
        event.accept()
        angle = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel_rest += angle / WHEEL_STEP_UNITS
            steps, self._wheel_rest = int(self._wheel_rest), self._wheel_rest - int(self._wheel_rest)
            self.zoom(steps, event.position())
            return
        pixels = event.pixelDelta().y() or event.pixelDelta().x()
        if pixels:
            moved = pixels * self.devicePixelRatioF()
        else:
            notch = surface.cells.pitch if surface.wrapped else 10 * surface.cells.width
            moved = angle / WHEEL_STEP_UNITS * notch
        self._wheel_rest += moved
        whole, self._wheel_rest = int(self._wheel_rest), self._wheel_rest - int(self._wheel_rest)
        self.scroll_to(self.position - whole)
        self.hovered.emit(self.column_under(event.position()))

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Change the font size by ``steps`` pixels (or tenths, if larger)."""
        size = self.font_size
        for _ in range(abs(steps)):
            size += max(1, size // 10) if steps > 0 else -max(1, size // 11)
        self.set_font_size(size, at)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        surface = self.surface
        if surface is None or not surface.n_columns:
            super().keyPressEvent(event)
            return
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
        elif (target := self._key_target(event.key(), control)) is not None:
            self._go_by_key(min(max(0, target), surface.n_columns - 1), extend=shift)
        else:
            super().keyPressEvent(event)

    def _key_target(self, key: int, control: bool) -> int | None:
        """Return the target column of ``key``, perhaps out of range; None for other keys."""
        surface = self.surface
        assert surface is not None
        line = surface.columns_per_line if surface.wrapped else 1
        page = surface.n_whole_columns
        few = 10 if control else 1
        keys, last_line = Qt.Key, surface.n_columns - line
        targets: dict[int, int] = {
            keys.Key_Left: self.caret - few,
            keys.Key_Right: self.caret + few,
            keys.Key_Up: self.caret - (line if self.caret >= line else 0),
            keys.Key_Down: self.caret + (line if self.caret < last_line else 0),
            keys.Key_PageUp: self.caret - page,
            keys.Key_PageDown: self.caret + page,
            keys.Key_Home: 0,
            keys.Key_End: surface.n_columns - 1,
        }
        return targets.get(key)

    def _go_by_key(self, col: int, extend: bool) -> None:
        if extend:
            if self._extend_from is None:
                self._extend_from = self.caret
            low, high = sorted((self._extend_from, col))
            self.set_selection(low, high + 1)
        else:
            self._extend_from = None
            self.set_selection(0, 0)
        self.set_caret(col)
        self.reveal(col)

    # Dragging

    def _boundary(self, point: QPointF) -> int:
        surface = self.surface
        return surface.nearest_column(*self.to_surface(point), self.position) if surface is not None else 0

    @Slot()
    def _drag_on(self) -> None:
        """Extend the selection to the pointer; outside of the canvas scroll at a speed given by the distance."""
        surface = self.surface
        if surface is None or self._drag_from is None:
            return
        at, end = (self._last_point.y(), self.height()) if surface.wrapped else (self._last_point.x(), self.width())
        beyond = min(0.0, at) + max(0.0, at - end)
        if beyond:
            self.scroll_to(self.position + int(beyond * self.devicePixelRatioF() / 2))
        boundary = self._boundary(self._last_point)
        self.set_selection(*sorted((self._drag_from, boundary)))
        self.set_caret(max(0, boundary - 1) if boundary > self._drag_from else boundary)


class AlignmentPane(QWidget):
    """Canvas with a scroll bar, also for positions beyond the bar's 32 bits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.canvas = InteractiveCanvas(theme)
        self.vertical = QScrollBar(Qt.Orientation.Vertical, self)
        self.horizontal = QScrollBar(Qt.Orientation.Horizontal, self)
        self._scale = BarScale(0)
        self.setBackgroundRole(QPalette.ColorRole.Base)  # also of the room that is kept for a hidden bar
        self.setAutoFillBackground(True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.canvas, 0, 0)
        grid.addWidget(self.vertical, 0, 1)
        grid.addWidget(self.horizontal, 1, 0)
        for bar, name in ((self.vertical, "Lines of the alignment"), (self.horizontal, "Columns of the alignment")):
            bar.setAccessibleName(name)
            bar.valueChanged.connect(self._bar_moved)
        self.vertical.setMinimumHeight(1)  # the canvas says how low this may be
        self.setFocusProxy(self.canvas)
        self.canvas.scrolled.connect(self._follow)
        self._follow()

    def bar(self) -> QScrollBar:
        return self.vertical if self.canvas.wrapped else self.horizontal

    @Slot()
    def _follow(self) -> None:
        used, surface = self.bar(), self.canvas.surface
        self._scale = BarScale(surface.last_position if surface is not None else 0)
        for bar in (self.vertical, self.horizontal):
            policy = bar.sizePolicy()
            policy.setRetainSizeWhenHidden(bar is used)  # else the wrapping would change where all fits
            bar.setSizePolicy(policy)
            bar.setVisible(bar is used and self._scale.maximum > 0)
        with QSignalBlocker(used):
            used.setRange(0, self._scale.maximum)
            used.setValue(self._scale.to_bar(self.canvas.position))
            if surface is not None:
                used.setPageStep(self._scale.page(surface.page))
                step = surface.cells.pitch if surface.wrapped else 10 * surface.cells.width
                used.setSingleStep(max(1, self._scale.to_bar(step)))

    @Slot(int)
    def _bar_moved(self, value: int) -> None:
        surface = self.canvas.surface
        if self.sender() is self.bar() and surface is not None:
            self.canvas.begin_at(surface.top_column(self._scale.from_bar(value)))
