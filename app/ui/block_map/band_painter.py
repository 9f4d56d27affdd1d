"""The edges of the bands over the board: one pair of lines an attempt, with its threshold and what it found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.block_map.band_attempts import Labelled
from app.ui.block_map.block_map_frame import BlockMapFrame
from app.ui.block_map.skip_style import edge_pen
from app.ui.theme import Theme

LABEL_PADDING_PX = 4.0  # pixels round a label
NARROW_BAND_PX = 8.0  # pixels between two edges that would hide what lies there
LABEL_GAP_PX = 7.0  # pixels from an edge to its label


def paint_bands(
    painter: QPainter, frame: BlockMapFrame, matrix: QRectF, bands: Sequence[Labelled], theme: Theme
) -> None:
    """Paint the edges and labels of ``bands`` that lie in ``matrix``, all in pixels."""
    seen = frame.letters(frame.whole).intersected(matrix)
    if seen.isEmpty() or not bands:
        return
    painter.save()
    painter.setClipRect(frame.box(seen), Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    visible = [(band, _clipped(band, seen, frame)) for band in bands]
    for band, lines in visible:
        painter.setPen(edge_pen(theme, band.last, thin=_is_narrow(band, frame)))
        painter.drawLines(lines)
    _paint_labels(painter, [(band, _words(band, frame), lines) for band, lines in visible], frame.box(seen), theme)
    painter.restore()


def _is_narrow(band: Labelled, frame: BlockMapFrame) -> bool:
    """Return whether the edges lie so near to each other that nothing can be told between them."""
    return frame.point(band.attempt.n_diagonals, 0).x() - frame.point(0, 0).x() < NARROW_BAND_PX


def _words(band: Labelled, frame: BlockMapFrame) -> str:
    """Return the label: its second line says how many diagonals there are, and what to do where none can be seen."""
    return f"{band.text}: zoom in" if band.last and _is_narrow(band, frame) else band.text


def _paint_labels(
    painter: QPainter, visible: list[tuple[Labelled, str, list[QLineF]]], room: QRectF, theme: Theme
) -> None:
    """Right of the upper edge, each attempt further down than the one before; none covers another."""
    taken: list[QRectF] = []
    metrics = painter.fontMetrics()
    for number, (band, text, lines) in enumerate(visible, 1):
        if not lines:
            continue
        upper = max(lines, key=lambda line: line.p1().x() - line.p1().y())
        at = upper.pointAt(number / (len(visible) + 1))
        lines_of_text = text.split("\n")
        width = max(metrics.horizontalAdvance(line) for line in lines_of_text) + 2 * LABEL_PADDING_PX
        height = metrics.height() * len(lines_of_text)
        box = QRectF(at.x() + LABEL_GAP_PX, at.y() - LABEL_GAP_PX - height, width, height + 2)
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
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _clipped(band: Labelled, seen: QRectF, frame: BlockMapFrame) -> list[QLineF]:
    """Return the part of each edge that is seen, in pixels."""
    lines = []
    for row0, col0, row1, _ in band.attempt.edges():
        low = max(0.0, seen.top() - row0, seen.left() - col0)
        high = min(row1 - row0, seen.bottom() - row0, seen.right() - col0)
        if low < high:
            lines.append(QLineF(frame.point(col0 + low, row0 + low), frame.point(col0 + high, row0 + high)))
    return lines
