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

from wavediff.core.base.arrays import Letters
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


def encoded(text: str, characters: str) -> bytes:
    """Return the codes of ``text``; a character that has none as 0, which no text has."""
    codes = {ord(each): FIRST_CODE + k for k, each in enumerate(characters)}
    return bytes(code if (code := ord(each)) < FIRST_CODE else codes.get(code, 0) for each in text)


def utf8_pieces(letters: Letters, characters: str) -> Iterator[bytes]:
    """Yield ``letters`` as UTF-8; without ``characters`` they are bytes already."""
    for first in range(0, letters.size, _CHUNK_LETTERS):
        piece = letters[first : first + _CHUNK_LETTERS].tobytes()
        yield decoded(piece, characters).encode() if characters and not piece.isascii() else piece


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
    """Return the code of the capital of each code, uint8, shape (256,), or itself where that has none."""
    table = np.arange(256, dtype=np.uint8)
    for k, each in enumerate(characters):
        capital = each.upper()
        code = encoded(capital, characters)[0] if len(capital) == 1 else 0
        table[FIRST_CODE + k] = code or FIRST_CODE + k
    return table
