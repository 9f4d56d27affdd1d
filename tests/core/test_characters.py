"""Texts beyond ASCII: two of them in one table, compared, folded, searched and written in their own letters."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.reading.tools import noticed
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.fasta import fasta
from wavediff.core.export.json import about
from wavediff.core.export.tsv import tsv
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.methods.edit import EDIT
from wavediff.core.reading import parse
from wavediff.core.sequences.characters import case_folding, decoded, encoded, folded_utf8, simple_folding
from wavediff.core.sequences.common_characters import as_bytes, with_common_characters
from wavediff.core.sequences.pattern_list import Pattern


def text(letters):
    return parse(letters).sequence(0)


def read(sequence):
    return decoded(sequence.letters, sequence.characters)


@pytest.mark.parametrize(
    ("one", "other"), [("Příliš", "Prilis"), ("Příliš", "Ελλάδα ř"), ("🧬 in Brno", "в Брно 🧬"), ("é", "e\u0301")]
)
def test_two_texts_get_one_table_and_keep_their_letters(one, other):
    a, b = with_common_characters(text(one), text(other))
    assert a.characters == b.characters
    assert (read(a), read(b)) == (one, other)
    for each in (a, b):
        assert np.array_equal(each.counts, np.bincount(each.letters, minlength=256))
    equal = [x == y for x, y in zip(one, other, strict=False)]
    assert (a.letters[: len(equal)] == b.letters[: len(equal)]).tolist() == equal


def test_texts_whose_characters_together_have_codes_of_two_bytes():
    one, other = ("".join(chr(first + k) for k in range(100)) for first in (0x400, 0x4E00))
    a, b = with_common_characters(text(one), text(other))
    assert (read(a), read(b)) == (one, other)
    assert a.letters.dtype == b.letters.dtype == np.uint16
    assert not a.notices


def test_a_text_beside_one_that_is_no_utf8_is_its_bytes():
    a, b = with_common_characters(text("Café"), text(b"Caf\xe9"))
    assert (a.letters.tobytes(), b.letters.tobytes()) == ("Café".encode(), b"Caf\xe9")
    assert "other text" in noticed(a)[-1]
    assert not b.notices


def test_case_is_folded_beyond_ascii():
    a, b = with_common_characters(text("příliš straße"), text("PŘÍLIŠ STRASSE"))
    fold = case_folding(a.characters)
    high = a.comparable(fold_case=True) >= 128
    assert np.array_equal(a.comparable(fold_case=True)[:6][high[:6]], b.comparable(fold_case=True)[:6][high[:6]])
    assert fold[encoded("ß", a.characters)[0]] == encoded("ß", a.characters)[0]  # its folding is two letters
    assert np.array_equal(a.comparable(fold_case=False), a.letters)


TEXTS = st.characters(codec="utf-8", exclude_characters="\0")  # the reader refuses NUL


@given(st.text(TEXTS, max_size=20), st.text(TEXTS, max_size=10))
def test_bytes_codes_and_patterns_fold_alike(one, other):
    """What is equal in folded UTF-8 is equal in folded codes, for a pattern too."""
    one, other = (each.replace("\ufffe", "") for each in (one, other + one.swapcase()[:5]))
    characters = "".join(sorted({each for each in one + other if not each.isascii()}))
    table = case_folding(characters)
    for p, q in itertools.product(one, other):
        equal = simple_folding(p) == simple_folding(q)
        assert (folded_utf8(p.encode()) == folded_utf8(q.encode())) == equal
        codes = [table[encoded(each, characters)[0]] for each in (p, q)]
        assert (codes[0] == codes[1]) == equal
        own = "" if q.isascii() else q  # a text of q alone
        (code,) = encoded(p, own, fold_case=True)
        assert (case_folding(own)[code] == case_folding(own)[encoded(q, own)[0]]) == equal


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("ü", "Ü", True), ("σ", "ς", True), ("Σ", "ς", True), ("ж", "Ж", True), ("\u212a", "k", True), ("ẞ", "ß", True),
        ("ᾈ", "ᾀ", True), ("ÿ", "Ÿ", True), ("Ա", "ա", True), ("ſ", "S", True),
        ("ß", "s", False), ("İ", "i", False), ("ı", "i", False), ("é", "e", False), ("ŉ", "n", False),
    ],
)  # fmt: skip
def test_simple_folding(one, other, equal):
    assert (simple_folding(one) == simple_folding(other)) == equal


def test_a_pattern_is_in_the_codes_of_its_text():
    a = text("Příliš žluťoučký")
    pattern = Pattern("říl".encode(), "p").in_codes(a.characters, fold_case=False)
    assert a.letters.tobytes().index(pattern.letters) == 1
    assert Pattern("λ".encode(), "p").in_codes(a.characters, fold_case=False).letters == b"\0"  # which no text has


def compared(one, other, *runs):
    a, b = with_common_characters(text(one), text(other))
    alignment = Alignment(np.array([op for op, _ in runs], np.uint8), np.array([n for _, n in runs], np.int64))
    return Comparison(a, b, EDIT, False, 1, SimpleNamespace(alignment=alignment, shown=alignment, apart_at=None))


def test_files_hold_the_letters_in_utf8():
    found = compared("Ačβ🧬", "Acβ", (Op.EQUAL, 1), (Op.MISMATCH, 1), (Op.EQUAL, 1), (Op.DELETION, 1))
    assert [line for line in b"".join(fasta(found)).decode().splitlines() if line[0] != ">"] == ["Ačβ🧬", "Acβ-"]
    rows = [line.split("\t") for line in b"".join(tsv(found)).decode().splitlines()]
    assert [row[-2:] for row in rows[1:]] == [["č", "c"], ["🧬", ""]]
    assert about(found.a)["sha256"] == about(as_bytes(found.a, "why"))["sha256"]
