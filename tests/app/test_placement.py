"""Where the window and its controls stand on small screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.flow_layout import FlowLayout
from app.ui.theme import Theme
from app.window import dock_layout
from app.window.main_window import MainWindow
from app.window.settings import Settings
from app.window.window_geometry import STATE_VERSION

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def _sized(qtbot: QtBot, window: MainWindow, width: int, height: int) -> None:
    window.resize(width, height)
    qtbot.wait(20)  # the docks follow in the next turn of the loop


@pytest.fixture
def framed(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A window with its map."""
    _sized(qtbot, window, 1280, 800)
    return window


def test_the_window_fits_a_screen_of_800_by_500(
    qtbot: QtBot, framed: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What 1600 x 1000 is at 200 %; with every dock open that a person may open."""
    monkeypatch.setattr(
        dock_layout, "MAX_DOCK_HEIGHT_SHARE", dock_layout.MAX_DOCK_HEIGHT_SHARE * 500 / 800
    )  # the screen of the tests is as high as wide
    for name, dock in framed.docks.items():
        dock.show()
        dock.raise_()
        _sized(qtbot, framed, 800, 500)
        assert framed.dockWidgetArea(dock) == framed.dockWidgetArea(framed.docks["wavefront"]), name
        assert framed.size() == QSize(800, 500), name


def test_the_docks_come_back_to_the_side_and_the_bottom_when_there_is_room(qtbot: QtBot, framed: MainWindow) -> None:
    right, bottom = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
    assert framed.dockWidgetArea(framed.docks["timings"]) == bottom
    for size in ((1067, 667), (800, 500), (1280, 600)):
        _sized(qtbot, framed, *size)
        assert framed.size() == QSize(*size)
        assert {framed.dockWidgetArea(framed.docks[name]) for name in dock_layout.BOTTOM} == {right}
        assert not framed.docks["wavefront"].visibleRegion().isEmpty()
        _sized(qtbot, framed, 1280, 800)
        assert {framed.dockWidgetArea(framed.docks[name]) for name in dock_layout.BOTTOM} == {bottom}
        assert framed.dockWidgetArea(framed.docks["wavefront"]) == right
        assert framed.docks["search"].isHidden()


@pytest.mark.qt_log_ignore(r"does not support raise\(\)", "propagateSizeHints", extend=True)
def test_a_dock_that_a_person_has_placed_stays_there(qtbot: QtBot, framed: MainWindow) -> None:
    left = Qt.DockWidgetArea.LeftDockWidgetArea
    framed.addDockWidget(left, framed.docks["statistics"])
    framed.docks["ledger"].setFloating(True)
    for size in ((1000, 600), (1280, 800)):
        _sized(qtbot, framed, *size)
        assert framed.dockWidgetArea(framed.docks["statistics"]) == left
        assert framed.docks["ledger"].isFloating()
    assert framed.dockWidgetArea(framed.docks["timings"]) == Qt.DockWidgetArea.BottomDockWidgetArea
    _sized(qtbot, framed, 1000, 600)
    framed.addDockWidget(left, framed.docks["timings"])
    framed.docks["timings"].raise_()
    _sized(qtbot, framed, 1010, 600)
    _sized(qtbot, framed, 1280, 800)
    assert framed.dockWidgetArea(framed.docks["timings"]) == left


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_what_a_large_screen_left_fits_a_small_one(
    qtbot: QtBot, framed: MainWindow, theme: Theme, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the other way round."""
    _sized(qtbot, framed, *size)
    settings = Settings(
        geometry=bytes(framed.saveGeometry().data()), state=bytes(framed.saveState(STATE_VERSION).data())
    )
    again = MainWindow(framed.session, theme, settings)
    qtbot.addWidget(again)
    again.show()
    for width, height in ((800, 500), (1280, 800), (800, 500)):
        _sized(qtbot, again, width, height)
        assert again.size() == QSize(width, height)
        at_right = again.dockWidgetArea(again.docks["timings"]) == Qt.DockWidgetArea.RightDockWidgetArea
        assert at_right == (width == 800)


def _cut_off(window: MainWindow) -> list[str]:
    """Return the controls that are seen in part only: over an edge of the window, or with less room than they need."""
    found = []
    scrolled = window.findChildren(QScrollArea)
    behind = [dock for dock in window.docks.values() if dock.visibleRegion().isEmpty()]
    for control in window.findChildren(QWidget):
        if not isinstance(control, QAbstractButton | QComboBox | QLineEdit | QAbstractSpinBox):
            continue
        if not control.isVisible() or isinstance(control.parent(), QTabBar | QComboBox | QAbstractSpinBox):
            continue  # arrows and fields that are parts of others
        if any(dock.isAncestorOf(control) for dock in behind):
            continue
        place = QRect(control.mapTo(window, QPoint(0, 0)), control.size())
        least = control.minimumSizeHint()
        if isinstance(control, QComboBox):  # its hint is for the longest entry, which the open list has room for
            least.setWidth(control.fontMetrics().horizontalAdvance(control.currentText()) + 26)
        small = control.width() < least.width() or control.height() < least.height() - 2
        seen = control.visibleRegion().boundingRect() == control.rect()
        outside = not seen or not window.rect().contains(place)
        if small or (outside and not any(area.isAncestorOf(control) for area in scrolled)):
            found.append(f"{type(control).__name__} {control.accessibleName() or control.objectName()} {place}")
    return found


@pytest.mark.parametrize("size", [(800, 480), (1067, 640), (1600, 970), (2560, 1410)])
@pytest.mark.parametrize("method", ["lcs", "edit", "swap"])
def test_no_control_is_cut_off(
    qtbot: QtBot, framed: MainWindow, pair: tuple[Path, Path], size: tuple[int, int], method: str
) -> None:
    """A screen of 1600 x 1000 at 200, 150 and 100 %, and a large one, less the frame of the window."""
    with qtbot.waitSignal(framed.session.compared):
        framed.session.open_paths(pair)
    framed.session.choose(method=method, follow=False)
    _sized(qtbot, framed, *size)
    assert framed.size() == QSize(*size)
    for name, dock in framed.docks.items():
        dock.show()
        dock.raise_()
        qtbot.wait(20)
        assert _cut_off(framed) == [], name
        tabs = [bar for bar in framed.findChildren(QTabBar) if bar.isVisible() and bar.parent() is framed]
        assert {bar.elideMode() for bar in tabs} == {Qt.TextElideMode.ElideNone}
        assert framed.size() == QSize(*size), name
        if next(each for each in dock_layout.DOCKS if each.id == name).hidden:
            dock.hide()


def test_controls_go_on_in_the_next_line(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    flow = FlowLayout(whole, spacing=4)
    boxes = []
    for k in range(4):
        box = QLabel()
        box.setFixedSize(QSize(50, 20))
        boxes.append(box)
        if k == 3:
            flow.stretch_here()
        flow.addWidget(box)
    assert [flow.heightForWidth(width) for width in (212, 211, 104, 103, 50, 10)] == [20, 44, 44, 92, 92, 92]
    flow.setGeometry(QRect(0, 0, 300, 20))
    assert [box.x() for box in boxes] == [0, 54, 108, 250]  # the last keeps to the right edge
    flow.setGeometry(QRect(0, 0, 110, 44))
    assert [(box.x(), box.y()) for box in boxes] == [(0, 0), (54, 0), (0, 24), (54, 24)]
    boxes[1].hide()
    assert flow.heightForWidth(158) == 20
    assert flow.minimumSize() == QSize(50, 20)
