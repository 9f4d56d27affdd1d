"""The wavefront: the model that polls the board, and what is painted."""

import numpy as np
import pytest
from pyqtgraph import AxisItem
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QGraphicsView, QLabel

from tests.app.fakes import fasta
from tests.app.maps import colour_at, plan, show_map
from tests.app.parts import open_texts
from wavediff.app.compare.computation_view import BELOW_PX, ComputationView
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_frame import LEAST_LEFT_PX, MAX_CELL_PX, MatrixPath, left_room
from wavediff.app.ui.block_map.block_text import block_text, until_text
from wavediff.app.ui.block_map.map_axes import letter_at
from wavediff.app.ui.block_map.map_ticks import tick_step, ticks
from wavediff.app.ui.number_text import compiling_text, stage_text
from wavediff.app.ui.pair import CaretPlace, MatrixPosition, Pair, SharedCursor, Side
from wavediff.app.ui.theme import Scheme
from wavediff.app.window import cache_tasks
from wavediff.app.window.cache_tasks import CacheTasks
from wavediff.app.window.frame.ignore_bar import PositionLabel, position_text
from wavediff.core.jit import background_compile
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Compiled, Planned, Progress, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import blank_record

DONE, RUNNING = BlockState.DONE, BlockState.RUNNING


@pytest.fixture
def model(qtbot):
    return BlockMapModel()


def test_the_board_is_polled_and_copied(qtbot, model):
    model.start(1, 100, 80)
    block_map = plan(model, BlockGrid(100, 80, 10, 10))
    with qtbot.waitSignal(model.changed):
        block_map[0, 0] = DONE
    assert model.block_map[0, 0] == DONE
    assert model.changed_box == (0, 1, 0, 1)
    with qtbot.waitSignal(model.changed):
        block_map[1:3, 1] = RUNNING
        block_map[2, 4] = RUNNING
        assert model.block_map[1, 1] == 0  # a copy, until the next frame
    assert model.changed_box == (1, 3, 1, 5)
    assert (model.block_map == block_map).all()
    with pytest.raises(ValueError, match="read-only"):
        model.block_map[0, 0] = 0


def test_nothing_new_is_nothing_to_paint(qtbot, model):
    model.start(1, 100, 80)
    plan(model, BlockGrid(100, 80, 10, 10))
    model.poll()
    with qtbot.assertNotEmitted(model.changed, wait=150):
        pass


def test_figures_follow_the_plan_and_the_whole_matrix(model):
    model.start(1, 1000, 1000)
    plan(model, BlockGrid(1000, 1000, 100, 100), cells=200_000)
    model.apply(StepDone(1, "blocks", 1, 199, 0.1))
    assert model.seconds_left is None, "0.1 % say nothing of the rest"
    model.apply(StepDone(1, "blocks", 1, 49_801, 0.4))
    model.apply(StepDone(1, "encode", 1, 999_999, 9.0))  # no cells of the matrix
    model.apply(StepDone(2, "blocks", 1, 50_000, 0.5))  # of a job that is gone
    assert model.fraction == 0.25
    assert model.gcups == pytest.approx(1e-4)
    assert model.seconds_left == pytest.approx(1.5)
    assert model.planned_cells == 200_000
    plan(model, BlockGrid(1000, 1000, 100, 100), cells=400_000)  # the band was doubled: a new attempt
    assert (model.fraction, model.done_cells) == (0, 0)


def test_a_stopped_run_keeps_its_map_and_says_how_far(model):
    model.start(1, 100, 100)
    block_map, record = plan(model, BlockGrid(100, 100, 10, 10)), blank_record((10, 10), ("thread 1",))
    model.plan, record.began[:4], record.seconds_per_tick = model.plan._replace(record=record), 1, 1e-6
    block_map[:4] = DONE
    model.apply(StepDone(1, "blocks", 40, 4300, 0.1))
    model.end(Phase.STOPPED)
    block_map[:], record.ended[:] = DONE, 5  # the kernel's last blocks no longer matter
    assert not model.playback.record.ended.any()
    model.poll()
    assert (model.block_map == DONE).sum() == 40
    assert until_text(model) == "Stopped at 43 %"
    model.apply(StepDone(1, "blocks", 40, 4300, 0.1))
    assert model.done_cells == 4300


def test_cell_counts_beyond_64_bits_of_pixels(model):
    model.start(1, 3_000_000_000, 3_000_000_000)
    plan(model, BlockGrid(3_000_000_000, 3_000_000_000, 1 << 20, 1 << 20))
    model.apply(StepDone(1, "blocks", 1, 4_500_000_000_000_000_000, 1000.0))
    assert model.fraction == 0.5
    assert model.planned_cells == 9_000_000_000_000_000_000


def test_blocks_are_found_by_position_also_on_a_reduced_board(model):
    model.start(1, 1000, 1000)
    grid = BlockGrid(900, 800, 10, 20, row0=50, col0=100)
    model.apply(Planned(1, grid, np.zeros((45, 20), np.uint8), "full", "", 1))  # half of 90 x 40
    assert model.block_size == (20, 40)
    assert model.block_at(50, 100) == (0, 0)
    assert model.block_at(949, 899) == (44, 19)
    assert model.block_at(49, 100) is None
    assert model.block_at(950, 100) is None


@pytest.fixture
def cursor():
    return SharedCursor()


@pytest.fixture
def view(qtbot, model, theme, cursor):
    return show_map(qtbot, model, theme, cursor)


def test_a_runs_down_and_b_across_in_the_colours_of_the_theme(view, model, theme):
    model.start(1, 1000, 500)
    plan(model, BlockGrid(1000, 500, 250, 250))[3, 0] = DONE
    model.poll()
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        theme.set_scheme(scheme)
        assert colour_at(view, 950, 20) == theme.state_color(DONE)
        assert colour_at(view, 20, 450) == theme.state_color(BlockState.WAITING)


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 7), (1, 1), (5, 1), (1, 250_000_000), (2_000_000_000, 2_000_000_000)])
def test_matrices_of_any_shape_are_painted(view, model, n, m):
    model.start(1, n, m)
    if n and m:
        plan(model, BlockGrid(n, m, max(1, n // 40), max(1, m // 40)))[:] = DONE
    model.poll()
    view.grab()
    view.canvas.zoom(1000, QPointF(view.canvas.rect().center()))
    view.grab()
    view.canvas.fit()
    model.clear()
    view.grab()


def test_every_zoom_and_every_state_is_painted(view, model):
    model.start(1, 10_000, 10_000)
    block_map = plan(model, BlockGrid(9000, 9000, 10, 10, row0=500, col0=500))
    block_map[:] = np.arange(block_map.size).reshape(block_map.shape) % len(BlockState)
    model.poll()
    for _ in range(12):
        view.canvas.zoom(2, view.canvas.frame.point(600, 600))
        view.grab()
    model.end(Phase.STOPPED)
    view.grab()


@pytest.mark.parametrize("state", list(BlockState))
def test_the_status_bar_names_a_block_in_every_state(model, state):
    model.start(1, 1000, 500)
    plan(model, BlockGrid(1000, 500, 250, 200))[:] = state
    model.poll()
    text = position_text(MatrixPosition(900, 450), Pair(), model)
    named = {
        BlockState.OUTSIDE_BAND: "skipped: outside the band",
        BlockState.MONOTONE: "skipped: borders known beforehand",
    }
    assert text.endswith(f"block 4, 3 ({named.get(state, state.name.lower())})")


def test_hovering_moves_the_cursor_and_a_tip_names_the_block(qtbot, view, model, cursor):
    model.start(1, 1000, 500)
    plan(model, BlockGrid(1000, 500, 250, 200))[3, 2] = DONE
    model.poll()
    qtbot.mouseMove(view.canvas, view.canvas.frame.point(450.5, 900.5).toPoint())
    place = cursor.position
    assert place.a0 == pytest.approx(900, abs=3)
    assert place.b0 == pytest.approx(450, abs=3)
    assert view.canvas.cross == place
    assert block_text(model, 900, 450) == "Block 4, 3: done\nA 751 to 1,000 · B 401 to 500"
    cursor.set_caret(CaretPlace(30, 40))
    QCoreApplication.sendEvent(view.canvas, QEvent(QEvent.Type.Leave))
    assert cursor.position == MatrixPosition()
    assert view.canvas.cross == view.canvas.ring == MatrixPosition(30, 40)  # the caret stays where the pointer has gone


def test_a_part_of_the_map_follows_the_caret(view, model, cursor):
    model.start(1, 10_000, 10_000)
    plan(model, BlockGrid(10_000, 10_000, 100, 100))[:] = DONE
    model.poll()
    cursor.set_caret(CaretPlace(9_000, 8_000))
    assert view.canvas.frame.fits
    assert view.canvas.ring == MatrixPosition(9_000, 8_000)
    cursor.move(2_000, 7_000)
    assert (view.canvas.cross, view.canvas.ring) == (MatrixPosition(2_000, 7_000), MatrixPosition(9_000, 8_000))
    cursor.clear()
    view.canvas.zoom(16, view.canvas.frame.point(1_000, 1_000))
    before = view.canvas.frame
    cursor.set_caret(CaretPlace(1_010, 990))
    assert view.canvas.frame == before  # it is seen
    cursor.set_caret(CaretPlace(6_000, 5_000))
    assert view.canvas.frame.seen.contains(5_000, 6_000)
    assert view.canvas.frame.scale == before.scale


def test_no_number_of_a_zoomed_map_is_cut(view, model):
    model.start(1, 90_000, 90_000)
    plan(model, BlockGrid(90_000, 90_000, 1_000, 1_000))[:] = DONE
    model.poll()
    view.grab()
    items = view.canvas.findChild(QGraphicsView).scene().items()
    (across,) = (item for item in items if isinstance(item, AxisItem) and item.orientation == "top")
    for at in range(10_000, 60_000, 3_333):
        view.canvas.fit()
        view.canvas.zoom(9, view.canvas.frame.point(at, at))
        picture = QImage(8, 8, QImage.Format.Format_ARGB32)
        painter = QPainter(picture)
        _, _, texts = across.generateDrawSpecs(painter)
        painter.end()
        assert max(box.right() for box, *_ in texts) <= across.size().width()


def test_the_path_of_an_alignment_ends_in_the_corner():
    alignment = Alignment(np.array([0, 3, 2, 0], np.uint8), np.array([10, 3, 5, 7], np.int64))
    path = MatrixPath.of(alignment)
    assert path.part(QRectF(-1, -1, 102, 102), 1000)[1:-1] == [(0, 0), (10, 10), (13, 10), (13, 15), (20, 22)]
    many = Alignment(np.arange(100_001) % 2 * 3, np.ones(100_001, np.int64))
    long = MatrixPath.of(many)
    corners = long.part(QRectF(0, 0, many.n_b, many.n_a), 500)
    assert len(corners) <= 502
    assert (corners[0], corners[-1]) == ((0, 0), (many.n_a, many.n_b))
    assert MatrixPath.of(None) is None


def test_of_a_path_only_what_is_seen_is_taken_and_that_with_every_corner():
    many = Alignment(np.arange(100_001) % 2 * 3, np.ones(100_001, np.int64))
    path = MatrixPath.of(many)
    b0 = int(path.b[path.a.searchsorted(40_000)])
    corners = path.part(QRectF(b0 - 10, 39_990, 20, 20), 500)
    inside = [(a, b) for a, b in zip(path.a, path.b, strict=True) if abs(a - 40_000) < 10 and abs(b - b0) < 10]
    assert len(inside) > 10
    assert set(inside) <= set(corners)
    assert len(corners) < 50


def test_the_nearest_place_of_a_path_lies_on_the_antidiagonal():
    path = MatrixPath.of(Alignment(np.array([0, 3, 2, 0], np.uint8), np.array([10, 3, 5, 7], np.int64)))
    assert path.nearest(2, 8) == (5, 5)
    assert path.nearest(11, 10) == (11, 10)
    assert path.nearest(-5, 0) == (0, 0)
    assert path.nearest(900, 900) == (20, 22)


def test_a_front_through_tall_blocks_is_a_line(view, model, theme):
    """A mitochondrion beside a chromosome: blocks a pixel wide and fifty high were all of the front's colour."""
    model.start(1, 60, 40_000)
    block_map = plan(model, BlockGrid(60, 40_000, 10, 10))
    for row in range(6):
        block_map[row, : 3000 - 600 * row] = DONE
        block_map[row, 3000 - 600 * row] = RUNNING
    model.poll()
    shown = view.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(shown.constBits(), np.uint32).reshape(shown.height(), shown.width())
    share = (pixels == theme.accent.rgba()).mean()
    assert 0 < share < 0.03


def test_what_is_shown_of_a_small_matrix_has_cells_of_a_limited_size(view, model):
    model.start(1, 1, 2)
    assert view.canvas.frame.scale == MAX_CELL_PX
    assert view.canvas.frame.fits


def test_every_letter_of_a_small_pair_has_its_number_at_its_middle(qtbot):
    metrics = QFontMetricsF(QFont())
    step = tick_step(7, 45.0, metrics)
    assert list(ticks(0, 7, 7, step)) == [(k - 0.5, str(k)) for k in range(1, 8)]


def test_numbers_of_a_long_axis_are_round_and_those_of_a_very_long_one_in_millions(qtbot):
    metrics = QFontMetricsF(QFont())
    step = tick_step(16_569, 320 / 16_569, metrics)
    assert [text for _, text in ticks(0, 16_569, 16_569, step)] == ["5,000", "10,000", "15,000"]
    step = tick_step(50_000_000, 320 / 50e6, metrics)
    assert [text for _, text in ticks(0, 50e6, 50_000_000, step)][-1] == "50 M"


@pytest.mark.parametrize(("n", "m"), [(500, 500), (500, 1000), (1000, 500), (6, 7), (16_569, 16_499)])
@pytest.mark.parametrize("size", [(392, 680), (1000, 1200), (900, 300), (300, 900)])
def test_a_letter_is_as_wide_as_high_whatever_the_shape(view, model, n, m, size):
    view.resize(*size)
    model.start(1, n, m)
    canvas, frame = view.canvas, view.canvas.frame
    assert frame.room.width() == frame.room.height()
    assert QRectF(canvas.rect()).contains(frame.room)
    assert view.rect().contains(canvas.geometry())
    assert frame.fits
    box = frame.box(frame.matrix)
    assert box.width() / box.height() == pytest.approx(m / n)
    assert max(box.width(), box.height()) == pytest.approx(min(frame.room.width(), MAX_CELL_PX * max(n, m)))


def test_the_standard_panel_has_the_map_of_the_layout_and_room_below(view, model, theme):
    view.resize(392, 680)
    model.start(1, 16_569, 16_499)
    axis = left_room(16_569, QFontMetricsF(theme.small_font))
    assert LEAST_LEFT_PX <= axis < 50
    room = view.canvas.frame.room.translated(view.canvas.pos())
    assert room == QRectF(16 + axis, 88, 360 - axis, 360 - axis)
    view.resize(1000, 1300)
    assert view.canvas.frame.room.height() == 968 - axis
    view.resize(1000, 900)
    assert view.height() - view.canvas.geometry().bottom() - 1 == BELOW_PX


def wheel(view, at, notches):
    everywhere = view.canvas.mapToGlobal(at)
    none = QPoint()
    event = QWheelEvent(
        at, everywhere, none, QPoint(0, 120 * notches), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QCoreApplication.sendEvent(view.canvas, event)


@pytest.mark.parametrize("share", [0.01, 0.37, 0.62, 0.99])
def test_the_wheel_keeps_the_path_under_the_pointer_down_to_single_cells(view, model, share):
    random = np.random.default_rng(7)
    lengths = random.integers(1, 9000, 20_001)
    path = MatrixPath.of(Alignment((np.arange(20_001) % 2 * 3).astype(np.uint8), lengths))
    n, m = int(path.a[-1]), int(path.b[-1])
    model.start(1, n, m)
    plan(model, BlockGrid(n, m, n // 40, m // 40))[:] = DONE
    model.poll()
    view.canvas.show_path(path)
    a, b = path.nearest(share * n, share * m)
    at = view.canvas.frame.point(b, a) + QPointF(5, -3)
    for _ in range(40):
        wheel(view, at, 1)
        place = view.canvas.frame.place(at)
        near = path.nearest(place.y(), place.x())
        off = view.canvas.frame.point(near[1], near[0]) - at
        assert off.manhattanLength() <= 1
    assert view.canvas.frame.scale == MAX_CELL_PX
    view.canvas.grab()
    for _ in range(40):
        wheel(view, at, -1)
    assert view.canvas.frame.fits
    assert (view.canvas.frame.left, view.canvas.frame.top) == (0, 0)


def test_a_drag_moves_what_is_seen_no_farther_than_the_matrix_and_a_double_click_shows_all(qtbot, view, model):
    model.start(1, 1000, 1000)
    clicked = QSignalSpy(view.place_wanted)
    canvas = view.canvas
    canvas.zoom(4, QPointF(canvas.rect().center()))
    before = canvas.frame
    button, start = Qt.MouseButton.LeftButton, QPoint(100, 100)
    qtbot.mousePress(canvas, button, pos=start)
    qtbot.mouseMove(canvas, start + QPoint(40, 20))
    qtbot.mouseRelease(canvas, button, pos=start + QPoint(40, 20))
    assert canvas.frame.left == pytest.approx(before.left - 40 / before.scale)
    assert canvas.frame.top == pytest.approx(before.top - 20 / before.scale)
    assert clicked.count() == 0
    for _ in range(60):
        qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert canvas.frame.left == 0
    qtbot.mouseDClick(canvas, button, pos=start)
    assert canvas.frame.fits


def test_before_anything_is_compared_a_picture_and_a_sentence_stand_there(qtbot, view, model, theme):
    assert view.figures.waiting.text() == "Here you watch the comparison being computed."
    assert view.figures.waiting.isVisible()
    assert not view.facts.isVisible()
    colours = {view.canvas.grab().toImage().pixelColor(x, x).name() for x in range(200)}
    assert {theme.tint.name(), theme.waiting.name()} <= colours
    model.start(1, 100, 100)
    assert not view.figures.waiting.isVisible()
    model.apply(Progress(1, "compile blocks", 2, 4, "steps"))
    model.figures_changed.emit()
    assert view.figures.waiting.isVisible()
    assert (view.figures.bar.value(), view.figures.bar.maximum()) == (2, 4)
    model.apply(Compiled(1, "blocks", 0.1))
    model.figures_changed.emit()
    assert not view.figures.bar.isVisible()


def test_letters_stand_on_the_axes_of_a_small_pair(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    view = window.view(ComputationView)
    a, b = map(window.session.pair.shown, Side)
    assert "".join(letter_at(a, k) for k in range(6)) == "kitten"
    assert "".join(letter_at(b, k) for k in range(9)) == "sitting"
    view.grab()


def test_a_first_start_says_before_any_run_that_kernels_are_compiled(qtbot, window, monkeypatch):
    steps = iter([Progress(0, "compile", 2, 4, "steps"), Progress(0, "compile", 3, 4, "steps"), None])
    monkeypatch.setattr(background_compile, "first_start", lambda: next(steps, None))
    monkeypatch.setattr(cache_tasks, "WATCH_MS", 1)
    view, tasks = window.view(ComputationView), CacheTasks()
    said = []
    tasks.optimising.connect(window.session.wavefront.show_compiling)
    tasks.optimising.connect(lambda *_: said.append((view.figures.waiting.text(), not view.figures.bar.isHidden())))
    tasks._watch()
    qtbot.waitUntil(lambda: len(said) == 3)
    tasks.close()
    assert said[0] == ("Optimising for this computer, step 2 of 4 · about 6 s", True)
    assert said[1] == ("Optimising for this computer, step 3 of 4 · about 9 s", True)
    assert said[2] == ("Here you watch the comparison being computed.", False)
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    window.session.wavefront.show_compiling(Progress(0, "compile", 2, 4, "steps"), 0.0)
    assert view.figures.waiting.isHidden(), "who has an answer need not know"


def test_figures_of_a_run_are_said_and_can_be_selected(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    view = window.view(ComputationView)
    qtbot.waitUntil(lambda: view.canvas.path is not None)
    said = {fact.name: fact.value for fact in view.facts.facts}
    assert {"Time", "Traceback", "Strategy"} <= set(said)
    assert "of which" in said["Time"]
    assert view.figures.way.text
    values = [each for each in view.facts.findChildren(QLabel) if each.text() == said["Traceback"]]
    assert values[0].textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_a_new_pair_leaves_nothing_of_the_old_place(qtbot, window, pair):
    label = window.findChild(PositionLabel)
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    window.pointer.move(3, 3)
    assert label.text().startswith("A 4 T   B 4 T")
    qtbot.expect(window.session.compared, window.session.swap)
    assert label.text() == ""


def test_the_place_follows_the_run_under_a_pointer_at_rest(window):
    block_map = window.session.wavefront
    block_map.start(1, 10, 12)
    blocks = plan(block_map, BlockGrid(10, 12, 5, 5))
    blocks[:] = BlockState.PATH
    block_map.poll()
    window.pointer.move(3, 3)
    label = window.findChild(PositionLabel)
    assert "(path)" in label.text()
    blocks[:] = BlockState.WAITING
    block_map.poll()
    assert "(path)" not in label.text()
    block_map.start(2, 10, 12)
    assert "(path)" not in label.text()


def test_a_click_in_the_map_shows_the_letters_there(qtbot, window, tmp_path):
    letters = "ACGT" * 500
    a, b = fasta(tmp_path / "a.fa", ("a", letters)), fasta(tmp_path / "b.fa", ("b", letters))
    qtbot.expect(window.session.compared, window.session.open_paths, [a, b])
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    view = window.view(ComputationView)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: view.isVisible() and view.canvas.path is not None)
    where = view.canvas.frame.point(1500.5, 1480.5).toPoint()  # beside the path: the nearest column
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=where)
    caret = window.alignment.canvas.caret
    assert caret == pytest.approx(1500, abs=40)  # a pixel has several letters
    assert window.alignment.canvas.is_visible(caret)
    on_path = window.session.cells.area
    assert on_path.row == on_path.col == pytest.approx(caret - 32, abs=1)
    # Far from it the cells are those that were clicked, and the letters still those of the nearest column.
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=view.canvas.frame.point(1800.5, 200.5).toPoint())
    assert window.alignment.canvas.caret == pytest.approx(1000, abs=40)
    apart = window.session.cells.area
    assert (apart.row + 32, apart.col + 32) == pytest.approx((200, 1800), abs=40)


def test_a_run_that_has_no_cell_yet_names_what_it_does(qtbot):
    model = BlockMapModel()
    model.start(1, 100, 100)
    assert stage_text(model.stage) == "Comparing…"
    model.apply(Compiled(1, "encode", 0.1))
    assert stage_text(model.stage) == "Preparing the letters…"
    model.apply(StepDone(1, "seeds", 1, 0, 0.1))
    assert stage_text(model.stage) == "Searching for common regions…"
    model.apply(StepDone(2, "encode", 1, 0, 0.1))  # of another job
    model.end(Phase.STOPPED)
    assert until_text(model) == "Stopped while searching for common regions"
    model.start(3, 100, 100)
    model.apply(Progress(3, "compile blocks", 2, 4, "steps"))
    model.apply(Progress(3, "compile encode", 1, 4, "steps"))
    assert model.compiling is not None
    assert compiling_text(model.compiling) == "Optimising for this computer, step 2 of 4", "a step never comes again"
    model.end(Phase.STOPPED)
    assert until_text(model) == "Stopped while optimising for this computer"
    model.start(4, 100, 100)
    model.apply(Progress(4, "compile blocks", 0, 0, "steps"))
    assert until_text(model) == "Stopped while compiling for the first use", "one name for one stage"
