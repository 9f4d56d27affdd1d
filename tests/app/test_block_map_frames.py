"""What a frame of the wavefront paints: the blocks that changed, nothing else, and as all of them would look."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QTimer
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.app.maps import PaintRecorder, colour_at, plan, show_map
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_drawing import BlockMapDrawing
from wavediff.core.jobs.grid import BlockGrid, BlockState

DONE, RUNNING, OUTSIDE_BAND = BlockState.DONE, BlockState.RUNNING, BlockState.OUTSIDE_BAND


@pytest.fixture
def model(qtbot):
    return BlockMapModel()


@pytest.fixture
def view(qtbot, model, theme):
    return show_map(qtbot, model, theme)


@pytest.mark.parametrize("blocks", [4, 50, 400])
def test_the_front_is_a_thin_line_on_both_sides_of_an_edge(view, model, theme, blocks):
    """A line where blocks are large, and the colour of two of them where one is a pixel."""
    model.start(1, 10 * blocks, 10 * blocks)
    plan(model, BlockGrid(10 * blocks, 10 * blocks, 10, 10))[: blocks // 2] = DONE
    model.poll()
    room = view.canvas.frame.room.toAlignedRect()
    image = view.canvas.grab(room).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    front = pixels[5:-5, 5:-5] == theme.accent.rgba()  # inside the ring of the focus
    rows = front.any(axis=1).nonzero()[0] + 5
    assert front[rows - 5].mean() > 0.8  # but for the borders of cells
    assert 1 <= rows.size <= 3
    assert abs(rows.mean() + 0.5 - view.canvas.frame.point(0, 5 * blocks).y() + room.top()) <= 1


@pytest.mark.parametrize("shape", [(12, 12), (60, 300), (700, 900), (6, 900)])
@pytest.mark.parametrize("zoom", [1.0, 0.13])
def test_parts_painted_alone_look_like_all_of_it(view, model, shape, zoom):
    """Only what changed is painted while a job runs; a whole repaint must not differ in one pixel."""
    rows, cols = shape
    model.start(1, rows * 10, cols * 10)
    block_map = plan(model, BlockGrid(rows * 10, cols * 10, 10, 10))
    block_map[:, 2 * cols // 3 :] = OUTSIDE_BAND
    model.poll()
    view.canvas.zoom(1 / zoom, QPointF(view.canvas.rect().center()))
    screen = QImage(view.canvas.size(), QImage.Format.Format_RGB32)
    view.canvas.render(screen)
    paints = PaintRecorder(*view.canvas.findChildren(QWidget))
    random = np.random.default_rng(rows)
    for _ in range(12):
        top, left = int(random.integers(rows)), int(random.integers(cols))
        block_map[top : top + 1 + rows // 20, left : left + 1 + cols // 30] = random.integers(len(BlockState))
        model.poll()
        for part in paints.taken():
            view.canvas.render(screen, part.topLeft(), QRegion(part))
            paints.taken()  # its own
    whole = QImage(view.canvas.size(), QImage.Format.Format_RGB32)
    view.canvas.refresh()
    view.canvas.render(whole)
    seen = view.canvas.visibleRegion().boundingRect()  # a pixel at the edge may lie under the frame
    assert screen.copy(seen) == whole.copy(seen)


def settled(paints):
    """Whether nothing was painted in several rounds of the event loop, deferred layouts included."""
    paints.taken()
    for _ in range(5):
        QTest.qWait(10)
    return not paints.taken()


def test_a_frame_paints_the_blocks_that_changed_and_one_without_changes_nothing(qtbot, view, model, theme):
    """What the window does in a frame is felt by a run that uses every core."""
    model.start(1, 40_000, 40_000)
    block_map = plan(model, BlockGrid(40_000, 40_000, 100, 100))
    model.findChild(QTimer).stop()
    qtbot.waitUntil(lambda: colour_at(view, 20_000, 20_000) == theme.state_color(BlockState.WAITING))
    everything = PaintRecorder(view, *view.findChildren(QWidget))
    # The axes take the room that their numbers need, and the map its shape from what is left.
    qtbot.waitUntil(lambda: settled(everything))
    model.poll()
    QCoreApplication.processEvents()
    assert everything.taken() == []
    block_map[100, 40:300] = DONE
    block_map[101, 40] = RUNNING
    model.poll()
    QCoreApplication.processEvents()
    canvas, letters = view.canvas, 100 * 260
    (painted,) = everything.taken()
    pixels = view.canvas.frame.box(QRectF(4000, 10_000, letters, 200))
    assert QRectF(painted).contains(pixels.intersected(QRectF(canvas.rect())))
    assert painted.width() <= pixels.width() + 6
    assert painted.height() <= pixels.height() + 6


def test_few_blocks_of_a_path_have_the_colour_of_done_ones(view, model, theme):
    model.start(1, 9000, 9000)
    colours = []
    for blocks, size in ((1, 9000), (2, 4500), (4, 2250), (100, 90)):
        plan(model, BlockGrid(9000, 9000, size, 9000 // blocks))[:] = BlockState.PATH
        model.poll()
        image = QImage(view.canvas.size(), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        BlockMapDrawing(model, model.grid, theme, view.canvas.frame, has_line=False).paint(painter)
        painter.end()
        at = view.canvas.frame.box(QRectF(2_000, 2_000, 10, 10)).center().toPoint()
        colours.append(image.pixelColor(at).name())
    done, path = (theme.state_color(state).name() for state in (DONE, BlockState.PATH))
    assert colours == [done, done, done, path]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_map_that_was_drawn_in_parts_has_the_front_of_one_drawn_at_once(view, model, theme, ratio):
    model.start(1, 9000, 9000)
    block_map = plan(model, BlockGrid(9000, 9000, 10, 10))
    frame = replace(view.canvas.frame, ratio=ratio)
    parts, random = BlockMapDrawing(model, model.grid, theme, frame, has_line=False), np.random.default_rng(3)
    for _ in range(400):
        top = int(random.integers(900))
        block_map[top : top + int(random.integers(1, 9)), : int(random.integers(900))] = random.choice(
            [DONE, BlockState.WAITING]
        )
        model.poll()
        if model.changed_box is not None:
            parts.update(model.changed_box)
    images = [QImage(view.canvas.size(), QImage.Format.Format_RGB32) for _ in range(2)]
    for drawn, image in zip(
        (parts, BlockMapDrawing(model, model.grid, theme, frame, has_line=False)), images, strict=True
    ):
        painter = QPainter(image)
        drawn.paint(painter)
        painter.end()
    room = frame.room.toAlignedRect()
    assert images[0].copy(room) == images[1].copy(room)


def test_a_map_that_is_not_seen_is_not_painted_and_whole_when_it_is(qtbot, view, model, theme):
    model.start(1, 1000, 500)
    block_map = plan(model, BlockGrid(1000, 500, 250, 250))
    QCoreApplication.processEvents()
    view.hide()
    paints = PaintRecorder(*view.canvas.findChildren(QWidget))
    block_map[3, 0] = DONE
    model.poll()
    QCoreApplication.processEvents()
    assert paints.taken() == []
    view.show()
    qtbot.waitExposed(view)
    assert colour_at(view, 950, 20) == theme.state_color(DONE)
