"""What a frame of the wavefront paints: the blocks that changed, nothing else, and as all of them would look."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.models.board_picture import FRONT
from app.models.board_pixels import Axis, BoardPixels
from app.models.wavefront import WavefrontModel
from app.views.wavefront import WavefrontView
from core.arrays import Board
from core.grid import BlockGrid, BlockState
from tests.app.maps import Paints, colour_at, plan, show_map

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
DONE, RUNNING, OUTSIDE_BAND = BlockState.DONE, BlockState.RUNNING, BlockState.OUTSIDE_BAND


@pytest.fixture
def model(qtbot: QtBot) -> WavefrontModel:
    return WavefrontModel()


@pytest.fixture
def view(qtbot: QtBot, model: WavefrontModel) -> WavefrontView:
    return show_map(qtbot, model)


def shown(board: Board, size: tuple[int, int], ratio: float) -> np.ndarray:
    """Return what ``BoardPixels`` has for all of a board, ``size`` pixels of the widget large, as bits and states."""
    height, width = (round(each * ratio) for each in size)
    rows = Axis.of((0, height), 0.0, size[0] / board.shape[0], board.shape[0], ratio, 1)
    cols = Axis.of((0, width), 0.0, size[1] / board.shape[1], board.shape[1], ratio, 1)
    pixels = BoardPixels(rows, cols, np.arange(128, dtype=np.uint32), ratio, has_borders=False)
    return pixels.part(board, (0, height), (0, width), moving=True)


@pytest.mark.parametrize(("ratio", "reach"), [(1.0, 1), (1.5, 2), (2.0, 2), (3.0, 3)])
def test_the_front_is_a_line_of_one_width_on_both_sides_of_an_edge(ratio: float, reach: int) -> None:
    board = np.zeros((4, 4), np.uint8)
    board[:2] = DONE
    level, upright = shown(board, (40, 40), ratio), shown(board.T.copy(), (40, 40), ratio)
    middle = round(20 * ratio)
    expected = [middle + k for k in range(-reach, reach)]
    assert (level & FRONT).any(1).nonzero()[0].tolist() == expected
    assert (level & FRONT).any(0).all()
    assert (upright & FRONT).any(0).nonzero()[0].tolist() == expected
    assert (level[: middle - reach] == DONE).all()
    assert (level[middle + reach :] == BlockState.WAITING).all()


def test_in_cells_of_a_pixel_the_front_is_two_of_them() -> None:
    board = np.zeros((50, 60), np.uint8)
    board[:20, :30] = DONE
    front = shown(board, (50, 60), 1.0) & FRONT != 0
    assert front[:20].any(0).nonzero()[0].tolist() == list(range(31))
    assert front[:19, :29].sum() == 0
    assert front[:20, 29:31].all()
    assert front[19:21, :30].all()


@pytest.mark.parametrize("shape", [(12, 12), (60, 300), (700, 900), (6, 900)])
@pytest.mark.parametrize("zoom", [1.0, 0.13])
def test_parts_painted_alone_look_like_all_of_it(
    view: WavefrontView, model: WavefrontModel, shape: tuple[int, int], zoom: float
) -> None:
    """Only what changed is painted while a job runs; a whole repaint must not differ in one pixel."""
    rows, cols = shape
    model.start(1, rows * 10, cols * 10)
    board = plan(model, BlockGrid(rows * 10, cols * 10, 10, 10))
    board[:, 2 * cols // 3 :] = OUTSIDE_BAND
    model.poll()
    view._box.scaleBy((zoom, zoom))
    screen = QImage(view._canvas.size(), QImage.Format.Format_RGB32)
    view._canvas.render(screen)
    paints = Paints(view._canvas)
    random = np.random.default_rng(rows)
    for _ in range(12):
        top, left = int(random.integers(rows)), int(random.integers(cols))
        board[top : top + 1 + rows // 20, left : left + 1 + cols // 30] = random.integers(len(BlockState))
        model.poll()
        for part in paints.taken():
            view._canvas.render(screen, part.topLeft(), QRegion(part))
            paints.taken()  # its own
    whole = QImage(view._canvas.size(), QImage.Format.Format_RGB32)
    view._canvas.refresh()
    view._canvas.render(whole)
    seen = view._canvas.visibleRegion().boundingRect()  # a pixel at the edge may lie under the frame
    assert screen.copy(seen) == whole.copy(seen)


def test_a_frame_paints_the_blocks_that_changed_and_one_without_changes_nothing(
    qtbot: QtBot, view: WavefrontView, model: WavefrontModel
) -> None:
    """What the window does in a frame is felt by a run that uses every core."""
    model.start(1, 40_000, 40_000)
    board = plan(model, BlockGrid(40_000, 40_000, 100, 100))
    model._timer.stop()
    qtbot.waitUntil(lambda: colour_at(view, 20_000, 20_000) == view._theme.state_color(BlockState.WAITING))
    qtbot.wait(50)  # the axes take the room that their numbers need, and the map its shape from what is left
    everything = Paints(view, *view.findChildren(QWidget))
    model.poll()
    QCoreApplication.processEvents()
    assert everything.taken() == []
    board[100, 40:300] = DONE
    board[101, 40] = RUNNING
    model.poll()
    QCoreApplication.processEvents()
    canvas, letters = view._canvas, 100 * 260
    (painted,) = everything.taken()
    pixels = view._canvas.frame.box(QRectF(4000, 10_000, letters, 200))
    assert QRectF(painted).contains(pixels.intersected(QRectF(canvas.rect())))
    assert painted.width() <= pixels.width() + 6
    assert painted.height() <= pixels.height() + 6


def test_a_map_that_is_not_seen_is_not_painted_and_whole_when_it_is(
    qtbot: QtBot, view: WavefrontView, model: WavefrontModel
) -> None:
    model.start(1, 1000, 500)
    board = plan(model, BlockGrid(1000, 500, 250, 250))
    QCoreApplication.processEvents()
    view.hide()
    paints = Paints(view._canvas)
    board[3, 0] = DONE
    model.poll()
    QCoreApplication.processEvents()
    assert paints.taken() == []
    view.show()
    qtbot.waitExposed(view)
    assert colour_at(view, 950, 20) == view._theme.state_color(DONE)
