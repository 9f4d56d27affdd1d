"""Dots of sorted rotations beside every pair of k-mers; chains and borders beside the kernels of the program."""

from itertools import pairwise
from math import log2

import numpy as np
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.kernels.rearranged import chain
from wavediff.core.kernels.rearranged.parts import Pair, Part
from wavediff.core.kernels.rearranged.run import cut_ends
from wavediff.core.teach.dot_chains import dot_chains_trace
from wavediff.core.teach.dots import dots_trace
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.scene import Mark
from wavediff.core.teach.unit import Unit

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
    assert said[4] == "Row 4, AC at letter 1 of A: rows above begin with AC too, but none is from B. No dot."
    assert said[5] == "Row 5, AC at letter 3 of B; rows above begin with it at A 3, A 1. 2 dots: A 3, B 3; A 1, B 3."
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


def recurrence(a, strand, k, gap):
    """Start in A, in the strand, and length of each match; the score of each, by the formulas of Li (2018)."""
    matches, scores = [], []
    for i in range(len(a)):
        for j in range(len(strand)):
            n = 0
            while i + n < len(a) and j + n < len(strand) and a[i + n] == strand[j + n]:
                n += 1
            if n >= k and not (i and j and a[i - 1] == strand[j - 1]):
                matches.append((i, j, n))
    for i, j, n in matches:
        score = n
        for (p, q, m), so_far in zip(matches, scores, strict=False):
            of_a, of_b = i + n - p - m, j + n - q - m
            if q < j and 0 < min(of_a, of_b) <= n + gap:
                d = abs(of_a - of_b)
                score = max(score, so_far + min(n, of_a, of_b) - (0.01 * k * d + 0.5 * log2(d) if d else 0))
        scores.append(score)
    return matches, scores


@given(LETTERS, LETTERS, st.integers(2, 4), st.integers(1, 6))
@example("ATCAAAGGCGACCTGCTAA", "ATCAAAGTCGCCCTGCCTAA", 4, 3)
def test_matches_and_scores_are_those_of_the_recurrence(a, b, k, gap):
    try:
        trace = dot_chains_trace({"a": a, "b": b, "k": k, "gap": gap, "least": 1})
    except ValueError:
        reject()
    (plus, scores), (minus, more) = (recurrence(a, one, k, gap) for one in (b, b.translate(COMPLEMENT)[::-1]))
    assert [(one.a, one.b, one.length) for one in trace.matches] == plus + minus
    assert trace.scores == pytest.approx(scores + more)


@given(LETTERS, LETTERS, st.integers(2, 4), st.integers(1, 6))
def test_scores_and_chains_are_those_of_the_kernel(a, b, k, gap):
    try:
        trace = dot_chains_trace({"a": a, "b": b, "k": k, "gap": gap, "least": 1})
    except ValueError:
        reject()
    for minus in (False, True):
        some = [at for at, one in enumerate(trace.matches) if one.minus == minus]
        columns = (
            np.array([getattr(trace.matches[at], name) for at in some], np.int64) for name in ("a", "b", "length")
        )
        scores, before = np.empty(len(some)), np.empty(len(some), np.int64)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chain, "MAX_GAP", gap)
            chain.score_chains.py_func(*columns, chain.GAP_SHARE * k, chain.LOOKBACK, scores, before)
        assert np.allclose(scores, [trace.scores[at] for at in some])
        members, ends = np.empty(len(some), np.int64), np.empty(len(some), np.int64)
        order = np.argsort(-scores, kind="stable")
        n = chain.collect_chains.py_func(order, scores, before, -1e9, members, ends)
        pieces = np.split(members, ends[: n - 1]) if n else []
        collected = sorted(tuple(some[0] + at for at in piece[::-1].tolist()) for piece in pieces)
        assert collected == sorted(one.matches for one in trace.chains if trace.matches[one.matches[0]].minus == minus)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ATCAAAGGCGACCTGCTAA", "ATCAAAGTCGCCCTGCCTAA"),
        ("TTGTGGGATGACTGGCGAG", "TTGTGGGTCATCTGGGCGAG"),
        ("AGAGGTAACCGTCAGTAGC", "AGAGGTACGGTTCAGGTAGC"),
    ],
)
def test_borders_are_those_of_the_program(a, b):
    trace = dot_chains_trace({"a": a, "b": b, "k": 4, "gap": 3, "least": 4})
    pair = Pair(*(np.frombuffer(text.encode(), np.uint8) for text in (a, b, b.translate(COMPLEMENT)[::-1])))
    parts = []
    for one in trace.chains:
        if one.is_kept:
            rows = [trace.matches[at] for at in one.matches]
            columns = (np.array([getattr(row, name) for row in rows]) for name in ("a", "b", "length"))
            parts.append(Part.of(chain.Chain(rows[0].minus, *columns, np.ones(len(rows), np.int64))))
    parts.sort(key=lambda part: part.box[0])
    for _ in cut_ends(parts, pair, 0):
        pass
    found = [[part.box[0] + 1, part.box[1], part.on(1, len(b))[0] + 1, part.on(1, len(b))[1]] for part in parts]
    assert [block[:4] for block in trace.value_of("blocks")] == found
    assert trace.value_of("borders") == [list(part.ranges[1]) for part in parts[:-1]]


def test_other_letters_have_chains_or_a_reason():
    with pytest.raises(InputError, match="N has no complement"):
        dot_chains_trace({"a": "ACN", "b": "ACG"})
    with pytest.raises(ValueError, match="up to 24 can be stepped: a larger k has fewer"):
        dot_chains_trace({"a": "A" * 20, "b": "A" * 20})
    trace = dot_chains_trace({"a": "AAAAA", "b": "CCCCC"})
    assert trace.value_of("blocks") == []
    assert trace.say(Unit.ROW, trace.steps(Unit.ROW)).startswith("0 matches of 4 letters or more")


@given(LETTERS, LETTERS, st.integers(2, 4))
@example("CACAAACACGCAT", "CAAACCCACGA", 2)  # two chains of the same score
def test_a_match_is_said_to_be_after_the_one_in_the_list(a, b, k):
    try:
        trace = dot_chains_trace({"a": a, "b": b, "k": k, "gap": 6})
    except ValueError:
        reject()
    for number, before in enumerate(trace.value_of("before"), 1):
        assert not before or f"After match {before}" in trace.say(Unit.ROW, number)


@given(LETTERS, LETTERS, st.integers(2, 4))
def test_a_trace_of_any_letters_can_be_stepped(a, b, k):
    try:
        trace = dot_chains_trace({"a": a, "b": b, "k": k, "least": k})
    except ValueError:
        reject()
    for step in range(trace.steps(Unit.ROW) + 1):
        assert trace.scene(Unit.ROW, step).grid is not None
        assert trace.say(Unit.ROW, step).endswith((".", "?"))
    spans = sorted(tuple(block[:2]) for block in trace.value_of("blocks"))
    assert all(one[1] < two[0] for one, two in pairwise(spans))
