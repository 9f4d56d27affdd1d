"""The edges of the bands over the board: one pair of lines an attempt, with its threshold and what it found."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform

from app.models.band import Labelled
from app.theme import Theme
from app.views.band_hatch import edge_pen

PADDING = 4.0  # pixels round a label
GAP = 7.0  # pixels from an edge to its label


class BandItem(pg.GraphicsObject):
    """Lines in the coordinates of the matrix: x = letters of B, y = letters of A; labels in pixels."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._box = QRectF()
        self._bands: tuple[Labelled, ...] = ()

    def show_bands(self, n: int, m: int, bands: list[Labelled]) -> None:
        """Show ``bands`` over a matrix of ``n`` rows and ``m`` columns."""
        box = QRectF(0, 0, max(1, m), max(1, n))
        if box != self._box:
            self.prepareGeometryChange()
            self._box = box
        self._bands = tuple(bands)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._box

    def paint(self, painter: QPainter, *_args: Any) -> None:
        seen = self.viewRect().intersected(self._box)
        if seen.isEmpty() or not self._bands:
            return
        transform = painter.worldTransform()
        painter.save()
        painter.resetTransform()  # in pixels: long cosmetic dashes over a genome take seconds
        painter.setClipRect(transform.mapRect(seen), Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        visible = [(band, _clipped(band, seen, transform)) for band in self._bands]
        for band, lines in visible:
            painter.setPen(edge_pen(self._theme, band.last))
            painter.drawLines(lines)
        self._paint_labels(painter, visible, transform.mapRect(seen))
        painter.restore()

    def _paint_labels(self, painter: QPainter, visible: list[tuple[Labelled, list[QLineF]]], room: QRectF) -> None:
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
            ground = QColor(self._theme.base)
            ground.setAlphaF(0.9)
            painter.setBrush(ground)
            painter.setPen(QPen(self._theme.band if band.last else self._theme.grid, 1))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(self._theme.text if band.last else self._theme.dim)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, band.text)


def _clipped(band: Labelled, seen: QRectF, transform: QTransform) -> list[QLineF]:
    """Return the part of each edge that is seen, in pixels."""
    lines = []
    for row0, col0, row1, _ in band.attempt.edges():
        low = max(0.0, seen.top() - row0, seen.left() - col0)
        high = min(row1 - row0, seen.bottom() - row0, seen.right() - col0)
        if low < high:
            start, end = QPointF(col0 + low, row0 + low), QPointF(col0 + high, row0 + high)
            lines.append(QLineF(transform.map(start), transform.map(end)))
    return lines
