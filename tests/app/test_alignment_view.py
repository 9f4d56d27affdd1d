"""The alignment view as a person uses it: keys, mouse, wheel, clipboard, the shared cursor."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.models.alignment_copy import CopyFormat
from app.models.alignment_layout import BAR_MOST
from app.models.cursor import Cursor, Position
from app.theme import Scheme, Theme
from app.views.alignment import AlignmentView
from app.views.alignment_looks import Colouring
from core.results.alignment import Alignment
from core.results.alignment_index import Kinds
from core.sequence import Alphabet
from tests.app.alignments import from_cigar, random_pair, sequence

# The offscreen platform says this of every window with a layout.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

Key = Qt.Key
Mod = Qt.KeyboardModifier
Shown = Callable[..., AlignmentView]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    """Return a function that shows an alignment: five differences of three kinds unless told otherwise."""

    def show(*runs: tuple[int, str], size: tuple[int, int] = (700, 420)) -> AlignmentView:
        runs = runs or (
            (30, "="),
            (2, "D"),
            (3, "I"),
            (400, "="),
            (1, "X"),
            (500, "="),
            (4, "I"),
            (600, "="),
            (1, "D"),
            (5, "="),
            (1, "X"),
        )
        alignment = from_cigar(*runs)
        a = sequence("ACGT" * (alignment.n_a // 4 + 1), "first")
        b = sequence("ACGT" * (alignment.n_b // 4 + 1), "second")
        a = sequence(a.letters[: alignment.n_a].tobytes(), "first")
        b = sequence(b.letters[: alignment.n_b].tobytes(), "second")
        view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
        view.resize(*size)
        qtbot.addWidget(view)
        view.show()
        qtbot.waitExposed(view)
        view.show_result(a, b, alignment, fold_case=False)
        qtbot.waitUntil(lambda: view.model is not None)
        view.canvas.setFocus()
        return view

    return show


def place(view: AlignmentView) -> str:
    return view.bar._place.text()


def centre_of(view: AlignmentView, col: int) -> QPoint:
    surface = view.canvas.surface
    assert surface is not None
    x, y = surface.place(col, view.canvas.position)
    ratio = view.canvas.devicePixelRatioF()
    cells = surface.cells
    return QPointF((view.canvas._gutter + x + cells.width / 2) / ratio, (y + cells.block / 2) / ratio).toPoint()


def wheel(view: AlignmentView, notches: int, modifiers: Mod = Mod.NoModifier) -> None:
    at = QPointF(300, 150)
    event = QWheelEvent(
        at, view.canvas.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.canvas, event)


def test_without_an_alignment_it_says_why(qtbot: QtBot) -> None:
    view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
    qtbot.addWidget(view)
    view.show()
    view.clear("Drop two files")
    assert view.message == "Drop two files"
    assert view.model is None
    for key in (Key.Key_N, Key.Key_F8, Key.Key_Home, Key.Key_Down):
        qtbot.keyClick(view.canvas, key)
    view.copy()
    view.go_to("5")
    view.show_result(
        sequence(""), sequence(""), Alignment(np.empty(0, np.uint8), np.empty(0, np.int64)), fold_case=False
    )
    qtbot.waitUntil(lambda: "empty" in view.message)


def test_clearing_while_preparing_leaves_no_late_result(qtbot: QtBot) -> None:
    """C3: late results of an old job are ignored."""
    a, b, alignment = random_pair(2_000_000, longest=1)
    view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
    qtbot.addWidget(view)
    view.show()
    view.show_result(a, b, alignment, fold_case=False)
    assert "Preparing" in view.message
    view.clear("stopped")
    qtbot.wait(100)
    assert view.message == "stopped"
    assert view.model is None


def test_steps_go_from_difference_to_difference_and_stop_at_the_ends(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    assert place(view) == "5 differences"
    keys = [(Key.Key_N, Mod.NoModifier), (Key.Key_F8, Mod.NoModifier), (Key.Key_Down, Mod.AltModifier)]
    for number, (key, modifier) in enumerate([*keys, keys[0], keys[1]], 1):
        qtbot.keyClick(view.canvas, key, modifier)
        assert place(view) == f"difference {number} of 5"
        assert view.canvas.is_visible(view.canvas.caret)
    assert view.notice.text == ""
    qtbot.keyClick(view.canvas, Key.Key_N)
    assert place(view) == "difference 5 of 5"
    assert view.notice.text == "This is the last difference"
    back = [(Key.Key_N, Mod.ShiftModifier), (Key.Key_F7, Mod.NoModifier), (Key.Key_Up, Mod.AltModifier)]
    for number, (key, modifier) in zip((4, 3, 2), back, strict=True):
        qtbot.keyClick(view.canvas, key, modifier)
        assert place(view) == f"difference {number} of 5"
    qtbot.keyClick(view.canvas, Key.Key_Home, Mod.AltModifier)
    assert place(view) == "difference 1 of 5"
    assert view.canvas.caret == 30
    qtbot.keyClick(view.canvas, Key.Key_F7)
    assert view.notice.text == "This is the first difference"
    qtbot.keyClick(view.canvas, Key.Key_End, Mod.AltModifier)
    assert place(view) == "difference 5 of 5"


def test_kinds_switched_off_are_not_stepped_on_and_one_stays_on(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    buttons = {kind: view.bar._kinds[kind] for kind in (Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION)}
    assert [button.text() for button in buttons.values()] == ["2", "2", "2"]
    for kind in (Kinds.MISMATCH, Kinds.DELETION):
        qtbot.mouseClick(buttons[kind], Qt.MouseButton.LeftButton)
    assert place(view) == "2 differences"
    view.next_difference()
    assert (place(view), view.canvas.caret) == ("difference 1 of 2", 32)
    qtbot.mouseClick(buttons[Kinds.INSERTION], Qt.MouseButton.LeftButton)
    assert view.bar.kinds == Kinds.INSERTION


def test_identical_sequences_have_no_difference_and_no_kinds(shown: Shown, qtbot: QtBot) -> None:
    view = shown((100, "="))
    qtbot.keyClick(view.canvas, Key.Key_N)
    assert (place(view), view.notice.text) == ("no difference", "There is no difference")
    assert not any(button.isVisible() for button in view.bar._kinds.values())


@pytest.mark.parametrize("wrapped", [True, False])
def test_keys_move_the_caret_and_keep_it_in_sight(shown: Shown, qtbot: QtBot, wrapped: bool) -> None:
    view = shown()
    view.set_wrapped(wrapped)
    canvas = view.canvas
    surface = canvas.surface
    assert surface is not None
    last = surface.n_columns - 1
    line = surface.columns_per_line if wrapped else 1
    for key, modifier, expected in (
        (Key.Key_Right, Mod.NoModifier, 1), (Key.Key_Right, Mod.ControlModifier, 11),
        (Key.Key_Left, Mod.NoModifier, 10), (Key.Key_Down, Mod.NoModifier, 10 + line),
        (Key.Key_Up, Mod.NoModifier, 10), (Key.Key_Up, Mod.NoModifier, 10 if wrapped else 9),
        (Key.Key_End, Mod.NoModifier, last), (Key.Key_Right, Mod.NoModifier, last),
        (Key.Key_PageDown, Mod.NoModifier, last), (Key.Key_Home, Mod.NoModifier, 0),
        (Key.Key_PageUp, Mod.NoModifier, 0),
    ):  # fmt: skip
        qtbot.keyClick(canvas, key, modifier)
        assert canvas.caret == expected
        assert canvas.is_visible(expected)
    qtbot.keyClick(canvas, Key.Key_PageDown)
    assert canvas.caret >= surface.columns_per_line if wrapped else canvas.caret >= 20
    assert view.where.text.startswith(f"Column {canvas.caret + 1:,} ")


def test_go_to_goes_there_and_says_what_it_does_not_understand(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    qtbot.keyClick(view.canvas, Key.Key_L, Mod.ControlModifier)
    field = view.bar._field
    assert field.hasFocus()
    qtbot.keyClicks(field, "A:1000")
    qtbot.keyClick(field, Key.Key_Return)
    assert view.model is not None
    assert view.canvas.caret == view.model.index.column_of_a(999)
    assert view.canvas.is_visible(view.canvas.caret)
    assert view.canvas.hasFocus()
    view.go_to("A:100000")
    assert "letter of A 100,000" in view.notice.text
    view.go_to("#2")
    assert place(view) == "difference 2 of 5"


def test_a_drag_selects_and_ctrl_c_copies_a_fasta_pair(shown: Shown, qtbot: QtBot) -> None:
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


def test_copying_nothing_says_how_to_select(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    qtbot.keyClick(view.canvas, Key.Key_C, Mod.ControlModifier)
    assert "Nothing is selected" in view.notice.text
    qtbot.keyClick(view.canvas, Key.Key_A, Mod.ControlModifier)
    assert view.canvas.selection == (0, view.canvas.surface.n_columns)  # type: ignore[union-attr]
    qtbot.keyClick(view.canvas, Key.Key_Escape)
    assert view.canvas.selection == (0, 0)
    for _ in range(3):
        qtbot.keyClick(view.canvas, Key.Key_Right, Mod.ShiftModifier)
    assert view.canvas.selection == (0, 4)


def test_a_double_click_selects_the_difference_or_what_is_equal(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 33))
    assert view.canvas.selection == (30, 35)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 5))
    assert view.canvas.selection == (0, 30)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=centre_of(view, 40))
    assert view.canvas.selection == (35, 435)


def test_hovering_feeds_the_cursor_and_the_cursor_marks_a_column(shown: Shown, qtbot: QtBot) -> None:
    view = shown()
    cursor = view._cursor
    qtbot.mouseMove(view.canvas, centre_of(view, 2))
    assert cursor.position == Position(2, 2)
    assert view.where.text.startswith("Column 3 ")
    qtbot.mouseMove(view.canvas, centre_of(view, 31))
    assert cursor.position == Position(31, None)
    view.canvas.hovered.emit(None)
    assert cursor.position == Position(None, None)
    cursor.move(500, 7)
    assert view.model is not None
    assert view.canvas._marker == view.model.index.column_of_a(500)
    cursor.move(None, 31)
    assert view.canvas._marker == view.model.index.column_of_b(31)
    cursor.move(10**9, 10**9)
    assert view.canvas._marker is None


def test_the_wheel_scrolls_and_with_ctrl_changes_the_size_under_the_pointer(shown: Shown) -> None:
    view = shown(size=(500, 300))
    canvas = view.canvas
    wheel(view, -2)
    assert canvas.position > 0
    wheel(view, 50)
    assert canvas.position == 0
    wheel(view, -5)
    under, size = canvas.column_under(QPointF(300, 150)), canvas.font_size
    wheel(view, 3, Mod.ControlModifier)
    assert canvas.font_size == size + 3
    after = canvas.column_under(QPointF(300, 150))
    if under is not None and after is not None and canvas.surface is not None:
        assert abs(after - under) <= canvas.surface.columns_per_line
    wheel(view, -100, Mod.ControlModifier)
    assert canvas.font_size == 4
    wheel(view, 200, Mod.ControlModifier)
    assert canvas.font_size == 72


@pytest.mark.parametrize("wrapped", [True, False])
def test_the_scroll_bar_goes_through_the_whole_alignment(shown: Shown, wrapped: bool) -> None:
    view = shown(size=(500, 300))
    view.set_wrapped(wrapped)
    bar, surface = view.pane.bar(), view.canvas.surface
    assert surface is not None
    assert bar.isVisible()
    bar.setValue(bar.maximum())
    assert surface.columns_at(view.canvas.position)[1] == surface.n_columns
    assert view.overview._window[1] == surface.n_columns
    bar.setValue(0)
    assert view.canvas.position == 0


def test_the_window_in_the_overview_can_be_clicked_dragged_and_moved_by_keys(shown: Shown, qtbot: QtBot) -> None:
    view = shown((20_000, "="), (1, "X"), (20_000, "="), size=(700, 300))
    strip, canvas, surface = view.overview, view.canvas, view.canvas.surface
    assert surface is not None
    middle = QPoint((strip.width() + 14) // 2, 20)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=middle)
    first, last = surface.columns_at(canvas.position)
    assert first < 20_100
    assert last > 19_900
    handle = strip.handle().center().toPoint()
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=handle)
    qtbot.mouseMove(strip, QPoint(strip.width() - 2, 10))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 2, 10))
    assert surface.columns_at(canvas.position)[1] == surface.n_columns
    strip.setFocus()
    qtbot.keyClick(strip, Key.Key_Home)
    assert canvas.position == 0
    qtbot.keyClick(strip, Key.Key_Right)
    qtbot.keyClick(strip, Key.Key_Right)
    assert canvas.position > 0
    assert not strip.handle().isEmpty()


def test_wrapping_and_resizing_keep_the_place(shown: Shown) -> None:
    view = shown()
    view.go_to("800")
    for wrapped in (False, True):
        view.set_wrapped(wrapped)
        assert view.canvas.is_visible(799)
    canvas = view.canvas
    canvas.scroll_to(canvas.surface.position_of_top(900))  # type: ignore[union-attr]
    top = canvas._anchor
    for width in (640, 500, 650, 700):
        view.resize(width, 420)
        QApplication.processEvents()
        assert canvas._anchor == top
        assert canvas.surface is not None
        first, last = canvas.surface.columns_at(canvas.position)
        assert first <= top < last


def test_theme_and_colouring_change_the_picture_at_once(shown: Shown) -> None:
    view = shown()
    pictures = [view.canvas.grab().toImage()]
    view.canvas.set_colouring(Colouring.CELLS)
    pictures.append(view.canvas.grab().toImage())
    view.canvas._theme.set_scheme(Scheme.DARK)
    pictures.append(view.canvas.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2]
    assert pictures[2].pixelColor(2, 2).lightnessF() < 0.3 < pictures[0].pixelColor(2, 2).lightnessF()


def test_bytes_that_have_no_glyph_are_shown_by_a_dot_and_said(qtbot: QtBot) -> None:
    text = bytes(range(256))
    view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
    qtbot.addWidget(view)
    view.show()
    pair = sequence(text, "bytes", Alphabet.TEXT), sequence(text, "bytes", Alphabet.TEXT)
    view.show_result(*pair, from_cigar((256, "=")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    assert view.notice.text.startswith("· stands for bytes that are no printable ASCII: 161 in A")
    view.canvas.grab()
    view.canvas.set_caret(0)
    assert "A 1 byte 0x00" in view.where.text


def test_everything_has_an_accessible_name(shown: Shown) -> None:
    view = shown()
    widgets = [view, view.canvas, view.overview, view.pane.vertical, view.pane.horizontal, view.bar._field]
    widgets += [button for button in view.bar.findChildren(QToolButton) if button.parent() is view.bar]
    assert all(widget.accessibleName() for widget in widgets)
    assert "first" in view.canvas.accessibleName()
    view.canvas.set_caret(30)
    assert "deletion" in view.canvas.accessibleDescription()


def test_a_thousand_million_columns_scroll_to_both_ends(qtbot: QtBot) -> None:
    """10^9 columns are over the 2^31 pixels that a scroll bar counts (trap 8)."""
    n = 500_000_000
    view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
    view.resize(600, 400)
    qtbot.addWidget(view)
    view.show()
    letters = np.broadcast_to(np.uint8(65), n)  # no memory behind it
    a = sequence("A")
    object.__setattr__(a, "letters", letters)
    view.show_result(a, a, from_cigar((n - 1, "D"), (1, "="), (n - 1, "I")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    canvas = view.canvas
    canvas.set_font_size(20)
    for wrapped in (True, False):
        view.set_wrapped(wrapped)
        assert canvas.surface is not None
        assert canvas.surface.last_position > 2**31
        assert view.pane.bar().maximum() == BAR_MOST
        canvas.setFocus()
        qtbot.keyClick(canvas, Key.Key_End)
        assert canvas.caret == 2 * n - 2
        assert view.pane.bar().value() == BAR_MOST
        canvas.grab()
        view.go_to("B:2")
        assert canvas.caret == n
        assert canvas.is_visible(n)
        canvas.grab()
        wheel(view, 1)
        wheel(view, -1)
        assert canvas.is_visible(n)


def test_the_window_stays_alive_while_a_large_alignment_is_prepared(qtbot: QtBot) -> None:
    a, b, alignment = random_pair(4_000_000, longest=2)
    view = AlignmentView(Theme(Scheme.LIGHT), Cursor())
    view.resize(800, 500)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    beats: list[float] = []
    heart = QTimer()
    heart.setInterval(5)
    heart.timeout.connect(lambda: beats.append(perf_counter()))
    heart.start()
    qtbot.wait(50)
    start = perf_counter()
    view.show_result(a, b, alignment, fold_case=False)
    assert view.model is None  # not done inside the call
    qtbot.waitUntil(lambda: view.model is not None, timeout=20_000)
    qtbot.wait(50)
    heart.stop()
    during = [at for at in beats if at >= start - 0.02]
    assert len(during) > 5
    assert max(np.diff(during)) < 0.2
