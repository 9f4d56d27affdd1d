"""A panel that opens under a control, over the window, and gives the focus back when it closes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from wavediff.app.ui.buttons import press_focused
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.theme import Theme

PADDING_PX, GAP_PX, EDGE_PX = 16, 4, 8


class Popover(QWidget):
    """Closes by Escape and by a click outside, which does nothing else where it falls on the control itself.

    Attributes:
        column: layout of its content.

    Signals:
        closed: it is gone from the screen.
    """

    closed = Signal()

    def __init__(self, name: str, width_px: int, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popover")
        self.setAccessibleName(name)
        self.setWindowTitle(name)
        self._theme = theme
        self._width = width_px
        self._anchor: QWidget | None = None
        self.column = in_column(on=self, margin=PADDING_PX, gap=8)
        theme.changed.connect(self.update)

    def open_under(self, anchor: QWidget) -> None:
        """Show it under ``anchor``, within the screen, with the focus on its first control."""
        other = QApplication.activePopupWidget()
        if isinstance(other, Popover) and other is not self:
            other.close()  # one at a time, also where a menu opened the second
        self._anchor = anchor
        anchor.setFocus(Qt.FocusReason.PopupFocusReason)
        self.fit()
        self.show()
        first = self.first_stop()
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def first_stop(self) -> QWidget | None:
        at = self.nextInFocusChain()
        while at is not None and at is not self:
            takes = at.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
            if at.window() is self and takes and at.isVisible() and at.isEnabled():
                return at
            at = at.nextInFocusChain()
        return None

    def fit(self) -> None:
        """Take the size of the content, under the control that opened it."""
        if self._anchor is None:
            return
        room, window = self._anchor.screen().availableGeometry(), self._anchor.window().frameGeometry()
        self.setFixedWidth(min(self._width, room.width()))
        self.column.activate()
        height = self.column.totalHeightForWidth(self.width()) if self.column.hasHeightForWidth() else -1
        self.setFixedHeight(max(height, self.column.totalMinimumSize().height()))
        at = self._anchor.mapToGlobal(QPoint(0, self._anchor.height() + GAP_PX))
        if window.width() >= self.width():  # within the window where that is wide enough
            room = room.intersected(QRect(window.left(), room.top(), window.width(), room.height()))
        x = max(room.left(), min(at.x(), room.right() + 1 - self.width() - EDGE_PX))
        y = max(room.top(), min(at.y(), room.bottom() + 1 - self.height()))
        self.move(x, y)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_focused(event, self):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._anchor is not None:  # else the click would open it anew
            place = QRect(self._anchor.mapToGlobal(QPoint(0, 0)), self._anchor.size())
            on_it = place.contains(event.globalPosition().toPoint())
            self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay, on_it)
        super().mousePressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._anchor is not None:
            self._anchor.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        painter.setPen(QPen(self._theme.control, 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
