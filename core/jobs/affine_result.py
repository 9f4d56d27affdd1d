"""Result of a global alignment with affine gaps."""

from __future__ import annotations

from dataclasses import dataclass

from wavediff.core.jobs.results import PairResult
from wavediff.core.sequences.scoring.scheme import ScoringScheme


@dataclass(frozen=True, slots=True)
class Columns:
    """Counts of the columns of an alignment.

    Attributes:
        identities: with the same letter twice, under the case rule.
        positives: with two letters whose score is above 0; most identities are among them.
        pairs: with two letters.
        gaps: gaps, each of one or more columns; neighbours of which one inserts and one deletes are two.
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
        units: the score times ``scoring.scale``, a whole number.
        scoring: what it was computed with.
        alignment: its columns, or None when only the score was asked for. Of the best ones always the same, whatever
            the blocks and the threads: from the end, a column of two letters first, then an insertion, then a
            deletion, and a gap as short as it can be. No gap of one kind could be moved a letter to the left at the
            same score.
        columns: counts of them, None likewise.
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
