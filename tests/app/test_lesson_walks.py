"""Every lesson in its panel: from the start to the end and back by the keyboard alone, and with other inputs."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QDialogButtonBox

from tests.app.test_cut_texts import texts
from tests.depth import deeper, some
from wavediff.app.teach.course_list import INPUT_NAMES, InputsDialog
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.teach.lesson import headings, lesson_named, lessons, translations
from wavediff.core.teach.scene import Mark
from wavediff.core.teach.unit import Unit


@deeper
def test_a_lesson_is_walked_to_its_end_and_back_and_asks_on_the_way(qtbot, window, subtests):
    window.show_panel("lessons")
    for one in [headings()[at] for at in some(len(headings()))]:
        with subtests.test(one.id):
            walk(qtbot, window.view(LessonView), one.path)


def walk(qtbot, view, path):
    view.lessons.choose(path)
    view.lessons.activated.emit(0)
    player, canvas, sentence = view.player, view.stage.canvas, view.stage.sentence
    assert player is not None
    seen, asked = {}, 0
    for at in range(player.n_frames):
        view.grab()  # paints it
        assert player.at == at
        if player.question is not None:
            asked += 1
            field = view.stage.question.answer_field
            qtbot.keyClick(field if field.isVisible() else canvas, Qt.Key.Key_Escape)  # which tells the answer
            assert player.question is None
        scene = player.frame.scene
        assert scene is not None
        seen[at] = player.frame.part.sentence(scene, player.frame.step)
        assert seen[at]
        assert len(seen[at]) <= 160
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert player.at_end
    assert asked == sum(scene.ask is not None for part in player.lesson.parts for scene in part.scenes)
    for at in range(player.n_frames - 1, -1, -1):
        assert (player.at, sentence.text) == (at, seen[at])
        qtbot.keyClick(canvas, Qt.Key.Key_Left)


def test_other_inputs_are_typed_and_what_is_not_possible_is_said(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(next(one.path for one in headings() if one.id == "queue"))
    view.lessons.activated.emit(0)
    qtbot.mouseClick(view.inputs_button, Qt.MouseButton.LeftButton)
    (dialog,) = view.findChildren(InputsDialog)
    now = {name: field.text() for name, field in dialog.fields.items()}
    assert now == {"rows": "5", "cols": "8", "workers": "2", "rules": "queue, calls"}
    (box,) = dialog.findChildren(QDialogButtonBox)
    ok = box.button(QDialogButtonBox.StandardButton.Ok)
    for typed, told in (("x", "'Workers' is 'x'; a whole number is wanted"), ("99", "1 to 16 is possible")):
        dialog.fields["workers"].setText(typed)
        qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
        assert told in dialog.fault.text()
        assert dialog.isVisible()
    dialog.fields["workers"].setText("6")
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()
    part = view.player.frame.part
    assert (part.trace.inputs["workers"], part.trace.value_of("time queue")) == (6, 12)
    assert view.player.lesson.options == ("--set", "workers=6")


def test_an_input_without_letters_is_called_as_its_field_is(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(next(one.path for one in headings() if one.id == "edit-table"))
    view.lessons.activated.emit(0)
    qtbot.mouseClick(view.inputs_button, Qt.MouseButton.LeftButton)
    (dialog,) = view.findChildren(InputsDialog)
    dialog.fields["b"].clear()
    dialog.accept()
    assert dialog.fault.text() == "'B' has no letters; one or more are wanted"


def test_every_input_has_a_name_for_a_person():
    names = {name for lesson in lessons() for part in lesson.parts for name in part.trace.inputs}
    assert names == set(INPUT_NAMES)


def test_a_question_of_a_number_keeps_its_field_in_the_hall_and_leaves_letters_to_it(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(headings()[0].path)
    view.lessons.activated.emit(0)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Right)
    field, there = view.stage.question.answer_field, view.window()
    qtbot.keyClick(field, Qt.Key.Key_F11)
    assert view.stage.window() is not there
    assert view.stage.window().focusWidget() is field
    qtbot.keyClick(field, Qt.Key.Key_B)
    assert view.stage.cover.isVisible()
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_B)
    assert not view.stage.cover.isVisible()
    qtbot.keyClicks(field, "x1")
    assert field.text() == "1"
    qtbot.keyClick(field, Qt.Key.Key_F11)
    assert view.stage.window() is there
    assert there.focusWidget() is field


def test_the_row_of_now_and_the_plot_are_seen_in_a_low_panel(qtbot):
    stage = LessonStage(Theme(Scheme.LIGHT))
    qtbot.addWidget(stage)
    stage.resize(420, 280)
    stage.show_lesson(lesson_named("dots"), asking=False)
    stage.show()
    canvas = stage.canvas
    for _ in range(stage.player.lesson.parts[0].trace.steps(Unit.ROW)):
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
        canvas.grab()
        part, _, unit, step = stage.player.frame
        (new,) = (row for row, marks in enumerate(part.trace.scene(unit, step).parts[0].marks) if Mark.NEW in marks)
        assert new in {canvas.row_at(QPointF(40, y)) for y in range(2, canvas.height(), 2)}
    assert canvas.cell_box(0, 0).width() >= 6


def test_page_down_ends_with_the_last_lesson_of_a_language(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    last = headings()[-1]
    view.lessons.choose(last.path)
    view.lessons.activated.emit(0)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert view.player.lesson.id == last.id
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert view.player.lesson.id == headings()[-2].id


@pytest.mark.parametrize("heading", [*translations()[:2], headings()[0]], ids=lambda heading: heading.title)
def test_a_sentence_beside_a_scene_is_seen_to_its_end_above_a_listing(qtbot, window, heading):
    window.resize(800, 500)
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(heading.path)
    view.lessons.activated.emit(0)
    player, label = view.player, view.stage.sentence
    player.asking = False
    for at in range(0, player.n_frames, 4):
        player.seek(at)
        view.stage.refresh()
        lines = texts(label)
        assert " ".join(line for line, _, _ in lines) == label.text
        assert max(y for _, _, y in lines) <= label.height(), label.text
    assert view.stage.listing.height() > 1.5 * label.height(), "a listing has more lines than a sentence"
