"""Every lesson in its panel, from the start to the end and back by the keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.teach.lesson_view import LessonView
from app.window.main_window import MainWindow
from core.teach.lesson import headings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.mark.parametrize("name", [one.id for one in headings()])
def test_a_lesson_is_walked_to_its_end_and_back_and_asks_on_the_way(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_panel("lessons")
    view = window.view(LessonView)
    view.lessons.choose(next(one.path for one in headings() if one.id == name))
    view._choose()
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
        seen[at] = player.sentence
        assert seen[at]
        assert len(seen[at]) <= 160
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert player.at_end
    assert asked == sum(scene.ask is not None for part in player.lesson.parts for scene in part.scenes)
    for at in range(player.n_frames - 1, -1, -1):
        assert (player.at, sentence.text) == (at, seen[at])
        qtbot.keyClick(canvas, Qt.Key.Key_Left)
