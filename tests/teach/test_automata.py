"""Words of Shift-Or: the paper's figures, patterns of any lengths beside a plain search, threads of PFAC."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.automaton import automaton_trace
from wavediff.core.teach.partial_matches import partial_match_trace
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.scene import Bits, Lanes, Mark, Sheet
from wavediff.core.teach.state_orders import orders_trace
from wavediff.core.teach.unit import Unit

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "kusudo_fig2.json").read_text())
TEXT, PATTERN = st.text("ABC", min_size=1, max_size=30), st.text("ABC", min_size=1, max_size=5)


def test_the_states_of_the_papers_figure():
    trace = automaton_trace({"a": GOLDEN["text"], "b": GOLDEN["pattern"]})
    assert trace.value_of("states") == GOLDEN["rows"]
    assert trace.ask(Unit.LETTER, 5, Kind.BITS).accepts == {"0110"}
    assert trace.ask(Unit.LETTER, 5, Kind.VALUE).accepts == {"1"}


@given(TEXT, st.lists(PATTERN, min_size=1, max_size=6))
def test_patterns_end_where_they_stand(text, patterns):
    trace = automaton_trace({"a": text, "b": " ".join(patterns)})
    for letter in range(1, len(text) + 1):
        found = sorted(trace.names[k] for k in trace.ends(letter))
        assert found == sorted(one for one in patterns if text[:letter].endswith(one))


@given(TEXT, PATTERN)
def test_a_zero_bit_is_a_prefix_that_ends_here(text, pattern):
    trace = automaton_trace({"a": text, "b": pattern})
    for letter, state in enumerate(trace.value_of("states"), 1):
        reached = [text[:letter].endswith(pattern[:i]) for i in range(len(pattern), 0, -1)]
        assert [bit == "0" for bit in state] == reached


def test_words_of_a_step_are_blank_until_they_are_known():
    trace = automaton_trace({"a": "GTCATCG", "b": "TCAT CAT AT"})
    words = trace.scene(Unit.OPERATION, 9).parts[-1]
    assert isinstance(words, Bits)
    by_name = dict(words.rows)
    assert by_name["S << 3"] == "000011001000"
    assert by_name["B[T]"] == " " * 12
    assert by_name["S"] == " " * 12
    assert words.rows[3] == ("4 A", "111000011001")
    assert words.marks[0] == "nnnnnndnnddn"
    after = trace.scene(Unit.OPERATION, 10).parts[-1]
    assert isinstance(after, Bits)
    assert dict(after.rows)["S"] == "000111011000"


def test_states_are_lit_in_a_line_for_each_pattern():
    lines = automaton_trace({"a": "GTCATCG", "b": "AT TCAT"}).scene(Unit.LETTER, 5).parts[1]
    assert isinstance(lines, Sheet)
    assert lines.rows == (("TCAT", "T", "C", "A", "T"), ("AT", "–", "–", "A", "T"))
    assert lines.marks[0][1:] == (Mark.ON, Mark.PLAIN, Mark.PLAIN, Mark.WINNER)
    assert lines.marks[1][1:] == (Mark.SKIPPED, Mark.SKIPPED, Mark.PLAIN, Mark.WINNER)


def test_a_long_text_is_shown_around_its_letter():
    trace = automaton_trace({"a": "ACGT" * 100, "b": "GTA"})
    for k in (0, 1, 200, 400):
        text = trace.scene(Unit.LETTER, k).parts[0]
        assert isinstance(text, Sheet)
        assert len(text.rows[0]) == 24
        if k:
            here = text.rows[0][text.heads.index(str(k))]
            assert here == trace.text[k - 1]


def test_the_longest_pattern_that_fits_and_what_does_not():
    assert automaton_trace({"a": "A" * 300, "b": "A" * 225}).value_of("hits")[0] == 225
    with pytest.raises(ValueError, match="2 patterns of up to 200 letters take more than a word of 256 bits"):
        automaton_trace({"a": "A", "b": "A" * 200 + " " + "C" * 200})
    with pytest.raises(ValueError, match="'b' has 2 patterns; one is wanted"):
        automaton_trace({"a": "A", "b": "A C"}, 1)
    with pytest.raises(ValueError, match="not ASCII"):
        automaton_trace({"a": "é", "b": "A"})


@given(st.integers(1, 8), st.integers(1, 8))
def test_a_shift_in_turn_is_right_for_every_state(q, m):
    trace = orders_trace({"q": q, "m": m})
    assert trace.wrong(trace.turns, q) == []
    assert len(trace.wrong(trace.blocks, 1)) == q - 1
    assert sorted(trace.turns) == sorted(trace.blocks)
    assert trace.ask(Unit.OPERATION, 1, Kind.VALUE).accepts == {str(len(trace.value_of("wrong")))}


def test_threads_read_until_a_letter_does_not_fit():
    trace = partial_match_trace({"a": "abcabc", "b": "abX ab"})
    assert trace.value_of("fit") == [2, 2]
    assert trace.value_of("pfac") == [10, 8]
    assert trace.reads[0].tolist()[0] == [1, 2, 3, 0, 0, 0]
    assert trace.reads[1].tolist()[0] == [1, 2, 0, 0, 0, 0]


@given(TEXT, PATTERN)
def test_bars_count_the_cells_of_the_threads(text, pattern):
    trace = partial_match_trace({"a": text, "b": pattern})
    reads = trace.reads[0]
    for k in range(len(text) + 1):
        bars = trace.scene(Unit.LETTER, k).parts[0]
        assert isinstance(bars, Lanes)
        assert bars.ended.tolist() == [(reads[:, :k] > 0).sum(), k]
    grid = trace.scene(Unit.LETTER, len(text)).grid
    assert len(grid.values) == min(len(text), 12)
    assert ((grid.rank > len(text)) == (grid.values == 0)).all()
    steps = 0
    for start in range(len(text)):
        fits = sum(1 for k in range(len(pattern) + 1) if text[start:].startswith(pattern[:k])) - 1
        steps += min(fits + 1, len(pattern), len(text) - start)
    assert trace.value_of("pfac") == [steps]
    assert np.all(trace.reads[0][np.tril_indices(len(text), -1)] == 0)
