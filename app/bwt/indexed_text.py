"""A text with its transform, and its mapping to letters of A and B."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.bwt_result import BwtIndex, BwtResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.characters import character_starts, utf8_pieces
from wavediff.core.sequences.concatenation import folded_text, upper_cased

_COMPARE_LETTERS = 1 << 22  # letters compared between two looks at whether that is still wanted


class Source(StrEnum):
    A = "A"
    B = "B"
    BOTH = "A and B"
    FILE = "Saved file"  # whose text is neither


@dataclass(frozen=True, slots=True, eq=False)
class IndexedText:
    """A text, its index and, for a short text, the record of its sorting.

    Attributes:
        source: A, B or both joined, also if an index file has the same letters; else the file.
        separator: the byte between A and B; None for a single sequence.
        start_b: first place of B in ``text``; 0 for B alone, the length for A alone.
        characters: of ``text``, see ``wavediff.core.sequences.characters``.
        begins: first bytes of the characters of a UTF-8 ``text``; None if each code is a letter.
        small: suffixes and sort levels of a text of up to ``MAX_TABLE_LETTERS`` letters; else None.
    """

    source: Source
    name: str
    text: Letters
    separator: int | None
    start_b: int
    index: BwtIndex
    small: BwtResult | None
    characters: str = ""
    begins: Counts | None = None

    @property
    def n_letters(self) -> int:
        return int(self.text.size if self.begins is None else self.begins.size)

    def letter(self, position: int) -> int:
        """Return the letter (0-based) of the text at ``position``, counting codes or characters."""
        return position if self.begins is None else int(np.searchsorted(self.begins, position, "right")) - 1

    def place(self, position: int) -> tuple[int | None, int | None]:
        """Return the letter of A and that of B (0-based) at ``position``; None if the sequence has none there."""
        if (
            self.source is Source.FILE
            or position >= self.text.size
            or (self.separator is not None and position == self.start_b - 1)
        ):
            return None, None
        if position < self.start_b:
            return self.letter(position), None
        return None, self.letter(position) - (self.letter(self.start_b) if self.start_b else 0)

    def position_of(self, a0: int | None, b0: int | None) -> int | None:
        """Return the text position of letter ``a0`` of A, else of ``b0`` of B, or None."""
        if a0 is not None and self.source in (Source.A, Source.BOTH):
            letter = a0
        elif b0 is not None and self.source in (Source.B, Source.BOTH):
            letter = (self.letter(self.start_b) if self.start_b else 0) + b0
        else:
            return None
        return letter if self.begins is None else int(self.begins[letter]) if letter < self.begins.size else None


@dataclass(frozen=True, slots=True)
class Link:
    """Fields of ``IndexedText`` that map the text to letters of A and B."""

    source: Source
    separator: int | None
    start_b: int
    begins: Counts | None = None


def character_begins(text: Letters) -> Counts | None:
    """Return the character starts of a non-ASCII UTF-8 text, else None."""
    plain = text.tobytes()
    if plain.isascii():
        return None
    try:
        plain.decode()
    except UnicodeDecodeError:
        return None
    return character_starts(text)


def _utf8(letters: Letters, characters: str, fold_case: bool) -> Letters:
    utf8 = np.frombuffer(b"".join(utf8_pieces(letters, characters)), np.uint8)
    return folded_text(utf8) if fold_case else utf8


def link_of(
    text: Letters, fold_case: bool, a: Letters | None, b: Letters | None, cancel: CancelToken, characters: str = ""
) -> Link:
    """Return whether the ``text`` of a file is A, B or both joined; with ``fold_case`` case is ignored.

    Raises:
        Cancelled: no longer needed.
    """

    begins = character_begins(text)
    if begins is not None and characters:
        a, b = (None if sequence is None else _utf8(sequence, characters, fold_case) for sequence in (a, b))
        fold_case = False

    def same(start: int, letters: Letters) -> bool:
        for lo in range(0, letters.size, _COMPARE_LETTERS):
            cancel.raise_if_cancelled()
            part = letters[lo : lo + _COMPARE_LETTERS]
            if not np.array_equal(
                text[start + lo : start + lo + part.size], upper_cased(part, characters) if fold_case else part
            ):
                return False
        return True

    if a is not None and a.size == text.size and same(0, a):
        return Link(Source.A, None, int(text.size), begins)
    if b is not None and b.size == text.size and same(0, b):
        return Link(Source.B, None, 0, begins)
    if a is not None and b is not None and a.size + 1 + b.size == text.size and same(0, a) and same(a.size + 1, b):
        return Link(Source.BOTH, int(text[a.size]), a.size + 1, begins)
    return Link(Source.FILE, None, int(text.size), begins)
