"""Colours: readable, told apart without colour vision, changed live."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from wavediff.app.ui.block_map.block_colours import STATE_SKIPS, paint_skip
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_drawing import BlockMapDrawing
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.theme import STATE_COLOURS, Scheme, Theme, contrast
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_text_is_readable_on_every_ground(qtbot, scheme):
    theme = Theme(scheme)
    for ground in (theme.window, theme.base, theme.raised, theme.warning, theme.error):
        assert contrast(theme.text, ground) >= 7
    for ground in (theme.window, theme.base, theme.raised):
        assert contrast(theme.dim, ground) >= 4.5
        assert contrast(theme.accent, ground) >= 4.5
    for fill in (theme.equal, theme.mismatch, theme.insertion, theme.deletion, theme.accent):
        assert contrast(theme.ink_on(fill), fill) >= 4.5
    for letter in "ACGTUNacgt*":
        assert contrast(theme.ink_on(theme.base_color(letter)), theme.base_color(letter)) >= 4.5


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_states_of_a_block_differ_in_brightness(qtbot, scheme):
    """Waiting and outside are told apart by the hatch, failed by its cross."""
    theme = Theme(scheme)
    assert set(STATE_COLOURS) == set(BlockState)
    states = (BlockState.WAITING, BlockState.RUNNING, BlockState.DONE, BlockState.PATH)
    for one, other in combinations(states, 2):
        assert contrast(theme.state_color(one), theme.state_color(other)) > 1.25, (one, other)
    for state in states[1:]:
        assert contrast(theme.state_color(state), theme.state_color(BlockState.OUTSIDE_BAND)) > 1.6


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize("blocks", [1, 40])
def test_the_hatch_of_known_borders_falls_and_is_the_same_in_map_and_legend(qtbot, scheme, blocks):
    theme, drawn = Theme(scheme), {}
    for state, reason in STATE_SKIPS.items():
        legend, shown = (QImage(240, 240, QImage.Format.Format_RGB32) for _ in range(2))
        painter = QPainter(legend)
        paint_skip(painter, QRectF(legend.rect()), theme, reason)
        painter.end()
        model, grid = BlockMapModel(), BlockGrid(40, 40, 40 // blocks, 40 // blocks)
        model.start(1, 40, 40)
        model.apply(Planned(1, grid, np.full(grid.shape, state, np.uint8), "band", "", 1600))
        painter = QPainter(shown)
        frame = BlockMapFrame(40, 40, QRectF(shown.rect()), 6.0)
        BlockMapDrawing(model, grid, theme, frame, has_line=False).paint(painter)
        painter.end()
        both = [np.frombuffer(one.constBits(), np.uint32).reshape(240, 240) for one in (legend, shown)]
        inside = np.arange(240) % (240 // blocks) > 0  # beside the borders of blocks
        assert np.array_equal(*(each[inside][:, inside] for each in both))
        drawn[state] = both[0].copy()
    outside, through = drawn[BlockState.OUTSIDE_BAND], drawn[BlockState.MONOTONE]
    assert not np.array_equal(outside, through)
    # A stripe is a pixel further left in the row below where it rises, and further right where it falls.
    assert np.array_equal(outside[1:, :-1], outside[:-1, 1:])
    assert np.array_equal(through[1:, 1:], through[:-1, :-1])
