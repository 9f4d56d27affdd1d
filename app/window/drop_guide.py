"""Shows, while something is dragged over the window, which sequence it would replace."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from wavediff.app.ui.pair import Pair, Side
from wavediff.app.ui.theme import Theme


class DropGuide(QWidget):
    """A frame over the chip or the half of the letters where one thing would be dropped.

    The half of the letters at the left is that of A, as its chip is; it counts only where both sequences are there,
    else what is dropped goes to the side that is empty.
    """

    def __init__(
        self, pair: Pair, chips: Mapping[Side, QWidget], letters: QWidget, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._pair, self._chips, self._letters, self._theme = pair, chips, letters, theme
        self._text, self._over = "", parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Drop target")
        self.hide()

    def side_at(self, global_pos: QPoint, mime: QMimeData) -> Side | None:
        """Return the side that ``mime``, dropped there, would replace; None where that is not said by the place."""
        found = self._target(global_pos, mime)
        return None if found is None else found[0]

    def show_target(self, global_pos: QPoint, mime: QMimeData) -> None:
        """Frame the place that a drop would go to now."""
        found = self._target(global_pos, mime)
        if found is None:
            self.hide()
            return
        side, place = found
        there = self._pair[side] is not None
        self._text = f"Replace {side!s}" if there else f"Open as {side!s}"
        self.setAccessibleDescription(self._text)
        self.setGeometry(place)
        self.raise_()
        self.show()
        self.update()

    def _target(self, global_pos: QPoint, mime: QMimeData) -> tuple[Side, QRect] | None:
        if len(mime.urls()) > 1:  # they are A and B, wherever they fall
            return None
        for side, chip in self._chips.items():
            place = self._place(chip)
            if chip.isVisible() and place.contains(self._over.mapFromGlobal(global_pos)):
                return side, place
        place = self._place(self._letters)
        at = self._over.mapFromGlobal(global_pos)
        if self._pair.complete is None or not self._letters.isVisible() or not place.contains(at):
            return None
        half = QRect(place)
        half.setWidth(place.width() // 2)
        if half.contains(at):
            return Side.A, half
        half.moveRight(place.right())
        return Side.B, half

    def _place(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self._over, QPoint(0, 0)), widget.size())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.tint)
        veil.setAlphaF(0.88)
        painter.setPen(QPen(self._theme.accent, 2))
        painter.setBrush(veil)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.setPen(self._theme.text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
