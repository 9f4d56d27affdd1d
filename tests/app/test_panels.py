"""The panels: each line of their table is a view that a person can open, and finds again."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QToolButton

from tests.app.fakes import fasta
from wavediff.app.batch.batch_view import BatchView
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.notices import Notice, Severity
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.panels.arrangement import LEAST_COMPUTATION_PX, Mode
from wavediff.app.window.panels.panels import COMPUTATION, LOWER, PANELS
from wavediff.app.window.settings import Settings

WAIT = 30_000  # ms, for a first transform that compiles

SIZES = {Mode.COMPACT: (800, 500), Mode.NORMAL: (1280, 800), Mode.LARGE: (2560, 1440)}


@pytest.fixture
def wide(qtbot, window):
    """A window of the usual size with a text on one side, so that there are letters."""
    window.resize(*SIZES[Mode.NORMAL])
    qtbot.expect(window.session.pair.changed, window.session.open_text, "ACGT")
    return window


def entries(window, title):
    menu = next(head.menu() for head in window.menuBar().actions() if head.text() == title)
    return menu.actions()


def test_a_panel_opened_from_the_menu_is_in_front(qtbot, wide, subtests):
    for panel in PANELS:
        with subtests.test(panel.id):
            entry = next(each for each in entries(wide, "&View") if each.text() == panel.text)
            entry.trigger()
            qtbot.waitUntil(wide.areas[panel.id].isVisible)
            assert wide.areas[panel.id].isAncestorOf(wide.views[panel.id])


def test_a_panel_says_in_the_menus_what_it_is(window, subtests):
    for panel in PANELS:
        with subtests.test(panel.id):
            entry = next(each for each in entries(window, "&View") if each.text() == panel.text)
            assert panel.tip
            assert (entry.statusTip(), entry.toolTip()) == (panel.tip, panel.tip)


@pytest.mark.parametrize("panel", [pytest.param(panel, id=panel.id) for panel in PANELS if panel.entry])
def test_a_panel_with_an_entry_and_a_key_is_opened_ready_for_use(qtbot, window, panel, monkeypatch):
    """Also over the page of the empty window."""
    monkeypatch.setattr(BatchView, "ask_files", lambda self: None)
    entry = next(each for each in entries(window, "&Compare") if each.text() == panel.entry)
    assert entry.statusTip() == panel.tip
    assert [key.toString() for key in entry.shortcuts()] == list(panel.keys)
    qtbot.keySequence(window, panel.keys[0])
    qtbot.waitUntil(lambda: window.areas[panel.id].isVisible(), timeout=1000)
    focus = window.focusWidget()
    assert focus is not None
    assert window.areas[panel.id].isAncestorOf(focus)


def test_the_menu_lists_the_panels_as_the_table_does(window):
    assert [each.text() for each in entries(window, "&View")][: len(PANELS)] == [panel.text for panel in PANELS]
    assert not any("&" in panel.title for panel in PANELS)


def test_each_entry_of_a_menu_has_an_access_key_or_a_shortcut(window, subtests):
    for menu in window.menuBar().actions():
        for each in menu.menu().actions():
            if not each.isSeparator():
                with subtests.test(menu=menu.text(), entry=each.text()):
                    assert "&" in each.text() or each.shortcuts()


def test_what_a_panel_has_to_say_is_said(window, subtests):
    for panel in PANELS:
        with subtests.test(panel.id):
            window.views[panel.id].noticed.emit(Notice(Severity.INFO, f"said by {panel.id}"))
            assert window.statusBar().currentMessage() == f"said by {panel.id}"


def test_a_tab_is_in_front_after_a_restart(qtbot, window, theme, subtests):
    for panel in LOWER:
        with subtests.test(panel.id):
            window.arrangement.show_panel(panel.id)
            again = MainWindow(window.session, theme, Settings(layout=window.arrangement.content()))
            qtbot.addWidget(again)
            assert again.tabs.current is panel


def splitter_of(part):
    while not isinstance(part, QSplitter):
        part = part.parentWidget()
    return part


def lower_height(window):
    return window.tabs.height()


def test_the_tabs_stay_under_the_pointer_whatever_is_in_front(wide):
    heights = set()
    for panel in LOWER:
        wide.tabs.show_panel(panel.id)
        QApplication.processEvents()
        heights.add(lower_height(wide))
    assert len(heights) == 1


def test_the_computation_keeps_a_width_and_the_layout_can_be_reset(qtbot, wide):
    computation = wide.areas[COMPUTATION]
    outer = splitter_of(computation)
    usual = outer.sizes()
    lower = lower_height(wide)
    outer.moveSplitter(outer.width(), 1)
    assert outer.sizes() != usual
    assert computation.width() >= LEAST_COMPUTATION_PX
    inner = splitter_of(wide.tabs)
    inner.moveSplitter(inner.height() - 150, 1)
    assert lower_height(wide) != lower
    entry = next(each for each in entries(wide, "&View") if each.objectName() == "reset_layout")
    entry.trigger()
    qtbot.waitUntil(lambda: (outer.sizes(), lower_height(wide)) == (usual, lower))
    assert wide.arrangement.content()["sizes"] == {}


def test_what_was_pulled_stays_for_each_arrangement_and_after_a_restart(qtbot, wide, theme):
    inner = splitter_of(wide.tabs)
    handle = inner.handle(1)
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton)
    qtbot.mouseMove(handle, handle.rect().center() - handle.rect().topLeft() * 0)
    inner.moveSplitter(inner.height() - 300, 1)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton)
    pulled = lower_height(wide)
    assert abs(pulled - 300) < 20
    for mode in (Mode.LARGE, Mode.COMPACT, Mode.NORMAL):
        wide.resize(*SIZES[mode])
        qtbot.waitUntil(lambda mode=mode: wide.arrangement.mode is mode)
    qtbot.waitUntil(lambda: abs(lower_height(wide) - pulled) <= 1)
    again = MainWindow(wide.session, theme, Settings(layout=wide.arrangement.content()))
    qtbot.addWidget(again)
    again.resize(*SIZES[Mode.NORMAL])
    again.show()
    qtbot.waitUntil(lambda: abs(lower_height(again) - pulled) <= 1)


@pytest.mark.parametrize("content", [{"tab": 3, "sizes": []}, {"tab": "none", "sizes": {"normal lower": ["x", 2]}}])
def test_a_layout_that_makes_no_sense_is_passed_over(qtbot, window, theme, content):
    again = MainWindow(window.session, theme, Settings(layout=content))
    qtbot.addWidget(again)
    assert again.tabs.current is LOWER[0]


def test_f6_goes_round_all_parts_that_are_seen(qtbot, wide, subtests):
    wide.activateWindow()
    parts = [wide.alignment, wide.tabs, wide.areas[COMPUTATION]]
    for mode, size in SIZES.items():
        wide.resize(*size)
        qtbot.waitUntil(lambda mode=mode: wide.arrangement.mode is mode)
        wide.alignment.setFocus()
        seen, visited = [part for part in parts if part.isVisible()], set()
        with subtests.test(str(mode)):
            assert len(seen) == (1 if mode is Mode.COMPACT else 3)
            for _ in range(6):
                qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
                at = QApplication.focusWidget()
                visited |= {id(part) for part in seen if part.isAncestorOf(at) or part.hasFocus()}
            assert visited >= {id(part) for part in seen[1:]}


def test_a_small_window_shows_one_part_at_a_time(qtbot, wide):
    wide.resize(*SIZES[Mode.COMPACT])
    qtbot.waitUntil(lambda: wide.arrangement.mode is Mode.COMPACT)
    assert wide.size() == QSize(*SIZES[Mode.COMPACT])
    shown = []
    for number in range(wide.arrangement.foot_tabs.count()):
        wide.arrangement.foot_tabs.setCurrentIndex(number)
        parts = (wide.alignment, wide.tabs, wide.areas[COMPUTATION])
        shown.append([part.isVisible() for part in parts])
        QApplication.processEvents()
        assert not any(each.isVisible() for each in wide.arrangement.foot_tabs.findChildren(QToolButton)), "all fit"
    assert shown == [[True, False, False], [False, True, False], [False, False, True], [False, True, False]]
    wide.show_panel("search")
    assert not wide.statusBar().isVisible()
    for number in range(4):  # from each of which More returns to the tool
        wide.arrangement.foot_tabs.setCurrentIndex(number)
        wide.arrangement.foot_tabs.setCurrentIndex(3)
        assert wide.views["search"].isVisible()


def test_a_small_window_with_nothing_open_keeps_the_panel_in_front(qtbot, window, subtests, monkeypatch):
    monkeypatch.setattr(BatchView, "ask_files", lambda self: None)
    for panel in ("batch", "differences"):
        window.resize(*SIZES[Mode.NORMAL])
        qtbot.waitUntil(lambda: window.arrangement.mode is Mode.NORMAL)
        window.show_panel(panel)
        window.resize(*SIZES[Mode.COMPACT])
        qtbot.waitUntil(lambda: window.arrangement.mode is Mode.COMPACT)
        with subtests.test(panel):
            assert window.areas[panel].isVisible()


def test_a_small_window_keeps_a_lesson_or_the_tool_with_the_focus_in_front(qtbot, wide, subtests):
    for panel, focus, stays in (("lessons", False, True), ("search", True, True), ("search", False, False)):
        wide.resize(*SIZES[Mode.NORMAL])
        qtbot.waitUntil(lambda: wide.arrangement.mode is Mode.NORMAL)
        wide.show_panel(panel)
        if not focus:
            wide.alignment.setFocus()
        wide.resize(*SIZES[Mode.COMPACT])
        qtbot.waitUntil(lambda: wide.arrangement.mode is Mode.COMPACT)
        with subtests.test(panel, focus=focus):
            assert wide.areas[panel].isVisible() is stays
            assert wide.alignment.isVisible() is not stays


def test_in_a_small_window_a_chosen_place_brings_the_letters_to_the_front(qtbot, wide, session, tmp_path):
    a, b = "ACGTTGCAAT" * 60, "ACGTTGCAAT" * 40 + "G" + "ACGTTGCAAT" * 20
    with qtbot.waitSignal(session.compared):
        session.open_paths([fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", b))])
    qtbot.waitUntil(lambda: wide.alignment.model is not None and not wide.turns.busy)
    wide.resize(*SIZES[Mode.COMPACT])
    qtbot.waitUntil(lambda: wide.arrangement.mode is Mode.COMPACT)
    letters, list_ = wide.alignment, wide.view(DifferencesView)

    def click_the_map():
        canvas = wide.view(ComputationView).canvas
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.frame.point(300, 300).toPoint())

    def enter_in_the_list():
        list_.table.select(0)
        qtbot.keyClick(list_.table.rows, Qt.Key.Key_Return)

    def click_a_row():
        rows = wide.view(BwtView).canvas
        qtbot.waitUntil(lambda: session.transform.current is not None and rows.isVisible(), timeout=WAIT)
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.viewport().rect().center())

    for panel, deed in ((COMPUTATION, click_the_map), ("differences", enter_in_the_list), ("bwt", click_a_row)):
        wide.show_panel(panel)
        assert not letters.isVisible()
        letters.canvas.set_caret(0)
        letters.canvas.scroll_to(0)
        deed()
        qtbot.waitUntil(letters.isVisible, timeout=WAIT)
        qtbot.waitUntil(lambda: letters.canvas.caret > 0, timeout=WAIT)
        assert letters.canvas.is_visible(letters.canvas.caret), panel
        assert wide.arrangement.foot_tabs.currentIndex() == 0
    list_.letters_wanted.emit()  # in sight already
    assert wide.arrangement.foot_tabs.currentIndex() == 0


def test_the_wheel_over_a_lesson_scrolls_a_panel_that_is_too_low(qtbot, window):
    window.resize(640, 400)  # 1280 x 800 at 200 %
    window.show_panel("lessons")
    bar, canvas = window.areas["lessons"].verticalScrollBar(), window.view(LessonView).stage.canvas
    qtbot.waitUntil(lambda: bar.value() > 0)  # at the sentence
    bar.setValue(0)

    def turn(by, keys=Qt.KeyboardModifier.NoModifier):
        at = canvas.mapTo(window, QPoint(canvas.width() // 2, 40))
        QTest.wheelEvent(window.windowHandle(), at, QPoint(0, by), QPoint(), keys)
        QApplication.processEvents()
        return bar.value()

    assert turn(-120) > 0
    assert turn(120) == 0
    cell = canvas.cell_box(0, 0).width()
    assert turn(120, Qt.KeyboardModifier.ControlModifier) == 0
    assert canvas.cell_box(0, 0).width() > cell
