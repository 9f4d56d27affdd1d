"""Alignment columns with ambiguity codes, counted separately from matches and substitutions.

A comparison takes letters as they are: ``N`` differs from ``A``, and equals ``N``. What that says of two genomes is for
the figures to tell: 521 letters that no one read are no mutations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.sequences.letter_rules import Ambiguity


class Apart(NamedTuple):
    """Columns counted separately.

    Attributes:
        equal: with the same letter twice. substituted: with two letters, an X. paired: with a deleted and an inserted
            letter, which are two columns of the alignment and one of that which is shown.
        opens: gaps that are none without such pairs.
        match: whether they count as matches; else they are left out.
    """

    equal: int = 0
    substituted: int = 0
    paired: int = 0
    opens: int = 0
    match: bool = False

    @property
    def edits(self) -> int:
        """Number of columns that would otherwise be edits."""
        return self.substituted + self.paired

    @property
    def n(self) -> int:
        """Number of columns; a pair counts once."""
        return self.equal + self.edits

    def matches(self, equal: int) -> int:
        """Return the matches among known letters, given ``equal`` columns of identical letters."""
        return equal + self.edits if self.match else equal - self.equal

    def columns(self, columns: int) -> int:
        return columns - self.paired - (0 if self.match else self.n)

    def letters(self, n: int) -> int:
        """Return the number of letters that enter an identity."""
        return n if self.match else n - self.n


NONE_APART = Apart()
APART = 5  # follows the codes of ``Op`` and ``SWAP``: a run of columns that are counted apart


@dataclass(frozen=True, slots=True, eq=False)
class CodeColumns:
    """Columns with ambiguity codes, under each rule.

    Attributes:
        letter: that may be any residue, ``N`` or ``X``.
        alignment: as it is shown. A deletion next to an insertion, one of which is nothing but ``letter``, is
            substitutions there: no gap is known.
        missing, compatible: what is counted apart by ``Ambiguity.MISSING`` and ``Ambiguity.COMPATIBLE``.
        missing_at, compatible_at: int64, shape (k, 2): columns ``[first, end)`` of ``alignment`` that are two different
            letters and counted apart; sorted, no two touch.
    """

    letter: str
    alignment: Alignment
    missing: Apart
    compatible: Apart
    missing_at: Counts
    compatible_at: Counts

    def apart(self, rule: Ambiguity) -> Apart:
        return {Ambiguity.MISSING: self.missing, Ambiguity.COMPATIBLE: self.compatible}.get(rule, NONE_APART)

    def apart_at(self, rule: Ambiguity) -> Counts | None:
        return {Ambiguity.MISSING: self.missing_at, Ambiguity.COMPATIBLE: self.compatible_at}.get(rule)
