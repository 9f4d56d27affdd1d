"""The edges of the bands over the board: one pair of lines an attempt, with its threshold and what it found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.models.band import Labelled
from app.theme import Theme
from app.views.band_hatch import edge_pen
from app.views.board_frame import Frame

PADDING = 4.0  # pixels round a label
GAP = 7.0  # pixels from an edge to its label


def paint_bands(painter: QPainter, frame: Frame, matrix: QRectF, bands: Sequence[Labelled], theme: Theme) -> None:
    """Paint the edges and labels of ``bands`` that lie in ``matrix``, all in pixels."""
    seen = frame.letters(frame.whole).intersected(matrix)
    if seen.isEmpty() or not bands:
        return
    painter.save()
    painter.setClipRect(frame.box(seen), Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    visible = [(band, _clipped(band, seen, frame)) for band in bands]
    for band, lines in visible:
        painter.setPen(edge_pen(theme, band.last))
        painter.drawLines(lines)
    _paint_labels(painter, visible, frame.box(seen), theme)
    painter.restore()


def _paint_labels(painter: QPainter, visible: list[tuple[Labelled, list[QLineF]]], room: QRectF, theme: Theme) -> None:
    """Right of the upper edge, each attempt further down than the one before; none covers another."""
    taken: list[QRectF] = []
    metrics = painter.fontMetrics()
    for number, (band, lines) in enumerate(visible, 1):
        if not lines:
            continue
        upper = max(lines, key=lambda line: line.p1().x() - line.p1().y())
        at = upper.pointAt(number / (len(visible) + 1))
        width = metrics.horizontalAdvance(band.text) + 2 * PADDING
        box = QRectF(at.x() + GAP, at.y() - GAP - metrics.height(), width, metrics.height() + 2)
        if box.right() > room.right() - 2:
            box.moveRight(room.right() - 2)
        if box.top() < room.top() + 2:
            box.moveTop(room.top() + 2)
        while any(box.intersects(other) for other in taken):
            box.translate(0, box.height() + 2)
        taken.append(box)
        ground = QColor(theme.base)
        ground.setAlphaF(0.9)
        painter.setBrush(ground)
        painter.setPen(QPen(theme.band if band.last else theme.grid, 1))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.text if band.last else theme.dim)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, band.text)


def _clipped(band: Labelled, seen: QRectF, frame: Frame) -> list[QLineF]:
    """Return the part of each edge that is seen, in pixels."""
    lines = []
    for row0, col0, row1, _ in band.attempt.edges():
        low = max(0.0, seen.top() - row0, seen.left() - col0)
        high = min(row1 - row0, seen.bottom() - row0, seen.right() - col0)
        if low < high:
            lines.append(QLineF(frame.point(col0 + low, row0 + low), frame.point(col0 + high, row0 + high)))
    return lines
