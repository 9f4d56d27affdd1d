"""Search by q-grams: where chunks, records and batches meet, many hits a place, and when it is chosen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.searches import NUCLEOTIDES, expected, nucleotide, patterns, random_dna, rows, run
from tests.depth import examples
from tests.oracles.search import literal
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search import chunks, scanner
from wavediff.core.kernels.search import run as search_run
from wavediff.core.kernels.search.collect_hits import in_order
from wavediff.core.kernels.search.qgram_table import letter_bits, pattern_codes, qgram_table
from wavediff.core.kernels.search.search_plan import prepared
from wavediff.core.sequences.letter_rules import LetterRule


@examples(100)
@given(st.data())
def test_nothing_is_lost_where_chunks_and_records_meet(data):
    letters = data.draw(st.sampled_from([b"a", b"ab", b"ACGT"]))
    text = bytes(data.draw(st.lists(st.sampled_from(letters), max_size=400)))
    parts = data.draw(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 40)), min_size=1, max_size=20))
    words = [text[at : at + n] or letters[:1] for at, n in parts]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    starts = [0, *cuts, len(text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_LETTERS", 32)
        patch.setattr(chunks, "_MIN_CHUNK_LETTERS", 32)
        patch.setattr(scanner, "COMPARISONS", data.draw(st.integers(1, 40)))
        patch.setattr(scanner, "MAX_PART_HITS", data.draw(st.integers(1, 200)))
        patch.setattr(search_run, "SMALL_Q", data.draw(st.integers(1, 8)))
        found = run(text, words, starts=np.array(starts), threads=data.draw(st.sampled_from([1, 2])))
    assert found.strategy == "q-grams"
    assert rows(found.hits) == expected(text, words, starts=starts)


@examples(100)
@given(st.data())
def test_a_pattern_alone_is_found_at_every_place(data):
    """Its first letters are compared with 64 places at once; chunks and records end anywhere between."""
    kinds = [(b"ab", {}, literal), (b"ACGTacgtuN", NUCLEOTIDES, nucleotide)]
    letters, rules, match = data.draw(st.sampled_from(kinds))
    text = bytes(data.draw(st.lists(st.sampled_from(letters), min_size=60, max_size=600)))
    at, n = data.draw(st.integers(0, len(text) - 20)), data.draw(st.integers(1, 20))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    starts = [0, *cuts, len(text)]
    with pytest.MonkeyPatch.context() as patch:
        size = data.draw(st.sampled_from([71, 130, 1 << 14]))
        patch.setattr(chunks, "CHUNK_LETTERS", size)
        patch.setattr(chunks, "_MIN_CHUNK_LETTERS", size)
        patch.setattr(scanner, "COMPARISONS", data.draw(st.integers(1, 40)))
        found = run(text, [text[at : at + n]], starts=np.array(starts), **rules)
    assert found.strategy == "q-grams"
    assert rows(found.hits) == expected(text, [text[at : at + n]], starts=starts, match=match)


def test_the_q_gram_of_a_pattern_alone_has_no_stride():
    alone = _table([b"abcdefghijklmnopqrst"], 8)
    assert (alone.stride, int(alone.only).to_bytes(8, "little")) == (1, b"abcdefgh")
    assert _table([b"ACGNNNNNNNNNNNNNNN"], 3, **NUCLEOTIDES).only is not None
    assert _table([b"ANG"], 3, **NUCLEOTIDES).only is None


def test_more_hits_at_a_place_than_a_batch_has_room_for(monkeypatch):
    monkeypatch.setattr(scanner, "HIT_BUFFER_SIZE", 2048)
    monkeypatch.setattr(scanner, "COMPARISONS", 100)
    text, words = np.full(100, ord("a"), np.uint8), [b"a" * (1 + k % 3) for k in range(3000)]
    found = run(text, words)
    assert found.strategy == "q-grams"
    assert found.counts.tolist() == [100 - k % 3 for k in range(3000)]
    key = list(zip(found.hits.start.tolist(), found.hits.length.tolist(), found.hits.pattern.tolist(), strict=True))
    assert key == sorted(set(key))


@examples(60)
@given(st.data())
def test_letters_that_match_others(data):
    codes = st.text("ACGTURYSWKMBDHVNacgtn", min_size=1, max_size=12).map(str.encode)
    text = b"".join(data.draw(st.lists(codes, max_size=60)))
    words = data.draw(st.lists(codes, min_size=1, max_size=6))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_run, "SMALL_Q", data.draw(st.integers(1, 8)))
        found = run(text, words, **NUCLEOTIDES)
    assert rows(found.hits) == expected(text, words, match=nucleotide)


@examples(60)
@given(st.lists(st.lists(st.integers(0, 9), max_size=6).map(sorted), max_size=6))
def test_parts_are_put_in_order(starts):
    flat = [at for part in starts for at in part]
    order = sorted(range(len(flat)), key=flat.__getitem__)
    parts, n = [], 0
    for part in starts:
        given_ = np.arange(n, n + len(part))
        parts.append(Hits(given_, np.zeros(given_.size), np.array(part), given_, np.zeros(given_.size)))
        n += len(part)
    found = in_order(parts)
    assert found.start.tolist() == sorted(flat)
    assert found.pattern.tolist() == found.length.tolist() == order


def test_a_q_gram_lies_at_every_stride_behind_the_start():
    table = _table([b"abcdef", b"bcdefgh"], 3)
    assert (table.q, table.stride) == (3, 4)
    entries = sorted(zip(table.who.tolist(), table.ahead.tolist(), strict=True))
    assert entries == [(k, ahead) for k in range(2) for ahead in range(4)]
    slots = np.repeat(np.arange(table.filled.size), np.diff(table.firsts))
    shared = [slots[(table.who == who) & (table.ahead == ahead)] for who, ahead in ((0, 1), (1, 0))]
    assert shared[0] == shared[1]  # bcd
    assert table.filled.sum() == len(set(slots.tolist()))


def test_letters_that_stand_for_too_many_are_left_to_automata():
    words = [b"X" * 20]
    assert _table(words, 8, rule=LetterRule.PROTEIN, fold_case=True) is None
    assert _table(words, 2, rule=LetterRule.PROTEIN, fold_case=True) is not None


def _table(words, q, **rules):
    job = SearchJob(text=np.zeros(1, np.uint8), patterns=patterns(*words), **rules)
    return qgram_table(pattern_codes(run_to_end(prepared(job)), letter_bits(job)), q)


def test_how_a_long_text_is_searched_is_tried_out():
    dna = random_dna(3, search_run.MIN_TRIED_LETTERS)
    words = _plan(dna.tobytes(), [dna[k : k + 24].tobytes() for k in range(20)])
    assert words.table.q > 3
    assert words.reason == f"{words.table.q} letters are looked up at places {words.table.stride} apart"
    alike = b"abcdefghij" * (search_run.MIN_TRIED_LETTERS // 10 + 1)
    assert _plan(alike, [(b"abcdefghij" * 3)[k : k + 19] + b"?" for k in range(10)]) is None  # Kusudo, Fig. 6
    assert _plan(alike, [(b"abcdefghij" * 3)[k : k + 20] for k in range(10)]) is not None  # all of them occur


def _plan(text, words):
    job = SearchJob(text=np.frombuffer(text, np.uint8), patterns=patterns(*words))
    return run_to_end(search_run.qgram_plan(job, run_to_end(prepared(job))))
