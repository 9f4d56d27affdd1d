"""Conversion of texts and patterns for the search kernels, which use bytes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.sequences.characters import BYTE_CHARACTERS, alphabet_of, encoded
from wavediff.core.sequences.pattern_list import Pattern


def searched_characters(characters: str, patterns: Iterable[Pattern]) -> str | None:
    """Return the character table for searching a text with ``characters`` for ``patterns``.

    This is the table of the text or, if it has too many characters for one-byte codes, that of the patterns, as other
    characters match none. None if that is too large as well: then UTF-8 is searched.
    """
    if len(characters) <= BYTE_CHARACTERS:
        return characters
    wanted = {each for pattern in patterns for each in pattern.text if not each.isascii()}
    return "".join(sorted(wanted)) if len(wanted) <= BYTE_CHARACTERS else None


def searched_letters(letters: Letters, characters: str, searched: str | None, fold_case: bool) -> Letters:
    """Convert ``letters`` of a text to codes of ``searched``; missing characters become 0.

    Letters are unchanged if ``searched`` is their own table, or None.
    """
    if searched is None or letters.itemsize == 1:
        return letters
    return np.asarray(encoded(alphabet_of(characters), searched, fold_case=fold_case)[letters])
