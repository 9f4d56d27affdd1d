"""Search on a card against the same on the CPU: the same hits in the same order."""

import numpy as np
import pytest

from tests.core.running import watched
from tests.core.searches import AUTOMATA, NUCLEOTIDES, expected, patterns, random_dna, rows
from tests.depth import one_of
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import HitsFound, Progress, StepDone, run_to_end
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.run import run as run_on_cpu
from wavediff.core.kernels.search.search_plan import plan, prepared
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.gpu.card import transfer
from wavediff.gpu.search import hit_room, run
from wavediff.gpu.search.chunk import Chunk, LaunchSizer, SearchContext
from wavediff.gpu.search.hit_room import CHECK_LETTERS, HitRoom, upload, words_of
from wavediff.gpu.search.run import run_on


def _both(card, text, given, **choices):
    """Return the hits on the card, after seeing that the CPU's are the same."""
    letters = np.frombuffer(text, np.uint8) if isinstance(text, bytes) else text
    job = SearchJob(text=letters, patterns=patterns(*given), **choices)
    found, wanted = run_to_end(run_on(card, job)), run_to_end(run_on_cpu(job))
    assert (found.device, found.complete, found.cells) == ("gpu", wanted.complete, wanted.cells)
    assert wanted.strategy in (found.strategy, "q-grams")
    assert rows(found.hits) == rows(wanted.hits)
    assert found.counts.tolist() == wanted.counts.tolist()
    return rows(found.hits)


@pytest.mark.parametrize(("layout", "n"), one_of(3, AUTOMATA, [0, 1, 32, 33, 4097]))
def test_equal_nested_and_overlapping_patterns(card, layout, n):
    text = (b"abaabab" * (n // 7 + 1))[:n]
    given = [b"ab", b"aab", b"b", b"ab", b"abaab", b"ababab", b"a", b"c"]
    assert _both(card, text, given, layout=layout) == expected(text, given)


LENGTHS = (1, 2, 31, 32, 33, 63, 64, 65, 127, 129, 225, 226, 257, 2000, 4096)


@pytest.mark.parametrize(("layout", "lengths"), one_of(3, AUTOMATA, [LENGTHS, (2,), (64,), (4096,)]))
def test_lengths(card, layout, lengths):
    text = random_dna(7, 9000)
    places = [(at, n) for n in lengths for at in (0, 17, 4097, 9000 - n)]
    found = _both(card, text, [text[at : at + n].tobytes() for at, n in places], layout=layout)
    assert {(at, at + n, k) for k, (at, n) in enumerate(places)} <= {(start, end, k) for start, end, k, _, _ in found}


@pytest.mark.parametrize("n_patterns", [8, 300])
@pytest.mark.parametrize("layout", AUTOMATA)
def test_several_groups(card, layout, n_patterns):
    text = random_dna(n_patterns, 20_000)
    given = [text[k * 50 : k * 50 + 20 + k % 9].tobytes() for k in range(n_patterns)]
    assert len(_both(card, text, given, layout=layout, both_strands=True, **NUCLEOTIDES)) >= n_patterns


@pytest.mark.parametrize("layout", AUTOMATA)
def test_every_byte_can_be_text_and_pattern(card, layout):
    text = np.tile(np.arange(256, dtype=np.uint8), 3).tobytes()
    given = [bytes([k]) for k in range(256)] + [bytes([255, 0, 1])]
    assert _both(card, text, given, layout=layout) == expected(text, given)


@pytest.mark.parametrize(("errors", "edits"), [(1, False), (2, True), (5, False), (8, True)])
def test_errors(card, errors, edits):
    text = random_dna(errors, 3000)
    given = [text[k * 97 : k * 97 + 14 + k % 60].tobytes() for k in range(12)]
    starts = np.array([0, 5, 5, 700, 2999, 3000])
    assert _both(card, text, given, errors=errors, edits=edits, starts=starts)
    short = b"ACGTACGTTTACGACGTA" * 2
    few = [b"TACGTACGT", b"ACGTAACGTA", b"GGGGGGGGG"] * 5
    if errors < 4:
        assert _both(card, short, few, errors=errors, edits=edits) == expected(short, few, errors, edits=edits)


def test_a_hit_lies_in_one_record(card):
    text, starts = b"ACGTACGTTTACG" * 3, [0, 2, 2, 9, 13, 14, 39]
    given = [b"ACGT", b"TTAC", b"G", b"GTAC"]
    for layout in AUTOMATA:
        assert _both(card, text, given, layout=layout, starts=np.array(starts)) == expected(text, given, starts=starts)


def test_codes_and_letters_of_proteins(card):
    _both(card, b"A" * 300 + b"N" * 900 + b"G" * 300, [b"G" * 20, b"N" * 400], layout=SearchLayout.QUAD, **NUCLEOTIDES)
    assert _both(card, b"MDNEQILXbz*" * 9, [b"BB", b"ZZ", b"JJ", b"X*", b"XX"], rule=LetterRule.PROTEIN, fold_case=True)


@pytest.mark.parametrize("errors", [0, 2])
def test_nothing_is_lost_or_told_twice_where_chunks_and_pieces_meet(card, errors, monkeypatch):
    monkeypatch.setattr(run, "MAX_CHUNK", 512)
    monkeypatch.setattr(transfer, "PIECE_BYTES", 160)
    monkeypatch.setattr(card, "_transfer", transfer.Transfer(card._transfer._driver))  # its pieces are made anew
    text = np.full(3 * 512 + 5, ord("a"), np.uint8)
    for length in (4, 70, 600):
        assert _both(card, text, [b"a" * length], errors=errors, edits=errors > 0)
    text = random_dna(5, 5000)
    given = [text[at : at + 24].tobytes() for at in range(0, text.size - 24, 24)]
    found = _both(card, text, given, errors=errors)
    assert {(24 * k, k) for k in range(len(given))} <= {(start, k) for start, _, k, _, _ in found}


def test_more_hits_than_there_is_room_for(card, monkeypatch):
    monkeypatch.setattr(hit_room, "MAX_HITS", 64)
    monkeypatch.setattr(hit_room, "ASYNC_HITS", 20)
    monkeypatch.setattr(hit_room, "HOST_SORT_HITS", 10)
    text = np.full(5000, ord("a"), np.uint8)
    _both(card, text, [b"a" * (1 + k % 5) for k in range(400)], limit=20_000)
    for limit in (1, 5, 9998, 9999, 10_000):
        _both(card, text, [b"a", b"aa"], limit=limit)


def test_chunks_are_as_long_as_the_numbers_of_hits_can_tell_apart(card, monkeypatch):
    text = random_dna(6, 9000)
    given = [text[at : at + 8 + at % 300].tobytes() for at in range(0, 8000, 1111)]
    for errors in (0, 3):
        start = hit_room.KeyBits.of(SearchJob(text=text, patterns=patterns(*given), errors=errors)).start
        monkeypatch.setattr(hit_room, "KEY_BITS", start + 12)
        assert len(_both(card, text, given, errors=errors, edits=errors > 0)) >= len(given)


def test_hits_stream_in_the_order_of_the_text(card, monkeypatch):
    monkeypatch.setattr(run, "MAX_CHUNK", 1 << 14)
    text = random_dna(1, 100_000)
    words = [b"ACGTAC", *(text[k : k + 60].tobytes() for k in range(60))]
    job = SearchJob(text=text, patterns=patterns(*words))
    events, result = watched(run_on(card, job))
    parts = [event.hits for event in events if isinstance(event, HitsFound)]
    assert len(parts) > 1
    told = Hits.joined(parts)
    assert sorted(rows(told)) == rows(result.hits)
    progress = [event for event in events if isinstance(event, Progress) and event.stage == "search"]
    assert (progress[-1].done, progress[-1].total) == (text.size, text.size)
    assert [one.done for one in progress] == sorted(one.done for one in progress)
    scanned = [event for event in events if isinstance(event, StepDone) and event.kernel == "scan"]
    assert abs(sum(event.cells for event in scanned) - result.cells) < len(scanned) + 1


def test_places_past_two_to_the_31_are_told(card):
    text = np.zeros((1 << 31) + 5000, np.uint8)  # memory that nobody writes to is none
    text[-4000:] = random_dna(3, 4000)
    text.setflags(write=False)
    word, record = text[-1000:-960].tobytes(), text.size - 2000
    job = SearchJob(
        text=text,
        patterns=patterns(word, text[record - 20 : record + 20].tobytes()),
        starts=np.array([0, record, text.size]),
    )
    chosen = run_to_end(plan(job, run_to_end(prepared(job)), words_of))
    tables = run_to_end(upload(card, chosen))
    what = SearchContext(chosen, tables, LaunchSizer(card, 0), HitRoom(card, job, tables))
    place = Chunk(card, job, 4096, CHECK_LETTERS)
    place.bring(text.size - 3000, text.size)
    hits = run_to_end(place.search(what, 9, None))
    place.stop()
    assert rows(hits) == [(text.size - 1000, text.size - 960, 0, 1, 0)]


def test_a_stop_leaves_nothing_under_way(card, monkeypatch):
    monkeypatch.setattr(run, "MAX_CHUNK", 1 << 14)
    text = random_dna(2, 200_000)
    steps = run_on(card, SearchJob(text=text, patterns=patterns(b"ACGTACGT")))
    for event in steps:
        if isinstance(event, Progress):
            break
    steps.close()
    assert _both(card, text, [b"ACGTACGT"])
