"""Recordings of what widgets paint, which any thread plays into pixels, an SVG or a PDF."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter, QPicture, QRegion
from PySide6.QtWidgets import QWidget

_ALONE = QWidget.RenderFlag(0)


class Recording:
    """Shapes, texts and images that ``paint`` paints at once; on the thread of the window where it asks widgets."""

    def __init__(self, paint: Callable[[QPainter], object]) -> None:
        self._picture = QPicture()
        painter = QPainter(self._picture)
        try:
            paint(painter)
        finally:
            painter.end()

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        """Paint it, scaled and placed as ``painter`` is; on any thread."""
        self._picture.play(painter)


def paint_widget(painter: QPainter, widget: QWidget) -> None:
    """Paint a widget and all in it; a ``QPicture`` clips children only where the painter does."""
    _paint_clipped(painter, widget, QPoint(), widget.rect(), QWidget.RenderFlag.DrawWindowBackground)


def _paint_clipped(painter: QPainter, widget: QWidget, at: QPoint, clip: QRect, flags: QWidget.RenderFlag) -> None:
    clip = clip.intersected(QRect(at, widget.size()))
    if clip.isEmpty():
        return
    painter.save()
    painter.setClipRect(clip)
    QWidget.render(widget, painter, at, QRegion(), flags)  # a view of graphics has another function of that name
    painter.restore()
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isHidden() and not child.isWindow():
            _paint_clipped(painter, child, at + child.pos(), clip, _ALONE)
