"""The path of an alignment through the matrix, as much of it as a picture can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.jobs.alignment import CONSUMES_A, CONSUMES_B

Places = npt.NDArray[np.int64]
MAX_RUNS = 1_000_000  # runs of an alignment that are added up at once; more would be felt


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPath:
    """Corners of the path, where one run of the alignment ends and the next begins.

    Attributes:
        a, b: int64, shape (corners,): letters of A and of B before each; neither ever falls.
    """

    a: Places
    b: Places

    @staticmethod
    def of(alignment: Any) -> MatrixPath | None:
        """Return the path of ``alignment``; None where there is none or it is too long to add up."""
        if alignment is None or not 0 < alignment.ops.size <= MAX_RUNS:
            return None
        steps = (np.cumsum(alignment.lengths * consumes[alignment.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
        a, b = (np.concatenate([[0], each]) for each in steps)
        return MatrixPath(a, b)

    def part(self, a: tuple[float, float], b: tuple[float, float], most: int) -> tuple[Places, Places]:
        """Return some ``most`` corners between letters ``a`` and between letters ``b``, and the ones next to these.

        As letters of A and letters of B.
        """
        sides = (self.a, a), (self.b, b)
        first = max(0, max(int(np.searchsorted(each, low)) for each, (low, _) in sides) - 1)
        last = min(self.a.size, min(int(np.searchsorted(each, high, "right")) for each, (_, high) in sides) + 1)
        if last <= first:
            return self.a[:0], self.b[:0]
        kept = np.arange(first, last, -(-(last - first) // max(1, most)))
        if kept[-1] != last - 1:
            kept = np.append(kept, last - 1)
        return self.a[kept], self.b[kept]
