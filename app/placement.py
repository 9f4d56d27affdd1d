"""Where the window and its docks stand at first: as they were left, or as suits the screen."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication

from app.docks import WIDEST
from app.settings import Settings
from app.window_parts import WindowParts

USUAL = QSize(1280, 800)
WIDE = 1100  # pixels; narrower screens have no room for a column at the right
HIGH = 640  # pixels; lower ones have no room for a row at the bottom
BOTTOM = ("timings", "ledger", "statistics")


def place(window: WindowParts, settings: Settings) -> None:
    """Give ``window`` the place that ``settings`` remember, if that is on a screen."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableGeometry().size() if screen is not None else USUAL
    low = room.height() < HIGH
    if low:
        _stack_right(window)
    elif room.width() < WIDE:
        window.tabifyDockWidget(window.docks["timings"], window.docks["wavefront"])
    for part in (window.centralWidget(), window):
        layout = part.layout() if part is not None else None
        if layout is not None:
            layout.activate()  # else the least size is one of before the docks were moved
    window.resize(USUAL.boundedTo(room))  # at 200 % a usual screen has less
    if low:
        share = int(WIDEST * window.width())
        window.resizeDocks([window.docks["wavefront"]], [share], Qt.Orientation.Horizontal)
    if settings.geometry and window.restoreGeometry(QByteArray(settings.geometry)):
        _come_back_on_screen(window)
    if settings.state:
        window.restoreState(QByteArray(settings.state))


def _stack_right(window: WindowParts) -> None:
    """All docks in one column of tabs, the wavefront on top."""
    for name in BOTTOM:
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks[name])
        window.tabifyDockWidget(window.docks["wavefront"], window.docks[name])
    window.docks["wavefront"].raise_()


def _come_back_on_screen(window: WindowParts) -> None:
    """A screen may be gone since the geometry was saved (fault E3)."""
    frame = window.frameGeometry()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not any(screen.intersects(frame.adjusted(40, 0, -40, -40)) for screen in screens):
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(USUAL)
        window.move(screens[0].topLeft())
