"""Codes of text characters: ASCII as is, others from 128 on.

A letter of a text is a code point: a combining mark is a letter, and text is not normalised, so composed and decomposed
``é`` differ. The characters of the codes from 128, in code point order, are stored with the letters and shared by both
sequences of a pair. A code takes one byte for up to 128 characters beyond ASCII, else two or four: see ``code_type``.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, LetterType, letter_type
from wavediff.core.base.numbers import count

FIRST_CODE = 128
BYTE_CODES = 256
BYTE_CHARACTERS = BYTE_CODES - FIRST_CODE  # characters beyond ASCII whose codes are bytes
U_TO_T = bytes.maketrans(b"Uu", b"Tt")  # the one table by which U and T are the same nucleotide
FOLDED = U_TO_T.upper()  # the capital of each, too
CONTINUATION_BITS, CONTINUATION = 0b1100_0000, 0b1000_0000  # of a byte of UTF-8 that begins no character
_UNUSED = "\ufffe"  # what ``codecs`` takes for a code without a character
_MARK_BASE = "◌"  # a mark that combines stands on it, where it stands alone
_CHUNK_LETTERS = 1 << 20


def n_codes(characters: str) -> int:
    """Return the number of codes, at least 256: the size of a code table."""
    return max(BYTE_CODES, FIRST_CODE + len(characters))


def code_type(characters: str) -> LetterType:
    """Return the type of the letters of a text: uint8, uint16 or uint32."""
    return letter_type(FIRST_CODE + len(characters))


@lru_cache(maxsize=64)
def alphabet_of(characters: str) -> str:
    """Return the character of each code (at least 256); ``U+FFFE`` if unused."""
    return bytes(range(FIRST_CODE)).decode() + characters + _UNUSED * (BYTE_CHARACTERS - len(characters))


def character_of(code: int, characters: str) -> str:
    """Return the character of a code, or an empty string."""
    return alphabet_of(characters)[code] if code < FIRST_CODE + len(characters) else ""


def is_shown(character: str) -> bool:
    """Return whether a character is displayed as itself: printable or combining."""
    return character.isprintable() or unicodedata.combining(character) > 0


def alone(text: str) -> str:
    """Return ``text`` displayable on its own: a leading combining mark gets a dotted circle."""
    return _MARK_BASE + text if unicodedata.category(text[0])[0] == "M" else text


def decoded(letters: npt.NDArray[np.integer[Any]] | bytes, characters: str) -> str:
    """Decode ``letters``; invalid codes become ``U+FFFD``."""
    if len(characters) <= BYTE_CHARACTERS and _UNUSED not in characters:
        codes = letters if isinstance(letters, bytes) else letters.astype(np.uint8, copy=False).tobytes()
        return codecs.charmap_decode(codes, "replace", alphabet_of(characters))[0]
    array = np.frombuffer(letters, np.uint8) if isinstance(letters, bytes) else letters
    points: bytes = _code_points(characters)[array].tobytes()
    return points.decode("utf-32-le")


def encoded(text: str, characters: str, *, fold_case: bool = False) -> Letters:
    """Encode ``text``; characters without a code become 0.

    Args:
        fold_case: use the code of a character that differs only in case.
    """
    codes = {each: FIRST_CODE + k for k, each in enumerate(characters)}
    alike = _codes_by_folding(characters) if fold_case else {}
    code_of = {
        each: ord(each) if each.isascii() else codes.get(each) or alike.get(simple_folding(each), 0)
        for each in set(text)
    }
    return np.fromiter((code_of[each] for each in text), code_type(characters), len(text))


def codes_of_text(text: str, characters: str) -> Letters:
    """Encode ``text``, whose non-ASCII characters are all in ``characters``."""
    points = np.frombuffer(text.encode("utf-32-le"), "<u4")
    codes = np.searchsorted(_code_points(characters), points)
    return codes.astype(code_type(characters))


@lru_cache(maxsize=4)
def _code_points(characters: str) -> npt.NDArray[np.uint32]:
    """Return the code points in use, ascending."""
    text = bytes(range(FIRST_CODE)).decode() + characters
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def utf8_pieces(letters: Letters, characters: str) -> Iterator[bytes]:
    """Yield ``letters`` as UTF-8; without ``characters`` unchanged."""
    for first in range(0, letters.size, _CHUNK_LETTERS):
        piece = letters[first : first + _CHUNK_LETTERS]
        yield decoded(piece, characters).encode() if characters else piece.tobytes()


NO_UTF8 = "this is no UTF-8"


def bytes_notice(n: int, why: str) -> str:
    """Return the notice about ``n`` non-ASCII bytes taken as letters."""
    letters = count(n, "byte beyond ASCII is a letter", "bytes beyond ASCII are a letter each")
    return f"{letters}: {why}"


def fold_table(fold_case: bool) -> Letters:
    """Return the case folding table of bytes, uint8, shape (256,): ASCII to upper case, or identity."""
    table = np.arange(256, dtype=np.uint8)
    if fold_case:
        table[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
    return table


def folding_of(fold_case: bool, *letters: Letters) -> Letters:
    """Return the folding table of a job's letters, see ``fold_table``; wide letters are folded already."""
    if all(each.dtype == np.uint8 for each in letters):
        return fold_table(fold_case)
    most = max((int(each.max()) for each in letters if each.size), default=0)
    return np.arange(max(BYTE_CODES, most + 1), dtype=letters[0].dtype)


def case_folding(characters: str) -> Letters:
    """Return the case folding table of codes, shape (codes,)."""
    table, alike = np.arange(n_codes(characters), dtype=code_type(characters)), _codes_by_folding(characters)
    table[:BYTE_CODES] = fold_table(fold_case=True)
    for k, each in enumerate(characters):
        table[FIRST_CODE + k] = alike[simple_folding(each)]
    return table


def simple_folding(character: str) -> str:
    """Return the simple case folding of a character: usually its lower case.

    Source: CaseFolding.txt of the Unicode Character Database, status C and S.
    """
    for folding in (character.casefold(), character.lower()):  # the first may be longer: "ss" for a capital sharp s
        if len(folding) == 1:
            return folding
    return character


def folded_utf8(text: bytes) -> bytes:
    """Return UTF-8 in upper case for ASCII, with simple case folding for other characters.

    In text other than UTF-8 only ASCII is folded.
    """
    if text.isascii():
        return text.upper()
    try:
        decoded_text = text.decode()
    except UnicodeDecodeError:
        return text.upper()
    foldings = {ord(each): simple_folding(each) for each in set(decoded_text)}
    capitals = {code: each.upper() if each.isascii() else each for code, each in foldings.items()}
    return decoded_text.translate(capitals).encode()


def character_starts(text: Letters) -> Counts:
    """Return the start positions of characters in UTF-8, int64."""
    return np.flatnonzero(text & CONTINUATION_BITS != CONTINUATION)


def character_places(text: Letters, places: Counts) -> Counts:
    """Return the number of characters before each of ``places`` (byte offsets, int64)."""
    before: Counts = np.searchsorted(character_starts(text), places)
    return before


def _codes_by_folding(characters: str) -> dict[str, int]:
    codes = {chr(code).lower(): code for code in range(ord("A"), ord("Z") + 1)}
    for k, each in enumerate(characters):
        codes.setdefault(simple_folding(each), FIRST_CODE + k)
    return codes
