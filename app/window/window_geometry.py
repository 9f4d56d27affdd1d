"""Geometry of the window: as it was left, and always on a screen that there is."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QStyle

from wavediff.app.window.settings import Settings

DEFAULT_SIZE = QSize(1280, 800)
MIN_SIZE = QSize(640, 400)


def place(window: QMainWindow, settings: Settings) -> None:
    """Give ``window`` the place that ``settings`` remember, as far as there is a screen with that room."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableGeometry().size() if screen is not None else DEFAULT_SIZE
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room -= QSize(0, title)  # whose height nobody knows yet; else the status bar would lie below the screen
    window.setMinimumSize(MIN_SIZE)
    window.resize(DEFAULT_SIZE.boundedTo(room))  # at 200 % a usual screen has less
    if settings.geometry and window.restoreGeometry(QByteArray(settings.geometry)):
        _come_back_on_screen(window)
    if not (window.isMaximized() or window.isFullScreen()):
        window.resize(window.size().boundedTo(room))


def _come_back_on_screen(window: QMainWindow) -> None:
    """A screen may be gone since the geometry was saved."""
    frame = window.frameGeometry()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not any(screen.intersects(frame.adjusted(40, 0, -40, -40)) for screen in screens):
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(DEFAULT_SIZE)
        window.move(screens[0].topLeft())
