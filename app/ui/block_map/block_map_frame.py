"""Part of the matrix that a widget shows: from letters to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF


@dataclass(frozen=True, slots=True)
class BlockMapFrame:
    """x = letters of B, y = letters of A.

    Attributes:
        left, top: letters (0-based, fractions of one count) at the widget's left and upper edge.
        per_x, per_y: pixels a letter; over 0.
        width, height: pixels.
        ratio: device pixels of a pixel.
    """

    left: float
    top: float
    per_x: float
    per_y: float
    width: int
    height: int
    ratio: float

    def point(self, x: float, y: float) -> QPointF:
        """Return the pixel of a place in the matrix."""
        return QPointF((x - self.left) * self.per_x, (y - self.top) * self.per_y)

    def box(self, letters: QRectF) -> QRectF:
        """Return the pixels of a part of the matrix."""
        return QRectF(self.point(letters.left(), letters.top()), self.point(letters.right(), letters.bottom()))

    def letters(self, pixels: QRectF) -> QRectF:
        """Return the part of the matrix under ``pixels``."""
        left, top = self.left + pixels.left() / self.per_x, self.top + pixels.top() / self.per_y
        return QRectF(left, top, pixels.width() / self.per_x, pixels.height() / self.per_y)

    @property
    def whole(self) -> QRectF:
        """All pixels."""
        return QRectF(0, 0, self.width, self.height)
