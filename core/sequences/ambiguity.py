"""Ambiguity codes: the set of residues that each letter represents.

Nomenclature Committee of the IUB (1985), Nomenclature for incompletely specified bases in nucleic acid sequences; for
amino acids IUPAC-IUB (1984).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, freeze
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule
from wavediff.core.sequences.sequence import Sequence

NUCLEOTIDES = dict(zip(b"ACGTURYSWKMBDHVN", (1, 2, 4, 8, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15), strict=True))
AMINO_ACIDS = b"ACDEFGHIKLMNPQRSTVWYUO"
_MIXED = {b"B": b"DN", b"Z": b"EQ", b"J": b"IL"}
_MISSING = {LetterRule.NUCLEOTIDE: "N", LetterRule.PROTEIN: "X"}


@cache
def residues(rule: LetterRule) -> Counts:
    """Return the residue bits of each letter, upper case only; int64, shape (256,), 0 for others.

    ``T`` and ``U`` have the same bit. In proteins ``B`` is ``D`` or ``N``, ``Z`` is ``E`` or ``Q``, ``J`` is ``I`` or
    ``L``, and ``X`` is any amino acid.
    """
    bits = np.zeros(256, np.int64)
    if rule is LetterRule.NUCLEOTIDE:
        bits[list(NUCLEOTIDES)] = list(NUCLEOTIDES.values())
    elif rule is LetterRule.PROTEIN:
        bits[list(AMINO_ACIDS)] = 1 << np.arange(len(AMINO_ACIDS))
        for code, of in _MIXED.items():
            bits[code[0]] = bits[list(of)].sum()
        bits[ord("X")] = (1 << len(AMINO_ACIDS)) - 1
    return freeze(bits)


@cache
def residues_any_case(rule: LetterRule) -> Counts:
    """Return ``residues``, also for lower case."""
    bits = residues(rule).copy()
    bits[ord("a") : ord("z") + 1] = bits[ord("A") : ord("Z") + 1]
    return freeze(bits)


@cache
def counted_apart(rule: LetterRule, ambiguity: Ambiguity) -> npt.NDArray[np.bool_]:
    """Return which pairs of different letters (any case) do not count as substitutions; bool, shape (256, 256)."""
    bits, missing = residues_any_case(rule), np.zeros(256, np.bool_)
    if ambiguity is Ambiguity.COMPATIBLE:
        return freeze(bits[:, None] & bits != 0)
    if ambiguity is Ambiguity.MISSING:
        missing[list((missing_letter(rule) + missing_letter(rule).lower()).encode("ascii"))] = True
    return freeze(missing[:, None] | missing)


def missing_letter(rule: LetterRule) -> str:
    """Return the letter that stands for any residue: ``N``, for proteins ``X``; empty for texts."""
    return _MISSING.get(rule, "")


def common_rule(a: Sequence, b: Sequence) -> LetterRule:
    """Return the rule for the letters of a pair; if the alphabets differ, letters represent only themselves."""
    rules = {LetterRule.of(sequence.alphabet) for sequence in (a, b)}
    return rules.pop() if len(rules) == 1 else LetterRule.LITERAL


def has_codes(rule: LetterRule, *sequences: Sequence) -> bool:
    """Return whether any of ``sequences`` contains an ambiguity code of the rule."""
    bits = residues_any_case(rule)
    several = bits & (bits - 1) != 0
    return any(bool(sequence.counts[: several.size][several].any()) for sequence in sequences)
