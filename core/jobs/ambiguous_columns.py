"""Alignment columns with ambiguity codes, counted separately from matches and substitutions.

A comparison takes letters literally: ``N`` differs from ``A``, and equals ``N``. The statistics interpret them: 521
unread letters are no mutations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.sequences.letter_rules import Ambiguity


class Apart(NamedTuple):
    """Numbers of columns that are counted separately because of ambiguity codes.

    Attributes:
        equal: columns with equal letters. substituted: columns with two different letters.
        paired: pairs of a deleted and an inserted letter: two columns of the alignment, displayed as one.
        opens: gaps that consist of such pairs only. match: whether to count the columns as matches or omit them.
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
        """Number of displayed columns counted separately; a pair counts once."""
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


@dataclass(frozen=True, slots=True, eq=False)
class CodeColumns:
    """Columns with ambiguity codes, under each rule.

    Attributes:
        letter: code of any residue, ``N`` or ``X``.
        alignment: as displayed. A deletion next to an insertion becomes substitutions if one of them has only
            ``letter``.
        missing, compatible: columns counted separately by ``Ambiguity.MISSING`` and ``Ambiguity.COMPATIBLE``.
        missing_at, compatible_at: int64, shape (k, 2): columns ``[first, end)`` of ``alignment`` with two different
            letters, counted separately; sorted, not adjacent.
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
