"""Answers that are typed and clicked in the panel of the lessons, and keys that go on from a question."""

from functools import partial

import pytest
from PySide6.QtCore import Qt

from tests.app.parts import open_texts
from wavediff.app.teach.course_list import CourseList
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.notices import Severity
from wavediff.core.base.numbers import number
from wavediff.core.teach.lesson import headings, lesson_named
from wavediff.core.teach.own_lesson import STARTER
from wavediff.core.teach.questions import CLICKED, LEVELS, Kind
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


def test_letters_of_ones_own_go_on_to_the_next_lessons_that_take_such(qtbot, view):
    def letters():
        return {name: view.player.frame.part.trace.inputs.get(name) for name in "ab"}

    def choose(name):
        qtbot.keyClick(view.stage.canvas, Qt.Key.Key_L)
        course = view.findChildren(CourseList)[-1]
        course.chosen.emit(next(one.path for one in headings() if one.id == name))
        course.leave()

    view.show_lesson(lesson_named("lcs-table").with_inputs({"a": "INTENTION", "b": "EXECUTION"}))
    own = {"a": "INTENTION", "b": "EXECUTION"}
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert (view.player.lesson.id, letters()) == ("lcs-orders", own)
    for name, wanted in (
        ("edit-words", own),
        ("shift-or", {"a": "GTCATCG", "b": "TCAT"}),  # a text and its pattern
        ("cyclic", {"a": None, "b": None}),
        ("dot-chains", {one: lesson_named("dot-chains").parts[0].inputs[one] for one in "ab"}),  # no DNA
        ("swaps", own),
    ):
        choose(name)
        assert (view.player.lesson.id, letters()) == (name, wanted)
    view.show_lesson(lesson_named("rotations").with_inputs({"a": "mississippi"}))
    choose("ternary")
    assert letters() == {"a": "mississippi", "b": None}
    view.lessons.choose(next(one.path for one in headings() if one.id == "rotations"))
    view.lessons.activated.emit(0)  # chosen from all: as it ships
    assert letters() == {"a": "banana", "b": None}


def test_questions_at_random_are_of_the_level_that_is_chosen(qtbot, view):
    for lesson in ("edit-table", "swaps"):
        for level in (1, 2):
            view.levels.choose(level)
            view.levels.activated.emit(0)
            view.show_lesson(lesson_named(lesson))
            kinds = set()
            for _ in range(40):
                qtbot.mouseClick(view.ask_button, Qt.MouseButton.LeftButton)
                kinds.add(view.player.question.kind)
            allowed = {kind for each, some in LEVELS.items() if each <= level for kind in some}
            assert kinds <= allowed
            assert level == 1 or kinds & set(LEVELS[2])


def choose(view, name):
    view.lessons.choose(next(one.path for one in headings() if one.id == name))
    view.lessons.activated.emit(0)


def test_the_open_pair_is_offered_where_a_lesson_takes_letters(qtbot, window, view):
    qtbot.expect(window.session.compared, open_texts, window.session, "ACGT", "AGT")
    for name, takes in (("queue", False), ("edit-table", True), ("your-run", False), ("rotations", True)):
        choose(view, name)
        assert view.take_button.isEnabled() == takes
        assert view.take_button.toolTip().startswith("Show the open pair" if takes else "This lesson has no sequences")
    qtbot.expect(window.session.compared, open_texts, window.session, "ACGT" * 200, "AGT")
    assert not view.take_button.isEnabled()
    assert view.take_button.toolTip() == "For pairs of up to 512 letters each"
    choose(view, "card")
    assert view.take_button.toolTip() == "This lesson has no sequences"


def test_the_error_of_a_lesson_ends_with_the_next_lesson_that_is_shown(qtbot, window, view, tmp_path):
    def told():
        return [one.text for one in window.answer.notices.notices if one.level is Severity.ERROR]

    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(STARTER)
    bad.write_text(STARTER.replace('id = "', 'idea = "', 1))
    open_bad = partial(window.commands.open_paths, [bad])
    qtbot.expect(window.session.compared, open_texts, window.session, "ACGTTGCA" * 7, "ACGTTCA" * 7)
    choose(view, "lcs-results")
    take = partial(qtbot.mouseClick, view.take_button, Qt.MouseButton.LeftButton)
    for fails in (open_bad, take):
        for succeeds in (partial(window.commands.open_paths, [good]), partial(choose, view, "lcs-results")):
            choose(view, "lcs-results")
            fails()
            qtbot.waitUntil(lambda: len(told()) == 1)
            succeeds()
            qtbot.waitUntil(lambda: told() == [])
    fails()
    qtbot.waitUntil(lambda: len(told()) == 1)


def test_the_list_of_lessons_keeps_the_size_of_the_panel(qtbot, view):
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_L)
    (course,) = view.findChildren(CourseList)
    for share in (2, 3):
        view.resize(view.width() // share, view.height() // share)
        qtbot.waitUntil(lambda: course.size() == view.stage.size())
    qtbot.keyClick(course, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not view.findChildren(CourseList))
    view.resize(2 * view.width(), view.height())


def test_another_question_has_an_empty_field_with_the_focus(qtbot, view):
    choose(view, "rotations")
    view.levels.choose(1)
    view.levels.activated.emit(0)
    field, asked = view.stage.question.answer_field, []
    while len(asked) < 4:
        qtbot.mouseClick(view.ask_button, Qt.MouseButton.LeftButton)
        question = view.player.question
        if field.isHidden() or question in asked:
            continue
        asked.append(question)
        assert field.text() == ""
        assert view.window().focusWidget() is field
        wrong = next(str(number) for number in range(9) if str(number) not in question.accepts)
        qtbot.keyClicks(field, wrong)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert view.player.question is question
        assert field.selectedText() == wrong  # the same question goes on
        view.ask_button.setFocus()


def test_the_counter_and_the_slider_follow_the_picture_of_a_question(qtbot, view):
    choose(view, "edit-table")
    view.levels.choose(1)
    view.levels.activated.emit(0)
    stage = view.stage
    for _ in range(20):
        qtbot.mouseClick(view.ask_button, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(stage.question.tell_button, Qt.MouseButton.LeftButton)
        _, _, unit, step = view.player.frame
        if unit is Unit.CELL and step > 1:
            break
    assert stage.transport.slider.value() > 0
    assert stage.transport.place.text() == f"{stage.transport.slider.value()} of 44"
    qtbot.keyClick(stage.canvas, Qt.Key.Key_Right)
    assert stage.transport.place.text() == "1 of 44"


def test_cells_clicked_for_a_question_are_none_of_the_next_one(qtbot, view):
    choose(view, "edit-table")
    view.levels.choose(3)
    for _ in range(40):
        qtbot.mouseClick(view.ask_button, Qt.MouseButton.LeftButton)
        assert view.stage.canvas.picked == set()
        if view.player.question.kind in CLICKED:
            view.stage.canvas.clicked.emit((1, 1))
            assert view.stage.canvas.picked == {(1, 1)}


def ask_at(view, lesson, step):
    """Ask the question of the step after ``step``."""
    choose(view, lesson)
    view.player.every = 1
    view.player.seek_step(step)
    view.player.step()
    view.stage.refresh()
    return view.player.question


def test_cells_are_marked_by_arrow_keys_and_space(qtbot, view):
    question, canvas, speed = ask_at(view, "edit-table", 9), view.stage.canvas, view.player.speed
    assert question.kind is Kind.READS
    assert view.window().focusWidget() is canvas
    plain = canvas.grab().toImage()
    begin = canvas.current
    press = partial(qtbot.keyClick, canvas)
    for _ in range(2):  # no cell is no try
        press(Qt.Key.Key_Return)
        assert view.player.question is question
        assert view.stage.sentence.text.startswith("No cell is marked.")
    for key in (*[Qt.Key.Key_Up] * 9, *[Qt.Key.Key_Left] * 9):
        press(key)
    assert canvas.current == (0, 0) != begin
    assert canvas.grab().toImage() != plain
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right):
        press(key)
    assert canvas.accessibleDescription().startswith("row 1, column 2: 2. ")
    press(Qt.Key.Key_Space)
    assert canvas.accessibleDescription().startswith("row 1, column 2: 2, marked. ")
    press(Qt.Key.Key_Space)
    assert canvas.picked == set()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Down):
        press(key)
    assert canvas.accessibleDescription().startswith("row 2, column 3. ")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Space):
        press(key)
    assert canvas.picked == {(1, 2), (1, 3), (2, 2)}
    assert (view.player.question, view.player.speed, view.player.playing) == (question, speed, False)
    press(Qt.Key.Key_Return)
    assert view.stage.sentence.text.startswith("Right.")
    assert (canvas.current, canvas.picked) == (None, set())
    press(Qt.Key.Key_Up)
    assert view.player.speed > speed


def test_escape_shows_the_cells_that_are_asked_for(qtbot, view):
    question = ask_at(view, "edit-table", 9)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Down)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Escape)
    assert (view.player.question, view.stage.canvas.current) == (None, None)
    assert view.stage.sentence.text == question.why


@pytest.mark.parametrize(("lesson", "step"), [("edit-table", 9), ("lcs-table", 22)])
def test_digits_go_to_no_step_while_a_question_is_open(qtbot, view, lesson, step):
    question, at = ask_at(view, lesson, step), view.player.at
    assert question.kind in (*CLICKED, Kind.ARROW)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_7)
    assert not view.stage.transport.place.text().startswith("to ")
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Return)
    assert (view.player.question, view.player.at) == (question, at)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Escape)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_7)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Return)
    assert view.player.at == 7
