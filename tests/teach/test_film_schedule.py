"""Films of lessons: each sentence is seen as long as it takes to read, and the subtitles say the same."""

import html
import re
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.teach.own_lesson import OWN
from wavediff.core.teach.film import moments, subtitles
from wavediff.core.teach.lesson import lessons, parse_lesson
from wavediff.core.teach.questions import Kind, ask
from wavediff.core.teach.unit import Unit

LESSONS = [pytest.param(one, id=one.id) for one in lessons()]
TIMES = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d\d):([0-5]\d):([0-5]\d)\.(\d{3})")


FIRST = moments(lessons()[0])[0]


def to_read(sentence):
    return 2000 + 50 * len(sentence)


def cues(text):
    """Read WebVTT: begin and end in milliseconds, and the text of each cue."""
    head, *blocks = text.rstrip("\n").split("\n\n")
    assert head.startswith("WEBVTT")
    found = []
    for block in blocks:
        lines = block.split("\n")
        if lines[0].startswith("NOTE"):
            assert "-->" not in block
            continue
        parts = [int(one) for one in TIMES.fullmatch(lines[0]).groups()]
        begin, end = (
            ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
            for hours, minutes, seconds, rest in (parts[:4], parts[4:])
        )
        assert len(lines) == 2
        found.append((begin, end, html.unescape(lines[1])))
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_sentence_of_a_lesson_can_be_read(lesson):
    seen = moments(lesson)
    said = [
        (scene, step, part.sentence(scene, step))
        for part in lesson.parts
        for scene in part.scenes
        for step in range(scene.first, scene.last + 1)
    ]
    shown = [(one.frame.scene, one.frame.step, one.sentence) for one in seen]
    assert [one for one in shown if one in said] == said  # each step once, in order
    for sentence, run in groupby(seen, key=lambda one: one.sentence):
        assert sum(one.milliseconds for one in run) >= to_read(sentence), sentence
    stops = [one for one in seen[:-1] if one.frame.scene.each and one.frame.step >= one.frame.scene.first]
    assert all(one.milliseconds == to_read(one.sentence) for one in stops)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_question_pauses_before_its_answer(lesson):
    seen = moments(lesson)
    asked = [(part, scene) for part in lesson.parts for scene in part.scenes if scene.ask is not None]
    pauses = [k for k, one in enumerate(seen) if one.is_question]
    assert len(pauses) == len(asked)
    for k, (part, scene) in zip(pauses, asked, strict=True):
        text = ask(part.trace, scene.unit, scene.first, scene.ask).text
        assert seen[k].sentence == text
        shows_the_end = scene.ask is Kind.PATH  # along which a path is drawn
        assert seen[k].frame.step == scene.first - (not shows_the_end)
        assert seen[k].milliseconds == to_read(text) + 5000
        assert seen[k + 1].frame == (part, scene, scene.unit, scene.first)


@pytest.mark.parametrize("lesson", LESSONS)
def test_subtitles_are_what_the_film_shows_when_it_shows_it(lesson):
    seen = moments(lesson)
    read = cues(subtitles(seen, lesson.command()))
    at = 0
    for one in seen:
        middle = at + one.milliseconds / 2
        assert [text for begin, end, text in read if begin <= middle < end] == [one.sentence]
        at += one.milliseconds
    assert read[0][0] == 0
    assert read[-1][1] == at
    assert all(before[1] <= after[0] for before, after in pairwise(read))


def test_a_sentence_that_stays_is_read_once_but_where_each_step_stops():
    seen = moments(parse_lesson(OWN.encode(), "own.toml"))
    same, each, after = "The same & all along", "Each <step>", "After it."
    question = seen[7]
    assert [one.milliseconds for one in seen] == [
        *[to_read(same), 500, 500, 500],
        *[to_read(each)] * 3,
        to_read(question.sentence) + 5000,
        *[to_read(after), 500, 4000],
    ]
    assert question.frame.step == 6
    assert "?" in question.sentence
    read = cues(subtitles(seen, "wavediff lesson own.toml --set x='-->'"))
    assert [text for _, _, text in read] == [same, each, question.sentence, after]


def test_steps_of_a_unit_go_on_by_themselves():
    lesson = lessons()[0]
    seen = moments(lesson, Unit.ROW)
    assert [one.frame.step for one in seen] == list(range(lesson.parts[0].trace.steps(Unit.ROW) + 1))
    assert [one.milliseconds for one in seen[:-1]] == [500] * (len(seen) - 1)


@given(st.lists(st.tuples(st.text("a&<>-\u00d7 ", min_size=1).map(str.strip).filter(bool), st.integers(1, 10**7))))
def test_times_and_signs_of_subtitles_come_back(told):
    seen = [FIRST._replace(sentence=text, milliseconds=milliseconds) for text, milliseconds in told]
    at, wanted = 0, []
    for text, run in groupby(told, key=lambda one: one[0]):
        end = at + sum(milliseconds for _, milliseconds in run)
        wanted.append((at, end, text))
        at = end
    assert cues(subtitles(seen, "x")) == wanted
