"""Letters of a text that is UTF-8: from bytes to a code for each character, where they lie."""

from __future__ import annotations

import codecs
from collections.abc import Generator

import numpy as np

from core.base.arrays import Letters
from core.reading.files import READ_BYTES
from core.sequences.characters import MAX_CHARACTERS, alphabet_of


def distinct_characters(data: Letters) -> Generator[None, None, str | None]:
    """Return the characters beyond ASCII in ``data`` by code point; None where it is no UTF-8.

    At most ``MAX_CHARACTERS`` + 1 and one piece's more are looked for. Yields after each piece.
    """
    decoder, found = codecs.getincrementaldecoder("utf-8")(), set[str]()
    try:
        for start in range(0, data.size, READ_BYTES):
            piece = data[start : start + READ_BYTES].tobytes()
            found.update(decoder.decode(piece, start + READ_BYTES >= data.size))
            yield None
            if sum(not each.isascii() for each in found) > MAX_CHARACTERS:
                break
    except UnicodeDecodeError:
        return None
    return "".join(sorted(each for each in found if not each.isascii()))


def encode_in_place(data: Letters, characters: str) -> Generator[None, None, int]:
    """Overwrite the UTF-8 in ``data`` by its codes; return how many there are. Yields after each piece."""
    decoder, table, size = codecs.getincrementaldecoder("utf-8")(), codecs.charmap_build(alphabet_of(characters)), 0
    for start in range(0, data.size, READ_BYTES):
        text = decoder.decode(data[start : start + READ_BYTES].tobytes())
        codes = codecs.charmap_encode(text, "strict", table)[0]
        data[size : size + len(codes)] = np.frombuffer(codes, np.uint8)
        size += len(codes)
        yield None
    return size
