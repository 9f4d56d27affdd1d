"""Letters of a sequence as a person sees them: a glyph for its cell, a name for a sentence."""

from __future__ import annotations

import unicodedata

from wavediff.core.base.arrays import Letters
from wavediff.core.sequences.characters import FIRST_CODE, character_of

SUBSTITUTE = "·"  # shown for what has no glyph of its own
_CONTROL_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32)} | {" ": "␣", "\x7f": "␡"}
_BRAILLE = 0x2800  # 256 characters that are seen, a stand-in for each code that has none
_MARK_BASE = "◌"  # a mark that combines stands on it, in a cell of its own


def glyph(code: int, characters: str) -> str:
    """Return the text to draw for a letter."""
    shown = character_of(code, characters)
    if shown and unicodedata.category(shown).startswith("M"):
        return _MARK_BASE + shown
    return shown if shown.isprintable() and shown else SUBSTITUTE


def one_by_one(letters: Letters | bytes, characters: str) -> str:
    """Return letters as text with a character each, all of which are seen and none of which two letters share."""
    return "".join(_apart(code, characters) for code in bytes(letters))


def _apart(code: int, characters: str) -> str:
    shown = character_of(code, characters)
    if shown and not shown.isspace() and glyph(code, characters) == shown:
        return shown
    picture = _CONTROL_PICTURES.get(shown)
    return chr(_BRAILLE + code) if picture is None else picture


def letter_name(code: int, characters: str = "") -> str:
    """Return a letter as a person can read it: itself, ``space``, its Unicode name, or the number of its byte."""
    shown = character_of(code, characters)
    if shown == " ":
        return "space"
    if shown == "\n":
        return "line end"
    if not shown or (code < FIRST_CODE and not shown.isprintable()):
        return f"byte 0x{code:02X}"
    if not shown.isprintable() or unicodedata.category(shown).startswith("M"):
        return unicodedata.name(shown, f"U+{ord(shown):04X}").lower()
    return shown
