"""Colours of blocks that tell more than their state: levels, ramps in equal steps, and what is painted of them."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.app.maps import colour_at, show_map
from wavediff.app.ui.block_map.block_colours import BlockColours, ColourBy, level_colours
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.colour_ramp import oklab, ramp, srgb
from wavediff.app.ui.block_map.map_legend import scale_colours
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord, thread_lanes


def record():
    """Four blocks of two lanes; the last one was never begun."""
    began = np.array([[1, 11], [11, 0]], np.uint32)
    ended = np.array([[11, 31], [1011, 0]], np.uint32)
    return RunRecord(began, ended, np.array([[0, 0], [1, 0]], np.uint8), thread_lanes(2), seconds_per_tick=1e-3)


def test_a_longer_block_has_a_higher_level_and_the_scale_says_which():
    found = BlockColours.of(record(), ColourBy.DURATION)
    assert found.levels.tolist()[0][0] == 1
    assert 1 < found.levels[0, 1] < found.levels[1, 0] == 255
    assert found.levels[1, 1] == 0
    assert (found.low, found.high) == pytest.approx((0.01, 1.0))


def test_lanes_and_turns_have_levels():
    assert BlockColours.of(record(), ColourBy.LANE).levels.tolist() == [[1, 1], [2, 0]]
    turns = BlockColours.of(record(), ColourBy.ORDER).levels
    assert 0 == turns[1, 1] < turns[0, 0] < turns[0, 1] < turns[1, 0] == 255


@pytest.mark.parametrize("by", list(ColourBy)[1:])
def test_blocks_that_all_took_as_long_can_be_coloured(by):
    one = RunRecord(
        np.ones((1, 3), np.uint32), np.full((1, 3), 5, np.uint32), np.zeros((1, 3), np.uint8), ("a",), 0.0, 1e-3
    )
    assert (BlockColours.of(one, by).levels > 0).all()


@pytest.mark.parametrize("dark", [False, True])
def test_steps_of_a_ramp_look_equally_large_and_go_one_way_in_lightness(dark):
    colours = level_colours(ColourBy.DURATION, dark=dark)[1:]
    lab = oklab(np.stack([colours >> shift & 255 for shift in (16, 8, 0)], 1) / 255)
    steps = np.linalg.norm(lab[16:] - lab[:-16], axis=1)  # one step alone is a matter of rounding
    assert steps.min() > 0.7 * steps.max()
    lightness = np.diff(lab[::8, 0])
    assert (lightness > 0).all() if dark else (lightness < 0).all()


def test_colours_survive_oklab_and_a_ramp_ends_where_it_should():
    some = np.random.default_rng(1).random((100, 3))
    assert np.allclose(srgb(oklab(some)), some, atol=1e-6)
    white = oklab(np.ones((1, 3)))[0]
    assert white == pytest.approx([1, 0, 0], abs=1e-6)  # by the paper
    found = ramp(("#102030", "#ffffff", "#a0b0c0"), 101)
    assert [f"{found[0]:x}", f"{found[-1]:x}"] == ["ff102030", "ffa0b0c0"]


@pytest.fixture
def model(qtbot):
    return BlockMapModel()


@pytest.fixture
def view(qtbot, model):
    return show_map(qtbot, model)


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
    levels = BlockColours.of(record(), ColourBy.DURATION).levels
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
