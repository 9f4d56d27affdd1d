"""The mark of each block state, beside its colour: nobody needs to tell colours apart."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import Theme
from core.grid import BlockState

LEGEND = {
    BlockState.WAITING: "waiting",
    BlockState.RUNNING: "running",
    BlockState.DONE: "done",
    BlockState.PATH: "path",
    BlockState.OUTSIDE_BAND: "not needed",
    BlockState.FAILED: "failed",
}


def paint_marks(painter: QPainter, state: BlockState, boxes: list[QRectF], theme: Theme) -> None:
    """Draw the mark of ``state`` into each box of the same size: one call for all of them."""
    if not boxes or state in {BlockState.WAITING, BlockState.DONE}:
        return
    size = min(boxes[0].width(), boxes[0].height())
    ink = theme.ink_on(theme.state_color(state))
    if state is BlockState.RUNNING:
        pen = QPen(ink, size * 0.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints(QPolygonF([box.center() for box in boxes]))
        return
    painter.setPen(QPen(ink, max(1.0, size * 0.1), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    if state is BlockState.OUTSIDE_BAND:
        painter.setPen(QPen(theme.dim, 1))
    r = 0.25 * size
    lines: list[QLineF] = []
    for box in boxes:
        c = box.center()
        down = QLineF(QPointF(c.x() - r, c.y() - r), QPointF(c.x() + r, c.y() + r))
        up = QLineF(QPointF(c.x() - r, c.y() + r), QPointF(c.x() + r, c.y() - r))
        if state is not BlockState.OUTSIDE_BAND:
            lines.append(down)
        if state is not BlockState.PATH:
            lines.append(up)
    painter.drawLines(lines)


class Legend(QWidget):
    """One line: a block of each state with its name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._states = tuple(LEGEND)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend: " + ", ".join(LEGEND.values()))
        theme.changed.connect(self._repaint)

    @Slot()
    def _repaint(self) -> None:
        self.update()

    def _places(self) -> list[tuple[BlockState, int, int]]:
        """(state, left, line) of each entry at the present width."""
        places, left, line = [], 2, 0
        for state in self._states:
            width = 12 + 5 + self.fontMetrics().horizontalAdvance(LEGEND[state]) + 12
            if left + width > self.width() and left > 2:
                left, line = 2, line + 1
            places.append((state, left, line))
            left += width
        return places

    @property
    def _line_height(self) -> int:
        return self.fontMetrics().height() + 3

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        total = sum(29 + self.fontMetrics().horizontalAdvance(name) for name in LEGEND.values())
        return self._line_height * (1 + total // max(1, width))

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self._line_height
        for state, left, line in self._places():
            box = QRectF(left + 0.5, line * height + (height - 12) / 2 + 0.5, 11, 11)
            painter.setPen(QPen(self._theme.dim, 1))
            painter.setBrush(QBrush(self._theme.state_color(state)))
            painter.drawRect(box)
            paint_marks(painter, state, [box], self._theme)
            painter.setPen(QColor(self._theme.text))
            text = QRectF(left + 17, line * height, self.width(), height)
            painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, LEGEND[state])
