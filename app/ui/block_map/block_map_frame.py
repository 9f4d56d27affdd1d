"""Visible part of a matrix, and the path of an alignment through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B
from wavediff.core.jobs.axes import Axes
from wavediff.core.methods.base import LINE
from wavediff.core.sequences.sequence import Sequence

Letters = tuple[Sequence | None, Sequence | None]  # of A and B
MAX_CELL_PX = 72.0  # pixels; a cell is never larger
TOP_PX, LEAST_LEFT_PX, GAP_PX = 24, 40, 8.0  # room above the map and left of it; from the map to a number


def left_room(n: int, metrics: QFontMetricsF) -> int:
    """Return the width in pixels of row numbers up to ``n``."""
    return max(LEAST_LEFT_PX, ceil(metrics.horizontalAdvance(number(n)) + GAP_PX))


@dataclass(frozen=True, slots=True)
class BlockMapFrame:
    """Visible part of a matrix: x = letters of B, y = letters of A; equal scales, so diagonals have 45 degrees.

    Attributes:
        n, m: letters of A and of B.
        room: rectangle of the map in the widget, pixels.
        scale: pixels per letter; positive.
        left, top: letters (0-based, fractional) at the left and upper edge of the room.
        ratio: device pixels per pixel.
        axes: units of rows and columns; None: letters.
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
        """Pixels per letter that show the full matrix."""
        wide, high = self.room.width(), self.room.height()
        return min(max(1.0, wide) / max(1, self.m), max(1.0, high) / max(1, self.n), MAX_CELL_PX)

    @property
    def fits(self) -> bool:
        return self.scale <= self.fit_scale * (1 + 1e-9)

    @property
    def seen(self) -> QRectF:
        return self.letters(self.room)

    @property
    def matrix(self) -> QRectF:
        """All letters, at least one per side."""
        return QRectF(0, 0, max(1, self.m), max(1, self.n))

    def point(self, x: float, y: float) -> QPointF:
        return self.room.topLeft() + QPointF(x - self.left, y - self.top) * self.scale

    def place(self, at: QPointF) -> QPointF:
        return QPointF(self.left, self.top) + (at - self.room.topLeft()) / self.scale

    def box(self, letters: QRectF) -> QRectF:
        return QRectF(self.point(letters.left(), letters.top()), self.point(letters.right(), letters.bottom()))

    def letters(self, pixels: QRectF) -> QRectF:
        return QRectF(self.place(pixels.topLeft()), self.place(pixels.bottomRight()))


Places = npt.NDArray[np.int64]
MAX_RUNS = 1_000_000  # runs of an alignment that are added up at once; more would be felt


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPath:
    """Corners of the path, between the runs of the alignment.

    Attributes:
        a, b: int64, shape (corners,): rows and columns before each corner; non-decreasing.
        moved: int64, shape (k, 3): first row and column of each moved block, and its number of rows, equal to that of
            columns.
    """

    a: Places
    b: Places
    _sums: Places  # of both
    moved: Places = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    @staticmethod
    def of(alignment: Any, axes: Axes | None = None, result: Any = None) -> MatrixPath | None:
        """Return the path of ``alignment``; None without one, or if it is too long.

        Args:
            axes: units of rows and columns, if not letters. result: of a comparison of texts, for moved blocks.
        """
        if alignment is None or not 0 < alignment.ops.size <= MAX_RUNS:
            return None
        steps = (np.cumsum(alignment.lengths * consumes[alignment.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
        a, b = (np.concatenate([[0], each]) for each in steps)
        if axes is not None and axes.rows is not None:
            if axes.unit == LINE and result is not None:  # a changed line is one step
                lines = result.rows
                a, b = (starts[n] for starts, n in zip((lines.starts_a, lines.starts_b), lines.before, strict=True))
            a, b = axes.rows_before(0, a), axes.rows_before(1, b)
            if result is not None and len(result.moved):
                (i, j, n), rows = result.moved.T, result.rows
                first, end, other = (
                    axes.rows_before(side, starts[lines])
                    for side, starts, lines in ((0, rows.starts_a, i), (0, rows.starts_a, i + n), (1, rows.starts_b, j))
                )
                return MatrixPath(a, b, a + b, np.stack((first, other, end - first), axis=1))
        return MatrixPath(a, b, a + b)

    def moved_near(self, a: float, b: float, within: float) -> int | None:
        """Return the moved block (of ``moved``) nearest to a point within a distance, or None."""
        first, other, n = self.moved.T
        along = ((a - first + b - other) / 2).clip(0, n)
        off = np.hypot(first + along - a, other + along - b)
        return int(off.argmin()) if off.size and off.min() <= within else None

    def nearest(self, a: float, b: float) -> tuple[float, float]:
        """Return the point of the path on the antidiagonal of ``a`` and ``b``."""
        sums, wanted = self._sums, min(max(a + b, 0.0), float(self.a[-1] + self.b[-1]))
        run = min(max(int(np.searchsorted(sums, wanted)), 1), self.a.size - 1)
        before, after = int(sums[run - 1]), int(sums[run])
        share = (wanted - before) / (after - before) if after > before else 0.0
        a0, a1, b0, b1 = self.a[run - 1], self.a[run], self.b[run - 1], self.b[run]
        return float(a0 + share * (a1 - a0)), float(b0 + share * (b1 - b0))

    def part(self, seen: QRectF, most: int) -> list[tuple[float, float]]:
        """Return about ``most`` corners of the path between the antidiagonals of ``seen`` (x: letters of B), as letters
        of A and of B."""
        first, last = seen.top() + seen.left(), seen.bottom() + seen.right()
        within = slice(int(np.searchsorted(self._sums, first)), int(np.searchsorted(self._sums, last)))
        step = -(-max(1, within.stop - within.start) // max(1, most))
        kept = slice(within.start, within.stop, step)
        corners = zip(self.a[kept].tolist(), self.b[kept].tolist(), strict=True)
        return [self.nearest(seen.top(), seen.left()), *corners, self.nearest(seen.bottom(), seen.right())]
