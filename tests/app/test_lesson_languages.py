"""Lessons in other languages, in the window."""

from PySide6.QtCore import Qt

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
