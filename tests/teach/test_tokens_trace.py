"""Diffs of tokens: put together again they give both texts, and their length is that of difflib's or less."""

from difflib import ndiff

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.questions import Kind, ask, mark
from wavediff.core.teach.traces import InputsRefused, new_trace
from wavediff.core.teach.unit import Unit

LINES = st.lists(st.sampled_from(["x", "y = 1", "", "  z"]), min_size=1, max_size=7)


@given(LINES, LINES)
def test_a_diff_has_both_texts_and_as_few_changes_as_there_are(a, b):
    trace = new_trace("diff", {"a": "\n".join([*a, "end"]), "b": "\n".join([*b, "end"])})
    lines = trace.diff(len(a) + 1, len(b) + 1)
    assert [text.strip("␣") for sign, text in lines if sign != "+"] == [*(one.strip("␣") for one in a), "end"]
    assert [text for sign, text in lines if sign != "-"] == [*b, "end"]
    changes = sum(sign != " " for sign, _ in lines)
    assert changes == trace.value_of("deleted") + trace.value_of("inserted")
    assert changes <= sum(line[0] in "+-" for line in ndiff([*a, "end"], [*b, "end"]))
    signs = "".join(sign for sign, _ in lines)
    assert "+-" not in signs  # what is deleted comes first


def test_a_diff_grows_with_the_cells():
    trace = new_trace("diff", {"a": "one\ntwo", "b": "two\nsix"})
    shown = [[row for row in trace.scene(Unit.CELL, k).parts[2].rows if any(row)] for k in range(5)]
    assert shown[0] == []
    assert shown[1] == [("-", "one"), ("+", "two")]
    assert shown[4] == [("-", "one"), (" ", "two"), ("+", "six")]
    assert trace.scene(Unit.CELL, 3).parts[1].rows == (("a", "one"), ("b", "two"), ("c", "six"))


def test_equal_tokens_are_one_symbol_whatever_they_hold():
    words = new_trace("diff", {"a": "to be, or", "b": "to be", "by": "word"})
    assert (words.value_of("symbols a"), words.value_of("symbols b")) == ("abcdbe", "abc")
    assert words.value_of("diff") == ["  to", "  ␣", "  be", "- ,", "- ␣", "- or"]
    question = ask(words, Unit.CELL, 1, Kind.VALUE)
    assert mark(question, {"1"}).is_right
    assert new_trace("diff", {"a": "abc", "b": "b", "by": "letter"}).value_of("symbols a") == "abc"


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"a": "x", "b": "y", "by": "page"}, "'by' is 'page'; line, word, letter are possible"),
        ({"a": "x\n" * 33, "b": "y"}, "'a' has 33 lines; up to 32 can be stepped"),
        ({"a": "x", "b": ""}, "'b' has no letters"),
    ],
)
def test_what_cannot_be_cut_is_refused(inputs, told):
    with pytest.raises(InputsRefused, match=told):
        new_trace("diff", inputs)
