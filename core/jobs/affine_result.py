"""Result of a global alignment with affine gaps."""

from __future__ import annotations

from dataclasses import dataclass

from wavediff.core.jobs.results import PairResult
from wavediff.core.sequences.scoring.scheme import ScoringScheme


@dataclass(frozen=True, slots=True)
class Columns:
    """Counts of the columns of an alignment.

    Attributes:
        identities: columns with equal letters under the case rule.
        positives: columns with two letters of positive score, including most identities.
        pairs: columns with two letters.
        gaps: runs of gap columns; an insertion next to a deletion counts as two.
        gap_letters: columns in gaps.
    """

    identities: int
    positives: int
    pairs: int
    gaps: int
    gap_letters: int

    @property
    def total(self) -> int:
        return self.pairs + self.gap_letters


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AffineResult(PairResult):
    """Answer to an ``AffineJob``; checked before it is returned.

    Attributes:
        units: the score times ``scoring.scale``, an integer.
        scoring: scoring scheme of the job.
        alignment: None for the score only. The choice among optimal ones is unique: from the end, a column of two
            letters first, then an insertion, then a deletion, and the shortest gap. No gap of one kind can move left at
            the same score.
        columns: counts of its columns, or None.
        identical: whether both sequences have the same letters under the case rule.
    """

    units: int
    scoring: ScoringScheme
    columns: Columns | None
    identical: bool

    @property
    def score(self) -> float:
        """The score; an int if it is integral."""
        whole, rest = divmod(self.units, self.scoring.scale)
        return self.units / self.scoring.scale if rest else whole
