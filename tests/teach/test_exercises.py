"""Exercises: the same for one seed, all different, and a key that the marking of answers accepts."""

import pytest

from tests.depth import one_of
from wavediff.app.commands.cli import main
from wavediff.core.base.errors import WavediffError
from wavediff.core.teach.exercises import exercise_text, exercises
from wavediff.core.teach.lesson import headings, lessons, read_lesson
from wavediff.core.teach.questions import LEVELS, ask, mark


def lesson_of(name):
    return read_lesson(next(one.path for one in headings() if one.id == name))


@pytest.mark.parametrize("name", one_of(4, [one.id for one in headings()]))
def test_exercises_of_a_seed_are_the_same_and_differ_from_each_other(name):
    lesson = lesson_of(name)
    some = exercises(lesson, 3, 7)
    assert [one.text for one in exercises(lesson, 3, 7)] == [one.text for one in some]
    assert len({(id(one.part), one.text, one.question.shown) for one in some}) == 3
    for one in some:
        assert one.asked.step <= one.solved.step
        again = ask(one.part.trace, one.question.unit, one.question.step, one.question.kind)
        assert mark(again, set(one.question.accepts)).is_right


def test_more_exercises_than_a_lesson_has_are_refused_with_their_number():
    with pytest.raises(WavediffError, match="'sklansky' has 4 exercises, not 5"):
        exercises(lesson_of("sklansky"), 5, 7)


def test_another_seed_has_other_exercises():
    lesson = lesson_of("edit-table")
    sheets = {tuple(one.text for one in exercises(lesson, 8, seed)) for seed in range(6)}
    assert len(sheets) == 6


def test_the_key_of_a_table_is_its_numbers():
    lesson = lesson_of("edit-table").with_inputs({"a": "GATTACA", "b": "TAGACCA"})
    values = lesson.parts[0].trace.table.values
    for one in exercises(lesson, 20, 3):
        if one.question.kind == "value":
            words = one.text.replace(",", "").split()
            row, col = (int(words[words.index(name) + 1]) for name in ("row", "column"))
            assert one.question.accepts == {str(values[row, col])}
            assert str(values[row, col]) in one.key


def test_a_sheet_as_text_has_a_key_where_wanted(capsys):
    assert main(["lesson", "lcs-blocks", "--exercises", "4", "--seed", "7", "--no-pager"]) == 0
    whole = capsys.readouterr().out
    assert main(["lesson", "lcs-blocks", "--exercises", "4", "--seed", "7", "--no-answers", "--no-pager"]) == 0
    sheet = capsys.readouterr().out
    assert whole.startswith(sheet.rstrip("\n"))
    assert [whole.count(f"\n{k}. ") for k in range(1, 5)] == [2] * 4
    lesson = next(one for one in lessons() if one.id == "lcs-blocks")
    assert exercise_text(lesson, exercises(lesson, 4, 7), answers=True) == whole


def test_exercises_of_a_level_have_no_question_above_it(capsys):
    lesson = lesson_of("edit-table")
    for level in LEVELS:
        kinds = {one.question.kind for one in exercises(lesson, 12, 7, level)}
        assert kinds <= {kind for each, some in LEVELS.items() if each <= level for kind in some}
    whole = exercise_text(lesson, exercises(lesson, 6, 7, 1), answers=False)
    assert (
        main(["lesson", "edit-table", "--exercises", "6", "--seed", "7", "--level", "1", "--no-answers", "--no-pager"])
        == 0
    )
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize("name", ["hirschberg", "lcs-words", "lcs-table"])
def test_exercises_come_part_by_part_and_none_twice(name):
    lesson = lesson_of(name)
    for seed in range(8):
        some = exercises(lesson, 9, seed)
        parts = [lesson.parts.index(one.part) for one in some]
        assert parts == sorted(parts)
        assert len({(id(one.part), one.text, one.key) for one in some}) == 9


def test_a_sheet_says_what_a_number_means_and_after_which_step_is_asked(capsys):
    assert main(["lesson", "lcs-words", "--exercises", "8", "--seed", "7", "--no-answers", "--no-pager"]) == 0
    sheet = capsys.readouterr().out
    assert "B baexd\n\nA number is a length, and down a column it grows by zero or one" in sheet
    assert "At the start: What is V' after column 1 (b)? 5 bits, row 1 first." in sheet
    assert "After column 2: A step is one column. Which cells can be computed in the next step?" in sheet
