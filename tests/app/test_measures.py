"""Measures that the window's order promises: contrast, where letters begin, how many are seen, nothing moves."""

from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollBar, QWidget

from tests.app.alignments import random_pair
from tests.depth import deeper, some
from wavediff.app.ui.labels import TwoLabels
from wavediff.app.ui.theme import Scheme, Theme, contrast
from wavediff.core.jobs.difference_index import OP_OF_KIND

TEXT, EDGE = 4.5, 3.0  # contrast of WCAG AA: of text, and of what has to be seen to be used
ROWS_OF_LETTERS = 12  # in a window of 800 x 500
SIZES = ((1280, 800), (800, 500), (2560, 1440))


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_every_text_and_every_edge_is_seen_on_its_ground(qtbot, scheme):
    theme = Theme(scheme)
    grounds = ("window", "base", "raised", "tint")
    texts = [*product(("text", "dim"), grounds), ("equal_ink", "base"), ("mark", "base"), ("on_accent", "accent")]
    texts += [("accent", "base"), ("warn", "warn_fill"), ("warn", "base"), ("error_ink", "error"), ("text", "warning")]
    edges = [("control", "base"), ("control", "window"), ("accent", "base"), ("accent", "window"), ("running", "base")]
    weak = [
        f"{ink} on {ground}: {found:.2f}"
        for pairs, least in ((texts, TEXT), (edges, EDGE))
        for ink, ground in pairs
        if (found := contrast(getattr(theme, ink), getattr(theme, ground))) < least
    ]
    for name, kind in ((name, theme.kind(op)) for name, op in OP_OF_KIND.items()):
        for what, ink, ground, least in (("ink", kind.ink, kind.pale, TEXT), ("strong", kind.strong, theme.base, EDGE)):
            if contrast(ink, ground) < least:
                weak.append(f"{what} of {name!s}: {contrast(ink, ground):.2f}")
    assert not weak, weak


@pytest.fixture
def filled(qtbot, window):
    """A window with an alignment of some 16,000 letters."""
    a, b, alignment = random_pair(2_400)
    window.arrangement.set_starting(False)
    window.alignment.show_result(a, b, alignment, fold_case=False)
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    return window


def sized(qtbot, window, width, height):
    window.resize(width, height)
    seen = []

    def settled():
        """Panels and the status bar follow in the next turns of the loop."""
        seen.append(where_all_are(window))
        return len(seen) > 3 and seen[-1] == seen[-2] == seen[-3]

    qtbot.waitUntil(settled)
    assert window.size() == QSize(width, height)


def test_the_first_letter_stands_high(qtbot, filled, subtests):
    """In a large window the lanes of the strip are twice as high."""
    for width, height, most in ((1280, 800, 170), (800, 500, 170), (2560, 1440, 194)):
        with subtests.test(width=width):
            sized(qtbot, filled, width, height)
            canvas = filled.alignment.canvas
            surface = canvas.surface
            top = canvas.mapTo(filled, QPoint(0, 0)).y() + (surface.line_top(0, 0) + surface.cells.a_top)
            assert top <= most, f"the first letter begins {top} px below the top"


def test_a_small_window_shows_twelve_rows_of_letters(qtbot, filled):
    sized(qtbot, filled, 800, 500)
    canvas = filled.alignment.canvas
    surface = canvas.surface
    room = QRect(QPoint(0, 0), canvas.size()).intersected(canvas.visibleRegion().boundingRect()).height()
    tops = [surface.line_top(line, 0) for line in range(40)]
    cells = surface.cells
    ends = [top + end for top in tops for end in (cells.match_top, cells.b_ruler_top)]
    assert sum(end <= room for end in ends) >= ROWS_OF_LETTERS, f"in {room} px"


@deeper
def test_nothing_moves_while_differences_are_stepped_through(qtbot, filled, subtests):
    for width, height in SIZES:
        with subtests.test(width=width):
            sized(qtbot, filled, width, height)
            places = where_all_are(filled)
            assert len(places) > 30
            rng = np.random.default_rng(1)
            for number in some(100):
                if number % 10 == 9:  # also to places whose numbers have more figures
                    filled.alignment.navigation.go_to(f"#{int(rng.integers(1, 1000))}")
                else:
                    filled.alignment.navigation.go_next()
                QApplication.processEvents()
                moved = {each: (before, after) for each, before in places.items() if (after := _place(each)) != before}
                assert not moved, f"at step {number + 1}: {moved}"


def where_all_are(window):
    """Where each widget that is seen is; what scrolls moves, and two labels share their line by their texts."""
    seen = [each for each in window.findChildren(QWidget) if each.isVisible() and each.window() is window]
    seen = [each for each in seen if not isinstance(each.parentWidget(), TwoLabels)]
    return {each: _place(each) for each in seen if not isinstance(each, QScrollBar) and not _scrolls(each)}


def _place(widget):
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def _scrolls(widget):
    parent = widget.parentWidget()
    while parent is not None:
        above = parent.parentWidget()
        if isinstance(above, QAbstractScrollArea) and above.viewport() is parent:
            return True
        parent = above
    return False


def test_tab_reaches_everything_and_leaves_it(qtbot, filled, subtests):
    for width, height in SIZES:
        with subtests.test(width=width):
            sized(qtbot, filled, width, height)
            filled.activateWindow()
            filled.alignment.canvas.setFocus()
            reached = []
            for _ in range(200):
                at = QApplication.focusWidget()
                assert at is not None
                if reached and at is reached[0]:
                    break
                reached.append(at)
                qtbot.keyClick(at, Qt.Key.Key_Tab)
            else:
                raise AssertionError(f"Tab never comes round: {reached[-4:]}")
            left_out = [each for each in filled.findChildren(QWidget) if _takes_tab(each) and each not in reached]
            assert not left_out, left_out


def _takes_tab(widget):
    """Whether a widget that is seen says that Tab comes to it; of segments one does."""
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    alone = not getattr(widget, "autoExclusive", lambda: False)()
    return takes and alone and widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()
