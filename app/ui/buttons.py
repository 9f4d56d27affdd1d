"""Buttons with their icons, and popovers."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from wavediff.app.ui.focus import give_focus
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.theme import Theme

SIZE = 16
SCALES = (1, 2, 3)


def icon(name: str, theme: Theme, own: QColor | None = None) -> QIcon:
    return _drawn(name, (own or theme.text).rgba(), theme.dim.rgba())


@cache
def _drawn(name: str, ink_rgba: int, dim_rgba: int) -> QIcon:
    """Cached icons, as many buttons share them and all reload them on theme changes."""
    result = QIcon()
    faded = QColor.fromRgba(dim_rgba)
    faded.setAlphaF(0.5)
    for mode, ink in ((QIcon.Mode.Normal, QColor.fromRgba(ink_rgba)), (QIcon.Mode.Disabled, faded)):
        for scale in SCALES:
            picture = QPixmap(QSize(SIZE, SIZE) * scale)
            picture.setDevicePixelRatio(scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(ink, 1.4)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            _draw(painter, name, ink)
            painter.end()
            result.addPixmap(picture, mode)
    return result


# Icons by name: x and y of the points of lines and of closed shapes, rounded boxes, filled boxes and dots.
_LINES: dict[str, tuple[tuple[float, ...], ...]] = {
    "first": ((4, 4, 4, 12), (11.5, 4, 7.5, 8, 11.5, 12)),
    "previous": ((10, 4, 6, 8, 10, 12),),
    "next": ((6, 4, 10, 8, 6, 12),),
    "last": ((12, 4, 12, 12), (4.5, 4, 8.5, 8, 4.5, 12)),
    "view": tuple((2, y, 14, y) for y in (3.5, 8, 12.5)),
    "open": ((1.8, 12.8, 1.8, 3.4, 6, 3.4, 7.4, 5.2, 12.6, 5.2, 12.6, 7.2),),
    "paste": tuple((5.4, y, 10.6, y) for y in (7.4, 10.4)),
    "swap": ((2.5, 5, 13.5, 5), (10.5, 2, 13.5, 5, 10.5, 8), (13.5, 11, 2.5, 11), (5.5, 8, 2.5, 11, 5.5, 14)),
    "copy": ((2.8, 10.4, 2.8, 2.4, 10.4, 2.4),),
    "save": ((8, 2, 8, 10), (4.8, 7, 8, 10.2, 11.2, 7), (2.2, 10.6, 2.2, 13.6, 13.8, 13.6, 13.8, 10.6)),
    "close": ((4, 4, 12, 12), (12, 4, 4, 12)),
    "down": ((4, 6.2, 8, 10, 12, 6.2),),
}
_SHAPES = {"run": (4, 2.5, 13.5, 8, 4, 13.5), "open": (1.8, 12.8, 4.2, 7.2, 14.6, 7.2, 12.4, 12.8)}
_ROUNDED = {"stop": (3.5, 3.5, 9, 9), "paste": (3, 3, 10, 11), "copy": (5, 5, 8.5, 9)}
_BOXES = {"paste": (5.6, 1.6, 4.8, 2.8)}
_DOTS = {"view": ((10, 3.5), (5, 8), (11, 12.5))}
_SOLID = "run", "stop"


def _points(numbers: tuple[float, ...]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)])


def _draw(painter: QPainter, name: str, ink: QColor) -> None:
    if name in _SOLID:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
    for line in _LINES.get(name, ()):
        painter.drawPolyline(_points(line))
    if name in _SHAPES:
        painter.drawPolygon(_points(_SHAPES[name]))
    if name in _ROUNDED:
        painter.drawRoundedRect(QRectF(*_ROUNDED[name]), 1.2, 1.2)
    if name in _BOXES:
        painter.fillRect(QRectF(*_BOXES[name]), ink)
    for dot in _DOTS.get(name, ()):
        painter.setBrush(ink)
        painter.drawEllipse(QPointF(*dot), 1.6, 1.6)


def is_enter(event: QKeyEvent) -> bool:
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held


def press_focused(event: QKeyEvent, window: QWidget) -> bool:
    """Click the focused button on Enter, which Qt does in dialogs only."""
    button = window.focusWidget()
    if not is_enter(event) or not isinstance(button, QAbstractButton) or not button.isEnabled():
        return False
    button.click()
    return True


def allow(action: QAction, why_not: str) -> None:
    """Enable an action, or disable it with the reason ``why_not`` as tooltip."""
    tips = action.property("tips")
    if tips is None:  # as it is when it can be done
        tips = [action.toolTip(), action.statusTip()]
        action.setProperty("tips", tips)
    action.setEnabled(not why_not)
    action.setToolTip(why_not or tips[0])
    action.setStatusTip(why_not or tips[1])


PADDING_PX, GAP_PX, EDGE_PX = 16, 4, 8


class Popover(QWidget):
    """Popover closed by Escape or a click outside; such a click on its own button does nothing else.

    Attributes:
        column: layout of its content.

    Signals:
        closed: it was hidden.
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
        other = QApplication.activePopupWidget()
        if isinstance(other, Popover) and other is not self:
            other.close()  # one at a time, also where a menu opened the second
        self._anchor = anchor
        anchor.setFocus(Qt.FocusReason.PopupFocusReason)
        self.fit()
        self.show()
        give_focus(self)

    def fit(self) -> None:
        """Resize to the content, below the opening control."""
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
        if self._anchor is not None:  # else the click would open it again
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
