"""The dot plot: how it is drawn at each zoom, what it asks of the kernels, and where it leads."""

import re
from dataclasses import replace
from time import thread_time

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.app.alignments import sequence
from tests.app.real_kernels import fake_kernels, window
from tests.clock import check_within
from tests.core.screening.test_relation import random_letters as letters
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.dots import dot_canvas
from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.compare.dots.dot_drawing import draw_cells, draw_features, opacity, palette, run_lengths
from wavediff.app.compare.dots.dot_tiles import DotTiles
from wavediff.app.draw.drawing import Ink
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.frame.ignore_bar import PositionLabel
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.base.numbers import number
from wavediff.core.export.registry import PICTURES
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob
from wavediff.core.run.runner import run_job
from wavediff.core.screening.dot_index import SHADES, DotIndexJob
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.spans import SpanKind, Spans

__all__ = ["fake_kernels", "window"]

PLUS, MINUS, LIGHT = 1, -1, Theme(Scheme.LIGHT)


A = letters(6_000, 1)
B = A[:2_000] + reverse_complement(A[2_000:4_000]) + A[4_000:]  # with an inversion


def matches_of(*runs, n=6_000, m=6_000):
    """Runs as (a, b, length, strand, unique)."""
    columns = [np.array(column, np.int64) for column in zip(*runs, strict=True)]
    return ExactMatches(n, m, 11, 128, *columns[:3], columns[3] == MINUS, columns[4], 0)


def tiles_of(matches, *, unique=False, overview=False):
    index = run_job(DotIndexJob(matches=matches))
    return DotTiles(index if overview else replace(index, overview={}), unique=unique)


@pytest.fixture
def canvas(qtbot: QtBot, theme):
    pair = sequence(A.decode(), "a"), sequence(B.decode(), "b")
    view = DotCanvas(theme, None, lambda: pair, patient=True)
    qtbot.addWidget(view)
    view.resize(440, 424)
    view.show_matrix(6_000, 6_000)
    view.show()
    qtbot.waitExposed(view)
    return view


def button_texts(window):
    return [one.text() for one in window.answer.bar.findChildren(QPushButton) if one.isVisible()]


def picture_of(window):
    part = parts_of(window, LOWER[0], window.centralWidget())["Dots"]
    assert part.name == "Dots"
    return part.made(part.prepare(CancelToken()))


def colour(canvas, a0, b0):
    """Kind of the colour in the cell of two letters: strand, or 0 for that of the ground."""
    image = canvas.grab().toImage()
    at = canvas.frame.point(b0 + 0.5, a0 + 0.5) * image.devicePixelRatio()
    found = image.pixelColor(int(at.x()), int(at.y()))
    inks = {0: LIGHT.base, PLUS: LIGHT.insertion_strong, MINUS: LIGHT.mismatch_strong}

    def off(ink):
        return sum(abs(one - other) for one, other in zip(ink.getRgb(), found.getRgb(), strict=True))

    return min(inks, key=lambda kind: off(inks[kind]))


RUNS = (0, 0, 2_000, PLUS, 1), (2_000, 2_000, 2_000, MINUS, 0), (4_000, 4_000, 2_000, PLUS, 1)


def test_single_runs_are_lines_in_the_colour_of_their_strand(canvas):
    canvas.show_dots(tiles_of(matches_of(*RUNS)))
    assert len(canvas.runs) == 3
    assert colour(canvas, 1_000, 1_000) == PLUS
    assert colour(canvas, 2_500, 3_499) == MINUS
    assert colour(canvas, 2_500, 2_500) == colour(canvas, 1_000, 3_000) == 0
    canvas.show_dots(tiles_of(matches_of(*RUNS), unique=True))
    assert colour(canvas, 2_500, 3_499) == 0, "a repeat"
    assert colour(canvas, 5_000, 5_000) == PLUS


def test_many_runs_are_a_density_that_a_ramp_darkens_without_drawing_tiles_again(canvas, monkeypatch):
    monkeypatch.setattr(dot_canvas, "MAX_LINES", 2)
    tiles = tiles_of(matches_of(*RUNS, (500, 4_500, 12, PLUS, 0)))
    canvas.show_dots(tiles)
    assert canvas.runs is None
    assert colour(canvas, 1_000, 1_000) == PLUS
    assert colour(canvas, 2_500, 3_499) == MINUS
    assert colour(canvas, 1_000, 3_000) == 0
    drawn = dict(tiles.tiles)
    assert drawn
    image, level = canvas.grab().toImage(), canvas.frame
    at = level.point(4_506, 506) * image.devicePixelRatio()
    pale = image.pixelColor(int(at.x()), int(at.y()))
    canvas.show_ramp(1.0)
    dark = canvas.grab().toImage().pixelColor(int(at.x()), int(at.y()))
    assert dark == LIGHT.insertion_strong != pale
    canvas.show_ramp(0.0)
    assert canvas.grab().toImage().pixelColor(int(at.x()), int(at.y())).lightness() > pale.lightness()
    assert {place: id(tile) for place, tile in tiles.tiles.items()} == {place: id(one) for place, one in drawn.items()}


def test_a_tile_that_is_missing_is_seen_as_a_coarser_one_has_it():
    tiles = tiles_of(matches_of(*RUNS))
    tiles.want(5, (0, 188), (0, 188))
    assert not tiles.make(float("inf"))
    coarse = tiles.region(5, (0, 188), (0, 188))
    assert (tiles.region(4, (0, 256), (0, 256)) == np.kron(coarse, np.ones((2, 2), np.uint8))[:256, :256]).all()
    tiles.want(4, (0, 256), (0, 256))
    assert not tiles.make(float("inf"))
    fine = tiles.region(4, (0, 256), (0, 256))
    assert (np.diag(fine)[:100] == SHADES).all()
    assert fine[200, 49] > SHADES or fine[200, 174] > SHADES


def test_the_whole_is_seen_at_once(canvas, monkeypatch):
    monkeypatch.setattr(dot_canvas, "MAX_LINES", 2)
    tiles = tiles_of(matches_of(*RUNS), overview=True)
    canvas.show_dots(tiles)
    assert colour(canvas, 1_000, 1_000) == PLUS
    assert not tiles.tiles, "all of it was drawn beforehand"
    tiles.want(4, (0, 256), (0, 256))
    assert not tiles.is_incomplete


def test_what_is_no_longer_wanted_is_not_drawn():
    tiles = tiles_of(matches_of(*RUNS))
    tiles.want(0, (0, 6_000), (0, 6_000))
    assert tiles.make(0.0), "one step"
    tiles.want(0, (0, 10), (0, 10))
    assert not tiles.make(float("inf"))
    assert set(tiles.tiles) == {(0, 0, 0)}


def test_the_wheel_goes_from_the_whole_to_the_letters_of_a_run(canvas):
    canvas.show_dots(tiles_of(matches_of(*RUNS)))
    at = canvas.frame.point(3_020, 3_000)  # beside the inverted run
    while not canvas.has_cells:
        canvas.zoom(2.0, at)
    seen = canvas.frame.seen
    a0 = int(seen.center().y())
    assert seen.contains(QPointF(5_999 - a0, a0)) or abs(5_999 - a0 - seen.center().x()) < 20
    row = int(seen.top()) + 3
    assert colour(canvas, row, 5_999 - row) in (MINUS, 0)
    canvas.fit()
    assert canvas.frame.fits


def test_letters_have_dots_strokes_and_runs():
    a, b = (np.frombuffer(text, np.uint8) for text in (b"ACGTACGTACGTAC" * 3, b"TTTTTACGTACGTACGTACGNNNN"))

    class Drawn:
        def __init__(self):
            self.pens = []

        def lines(self, lines, pen):
            self.pens.append((pen.ink, pen.opacity, len(lines)))

    drawing, frame = Drawn(), BlockMapFrame(42, 24, QRectF(0, 0, 42 * 20, 42 * 20), 20.0)
    draw_cells(drawing, frame, a, b, 11)
    equal = a[:, None] == b[None, :]
    counts = {ink: sum(n for each, _, n in drawing.pens if each is ink) for ink, _, _ in drawing.pens}
    assert counts[Ink.INSERTION_STRONG] == equal.sum()
    complement = np.frombuffer(reverse_complement(b.tobytes())[::-1], np.uint8)
    assert counts[Ink.MISMATCH_STRONG] == ((a[:, None] == complement) & (b != ord("N"))).sum()
    full = [n for ink, share, n in drawing.pens if ink is Ink.INSERTION_STRONG and share == 1.0]
    assert full == [int((run_lengths(equal, minus=False) >= 11).sum())]


@pytest.mark.parametrize("minus", [False, True])
def test_run_lengths_count_along_diagonals(minus):
    cells = np.random.default_rng(4).random((17, 23)) < 0.6
    found = run_lengths(cells, minus=minus)
    turn = -1 if minus else 1
    for i in range(17):
        for j in range(23):
            n, at = 0, [i, j]
            while min(at) >= 0 and at[0] < 17 and at[1] < 23 and cells[at[0], at[1]]:
                n, at = n + 1, [at[0] + 1, at[1] + turn]
            at = [i - 1, j - turn]
            while n and min(at) >= 0 and at[0] < 17 and at[1] < 23 and cells[at[0], at[1]]:
                n, at = n + 1, [at[0] - 1, at[1] - turn]
            assert found[i, j] == n


def test_the_ramp_goes_from_few_dots_unseen_to_all_alike():
    for ramp in (0.0, 0.1, 0.35, 1.0):
        shares = [opacity(ramp, shade / SHADES) for shade in range(1, SHADES + 1)]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
    assert opacity(0.0, 0.3) < 0.01 < 0.5 < opacity(0.35, 0.3) + 0.2
    assert len(palette(0.35)) == 2 * SHADES + 1


def test_features_stand_along_both_sides():
    class Drawn(list):
        def rect(self, box, fill):
            self.append((fill, *(round(each) for each in box)))

    def spans(*ends):
        starts, stops = (np.array(each, np.int64) for each in zip(*ends, strict=True))
        return Spans(kind=SpanKind.FEATURE, n_letters=100, starts=starts, ends=stops)

    drawing, frame = Drawn(), BlockMapFrame(100, 100, QRectF(40, 20, 200, 200), 2.0)
    draw_features(drawing, frame, (spans((10, 12), (12, 30), (80, 90)), spans((0, 100))))
    assert drawing == [
        (Ink.CODING_EDGE, 40, 40, 5, 40), (Ink.CODING_EDGE, 40, 180, 5, 20), (Ink.CODING_EDGE, 40, 20, 200, 5),
    ]  # fmt: skip
    drawing.clear()
    far = BlockMapFrame(100, 100, QRectF(40, 20, 20, 20), 0.2)
    draw_features(drawing, far, (None, spans((0, 1), (50, 51))))
    assert drawing == [(Ink.CODING_EDGE, 40, 20, 1, 5), (Ink.CODING_EDGE, 50, 20, 1, 5)], "none is too small"


@pytest.mark.timed
@pytest.mark.thorough
def test_a_frame_of_ten_million_runs_takes_16_ms_of_the_processor(qtbot, theme):
    rng, n, size = np.random.default_rng(3), 10**7, 250_000_000
    lengths = np.minimum(16 + rng.geometric(1 / 30, n), 1_500)
    a = rng.integers(0, size - 2_000, n)
    b = np.where(rng.random(n) < 0.5, np.clip(a + rng.integers(-1_000, 1_000, n), 0, size - 2_000), rng.permutation(a))
    tiles = tiles_of(
        overview=True, matches=ExactMatches(size, size, 16, 128, a, b, lengths, rng.random(n) < 0.3, lengths, 0)
    )
    view = DotCanvas(theme, None, lambda: (None, None))
    qtbot.addWidget(view)
    view.resize(1_600, 1_000)
    view.show_matrix(size, size)
    view.show_dots(tiles)
    view.show()
    qtbot.waitExposed(view)
    frames, at = list[float](), view.frame.point(size / 2, size / 2)

    def turn(change):
        change()
        while True:
            began = thread_time()
            QApplication.processEvents()
            frames.append(thread_time() - began)
            if not (view._soon.isActive() or tiles.is_incomplete):
                return

    while view.frame.scale < 12:
        turn(lambda: view.zoom(2.0, at))
        for _ in range(4):
            turn(lambda: view._pan(QPointF(-9, -7)))
    assert len(frames) > 100
    check_within(float(np.median(frames)), 0.016)
    check_within(max(frames[1:]), 0.05)  # the first loads fonts, too


# The page in the window, with the kernels that compute


def test_a_notice_of_an_inversion_leads_to_the_dots_of_both_strands(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    notices = window.answer.notices
    qtbot.waitUntil(lambda: any(action.text == "Show the dots" for one in notices.notices for action in one.actions))
    notice = next(one for one in notices.notices if any(action.text == "Show the dots" for action in one.actions))
    assert not session.dots.running
    notices.act(notice, next(action for action in notice.actions if action.text == "Show the dots"))
    assert view.view is View.DOTS
    page = view.dots
    assert page.isAncestorOf(window.focusWidget())
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    qtbot.waitUntil(lambda: "shared 13-mers on +" in page.note.text())
    assert page.note.text() == "3,980 shared 13-mers on +, 1,988 on −"
    assert [fact.name for fact in page.facts.facts] == ["Runs", "Zoom", "Found in"]
    places = []
    view.place_wanted.connect(lambda a0, b0, _why: places.append((a0, b0)))
    page.canvas.click_cell(2_500, 3_499, QPointF())
    assert places == [(2_500, 3_499)]
    window.pointer.move(2_500, 3_499)
    assert page.canvas.cross.a0 == 2_500
    place = window.findChild(PositionLabel)
    assert place.text().startswith("A 2,501 ")
    assert place.text().endswith("diagonal +999"), "no block of a map that is not seen"
    notices.add(notice)
    assert "Show the dots" not in button_texts(window), "they are shown"
    view.choose_view(View.MAP)
    assert "Show the dots" in button_texts(window)
    window.pointer.move(2_501, 3_499)
    assert "block " in place.text()


def test_another_k_and_unique_k_mers_alone(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A + A[:500], B))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    page, before = view.dots, session.dots.matches
    assert len(page.canvas.runs) > 3
    page.unique.setChecked(True)
    assert session.dots.matches is before, "no k-mer is sought again"
    runs, once = page.canvas.runs, before.n_unique > 0
    assert len(runs) == once.sum() < len(before)
    kmers = before.lengths - before.k + 1
    plus, minus = (int(kmers[once & (before.minus == strand)].sum()) for strand in (False, True))
    said = f"{number(plus)} shared 13-mers on +, {number(minus)} on −, in runs with a unique one"
    assert page.note.text() == said
    longest = number(int(before.lengths[once].max()))
    assert page.facts.facts[0].value == f"{len(runs)}, longest {longest} letters"
    made = picture_of(window)
    assert made.sheet.text.text() == said
    page.k.setValue(24)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.matches.k == 24)
    assert session.dots.tiles.unique
    assert "24-mers" in page.note.text()
    session.open_paths(write(B, A))  # what was chosen ends with its pair
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.matches.k == 13)
    assert (page.k.value(), page.unique.isChecked(), session.dots.tiles.unique) == (13, False, False)


def test_repeats_alone_are_none_of_unique_k_mers(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A[:400] * 2, A[:400] * 2))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    page, inside = view.dots, session.dots.matches.n_unique
    assert len(inside) > 1
    page.unique.setChecked(True)
    runs = page.facts.facts[0].value
    assert runs.startswith(f"{(inside > 0).sum()}, ")
    page.unique.setChecked(False)
    assert page.facts.facts[0].value.startswith(f"{len(inside)}, ")


def test_stop_ends_the_search_and_a_button_begins_it_again(qtbot, window, write, monkeypatch):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    began = []
    monkeypatch.setattr(
        session.dots.slot, "submit", lambda job, *_: began.append(job) or setattr(session.dots.slot, "job", job)
    )
    view.choose_view(View.DOTS)
    assert session.dots.running
    session.stop()
    assert not session.dots.running
    assert view.dots.note.text() == "Stopped"
    view.choose_view(View.MAP)
    view.choose_view(View.DOTS)
    assert len(began) == 1, "it is not begun again by itself"
    monkeypatch.undo()
    qtbot.mouseClick(view.dots.find_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    assert not view.dots.find_button.isVisible()


def test_one_sequence_alone_shows_its_repeats(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A + A[1_000:1_300]), Side.A)
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    assert view.dots.note.text() == "576 repeated 13-mers on +, 0 on −"
    assert colour(view.dots.canvas, 6_100, 1_100) == PLUS
    window.pointer.move(6_100, 1_100)
    place = window.findChild(PositionLabel)
    assert re.fullmatch(r"A 6,101 [ACGT]   A 1,101 [ACGT]   diagonal −5,000", place.text())


def test_letters_without_a_strand_have_no_dots(qtbot, window):
    session, view = window.session, window.view(ComputationView)
    session.open_texts(["a text", "another text"])
    qtbot.waitUntil(lambda: session.outcome is not None)
    dots = view.views.buttons[1]
    assert not dots.isEnabled()
    assert "Dots are for DNA and RNA: they show shared k-mers on both strands." in dots.toolTip()
    qtbot.mouseClick(dots, Qt.MouseButton.LeftButton)
    assert view.view is not View.DOTS
    assert not session.dots.running
    session.open_texts([A.decode(), B.decode()])
    qtbot.waitUntil(dots.isEnabled)
    qtbot.mouseClick(dots, Qt.MouseButton.LeftButton)
    assert view.view is View.DOTS
    session.open_texts(["a text", "another text"])
    qtbot.waitUntil(lambda: not dots.isEnabled())
    assert view.view is not View.DOTS, "no empty page"


def test_dots_are_grey_while_nothing_is_open(window):
    dots = window.view(ComputationView).views.buttons[1]
    assert not dots.isEnabled()
    assert "Open a sequence to see its repeats" in dots.toolTip()


def test_another_pair_has_other_dots_and_features_of_its_own(qtbot, window, write, tmp_path):
    session, view = window.session, window.view(ComputationView)
    paths = write(A, B)
    (tmp_path / "a.bed").write_text("a\t100\t400\tgene one\n")
    session.open_paths(paths)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.features[0] is not None)
    of_a, of_b = session.dots.features
    assert (of_a.starts.tolist(), of_a.ends.tolist(), of_b) == ([100], [400], None)
    before = session.dots.matches
    session.open_paths(write(A[:3_000], B[:3_000]))
    qtbot.waitUntil(lambda: session.dots.matches not in (None, before) and session.dots.tiles is not None)
    assert (view.dots.canvas.frame.n, view.dots.canvas.frame.m) == (3_000, 3_000)
    session.swap()
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.dots.matches.n == 3_000)


def test_a_picture_shows_the_same_part(qtbot, window, write):
    session, view = window.session, window.view(ComputationView)
    session.open_paths(write(A, B))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    canvas = view.dots.canvas
    canvas.zoom(4.0, canvas.frame.point(1_000, 1_000))
    view.dots.unique.setChecked(True)
    view.dots.ramp.setValue(10)
    made = picture_of(window)
    assert made.sheet.heading == "a – b: Dots"
    other = made.sheet.findChild(DotCanvas)
    shown, drawn = (each.frame.seen.intersected(each.frame.matrix).getRect() for each in (canvas, other))
    assert drawn == pytest.approx(shown, abs=2 / canvas.frame.scale)
    for kind in PICTURES:
        assert len(made.picture(kind)) > 5_000
    assert b"3,980 shared" in made.picture(next(kind for kind in PICTURES if kind.id == "svg"))
    recipe = parts_of(window, LOWER[0], window.centralWidget())["Dots"].recipe()
    found = cli.parsed(recipe.words)
    assert (found.view, found.seed_letters) == ("dots", session.dots.k)
    assert (found.unique, found.opacity) == (True, 0.1)
    assert "--png" not in recipe.command("--png", "x.png"), "the command line draws the whole"


def test_unique_runs_and_the_opacity_of_dots_are_opened_as_asked(qtbot, window, write):
    session, view, paths = window.session, window.view(ComputationView), map(str, write(A, B))
    words = ["open", *paths, "--view", "dots", "--unique", "--opacity", "10%"]
    window.pictures.open_typed(cli.parsed(words))
    qtbot.waitUntil(lambda: session.dots.tiles is not None and view.dots is not None and not window.turns.busy)
    assert (session.dots.unique, view.dots.unique.isChecked()) == (True, True)
    assert (view.dots.ramp.value(), view.dots.canvas.ramp) == (10, 0.1)


def test_matches_of_real_letters_are_seen_where_they_are(canvas):
    a, b = (np.frombuffer(text, np.uint8) for text in (A, B))
    canvas.show_dots(tiles_of(run_job(ExactMatchesJob(a=a, b=b, k=16))))
    assert [colour(canvas, at, at) for at in (500, 5_500)] == [PLUS, PLUS]
    assert colour(canvas, 2_200, 5_999 - 2_200) == MINUS
