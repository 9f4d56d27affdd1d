"""Letters of a text beyond ASCII, one code each: ASCII keeps its codes, up to 128 others take those from 128 on.

A letter of a text is a code point: a mark that combines is a letter of its own, and nothing is normalised, so that
``é`` in one piece and in two differ. The kernels compare codes of one byte; the characters that the codes from 128 on
stand for, in the order of their code points, are kept beside the letters, and those of a pair are the same.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.numbers import count

FIRST_CODE = 128
MAX_CHARACTERS = 256 - FIRST_CODE
U_TO_T = bytes.maketrans(b"Uu", b"Tt")  # the one table by which U and T are the same nucleotide
_UNUSED = "\ufffe"  # what ``codecs`` takes for a code without a character; no text has it
_CHUNK_LETTERS = 1 << 20


@lru_cache(maxsize=64)
def alphabet_of(characters: str) -> str:
    """Return the character of each code, 256 of them; ``U+FFFE`` where a code is not used."""
    return bytes(range(FIRST_CODE)).decode() + characters + _UNUSED * (MAX_CHARACTERS - len(characters))


def character_of(code: int, characters: str) -> str:
    """Return the character of a code; empty for a byte that is none."""
    return alphabet_of(characters)[code] if code < FIRST_CODE + len(characters) else ""


def decoded(letters: Letters | bytes, characters: str) -> str:
    """Return ``letters`` as text; a code that stands for nothing as ``U+FFFD``."""
    return codecs.charmap_decode(bytes(letters), "replace", alphabet_of(characters))[0]


def encoded(text: str, characters: str, *, fold_case: bool = False) -> bytes:
    """Return the codes of ``text``; a character that has none as 0, which no text has.

    Args:
        fold_case: a character without a code has that of one which it equals but for case.
    """
    codes = {ord(each): FIRST_CODE + k for k, each in enumerate(characters)}
    alike = _codes_by_folding(characters) if fold_case else {}
    return bytes(
        code if (code := ord(each)) < FIRST_CODE else codes.get(code) or alike.get(simple_folding(each), 0)
        for each in text
    )


def utf8_pieces(letters: Letters, characters: str) -> Iterator[bytes]:
    """Yield ``letters`` as UTF-8; without ``characters`` they are bytes already."""
    for first in range(0, letters.size, _CHUNK_LETTERS):
        piece = letters[first : first + _CHUNK_LETTERS].tobytes()
        yield decoded(piece, characters).encode() if characters and not piece.isascii() else piece


NO_UTF8 = "this is no UTF-8"


def bytes_notice(n: int, why: str) -> str:
    """Return the notice about ``n`` bytes beyond ASCII that are letters each."""
    letters = count(n, "byte beyond ASCII is a letter", "bytes beyond ASCII are a letter each")
    return f"{letters}: {why}"


def recoding(old: str, new: str) -> Letters:
    """Return the code among ``new`` of each code among ``old``, uint8, shape (256,); 0 where there is none."""
    table = np.zeros(256, np.uint8)
    table[:] = np.frombuffer(encoded(alphabet_of(old), new), np.uint8)
    return table


def fold_table(fold_case: bool) -> Letters:
    """Return what each byte becomes, uint8, shape (256,): lower case as upper case, ASCII only; or itself."""
    table = np.arange(256, dtype=np.uint8)
    if fold_case:
        table[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
    return table


def case_folding(characters: str) -> Letters:
    """Return the code that stands for each code and all that equal it but for case, uint8, shape (256,)."""
    table, alike = fold_table(fold_case=True), _codes_by_folding(characters)
    for k, each in enumerate(characters):
        table[FIRST_CODE + k] = alike[simple_folding(each)]
    return table


def simple_folding(character: str) -> str:
    """Return the simple case folding of a character, one character too: of capitals mostly the small letter.

    Source: CaseFolding.txt of the Unicode Character Database, status C and S.
    """
    for folding in (character.casefold(), character.lower()):  # the first may be longer: "ss" for a capital sharp s
        if len(folding) == 1:
            return folding
    return character


def folded_utf8(text: bytes) -> bytes:
    """Return UTF-8 with the characters that differ in case alone as one: ASCII capitals, and simple foldings.

    Of what is no UTF-8 ASCII alone is folded.
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


def character_places(text: Letters, places: Counts) -> Counts:
    """Return how many characters of UTF-8 begin before each of ``places`` (int64) of its bytes."""
    first = text & 0b1100_0000 != 0b1000_0000  # but for continuation bytes
    before: Counts = np.searchsorted(np.flatnonzero(first), places)
    return before


def _codes_by_folding(characters: str) -> dict[str, int]:
    codes = {chr(code).lower(): code for code in range(ord("A"), ord("Z") + 1)}
    for k, each in enumerate(characters):
        codes.setdefault(simple_folding(each), FIRST_CODE + k)
    return codes
