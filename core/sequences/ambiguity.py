"""Letters that leave open what stands there: ``N`` in nucleotides and ``X`` in proteins, any letter at all."""

from __future__ import annotations

from core.sequences.sequence import Alphabet, Sequence

MISSING = {Alphabet.DNA: "N", Alphabet.RNA: "N", Alphabet.PROTEIN: "X"}


def missing_letter(a: Sequence, b: Sequence) -> str:
    """Return the letter that says nothing, a capital; empty for texts and for a pair of two kinds."""
    letters = {MISSING.get(one.alphabet, "") for one in (a, b)}
    return letters.pop() if len(letters) == 1 else ""
