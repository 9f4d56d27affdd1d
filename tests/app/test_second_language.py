"""A second language is a folder: one that no one speaks, written by its command, for lessons, pages and window."""

from __future__ import annotations

import gettext
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.teach.lesson_view import LessonView
from app.ui.json_store import JsonStore
from app.ui.theme import Theme
from app.window.job_options import JobOptions
from app.window.main_window import MainWindow
from app.window.recent import RecentPairs
from app.window.session import Session
from app.window.settings import Settings
from core.base.translate import FOLDER, language, use_catalogue, use_language
from core.teach.lesson import Lesson, lessons
from core.teach.page import course_page, lesson_data, lesson_page, player_words
from tests.depth import one_of
from tests.pseudo import CLOSE, OPEN, lacking, outside, write_catalogue

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ROOT = Path(__file__).parents[2]
NAME = "eo"  # of the folder; no locale of a system has these texts
SHIPPED = lessons()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of languages with this one in it, written by the command that makes it."""
    found = tmp_path_factory.mktemp("translations")
    subprocess.run([sys.executable, "-m", "tests.pseudo", "--write", found / NAME], cwd=ROOT, check=True, timeout=120)
    return found


@pytest.fixture
def spoken(folder: Path) -> Iterator[None]:
    assert use_language([f"{NAME}_XX", NAME], "\u202f", ",", folder)
    yield
    use_catalogue(gettext.NullTranslations())


def is_said(text: str) -> bool:
    """Return whether all words of a text stand in the brackets, but those that stand in every language."""
    return text.startswith(OPEN) and text.endswith(CLOSE) and not re.search(r"[^\W\d_]{3}", outside(text))


def test_the_folder_lacks_nothing_and_another_says_what_it_lacks(folder: Path, tmp_path: Path) -> None:
    assert lacking(folder / NAME) == []
    write_catalogue(tmp_path / "cs", {"Options": "Volby", "{n} of {total} shown": "{n} z {all}"})
    found = lacking(tmp_path / "cs")
    assert "no translation: 'Run'" in found
    assert not any("'Options'" in line for line in found)
    assert "no translation: 'A table of lengths'" in found


def test_every_language_that_ships_is_whole() -> None:
    assert [line for one in sorted(FOLDER.glob("*/LC_MESSAGES")) for line in lacking(one.parent)] == []


@pytest.mark.parametrize("lesson", one_of(3, SHIPPED), ids=[one.id for one in SHIPPED])
def test_a_lesson_is_exported_in_it(lesson: Lesson, spoken: None) -> None:
    page = lesson_page(lesson, course=SHIPPED)
    assert f'<html lang="{NAME}">' in page
    assert not re.search('<h1>(?!\u27e6)|"All lessons"', page)
    data: dict[str, Any] = lesson_data(lesson)
    assert is_said(data["title"])
    assert is_said(data["source"])
    assert is_said(data["notes"])
    for part in data["parts"]:
        for unit in part["units"].values():
            assert all(map(is_said, unit["say"])), [text for text in unit["say"] if not is_said(text)][:3]
        for scene in part["scenes"]:
            said = scene.get("say", [])
            assert all(map(is_said, [said] if isinstance(said, str) else said))
            assert is_said(scene["ask"]["text"]) if "ask" in scene else True


def test_the_course_and_what_a_player_says_are_in_it(spoken: None) -> None:
    assert language() == NAME
    assert all(map(is_said, player_words().values()))
    cells = re.findall(r"<(?:a|td|h1|h2)[^>]*>([^<]+)<", course_page(SHIPPED))
    assert [text for text in cells if not is_said(text)] == []


def test_a_lesson_is_played_in_it_in_the_window(spoken: None, qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(RecentPairs(JsonStore(tmp_path / "recent.json")), JobOptions("edit"))
    window = MainWindow(session, Theme(), Settings())
    qtbot.addWidget(window)
    window.show()
    window.show_panel("lessons")
    view = window.view(LessonView)
    assert view.player is not None
    while not view.player.at_end:
        qtbot.keyClick(view.stage.canvas, Qt.Key.Key_PageDown)
        assert is_said(view.stage.sentence.text)
    assert all(is_said(view.lessons.itemText(row)) for row in range(view.lessons.count()))
    assert is_said(view.notes.text())
    qtbot.waitUntil(session.close)
