"""The wavefront: the model that polls the board, and what is painted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.compare.block_map_view import BlockMapView, PositionAxis
from app.ui.block_map.alignment_path import MatrixPath
from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.block_map.progress_text import progress_text
from app.ui.shared_cursor import MatrixPosition
from app.ui.theme import Scheme, Theme
from app.window.main_window import MainWindow
from app.window.status import PositionLabel
from core.jobs.alignment import Alignment
from core.jobs.events import Compiled, Planned, Progress, StepDone
from core.jobs.grid import BlockGrid, BlockState
from tests.app.fakes import fasta
from tests.app.maps import colour_at, plan, show_map

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
DONE, RUNNING = BlockState.DONE, BlockState.RUNNING


@pytest.fixture
def model(qtbot: QtBot) -> BlockMapModel:
    return BlockMapModel()


def test_the_board_is_polled_and_copied(qtbot: QtBot, model: BlockMapModel) -> None:
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


def test_nothing_new_is_nothing_to_paint(qtbot: QtBot, model: BlockMapModel) -> None:
    model.start(1, 100, 80)
    plan(model, BlockGrid(100, 80, 10, 10))
    model.poll()
    with qtbot.assertNotEmitted(model.changed, wait=150):
        pass


def test_figures_follow_the_plan_and_the_whole_matrix(model: BlockMapModel) -> None:
    model.start(1, 1000, 1000)
    plan(model, BlockGrid(1000, 1000, 100, 100), cells=200_000)
    model.apply(StepDone(1, "blocks", 1, 50_000, 0.5))
    model.apply(StepDone(1, "encode", 1, 999_999, 9.0))  # no cells of the matrix
    model.apply(StepDone(2, "blocks", 1, 50_000, 0.5))  # of a job that is gone
    assert model.fraction == 0.25
    assert model.share == 0.05
    assert model.gcups == pytest.approx(1e-4)
    assert model.seconds_left == pytest.approx(1.5)
    assert progress_text(model) == "25 % of 200,000 cells · 0.000 GCUPS · about 2 s left"
    plan(model, BlockGrid(1000, 1000, 100, 100), cells=400_000)  # the band was doubled: a new attempt
    assert (model.fraction, model.done_cells) == (0, 0)


def test_a_stopped_run_keeps_its_map_and_says_how_far(model: BlockMapModel) -> None:
    model.start(1, 100, 100)
    block_map = plan(model, BlockGrid(100, 100, 10, 10))
    block_map[:4] = DONE
    model.apply(StepDone(1, "blocks", 40, 4300, 0.1))
    model.end(Phase.STOPPED)
    block_map[:] = DONE  # the kernel's last strokes no longer matter
    model.poll()
    assert (model.block_map == DONE).sum() == 40
    assert progress_text(model) == "Stopped at 43 %"
    model.apply(StepDone(1, "blocks", 40, 4300, 0.1))
    assert model.done_cells == 4300


def test_cell_counts_beyond_64_bits_of_pixels(model: BlockMapModel) -> None:
    model.start(1, 3_000_000_000, 3_000_000_000)
    plan(model, BlockGrid(3_000_000_000, 3_000_000_000, 1 << 20, 1 << 20))
    model.apply(StepDone(1, "blocks", 1, 4_500_000_000_000_000_000, 1000.0))
    assert model.fraction == 0.5
    assert "9,000,000,000,000,000,000 cells" in progress_text(model)


def test_blocks_are_found_by_position_also_on_a_reduced_board(model: BlockMapModel) -> None:
    model.start(1, 1000, 1000)
    grid = BlockGrid(900, 800, 10, 20, row0=50, col0=100)
    model.apply(Planned(1, grid, np.zeros((45, 20), np.uint8), "full", "", 1))  # half of 90 x 40
    assert model.block_size == (20, 40)
    assert model.block_at(50, 100) == (0, 0)
    assert model.block_at(949, 899) == (44, 19)
    assert model.block_at(49, 100) is None
    assert model.block_at(950, 100) is None


@pytest.fixture
def view(qtbot: QtBot, model: BlockMapModel) -> BlockMapView:
    return show_map(qtbot, model)


def test_a_runs_down_and_b_across(view: BlockMapView, model: BlockMapModel) -> None:
    model.start(1, 1000, 500)
    block_map = plan(model, BlockGrid(1000, 500, 250, 250))
    block_map[3, 0] = DONE
    model.poll()
    theme = view._theme
    assert colour_at(view, 950, 20) == theme.state_color(DONE)
    assert colour_at(view, 20, 450) == theme.state_color(BlockState.WAITING)
    assert view._plot.getAxis("left").labelText.startswith("A")
    assert view._plot.getAxis("top").labelText.startswith("B")


def test_colours_change_with_the_theme(view: BlockMapView, model: BlockMapModel) -> None:
    model.start(1, 1000, 500)
    plan(model, BlockGrid(1000, 500, 250, 250))[:] = DONE
    model.poll()
    light = colour_at(view, 950, 20)
    view._theme.set_scheme(Scheme.DARK)
    assert colour_at(view, 950, 20) == view._theme.state_color(DONE) != light


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 7), (1, 1), (5, 1), (1, 250_000_000), (2_000_000_000, 2_000_000_000)])
def test_matrices_of_any_shape_are_painted(view: BlockMapView, model: BlockMapModel, n: int, m: int) -> None:
    """Also those that are outside pyqtgraph's limits."""
    model.start(1, n, m)
    if n and m:
        plan(model, BlockGrid(n, m, max(1, n // 40), max(1, m // 40)))[:] = DONE
    model.poll()
    view.grab()
    view._box.scaleBy((0.001, 0.001))
    view.grab()
    view.fit()
    model.clear()
    view.grab()


def test_every_zoom_and_every_state_is_painted(view: BlockMapView, model: BlockMapModel) -> None:
    model.start(1, 10_000, 10_000)
    block_map = plan(model, BlockGrid(9000, 9000, 10, 10, row0=500, col0=500))
    block_map[:] = np.arange(block_map.size).reshape(block_map.shape) % len(BlockState)
    model.poll()
    for span in (10_000, 2000, 300, 60, 8):
        view._box.setRange(xRange=(600, 600 + span), yRange=(600, 600 + span), padding=0)
        view.grab()
    model.end(Phase.STOPPED)
    view.grab()


def test_hovering_moves_the_cursor_and_names_the_block(view: BlockMapView, model: BlockMapModel) -> None:
    model.start(1, 1000, 500)
    plan(model, BlockGrid(1000, 500, 250, 200))[3, 2] = DONE
    model.poll()
    view._hovered(view._box.mapViewToScene(QPointF(450.5, 900.5)))
    assert view._cursor.position == MatrixPosition(900, 450)
    assert view._hover.text == "Block 4, 3 · done · A 751–1,000 · B 401–500"
    assert view._canvas.cross == (900, 450)
    view.leave()
    assert view._cursor.position == MatrixPosition()
    assert view._canvas.cross == (None, None)


def test_the_path_of_an_alignment_ends_in_the_corner() -> None:
    alignment = Alignment(np.array([0, 3, 2, 0], np.uint8), np.array([10, 3, 5, 7], np.int64))
    path = MatrixPath.of(alignment)
    assert path is not None
    a, b = path.part((-1, 100), (-1, 100), 1000)
    assert list(zip(b.tolist(), a.tolist(), strict=True)) == [(0, 0), (10, 10), (10, 13), (15, 13), (22, 20)]
    many = Alignment(np.arange(100_001) % 2 * 3, np.ones(100_001, np.int64))
    long = MatrixPath.of(many)
    assert long is not None
    a, b = long.part((0, many.n_a), (0, many.n_b), 500)
    assert a.size <= 502
    assert (a[0], b[0], a[-1], b[-1]) == (0, 0, many.n_a, many.n_b)
    assert MatrixPath.of(None) is None


def test_of_a_path_only_what_is_seen_is_taken_and_that_with_every_corner() -> None:
    many = Alignment(np.arange(100_001) % 2 * 3, np.ones(100_001, np.int64))
    path = MatrixPath.of(many)
    assert path is not None
    at = path.a.searchsorted(40_000)
    b0 = int(path.b[at])
    a, b = path.part((40_000, 40_020), (b0 - 5, b0 + 100), 500)
    assert a.tolist() == list(range(39_999, 40_022))
    assert b[-1] - b[0] == 11
    assert b[0] <= b0 <= b[-1]
    assert not path.part((40_000, 40_020), (b0 + 30_000, b0 + 30_100), 500)[0].size


def test_a_front_through_tall_blocks_is_a_line(view: BlockMapView, model: BlockMapModel, theme: Theme) -> None:
    """A mitochondrion beside a chromosome: blocks a pixel wide and fifty high were all of the front's colour."""
    model.start(1, 60, 40_000)
    block_map = plan(model, BlockGrid(60, 40_000, 10, 10))
    for row in range(6):
        block_map[row, : 3000 - 600 * row] = DONE
        block_map[row, 3000 - 600 * row] = RUNNING
    model.poll()
    shown = view._canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(shown.constBits(), np.uint32).reshape(shown.height(), shown.width())
    share = (pixels == theme.accent.rgba()).mean()
    assert 0 < share < 0.03


def test_ticks_stand_at_letters_only() -> None:
    axis = PositionAxis("top")
    assert axis.tickStrings([-5000.0, 0.0, 5000.0], 1.0, 5000.0) == ["", "1", "5,000"]
    assert axis.tickStrings([0.0, 0.2, 0.4], 1.0, 0.2) == ["", "", ""]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5])
def test_what_is_shown_of_a_small_matrix_stays_as_it_is(
    qtbot: QtBot, view: BlockMapView, model: BlockMapModel, n: int
) -> None:
    """A range that comes and goes is painted each time, and that moves the axes, and so on."""
    view.resize(788, 180)
    view.show()
    model.start(1, n, n)
    qtbot.waitExposed(view)
    qtbot.wait(50)
    with qtbot.assertNotEmitted(view._box.sigRangeChanged, wait=100):
        pass


@pytest.mark.parametrize("side", ["left", "top"])
def test_every_letter_of_a_small_pair_has_its_number_at_its_middle(
    view: BlockMapView, model: BlockMapModel, side: str
) -> None:
    n, m = 6, 7
    model.start(1, n, m)
    plan(model, BlockGrid(n, m, 1, 1))
    axis = view._plot.getAxis(side)
    length = view._graphics.height() if side == "left" else view._graphics.width()
    total = n if side == "left" else m
    said = {
        text: where
        for spacing, values in axis.tickValues(-0.06, total + 0.06, length)
        for text, where in zip(axis.tickStrings(values, 1.0, spacing), values, strict=True)
    }
    assert said == {str(k): k - 0.5 for k in range(1, total + 1)}


def test_a_long_axis_begins_with_the_first_letter_and_keeps_round_numbers(view: BlockMapView) -> None:
    axis = view._plot.getAxis("left")
    assert isinstance(axis, PositionAxis)
    axis.total = 5386
    spacing, values = axis.tickValues(-50, 5440, 400)[0]
    assert values[0] == 0.5
    assert axis.tickStrings(values, 1.0, spacing)[:3] == ["1", "2,000", "4,000"]
    assert values[-1] < 5386


def test_the_arrow_of_the_turned_label_points_down(view: BlockMapView) -> None:
    """The label is turned to the left by a quarter, so that an arrow to the left is one downwards."""
    axis = view._plot.getAxis("left")
    assert axis.label.rotation() == -90
    assert [c for c in axis.labelText if c in "←↑→↓"] == ["←"]


def test_a_new_pair_leaves_nothing_of_the_old_place(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    label = window.findChild(PositionLabel)
    with qtbot.waitSignal(window.session.compared):
        window.session.open_paths(pair)
    window.pointer.move(3, 3)
    assert label.text().startswith("A 4 T   B 4 T")
    with qtbot.waitSignal(window.session.compared):
        window.session.swap()
    assert label.text() == ""


def test_the_place_follows_the_run_under_a_pointer_at_rest(window: MainWindow) -> None:
    block_map = window.session.wavefront
    block_map.start(1, 10, 12)
    plan(block_map, BlockGrid(10, 12, 5, 5))[:] = BlockState.PATH
    block_map.poll()
    window.pointer.move(3, 3)
    label = window.findChild(PositionLabel)
    assert "(path)" in label.text()
    block_map.start(2, 10, 12)
    assert "(path)" not in label.text()


def test_a_click_in_the_map_shows_the_letters_there(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    letters = "ACGT" * 500
    a, b = fasta(tmp_path / "a.fa", ("a", letters)), fasta(tmp_path / "b.fa", ("b", letters))
    with qtbot.waitSignal(window.session.compared):
        window.session.open_paths([a, b])
    qtbot.waitUntil(lambda: window.alignment.model is not None)
    view = window.view(BlockMapView)
    where = view._graphics.mapFromScene(view._box.mapViewToScene(QPointF(1500.5, 1500.5)))
    qtbot.mouseClick(view._graphics.viewport(), Qt.MouseButton.LeftButton, pos=where)
    caret = window.alignment.canvas.caret
    assert caret == pytest.approx(1500, abs=40)  # a pixel has several letters
    assert window.alignment.canvas.is_visible(caret)


def test_a_run_that_has_no_cell_yet_names_what_it_does(qtbot: QtBot) -> None:
    model = BlockMapModel()
    model.start(1, 100, 100)
    assert progress_text(model) == "Comparing…"
    model.apply(Compiled(1, "encode", 0.1))
    assert progress_text(model) == "Preparing the letters…"
    model.apply(StepDone(1, "seeds", 1, 0, 0.1))
    assert progress_text(model) == "Looking for common stretches…"
    model.apply(StepDone(2, "encode", 1, 0, 0.1))  # of another job
    model.end(Phase.STOPPED)
    assert progress_text(model) == "Stopped while looking for common stretches"
    model.start(3, 100, 100)
    model.apply(Progress(3, "compile blocks", 2, 4, "steps"))
    assert progress_text(model) == "Optimising for this computer, step 2 of 4"
    model.apply(Progress(3, "compile encode", 1, 4, "steps"))
    assert progress_text(model) == "Optimising for this computer, step 2 of 4", "a step never comes again"
    model.end(Phase.STOPPED)
    assert progress_text(model) == "Stopped while optimising for this computer"
    model.start(3, 100, 100)
    model.end(Phase.FAILED)
    assert progress_text(model) == "Failed"
