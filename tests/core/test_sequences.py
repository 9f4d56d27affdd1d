"""Sequences joined, normalised and oriented: letters are those of the file at the places that are named."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.concatenation import join_sequences, upper_cased
from wavediff.core.sequences.normalization import FORMS, differ_in_form, normalized
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.tests.bench.letters import frozen


def sequence(text):
    counts = [text.count(bytes([byte])) for byte in range(256)]
    return Sequence(letters=frozen(text), name="x", alphabet=Alphabet.TEXT, counts=counts)


def test_the_separator_occurs_in_neither():
    for a, b in ((b"ACGT", b"GG"), (b"#", b"|"), (b"", b""), (bytes(range(255)), bytes(range(100)))):
        found = join_sequences(sequence(a), sequence(b))
        assert found.letters.tobytes() == a + bytes([found.separator]) + b
        assert found.separator not in a + b
        assert found.letters[found.start_b :].tobytes() == b
        assert chr(found.separator) != "$"


def test_no_separator_is_left():
    with pytest.raises(InputError, match="all 256 bytes; a separator must occur in neither"):
        join_sequences(sequence(bytes(range(200))), sequence(bytes(range(200, 256))))
    with pytest.raises(InputError, match="the separator byte 0 occurs in B"):
        join_sequences(sequence(b"a"), sequence(b"\0"), 0)


def test_folding_leaves_all_but_ascii_letters():
    assert upper_cased(frozen(bytes(range(256)))).tobytes() == bytes(
        byte - 32 if 97 <= byte <= 122 else byte for byte in range(256)
    )


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
    for each in (normalized(other), one):
        assert decoded(each.letters, each.characters) == many
