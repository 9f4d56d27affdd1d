"""Answers that are typed and clicked in the panel of the lessons, and keys that go on from a question."""

import pytest
from PySide6.QtCore import Qt

from wavediff.app.teach.lesson_view import LessonView
from wavediff.core.base.numbers import number
from wavediff.core.teach.lesson import lesson_named
from wavediff.core.teach.unit import Unit


@pytest.fixture
def view(window):
    window.show_panel("lessons")
    return window.view(LessonView)


def test_a_number_is_typed_as_the_program_writes_it(qtbot, view):
    view.show_lesson(lesson_named("rotations").with_inputs({"a": "ACGTTGCA" * 200}))
    asked = view.player
    trace = asked.frame.part.trace
    asked.seek_step(len(trace.value_of("rows")) + trace.value_of("rows").index(1_234))
    asked.every = 1
    asked.step()
    view.stage.refresh()
    assert asked.question is not None
    assert asked.question.accepts == {"1234"}
    field = view.stage.question.answer_field
    qtbot.keyClicks(field, number(1_234))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.stage.sentence.text.startswith("Right.")


def test_arrows_go_on_from_a_question_to_which_nothing_is_typed(qtbot, view):
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Right)
    field = view.stage.question.answer_field
    assert view.player.question is not None
    qtbot.keyClicks(field, "1")
    qtbot.keyClick(field, Qt.Key.Key_Right)
    assert view.player.question is not None
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClick(field, Qt.Key.Key_Right)
    assert (view.player.question, view.player.at) == (None, 1)
    assert view.stage.sentence.text == "a and b differ, and nothing is in common yet: 0."


def test_a_row_that_is_clicked_is_the_one_that_it_is_numbered(qtbot, view):
    view.show_lesson(lesson_named("rotations").with_inputs({"a": "ACGTTGCA" * 20}))
    asked = view.player
    asked.every = 1
    trace = asked.frame.part.trace
    late = (k for k in range(162, 322) if trace.scene(Unit.ROW, k).parts[0].rows[2][0] != "2")
    asked.seek_step(next(late))
    asked.step()
    view.stage.refresh()
    view.stage.canvas.row_clicked.emit(2)
    sheet = trace.scene(Unit.ROW, asked.frame.step).parts[0]
    assert view.stage.question.answer_field.text() == sheet.rows[2][0] != "2"
