"""The mark of each block state, beside its colour: nobody needs to tell colours apart."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.ui.theme import Theme
from core.jobs.grid import BlockState

LEGEND = {
    BlockState.WAITING: "waiting",
    BlockState.RUNNING: "running",
    BlockState.DONE: "done",
    BlockState.PATH: "path",
    BlockState.OUTSIDE_BAND: "outside the band",
    BlockState.FAILED: "failed",
    BlockState.MONOTONE: "monotone border",
}

MAX_SYMBOL_PX = 24.0  # pixels; in a block of any size the mark is a mark and not the picture


def paint_marks(painter: QPainter, state: BlockState, boxes: list[QRectF], theme: Theme) -> None:
    """Draw the mark of ``state`` into each box of the same size: one call for all of them."""
    if not boxes or state not in {BlockState.RUNNING, BlockState.PATH, BlockState.FAILED}:
        return  # what was not computed has its hatch, see ``band_hatch``
    size = min(boxes[0].width(), boxes[0].height(), MAX_SYMBOL_PX)
    ink = theme.ink_on(theme.state_color(state))
    if state is BlockState.RUNNING:
        pen = QPen(ink, size * 0.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints(QPolygonF([box.center() for box in boxes]))
        return
    painter.setPen(QPen(ink, max(1.0, size * 0.1), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    r = 0.25 * size
    lines: list[QLineF] = []
    for box in boxes:
        c = box.center()
        down = QLineF(QPointF(c.x() - r, c.y() - r), QPointF(c.x() + r, c.y() + r))
        up = QLineF(QPointF(c.x() - r, c.y() + r), QPointF(c.x() + r, c.y() - r))
        lines.append(down)
        if state is not BlockState.PATH:
            lines.append(up)
    painter.drawLines(lines)
