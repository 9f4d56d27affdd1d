"""The docks: each line of their table is a view that a person can open, and finds again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from app.batch.batch_view import BatchView
from app.ui.notices import Notice, Severity
from app.ui.theme import Theme
from app.window.dock_layout import BOTTOM, DOCKS, LAYOUT_DELAY_MS, Dock
from app.window.main_window import MainWindow
from app.window.settings import Settings
from app.window.window_geometry import STATE_VERSION

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


each_dock = pytest.mark.parametrize("dock", [pytest.param(dock, id=dock.id) for dock in DOCKS])


def entries(window: MainWindow, title: str) -> list[QAction]:
    """Return the entries of a menu, in their order."""
    menu = next(head.menu() for head in window.menuBar().actions() if head.text() == title)
    return menu.actions()


@each_dock
def test_a_dock_opened_from_the_menu_is_in_front(qtbot: QtBot, window: MainWindow, dock: Dock) -> None:
    shown = window.docks[dock.id]
    assert shown.isHidden() == dock.hidden
    shown.hide()
    entry = next(each for each in entries(window, "&View") if each.text() == dock.title)
    entry.trigger()
    qtbot.waitUntil(lambda: not shown.visibleRegion().isEmpty(), timeout=1000)
    assert shown.isAncestorOf(window.views[dock.id])
    entry.trigger()
    assert shown.isHidden()


@each_dock
def test_a_dock_says_in_the_menus_what_it_is(window: MainWindow, dock: Dock) -> None:
    entry = next(each for each in entries(window, "&View") if each.text() == dock.title)
    assert dock.tip
    assert (entry.statusTip(), entry.toolTip()) == (dock.tip, dock.tip)


@pytest.mark.parametrize("dock", [pytest.param(dock, id=dock.id) for dock in DOCKS if dock.entry])
def test_a_dock_with_an_entry_and_a_key_is_opened_ready_for_use(
    qtbot: QtBot, window: MainWindow, dock: Dock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BatchView, "ask_files", lambda self: None)
    entry = next(each for each in entries(window, "&Compare") if each.text() == dock.entry)
    assert entry.statusTip() == dock.tip
    assert [key.toString() for key in entry.shortcuts()] == list(dock.keys)
    qtbot.keySequence(window, dock.keys[0])
    qtbot.waitUntil(lambda: not window.docks[dock.id].visibleRegion().isEmpty(), timeout=1000)
    focus = window.focusWidget()
    assert focus is not None
    assert window.docks[dock.id].isAncestorOf(focus)


def test_the_menu_lists_the_docks_as_the_table_does(window: MainWindow) -> None:
    assert [each.text() for each in entries(window, "&View")][: len(DOCKS)] == [dock.title for dock in DOCKS]


@each_dock
def test_a_dock_is_as_it_was_after_a_restart(qtbot: QtBot, window: MainWindow, theme: Theme, dock: Dock) -> None:
    was_open = not window.docks[dock.id].isHidden()
    window.docks[dock.id].setVisible(not was_open)
    settings = Settings(state=bytes(window.saveState(STATE_VERSION).data()))
    again = MainWindow(window.session, theme, settings)
    qtbot.addWidget(again)
    assert {name: not each.isHidden() for name, each in again.docks.items()} == {
        each.id: not each.hidden if each is not dock else not was_open for each in DOCKS
    }


@each_dock
def test_what_a_dock_has_to_say_is_said(window: MainWindow, dock: Dock) -> None:
    window.views[dock.id].noticed.emit(Notice(Severity.INFO, f"said by {dock.id}"))
    assert window.statusBar().currentMessage() == f"said by {dock.id}"


def wide(qtbot: QtBot, window: MainWindow) -> tuple[QDockWidget, QDockWidget]:
    """Lay the window out as on a large screen; return the race's dock, which is closed, and one that stands there."""
    dock, beside = window.docks["race"], window.docks["wavefront"]
    window.resize(1500, 800)
    # First the docks are arranged for the room there is now, which sets their widths.
    bottom = Qt.DockWidgetArea.BottomDockWidgetArea
    qtbot.waitUntil(lambda: all(window.dockWidgetArea(window.docks[name]) == bottom for name in BOTTOM))
    for each in (beside, dock):
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, each)
    window.tabifyDockWidget(beside, dock)
    dock.hide()
    beside.show()
    window.resizeDocks([beside], [400], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: beside.width() == 400)
    return dock, beside


def test_a_view_that_needed_more_room_gives_it_back_when_it_is_closed(qtbot: QtBot, window: MainWindow) -> None:
    dock, beside = wide(qtbot, window)
    window.actions_by_id["race"].trigger()
    qtbot.waitUntil(lambda: dock.width() > 420)
    qtbot.wait(2 * LAYOUT_DELAY_MS)
    dock.close()
    qtbot.waitUntil(lambda: beside.width() == 400)


def test_a_width_that_somebody_chose_meanwhile_stays(qtbot: QtBot, window: MainWindow) -> None:
    dock, beside = wide(qtbot, window)
    window.actions_by_id["race"].trigger()
    qtbot.wait(2 * LAYOUT_DELAY_MS)
    window.resizeDocks([dock], [550], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: dock.width() == 550)
    dock.close()
    qtbot.wait(50)
    assert beside.width() == 550
