"""Letters of an oriented sequence are those of its file at the places it names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import sequence
from wavediff.core.base.errors import InputError
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand, reverse_complement
from wavediff.core.sequences.sequence import Alphabet, require_nucleotides

IUPAC = "ACGTRYSWKMBDHVN"
# Cornish-Bowden 1985, table 1.
COMPLEMENT = dict(zip(IUPAC, "TGCAYRSWMKVHDBN", strict=True))


@st.composite
def orientations(draw, n):
    circular = draw(st.booleans())
    return Orientation(draw(st.sampled_from(Strand)), circular, draw(st.integers(0, max(0, n - 1))) if circular else 0)


@st.composite
def oriented(draw):
    """A sequence as in its file, and in some orientation."""
    letters = draw(st.text(st.sampled_from(IUPAC + IUPAC.lower()), max_size=30)).encode()
    one = sequence(letters)
    return one, one.oriented(draw(orientations(len(letters))))


@given(oriented())
def test_letters_stand_in_the_file_where_place_says(case):
    one, other = case
    assert len(other) == len(one)
    assert other.original is one
    minus = other.orientation.strand is Strand.MINUS
    for index, letter in enumerate(other.letters.tobytes().decode()):
        there = chr(one.letters[other.place(index)])
        assert letter.upper() == (COMPLEMENT[there.upper()] if minus else there.upper())
        assert letter.isupper() == there.isupper()
        assert other.index(other.place(index)) == index
    places = other.place(np.arange(len(one)))
    assert sorted(places.tolist()) == list(range(len(one)))
    assert other.counts.sum() == len(one)
    assert np.array_equal(np.bincount(other.letters, minlength=256), other.counts)


@given(oriented())
def test_read_from_its_first_letter_on_a_circle_goes_one_way(case):
    one, other = case
    step = -1 if other.orientation.strand is Strand.MINUS else 1
    for index in range(1, len(one)):
        assert (other.place(index) - other.place(index - 1) - step) % len(one) == 0


def test_places_before_and_behind_a_line_are_not_wrapped():
    minus = sequence(b"ACGT").oriented(Orientation(Strand.MINUS))
    assert (minus.place(-1), minus.place(4)) == (4, -1)
    turned = sequence(b"ACGT").oriented(Orientation(circular=True, shift=1))
    assert (turned.place(-1), turned.place(0), turned.place(4)) == (0, 1, 1)


def test_the_other_strand_of_the_other_strand_is_the_first():
    assert reverse_complement(reverse_complement(IUPAC.encode())) == IUPAC.encode()
    assert sequence(b"ACGN").oriented(FORWARD).letters.tobytes() == b"ACGN"


@pytest.mark.parametrize(
    ("orientation", "text"),
    [
        (FORWARD, ""),
        (Orientation(circular=True), ""),
        (Orientation(Strand.MINUS), "reverse complement"),
        (Orientation(circular=True, shift=1234), "from 1,235"),
        (Orientation(Strand.MINUS, circular=True, shift=1234), "reverse complement, from 3,689"),
    ],
)
def test_words(orientation, text):
    assert orientation.text(4923) == text


@pytest.mark.parametrize("alphabet", [Alphabet.PROTEIN, Alphabet.TEXT])
def test_what_is_no_nucleotide_has_no_other_strand(alphabet):
    from dataclasses import replace

    with pytest.raises(InputError, match=f"x: this is {alphabet}, which has no other strand"):
        require_nucleotides(sequence(b"A"), replace(sequence(b"ACGU"), alphabet=alphabet))
    require_nucleotides(replace(sequence(b""), alphabet=alphabet))
