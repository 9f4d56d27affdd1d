"""Pixels of a board: what changed in it, its reduced picture, colours that tell more than the state."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from tests.app.maps import colour_at, show_map
from wavediff.app.draw.plot import colour_table
from wavediff.app.ui.block_map.block_colours import BlockColours, ColourBy, level_colours
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.block_map_reduce import EDGE_BIT, blocks_a_cell, computed_edge, downsample
from wavediff.app.ui.block_map.block_map_watch import FULL_SCAN_FRAMES, BlockMapWatch
from wavediff.app.ui.block_map.map_legend import scale_colours
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord, thread_lanes
from wavediff.core.record.playback import Playback

DONE, RUNNING, PATH, OUTSIDE_BAND = BlockState.DONE, BlockState.RUNNING, BlockState.PATH, BlockState.OUTSIDE_BAND


def test_of_several_blocks_the_state_that_matters_most_has_the_largest_value():
    skipped, computed = (0, OUTSIDE_BAND, BlockState.MONOTONE), (DONE, RUNNING, PATH)
    assert max(skipped) < min(computed)
    assert DONE < RUNNING < PATH < BlockState.FAILED == max(BlockState) < EDGE_BIT
    assert BlockState.WAITING == 0  # a board begins as zeros


@given(
    st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False)
)
def test_a_reduced_picture_shows_the_state_that_matters_most(rows, cols, height, width, random):
    """One path block among a thousand stays visible."""
    block_map = (
        np.random.default_rng(random.randrange(1 << 30)).integers(0, len(BlockState), (rows, cols)).astype(np.uint8)
    )
    by_rows, by_cols = blocks_a_cell(rows, height), blocks_a_cell(cols, width)
    shown = downsample(block_map, by_rows, by_cols)
    for row in range(shown.shape[0]):
        for col in range(shown.shape[1]):
            part = block_map[row * by_rows : (row + 1) * by_rows, col * by_cols : (col + 1) * by_cols]
            assert shown[row, col] == part.max()
    assert shown.shape == (-(-rows // by_rows), -(-cols // by_cols))
    assert shown.shape[0] <= height
    assert shown.shape[1] <= width


def test_the_picture_of_a_large_board_keeps_one_block_of_the_path():
    block_map = np.full((4096, 4096), DONE, np.uint8)
    block_map[1234, 3210] = PATH
    shown = downsample(block_map, blocks_a_cell(4096, 500), blocks_a_cell(4096, 330))
    assert (shown == PATH).sum() == 1


def test_the_front_is_where_done_meets_what_comes_not_the_edge_of_the_band():
    block_map = np.zeros((4, 6), np.uint8)
    block_map[0, 1:5] = DONE
    block_map[1, 1:3] = DONE
    block_map[1, 3] = RUNNING
    block_map[2:, 4:] = OUTSIDE_BAND
    block_map[0, 5] = OUTSIDE_BAND
    right, below = computed_edge(block_map)
    assert np.argwhere(right).tolist() == [[1, 2]]
    assert np.argwhere(below).tolist() == [[0, 3], [0, 4], [1, 1], [1, 2]]
    assert set(np.unique(right)) | set(np.unique(below)) == {0, EDGE_BIT}


def test_a_large_board_is_looked_at_in_turns_and_wholly_at_the_end():
    live = np.zeros((3000, 40), np.uint8)
    watch = BlockMapWatch(live)
    assert watch.look() is None
    live[0, :3] = DONE
    live[1, 0] = RUNNING
    assert watch.look() == (0, 2, 0, 3)
    live[5, 7] = DONE  # near the last change: seen at once
    assert watch.look() == (5, 6, 7, 8)
    live[2900, 39] = PATH  # far away: seen when its turn comes
    looks = [watch.look() for _ in range(FULL_SCAN_FRAMES)]
    assert [box for box in looks if box] == [(2900, 2901, 39, 40)]
    assert watch.has(PATH)
    assert not watch.has(OUTSIDE_BAND)
    live[1500, 0] = OUTSIDE_BAND
    watch.finish()
    live[:] = RUNNING  # the kernel's last strokes no longer matter
    assert watch.look() is None
    assert watch.block_map[1500, 0] == OUTSIDE_BAND
    assert watch.has(OUTSIDE_BAND)
    assert (watch.block_map[3:5] == 0).all()


def test_a_state_is_found_wherever_it_is_on_a_large_board():
    for row in (0, 700, 1499):
        live = np.zeros((1500, 1000), np.uint8)
        watch = BlockMapWatch(live)
        assert not watch.has(PATH)
        live[row, 999] = PATH
        watch.finish()
        assert watch.has(PATH)
        assert not watch.has(OUTSIDE_BAND)


@given(st.integers(1, 9), st.integers(1, 40), st.randoms(use_true_random=False))
def test_every_change_is_found_whatever_the_shape(rows, cols, random):
    """Rows are compared in words of eight blocks, which neither begin nor end with a row."""
    live = np.zeros((rows, cols), np.uint8)
    watch = BlockMapWatch(live)
    for _ in range(6):
        row, col, state = random.randrange(rows), random.randrange(cols), random.randrange(len(BlockState))
        new = live[row, col] != state
        live[row, col] = state
        box = watch.look()
        assert (box is not None) == new
        if box is not None:
            assert box[0] <= row < box[1] <= rows
            assert box[2:] == (col, col + 1)
        assert (watch.block_map == live).all()


def record():
    """Four blocks of two lanes; the last one was never begun."""
    began = np.array([[1, 11], [11, 0]], np.uint32)
    ended = np.array([[11, 31], [1011, 0]], np.uint32)
    return RunRecord(began, ended, np.array([[0, 0], [1, 0]], np.uint8), thread_lanes(2), seconds_per_tick=1e-3)


def test_a_longer_block_has_a_higher_level_and_the_scale_says_which():
    found = BlockColours.of(Playback(record()), ColourBy.DURATION)
    assert found.levels.tolist()[0][0] == 1
    assert 1 < found.levels[0, 1] < found.levels[1, 0] == 255
    assert found.levels[1, 1] == 0
    assert (found.low, found.high) == pytest.approx((0.01, 1.0))


def test_lanes_and_turns_have_levels():
    assert BlockColours.of(Playback(record()), ColourBy.LANE).levels.tolist() == [[1, 1], [2, 0]]
    turns = BlockColours.of(Playback(record()), ColourBy.ORDER).levels
    assert 0 == turns[1, 1] < turns[0, 0] < turns[0, 1] < turns[1, 0] == 255


@pytest.mark.parametrize("by", list(ColourBy)[1:])
def test_blocks_that_all_took_as_long_can_be_coloured(by):
    one = RunRecord(
        np.ones((1, 3), np.uint32), np.full((1, 3), 5, np.uint32), np.zeros((1, 3), np.uint8), ("a",), 0.0, 1e-3
    )
    assert (BlockColours.of(Playback(one), by).levels > 0).all()


def oklab(colours):
    """Lightness, a and b of sRGB colours from 0 to 1 (Ottosson, 2020)."""
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
             [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
    lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
           [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ np.array(cones).T) @ np.array(lab).T


@pytest.mark.parametrize("dark", [False, True])
def test_steps_of_a_ramp_look_equally_large_and_go_one_way_in_lightness(dark):
    colours = level_colours(ColourBy.DURATION, dark=dark)[1:]
    assert oklab(np.ones((1, 3)))[0] == pytest.approx([1, 0, 0], abs=1e-6)  # by the paper
    lab = oklab(np.stack([colours >> shift & 255 for shift in (16, 8, 0)], 1) / 255)
    steps = np.linalg.norm(lab[16:] - lab[:-16], axis=1)  # one step alone is a matter of rounding
    assert steps.min() > 0.7 * steps.max()
    lightness = np.diff(lab[::8, 0])
    assert (lightness > 0).all() if dark else (lightness < 0).all()


def test_a_table_of_colours_has_its_stops_where_they_belong():
    found = colour_table([QColor(stop) for stop in ("#102030", "#ffffff", "#a0b0c0")], 101, (0.0, 0.25, 1.0))
    assert [f"{found[at]:x}" for at in (0, 25, 100)] == ["ff102030", "ffffffff", "ffa0b0c0"]


@pytest.fixture
def model(qtbot):
    return BlockMapModel()


@pytest.fixture
def view(qtbot, model, theme):
    return show_map(qtbot, model, theme)


def test_what_is_computed_has_the_colour_of_its_level_and_all_else_that_of_its_state(view, model):
    theme = Theme(Scheme.LIGHT)
    model.start(1, 200, 200)
    states = np.full((2, 2), BlockState.DONE, np.uint8)
    states[1, 1] = BlockState.WAITING
    model.apply(Planned(1, BlockGrid(200, 200, 100, 100), states, "full", "because", 40_000, record=record()))
    model.end(Phase.STOPPED)
    assert colour_at(view, 50, 50) == theme.done
    model.colour_by(ColourBy.DURATION)
    wanted = level_colours(ColourBy.DURATION, dark=False)
    levels = BlockColours.of(Playback(record()), ColourBy.DURATION).levels
    for row, col in ((0, 0), (0, 1), (1, 0)):
        assert colour_at(view, 50 + 100 * row, 50 + 100 * col) == QColor.fromRgb(int(wanted[levels[row, col]]))
    assert colour_at(view, 150, 150) == theme.waiting
    assert "10 ms to 1.0 s a block" in view.legend.accessibleName()
    model.show_moment(0.02)
    assert colour_at(view, 150, 50) == theme.state_color(BlockState.RUNNING)
    assert colour_at(view, 50, 50) == QColor.fromRgb(int(wanted[1]))
    model.colour_by(ColourBy.LANE)
    assert scale_colours(model, theme).tolist() == level_colours(ColourBy.LANE, dark=False)[1:3].tolist()
    assert "thread 1 to thread 2" in view.legend.accessibleName()
    model.colour_by(ColourBy.STATE)
    assert colour_at(view, 50, 50) == theme.done


def test_the_ring_of_the_focus_is_around_an_empty_map(qtbot, theme):
    canvas = BlockMapCanvas(BlockMapModel(), theme, letters=lambda: (None, None))
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show()
    canvas.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    room, image = canvas.frame.room.toRect(), canvas.grab().toImage()
    ring = {image.pixelColor(room.left() + 1, y).name() for y in range(room.top() + 5, room.bottom() - 5)}
    assert ring == {QColor(theme.accent).name()}
    assert image.pixelColor(room.right() - 1, room.center().y()) == theme.accent
