"""The page of the dot plot: what is said of its search and of k, and where the focus is."""

import re

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QPicture
from PySide6.QtWidgets import QMessageBox

from tests.app.test_dots import A, B, canvas, fake_kernels, letters, matches_of, picture_of, tiles_of, window
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.dots import dot_canvas
from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.compare.dots.dots_picture import FINER
from wavediff.app.draw.recording import in_picture, paint_now, paint_widget
from wavediff.app.ui.pair import NOWHERE
from wavediff.app.ui.picture_files import unwatched
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import MemoryForecast, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.sequences.orientation import FORWARD

__all__ = ["canvas", "fake_kernels", "window"]


def test_a_k_that_cannot_be_is_answered_with_the_range(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    page, before = view.dots, session.dots.matches
    for typed in ("7", "65"):
        page.k.setFocus()
        page.k.selectAll()
        qtbot.keyClicks(page.k, typed)
        qtbot.keyClick(page.k, Qt.Key.Key_Return)
        assert page.note.text().startswith("k can be 11 to 64: ")
        assert page.note.text().endswith(f"{typed} was ignored.")
        assert page.k.value() == session.dots.k == 13
        assert session.dots.matches is before
    page.k.selectAll()
    qtbot.keyClicks(page.k, "11")
    qtbot.keyClick(page.k, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.matches.k == 11)
    assert "shared 11-mers" in page.note.text()


def test_a_search_says_how_far_it_is_and_what_needs_the_memory_until_it_ends(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    said = list[str]()
    session.dots.changed.connect(lambda: said.append(session.dots.status))
    view.choose_view(View.DOTS)
    job = session.dots.slot.job
    session.dots.slot.reported.emit(MemoryForecast(job.id, 1_400_000_000, 1_400_000_000, 9_000_000_000))
    text = "Dots: this needs about 1.4 GB of memory; 9.0 GB are free"
    assert text in [one.text for one in window.answer.notices.notices]
    session.stop()
    assert text not in [one.text for one in window.answer.notices.notices]
    qtbot.mouseClick(view.dots.find_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    shares = [float(found[1]) for one in said if (found := re.fullmatch(r"Finding shared 13-mers… ([\d.]+) %", one))]
    assert shares == sorted(shares)
    assert shares[-1] == 100


def test_a_search_beside_a_comparison_has_one_thread_of_low_priority(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    jobs, beside = list[ExactMatchesJob](), list[bool]()

    def note():
        if isinstance(session.dots.slot.job, ExactMatchesJob):
            jobs.append(session.dots.slot.job)
            beside.append(session.running)

    session.dots.changed.connect(note)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    assert jobs[0].threads == 0, "all cores"
    jobs.clear()
    beside.clear()
    session.open_paths(write(letters(60_000, 2), letters(60_000, 3)))
    qtbot.waitUntil(lambda: bool(jobs) and session.dots.tiles is not None)
    assert beside[0], "the pair is compared meanwhile"
    assert jobs[0].threads == 1


def test_a_picture_is_as_wide_as_its_plot_without_the_pointer_and_fine(qtbot, window, write, monkeypatch):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B[:4_000]))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    monkeypatch.setattr(dot_canvas, "MAX_LINES", 0)  # as of many runs
    window.pointer.move(2_500, 3_000)
    made = picture_of(window)
    canvas = made.sheet.findChild(DotCanvas)
    box = canvas.frame.box(canvas.frame.matrix)
    assert canvas.cross == canvas.ring == NOWHERE
    assert canvas.width() - box.right() < 4, "no empty part at the right"
    image = run_to_end(made.copied(288, 0))(unwatched)
    ratio = image.width() / made.sheet.width()
    at = canvas.mapTo(made.sheet, box.topLeft().toPoint()).toPointF() * ratio
    step = canvas.frame.scale * ratio
    x, y = round(at.x() + 600 * step), round(at.y() + 600 * step)
    base = image.pixelColor(x + 24, y)
    edges = [next(k for k in range(-24, 25) if image.pixelColor(x + k, y + down) != base) for down in range(12)]
    assert max(np.abs(np.diff(edges))) <= 2, "a diagonal is no stair of pixels of a screen"
    assert len(set(edges)) > 4


def test_no_dense_image_is_compressed_where_the_window_waits(canvas, qtbot, theme, monkeypatch):
    monkeypatch.setattr(dot_canvas, "MAX_LINES", 0)
    fine = DotCanvas(theme, None, lambda: (None, None), patient=True, finer=FINER)
    qtbot.addWidget(fine)
    fine.resize(440, 424)
    fine.show_matrix(6_000, 6_000)
    places = np.random.default_rng(2).integers(0, 5_900, (2, 20_000))
    runs = zip(*places, *([each] * 20_000 for each in (20, 1, 1)), strict=True)
    sizes, images = [], []
    for tiles in (None, tiles_of(matches_of(*runs))):
        fine.show_dots(tiles)
        recorded, image = QPicture(), QImage(fine.size(), QImage.Format.Format_RGB32)
        with in_picture(1.0):
            painter = QPainter(recorded)
            late = [each for each in paint_widget(painter, fine) if each is not None]
            painter.end()
            painter = QPainter(image)
            recorded.play(painter)
            paint_now(painter, iter(late))
            painter.end()
        sizes.append(recorded.size())
        images.append(image)
    assert sizes[0] == sizes[1], "the dots are left to the thread that makes the picture"
    assert images[0] != images[1] == fine.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_a_picture_of_the_command_line_opens_the_pair_and_its_dots(qtbot, window, write, tmp_path):
    first, second = map(str, write(A, B))
    picture = tmp_path / "dots.svg"
    words = "compare", first, second, "--view", "dots", "--seed-letters", "20", "--quiet", "--svg", str(picture)
    assert cli.main([*words]) == 1
    window.session.open_paths([picture])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    qtbot.keyClick(window.findChild(QMessageBox, "picture_box"), Qt.Key.Key_Return)
    session, view = window.session, window.view(ComputationView)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.matches.k == 20)
    assert view.view is View.DOTS
    assert session.pair.orientation == FORWARD


def test_a_picture_of_a_part_of_the_dots_opens_at_that_part(qtbot, window, write, tmp_path):
    first, second = map(str, write(A, B))
    picture, at = tmp_path / "dots.svg", f"11-{len(A) // 4},21-{len(B) // 5}"
    words = "compare", first, second, "--view", "dots", "--at", at, "--quiet", "--svg", str(picture)
    assert cli.main([*words]) == 1
    window.session.open_paths([picture])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    qtbot.keyClick(window.findChild(QMessageBox, "picture_box"), Qt.Key.Key_Return)
    session, view = window.session, window.view(ComputationView)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and view.view is View.DOTS and not window.turns.busy)
    seen = view.dots.canvas.range_in_sight
    assert seen.a_from <= 10 < len(A) // 4 <= seen.a_to
    assert seen.b_from <= 20 < len(B) // 5 <= seen.b_to
    assert (seen.a_to - seen.a_from, seen.b_to - seen.b_from) < (len(A) // 2, len(B) // 2)
    again = parts_of(window, LOWER[0], window.centralWidget())["Dots"].recipe()
    assert f"--at {seen.word}" in " ".join(again.words)


def test_the_frame_of_the_focus_is_around_the_matrix(canvas, qtbot, theme):
    canvas.resize(440, 560)
    canvas.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    frame, image = canvas.frame, canvas.grab().toImage()
    box, ratio = frame.box(frame.matrix), image.devicePixelRatio()
    assert box.bottom() < frame.room.bottom() - 50
    column = [image.pixelColor(round(box.center().x() * ratio), y) for y in range(image.height())]
    seen = [y / ratio for y, one in enumerate(column) if one == theme.accent]
    assert max(seen) <= box.bottom()
    assert max(seen) > box.bottom() - 3
