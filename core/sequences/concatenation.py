"""Concatenation of two sequences with a unique separator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError
from wavediff.core.sequences.characters import case_folding, folded_utf8
from wavediff.core.sequences.sequence import Sequence

# What reads well first; never what would pass for a letter of a sequence or for ``$``.
_WANTED = bytes(dict.fromkeys(b"#|/;,:~\n" + bytes(range(0x21, 0x7F)).replace(b"$", b"") + bytes(range(256))))


@dataclass(frozen=True, slots=True, eq=False)
class ConcatenatedText:
    """A text to transform.

    Attributes:
        letters: A, the byte ``separator``, B; or a single sequence.
        separator: None for one sequence.
        start_b: 0-based position of B's first letter; the length for A only.
    """

    letters: Letters
    separator: int | None
    start_b: int


def format_byte(byte: int) -> str:
    return f"'{chr(byte)}'" if 0x20 < byte < 0x7F else f"byte {byte}"


def upper_cased(letters: Letters, characters: str = "") -> Letters:
    """Return a copy with case folded: ASCII to upper case, other characters to one code for both cases."""
    out: Letters = case_folding(characters)[letters]
    out.setflags(write=False)
    return out


def folded_text(letters: Letters) -> Letters:
    """Return a case-folded copy of UTF-8, see ``folded_utf8``."""
    return np.frombuffer(folded_utf8(letters.tobytes()), np.uint8)


def separator_of(a: Sequence, b: Sequence, wanted: int | None) -> int:
    """Return the separator byte of A and B: ``wanted``, or an unused one.

    Raises:
        InputError: the separator occurs in a sequence, or every byte value does.
    """
    used = (a.counts > 0) | (b.counts > 0)
    if wanted is not None:
        if not used[wanted]:
            return wanted
        where, sequence = ("A", a) if a.counts[wanted] else ("B", b)
        raise InputError(
            sequence.source or sequence.name,
            f"the separator {format_byte(wanted)} occurs in {where}",
            "a separator must occur in neither sequence",
        )
    for byte in _WANTED:
        if not used[byte]:
            return byte
    raise InputError(a.source or a.name, "A and B use all 256 bytes", "a separator must occur in neither")


def join_sequences(a: Sequence, b: Sequence, separator: int | None = None) -> ConcatenatedText:
    """Join A and B by ``separator``, or by an unused byte.

    Raises:
        InputError: the separator occurs in a sequence, or every byte value does.
    """
    separator = separator_of(a, b, separator)
    letters = np.concatenate([a.letters, np.array([separator], np.uint8), b.letters])
    letters.setflags(write=False)
    return ConcatenatedText(letters, separator, len(a) + 1)
