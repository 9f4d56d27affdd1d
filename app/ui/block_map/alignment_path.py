"""The path of an alignment through the matrix, as much of it as a picture can show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B
from wavediff.core.jobs.axes import Axes

Places = npt.NDArray[np.int64]
MAX_RUNS = 1_000_000  # runs of an alignment that are added up at once; more would be felt


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPath:
    """Corners of the path, where one run of the alignment ends and the next begins.

    Attributes:
        a, b: int64, shape (corners,): rows and columns before each; neither ever falls.
        moved: int64, shape (k, 3): first row and column of each block that moved, and how many it has of both.
    """

    a: Places
    b: Places
    _sums: Places  # of both
    moved: Places = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    @staticmethod
    def of(alignment: Any, axes: Axes | None = None, result: Any = None) -> MatrixPath | None:
        """Return the path of ``alignment``; None where there is none or it is too long to add up.

        Args:
            axes: of the matrix, where its rows and columns are not letters. result: of lines, whose blocks moved.
        """
        if alignment is None or not 0 < alignment.ops.size <= MAX_RUNS:
            return None
        steps = (np.cumsum(alignment.lengths * consumes[alignment.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
        a, b = (np.concatenate([[0], each]) for each in steps)
        if axes is not None and axes.rows is not None:
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
        """Return the block that moved (of ``moved``) that is nearest to a point, and no farther than ``within``."""
        first, other, n = self.moved.T
        along = ((a - first + b - other) / 2).clip(0, n)
        off = np.hypot(first + along - a, other + along - b)
        return int(off.argmin()) if off.size and off.min() <= within else None

    def nearest(self, a: float, b: float) -> tuple[float, float]:
        """Return the point of the path on the antidiagonal of ``a`` and ``b``, which crosses it once."""
        sums, wanted = self._sums, min(max(a + b, 0.0), float(self.a[-1] + self.b[-1]))
        run = min(max(int(np.searchsorted(sums, wanted)), 1), self.a.size - 1)
        before, after = int(sums[run - 1]), int(sums[run])
        share = (wanted - before) / (after - before) if after > before else 0.0
        a0, a1, b0, b1 = self.a[run - 1], self.a[run], self.b[run - 1], self.b[run]
        return float(a0 + share * (a1 - a0)), float(b0 + share * (b1 - b0))

    def part(self, seen: QRectF, most: int) -> list[tuple[float, float]]:
        """Return the path from where it enters the antidiagonals of ``seen`` (x: letters of B) to where it leaves.

        Some ``most`` corners, as letters of A and of B.
        """
        first, last = seen.top() + seen.left(), seen.bottom() + seen.right()
        within = slice(int(np.searchsorted(self._sums, first)), int(np.searchsorted(self._sums, last)))
        step = -(-max(1, within.stop - within.start) // max(1, most))
        kept = slice(within.start, within.stop, step)
        corners = zip(self.a[kept].tolist(), self.b[kept].tolist(), strict=True)
        return [self.nearest(seen.top(), seen.left()), *corners, self.nearest(seen.bottom(), seen.right())]
