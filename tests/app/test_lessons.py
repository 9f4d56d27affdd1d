"""The panel of the lessons: keys, questions, units, the pair that is open, files of one's own, pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.teach.lesson_view import PAGE, LessonView
from app.ui import drop_data
from app.window.main_window import MainWindow
from app.window.session import Session
from core.teach.lesson import FOLDER
from core.teach.player import Player
from core.teach.questions import Kind
from core.teach.unit import Unit
from tests.app.fakes import fasta

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def view(window: MainWindow) -> LessonView:
    window.show_panel("lessons")
    return window.view(LessonView)


def player(view: LessonView) -> Player:
    assert view.player is not None
    return view.player


def press(qtbot: QtBot, view: LessonView, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(view.canvas, key)


def test_a_question_is_typed_and_marked(qtbot: QtBot, view: LessonView) -> None:
    assert [view.lessons.itemText(k) for k in range(3)] == [
        "A table of lengths",
        "One table, many orders",
        "A column as one word",
    ]
    press(qtbot, view, Qt.Key.Key_Right)
    assert view.sentence.text == "What is written in row 1 (a), column 1 (b)?"
    assert view.question.answer_field.isVisible()
    qtbot.keyClicks(view.question.answer_field, "3")
    qtbot.keyClick(view.question.answer_field, Qt.Key.Key_Return)
    assert view.sentence.text.startswith("Not yet.")
    view.question.answer_field.clear()
    qtbot.keyClicks(view.question.answer_field, "0")
    qtbot.keyClick(view.question.answer_field, Qt.Key.Key_Return)
    assert view.sentence.text == "Right. a and b differ, and nothing is in common yet: 0."
    assert not view.question.answer_field.isVisible()
    press(qtbot, view, Qt.Key.Key_Left)
    assert player(view).at == 0


def test_cells_are_clicked_and_arrows_chosen(qtbot: QtBot, view: LessonView) -> None:
    view.show_lesson(next(view.lessons._values[k] for k in range(6) if view.lessons._values[k].id == "edit-table"))
    asked = player(view)
    asked.seek(next(at for at in asked.marks if asked._frame(at).step == 16) - 1)
    asked.step()
    view._show()
    assert asked.question is not None
    assert asked.question.kind is Kind.READS
    view.grab()  # lays the table out
    for cell in ((2, 1), (2, 2), (3, 1)):
        where = view.canvas._box(*cell).center().toPoint()
        qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=where)
    assert view.canvas.picked == {(2, 1), (2, 2), (3, 1)}
    qtbot.mouseClick(view.question.check_button, Qt.MouseButton.LeftButton)
    assert view.sentence.text.startswith("Right.")
    assert view.canvas.picked == set()
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    view.show_lesson(view.lessons._values[0])
    asked = player(view)
    asked.seek(next(at for at in asked.marks if asked._frame(at).step == 20) - 1)
    asked.step()
    view._show()
    buttons: list[QPushButton] = list(view.question.arrow_buttons.values())
    assert all(each.isVisible() for each in buttons)
    qtbot.mouseClick(view.question.arrow_buttons["left"], Qt.MouseButton.LeftButton)
    assert view.sentence.text.startswith("Not yet.")
    qtbot.mouseClick(view.question.arrow_buttons["diagonal"], Qt.MouseButton.LeftButton)
    assert view.sentence.text.startswith("Right.")


def test_it_plays_and_pauses_and_stops_out_of_sight(qtbot: QtBot, window: MainWindow, view: LessonView) -> None:
    view.asks.setChecked(False)
    press(qtbot, view, *[Qt.Key.Key_Up] * 5)
    assert player(view).speed == 32
    press(qtbot, view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: player(view).at_end, timeout=20_000)
    assert not view._timer.isActive()
    press(qtbot, view, *[Qt.Key.Key_Down] * 7, Qt.Key.Key_Space)
    assert view._timer.isActive()
    window.show_panel("timings")
    assert not view._timer.isActive()


def test_units_and_ways_by_keys(qtbot: QtBot, view: LessonView) -> None:
    press(qtbot, view, Qt.Key.Key_U, Qt.Key.Key_End)
    assert player(view).unit is Unit.CELL
    paths = set()
    for _ in range(14):
        press(qtbot, view, Qt.Key.Key_Tab)
        paths.add(tuple(view.canvas.path))
        assert view.canvas.hasFocus()
    assert len(paths) == 14
    assert not view.grab().isNull()
    press(qtbot, view, Qt.Key.Key_Tab)  # after the last one it goes on
    assert view.canvas.path == []
    assert not view.canvas.hasFocus()


def test_the_pair_that_is_open_is_stepped(
    qtbot: QtBot, window: MainWindow, session: Session, view: LessonView, tmp_path: Path
) -> None:
    assert not view.take_button.isEnabled()
    files = [fasta(tmp_path / f"{name}.fa", (name, letters)) for name, letters in (("a", "ACGT"), ("b", "AGT"))]
    with qtbot.waitSignal(session.compared, timeout=60_000):
        session.open_paths(files, None)
    assert view.take_button.isEnabled()
    view.lessons.setCurrentIndex(4)
    view._choose()
    qtbot.mouseClick(view.take_button, Qt.MouseButton.LeftButton)
    part = player(view).frame.part
    assert (part.method, part.inputs) == ("edit", {"a": "ACGT", "b": "AGT"})
    press(qtbot, view, Qt.Key.Key_End)
    assert part.trace.found("answer") == 1


def test_a_lesson_of_ones_own_is_dropped_on_the_window(window: MainWindow, view: LessonView, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "08-edit-table.toml").read_text().replace("The fewest edits", "Mine"))
    window.commands.take(drop_data.DropData((path,)), None)
    assert view.lessons.currentText() == "Mine"
    path.write_text("id = 3")
    notices = []
    view.noticed.connect(notices.append)
    window.commands.take(drop_data.DropData((path,)), None)
    assert "'id' is 3; a text is wanted" in notices[0].text
    assert view.lessons.currentText() == "Mine"


def test_a_page_is_saved(view: LessonView, tmp_path: Path) -> None:
    view._save_page(tmp_path / "page.html", PAGE)
    assert "A table of lengths – Wavediff" in (tmp_path / "page.html").read_text("utf-8")
    notices = []
    view.noticed.connect(notices.append)
    view._save_page(tmp_path / "none" / "page.html", PAGE)
    assert "none" in notices[0].text


def test_nothing_moves_while_it_is_stepped(qtbot: QtBot, view: LessonView) -> None:
    view.asks.setChecked(False)
    view.lessons.setCurrentIndex(2)
    view._choose()
    view.grab()
    before, corner, cell = view.transport.geometry(), view.canvas._corner, view.canvas._cell
    for _ in range(8):
        press(qtbot, view, Qt.Key.Key_Right)
        view.grab()
        assert (view.transport.geometry(), view.canvas._corner, view.canvas._cell) == (before, corner, cell)


def test_a_cell_says_what_it_was_computed_from(qtbot: QtBot, view: LessonView) -> None:
    press(qtbot, view, Qt.Key.Key_End)
    view.canvas.show_frame(player(view).frame, asked=False)
    assert view.canvas._tip((3, 1)) == "L[3, 1]\nc = c: one more than on the diagonal, 0 + 1 = 1."
    assert view.canvas._tip(None) == ""


@pytest.mark.parametrize("size", [(100, 80), (900, 500), (3000, 2000)])
@pytest.mark.parametrize("letters", [1, 6, 200])
def test_tables_of_any_size_are_painted(view: LessonView, size: tuple[int, int], letters: int) -> None:
    lesson = view.lessons._values[2].with_inputs({"a": "A" * letters, "b": "ACGT" * (letters // 4 + 1)})
    other = Player(lesson)
    other.seek(other.n_frames - 1)
    view.canvas.resize(*size)
    view.canvas.show_frame(other.frame, asked=False)
    picture = view.canvas.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(0, size[0], 7) for y in range(0, size[1], 7)}) > 1
