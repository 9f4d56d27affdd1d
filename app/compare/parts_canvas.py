"""Canvas of the parts of an answer along a sequence: blocks, contigs."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from wavediff.app.ui.canvas import ARROWS, Canvas

ZOOMS = {Qt.Key.Key_Plus: 0.5, Qt.Key.Key_Equal: 0.5, Qt.Key.Key_Minus: 2.0, Qt.Key.Key_0: inf}


class PartsCanvas(Canvas):
    """Canvas: a click chooses a part, a double click opens it, and the wheel doubles the scale per ``wheel_units``.

    Signals:
        clicked, opened: number of a part. stepped: 1 or -1, by an arrow key.
    """

    clicked = Signal(int)
    opened = Signal(int)
    stepped = Signal(int)
    wheel_units = 120
    current = 0

    def part_at(self, at: QPointF) -> int | None:
        raise NotImplementedError

    def zoom(self, factor: float, x: float) -> None:
        """Zoom by ``factor``; the letter at ``x`` pixels stays there."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(part)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if (part := self.part_at(event.position())) is not None:
            self.opened.emit(part)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(2 ** (-event.angleDelta().y() / self.wheel_units), event.position().x())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.current)
        elif key in ZOOMS:
            self.zoom(ZOOMS[key], self.width() / 2)
        elif key in ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.stepped.emit(sum(ARROWS[key]))
        else:
            super().keyPressEvent(event)
