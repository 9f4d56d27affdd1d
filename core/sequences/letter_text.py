"""Display of letters: glyphs for cells, names for sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from wavediff.core.base.arrays import Letters
from wavediff.core.sequences.characters import FIRST_CODE, alone, alphabet_of, character_of, n_codes
from wavediff.core.sequences.sequence import Sequence

SUBSTITUTE = "·"  # shown for letters without their own glyph
_SIGNS = {"\t": "⇥", "\n": "↵", "\u2028": "↵", "\u2029": "¶", "\xad": "¬"}
_ZERO_WIDTH = "⬚"  # sign of characters that take no room, or are blank
_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # of no such category
_CONTROL_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32)} | {"\x7f": "␡"}
_SPACE, _OTHER_SPACE = "␣", "⍽"
# Characters that are seen, for those that are not where each must look otherwise: Braille, Yi, Hangul.
_STAND_INS = range(0x2801, 0x2900), range(0xA000, 0xA48D), range(0xAC00, 0xD7A4)
_DASHES = "−─━一ーㅡ"  # in addition to what Unicode has as dashes
_LATIN_WIDE_SHARE = 0.02  # of wide letters in a pair, from which on all cells are wide
_RIGHT_TO_LEFT = ("R", "AL", "AN")  # bidirectional classes
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"


def glyph(code: int, characters: str, *, differs: bool = False) -> str:
    """Return the glyph of a letter; a space is visible only if it ``differs``."""
    character = character_of(code, characters)
    if not character:
        return SUBSTITUTE
    return _SPACE if differs and character == " " else sign_of(character) or character


def glyph_or_code(code: int, characters: str) -> str:
    """Return the glyph of a letter, or its code if it has only a symbol: ``U+200D``, 0xFF."""
    character = character_of(code, characters)
    if not character:
        return f"0x{code:02X}"
    drawn = glyph(code, characters, differs=True)
    return drawn if drawn in (character, alone(character)) else f"U+{ord(character):04X}"


@lru_cache(maxsize=1 << 12)
def sign_of(character: str) -> str:
    """Return the symbol of an invisible character, or an empty string."""
    if character in _SIGNS:
        return _SIGNS[character]
    if character in _CONTROL_PICTURES:
        return _CONTROL_PICTURES[character]
    category = unicodedata.category(character)
    if category == "Cf" or character in _BLANK or "VARIATION SELECTOR" in unicodedata.name(character, ""):
        return _ZERO_WIDTH
    if (on_base := alone(character)) != character:
        return on_base
    if category == "Zs" and character != " ":
        return _OTHER_SPACE
    return "" if character.isprintable() else SUBSTITUTE


def is_dash(code: int, characters: str) -> bool:
    """Return whether a letter looks like the dash of a gap."""
    character = character_of(code, characters)
    return bool(character) and (unicodedata.category(character) == "Pd" or character in _DASHES)


def is_wide(character: str) -> bool:
    """Return whether a character is double-width: East Asian, most emoji."""
    return unicodedata.east_asian_width(character) in "WF"


def has_wide_letters(*sequences: Sequence) -> bool:
    """Return whether cells are double-width because enough letters are; else wide letters are drawn smaller."""
    total, wide = 0, 0
    for sequence in sequences:
        places = [FIRST_CODE + k for k, each in enumerate(sequence.characters) if is_wide(each)]
        total, wide = total + len(sequence), wide + int(sequence.counts[places].sum())
    return wide > _LATIN_WIDE_SHARE * total


def isolated(text: str) -> str:
    """Isolate ``text`` so that right-to-left letters do not affect its surroundings."""
    turned = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text)
    return f"{_ISOLATE}{text}{_ISOLATE_END}" if turned else text


def one_by_one(letters: Letters | bytes, characters: str) -> str:
    """Return letters as visible, distinct characters, one each."""
    apart = _apart(characters)
    return "".join(map(apart.__getitem__, letters if isinstance(letters, bytes) else letters.tolist()))


@lru_cache(maxsize=8)
def _apart(characters: str) -> list[str]:
    """Return a distinct character for each code, see ``one_by_one``."""
    used = set(alphabet_of(characters))
    free: Iterator[str] = (each for each in map(chr, chain(*_STAND_INS)) if each not in used)
    texts = []
    for code in range(n_codes(characters)):
        character = character_of(code, characters)
        sign = glyph(code, characters, differs=True) if character else SUBSTITUTE
        if character and sign in (character, alone(character)):  # a mark has its base where it is drawn
            texts.append(character)
            continue
        if sign == SUBSTITUTE or sign in used:
            sign = next(free, SUBSTITUTE)
        used.add(sign)
        texts.append(sign)
    return texts


def letter_name(code: int, characters: str = "") -> str:
    """Return the name of a letter: itself, ``space``, its Unicode name, or the byte value."""
    character = character_of(code, characters)
    if character == " ":
        return "space"
    if character == "\n":
        return "line end"
    if character == "\t":
        return "tab"
    if not character or (code < FIRST_CODE and not character.isprintable()):
        return f"byte 0x{code:02X}"
    return (unicodedata.name(character, "").lower() or f"U+{ord(character):04X}") if sign_of(character) else character
