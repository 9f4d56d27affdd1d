"""The view of lines by keys, mouse and wheel: folds, moved blocks, selection, looks, large texts."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.app.line_texts import MOVED, NEW, OLD, compared, text
from tests.clock import check_within, longest, moment
from tests.journeys.hands import turn_wheel
from wavediff.app.compare.lines import lines_view
from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_view import NOTHING, LinesView
from wavediff.app.compare.lines.moved_links import tags
from wavediff.app.compare.lines.sight import Marked
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.line_result import LineKind, LineRows

Key, Mod = Qt.Key, Qt.KeyboardModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot):
    widget = LinesView(Theme(Scheme.LIGHT))
    widget.resize(1200, 700)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    widget.close()


@pytest.fixture
def shown(view):
    def show(a=OLD, b=NEW, size=(1200, 700)):
        view.resize(*size)
        view.show_result(*compared(a, b))
        view.canvas.setFocus()
        return view

    return show


def entries(view):
    return view.canvas.shown.entries(0, view.canvas.shown.n)


def press(qtbot, view, key, modifier=Mod.NoModifier):
    qtbot.keyClick(view.canvas, key, modifier)


def point(view, place, side=Side.A, column=0.0):
    sight = view.canvas.sight
    x = sight.text[side] + (column - sight.column) * sight.cell
    return QPoint(round(x), round(sight.y(place) + sight.row / 2))


def drag(qtbot, view, start, end):
    area = view.canvas.viewport()
    qtbot.mousePress(area, LEFT, pos=start)
    qtbot.mouseMove(area, end)
    QApplication.sendEvent(area, _move(area, end))
    qtbot.mouseRelease(area, LEFT, pos=end)


def _move(area, at):
    where = QPointF(at)
    return QMouseEvent(QEvent.Type.MouseMove, where, area.mapToGlobal(where), LEFT, LEFT, Mod.NoModifier)


def place_of(view, side, start):
    """Return the entry of the first line of a text that begins with ``start``."""
    lines = (OLD if side is Side.A else NEW).split("\n")
    line = next(k for k, each in enumerate(lines) if each.startswith(start))
    return view.canvas.shown.place(int(view.canvas.shown.row_of[side][line]), side)


def test_without_an_answer_it_says_why_and_shows_lines_at_once(view, qtbot):
    view.clear("This is binary data. Compare it as Letters (bytes).")
    assert view.message.startswith("This is binary data")
    for key in (Key.Key_Down, Key.Key_Return, Key.Key_End, Key.Key_Left):
        press(qtbot, view, key)
    view.copy()
    view.go_to(Side.A, 3)
    view.show_lines(text(OLD, "old"), text(NEW, "new"))
    assert not view.message
    assert not any(e.is_fold for e in entries(view))
    press(qtbot, view, Key.Key_End)
    assert "line 90 of A" in view.canvas.accessibleDescription()
    view.show_lines(None, text(NEW, "new"))
    assert view.canvas.shown.n == NEW.count("\n")


def test_inline_no_line_is_paired_before_there_is_an_answer(view):
    view.set_inline(True)
    view.show_lines(text("one\ntwo\n", "old"), text("three\n", "new"))
    assert [(e.row, e.side) for e in entries(view)] == [(0, Side.A), (1, Side.A), (0, Side.B)]
    assert [view.canvas.shown.place(e.row, e.side) for e in entries(view)] == [0, 1, 2]
    view.show_lines(text("one\ntwo\n", "old"), text("", "new"))
    assert [(e.row, e.side) for e in entries(view)] == [(0, Side.A), (1, Side.A)]


def test_folds_open_and_close_by_click_and_by_key(shown, qtbot):
    view = shown()
    folds = [place for place, entry in enumerate(entries(view)) if entry.is_fold]
    assert len(folds) == 2
    closed = view.canvas.shown.n
    press(qtbot, view, Key.Key_Home)
    for _ in range(folds[0]):
        press(qtbot, view, Key.Key_Down)
    assert "equal lines, folded" in view.canvas.accessibleDescription()
    press(qtbot, view, Key.Key_Return)
    opened = view.canvas.shown.n
    assert opened > closed
    press(qtbot, view, Key.Key_Left)
    assert view.canvas.shown.n == closed
    qtbot.mouseClick(view.canvas.viewport(), LEFT, pos=point(view, folds[0], column=30))
    assert view.canvas.shown.n == opened
    press(qtbot, view, Key.Key_Return, Mod.ControlModifier)
    assert not any(e.is_fold for e in entries(view))
    assert view.actions_by_id["set_folds_open"].isChecked()
    press(qtbot, view, Key.Key_Left)
    assert view.canvas.shown.n < OLD.count("\n") + 10
    view.set_folds_open(False)
    assert view.canvas.shown.n == closed


def test_ctrl_i_changes_the_view_and_keeps_the_first_row(shown, qtbot):
    view = shown(size=(1200, 260))
    view.go_to(Side.A, 60)
    first = view.canvas.top_line
    assert first is not None
    press(qtbot, view, Key.Key_I, Mod.ControlModifier)
    assert view.inline
    assert view.views.value is True
    assert view.canvas.top_line == first
    press(qtbot, view, Key.Key_I, Mod.ControlModifier)
    assert not view.inline
    assert view.canvas.top_line == first


def test_hunks_are_framed_and_followed(shown, qtbot):
    view = shown(size=(1200, 260))
    clicked = []
    view.canvas.line_changed.connect(
        lambda _place: clicked.extend([view.canvas.marked.hunk] * bool(view.canvas.marked.hunk))
    )
    for hunk in range(1, view.result.rows.n_hunks + 1):
        view.canvas.go_to_hunk(hunk)
        row = view.canvas.entry.row
        assert view.result.rows.hunk[row] == hunk
        assert 0 <= view.canvas.sight.y(view.canvas.marked.place) < view.canvas.viewport().height()
    view.show_result(*compared())
    assert clicked == []
    assert view.canvas.marked.hunk == 0
    view.canvas.go_to_hunk(0)
    press(qtbot, view, Key.Key_Home)
    while not clicked:
        press(qtbot, view, Key.Key_Down)
    assert clicked == [1] == [view.canvas.marked.hunk]


def test_the_tag_of_a_moved_block_jumps(shown, qtbot):
    view = shown(size=(1200, 300))
    line = OLD[: OLD.index(MOVED)].count("\n")
    there = NEW[: NEW.index(MOVED)].count("\n")
    view.go_to(Side.A, line)
    found = [tag for tag in tags(view.canvas.shown, view.canvas.sight, view.result.moved) if tag.side is Side.B]
    assert [tag.text for tag in found] == [f"moved to B {there + 1} ›"]
    told = []
    view.line_changed.connect(told.append)
    qtbot.mouseClick(view.canvas.viewport(), LEFT, pos=QPointF(*found[0].box.middle).toPoint())
    assert told[-1] == (Side.B, there)
    view.set_inline(True)
    view.go_to(Side.A, line)
    found = tags(view.canvas.shown, view.canvas.sight, view.result.moved)
    assert found[0].side is Side.B


def test_a_drag_stays_in_one_column_and_copies_without_numbers(shown, qtbot):
    view = shown()
    said = []
    view.noticed.connect(said.append)
    view.copy()
    assert said == [NOTHING]
    first, last = place_of(view, Side.A, "STOPS"), place_of(view, Side.A, "def mass")
    drag(qtbot, view, point(view, first, column=8), point(view, last, side=Side.B, column=40))
    press(qtbot, view, Key.Key_C, Mod.ControlModifier)
    assert QGuiApplication.clipboard().text() == '("TAA", "TAG")\n\n\ndef mass(protein):'
    assert said[-1] == "Copied 4 lines of A"
    first = place_of(view, Side.B, "STOPS")
    drag(qtbot, view, point(view, first, Side.B, column=8), point(view, first, Side.B, column=17))
    view.copy()
    assert QGuiApplication.clipboard().text() == "frozenset"
    press(qtbot, view, Key.Key_A, Mod.ControlModifier)
    view.copy()
    assert QGuiApplication.clipboard().text() == NEW.removesuffix("\n")
    view.set_inline(True)
    place = place_of(view, Side.A, "STOPS")
    drag(qtbot, view, point(view, place), point(view, place + 3, column=3))
    view.copy()
    assert QGuiApplication.clipboard().text().startswith('STOPS = ("TAA", "TAG")\n')
    assert "frozenset" not in QGuiApplication.clipboard().text()


def test_shift_and_arrows_select_whole_lines(shown, qtbot):
    view = shown()
    place = place_of(view, Side.A, "STOPS")
    qtbot.mouseClick(view.canvas.viewport(), LEFT, pos=point(view, place, column=2))
    for _ in range(3):
        press(qtbot, view, Key.Key_Down, Mod.ShiftModifier)
    press(qtbot, view, Key.Key_Up, Mod.ShiftModifier)
    assert view.canvas.selected_text() == 'STOPS = ("TAA", "TAG")\n\n\n'
    press(qtbot, view, Key.Key_Down)
    assert view.canvas.selected_text() == ""


def test_the_wheel_scrolls_both_texts_down_and_sideways(shown, qtbot):
    view = shown(b=NEW.replace("def translate", "x" * 400 + "def translate"), size=(1200, 240))
    canvas = view.canvas
    view.set_wrapped(False)
    turn_wheel(view.canvas, -2, Mod.NoModifier)
    moved = canvas.verticalScrollBar().value()
    assert moved > 0
    turn_wheel(view.canvas, 2, Mod.NoModifier)
    assert canvas.verticalScrollBar().value() == 0
    view.canvas.go_to_hunk(view.result.rows.n_hunks)
    view.go_to(Side.B, NEW[: NEW.index("def translate")].count("\n"))
    view.grab()  # room is made for lines in sight
    turn_wheel(view.canvas, -3, Mod.ShiftModifier)
    assert canvas.sight.column == 24
    press(qtbot, view, Key.Key_Right)
    assert canvas.sight.column == 32
    press(qtbot, view, Key.Key_Left)
    press(qtbot, view, Key.Key_Left)
    press(qtbot, view, Key.Key_Left)
    assert canvas.sight.column == 8
    size = view.font_size
    turn_wheel(view.canvas, 2, Mod.ControlModifier)
    assert view.font_size == size + 2


def test_keys_go_by_rows_and_pages(shown, qtbot):
    view = shown(size=(1200, 300))
    press(qtbot, view, Key.Key_End)
    assert view.canvas.marked.place == view.canvas.shown.n - 1
    assert view.canvas.accessibleDescription().startswith("line ")
    press(qtbot, view, Key.Key_PageUp)
    page = view.canvas.shown.n - 1 - view.canvas.marked.place
    assert page == view.canvas.viewport().height() // view.canvas.sight.row - 1
    press(qtbot, view, Key.Key_Home)
    assert view.canvas.verticalScrollBar().value() == 0
    assert view.canvas.accessibleDescription() == 'line 1 of A, line 1 of B, equal: """Find genes."""'
    press(qtbot, view, Key.Key_PageDown)
    assert view.canvas.marked.place == page


def test_syntax_colours_come_after_the_lines_and_can_be_switched_off(shown, qtbot):
    view = shown()
    view.grab()
    keyword = Theme(Scheme.LIGHT).keyword.rgb()
    qtbot.waitUntil(lambda: has_colour(view, keyword))
    view.set_coloured(False)
    assert not has_colour(view, keyword)


def has_colour(view, colour):
    image = view.canvas.viewport().grab().toImage().convertToFormat(view.grab().toImage().Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return bool((pixels == colour).any())


def test_equal_texts_are_one_fold_and_a_sentence(shown):
    view = shown(b=OLD)
    assert [entry.is_fold for entry in entries(view)] == [True]
    view.grab()


def test_another_answer_about_the_same_texts_stays_at_the_line(shown):
    view = shown(size=(1200, 240))
    view.go_to(Side.A, 60)
    first = view.canvas.top_line
    a, b, result = compared()
    a, b = view.canvas.cells.sequences.values()
    view.show_result(a, b, result)
    assert view.canvas.top_line == first


def test_tabs_wide_letters_and_signs_have_their_cells(view, qtbot):
    a, b, result = compared("\tone\ttwo\nthree\n", "\tone\ttwo\nfour\n")
    view.show_result(a, b, result)
    part = view.canvas.cells.line(Side.A, 0, 0)
    assert "".join(part.glyphs) == "    one two"
    assert part.columns.tolist() == [0, 4, 5, 6, 7, 8, 9, 10, 11]
    view.set_tab_width(8)
    assert "".join(view.canvas.cells.line(Side.A, 0, 0).glyphs) == "        one     two"
    view.grab()


def test_a_line_of_a_million_letters_is_drawn_where_it_is_scrolled_to(view, qtbot):
    long = "".join(chr(ord("a") + k % 26) for k in range(1_000_000))
    view.set_wrapped(False)
    view.show_result(*compared(f"{long}\nend\n", f"{long}\nEND\n"))
    view.grab()
    bar = view.canvas.horizontalScrollBar()
    bar.setValue(bar.maximum())
    view.grab()
    part = view.canvas.cells.part(Side.A, 0, view.canvas.sight.column)
    assert view.canvas.sight.column > 999_000
    assert "".join(part.glyphs).endswith(long[-50:])


def test_the_overview_goes_where_it_is_clicked(shown, qtbot):
    view = shown(size=(1200, 300))
    view.set_folds_open(True)
    qtbot.mouseClick(view.overview, LEFT, pos=QPoint(20, view.overview.height() - 4))
    assert view.canvas.rows_in_sight[1] == view.result.rows.kind.size
    qtbot.mouseClick(view.overview, LEFT, pos=QPoint(20, 2))
    assert view.canvas.rows_in_sight[0] == 0


def show_many_lines(view, n):
    """Show ``n`` lines of two texts; each 100th is changed."""
    letters = np.tile(np.frombuffer(b"some line\n", np.uint8), n)
    a, b = (replace(text("", name), letters=letters[:-1]) for name in "ab")
    kind = np.zeros(n, np.uint8)
    kind[50::100] = LineKind.CHANGED
    lines, none = np.arange(n), np.zeros(n, bool)
    hunk = np.cumsum(kind > 0) * (kind > 0)
    starts = np.minimum(np.arange(n + 1) * 10, letters.size - 1)
    rows = LineRows(kind, lines, lines, hunk, none, np.full(n, -1), starts, starts)
    view._show(LineCells(a, b, rows, lambda row: ([(0, 4)], [(0, 4)])), Marked())


def median_frame_seconds(view):
    bar, seconds = view.canvas.verticalScrollBar(), []
    for share in range(40):
        bar.setValue(bar.maximum() * share // 40)
        begin = moment()
        view.canvas.viewport().repaint()
        seconds.append(longest([begin, moment()]))
    return sorted(seconds)[20]


@pytest.mark.timed
def test_a_million_lines_are_scrolled_through_by_those_in_sight(view, qtbot, monkeypatch):
    view.resize(1600, 1000)
    show_many_lines(view, 1_000)
    view.set_folds_open(True)
    few_seconds = median_frame_seconds(view)
    n = 1_000_000
    show_many_lines(view, n)
    read, cells = [], view.canvas.cells
    monkeypatch.setattr(cells, "text", lambda *where: read.append(where) or LineCells.text(cells, *where))
    bar = view.canvas.verticalScrollBar()
    for opened in (False, True):
        view.set_folds_open(opened)
        read.clear()
        bar.setValue(bar.maximum() // 3)
        view.canvas.viewport().grab()
        assert 0 < len(read) < 2 * 2 * view.canvas.viewport().height() / view.canvas.sight.row
    check_within(median_frame_seconds(view), 4 * few_seconds)  # of a thousandth of the lines
    view.go_to(Side.B, n - 1)
    assert view.canvas.accessibleDescription() == "line 1,000,000 of A, line 1,000,000 of B, equal: some line"


def test_folds_are_opened_by_the_bar_and_a_right_click_has_the_actions(shown, qtbot):
    view = shown()
    closed = view.canvas.shown.n
    view.folds.setFocus()
    qtbot.keyClick(view.folds, Key.Key_Down)
    assert view.canvas.shown.n > closed
    view.actions_by_id["set_folds_open"].trigger()
    assert view.canvas.shown.n == closed
    assert view.folds.value is False
    assert {"Copy", "Select all", "Inline"} <= {action.text() for action in view.canvas.actions()}


def test_lines_of_long_texts_are_found_beside_the_window(qtbot, view, monkeypatch):
    monkeypatch.setattr(lines_view, "SYNCHRONOUS_LETTERS", 10)
    a, b = (text(each, name) for each, name in ((OLD, "old"), (NEW, "new")))
    view.show_lines(a, b)
    assert view.message == "Finding the lines…"
    qtbot.waitUntil(lambda: view.canvas.shown is not None)
    assert view.message == ""
    assert view.canvas.shown.n == max(OLD.count("\n"), NEW.count("\n"))
    view.show_lines(a, b)
    view.clear("other")
    view.show_lines(text("short", "short"), None)
    assert (view.message, view.canvas.shown.n) == ("", 1)


PARAGRAPH = " ".join(f"word{k}" for k in range(300))


@pytest.mark.parametrize("inline", [False, True])
def test_a_step_brings_what_changed_far_to_the_right_into_sight(shown, inline):
    view = shown(f"first\n{PARAGRAPH}\nlast\n", f"first\n{PARAGRAPH.replace('word290', 'other')}\nlast\n", (900, 240))
    canvas, at = view.canvas, PARAGRAPH.index("word290")
    view.set_inline(inline)
    canvas.go_to_hunk(1)
    columns = canvas.sight.columns
    assert canvas.entry.part == at // columns
    assert 0 <= canvas.sight.y(canvas.marked.place) < canvas.viewport().height()
    assert canvas.horizontalScrollBar().maximum() == 0
    row = canvas.shown.row_of[Side.A][1]
    parts = [entry.part for entry in entries(view) if entry.row == row and entry.side in (None, Side.A)]
    assert parts == list(range(-(-len(PARAGRAPH) // columns)))
    assert canvas.shown.end(row, Side.A) - canvas.shown.place(row, Side.A) == len(parts)
    view.set_wrapped(False)
    canvas.go_to_hunk(1)
    assert canvas.sight.column <= at < canvas.sight.column + canvas.sight.columns
    assert len([entry for entry in entries(view) if entry.row == row]) == 1 + inline


def test_a_click_in_a_wrapped_line_selects_the_letter_under_it(shown, qtbot):
    view = shown(f"{PARAGRAPH}\nlast\n", f"{PARAGRAPH}\nend\n")
    canvas = view.canvas
    sight, side = canvas.sight, Side.A
    columns = sight.columns
    start, end = (QPoint(int(sight.text[side] + k * sight.cell), int(2.5 * sight.row)) for k in (3, 9))
    drag(qtbot, view, start, end)
    assert canvas.selected_text() == PARAGRAPH[2 * columns + 3 : 2 * columns + 9]
    assert canvas.letter == 2 * columns + 3


def test_a_wrapped_line_keeps_the_first_row_when_the_window_grows(shown):
    view = shown("".join(f"{k} {PARAGRAPH}\n" for k in range(40)), "x\n", (900, 400))
    view.set_folds_open(True)
    view.go_to(Side.A, 20)
    view.canvas.scroll_to_place(view.canvas.shown.place(20, Side.A))
    before = view.canvas.sight.columns
    view.resize(1400, 400)
    assert view.canvas.sight.columns > before
    assert view.canvas.top_line == (Side.A, 20)
