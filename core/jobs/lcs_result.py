"""Result of a longest common subsequence."""

from __future__ import annotations

from dataclasses import dataclass

from wavediff.core.jobs.alignment import Alignment, with_substitutions
from wavediff.core.jobs.results import PairResult


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LcsResult(PairResult):
    """Answer to an ``LcsJob``; checked before it is returned.

    Attributes:
        length: letters of the longest common subsequence.
        alignment: the alignment (no ``X``; in a gap, D before I), or None if not requested. The choice among optimal
            ones is unique except for ``hirschberg``: from the end, equal letters first, then D, then I; at the common
            prefix the remaining letters form one gap. No gap of one kind can move left. With ``Ties.FEWEST_GAPS``,
            windows have the fewest gaps; a D next to an I is then a substitution, not a gap.
    """

    length: int

    @property
    def shown(self) -> Alignment | None:
        """The alignment with substitutions; each is a deletion and an insertion in the LCS."""
        return None if self.alignment is None else with_substitutions(self.alignment)
