"""The alignment view by mouse and wheel: selecting, pointing, scrolling, zooming, the strip."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.app import alignment_window
from tests.app.alignment_window import centre_of, wheel
from tests.app.alignments import from_cigar, sequence
from wavediff.app.compare.alignment_actions import CopyFormat
from wavediff.app.compare.alignment_layout import MAX_SCROLLBAR_VALUE
from wavediff.app.ui.pair import MatrixPosition

Key = Qt.Key
Mod = Qt.KeyboardModifier
view, shown = alignment_window.view, alignment_window.shown


def test_a_drag_selects_and_ctrl_c_copies_a_fasta_pair(shown, qtbot):
    view = shown()
    canvas = view.canvas
    left = centre_of(view, 29) - QPoint(3, 0)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseMove(canvas, centre_of(view, 33) + QPoint(3, 0))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 33) + QPoint(3, 0))
    assert canvas.selection == (29, 34)
    assert view.notice.text == "5 columns selected"
    qtbot.keyClick(canvas, Key.Key_C, Mod.ControlModifier)
    assert QGuiApplication.clipboard().text() == ">first:30-32\nCGT--\n>second:30-32\nC--GT\n"
    view.copy_as(CopyFormat.CIGAR)
    assert QGuiApplication.clipboard().text() == "1=2D2I"
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 3))
    assert canvas.selection == (0, 0)
    assert canvas.caret == 3
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, Mod.ShiftModifier, centre_of(view, 9) + QPoint(3, 0))
    assert canvas.selection == (3, 10)


def test_a_double_click_selects_the_difference_or_what_is_equal(shown, qtbot):
    view = shown()
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 33))
    assert view.canvas.selection == (32, 35)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 5))
    assert view.canvas.selection == (0, 30)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 40))
    assert view.canvas.selection == (35, 435)


def test_hovering_feeds_the_cursor_and_the_cursor_marks_a_column(shown, qtbot):
    view = shown()
    cursor = view.pointer
    qtbot.mouseMove(view.canvas, centre_of(view, 2))
    assert cursor.position == MatrixPosition(2, 2)
    assert view.where.text.startswith("Column 3 ")
    qtbot.mouseMove(view.canvas, centre_of(view, 31))
    assert cursor.position == MatrixPosition(31, None)
    view.canvas.hovered.emit(None)
    assert cursor.position == MatrixPosition(None, None)
    cursor.move(500, 7)
    assert view.canvas.marker == view.model.index.column_of_a(500)
    cursor.move(None, 31)
    assert view.canvas.marker == view.model.index.column_of_b(31)
    cursor.move(10**9, 10**9)
    assert view.canvas.marker is None


def test_a_key_that_moves_the_caret_ends_what_was_told_of_the_pointer(shown, qtbot):
    view = shown()
    qtbot.mouseMove(view.canvas, centre_of(view, 2))
    assert view.where.text.startswith("Column 3 ")
    qtbot.keyClick(view.canvas, Qt.Key.Key_End, Mod.ControlModifier)
    assert view.where.text.startswith(f"Column {view.canvas.caret + 1:,} ")
    assert view.pointer.position == MatrixPosition(None, None)
    qtbot.mouseMove(view.canvas, centre_of(view, view.canvas.caret - 1))
    assert view.where.text.startswith(f"Column {view.canvas.caret:,} ")


def test_the_wheel_with_ctrl_changes_the_size_under_the_pointer(shown):
    view = shown(size=(500, 300))
    canvas = view.canvas
    wheel(view, -5)
    under, size = canvas.column_under(QPointF(300, 150)), canvas.font_size
    wheel(view, 3, Mod.ControlModifier)
    assert canvas.font_size == size + 3
    after = canvas.column_under(QPointF(300, 150))
    if under is not None and after is not None and canvas.surface is not None:
        assert abs(after - under) <= canvas.surface.columns_per_line
    wheel(view, -100, Mod.ControlModifier)
    assert canvas.font_size == 9
    wheel(view, 200, Mod.ControlModifier)
    assert canvas.font_size == 40


@pytest.mark.parametrize("wrapped", [True, False])
def test_the_scroll_bar_goes_through_the_whole_alignment(shown, wrapped):
    view = shown(size=(500, 300))
    view.canvas.set_wrapped(wrapped)
    bar, surface = view.pane.bar(), view.canvas.surface
    assert bar.isVisible()
    bar.setValue(bar.maximum())
    assert surface.columns_at(view.canvas.position)[1] == surface.n_columns
    assert view.strip.levels.letters.end == surface.n_columns
    bar.setValue(0)
    assert view.canvas.position == 0


@pytest.mark.parametrize("wrapped", [True, False])
def test_there_is_a_scroll_bar_only_where_there_is_something_to_scroll(shown, wrapped):
    view = shown((4, "="), (1, "X"), (2, "I"))
    view.canvas.set_wrapped(wrapped)
    assert not view.pane.vertical.isVisible()
    assert not view.pane.horizontal.isVisible()
    QApplication.processEvents()
    size = view.canvas.size()
    seen = view.pane.grab().toImage()
    assert seen.pixelColor(seen.width() - 2, seen.height() // 2) == view.palette().base().color(), "its room is gray"
    shown((40_000, "="))
    QApplication.processEvents()
    assert view.pane.bar().isVisible()
    assert view.canvas.size() == size, "its room is kept: else letters would be wrapped at other places"


def test_the_window_in_the_strip_can_be_clicked_dragged_and_moved_by_keys(shown, qtbot):
    view = shown((20_000, "="), (1, "X"), (20_000, "="), size=(700, 300))
    strip, canvas, surface = view.strip, view.canvas, view.canvas.surface
    middle = strip.area(0).center().toPoint()
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=middle)
    first, last = surface.columns_at(canvas.position)
    assert first < 20_100
    assert last > 19_900
    handle = strip.handle().center().toPoint()
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=handle)
    qtbot.mouseMove(strip, QPoint(strip.width() - 2, 10))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 2, 10))
    assert surface.columns_at(canvas.position)[1] == surface.n_columns
    assert not strip.handle().isEmpty()


def test_wrapping_and_resizing_keep_the_place(shown):
    view = shown()
    view.navigation.go_to("800")
    for wrapped in (False, True):
        view.canvas.set_wrapped(wrapped)
        assert view.canvas.is_visible(799)
    canvas = view.canvas
    canvas.scroll_to(canvas.surface.position_of_top(900))
    top = canvas.anchor
    for width in (640, 500, 650, 700):
        view.resize(width, 420)
        QApplication.processEvents()
        assert canvas.anchor == top
        first, last = canvas.surface.columns_at(canvas.position)
        assert first <= top < last


def test_a_thousand_million_columns_scroll_to_both_ends(view, qtbot):
    """10^9 columns are over the 2^31 pixels that a scroll bar counts."""
    n = 500_000_000
    view.resize(600, 400)
    letters = np.broadcast_to(np.uint8(65), n)  # no memory behind it
    a = sequence("A")
    object.__setattr__(a, "letters", letters)
    view.show_result(a, a, from_cigar((n - 1, "D"), (1, "="), (n - 1, "I")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    canvas = view.canvas
    canvas.set_font_size(40)
    for wrapped in (True, False):
        view.canvas.set_wrapped(wrapped)
        assert canvas.surface.last_position > 2**31
        assert view.pane.bar().maximum() == MAX_SCROLLBAR_VALUE
        canvas.setFocus()
        qtbot.keyClick(canvas, Key.Key_End)
        assert canvas.caret == 2 * n - 2
        assert view.pane.bar().value() == MAX_SCROLLBAR_VALUE
        canvas.grab()
        view.navigation.go_to("B:2")
        assert canvas.caret == n
        assert canvas.is_visible(n)
        canvas.grab()
        wheel(view, 1)
        wheel(view, -1)
        assert canvas.is_visible(n)
