"""Dots of sorted rotations: beside a comparison of every pair of k-mers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.teach.dots import dots_trace
from wavediff.core.teach.questions import Kind, Unit
from wavediff.core.teach.scene import Mark

LETTERS = st.text("ACGT", min_size=1, max_size=16)
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def equal_kmers(a, b, k, strands):
    """Dots from 1, by comparing each k-mer of A with each of B."""
    pairs = [(i, j, a[i : i + k], b[j : j + k]) for i in range(len(a) - k + 1) for j in range(len(b) - k + 1)]
    plus = [[i + 1, j + 1, 1] for i, j, x, y in pairs if x == y]
    return plus + [[i + 1, j + 1, -1] for i, j, x, y in pairs if strands == 2 and x == y.translate(COMPLEMENT)[::-1]]


@given(LETTERS, LETTERS, st.integers(1, 4), st.sampled_from([1, 2]))
def test_the_dots_are_all_equal_kmers(a, b, k, strands):
    trace = dots_trace({"a": a, "b": b, "k": k, "strands": strands})
    expected = equal_kmers(a, b, k, strands)
    assert sorted(trace.value_of("dots")) == sorted(expected)
    grid = trace.scene(Unit.ROW, trace.steps(Unit.ROW)).grid
    known = {(i + 1, j + 1) for i, row in enumerate(grid.rank.tolist()) for j, rank in enumerate(row) if rank < 10**6}
    assert known == {(i, j) for i, j, _ in expected}
    steps = range(1, trace.steps(Unit.ROW) + 1)
    assert sum(int(*trace.ask(Unit.ROW, step, Kind.VALUE).accepts) for step in steps) == len(expected)


def test_a_row_makes_dots_with_the_rows_above():
    trace = dots_trace({"a": "ACAC", "b": "CGACG", "k": 2})
    said = [trace.say(Unit.ROW, step) for step in range(trace.steps(Unit.ROW) + 1)]
    assert said[3] == "Row 3, AC at letter 3 of A: no row above begins with AC. No dot yet."
    assert said[4] == "Row 4, AC at letter 1 of A: rows above begin with AC, but none of the other sequence. No dot."
    assert said[5] == "Row 5, AC at letter 3 of B, and A 3, A 1 above: 2 dots, A 3, B 3; A 1, B 3."
    sheet, grid = trace.scene(Unit.ROW, 5).parts
    assert [row[0] for row, marks in zip(sheet.rows, sheet.marks, strict=True) if marks[0] is Mark.CITED] == ["3", "4"]
    places = [(i, j) for i, row in enumerate(grid.rank.tolist()) for j, rank in enumerate(row) if rank == 5]
    assert places == [(0, 2), (2, 2)]


def test_letters_without_two_strands_are_refused():
    with pytest.raises(InputError, match="N has no complement"):
        dots_trace({"a": "ACN", "b": "ACG", "strands": 2})
    with pytest.raises(InputError, match="there is a # at letter 2"):
        dots_trace({"a": "A#", "b": "ACG"})
    with pytest.raises(ValueError, match="up to 32 can be stepped"):
        dots_trace({"a": "A" * 33, "b": "A"})
