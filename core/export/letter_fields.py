"""Letters and names as table fields, and checks of letters that a format cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import ExportError, printable
from wavediff.core.sequences.characters import FIRST_CODE, is_shown
from wavediff.core.sequences.sequence import Sequence

CAN_HOLD = "PAF and CIGAR can express this alignment"
CHUNK_LETTERS = 1 << 16  # of one field in a piece
# A spreadsheet takes a cell that starts with one of the first four for a formula; an apostrophe keeps it a text,
# and is itself doubled so that it can be distinguished from a letter.
_FORMULA_STARTS = tuple(b"=+-@'")


def letters_field(letters: Letters, characters: str = "") -> Iterator[bytes]:
    """Yield ``letters`` as one table field in chunks; escapes: see ``wavediff.core.export.tsv``."""
    if letters.size and letters[0] in _FORMULA_STARTS:
        yield b"'"
    for first in range(0, letters.size, CHUNK_LETTERS):
        yield letters_text(letters[first : first + CHUNK_LETTERS], characters)


def text_field(text: str) -> bytes:
    field = printable(text).encode("utf-8", "backslashreplace")
    return b"'" + field if field.startswith(tuple(b"%c" % start for start in _FORMULA_STARTS)) else field


def closed(row: dict[str, Any]) -> dict[str, Any]:
    """Convert ``*_start``, ``*_end`` and ``_range`` from 0-based, half-open to 1-based, closed."""

    def placed(name: str, value: Any) -> Any:
        first = int(name.removesuffix("_range").endswith("_start"))
        if value is None or not (first or name.endswith("_range")):
            return value
        return "-".join(str(at + first) for at in value) if name.endswith("_range") else value + first

    return {name: placed(name, value) for name, value in row.items()}


def letters_text(letters: Letters, characters: str = "") -> bytes:
    """Return ``letters`` as written inside a field."""
    if letters.itemsize == 1 and (plain := letters.tobytes()).isalnum():
        return plain
    return b"".join(map(_texts(characters).__getitem__, letters.tolist()))


@lru_cache(maxsize=8)
def _texts(characters: str) -> list[bytes]:
    texts = [b"\\\\" if k == ord("\\") else bytes([k]) if 0x20 < k < 0x7F else b"\\x%02X" % k for k in range(256)]
    beyond = [each.encode() if is_shown(each) else b"\\u{%04X}" % ord(each) for each in characters]
    texts[FIRST_CODE : FIRST_CODE + len(beyond)] = beyond
    return texts


def name_field(name: str) -> str:
    """Return a name as a field: separators become ``_``, formulas of spreadsheets are escaped."""
    text = "".join(c if c.isprintable() else "_" for c in name)
    return f"'{text}" if text and ord(text[0]) in _FORMULA_STARTS else text


def guarded(field: bytes) -> bytes:
    """Escape a field that a spreadsheet would read as a formula."""
    return b"'" + field if field[:1] and field[0] in _FORMULA_STARTS else field


def require_letters(sequence: Sequence, is_held: Callable[[str], bool], form: str, instead: str) -> None:
    """Raise an error for a sequence that a format cannot hold.

    Args:
        is_held: returns whether the format can hold a character (an empty string: a byte that is no character).
        form, instead: name of the format, and advice for the error message.

    Raises:
        ExportError: names the first letter that the format cannot hold.
    """
    refused = [code for code in np.flatnonzero(sequence.counts).tolist() if not is_held(sequence.character(code))]
    if refused:
        at = int(np.isin(sequence.letters, refused).argmax())
        character = sequence.character(int(sequence.letters[at]))
        letter = repr(character) if character else f"byte 0x{sequence.letters[at]:02X}"
        place = f"{printable(sequence.name, 60)}, position {sequence.place(at) + 1:,}"
        raise ExportError(f"{place}: {form} cannot hold {letter}; {instead}")


_SAM_MAX_NAME = 254
_SAM_NOT_IN_A_REFERENCE = set("\\,\"`'()[]{}<>")


def field(sequence: Sequence) -> str:
    """Return the name of ``sequence`` without white space and control characters; ``*`` if empty."""
    return word(sequence.name)


def word(name: str) -> str:
    """Return ``name`` without white space and control characters; ``*`` if empty."""
    return "".join(c if c.isprintable() and not c.isspace() else "_" for c in name) or "*"


def sam_query(sequence: Sequence) -> str:
    """Return the name as a SAM query name (``[!-?A-~]{1,254}``); ``*`` if empty."""
    return "".join(c if "!" <= c <= "~" and c != "@" else "_" for c in sequence.name)[:_SAM_MAX_NAME] or "*"


def sam_reference(sequence: Sequence) -> str:
    """Return the name as a SAM reference name, which is mandatory."""
    name = "".join(c if "!" <= c <= "~" and c not in _SAM_NOT_IN_A_REFERENCE else "_" for c in sequence.name)
    return ("_" + name[1:] if name[:1] in ("*", "=") else name) or "A"
