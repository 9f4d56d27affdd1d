"""Say which byte cannot be part of a sequence, and where."""

from __future__ import annotations

import re
import unicodedata

from core.base.errors import InputError
from core.reading.lines import TextPieces
from core.sequences.read_as import ReadAs

ILLEGAL = re.compile(rb"[^A-Za-z*.\-\s]")
EXPECTED = "a sequence has letters, '-', '.' and '*' only"


def refuse(source: str, lines: TextPieces, piece: bytes, index: int, record: tuple[int, str]) -> InputError:
    """Return the error for ``piece[index]``, a byte (or the first one of a character) that no sequence has."""
    line, column = lines.place(piece, index)
    return InputError(
        source, _found(piece, index), EXPECTED, record=record, line=line, column=column, instead=ReadAs.TEXT
    )


def _found(piece: bytes, index: int) -> str:
    code = piece[index]
    if 0x30 <= code <= 0x39:
        end = piece.find(b"\n", index)
        text = piece[piece.rfind(b"\n", 0, index) + 1 : end if end >= 0 else len(piece)]
        return f"the digit {chr(code)!r}: digits are not letters{_why_digits(text)}"
    if code < 0x80:
        shown = chr(code) if code > 0x20 and code != 0x7F else f"\\x{code:02x}"
        return f"the character '{shown}'"
    for length in (2, 3, 4):
        try:
            character = piece[index : index + length].decode()
        except UnicodeDecodeError:
            continue
        name = unicodedata.name(character, "")
        return f"the character U+{ord(character):04X}{' ' + name if name else ''}"
    return f"the byte 0x{code:02X}, which is no UTF-8"


def _why_digits(line: bytes) -> str:
    if re.fullmatch(rb"[-\d\s]+", line):
        return " (a QUAL file of base qualities?)"
    if re.match(rb"\s*\d+\s", line):
        return " (lines numbered as in GenBank?)"
    return ""
