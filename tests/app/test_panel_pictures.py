"""Pictures of parts of the window: painted as they are seen, with what they are of inside."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from app.teach.lesson_view import LessonView
from app.ui.film_files import FILMS
from app.ui.picture_files import PICTURES, SVG, picture_file
from app.window.main_window import MainWindow
from app.window.panel_pictures import PictureDialog
from core.reading.recipe import read_recipe
from core.system import program

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|raise|grabbing the keyboard", extend=True)


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow) -> PictureDialog:
    session = window.session
    window.resize(1400, 900)  # with all parts beside each other
    for text in ("kitten", "sitting"):
        session.open_text(text)
        qtbot.waitUntil(lambda: not session.loader.busy)
    qtbot.waitUntil(lambda: session.outcome is not None)
    window.commands.picture()
    found = window.findChild(PictureDialog)
    assert found is not None
    qtbot.waitUntil(found.save_button.isEnabled)
    return found


def test_every_part_that_is_seen_is_offered(dialog: PictureDialog) -> None:
    names = [dialog.part.itemText(k) for k in range(dialog.part.count())]
    assert names == ["Letters", "Differences", "Computation", "Window"]


@pytest.mark.parametrize("part", ["Letters", "Differences", "Computation", "Window"])
def test_a_png_is_as_wide_as_asked_and_not_empty(
    dialog: PictureDialog, window: MainWindow, part: str, tmp_path: Path
) -> None:
    dialog.part.choose(part)
    dialog.part.activated.emit(dialog.part.currentIndex())
    dialog.width_mm.setValue(254)
    dialog.dpi.setValue(96)
    path = tmp_path / "part.png"
    dialog.save(path, PICTURES["png"])
    made = QImage(str(path))
    assert made.width() == 960
    assert len({made.pixel(x, y) for x in range(0, made.width(), 7) for y in range(40, made.height(), 7)}) > 3
    assert made.text("Description") == part
    assert window.session.outcome is not None
    found = read_recipe(path)
    assert found.option("method") == window.session.outcome.method.id
    assert [one.letters for one in found.inputs] == ["kitten", "sitting"]
    assert made.text("Comment").startswith(f"{program.name()} compare ")


def test_text_of_an_svg_is_text(dialog: PictureDialog, tmp_path: Path) -> None:
    dialog.part.choose("Window")
    dialog.part.activated.emit(dialog.part.currentIndex())
    svg = tmp_path / "window.svg"
    dialog.save(svg, PICTURES["svg"])
    text = re.sub(r"<[^>]*>", "", svg.read_text("utf-8"))
    assert {"Options", "Differences", "Computation"} <= {line.strip() for line in text.splitlines()}


def test_a_pdf_has_its_title(dialog: PictureDialog, tmp_path: Path) -> None:
    path = tmp_path / "letters.pdf"
    dialog.save(path, PICTURES["pdf"])
    assert path.read_bytes().startswith(b"%PDF")
    assert b"Letters" in path.read_bytes()


def test_a_copy_is_in_the_clipboard(dialog: PictureDialog) -> None:
    dialog.dpi.setValue(192)
    wanted = dialog.size_line.text()
    dialog.copy_button.click()
    made = QGuiApplication.clipboard().image()
    assert f"{made.width():,} × {made.height():,} pixels" == wanted


def test_one_that_is_too_large_is_refused(dialog: PictureDialog, window: MainWindow, tmp_path: Path) -> None:
    told: list[str] = []
    window.session.noticed.connect(lambda notice: told.append(notice.text))
    dialog.width_mm.setValue(2_000)
    dialog.dpi.setValue(1_200)
    dialog.save(tmp_path / "large.png", PICTURES["png"])
    assert not (tmp_path / "large.png").exists()
    assert "is too large; 100,000,000 in all fit" in " ".join(told)


def test_letters_of_an_svg_stay_within_their_part(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.open_texts("ACGTTGCATT" * 200, "ACGTTGCTTT" * 200)
    qtbot.waitUntil(lambda: session.outcome is not None)
    canvas = window.alignment.canvas
    raw = picture_file(lambda on, _: canvas.render(on, QPoint()), SVG, canvas.size(), 96, {"Title": "A and B"})
    reach = [
        float(y) + float(high) for y, high in re.findall(rb'<image [^>]*y="(-?[\d.]+)"[^>]*height="([\d.]+)"', raw)
    ]
    assert reach
    assert max(reach) <= canvas.height() + 1


def test_a_film_is_made_between_events_and_ends_when_it_is_stopped(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    view = window.view(LessonView)
    window.show_panel("lessons")
    qtbot.waitUntil(lambda: view.player is not None)
    window.commands.picture()
    dialog = window.findChild(PictureDialog)
    assert dialog is not None
    assert dialog.part.value == "Lessons"
    qtbot.waitUntil(dialog.save_button.isEnabled)
    path = tmp_path / "film.gif"
    dialog.save(path, FILMS["gif"])
    assert not dialog.save_button.isEnabled()
    qtbot.waitUntil(lambda: 0 < dialog.bar.value() < 100)
    dialog.close_button.click()
    qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None)
    qtbot.waitUntil(lambda: "wavediff-film" not in [one.name for one in threading.enumerate()])
    assert not path.exists()
