"""Sets of text letters matched by each pattern letter, and the searched strands.

An IUPAC code of a pattern matches every letter whose residues are all among its own: ``R`` matches ``A``, ``G`` and
``R``, and ``N`` matches every nucleotide code; a text's ``N`` is matched only by ``N``. ``T`` and ``U`` are equal. In
proteins ``B`` is ``D`` or ``N``, ``Z`` is ``E`` or ``Q``, ``J`` is ``I`` or ``L``, ``X`` any.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError, count_noun
from wavediff.core.sequences.ambiguity import AMINO_ACIDS, NUCLEOTIDES, residues
from wavediff.core.sequences.characters import U_TO_T, case_folding
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.pattern_list import MAX_LETTERS, Pattern

SLICE_PATTERNS, SLICE_LETTERS = 1000, 1 << 18  # patterns, and letters, between two looks at whether to go on


@dataclass(frozen=True, slots=True, eq=False)
class PatternSet:
    """Patterns on all requested strands.

    Attributes:
        matches: uint8, shape (256, 256): 1 where the letter of a pattern (row) matches a letter of the text (column).
        letters: uint8, concatenated searched patterns.
        offsets: int64, shape (n + 1,): start of each in ``letters``, then the end.
        pattern: int32, shape (n,): index of the given pattern, from 0.
        strand: int8, shape (n,): 1 as given, -1 reverse complement, 0 equal to its reverse complement.
    """

    matches: Letters
    letters: Letters
    offsets: Counts
    pattern: np.typing.NDArray[np.int32]
    strand: np.typing.NDArray[np.int8]

    @property
    def n(self) -> int:
        return int(self.pattern.size)

    @property
    def lengths(self) -> Counts:
        return np.diff(self.offsets)


def build_pattern_set(
    patterns: tuple[Pattern, ...],
    rule: LetterRule,
    *,
    fold_case: bool,
    both_strands: bool,
    errors: int,
    characters: str = "",
) -> Generator[int, None, PatternSet]:
    """Compile ``patterns`` for a search.

    Args:
        patterns: at least one.
        rule: meaning of their letters; white space at their ends is dropped except for ``LITERAL``.
        fold_case: ignore case.
        characters: of patterns and text, see ``wavediff.core.sequences.characters``.
        both_strands: also search the reverse complements; nucleotides only.
        errors: maximum mismatches or edits; a pattern must have more letters.

    Yields:
        Patterns done so far, every few milliseconds.

    Raises:
        InputError: a pattern is empty, too long, too short, or has a letter unknown to the rule.
    """
    if not patterns:
        raise InputError("<typed>", "no pattern to search for", "one pattern a line, or FASTA")
    if both_strands and rule is not LetterRule.NUCLEOTIDE:
        raise InputError(patterns[0].source, "both strands were asked for, but these are no nucleotides")
    known = _known(rule)
    # Arrays, as a long list takes as long to become one as all slices together.
    parts, lengths, owner, strand = list[bytes](), array("q"), array("i"), array("b")
    reported = n_letters = 0
    for number, pattern in enumerate(patterns):
        if number % SLICE_PATTERNS == 0 or n_letters - reported > SLICE_LETTERS:
            reported = n_letters
            yield number
        n_letters += len(pattern.letters)
        letters = pattern.letters if rule is LetterRule.LITERAL else b"".join(pattern.letters.split())
        _require(pattern, letters, known, rule, errors)
        on_both = rule is LetterRule.NUCLEOTIDE and (both_strands or pattern.has_both_strands)
        other = reverse_complement(letters) if on_both else b""
        same = on_both and _same(letters, other, fold_case)
        both = ((letters, 0 if same else 1), (other, -1))
        for text, strategy in both[: 2 if on_both and not same else 1]:
            parts.append(text)
            lengths.append(len(text))
            owner.append(number)
            strand.append(strategy)
    return PatternSet(
        _matches(rule, case_folding(characters) if fold_case else None),
        np.frombuffer(b"".join(parts), np.uint8),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array(owner, np.int32),
        np.array(strand, np.int8),
    )


def _same(letters: bytes, other: bytes, fold_case: bool) -> bool:
    letters, other = (text.translate(U_TO_T) for text in (letters, other))
    return letters.upper() == other.upper() if fold_case else letters == other


def _require(pattern: Pattern, letters: bytes, known: bytes, rule: LetterRule, errors: int) -> None:
    if not letters:
        raise pattern.refused("is empty", "at least one letter is needed")
    if len(letters) > MAX_LETTERS:
        raise pattern.refused(f"has {len(letters):,} letters", f"{MAX_LETTERS:,} are the most")
    if len(letters) <= errors:
        raise pattern.refused(
            f"has {count_noun(len(letters), 'letter')} and would match everywhere with {count_noun(errors, 'error')}",
            "allow fewer errors",
        )
    if rule is not LetterRule.LITERAL:
        wrong = letters.translate(None, known)[:1]
        if wrong:
            text = wrong.decode("ascii", "backslashreplace")
            what = "a nucleotide code" if rule is LetterRule.NUCLEOTIDE else "an amino acid"
            at = letters.index(wrong) + 1
            raise pattern.refused(f"has '{text}' at letter {at}, which is not {what}", "see IUPAC's codes")


def _known(rule: LetterRule) -> bytes:
    upper = bytes(NUCLEOTIDES) if rule is LetterRule.NUCLEOTIDE else AMINO_ACIDS + b"BZJX"
    return upper + upper.lower() + (b"*" if rule is LetterRule.PROTEIN else b"")


def _matches(rule: LetterRule, folding: Letters | None) -> Letters:
    out = np.eye(256, dtype=np.uint8)
    upper, shift = np.arange(ord("A"), ord("Z") + 1), ord("a") - ord("A")
    stands = residues(rule)
    p, t = stands[upper, None], stands[None, upper]
    part = (t & ~p == 0) & (t != 0) & (p != 0)
    for low in (0, shift):
        out[np.ix_(upper + low, upper + low)] |= part.astype(np.uint8)
    return out if folding is None else out[np.ix_(folding, folding)]
