"""Fronts of furthest-reaching points that are kept for a walk back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.arrays import Counts
from core.kernels.pairwise.diagonal_transition.furthest_points import NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class FurthestPoints:
    """The points of one cost from diagonal ``low`` on, less than 0: nowhere; int32, or int64 of long sequences."""

    cost: int
    low: int
    points: Any

    def fetch(self, low: int, n: int) -> Counts:
        """Return the points of ``n`` diagonals from ``low`` on, int64, ``NOWHERE`` where it has none."""
        out = np.full(n, NOWHERE, np.int64)
        start, end = max(low, self.low), min(low + n, self.low + int(self.points.size))
        if start < end:
            out[start - low : end - low] = self._read(start - self.low, end - self.low)
        return np.maximum(out, NOWHERE)

    def _read(self, first: int, end: int) -> Any:
        return self.points[first:end]
