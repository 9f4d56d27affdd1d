"""Band of an attempt: its edges, and what its threshold proves."""

from __future__ import annotations

from typing import NamedTuple

from wavediff.core.base.numbers import count
from wavediff.core.jobs.edit_result import EditResult, SkipReason
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.methods.wording import known_edits, with_apart

SLIDER_CELLS = 10_000_000  # a matrix up to here is computed again while a slider moves

# Ways that compute no block at all, and what the whole grid was skipped for.
SKIPPED_AS: dict[str, SkipReason] = {
    "common-ends": SkipReason.ENDS,
    "subsequence": SkipReason.SUBSEQUENCE,
    "disjoint": SkipReason.DISJOINT,
    "diagonals": SkipReason.DIAGONALS,
}


class Band(NamedTuple):
    """Diagonals ``column - row`` of a band from ``low`` to ``high``, relative to ``grid``."""

    grid: BlockGrid
    low: int
    high: int

    @classmethod
    def of(cls, plan: Planned | None) -> Band | None:
        """Return the band of an attempt, or None."""
        return None if plan is None or plan.low is None or plan.high is None else cls(plan.grid, plan.low, plan.high)

    @property
    def n_diagonals(self) -> int:
        return self.high - self.low + 1

    def holds(self, a0: int, b0: int) -> bool:
        """Return whether cell (``a0``, ``b0``) of the full matrix, 0-based, is in the band."""
        return self.low <= (b0 - self.grid.col0) - (a0 - self.grid.row0) <= self.high

    def edges(self) -> list[tuple[float, float, float, float]]:
        """Return the band's edges inside the grid as (row, column, row, column) of the full matrix.

        An edge is the boundary between computed and other diagonals; edges outside the grid are omitted.
        """
        boxes = []
        for diagonal in (self.low - 1, self.high + 1):
            first = max(0, -diagonal)
            last = min(self.grid.n_rows, self.grid.n_cols - diagonal)
            if first < last:
                row, col = self.grid.row0, self.grid.col0 + diagonal
                boxes.append((float(row + first), float(col + first), float(row + last), float(col + last)))
        return boxes


def verdict(result: EditResult, threshold: int | None) -> str:
    """Return one sentence: is ``result`` exact or a bound? ``threshold``: that of a band chosen by the user."""
    edits = with_apart(count(known_edits(result), "edit", "edits"), result)
    if threshold is None and result.exact:
        return f"{edits}, exact"
    if threshold is None:
        return f"Upper bound only: at most {edits}"
    if result.exact:
        return f"{edits}, exact: this band is wide enough"
    return f"Upper bound only: at most {edits} (this band is too narrow)"


def can_slide(n: int, m: int) -> bool:
    """Return whether a matrix of ``n`` x ``m`` is small enough to compute it for each position of a slider."""
    return 0 < n * m <= SLIDER_CELLS
