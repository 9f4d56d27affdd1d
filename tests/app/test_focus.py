"""Where the keyboard is: no table holds it, and an alignment that comes in gets it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QTabBar, QTableView, QWidget

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from tests.app.parts import button
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.given_view import GivenView
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.input_dialogs import PasteDialog, RecordPicker
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import style_sheet
from wavediff.app.window.frame.dialogs import ShortcutSheet
from wavediff.app.window.panels.arrangement import Mode
from wavediff.core.jobs.choices import View


def _compared(qtbot, window, pair, *size):
    if size:
        window.resize(*size)
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    window.activateWindow()


def test_tab_leaves_every_table(qtbot, window, tmp_path):
    several = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"))
    drop(window, mime_of(several))
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    tables = window.findChildren(QTableView)
    assert len(tables) >= 11
    assert [table.accessibleName() for table in tables if table.tabKeyNavigation()] == []
    window.findChild(RecordPicker).reject()


def test_the_first_result_gets_the_keys(qtbot, window, pair):
    window.activateWindow()
    _compared(qtbot, window, pair)
    assert QApplication.focusWidget() is window.alignment.canvas


def test_a_run_gives_the_keys_back_to_the_letters(qtbot, window, pair):
    """While another pair is read there are no letters, and the focus would be whatever comes next in the window."""
    window.activateWindow()
    _compared(qtbot, window, pair)
    qtbot.expect(window.session.compared, window.session.swap)
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    assert QApplication.focusWidget() is window.alignment.canvas


def test_a_result_takes_no_keys_from_where_someone_types(qtbot, window, pair):
    window.activateWindow()
    window.actions_by_id["search"].trigger()
    typing = QApplication.focusWidget()
    assert typing is not None
    assert window.view(SearchView).isAncestorOf(typing)
    _compared(qtbot, window, pair)
    assert QApplication.focusWidget() is typing


def test_a_part_that_goes_out_of_sight_leaves_the_keys_to_the_letters(qtbot, window, pair):
    _compared(qtbot, window, pair, 1280, 800)
    window.view(DifferencesView).table.rows.setFocus()
    window.resize(800, 500)
    qtbot.waitUntil(lambda: window.arrangement.mode is Mode.COMPACT)
    assert QApplication.focusWidget() is window.alignment.canvas
    window.arrangement.foot_tabs.setFocus()
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: window.arrangement.mode is not Mode.COMPACT)
    assert QApplication.focusWidget() is window.alignment.canvas


def test_a_sample_of_the_first_start_leaves_the_keys_to_the_letters(qtbot, window, pair):
    _compared(qtbot, window, pair, 1280, 800)
    window.arrangement.set_welcoming(True)
    button(window.welcome, "Paste text…").setFocus()
    window.arrangement.set_welcoming(False)
    assert QApplication.focusWidget() is window.alignment.canvas


def test_go_to_brings_the_letters_into_sight(qtbot, window, pair):
    _compared(qtbot, window, pair, 800, 500)
    window.arrangement.show_panel("computation")
    assert not window.alignment.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.alignment.isVisible()
    assert QApplication.focusWidget().accessibleName() == "Go to a place in the alignment"


@pytest.mark.parametrize(
    ("foot", "name"), [("Differences", "List of differences"), ("Computation", "Table of"), ("Letters", "Alignment of")]
)
def test_the_foot_of_a_small_window_gives_the_keys_to_no_field(qtbot, window, pair, foot, name):
    """N goes on from difference to difference there."""
    _compared(qtbot, window, pair, 800, 500)
    tabs = window.arrangement.foot_tabs
    if foot == "Letters":
        window.arrangement.show_panel("computation")
    else:
        window.alignment.canvas.setFocus()
    place = tabs.tabRect(["Letters", "Differences", "Computation", "More"].index(foot)).center()
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
    at = QApplication.focusWidget()
    assert (at.accessibleName() or getattr(at, "text", str)()).startswith(name), at
    caret = window.alignment.canvas.caret
    qtbot.keyClick(at, Qt.Key.Key_N)
    assert window.alignment.canvas.caret != caret


def test_the_list_gets_the_keys_of_another_panel_that_it_takes_the_place_of(qtbot, window, pair):
    _compared(qtbot, window, pair, 800, 500)
    window.arrangement.show_panel("batch")
    window.arrangement._tabs.bar.setFocus()
    tabs = window.arrangement.foot_tabs
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert QApplication.focusWidget().accessibleName() == "List of differences"


def test_the_list_of_notices_leaves_the_keys_to_the_letters(qtbot, window, pair):
    _compared(qtbot, window, pair)
    window.activateWindow()
    window.session.notice(Severity.INFO, "one", Side.A)
    window.answer.open_list()
    assert window.answer.list.isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.alignment.canvas


def test_a_text_that_cannot_be_changed_takes_no_paste(qtbot, window, pair):
    _compared(qtbot, window, pair)
    window.activateWindow()
    window.show_panel("given")
    window.view(GivenView).text.setFocus()
    QApplication.clipboard().setText("GATTACA")
    window.actions_by_id["paste"].trigger()
    qtbot.waitUntil(lambda: window.findChild(PasteDialog) is not None)
    window.findChild(PasteDialog).reject()


def test_a_field_of_the_lines_leaves_the_keys_to_the_letters(qtbot, window, tmp_path):
    texts = [tmp_path / name for name in ("a.txt", "b.txt")]
    for path, word in zip(texts, ("session", "meeting"), strict=True):
        path.write_text(f"one {word}\ntwo\n")
    window.session.start_with("lines")
    _compared(qtbot, window, texts)
    window.activateWindow()
    box = button(window.alignment.lines, "White space")
    box.setFocus()
    qtbot.expect(window.session.compared, window.session.choose, method="lcs")
    assert not box.isVisible()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.alignment.canvas)
    qtbot.expect(window.session.compared, window.session.choose, method="lines")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.alignment.lines.canvas)


def test_a_click_on_a_view_gives_it_the_keys(qtbot, window, pair):
    keyed = (each for each in window.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus)
    views = [each for each in keyed if not isinstance(each, QAbstractButton | QTabBar)]
    assert [each for each in views if not each.focusPolicy() & Qt.FocusPolicy.ClickFocus] == []
    _compared(qtbot, window, pair, 1280, 800)
    view = window.view(ComputationView)
    view.choose_view(View.MAP)
    canvas = view.canvas
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().center())
    assert QApplication.focusWidget() is canvas


def test_page_keys_scroll_the_shortcuts_and_a_ring_is_around_them(qtbot, qapp, window, theme):
    qapp.setStyleSheet(style_sheet(theme))
    window.actions_by_id["shortcuts"].trigger()
    (area,) = window.findChild(ShortcutSheet).findChildren(QScrollArea)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: area.hasFocus() and bar.maximum() > bar.pageStep())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown)
    assert bar.value() == min(bar.pageStep(), bar.maximum())
    ring = area.grab().toImage()
    assert {ring.pixelColor(x, ring.height() // 2).name() for x in (0, ring.width() - 1)} == {theme.accent.name()}
    qtbot.keyClick(area, Qt.Key.Key_Tab)
    ring = area.grab().toImage()
    assert theme.accent.name() not in {ring.pixelColor(x, ring.height() // 2).name() for x in (0, ring.width() - 1)}
    qtbot.keyClick(area, Qt.Key.Key_Escape)
    qapp.setStyleSheet("")
