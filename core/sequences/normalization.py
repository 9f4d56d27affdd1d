"""Unicode normalization forms; only texts of equal form compare equal.

Source: Unicode Standard Annex 15, Unicode Normalization Forms.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.sequences.characters import codes_of_text, decoded, n_codes
from wavediff.core.sequences.sequence import Alphabet, Sequence

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = get_args(Form)
CHECKED_LETTERS = 1 << 24  # some 50 ms
OTHER_FORM = Notice(
    NoticeKind.OTHER_FORM,
    "A and B are in different Unicode normalization forms: a letter with a mark is one character or two",
)


def differ_in_form(a: Sequence, b: Sequence) -> bool:
    """Return whether only one of two texts is in NFC, by their beginnings."""
    return {_is_nfc(a), _is_nfc(b)} == {True, False}


def normalized(sequence: Sequence, form: Form = "NFC") -> Sequence:
    """Return a text in ``form``, with a notice if it changes; other sequences unchanged."""
    text = _text(sequence)
    if text is None or unicodedata.is_normalized(form, text):
        return sequence
    text = unicodedata.normalize(form, text)
    characters = "".join(sorted({each for each in text if not each.isascii()}))
    letters = codes_of_text(text, characters)
    return replace(
        sequence, letters=letters, counts=np.bincount(letters, minlength=n_codes(characters)), characters=characters,
        form=form,
        notices=(
            *sequence.notices, Notice(NoticeKind.NORMALIZED, f"normalized to {form}: places count its characters")
        ),
    )  # fmt: skip


def _is_nfc(sequence: Sequence) -> bool | None:
    """Return whether the first ``CHECKED_LETTERS`` of a text are in NFC; None of what is no text."""
    known = sequence.is_ascii or bool(sequence.characters)
    if sequence.alphabet is Alphabet.TEXT and known and not any(map(_may_join, sequence.characters)):
        return True
    text = _text(replace(sequence, letters=sequence.letters[:CHECKED_LETTERS]))
    return None if text is None else unicodedata.is_normalized("NFC", text)


def _may_join(character: str) -> bool:
    """Return whether a text with ``character`` can be another one in NFC."""
    is_jamo = "\u1160" <= character <= "\u11ff"  # vowels and finals of Hangul, which are no marks
    return is_jamo or unicodedata.category(character)[0] == "M" or not unicodedata.is_normalized("NFC", character)


def _text(sequence: Sequence) -> str | None:
    if sequence.alphabet is not Alphabet.TEXT:
        return None
    if sequence.is_ascii or sequence.characters:
        return decoded(sequence.letters, sequence.characters)
    return None
