"""Part of the matrix that a widget shows: from letters to pixels and back, closer and farther."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

MAX_CELL_PX = 72.0  # pixels; a cell is never larger


@dataclass(frozen=True, slots=True)
class BlockMapFrame:
    """x = letters of B, y = letters of A; both of one scale, so a diagonal lies at 45 degrees.

    Attributes:
        n, m: letters of A and of B.
        width, height: pixels of the widget.
        scale: pixels a letter; over 0.
        left, top: letters (0-based, fractions of one count) at the widget's left and upper edge.
        ratio: device pixels of a pixel.
    """

    n: int
    m: int
    width: int
    height: int
    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0
    ratio: float = 1.0

    @property
    def fit_scale(self) -> float:
        """Pixels a letter where all of the matrix is seen."""
        return min(max(1, self.width) / max(1, self.m), max(1, self.height) / max(1, self.n), MAX_CELL_PX)

    @property
    def fits(self) -> bool:
        """Return whether all of the matrix is seen."""
        return self.scale <= self.fit_scale

    @property
    def whole(self) -> QRectF:
        return QRectF(0, 0, self.width, self.height)

    @property
    def matrix(self) -> QRectF:
        """All letters, at least one a side."""
        return QRectF(0, 0, max(1, self.m), max(1, self.n))

    def point(self, x: float, y: float) -> QPointF:
        return QPointF((x - self.left) * self.scale, (y - self.top) * self.scale)

    def place(self, at: QPointF) -> QPointF:
        return QPointF(self.left + at.x() / self.scale, self.top + at.y() / self.scale)

    def box(self, letters: QRectF) -> QRectF:
        return QRectF(self.point(letters.left(), letters.top()), self.point(letters.right(), letters.bottom()))

    def letters(self, pixels: QRectF) -> QRectF:
        return QRectF(self.place(pixels.topLeft()), self.place(pixels.bottomRight()))

    def fitted(self) -> BlockMapFrame:
        return replace(self, scale=self.fit_scale, left=0.0, top=0.0)

    def resized(self, width: int, height: int) -> BlockMapFrame:
        """Return the same part in another size: all of it stays all of it, else the middle stays in the middle."""
        new = replace(self, width=width, height=height)
        if self.fits or new.fit_scale >= self.scale:
            return new.fitted()
        middle = self.place(QPointF(self.width / 2, self.height / 2))
        left, top = middle.x() - width / 2 / self.scale, middle.y() - height / 2 / self.scale
        return replace(new, left=left, top=top)._within()

    def zoomed(self, factor: float, at: QPointF, place: QPointF) -> BlockMapFrame:
        """Return the frame ``factor`` closer in which ``place`` of the matrix is at pixel ``at``."""
        scale = min(max(self.scale * factor, self.fit_scale), MAX_CELL_PX)
        new = replace(self, scale=scale, left=place.x() - at.x() / scale, top=place.y() - at.y() / scale)
        if new.fits:
            return new.fitted()
        return new if factor >= 1 else new._within()

    def panned(self, by: QPointF) -> BlockMapFrame:
        """Return the frame moved by pixels ``by``, no farther beyond the matrix than it is."""
        if self.fits:
            return self
        x, y = self._room()
        left, top = self.left - by.x() / self.scale, self.top - by.y() / self.scale
        left = min(max(left, min(x[0], self.left)), max(x[1], self.left))
        return replace(self, left=left, top=min(max(top, min(y[0], self.top)), max(y[1], self.top)))

    def _within(self) -> BlockMapFrame:
        (low_x, high_x), (low_y, high_y) = self._room()
        return replace(self, left=min(max(self.left, low_x), high_x), top=min(max(self.top, low_y), high_y))

    def _room(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the least and largest ``left``, and ``top``, between which as much as can be is matrix."""
        x, y = self.m - self.width / self.scale, self.n - self.height / self.scale
        return (min(0.0, x), max(0.0, x)), (min(0.0, y), max(0.0, y))
