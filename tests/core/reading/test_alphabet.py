"""The alphabet of bytes alone, as short pairs of a script ask for it, beside that by counts."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from wavediff.core.reading.alphabet import guess_plain, guess_raw
from wavediff.core.sequences.ambiguity import residues_any_case
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.sequence import Alphabet

AMINO = "ACDEFGHIKLMNPQRSTVWY"
LETTERS = (
    st.text("ACGTNacgtn-U", max_size=40)
    | st.text(f"{AMINO}X*-", max_size=60)
    | st.tuples(st.text(AMINO, min_size=95, max_size=110), st.text("BJOUXZ", max_size=4)).map("".join)
    | st.text("RYSWKMacg \n", max_size=60)
)


@given(st.binary(max_size=60) | LETTERS.map(str.encode))
@example(AMINO.encode() * 5 + b"OOO")
@example(b"")
def test_it_is_the_one_by_counts_of_letters_without_codes(letters):
    counts = np.bincount(np.frombuffer(letters, np.uint8), minlength=256)
    by_counts, found = guess_raw(counts), guess_plain(letters)
    assert found in (None, by_counts)
    if found is not None:
        bits = residues_any_case(LetterRule.of(found))
        assert not counts[bits & (bits - 1) != 0].any()
        assert found is not Alphabet.RNA


def test_plain_letters_are_not_left_to_the_counts():
    for letters, wanted in (
        (b"GATTACA", Alphabet.DNA),
        (b"kitten", Alphabet.TEXT),
        (AMINO.encode() * 2, Alphabet.PROTEIN),
        (b"HELLO, WORLD", Alphabet.TEXT),
        (b"", Alphabet.TEXT),
    ):
        assert guess_plain(letters) is wanted
    for letters in (b"GANTACA", b"GAUUACA", AMINO.encode() * 2 + b"X"):
        assert guess_plain(letters) is None
