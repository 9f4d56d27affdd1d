"""Rotations, levels of the sort, the walk and the backward search: beside oracles and what the kernel reports."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import bwt
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.bwt_result import TernaryPart
from wavediff.core.kernels.bwt.clock import Clock
from wavediff.core.kernels.bwt.sort.ternary_sort import MAX_DEPTH_LETTERS, sort
from wavediff.core.teach.lesson import lessons
from wavediff.core.teach.questions import Kind, ask, can_ask, mark
from wavediff.core.teach.rotations import backward_trace, rotations_trace, walk_trace
from wavediff.core.teach.scene import Mark, Sheet
from wavediff.core.teach.sort_trace import sort_trace
from wavediff.core.teach.sorting import LETTER_LEVELS, Transform, ternary_levels
from wavediff.core.teach.unit import Unit

TEXT = st.text("ab#~", min_size=1, max_size=40)


def first_sheet(trace, unit, k):
    part = trace.scene(unit, k).parts[0]
    assert isinstance(part, Sheet)
    return part


@given(TEXT)
def test_a_transform_is_that_of_the_definition(text):
    shown, (last, primary) = Transform(text), bwt.bwt(text.encode())
    assert shown.order == bwt.suffix_order(text.encode())
    assert shown.last.replace("$", "").encode() == last
    assert shown.primary == primary
    assert [[(-1 if c == "$" else ord(c)) for c in shown.rotation(row)] for row in range(len(text) + 1)] == (
        bwt.rotations(text.encode())
    )


@given(TEXT)
def test_the_walk_reads_the_text_from_its_end(text):
    shown = Transform(text)
    rows = shown.walk()
    assert "".join(shown.last[row] for row in rows[:-1]) == text[::-1]
    assert sorted(rows) == list(range(len(text) + 1))
    assert all(shown.first[: after + 1].count(shown.last[row]) == shown.rank(row) for row, after in enumerate(shown.lf))


@given(TEXT, st.text("ab#~", min_size=1, max_size=4))
def test_backward_search_finds_what_looking_everywhere_finds(text, pattern):
    trace = backward_trace({"a": text, "b": pattern})
    assert sorted(trace.value_of("places")) == bwt.find(text.encode(), pattern.encode())
    for k, (low, high) in enumerate(trace.intervals):
        suffix = pattern[len(pattern) - k :]
        assert [row for row in range(len(text) + 1) if trace.transform.rotation(row).startswith(suffix)] == (
            list(range(low, high))
        )


def reported(text):
    """Return ``ternary_levels`` with the whole segment in one block, compared with what the kernel reports."""
    steps = sort(np.frombuffer(text.encode(), np.uint8), True, Clock(1, "sort"))
    try:
        while True:
            next(steps)
    except StopIteration as end:
        _, levels = end.value
    made = ternary_levels(text)
    assert len(made) == len(levels)
    for mine, kernel in zip(made, levels, strict=True):
        assert list(mine.after) == kernel.order.tolist()
        assert mine.by_rank == kernel.by_rank
        segments = [
            (start, end, part)
            for one in mine.segments
            for start, end, part in zip(
                (one.start, one.equal, one.greater), (one.equal, one.greater, one.end), TernaryPart, strict=True
            )
            if start < end
        ]
        assert segments == list(zip(kernel.starts, kernel.ends, kernel.parts, strict=True))
    return made


def test_levels_are_those_that_the_sort_reports():
    assert LETTER_LEVELS == MAX_DEPTH_LETTERS
    rng = np.random.default_rng(26)
    for alphabet in ("ab", "ACGT", "a", "abcdefghijklmnopqrstuvwxyz"):
        for size in (1, 2, 20, 100, 300):
            reported("".join(alphabet[k] for k in rng.integers(0, len(alphabet), size)))
    assert reported("ab" * 80)[-1].by_rank
    assert len(reported("aaaa")) == 4


@given(TEXT, st.integers(1, 5), st.integers(1, 8))
def test_blocks_write_every_row_once_and_in_order(text, block_rows, letters):
    levels = ternary_levels(text, block_rows, letters)
    assert list(levels[-1].after) == Transform(text).order
    for level in levels:
        for segment in level.segments:
            written = []
            for block in segment.blocks:
                assert block.end - block.start == block.less + block.equal + block.greater <= block_rows
                for count, at in zip((block.less, block.equal, block.greater), block.writes, strict=True):
                    written += range(at, at + count)
            assert sorted(written) == list(range(segment.start, segment.end))
            keys = {place: level.keys[level.before.index(level.after[place])] for place in written}
            parts = [segment.part(place) for place in range(segment.start, segment.end)]
            assert parts == sorted(parts)
            assert {keys[p] for p in written if segment.part(p) is TernaryPart.EQUAL} == {segment.pivot}


def test_passes_show_what_they_know():
    trace = sort_trace({"a": "abracadabra"})
    before, counted, written = (trace.scene(Unit.PASS, k).parts for k in range(3))
    assert [row[-1] for row in before[0].rows] == [""] * 12
    assert [row[-1] for row in counted[0].rows] == list("=>>=>=>=>>=<")
    assert counted[1].rows[0] == ("[0, 4)", "a", "0", "2", "2", "", "", "")
    assert [row[-1] for row in written[0].rows] == list("<=====>>>>>>")
    assert written[1].rows[2] == ("[8, 12)", "a", "1", "1", "2", "0", "5", "10")
    assert trace.ask(Unit.PASS, 1, Kind.VALUE).accepts == {"1"}
    assert trace.same(Unit.LEVEL, 3, Unit.PASS) == 6
    assert trace.same(Unit.PASS, 5, Unit.LEVEL) == 2


def test_rotations_are_made_and_then_taken_in_their_order():
    trace = rotations_trace({"a": "banana"})
    made = first_sheet(trace, Unit.ROW, 3)
    assert made.rows[:4] == (("0", "banana$"), ("1", "anana$b"), ("2", "nana$ba"), ("3", ""))
    taken = trace.scene(Unit.ROW, 9).parts[1]
    assert isinstance(taken, Sheet)
    assert taken.rows[:3] == (("0", "6", "$", "banan", "a"), ("1", "5", "a", "$bana", "n"), ("2", "", "", "", ""))
    assert trace.ask(Unit.ROW, 11, Kind.NEXT).accepts == {"1"}


def test_the_walk_is_asked_before_it_goes_on():
    trace = walk_trace({"a": "banana"})
    question = trace.ask(Unit.LETTER, 2, Kind.NEXT)
    assert question.text == "L of row 1 is n, number 1 of its kind. Which row comes next?"
    assert question.accepts == {"5"}
    columns = first_sheet(trace, Unit.LETTER, 2)
    assert [row[3] for row in columns.rows] == ["1", "5", "", "", "", "", ""]
    assert columns.marks[5][0] is Mark.NEW
    assert trace.scene(Unit.LETTER, 2).parts[1].rows == (("····na$",),)


def test_a_pattern_that_is_not_there_is_said():
    trace = backward_trace({"a": "banana", "b": "nab"})
    assert trace.say(Unit.LETTER, 2) == "a stands in L of none of these rows: the pattern is not in the text."
    assert trace.value_of("count") == 0


def test_long_texts_show_the_rows_that_matter():
    text = "ACGTTGCA" * 250
    for trace, unit in (
        (rotations_trace({"a": text}), Unit.ROW),
        (walk_trace({"a": text}), Unit.LETTER),
        (sort_trace({"a": text}), Unit.LEVEL),
        (backward_trace({"a": text, "b": "GCAACG"}), Unit.LETTER),
    ):
        for k in (0, 1, trace.steps(unit)):
            assert len(first_sheet(trace, unit, k).rows) == 24


def test_texts_are_refused_with_what_is_possible():
    with pytest.raises(InputError, match="the text has a \\$ at letter 2"):
        rotations_trace({"a": "a$"})
    with pytest.raises(ValueError, match="up to 2,000 can be stepped"):
        walk_trace({"a": "a" * 2001})
    with pytest.raises(ValueError, match="'rows' is 0; 1 to 1,024 is possible"):
        sort_trace({"a": "a", "rows": 0})


def test_rows_that_there_are_not_are_counted_and_not_looked_for():
    trace = backward_trace({"a": "mississippi", "b": "xsi"})
    question = trace.ask(Unit.LETTER, 3, Kind.VALUE)
    assert (question.text, question.accepts) == ("How many rows begin with xsi?", {"0"})
    assert mark(question, {"2"}).hint == "So many begin with the letters that were read before."


@pytest.mark.parametrize(
    "text", ["abracadabra", "mississippi", "characteristically", "thequickbrownfoxjumpsover", "abc" * 20]
)
def test_a_block_that_is_asked_about_is_in_sight_and_its_place_was_not_told(text):
    trace = sort_trace({"a": text})
    for k in range(1, trace.steps(Unit.PASS) + 1):
        question, seen = trace.ask(Unit.PASS, k, Kind.VALUE), trace.scene(Unit.PASS, k - 1)
        level, rows = trace.levels[(k - 1) // 2], [int(row[0]) for row in seen.parts[0].rows]
        start, end = map(int, re.search(r"\[(\d+), (\d+)\)", question.text).groups())
        assert {start, end - 1} <= set(rows)
        (segment,) = [one for one in level.segments if one.start <= start < one.end]
        lie, keys = [level.before.index(row) for row in level.after], level.keys
        if k % 2:
            assert question.accepts == {str(keys[start:end].count(segment.pivot))}
            continue
        (answer,) = map(int, question.accepts)
        part = segment.part(answer)
        assert part.name.lower() in question.text
        mine = [place for place in range(start, end) if segment.part(lie.index(place)) is part]
        assert lie[answer : answer + len(mine)] == mine, "it writes its rows there, in their order"
        told = re.findall(r"\d+", trace.say(Unit.PASS, k - 1))
        assert str(answer) not in told or len(segment.blocks) == 1 or len(level.segments) > 1


@given(st.text("abn", min_size=2, max_size=9))
def test_each_row_that_is_not_the_next_one_is_told_apart_and_marked(text):
    trace, n = rotations_trace({"a": text}), len(text) + 1
    rows = sorted(range(n), key=lambda at: (text + "$")[at:].replace("$", ""))
    for row, right in enumerate(rows):
        k = n + row + 1
        question, turned = trace.ask(Unit.ROW, k, Kind.NEXT), first_sheet(trace, Unit.ROW, k - 1)
        assert question.accepts == {str(right)}
        for at in set(range(n)) - {right}:
            marked = mark(question, {str(at)})
            assert [turned.rows[line][0] for line, _ in marked.cells] == [str(at)]
            if "sorted in already" in marked.hint:
                assert marked.hint.startswith(f"Row {rows.index(at)} ")
                assert at in rows[:row]
            elif letter := re.match(r"That row comes later: its letter (\d+), (.), is greater than (.)\.", marked.hint):
                at_letter = int(letter[1]) - 1
                one, other = (trace.transform.text[at:] + "$", trace.transform.text[right:] + "$")
                assert (one[at_letter], other[at_letter]) == (letter[2], letter[3])
                assert one[:at_letter] == other[:at_letter]
                assert at in rows[row:]
        assert mark(question, {str(n + 1)}).hint == f"There is no {n + 1}: 0 to {n - 1} are possible."
        assert trace.scene(Unit.ROW, k - 1).asked == (1, row, 1)


def test_a_wrong_row_is_marked_in_the_walk_and_in_the_search():
    walk = mark(walk_trace({"a": "banana"}).ask(Unit.LETTER, 3, Kind.NEXT), {"1"})
    assert (walk.hint[:15], walk.cells) == ("One row too few", ((1, 0),))
    search = mark(backward_trace({"a": "abracadabra", "b": "abra"}).ask(Unit.LETTER, 2, Kind.NEXT), {"1"})
    assert search.hint == "That is the first row of the letters that were read before."
    assert search.cells == ((1, 0),)


def test_the_answer_is_written_in_the_cell_that_is_asked_about():
    """So that the question mark there hides it."""
    shown = [(part.trace, unit) for lesson in lessons() for part in lesson.parts for unit in part.units]
    for trace, unit in shown:
        for k, kind in product(range(1, trace.steps(unit) + 1), trace.kinds(unit)):
            asked = trace.scene(unit, k - 1).asked
            if asked is not None and can_ask(trace, unit, k, kind):
                place, line, col = asked
                text = trace.scene(unit, k).parts[place].rows[line][col]
                assert ask(trace, unit, k, kind).accepts & {text, *re.findall(r"\d+", text)}
