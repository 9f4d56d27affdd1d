"""Search with mismatches and with edits against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.searches import NUCLEOTIDES, every_device, expected, nucleotide, random_dna, rows, run
from tests.depth import examples
from tests.oracles import search as oracle
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.search import MAX_ERRORS
from wavediff.core.kernels.search import chunks

every_kind = pytest.mark.parametrize("edits", [False, True], ids=["mismatches", "edits"])


@every_device
@every_kind
@pytest.mark.parametrize("errors", [1, 2, 5, MAX_ERRORS])
@examples(25)
@given(st.data())
def test_finds_what_the_definition_finds(device, edits, errors, data):
    letters = data.draw(st.sampled_from([b"a", b"AC", b"ACGT"]))

    def word(least, most):
        raw = st.binary(min_size=least, max_size=most)
        return raw.map(lambda one: bytes(letters[k % len(letters)] for k in one))

    text = data.draw(word(0, 60))
    given_ = data.draw(st.lists(word(errors + 1, errors + 12), min_size=1, max_size=4))
    found = rows(run(text, given_, device, errors=errors, edits=edits).hits)
    assert found == expected(text, given_, errors, edits=edits)


@every_device
@every_kind
@pytest.mark.parametrize("length", [31, 33, 63, 64, 65, 129, 257])
def test_patterns_longer_than_a_word(device, edits, length):
    text = bytearray(random_dna(length, 700).tobytes())
    pattern = bytes(text[300 : 300 + length])
    text[300 + length // 3] ^= 2  # A, C, G and T become others that are letters too
    if edits:
        del text[300 + length // 2]
    found = rows(run(bytes(text), [pattern], device, errors=2, edits=edits).hits)
    assert found == expected(bytes(text), [pattern], 2, edits=edits)
    assert found


@every_device
@every_kind
def test_nothing_is_lost_where_chunks_and_streams_meet(device, edits, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_LETTERS", 512)
    monkeypatch.setattr(chunks, "_MIN_CHUNK_LETTERS", 512)
    text = random_dna(9, 2 * 512 + 7).tobytes()
    given_ = [text[at : at + 11] for at in range(0, len(text) - 11, 64)]
    parts = [rows(run(text, given_, device, errors=2, edits=edits, threads=n).hits) for n in (1, 3)]
    monkeypatch.undo()
    assert parts[0] == parts[1] == rows(run(text, given_, device, errors=2, edits=edits).hits)
    some = [k for k in range(len(given_)) if k % 5 == 0]
    wanted = expected(text, [given_[k] for k in some], 2, edits=edits)
    assert [one for one in parts[0] if one[2] % 5 == 0] == [(a, b, some[k], s, c) for a, b, k, s, c in wanted]


@every_device
@every_kind
def test_the_ends_of_the_text_and_of_records(device, edits):
    text, starts = b"ACGTACGTTTACGACGTA", [0, 3, 3, 10, 18]
    given_ = [b"TACGT", b"ACGTA", b"GGGG"]
    found = rows(run(text, given_, device, errors=2, edits=edits, starts=np.array(starts)).hits)
    assert found == expected(text, given_, 2, edits=edits, starts=starts)
    for short in (b"", b"A", b"CG"):
        assert rows(run(short, given_, device, errors=2, edits=edits).hits) == expected(short, given_, 2, edits=edits)


@every_device
@every_kind
def test_codes_and_strands_with_errors(device, edits):
    text = b"ACGTNNRYacgtTTGACCA"
    given_ = [b"NRYA", b"TGNCC"]
    found = run(text, given_, device, errors=1, edits=edits, **NUCLEOTIDES)
    assert rows(found.hits) == expected(text, given_, 1, edits=edits, match=nucleotide)
    both = run(text, [b"GGTCAA"], device, errors=1, edits=edits, both_strands=True, **NUCLEOTIDES)
    assert (12, 18, 0, -1, 0) in rows(both.hits)


@given(st.text("ab", max_size=12), st.text("ab", min_size=4, max_size=6), st.integers(0, 3))
def test_the_oracle_is_the_definition(text, pattern, most):
    asked = text.encode(), pattern.encode(), most
    assert list(oracle.edits(*asked)) == list(oracle.edits_by_definition(*asked))


def test_an_end_is_told_once_with_its_best_stretch():
    """The rule for edits, by example: every end within reach, the least cost there, then the shortest stretch."""
    found = rows(run(b"xxsurveyxx", [b"survey"], errors=1, edits=True).hits)
    assert found == [(2, 7, 0, 1, 1), (2, 8, 0, 1, 0), (2, 9, 0, 1, 1)]
    exact = rows(run(b"xxsurveyxx", [b"survey"], edits=True).hits)
    assert exact == [(2, 8, 0, 1, 0)]


def test_a_pattern_that_would_match_everywhere_is_refused():
    with pytest.raises(InputError, match="p1' has 2 letters and would match everywhere with 2 errors"):
        run(b"ACGT", [b"ACG", b"AC"], errors=2)
