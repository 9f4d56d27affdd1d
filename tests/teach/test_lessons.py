"""Lessons: what they expect comes out, files that are none are refused with what is wrong, questions are marked."""

import re
from itertools import groupby

import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.teach import lesson as lesson_module
from wavediff.core.teach.lesson import FOLDER, check_lesson, headings, lesson_named, lessons, read_lesson
from wavediff.core.teach.lesson_data import lesson_text
from wavediff.core.teach.questions import Kind, ask, mark
from wavediff.core.teach.traces import InputsRefused, new_trace
from wavediff.core.teach.unit import Unit

LESSON = """
id = "mine"
title = "Mine"
source = "none"
minutes = 1
[[part]]
method = "edit"
a = "kitten"
b = "sitting"
[[part.scene]]
id = "all"
from = 0
to = 42
say = "{answer} edits, {D[5,5]} before; {a[1]} is not {b[1]}."
[part.expect]
answer = 3
"""


def test_the_lessons_that_ship_say_what_they_compute():
    for one in lessons():
        check_lesson(one, one.id)  # each number that it expects, and each of its sentences
    shipped = lessons()
    assert {one.id for one in shipped} == {path.stem[3:] for path in FOLDER.glob("*.toml")}
    topics = [one.topic for one in shipped]
    assert [topic for topic, _ in groupby(topics)] == list(dict.fromkeys(topics))  # a topic is taught in one piece
    assert all(part.expect for lesson in lessons() for part in lesson.parts)


def test_every_step_of_every_lesson_has_a_sentence():
    for lesson in lessons():
        for part in lesson.parts:
            for unit in part.units:
                steps = range(part.trace.steps(unit) + 1)
                assert all(part.trace.say(unit, k).endswith((".", "?")) for k in steps if k < 200)


def test_a_lesson_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(LESSON)
    part = read_lesson(path).parts[0]
    assert part.sentence(part.scenes[0], 0) == "3 edits, 2 before; k is not s."


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("answer = 3", "answer = 4", "part 1 expects 'answer' to be 4, and it is 3"),
        ("answer = 3", "ansver = 3", "part 1 expects 'ansver', which nothing is called here"),
        ("to = 42", "to = 43", "part 1, scene 'all' is steps 0 to 43; 0 to 42 are there"),
        ("{answer} edits", "3 edits", "has a number in its sentence"),
        ("{answer} edits", "{edits} edits", "'edits' is nothing that a sentence can ask for"),
        ("{a[1]}", "{a[9]}", "is nothing that a sentence can ask for"),
        ("minutes = 1", "minutes = 1\ncolour = 2", "the lesson: 'colour' means nothing here"),
        ("minutes = 1", 'minutes = "1"', "the lesson: 'minutes' is '1'; a number is wanted"),
        ('method = "edit"', 'method = "swop"', "part 1: 'method' is 'swop'; one of lcs, edit, "),
        ('a = "kitten"', 'a = ""', "part 1: 'a' has no letters; one or more are wanted"),
        (
            'b = "sitting"',
            'b = "sitting"\nblock = [4]',
            "part 1: 'block' is [4]; rows and columns are wanted, as [4, 4]",
        ),
        ('b = "sitting"', 'b = "sitting"\ninputs = {most = 3}', "part 1: 'most' means nothing here; a, b, block do"),
        ('b = "sitting"', 'b = "sitting"\nunits = ["letter", "cell"]', "part 1 is not stepped by letter; cell, row,"),
        ("from = 0", "from = 0\neach = 1", "'each' is 1; true or false is wanted"),
        ("from = 0", 'from = 1\nask = "bits"', "'bits' cannot be asked of step 1 of cell"),
        ("[[part]]", "[[part", "this is no TOML"),
        ("say = ", 'unit = "row"\nsay = ', "'unit' is 'row'; one of cell is wanted"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, old, new, told):
    path = tmp_path / "mine.toml"
    assert old in LESSON
    path.write_text(LESSON.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        check_lesson(read_lesson(path), str(path))
    assert str(error.value).startswith(f"{path}: ")
    assert told in str(error.value)


def test_a_lesson_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_lesson(tmp_path / "none.toml")


def test_other_letters_begin_each_unit_from_its_start():
    lesson = read_lesson(FOLDER / "08-edit-table.toml").with_inputs({"a": "AC"}, Unit.ROW)
    (part,) = lesson.parts
    assert part.inputs == {"a": "AC", "b": "sitting"}
    assert [(one.unit, one.first, one.last) for one in part.scenes] == [(Unit.ROW, 0, 2)]


def test_inputs_that_a_method_does_not_take_are_refused():
    with pytest.raises(InputsRefused, match="'a' is 3; letters are wanted"):
        lessons()[0].with_inputs({"a": 3})


def test_headings_are_those_of_the_lessons():
    found = [(one.id, one.title, one.source, one.minutes) for one in headings()]
    assert found == [(one.id, one.title, one.source, one.minutes) for one in lessons()]


def test_other_letters_go_to_the_part_that_takes_letters():
    lesson = read_lesson(FOLDER / "05-lcs-blocks.toml")
    calls, part = lesson.with_inputs({"a": "GATTACA", "b": "TAGACCA"}).parts
    assert calls is lesson.parts[0]
    assert (part.method, part.trace.value_of("answer"), part.trace.value_of("calls")) == ("blocks", 4, 3)
    with pytest.raises(InputsRefused, match="'a' means nothing here; rows, cols, workers, rules do"):
        read_lesson(FOLDER / "11-queue.toml").with_inputs({"a": "GATTACA"})


def test_inputs_that_are_typed_become_what_they_were():
    lesson = read_lesson(FOLDER / "11-queue.toml")
    other = lesson.with_typed({"workers": "6", "rules": "strips, calls"})
    assert other.parts[0].trace.inputs == {"rows": 5, "cols": 8, "workers": 6, "rules": ["strips", "calls"]}
    assert other.options == ("--set", "workers=6", "--set", "rules=strips, calls")
    with pytest.raises(InputsRefused, match="'rows' is 'five'; a whole number is wanted"):
        lesson.with_typed({"rows": "five"})
    with pytest.raises(InputsRefused, match="'worker' means nothing here"):
        lesson.with_typed({"worker": "5"})
    columns = read_lesson(FOLDER / "07-hirschberg.toml").with_typed({"cut": "columns"})
    assert columns.parts[0].units == (Unit.PART, Unit.COLUMN)


def test_answers_are_marked():
    trace = new_trace("edit", {"a": "kitten", "b": "sitting"})
    value = ask(trace, Unit.CELL, 33, Kind.VALUE)
    assert value.text == "What is written in row 5 (e), column 5 (i)?"
    assert mark(value, {"2"}).is_right
    assert not mark(value, {"3"}).is_right
    reads = ask(trace, Unit.CELL, 16, Kind.READS)
    assert reads.accepts == {"2,1", "2,2", "3,1"}
    partly = mark(reads, {"2,1", "3,3"})
    assert (partly.right, partly.wrong, partly.missing) == ({"2,1"}, {"3,3"}, reads.accepts - {"2,1"})
    writes = ask(trace, Unit.ANTIDIAGONAL, 2, Kind.WRITES)
    assert writes.accepts == {"1,2", "2,1"}


def test_any_arrow_that_attains_the_optimum_is_right():
    trace = new_trace("lcs", {"a": "abcde", "b": "baexd"})
    arrow = ask(trace, Unit.CELL, 25, Kind.ARROW)
    assert mark(arrow, {"up"}).is_right
    assert mark(arrow, {"left"}).is_right
    assert not mark(arrow, {"diagonal"}).is_right
    bits = ask(trace, Unit.COLUMN, 5, Kind.BITS)
    assert mark(bits, {"01101"}).is_right


def test_what_cannot_be_asked_is_refused():
    trace = new_trace("lcs", {"a": "abcde", "b": "baexd"})
    assert trace.kinds(Unit.OPERATION) == ()
    with pytest.raises(ValueError, match="'bits' cannot be asked of step 1 of operation"):
        ask(trace, Unit.OPERATION, 1, Kind.BITS)
    with pytest.raises(ValueError, match="step 6"):
        ask(trace, Unit.COLUMN, 6, Kind.BITS)


def test_every_lesson_asks():
    for lesson in lessons():
        assert any(scene.ask for part in lesson.parts for scene in part.scenes), lesson.id


def test_a_course_that_is_read_as_a_lesson_names_the_option_for_it(tmp_path):
    path = tmp_path / "course.toml"
    path.write_text('title = "Two hours"\nlessons = ["swaps"]\n')
    with pytest.raises(InputError, match=r"course\.toml: this is a course of several lessons; --html-folder DIR"):
        lesson_named(str(path))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('topic = "T"\n', "", "the lesson has no 'topic'; a text is wanted"),
        ("{answer} edits", "{edits} edits", "part 1, scene 'all': 'edits' is nothing that a sentence can ask for"),
    ],
)
def test_a_wrong_lesson_among_those_that_ship_is_named_with_its_file(tmp_path, monkeypatch, old, new, told):
    monkeypatch.setattr(lesson_module, "FOLDER", tmp_path)
    text = LESSON.replace("minutes = 1", 'minutes = 1\ntopic = "T"', 1)
    (tmp_path / "01-mine.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        lesson_text(lesson_named(headings()[0].id))
    assert str(error.value).startswith(f"{tmp_path / '01-mine.toml'}: {told}")


def test_the_first_sentence_of_a_lesson_says_what_is_in_a_cell():
    what = r"number|bit|row|cell|dot"
    for lesson in lessons():
        part = lesson.parts[0]
        said = part.sentence(part.scenes[0], part.scenes[0].first)
        assert re.match(rf"(A|The) ({what})\b.*?\b(is|means|of|for|what|as)\b|A ({what})", said), (lesson.id, said)
