"""Columns of an alignment in which an ambiguity code stands, counted apart from matches and substitutions.

A comparison takes letters as they are: ``N`` differs from ``A``, and equals ``N``. What that says of two genomes is for
the figures to tell: 521 letters that nobody read are no mutations.
"""

from __future__ import annotations

from typing import NamedTuple

from wavediff.core.sequences.letter_rules import Ambiguity


class Apart(NamedTuple):
    """Columns that are counted apart.

    Attributes:
        equal: with the same letter twice. substituted: with two letters, an X. paired: with a deleted and an inserted
            letter, as an alignment without X has them; each is two columns there.
        opens: gaps that consist of such pairs only.
        match: whether they count as matches; else they are left out.
    """

    equal: int = 0
    substituted: int = 0
    paired: int = 0
    opens: int = 0
    match: bool = False

    @property
    def n(self) -> int:
        """All of them, a pair once."""
        return self.equal + self.substituted + self.paired

    def matches(self, equal: int) -> int:
        """Return the matches among known letters, of ``equal`` columns of the same letter twice."""
        return equal + self.substituted + self.paired if self.match else equal - self.equal

    def columns(self, columns: int) -> int:
        """Return the columns that an identity is of."""
        return columns - self.paired - (0 if self.match else self.n)

    def letters(self, n: int) -> int:
        """Return the letters of one sequence that an identity is of."""
        return n if self.match else n - self.n


NONE_APART = Apart()


class CodeColumns(NamedTuple):
    """Columns with ambiguity codes by each rule.

    Attributes:
        letter: that may be any residue, ``N`` or ``X``.
        missing, compatible: what is counted apart by ``Ambiguity.MISSING`` and ``Ambiguity.COMPATIBLE``.
    """

    letter: str
    missing: Apart
    compatible: Apart

    def apart(self, rule: Ambiguity) -> Apart:
        return {Ambiguity.MISSING: self.missing, Ambiguity.COMPATIBLE: self.compatible}.get(rule, NONE_APART)
