"""A picture that is dropped on the window: what it shows is offered, opened as it was, or refused in a sentence."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.computation_view import View as Page
from wavediff.app.compare.differences_order import IN_B, Listing
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.teach.lesson_pictures import frame_options, picture
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.picture_files import PICTURES
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.panel_pictures import PictureDialog
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.methods import EDIT
from wavediff.core.sequences.orientation import Strand
from wavediff.core.teach.lesson import lessons
from wavediff.core.teach.player import Frame, Player, frame_at
from wavediff.core.teach.unit import Unit

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|raise|grabbing the keyboard", extend=True)
LISTED = "--method edit --view differences --sort b:desc --kinds substitution"
WORDS = "--method edit --view words --unit operation --step 7"
LETTERS = {"a": "ACGTTGCATTACCATGACCA", "b": "ACGTTGCTTTACCATGACGA"}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    found = []
    for name, letters in LETTERS.items():
        (tmp_path / f"{name}.fa").write_text(f">{name}\n{letters}\n")
        found.append(tmp_path / f"{name}.fa")
    return found[0], found[1]


@pytest.fixture
def saved(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], tmp_path: Path) -> Callable[[str], Path]:
    """Save a picture of a comparison of two files, by edit distance in a band of 9, case ignored, B turned."""
    session = window.session
    session.choose(**EDIT.option("band").parse("9"), method="edit", follow=False)
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.outcome is not None)
    session.orient(Strand.MINUS)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation.strand is Strand.MINUS)

    def save(kind: str) -> Path:
        window.commands.picture()
        dialog = window.findChild(PictureDialog)
        assert dialog is not None
        qtbot.waitUntil(dialog.save_button.isEnabled)
        path = tmp_path / f"picture.{kind}"
        dialog.save(path, PICTURES[kind])
        qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None)
        session.open_texts("AAA", "AAC")
        session.choose(method="lcs", follow=False)
        qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3)
        return path

    return save


def asked(qtbot: QtBot, window: MainWindow) -> QMessageBox:
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    found = window.findChild(QMessageBox, "picture_box")
    assert isinstance(found, QMessageBox)
    return found


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_opens_what_it_shows(
    qtbot: QtBot, window: MainWindow, saved: Callable[[str], Path], kind: str
) -> None:
    window.session.open_paths([saved(kind)])
    box = asked(qtbot, window)
    assert box.text() == "This picture shows a × b by edit distance. Open these?"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    session = window.session
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation.strand is Strand.MINUS)
    assert session.outcome is not None
    assert (session.outcome.a.name, session.outcome.b.name) == ("a", "b")
    assert session.choices.typed["band"] == "9"
    assert session.outcome.options["band"] == "9"


def test_a_picture_opens_the_part_that_it_shows_as_it_was_seen(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    """Made by the command line: the list in an order, a moment of the run, words from a cell on."""
    first, second = map(str, pair)
    pair[1].write_text(f">b\n{LETTERS['b'][:10]}{LETTERS['b'][12:]}\n")
    listed = window.view(DifferencesView)
    assert cli.main(shlex.split(f"compare {first} {second} --quiet {LISTED} --png {tmp_path / 'list.png'}")) == 1
    window.session.open_paths([tmp_path / "list.png"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: listed.asked == Listing(IN_B, descending=True, kinds=Kinds.MISMATCH))
    assert listed.model.n_rows == 2
    view = window.view(ComputationView)
    assert cli.main(shlex.split(f"compare {first} {second} --quiet {WORDS} --png {tmp_path / 'words.png'}")) == 1
    window.session.open_paths([tmp_path / "words.png"])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is None)
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.view is Page.WORDS and view.pages[Page.WORDS].stage.player is not None)
    player = view.pages[Page.WORDS].stage.player
    assert player is not None
    qtbot.waitUntil(lambda: (player.frame.unit, player.frame.step) == (Unit.OPERATION, 7))


def test_nothing_is_opened_that_was_not_agreed_to(
    qtbot: QtBot, window: MainWindow, saved: Callable[[str], Path]
) -> None:
    window.session.open_paths([saved("png")])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Escape)
    assert len(window.session.pair["A"] or ()) == 3
    assert window.session.choices.method == "lcs"


def test_files_that_changed_or_are_gone_are_said(
    qtbot: QtBot, window: MainWindow, saved: Callable[[str], Path], pair: tuple[Path, Path]
) -> None:
    path, told = saved("png"), []
    window.session.noticed.connect(lambda notice: told.append(notice.text))
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    pair[1].write_text(">b\nACGT\n")
    window.session.open_paths([path])
    box = asked(qtbot, window)
    assert "b.fa has changed since the picture was made" in box.text()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    os.rename(pair[1], pair[1].with_name("elsewhere"))
    window.session.open_paths([path])
    qtbot.waitUntil(lambda: any(f"{pair[1]} is not there any more" in one for one in told))


def test_a_picture_of_anything_else_is_refused_in_a_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    told: list[str] = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    (tmp_path / "x.svg").write_text("<svg/>")
    window.session.open_paths([tmp_path / "x.svg"])
    qtbot.waitUntil(lambda: len(told) == 1)
    assert "this picture does not tell what it is made from" in told[0]
    assert "\n" not in told[0]


def test_a_picture_of_a_lesson_opens_it_at_its_step(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    lesson = next(one for one in lessons() if one.id == "edit-words").with_typed({"a": "GATTA", "b": "GACT"})
    path = tmp_path / "lesson.svg"
    path.write_bytes(picture(lesson, frame_at(lesson, 3), PICTURES["svg"]))
    window.session.open_paths([path])
    box = asked(qtbot, window)
    assert lesson.title in box.text()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    view = window.view(LessonView)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.step == 3)
    assert view.player is not None
    assert view.player.frame.part.inputs["a"] == "GATTA"


@pytest.mark.parametrize("name", ["edit-words", "lcs-64-times"])
def test_the_options_of_a_picture_name_its_frame_among_all_scenes(name: str) -> None:
    lesson = next(one for one in lessons() if one.id == name)
    player = Player(lesson)
    while not player.at_end:
        player.step()
        frame = player.frame  # also that before a question's answer
        *number, step = map(int, list(frame_options(lesson, frame))[1::2])
        assert frame_at(lesson, step, *number) == frame
        if player.question is not None:
            player.tell()
    with pytest.raises(WavediffError, match="has no step 9999 in its scene 1 of"):
        frame_at(lesson, 9999, 1)


def test_a_picture_of_a_later_scene_opens_it_there(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    lesson = next(one for one in lessons() if one.id == "edit-words")
    part = lesson.parts[-1]
    frame = Frame(part, part.scenes[-1], part.scenes[-1].unit, part.scenes[-1].first + 1)
    path = tmp_path / "lesson.svg"
    path.write_bytes(picture(lesson, frame, PICTURES["svg"]))
    window.session.open_paths([path])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    view = window.view(LessonView)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.scene is not None)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.step == frame.step)
    assert view.player is not None
    found = view.player.frame
    assert found.scene is not None
    assert (found.scene.id, found.unit) == (part.scenes[-1].id, frame.unit)
