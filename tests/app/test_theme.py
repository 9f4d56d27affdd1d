"""Colours: readable, told apart without colour vision, changed live."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication

from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.skipped_work import EXPLAINED
from wavediff.app.ui.block_map.block_map_painter import _colour_table
from wavediff.app.ui.block_map.block_map_pixels import Axis, BlockMapPixels
from wavediff.app.ui.block_map.skip_style import STATE_SKIPS, paint_skip
from wavediff.app.ui.theme import STATE_COLOURS, Scheme, Theme, contrast, luminance
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState


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
def test_the_hatch_of_what_was_skipped_is_seen_and_each_reason_has_its_words(qtbot, scheme):
    theme = Theme(scheme)
    assert contrast(theme.hatch, theme.outside) > 1.5
    assert contrast(theme.state_color(BlockState.PATH), theme.outside) > 4.5
    assert set(EXPLAINED) == set(SkipReason)
    assert len({reason.text for reason in SkipReason}) == len(SkipReason)


def test_toggle_goes_to_the_other_one_and_back(qtbot):
    theme = Theme(Scheme.LIGHT)
    qtbot.expect(theme.changed, theme.toggle)
    assert theme.dark
    assert luminance(theme.window) < 0.1
    qtbot.expect(theme.changed, theme.toggle)
    assert not theme.dark


def test_the_system_is_followed_live(qtbot, monkeypatch):
    hints = QGuiApplication.styleHints()
    theme = Theme(Scheme.SYSTEM)
    present = [Qt.ColorScheme.Light]
    monkeypatch.setattr(Theme, "_wants_dark", lambda self: present[0] == Qt.ColorScheme.Dark)
    with qtbot.waitSignal(theme.changed):
        present[0] = Qt.ColorScheme.Dark
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.dark
    with qtbot.assertNotEmitted(theme.changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)


def test_the_whole_window_changes_live(qtbot, window):
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    before = app.palette()
    try:
        for _ in range(2):
            window.actions_by_id["toggle_theme"].trigger()
            app.setPalette(window.theme.palette())
            for pane in window.header.chips.values():
                middle = pane.grab().toImage().pixelColor(QPoint(pane.width() - 6, pane.height() // 2))
                assert middle == window.theme.base
            picture = window.view(ComputationView).grab().toImage()
            assert picture.pixelColor(2, 2) == window.theme.base
        assert not window.actions_by_id["follow_system"].isChecked()
    finally:
        app.setPalette(before)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_the_hatch_of_known_borders_falls_and_is_the_same_in_map_and_legend(qtbot, scheme):
    theme, drawn = Theme(scheme), {}
    axis = Axis.of((0, 32), 0.0, 32.0, 1, 1.0, 1)
    pixels = BlockMapPixels(axis, axis, _colour_table(theme, False), 1.0, has_borders=False)
    for state, reason in STATE_SKIPS.items():
        image = QImage(32, 32, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_skip(painter, QRectF(image.rect()), theme, reason)
        painter.end()
        drawn[state] = np.frombuffer(image.constBits(), np.uint32).reshape(32, 32).copy()
        found = pixels.part(np.array([[state]], np.uint8), (0, 32), (0, 32), moving=False)
        assert np.array_equal(found, drawn[state])
    outside, through = drawn[BlockState.OUTSIDE_BAND], drawn[BlockState.MONOTONE]
    assert not np.array_equal(outside, through)
    # A stripe is a pixel further left in the row below where it rises, and further right where it falls.
    assert np.array_equal(outside[1:, :-1], outside[:-1, 1:])
    assert np.array_equal(through[1:, 1:], through[:-1, :-1])
