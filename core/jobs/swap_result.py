"""The edit distance with swaps, and the swapped letters."""

from __future__ import annotations

from dataclasses import dataclass

from wavediff.core.jobs.alignment import Swaps
from wavediff.core.jobs.results import PairResult


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SwapEditResult(PairResult):
    """Answer to a ``SwapEditJob``; checked before it is returned.

    Attributes:
        distance: fewest substitutions, insertions, deletions and, if allowed by the job, swaps.
        distance_with_swaps, distance_without_swaps: both distances; None if not computed (distance only).
        swaps: the swaps in ``alignment``, where each is ``X``, a gap, ``X``; None without an alignment. The distance is
            the number of edit columns minus the number of swaps.
    """

    distance: int
    distance_with_swaps: int | None
    distance_without_swaps: int | None
    swaps: Swaps | None
