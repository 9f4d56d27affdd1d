"""Base of painted widgets: colours, tips, focus frame; keys and directions common to them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from wavediff.app.ui.theme import Theme

ARROWS = {  # rows and columns that a key moves by
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip
Wide = tuple[int, int]


class Canvas(QWidget):
    """Painted widget in the colours of a theme; subclasses implement ``paint``.

    Args:
        name: for screen readers. properties: Qt properties of the widget.
    """

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, accessibleName=name, **properties)
        self._theme = theme
        theme.changed.connect(self.update)

    def paint(self, painter: QPainter) -> None:
        raise NotImplementedError

    def tip_at(self, at: QPointF) -> str | None:
        """Return the tip at a point, perhaps empty; None: the tip of the whole widget applies."""

    def sizes(self) -> tuple[Wide, Wide]:
        return (-1, -1), (-1, -1)

    def sizeHint(self) -> QSize:
        return QSize(*self.sizes()[0])

    def minimumSizeHint(self) -> QSize:
        return QSize(*self.sizes()[1])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.base)
        self.paint(painter)

    def paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setPen(QPen(self._theme.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def event(self, event: QEvent) -> bool:
        asked = event if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip else None
        if asked is not None and (tip := self.tip_at(QPointF(asked.pos()))) is not None:
            QToolTip.showText(asked.globalPos(), tip, self)
            return True
        return super().event(event)
