"""Choices that the command line lists; no NumPy is imported here, so that its help is shown at once."""

from __future__ import annotations

from enum import StrEnum


class Device(StrEnum):
    """Device of a job."""

    AUTO = "auto"  # wherever it is done first
    CPU = "cpu"
    GPU = "gpu"


class CaseRule(StrEnum):
    """Rule for upper and lower case."""

    AUTO = "auto"  # as the alphabets of the sequences have it
    FOLD = "fold"
    EXACT = "exact"

    def folds(self, auto: bool) -> bool:
        """Return whether case is folded; ``auto``: whether the sequences suggest it."""
        return auto if self is CaseRule.AUTO else self is CaseRule.FOLD


class Pairing(StrEnum):
    """Pairs that a batch has."""

    ONE_TO_ONE = "one-to-one"  # first with first, second with second...
    ALL_TO_ALL = "all-to-all"  # each with each


class LetterRule(StrEnum):
    """Meaning of the letters of a pattern."""

    LITERAL = "literal"  # each byte for itself
    NUCLEOTIDE = "nucleotide"  # IUPAC codes
    PROTEIN = "protein"  # amino acids with B, Z, J and X

    @staticmethod
    def of(alphabet: str) -> LetterRule:
        """Return the rule for texts of an alphabet (``core.sequences.sequence.Alphabet``)."""
        rules = {"DNA": LetterRule.NUCLEOTIDE, "RNA": LetterRule.NUCLEOTIDE, "protein": LetterRule.PROTEIN}
        return rules.get(alphabet, LetterRule.LITERAL)


class SearchLayout(StrEnum):
    """Layout of the states of the patterns in vectors, and letters of the text a step."""

    AUTO = "auto"
    SINGLE = "single"  # one letter a step
    QUAD = "quad"  # four letters a step, their codes of two bits packed into a byte; meant for nucleotides
    CYCLIC = (
        "cyclic"  # 256 bits as Kusudo, Ino and Hagihara have them: dummy bits at the low end, accepting ones on top
    )


class BwtMethod(StrEnum):
    """Sorter of the rotations; all give the same transform."""

    AUTO = "auto"  # what is fastest for the text
    TERNARY = "ternary"  # Yamanaka, Ino and Hagihara: ternary quicksort, all segments of a level together
    YAMANAKA = "yamanaka"  # their kernels as published, a letter a level: of a graphics card, to compare with
    SAIS = "sais"  # induced sorting
    PACKED = "packed"  # words of 31 letters, where there are at most four letters and long repeats are few
