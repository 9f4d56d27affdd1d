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
        alignment: its columns (no ``X``; in a gap, D before I), or None when only the length was asked for. Of the best
            ones always the same, but for ``hirschberg``: walking from the end, equal letters first, then D, then I;
            where that first touches the common prefix the rest is one gap. No gap of one kind could be moved a letter
            to the left, by any way. With ``Ties.FEWEST_GAPS`` windows of it have as few gaps as they can, a D and the I
            next to it being a substitution and no gap.
    """

    length: int

    @property
    def shown(self) -> Alignment | None:
        """The alignment with substitutions; each is a deletion and an insertion in the LCS."""
        return None if self.alignment is None else with_substitutions(self.alignment)
