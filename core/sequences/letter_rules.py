"""Rules for letters; imports no NumPy, so command-line help appears at once."""

from __future__ import annotations

from enum import StrEnum


class CaseRule(StrEnum):
    """Rule for upper and lower case."""

    AUTO = "auto"  # as the alphabets of the sequences have it
    FOLD = "fold"
    EXACT = "exact"

    @classmethod
    def of(cls, fold: bool | None) -> CaseRule:
        """Return the rule that folds case or not; None: AUTO."""
        return cls.AUTO if fold is None else cls.FOLD if fold else cls.EXACT

    def folds(self, auto: bool) -> bool:
        """Return whether case is folded; ``auto``: the default for the sequences."""
        return auto if self is CaseRule.AUTO else self is CaseRule.FOLD


class UracilRule(StrEnum):
    """Rule for U and T in a pair of nucleotide sequences."""

    AUTO = "auto"  # one letter
    EXACT = "exact"


class LetterRule(StrEnum):
    """Meaning of pattern letters."""

    LITERAL = "literal"  # each byte for itself
    NUCLEOTIDE = "nucleotide"  # IUPAC codes
    PROTEIN = "protein"  # amino acids with B, Z, J and X

    @staticmethod
    def of(alphabet: str) -> LetterRule:
        """Return the rule for an alphabet (``wavediff.core.sequences.sequence.Alphabet``)."""
        rules = {"DNA": LetterRule.NUCLEOTIDE, "RNA": LetterRule.NUCLEOTIDE, "protein": LetterRule.PROTEIN}
        return rules.get(alphabet, LetterRule.LITERAL)


class Ambiguity(StrEnum):
    """Treatment of ambiguity codes in statistics; the comparison itself uses letters as they are."""

    LETTERS = "letters"  # each code is a letter like all others
    MISSING = "missing"  # columns with N (in proteins X) are counted apart, and are in no identity
    COMPATIBLE = "compatible"  # codes that may stand for the same residue are counted apart, as matches
