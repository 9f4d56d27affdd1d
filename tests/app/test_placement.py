"""Where the window and its controls stand on small screens."""

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

from wavediff.app.ui.layouts import FlowLayout
from wavediff.app.window.panels.panels import PANELS


def _sized(qtbot, window, width, height):
    window.resize(width, height)
    qtbot.wait(20)  # the panels follow in the next turn of the loop


@pytest.fixture
def framed(qtbot, window):
    _sized(qtbot, window, 1280, 800)
    return window


def test_the_window_fits_a_small_screen_with_any_panel(qtbot, framed, subtests):
    """What 1600 x 1000 is at 200 %, and less."""
    for panel in PANELS:
        with subtests.test(panel.id):
            _sized(qtbot, framed, 1280, 800)
            framed.arrangement.show_panel(panel.id)
            for size in ((800, 500), (640, 400)):
                _sized(qtbot, framed, *size)
                assert framed.size() == QSize(*size)


SCREENS = ((800, 480), (1067, 640), (1600, 970), (2560, 1410))


def _cut_off(window):
    """Return the controls that are seen in part only: over an edge of the window, or with less room than they need."""
    found = []
    scrolled = window.findChildren(QScrollArea)
    behind = [area for area in window.areas.values() if not area.isVisible()]
    for control in window.findChildren(QWidget):
        if not isinstance(control, QAbstractButton | QComboBox | QLineEdit | QAbstractSpinBox):
            continue
        if not control.isVisible() or isinstance(control.parent(), QTabBar | QComboBox | QAbstractSpinBox):
            continue  # arrows and fields that are parts of others
        if any(area.isAncestorOf(control) for area in behind):
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


@pytest.mark.parametrize(
    ("method", "size"),
    [
        # `make test` has the smallest with every method, and the others with one of them.
        pytest.param(method, size, marks=() if method == "edit" or size == SCREENS[0] else pytest.mark.thorough)
        for method in ("lcs", "edit", "swap")
        for size in SCREENS
    ],
    ids=str,
)
def test_no_control_is_cut_off(qtbot, framed, pair, size, method):
    """A screen of 1600 x 1000 at 200, 150 and 100 %, and a large one, less the frame of the window."""
    qtbot.expect(framed.session.compared, framed.session.open_paths, pair)
    framed.session.choose(method=method)
    _sized(qtbot, framed, *size)
    assert framed.size() == QSize(*size)
    for name in framed.areas:
        framed.arrangement.show_panel(name)
        qtbot.wait(20)
        qtbot.waitUntil(lambda: _cut_off(framed) == [])  # rows that appear are laid out in the turns of the loop after
        tabs = [bar for bar in framed.findChildren(QTabBar) if bar.isVisible()]
        assert [each for bar in tabs for each in _cut_tabs(bar)] == [], name
        assert {bar.elideMode() for bar in tabs} <= {Qt.TextElideMode.ElideNone}
        assert framed.size() == QSize(*size), name


def _cut_tabs(bar):
    """The tabs that are not seen whole."""
    there = bar.rect().intersected(QRect(bar.mapFrom(bar.parentWidget(), QPoint()), bar.parentWidget().size()))
    seen = [number for number in range(bar.count()) if bar.isTabVisible(number)]
    return [
        f"{bar.tabText(number)} {bar.tabRect(number)}" for number in seen if not there.contains(bar.tabRect(number))
    ]


def test_tabs_without_room_are_in_a_menu_and_come_to_the_front_from_there(qtbot, framed):
    framed.arrangement.set_starting(False)
    _sized(qtbot, framed, 2560, 1440)
    row = framed.tabs.row
    row.resize(300, row.height())
    assert row.more.isVisible()
    row.more.menu().aboutToShow.emit()
    hidden = [action.text() for action in row.more.menu().actions()]
    assert hidden[-1] == "Lessons"
    assert len(hidden) + sum(row.bar.isTabVisible(number) for number in range(row.bar.count())) == row.bar.count()
    row.more.menu().actions()[-1].trigger()
    assert framed.tabs.current.id == "lessons"
    assert row.bar.isTabVisible(row.bar.currentIndex())
    assert _cut_tabs(row.bar) == []
    row.resize(1500, row.height())
    assert not row.more.isVisible()
    assert framed.tabs.current.id == "lessons"


def test_controls_go_on_in_the_next_line(qtbot):
    whole = QWidget()
    qtbot.addWidget(whole)
    boxes = [QLabel() for _ in range(4)]
    for box in boxes:
        box.setFixedSize(QSize(50, 20))
    flow = FlowLayout(*boxes[:3], last=boxes[3:], spacing=4)
    whole.setLayout(flow)
    assert [flow.heightForWidth(width) for width in (212, 211, 104, 103, 50, 10)] == [20, 44, 44, 92, 92, 92]
    flow.setGeometry(QRect(0, 0, 300, 20))
    assert [box.x() for box in boxes] == [0, 54, 108, 250]  # the last keeps to the right edge
    flow.setGeometry(QRect(0, 0, 110, 44))
    assert [(box.x(), box.y()) for box in boxes] == [(0, 0), (54, 0), (0, 24), (54, 24)]
    boxes[1].hide()
    assert flow.heightForWidth(158) == 20
    assert flow.minimumSize() == QSize(50, 20)
