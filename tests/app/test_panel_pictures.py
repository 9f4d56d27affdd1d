"""Pictures of parts of the window: painted as they are seen, with what they are of inside."""

import gc
import re
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QSize, QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel

from tests.app.fakes import Lcs
from tests.app.parts import open_texts
from tests.app.saving import Asked
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.draw.recording import Recording, in_picture, widget_parts
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui import picture_files
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.picture_files import FILMS, PICTURES, SVG, image, picture_file, unwatched
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light
from wavediff.app.ui.save_dialog import SaveDialog
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures import panel_pictures
from wavediff.app.window.pictures.panel_pictures import TOO_LARGE, PictureDialog
from wavediff.app.window.pictures.picture_command import pair_of
from wavediff.app.window.pictures.pictured_parts import Part, parts_of
from wavediff.core.base.errors import InputError
from wavediff.core.export.recipe import read_recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import run_to_end
from wavediff.core.system import program
from wavediff.core.teach.film import moments, subtitles

VIEWS = {"Letters": "letters", "Differences": "differences", "Computation": "cells", "Band": "band"}  # of six letters


@pytest.fixture(scope="module")
def compared(module_bot, module_window):
    session = module_window.session
    module_window.resize(1400, 900)  # with all parts beside each other
    session.choose(method="edit")
    open_texts(session, "kitten", "sitting")
    module_bot.waitUntil(lambda: session.outcome is not None)
    module_bot.waitUntil(lambda: module_window.view(DifferencesView).model.n_rows == 3)
    return module_window


@pytest.fixture
def dialog(qtbot, compared):
    compared.actions_by_id["picture"].trigger()
    dialog = compared.findChild(PictureDialog)
    qtbot.waitUntil(dialog.save_button.isEnabled)
    yield dialog
    while left := compared.findChild(PictureDialog):
        left.close()
        qtbot.wait(1)


def test_a_picture_that_cannot_be_made_is_neither_copied_nor_saved(qtbot, compared, monkeypatch):
    def refuses(_part, _prepared):
        raise InputError("Letters", "no place for the letters")

    monkeypatch.setattr(Part, "made", refuses)
    compared.actions_by_id["picture"].trigger()
    dialog = compared.findChild(PictureDialog)
    qtbot.waitUntil(lambda: "no place" in dialog.size_line.text())
    assert not dialog.save_button.isEnabled()
    assert not dialog.copy_button.isEnabled()
    dialog.close()


def test_every_part_that_is_seen_is_offered(dialog):
    names = [dialog.part.itemText(k) for k in range(dialog.part.count())]
    assert names == ["Letters", "Differences", "Computation", "Band", "Window"]


def choose(qtbot, dialog, part):
    dialog.part.choose(part)
    dialog.part.activated.emit(dialog.part.currentIndex())
    qtbot.waitUntil(dialog.save_button.isEnabled)


@pytest.mark.parametrize("part", ["Letters", "Differences", "Computation", "Band", "Window"])
def test_a_png_is_as_wide_and_fine_as_asked_and_not_empty(qtbot, dialog, compared, part, tmp_path):
    choose(qtbot, dialog, part)
    dialog.width_mm.setValue(127)
    dialog.dpi.setValue(192)
    path = tmp_path / "part.png"
    saved(qtbot, dialog, path)
    made = QImage(str(path))
    assert made.width() == 960
    assert made.dotsPerMeterX() == round(192 / 25.4 * 1000)
    assert len({made.pixel(x, y) for x in range(0, made.width(), 7) for y in range(40, made.height(), 7)}) > 3
    assert made.text("Title").startswith("kitten – sitting: ")
    assert made.text("Description") == VIEWS.get(part, "")
    found = pair_of(cli.parsed(read_recipe(path).words))
    assert (found.method, found.a, found.b) == (compared.session.outcome.method.id, "data:,kitten", "data:,sitting")
    assert made.text("Comment").startswith(f"{program.name()} {'open' if part == 'Window' else 'compare'} ")
    assert found.view == VIEWS.get(part)


def test_a_small_picture_of_the_window_has_room_for_folded_lanes(qtbot, dialog, compared):
    """The preview ended the process: three lanes of a folded strip are a pixel high in it."""
    compared.alignment.strip.set_folded(True)
    for ratio in (0.05, 0.2, 0.5):
        with in_picture(ratio):
            compared.centralWidget().grab()  # what is raised in an override fails the test
    choose(qtbot, dialog, "Window")
    qtbot.waitUntil(lambda: not dialog.preview.pixmap().isNull())
    compared.alignment.strip.set_folded(False)


def test_cells_that_are_not_shown_are_not_those_of_the_pair_before(qtbot, window):
    session, view = window.session, window.view(ComputationView)
    window.resize(1400, 900)
    for letters, is_shown in (("kitten", True), ("kitten" * 100, False)):
        open_texts(session, letters, letters[1:])
        qtbot.waitUntil(lambda letters=letters: session.outcome is not None and len(session.outcome.a) == len(letters))
        view.choose_view(View.CELLS)
        qtbot.waitUntil(lambda: not session.cells.running)
        qtbot.waitUntil(lambda is_shown=is_shown: (view.cell_pages[View.CELLS].share is not None) is is_shown)
        part = parts_of(window, LOWER[0], window.centralWidget())["Computation"]
        assert (part.film is not None) is is_shown


@pytest.mark.parametrize("view", [View.CELLS, View.WORDS], ids=str)
def test_a_view_without_content_is_grey_with_its_reason(qtbot, window, view):
    session, panel = window.session, window.view(ComputationView)
    window.resize(1400, 900)
    open_texts(session, "kitten" * 100, "sitting" * 100)
    qtbot.waitUntil(lambda: session.outcome is not None and not window.turns.busy)
    panel.choose_view(view)
    page = panel.cell_pages[view]
    qtbot.waitUntil(lambda: page.isVisible() and page.share is None)
    page.setFocus()
    window.actions_by_id["picture"].trigger()
    dialog = window.findChild(PictureDialog)
    item = dialog.part.model().item(dialog.part.row("Computation"))
    assert not item.isEnabled()
    assert "A table of 600 × 700 cells is too large to show" in item.toolTip()
    assert dialog.part.value == "Letters", "the first figure instead"
    panel.choose_view(View.MAP)
    dialog.renew()
    item = dialog.part.model().item(dialog.part.row("Computation"))
    assert item.isEnabled()
    dialog.close()


@pytest.mark.parametrize("before", ["", "edit"])
def test_the_map_of_a_stopped_run_names_its_pair_and_method(qtbot, window, before):
    """Not those of an answer before it, whose map is gone."""
    session = window.session
    window.resize(1400, 900)
    if before:
        session.choose(method=before)
        qtbot.expect(session.compared, open_texts, session, "kitten", "sitting")
    Lcs.endless, Lcs.seconds = True, 0.002
    session.choose(method="lcs")
    if not before:
        open_texts(session, "kitten", "sitting")
    session.run()
    qtbot.waitUntil(lambda: session.wavefront.done_cells > 0)
    session.stop()
    window.view(ComputationView).choose_view(View.MAP)
    part = parts_of(window, LOWER[0], window.centralWidget())["Computation"]
    found = cli.parsed(part.recipe().words)
    assert (found.method, found.a, found.b, found.view) == ("lcs", "data:,kitten", "data:,sitting", "map")
    assert part.make().sheet.heading.startswith("kitten – sitting: ")


def test_an_answer_that_comes_behind_the_dialog_is_in_the_picture(qtbot, window, tmp_path):
    session = window.session
    Lcs.endless, Lcs.seconds = True, 0.002
    open_texts(session, "kitten", "sitting")
    qtbot.waitUntil(lambda: session.running)
    window.actions_by_id["picture"].trigger()
    dialog = window.findChild(PictureDialog)
    choose(qtbot, dialog, "Letters")
    qtbot.waitUntil(lambda: not dialog.preview.pixmap().isNull())
    before = dialog.preview.pixmap().cacheKey()
    Lcs.endless = False
    qtbot.waitUntil(lambda: session.outcome is not None and dialog.preview.pixmap().cacheKey() != before)
    qtbot.waitUntil(dialog.save_button.isEnabled)
    assert dialog.part.value == "Letters"
    saved(qtbot, dialog, tmp_path / "letters.png")
    assert QImage(str(tmp_path / "letters.png")).text("Description") == "letters"


def saved(qtbot, dialog, path):
    dialog.save(path, PICTURES[path.suffix[1:]])
    qtbot.waitUntil(path.exists)


def test_text_of_an_svg_is_text(qtbot, dialog, tmp_path):
    choose(qtbot, dialog, "Window")
    svg = tmp_path / "window.svg"
    saved(qtbot, dialog, svg)
    text = re.sub(r"<[^>]*>", "", svg.read_text("utf-8"))
    assert {"Options", "Differences", "Computation"} <= {line.strip() for line in text.splitlines()}


def test_a_pdf_has_its_title(qtbot, dialog, tmp_path):
    path = tmp_path / "letters.pdf"
    saved(qtbot, dialog, path)
    assert path.read_bytes().startswith(b"%PDF")
    assert b"Letters" in path.read_bytes()


def test_a_copy_is_in_the_clipboard(qtbot, dialog, compared):
    dialog.dpi.setValue(192)
    wanted = dialog.size_line.text()
    dialog.copy_button.click()
    qtbot.waitUntil(lambda: compared.findChild(PictureDialog) is None)
    made = QGuiApplication.clipboard().image()
    assert f"{made.width():,} × {made.height():,} pixels" == wanted


def test_one_that_is_too_large_is_refused_where_it_is_asked_for(dialog, tmp_path):
    dialog.width_mm.setValue(2_000)
    dialog.dpi.setValue(1_200)
    assert dialog.size_line.text() == TOO_LARGE  # before it is saved, in the dialog and not behind it
    assert dialog.size_line.heightForWidth(dialog.size_line.width()) <= dialog.size_line.height()
    assert not dialog.copy_button.isEnabled()
    dialog.save(tmp_path / "large.png", PICTURES["png"])
    assert not (tmp_path / "large.png").exists()
    assert "is too large; the maximum is 100,000,000" in dialog.size_line.text()
    assert offered(dialog) == [".svg", ".pdf"], "no PNG, which would be refused behind the file dialog"
    dialog.dpi.setValue(96)
    assert dialog.copy_button.isEnabled()
    assert offered(dialog) == [".png", ".svg", ".pdf"]


def test_a_film_is_offered_that_can_be_written(monkeypatch):
    monkeypatch.setattr(picture_files.shutil, "which", lambda _name: None)
    assert [kind.id for kind in picture_files.films()] == ["apng", "gif"]
    monkeypatch.setattr(picture_files.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert [kind.id for kind in picture_files.films()] == ["apng", "gif", "mp4"]


@pytest.mark.parametrize(
    ("part", "name", "said"),
    [
        ("Computation", "r.mp4", "films as MP4 need ffmpeg, which was not found"),
        ("Differences", "r.mp4", "This picture does not move: save it as .png, .svg or .pdf"),
        ("Differences", "r.gif", "This picture does not move: save it as .png, .svg or .pdf"),
    ],
)
def test_the_name_of_a_film_that_cannot_be_written_saves_no_picture(
    qtbot, dialog, monkeypatch, tmp_path, part, name, said
):
    monkeypatch.setattr(picture_files.shutil, "which", lambda _name: None)
    choose(qtbot, dialog, part)
    dialog.save_button.click()
    Asked(qtbot, dialog).type(tmp_path / name)
    qtbot.waitUntil(lambda: said in dialog.size_line.text())
    assert not [*tmp_path.iterdir()]


def offered(dialog):
    """Return the endings of the formats in the dialog of files."""
    dialog.save_button.click()
    files = dialog.findChild(SaveDialog)
    found = [each.endings[0] for each in files._formats]
    assert Path(files.selectedFiles()[0]).suffix == found[0]
    files.close()
    files.setParent(None)
    return found


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_painted_on_a_thread_of_its_own(qtbot, dialog, monkeypatch, tmp_path, kind):
    painting = []
    paint = Recording.paint

    def noted(*given):
        painting.append(threading.current_thread().name)
        paint(*given)

    monkeypatch.setattr(Recording, "paint", noted)
    saved(qtbot, dialog, tmp_path / f"letters.{kind}")
    assert "wavediff-picture" in painting
    assert set(painting) <= {"wavediff-picture", "wavediff-preview"}


def test_a_picture_that_is_stopped_leaves_no_file(qtbot, dialog, compared, monkeypatch, tmp_path):
    stopped, paint = threading.Event(), Recording.paint

    def waits(*given):
        stopped.wait(60)
        paint(*given)

    monkeypatch.setattr(Recording, "paint", waits)
    path = tmp_path / "letters.png"
    dialog.dpi.setValue(900)
    dialog.save(path, PICTURES["png"])
    assert dialog.close_button.text() == "Stop"
    dialog.close_button.click()
    stopped.set()
    qtbot.waitUntil(lambda: compared.findChild(PictureDialog) is None)
    qtbot.waitUntil(lambda: "wavediff-picture" not in [one.name for one in threading.enumerate()])
    assert not path.exists()


@pytest.mark.parametrize("part", ["Letters", "Differences", "Computation", "Band", "Window"])
def test_a_recording_looks_like_the_widgets(qtbot, dialog, part):
    """What is recorded and painted later is what the widgets themselves paint."""
    choose(qtbot, dialog, part)
    pictured = dialog._pictured
    wanted = image(lambda on, _: pictured.sheet.paint(on, True), pictured.size(), 192, {})
    made = run_to_end(pictured.copied(192, 0))(unwatched)
    assert made.size() == wanted.size()
    one, other = (
        np.frombuffer(each.constBits(), np.uint8).reshape(each.height(), each.width(), 4)[..., :3].astype(int)
        for each in (wanted, made)
    )
    assert (np.abs(one - other).max(axis=2) > 64).mean() < 0.002


def test_the_window_is_recorded_a_widget_a_turn_and_anew_where_one_has_moved(qtbot, dialog, compared, monkeypatch):
    choose(qtbot, dialog, "Window")
    pictured, widget = dialog._pictured, dialog._pictured.sheet.widget
    whole = run_to_end(pictured.copied(96, 0))(unwatched)
    turns, found = [], []
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: turns.append(1))
    beat.start()
    monkeypatch.setattr(panel_pictures, "TURN_SECONDS", 0)
    dialog._run_steps(pictured.copied(96, 0), found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert len(turns) > len(widget_parts(widget)) / 2  # the window goes on between them
    assert found[0](unwatched) == whole
    steps, n_steps = pictured.copied(96, 0), len(widget_parts(widget))
    next(steps)
    compared.alignment.strip.hide()
    compared.alignment.layout().activate()
    assert sum(1 for _ in steps) > n_steps  # of the first time and of the second
    compared.alignment.strip.show()


def test_what_writes_a_picture_owns_no_widget(qtbot):
    """It ends on a thread, where the last owner of a widget would destroy it."""
    sheet = Sheet(light(), "Letters", QLabel("x"), (), QSize(300, 200))
    pictured, seen = Pictured(sheet, recipe=lambda: None), weakref.ref(sheet)
    write = run_to_end(pictured.saved(PICTURES["png"]))
    del pictured, sheet
    gc.collect()
    assert seen() is None
    assert write(unwatched).startswith(b"\x89PNG")


def test_letters_of_an_svg_are_text_and_stay_within_their_part(qtbot, window, tmp_path):
    session, a = window.session, "ACGTTGCATT" * 200
    open_texts(session, a, "ACGTTGCTTT" * 200)
    qtbot.waitUntil(lambda: session.outcome is not None)
    canvas = window.alignment.canvas
    raw = picture_file(lambda on, _: canvas.render(on, QPoint()), SVG, canvas.size(), 96, {"Title": "A and B"})
    assert b"<image" not in raw
    found = re.findall(rb'<text [^>]*x="([\d.]+)" y="([\d.]+)" [^>]*font-size="15"[^>]*>\s*([ACGT])\s*</text>', raw)
    rows = {}
    for x, y, letter in found:
        rows.setdefault(float(y), []).append((float(x), letter.decode()))
    assert min(rows) > 0
    assert max(rows) <= canvas.height()
    first = "".join(letter for _, letter in sorted(rows[min(rows)]))
    assert len(first) >= 60
    assert a.startswith(first)


def test_letters_as_text_look_like_those_on_the_screen(qtbot, window):
    session = window.session
    open_texts(session, "ACGTTGCATT" * 9, "ACGTTGCTTTG" * 9)
    qtbot.waitUntil(lambda: session.outcome is not None)
    qtbot.waitUntil(lambda: not any(task.running for task in window.findChildren(BackgroundTask)))
    canvas = window.alignment.canvas
    seen = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    made = image(lambda on, _: canvas.render(on, QPoint()), canvas.size(), 96, {})
    high = canvas.surface.cells.block if canvas.surface is not None else 0
    one, other = (
        np.frombuffer(each.constBits(), np.uint8).reshape(each.height(), each.width(), 4)[:high, :, :3].astype(int)
        for each in (seen, made)
    )
    assert np.abs(one - other).mean() < 1
    assert np.abs(one - int(one.max())).mean() > 3  # there are letters


def test_the_band_moves_edit_by_edit_until_it_proves(qtbot, dialog, tmp_path):
    choose(qtbot, dialog, "Band")
    path = tmp_path / "band.gif"
    dialog.save(path, FILMS["gif"])
    qtbot.waitUntil(path.exists)
    with Image.open(path) as film:
        assert film.n_frames == 4  # kitten and sitting: no edit to 3
    assert cli.parsed(read_recipe(path).words).view == "band"


def lesson_pictures(qtbot, window):
    """Return the view of lessons, and the dialog of pictures that it opens."""
    view = window.view(LessonView)
    window.show_panel("lessons")
    qtbot.waitUntil(lambda: view.player is not None)
    window.actions_by_id["picture"].trigger()
    dialog = window.findChild(PictureDialog)
    qtbot.waitUntil(dialog.save_button.isEnabled)
    return view, dialog


def test_a_film_of_a_lesson_has_subtitles_that_replace_no_other_file(qtbot, window, tmp_path):
    view, dialog = lesson_pictures(qtbot, window)
    path, beside = tmp_path / "film.gif", tmp_path / "film.vtt"
    beside.write_text("mine")
    dialog.save(path, FILMS["gif"])
    assert "film.vtt" in dialog.size_line.text()
    assert "would replace it" in dialog.size_line.text()
    assert dialog.save_button.isEnabled()
    beside.unlink()
    dialog.save(path, FILMS["gif"])
    qtbot.waitUntil(beside.exists, timeout=60_000)
    assert path.exists()
    lesson = view.player.lesson
    assert beside.read_text("utf-8") == subtitles(moments(lesson), lesson.command())


def test_a_film_is_made_between_events_and_ends_when_it_is_stopped(qtbot, window, tmp_path):
    _, dialog = lesson_pictures(qtbot, window)
    assert dialog.part.value == "Lessons"
    path = tmp_path / "film.gif"
    dialog.save(path, FILMS["gif"])
    assert not dialog.save_button.isEnabled()
    qtbot.waitUntil(lambda: 0 < dialog.bar.value() < 100)
    dialog.close_button.click()
    qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None)
    qtbot.waitUntil(lambda: "wavediff-picture" not in [one.name for one in threading.enumerate()])
    assert not path.exists()
