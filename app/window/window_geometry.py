"""Geometry of the window and its docks: as they were left, and always as suits the room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTabBar

from app.window.dock_layout import BOTTOM, MAX_DOCK_WIDTH_SHARE
from app.window.settings import Settings

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

DEFAULT_SIZE = QSize(1280, 800)
MIN_SPREAD_SIZE = QSize(
    1100, 700
)  # pixels of a window; smaller ones have no room for docks at the right and at the bottom
MIN_CENTRE_PIXELS = 560  # of width that the letters and their controls get before a column of docks does
MIN_SIZE = QSize(760, 440)  # a screen of 800 x 500 without the frame of the window
STATE_VERSION = 1  # 0 kept the map at the bottom of a narrow window for ever
RIGHT_AREA, BOTTOM_AREA = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea


def place(window: MainWindow, settings: Settings) -> None:
    """Give ``load_bits`` the place that ``settings`` remember, as far as there is a screen with that room."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableGeometry().size() if screen is not None else DEFAULT_SIZE
    # Else it could not become smaller than roomy docks need, and they give way only once it has.
    window.setMinimumSize(MIN_SIZE)
    arrangement = DockArrangement(window)
    if settings.state and window.restoreState(QByteArray(settings.state), STATE_VERSION):
        arrangement.look_round()
    window.resize(DEFAULT_SIZE.boundedTo(room))  # at 200 % a usual screen has less
    if settings.geometry and window.restoreGeometry(QByteArray(settings.geometry)):
        _come_back_on_screen(window)
    if window.isMaximized() or window.isFullScreen():
        arrangement.suit(room)
        return
    wanted = window.size().boundedTo(room)  # what it has may be more: the docks of a larger screen need their room
    arrangement.suit(wanted)
    window.resize(wanted)


class DockArrangement(QObject):
    """Keeps the docks at the right and the bottom where the window is roomy, else all in one column at the right.

    Only docks that it has moved itself are moved back; what a person has placed or floated stays.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._roomy = True  # what the docks are arranged for
        self._moved: list[str] = []  # from the bottom to the column
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)  # once for many events, and not while the window is laid out
        self._later.timeout.connect(self._suit_window)
        window.installEventFilter(self)

    def look_round(self) -> None:
        """Take over a restored state: all in one column is what this made of a small window."""
        docks = self._window.docks
        at_right = [name for name in BOTTOM if self._area(name) == RIGHT_AREA and not docks[name].isFloating()]
        self._roomy = len(at_right) < len(BOTTOM)
        self._moved = [] if self._roomy else at_right

    def suit(self, size: QSize) -> None:
        """Arrange the docks for a window of ``size``."""
        roomy = size.width() >= MIN_SPREAD_SIZE.width() and size.height() >= MIN_SPREAD_SIZE.height()
        if roomy != self._roomy:
            self._roomy = roomy
            if roomy:
                self._spread()
            else:
                self._stack(size)
        for part in (self._window.centralWidget(), self._window):
            layout = part.layout() if part is not None else None
            if layout is not None:
                layout.activate()  # else the least size is one of before the docks were moved

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize or event.type() == QEvent.Type.ChildAdded:
            self._later.start()
        return False

    @Slot()
    def _suit_window(self) -> None:
        self.suit(self._window.size())
        only_direct = Qt.FindChildOption.FindDirectChildrenOnly
        for tabs in self._window.findChildren(QTabBar, options=only_direct):  # of docks that lie over each other
            tabs.setElideMode(Qt.TextElideMode.ElideNone)  # Qt would cut a name to its first letter
            tabs.setUsesScrollButtons(True)

    def _area(self, name: str) -> Qt.DockWidgetArea:
        return self._window.dockWidgetArea(self._window.docks[name])

    def _stack(self, size: QSize) -> None:
        window, docks = self._window, self._window.docks
        movable = [name for name in BOTTOM if self._area(name) == BOTTOM_AREA and not docks[name].isFloating()]
        pile = next((name for name in docks if self._area(name) == RIGHT_AREA and not docks[name].isFloating()), None)
        in_front = [
            name
            for name, dock in docks.items()
            if name not in movable and not dock.isFloating() and not dock.visibleRegion().isEmpty()
        ]
        for name in movable:
            window.addDockWidget(RIGHT_AREA, docks[name])
            if pile is not None:
                window.tabifyDockWidget(docks[pile], docks[name])
        self._moved = movable
        for name in in_front or ["wavefront"]:
            docks[name].raise_()
        column = min(int(MAX_DOCK_WIDTH_SHARE * size.width()), size.width() - MIN_CENTRE_PIXELS)
        window.resizeDocks([docks["wavefront"]], [column], Qt.Orientation.Horizontal)

    def _spread(self) -> None:
        window, docks = self._window, self._window.docks
        back = [name for name in self._moved if self._area(name) == RIGHT_AREA and not docks[name].isFloating()]
        for name in back:
            window.addDockWidget(BOTTOM_AREA, docks[name])
            if name != back[0]:
                window.tabifyDockWidget(docks[back[0]], docks[name])
        self._moved = []
        if back:
            docks[back[0]].raise_()
            window.resizeDocks([docks[back[0]]], [170], Qt.Orientation.Vertical)
            window.resizeDocks([docks["wavefront"]], [430], Qt.Orientation.Horizontal)


def _come_back_on_screen(window: MainWindow) -> None:
    """A screen may be gone since the geometry was saved."""
    frame = window.frameGeometry()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not any(screen.intersects(frame.adjusted(40, 0, -40, -40)) for screen in screens):
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(DEFAULT_SIZE)
        window.move(screens[0].topLeft())
