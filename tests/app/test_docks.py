"""The docks: what is opened is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from app.window.dock_layout import BOTTOM, LAYOUT_DELAY_MS, RIGHT
from app.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.mark.parametrize("name", [*RIGHT, *BOTTOM])
def test_a_dock_opened_from_the_menu_is_in_front(qtbot: QtBot, window: MainWindow, name: str) -> None:
    dock = window.docks[name]
    dock.hide()
    dock.toggleViewAction().trigger()
    qtbot.waitUntil(lambda: not dock.visibleRegion().isEmpty(), timeout=1000)
    dock.toggleViewAction().trigger()
    assert dock.isHidden()


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
