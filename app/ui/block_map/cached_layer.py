"""A picture as large as a widget, which is made once, changed in places and shown in parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter


class CachedLayer:
    """Its memory is an array, which may be written at any time; Qt would move an image of its own that is being shown.

    Attributes:
        pixels: uint32, rows x columns of pixels of the device, as ``QColor.rgba`` has them (premultiplied).
        ratio: pixels of the device in one of the widget.

    Args:
        size: pixels of the widget.
        ratio: see above.
        ground: what it is filled with.
    """

    def __init__(self, size: QSize, ratio: float, ground: QColor) -> None:
        width, height = max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio))
        opaque = ground.alpha() == 255
        self.pixels: npt.NDArray[np.uint32] = np.full((height, width), ground.rgba() if opaque else 0, np.uint32)
        self.ratio = ratio
        self._form = QImage.Format.Format_RGB32 if opaque else QImage.Format.Format_ARGB32_Premultiplied
        self._shown = self._image()

    def _image(self) -> QImage:
        height, width = self.pixels.shape
        image = QImage(self.pixels.data, width, height, 4 * width, self._form)
        image.setDevicePixelRatio(self.ratio)
        return image

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing on a transparent ground."""
        return not self.pixels.any()

    def draw(self, paint: Callable[[QPainter], None]) -> None:
        """Let ``paint`` draw into it, in pixels of the widget."""
        image = self._image()  # the one that is shown may be in use, and would be moved
        painter = QPainter(image)
        paint(painter)
        painter.end()

    def show(self, painter: QPainter, rect: QRect) -> None:
        """Draw the part of it in ``rect`` (pixels of the widget) to where it belongs."""
        ratio = self.ratio
        if ratio == 1.0:
            painter.drawImage(rect, self._shown, rect)
        else:
            source = QRectF(rect.x() * ratio, rect.y() * ratio, rect.width() * ratio, rect.height() * ratio)
            painter.drawImage(QRectF(rect), self._shown, source)
