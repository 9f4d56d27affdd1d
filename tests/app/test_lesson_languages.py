"""Lessons in other languages, in the window."""

import pytest
from PySide6.QtCore import Qt

from tests.teach.test_translations import ENGLISH_WORD, PATHS
from wavediff.app.teach.lesson_view import LessonView
from wavediff.core.teach.lesson import translations


def test_a_lesson_in_another_language_is_in_the_list_and_answers_in_it(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    (german,) = (one for one in translations() if one.id == "lcs-table")
    assert view.lessons.itemText(view.lessons.values.index(german.path)) == "Eine Tabelle von Längen"
    view.lessons.choose(german.path)
    view.lessons.activated.emit(0)
    qtbot.keyClick(view.stage.canvas, Qt.Key.Key_Right)
    assert view.stage.sentence.text == "Was steht in Zeile 1 (a), Spalte 1 (b)?"
    field = view.stage.question.answer_field
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.stage.sentence.text.startswith("3 ist zu groß.")
    field.clear()
    qtbot.keyClicks(field, "1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.stage.sentence.text.startswith("Eins kommt nur bei gleichen Buchstaben dazu")


def test_a_right_answer_is_received_in_the_language_of_the_lesson(qtbot, window):
    window.show_panel("lessons")
    view = window.view(LessonView)
    for german in translations():
        view.lessons.choose(german.path)
        view.lessons.activated.emit(0)
        qtbot.waitUntil(lambda: view.player is not None)
        view.ask_button.click()
        question = view.player.question
        view.stage.question.answered.emit(
            question.accepts if question.needs_all else frozenset([*question.accepts][:1])
        )
        assert view.stage.sentence.text == f"Richtig. {question.why}"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_that_a_lesson_says_in_the_window_stays_english(qtbot, window, path):
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(path)
    view.lessons.activated.emit(0)
    stage, said = view.stage, []

    def check(*keys):
        for key in keys:
            qtbot.keyClick(stage.canvas, key)
            said.append(stage.sentence.text)

    player = view.player
    for step in {0, 1, player.n_frames // 2, player.n_frames - 1}:
        player.seek(step)
        stage.refresh()
        grid = player.frame.part.trace.scene(player.frame.unit, player.frame.step).grid
        rows, cols = (0, 0) if grid is None else grid.values.shape
        for cell in ((row, col) for row in range(rows) for col in range(cols)):
            stage.canvas.clicked.emit(cell)
            said.append(stage.sentence.text)
        view.ask_button.click()
        said.append(stage.sentence.text)
    player.seek(player.n_frames - 1)
    stage.refresh()
    stage.canvas.setFocus()
    check(Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_Return)
    qtbot.keyClick(stage.canvas, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    said.append(stage.sentence.text)
    assert [text for text in said if ENGLISH_WORD.search(text) or text.startswith("Optimal path")] == []
    assert len({*said}) > 4
