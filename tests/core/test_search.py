"""Exact search against the definition, in every layout."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import random_letters
from tests.core.searches import EXACT, NUCLEOTIDES, every_device, expected, nucleotide, rows, run
from tests.depth import examples
from tests.oracles import search as oracle
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.kernels.search import chunks
from wavediff.core.sequences.letter_rules import LetterRule

every_layout = pytest.mark.parametrize("layout", EXACT)


def test_the_oracle_knows_the_textbook_examples():
    assert list(oracle.mismatches(b"GTCATCG", b"TCAT", 0)) == [(1, 5, 0)]  # Kusudo, Ino and Hagihara, Fig. 2
    assert list(oracle.mismatches(b"aaaa", b"aa", 0)) == [(0, 2, 0), (1, 3, 0), (2, 4, 0)]
    assert list(oracle.edits(b"xxsurgeryxx", b"survey", 2)) == [(2, 7, 2), (2, 8, 2), (2, 9, 2)]
    assert oracle.distance(b"kitten", b"sitting") == 3


@every_device
@every_layout
@examples(60)
@given(st.data())
def test_finds_what_the_definition_finds(device, layout, data):
    letters = data.draw(st.sampled_from([b"a", b"AC", b"ACGT", b"\x00\xff\x7f", b"abcdefghij"]))
    word = st.binary(min_size=0, max_size=400).map(lambda raw: bytes(letters[k % len(letters)] for k in raw))
    text = data.draw(word)
    many = data.draw(st.lists(word.filter(len).map(lambda one: one[:70]), min_size=1, max_size=12))
    parts = [text[k : k + n] for k, n in data.draw(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 80))))]
    given_ = [*many, *filter(None, parts)][:16]
    assert rows(run(text, given_, device, layout=layout).hits) == expected(text, given_)


@every_device
@every_layout
def test_pattern_lengths_round_words(device, layout):
    text = random_letters(np.random.default_rng(3), 9000, 4)
    lengths = [1, 2, 3, 4, 5, 31, 32, 33, 60, 61, 62, 63, 64, 65, 66, 127, 128, 129, 255, 256, 257, 4095, 4096]
    body = text.tobytes()
    whole = [body[17 * k : 17 * k + n] for k, n in enumerate(lengths)]
    off_first = [bytes([one[0] ^ 1]) + one[1:] for one in whole if len(one) > 20]
    ends = [body[: n + 1] for n in (31, 64, 300)] + [body[-n:] for n in (31, 64, 300)]
    given_ = [*whole, *off_first, *ends]
    found = rows(run(text, given_, device, layout=layout).hits)
    wanted = []
    for k, one in enumerate(given_):
        at = body.find(one)
        while at >= 0:
            wanted.append((at, at + len(one), k, 1, 0))
            at = body.find(one, at + 1)
    assert found == sorted(wanted)


@every_device
@every_layout
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 127, 128, 129, 511, 512, 513, 2049])
def test_equal_nested_and_overlapping_patterns(device, layout, n):
    text = (b"abaabab" * (n // 7 + 1))[:n]
    given_ = [b"ab", b"aab", b"b", b"ab", b"abaab", b"ababab", b"a", b"c"]
    assert rows(run(text, given_, device, layout=layout).hits) == expected(text, given_)


@every_device
@every_layout
def test_every_byte_can_be_text_and_pattern(device, layout):
    text = np.tile(np.arange(256, dtype=np.uint8), 3).tobytes()
    given_ = [bytes([k]) for k in range(256)] + [bytes([255, 0, 1])]
    assert rows(run(text, given_, device, layout=layout).hits) == expected(text, given_)


@every_device
@every_layout
def test_nothing_is_lost_or_told_twice_where_chunks_and_streams_meet(device, layout, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_LETTERS", 4096)
    monkeypatch.setattr(chunks, "_MIN_CHUNK_LETTERS", 4096)
    text = np.full(3 * 4096 + 5, ord("a"), np.uint8)
    for length in (1, 4, 70):
        result = run(text, [b"a" * length], device, layout=layout, threads=3)
        assert result.hits.start.tolist() == list(range(text.size - length + 1))
    text = random_letters(np.random.default_rng(5), 3 * 4096 + 5, 4)
    given_ = [text[at : at + 24].tobytes() for at in range(0, text.size - 24, 24)]  # one for every 24 letters
    found = run(text, given_, device, layout=layout, threads=2)
    assert set(zip(found.hits.start.tolist(), found.hits.pattern.tolist(), strict=True)) >= {
        (24 * k, k) for k in range(len(given_))
    }
    assert found.hits.start.size == sum(text.tobytes().count(one) for one in given_)


@every_device
@every_layout
def test_a_hit_lies_in_one_record(device, layout):
    text, starts = b"ACGTACGTTTACG", [0, 2, 2, 9, 13]
    given_ = [b"ACGT", b"TTAC", b"G", b"GTAC"]
    found = rows(run(text, given_, device, layout=layout, starts=np.array(starts)).hits)
    assert found == expected(text, given_, starts=starts)
    assert found != expected(text, given_)


@every_device
@every_layout
@examples(40)
@given(st.data())
def test_iupac_codes(device, layout, data):
    codes = st.text("ACGTURYSWKMBDHVNacgtn", min_size=1, max_size=9).map(str.encode)
    text = b"".join(data.draw(st.lists(codes, max_size=40)))
    given_ = data.draw(st.lists(codes, min_size=1, max_size=6))
    found = rows(run(text, given_, device, layout=layout, **NUCLEOTIDES).hits)
    assert found == expected(text, given_, match=nucleotide)


@every_device
@every_layout
def test_both_strands(device, layout):
    text = b"ttGAATTCttACGGTAAccTTACCGTcc"
    found = rows(run(text, [b"GAATTC", b"ACGGTAA"], device, layout=layout, both_strands=True, **NUCLEOTIDES).hits)
    assert found == [(2, 8, 0, 0, 0), (10, 17, 1, 1, 0), (19, 26, 1, -1, 0)]


@every_device
@every_layout
def test_case_counts_or_not(device, layout):
    text = b"ACGTacgtAcGt"
    exact = run(text, [b"ACGT", b"acgt"], device, layout=layout)
    assert rows(exact.hits) == [(0, 4, 0, 1, 0), (4, 8, 1, 1, 0)]
    folded = run(text, [b"ACGT"], device, layout=layout, fold_case=True)
    assert folded.hits.start.tolist() == [0, 4, 8]
    codes = run(text, [b"ANGT"], device, layout=layout, rule=LetterRule.NUCLEOTIDE)
    assert codes.hits.start.tolist() == [0]


@every_device
def test_a_long_run_of_n_is_no_nucleotide(device):
    text = b"A" * 300 + b"N" * 9000 + b"G" * 300  # N has the code of G in a step of four letters
    found = run(text, [b"G" * 20, b"N" * 4000], device, layout=SearchLayout.QUAD, **NUCLEOTIDES)
    assert found.counts.tolist() == [281, 9600 - 4000 + 1]
    assert run(text, [b"GGGN"], device, **NUCLEOTIDES).counts.tolist() == [297]


@every_device
def test_amino_acids(device):
    found = run(b"MDNEQILXbz*", [b"BB", b"ZZ", b"JJ", b"X*", b"XX"], device, rule=LetterRule.PROTEIN, fold_case=True)
    assert [(start, k) for start, _, k, _, _ in rows(found.hits)] == sorted(
        [(1, 0), (3, 1), (5, 2), (9, 3), *((k, 4) for k in range(9))]
    )
