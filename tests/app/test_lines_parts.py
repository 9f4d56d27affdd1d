"""Lines among the other parts of the window: the room they get, their picture, a picture that is opened."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from tests.app.test_lines_window import opened, press, texts, window  # noqa: F401 - fixtures
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.block_map.block_text import moved_text
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import PNG, SVG
from wavediff.app.window.panels.arrangement import Mode
from wavediff.app.window.panels.panels import COMPUTATION, LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.jobs.alignment import SWAP

MANY = "".join(f"line {k}\n" for k in range(300))


@pytest.fixture
def shown(qtbot, window, tmp_path):  # noqa: F811
    paths = tmp_path / "old.txt", tmp_path / "new.txt"
    for path, letters in zip(paths, (MANY, MANY.replace("5\n", "5 of 300\n")), strict=True):
        path.write_text(letters)
    opened(qtbot, window, *paths)
    qtbot.waitUntil(lambda: window.alignment.lines.result is not None)
    return window


def part(window):  # noqa: F811
    return parts_of(window, LOWER[0], window.centralWidget())


def test_lines_have_most_of_the_room(qtbot, window, texts):  # noqa: F811
    opened(qtbot, window, *texts)
    assert window.arrangement.mode is Mode.LINES
    narrow = window.areas[COMPUTATION].width()
    lines = window.alignment.width()
    with qtbot.waitSignal(window.session.compared):
        press(window, "Letters")
    assert window.arrangement.mode is not Mode.LINES
    assert window.areas[COMPUTATION].width() > narrow
    assert window.alignment.width() < lines
    press(window, "Lines")
    window.resize(2000, 1200)
    assert window.arrangement.mode is Mode.LINES
    assert window.alignment.width() > 1500
    assert window.alignment.lines.overview.width() > 100


def test_the_picture_begins_with_the_row_in_sight_and_leads_back_to_it(qtbot, shown, tmp_path):
    view = shown.alignment.lines
    shown.alignment.hunks.go_to("#16")
    view.set_inline(True)
    first = view.canvas.top_line
    lines = part(shown)["Lines"]
    assert "Letters" not in part(shown)
    pictured = lines.made(None)
    at = f"{first[0]}:{first[1] + 1}"
    assert lines.recipe().words[-6:] == ("--view", "lines", "--at", at, "--layout", "inline")
    drawn = pictured.picture(SVG).decode()
    assert ">line 155</text>" in drawn
    assert ">line 145</text>" not in drawn
    path = tmp_path / "lines.png"
    path.write_bytes(pictured.by(lines.recipe()).picture(PNG))
    view.set_inline(False)
    view.go_to(Side.A, 0)
    assert view.canvas.top_line != first
    shown.pictures.open(path)
    qtbot.waitUntil(lambda: shown.findChild(QMessageBox, "picture_box") is not None)
    qtbot.keyClick(shown.findChild(QMessageBox, "picture_box"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.inline)
    qtbot.waitUntil(lambda: view.canvas.entry is not None and view.canvas.marked.place > 0)
    view.set_folds_open(True)
    assert "--png" not in part(shown)["Lines"].recipe().command("--png", "x.png")


def test_a_block_that_moved_is_on_the_map_and_a_click_goes_there(qtbot, window, tmp_path):  # noqa: F811
    block = "".join(f"moved {k}\n" for k in range(40))
    for name, letters in (("old.txt", block + MANY), ("new.txt", MANY + block)):
        (tmp_path / name).write_text(letters)
    opened(qtbot, window, tmp_path / "old.txt", tmp_path / "new.txt")
    view = window.view(ComputationView)
    qtbot.waitUntil(lambda: view.canvas.path is not None)
    assert view.canvas.path.moved.tolist() == [[0, 300, 40]]
    assert ("moved", "moved") in view.legend.entries
    assert moved_text(window.session.wavefront, 0, 300, 40) == "Moved: A lines 1 to 40 · B lines 301 to 340"
    with qtbot.waitSignal(view.place_wanted) as asked:
        view.canvas.clicked.emit(20, 321)
    assert asked.args == [0, len(MANY), ""]
    assert window.alignment.hunks.current == window.session.outcome.result.rows.hunk[0]
    colour = window.theme.kind(SWAP).strong
    at = view.canvas.frame.point(320, 20).toPoint()
    assert view.canvas.grab().toImage().pixelColor(at) == colour


def test_white_space_that_alone_differs_is_marked_in_the_picture_too(qtbot, window, tmp_path):  # noqa: F811
    paths = tmp_path / "old.txt", tmp_path / "new.txt"
    for path, letters in zip(paths, ("one two\nthree four\n", "one  two\nthree\tfour\n"), strict=True):
        path.write_text(letters)
    window.session.start_with("words")
    opened(qtbot, window, *paths)
    qtbot.waitUntil(lambda: window.alignment.lines.result is not None)
    drawn = part(window)["Lines"].made(None).picture(SVG).decode()
    assert ">·</text>" in drawn
    assert ">→</text>" in drawn
    assert ">No differences</text>" not in drawn
    assert not window.alignment.lines.canvas.marked.same
    opened(qtbot, window, paths[0], paths[0])
    qtbot.waitUntil(lambda: window.alignment.lines.canvas.marked.same)
    assert ">No differences</text>" in part(window)["Lines"].made(None).picture(SVG).decode()
