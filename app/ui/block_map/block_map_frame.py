"""Part of the matrix that a widget shows: from letters to pixels and back, closer and farther."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from wavediff.core.base.numbers import number
from wavediff.core.jobs.axes import Axes
from wavediff.core.sequences.sequence import Sequence

Letters = tuple[Sequence | None, Sequence | None]  # of A and B
MAX_CELL_PX = 72.0  # pixels; a cell is never larger
TOP_PX, LEAST_LEFT_PX, GAP_PX = 24, 40, 8.0  # room above the map and left of it; from the map to a number


def left_room(n: int, metrics: QFontMetricsF) -> int:
    """Return the pixels that the numbers of ``n`` rows need, whatever part of them is shown."""
    return max(LEAST_LEFT_PX, ceil(metrics.horizontalAdvance(number(n)) + GAP_PX))


@dataclass(frozen=True, slots=True)
class BlockMapFrame:
    """x = letters of B, y = letters of A; both of one scale, so a diagonal lies at 45 degrees.

    Attributes:
        n, m: letters of A and of B.
        room: pixels of the widget in which the map is.
        scale: pixels a letter; over 0.
        left, top: letters (0-based, fractions of one count) at the left and upper edge of the room.
        ratio: device pixels of a pixel.
        axes: what rows and columns are; None: letters.
    """

    n: int
    m: int
    room: QRectF
    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0
    ratio: float = 1.0
    axes: Axes | None = None

    @property
    def fit_scale(self) -> float:
        """Pixels a letter where all of the matrix is seen."""
        wide, high = self.room.width(), self.room.height()
        return min(max(1.0, wide) / max(1, self.m), max(1.0, high) / max(1, self.n), MAX_CELL_PX)

    @property
    def fits(self) -> bool:
        return self.scale <= self.fit_scale * (1 + 1e-9)

    @property
    def seen(self) -> QRectF:
        """Letters in the room."""
        return self.letters(self.room)

    @property
    def matrix(self) -> QRectF:
        """All letters, at least one a side."""
        return QRectF(0, 0, max(1, self.m), max(1, self.n))

    def point(self, x: float, y: float) -> QPointF:
        return self.room.topLeft() + QPointF(x - self.left, y - self.top) * self.scale

    def place(self, at: QPointF) -> QPointF:
        return QPointF(self.left, self.top) + (at - self.room.topLeft()) / self.scale

    def box(self, letters: QRectF) -> QRectF:
        return QRectF(self.point(letters.left(), letters.top()), self.point(letters.right(), letters.bottom()))

    def letters(self, pixels: QRectF) -> QRectF:
        return QRectF(self.place(pixels.topLeft()), self.place(pixels.bottomRight()))
