"""Unicode normalization forms of a pair of texts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.reading import parse
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.normalization import FORMS, differ_in_form, normalized
from wavediff.core.sequences.read_as import ReadAs

TEXT = st.text(st.sampled_from("aeE1 \u0301\u0308\u0327éëçÅΩώ\u1100\u1161\u11a8가각\u212bﬁ日"), min_size=1, max_size=12)


def text(letters):
    return parse(letters, read_as=ReadAs.TEXT).sequence(0)


@given(TEXT, TEXT)
def test_forms_are_those_of_unicodedata(one, other):
    forms = {unicodedata.is_normalized("NFC", each) for each in (one, other)}
    assert differ_in_form(text(one), text(other)) == (len(forms) == 2)
    for form in FORMS:
        found = normalized(text(one), form)
        assert decoded(found.letters, found.characters) == unicodedata.normalize(form, one)
        assert (len(found.notices) > len(text(one).notices)) == (not unicodedata.is_normalized(form, one))


@pytest.mark.parametrize("letters", [b">x\nACGT\n", b"caf\xe9 au lait, e\xcc\x81"])
def test_what_is_no_text_of_characters_stays(letters):
    one = parse(letters).sequence(0)
    assert normalized(one) is one
    assert not differ_in_form(one, text("cafe\u0301"))


def test_many_characters_are_normalized_too():
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 200))) + "é"
    one, other = text(many), text(unicodedata.normalize("NFD", many))
    assert differ_in_form(one, other)
    assert normalized(other).letters.tobytes() == one.letters.tobytes() == many.encode()
