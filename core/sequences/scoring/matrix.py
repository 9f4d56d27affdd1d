"""Substitution matrix, with the treatment of missing letters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, freeze
from wavediff.core.base.errors import InputError
from wavediff.core.sequences.characters import character_of

MAX_SCORE = 10_000  # either sign; the kernels count differences of scores in 16 bits
MAX_LETTERS = 128
ABSENT = 255  # code of a byte that has no score

Scores = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class SubstitutionMatrix:
    """Scores of pairs of letters.

    A letter missing in the matrix is read as its upper case. If that is missing too, nucleotide matrices read U as T
    and X as N, and protein matrices read J, O and U as X. Other letters are refused.

    Attributes:
        name: a built-in matrix or a file, as the user named it.
        letters: distinct characters with scores; at most ``MAX_LETTERS``.
        scores: int16, shape (k, k): row of the reference's letter, column of the query's.
    """

    name: str
    letters: str
    scores: Scores

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", freeze(np.asarray(self.scores, np.int16)))
        k = len(self.letters)
        if self.scores.shape != (k, k) or len(set(self.letters)) != k or not 0 < k <= MAX_LETTERS:
            raise ValueError(f"{k} different letters need {k} x {k} scores, got {self.letters!r}, {self.scores.shape}")
        if np.abs(self.scores.astype(np.int64)).max() > MAX_SCORE:
            raise ValueError(f"scores lie between -{MAX_SCORE:,} and {MAX_SCORE:,}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubstitutionMatrix):
            return NotImplemented
        same = (self.name, self.letters) == (other.name, other.letters)
        return same and np.array_equal(self.scores, other.scores)

    def __hash__(self) -> int:
        return hash((self.name, self.letters))

    @property
    def is_amino_acid(self) -> bool:
        """True for an amino acid matrix (with a row for leucine, L)."""
        return "L" in self.letters

    @property
    def has(self) -> str:
        return f"the matrix has {' '.join(self.letters)}"

    @cached_property
    def codes(self) -> Letters:
        """Row index of each byte, uint8, shape (256,); ``ABSENT`` without a score."""
        place = {letter: k for k, letter in enumerate(self.letters)}
        others = {"J": "X", "O": "X", "U": "X"} if self.is_amino_acid else {"U": "T", "X": "N"}
        codes = np.full(256, ABSENT, np.uint8)
        for byte in range(256):
            letter = chr(byte)
            for instead in (letter, letter.upper(), others.get(letter.upper(), "")):
                if instead in place:
                    codes[byte] = place[instead]
                    break
        return freeze(codes)

    def require_letters(
        self, counts: Counts, source: str, record: tuple[int, str] | None = None, characters: str = ""
    ) -> None:
        """Raise an error if a letter of a sequence has no score.

        Args:
            counts: int64, shape (256,) or longer: counts of each code in the sequence.
            source: of the sequence, as entered. record: number and name.
            characters: of the sequence, see ``wavediff.core.sequences.characters``.

        Raises:
            InputError: a letter has no score; the message names the letter and the record.
        """
        known = np.zeros(counts.size, np.bool_)
        known[: self.codes.size] = self.codes != ABSENT
        absent = np.flatnonzero((counts > 0) & ~known)
        if absent.size:
            letter = character_of(int(absent[0]), characters)
            letter = f"'{letter}'" if letter.strip() and letter.isprintable() else f"0x{int(absent[0]):02X}"
            others = "" if absent.size == 1 else f" and {absent.size - 1} more"
            verb = "has" if absent.size == 1 else "have"
            raise InputError(
                source,
                f"the letter {letter}{others} {verb} no score in the matrix {self.name}",
                self.has,
                record=record,
            )
