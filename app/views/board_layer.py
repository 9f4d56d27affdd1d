"""A picture that is made once and shown again for every frame, in parts."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter


class Layer:
    """Knows where there is anything in it: most of what lies over a board is empty, and costs nothing.

    Args:
        size: pixels of the widget.
        ratio: device pixels of a pixel.
        ground: what it is filled with first; where it is transparent, what ``paint`` leaves empty is never drawn.
        paint: draws it.
    """

    def __init__(self, size: QSize, ratio: float, ground: QColor, paint: Callable[[QPainter], None]) -> None:
        self.ratio = ratio
        width, height = max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio))
        form = QImage.Format.Format_RGB32 if ground.alpha() == 255 else QImage.Format.Format_ARGB32_Premultiplied
        self._image = QImage(width, height, form)
        self._image.setDevicePixelRatio(ratio)
        self._image.fill(ground)
        painter = QPainter(self._image)
        paint(painter)
        painter.end()
        pixels = np.frombuffer(self._image.constBits(), np.uint32).reshape(height, width)
        self._marked = pixels != 0

    def paint(self, painter: QPainter, rect: QRect) -> None:
        """Draw the part of it in ``rect`` (pixels of the widget)."""
        x, y, width, height, ratio = rect.x(), rect.y(), rect.width(), rect.height(), self.ratio
        part = self._marked[floor(y * ratio) : ceil((y + height) * ratio), floor(x * ratio) : ceil((x + width) * ratio)]
        if part.any():
            source = QRectF(x * ratio, y * ratio, width * ratio, height * ratio)
            painter.drawImage(QRectF(rect), self._image, source)
