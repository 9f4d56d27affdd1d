"""Keys of the window that depend on what is open: Escape, and Enter on a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit

from wavediff.app.ui.buttons import press_focused
from wavediff.app.window.band_bar import BandBar

if TYPE_CHECKING:
    from wavediff.app.window.main_window import MainWindow

FIELDS = QLineEdit, QPlainTextEdit, QAbstractSpinBox


class WindowKeys:
    """Escape ends the nearest thing: the list of notices, a band that is tried, a selection, typing in a field, full
    screen; only then a run.

    Dialogs, menus and popovers are windows of their own and close before this is asked.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def overrides(self, event: QEvent) -> bool:
        """Return whether a key is no shortcut of an action now: Escape, while something is nearer than a run."""
        return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._nearest() is not None

    def press(self, event: QKeyEvent) -> bool:
        """Answer a key that no widget took; return whether it meant anything."""
        if event.key() == Qt.Key.Key_Escape:
            close = self._nearest()
            if close is not None:
                close()
            return close is not None
        return press_focused(event, self._window)

    def _nearest(self) -> Callable[[], object] | None:
        window, letters = self._window, self._window.alignment.canvas
        focus, bar = window.focusWidget(), window.findChild(BandBar)
        if window.answer.list.isVisible():
            return window.answer.list.hide
        if window.session.trial is not None and bar is not None and bar.isAncestorOf(focus or window):
            return bar.leave
        if focus is letters and letters.selection != (0, 0):
            return lambda: letters.set_selection(0, 0)
        if isinstance(focus, FIELDS):
            return window.leave_field
        if window.isFullScreen():
            return window.commands.full_screen
        return None
