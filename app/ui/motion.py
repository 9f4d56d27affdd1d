"""Motion that nobody asked for: whether the system wants less of it, and the input that ends it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

INPUT = {
    QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
}  # fmt: skip


def less_motion() -> bool:
    """Return whether the system asks for less motion, where Qt knows that: from 6.12 on."""
    hints = getattr(QGuiApplication.styleHints(), "accessibility", lambda: None)()
    preference = getattr(hints, "motionPreference", lambda: None)()
    return bool(getattr(preference, "value", 0))  # 0: no preference


class InputWatch(QObject):
    """Sees every key, click and turn of the wheel in the program while it is on; they go on to whom they are for.

    Signals:
        heard: the widget and the event, before the widget has it.
    """

    heard = Signal(object, object)

    def turn(self, on: bool) -> None:
        """Begin to look, or end that."""
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
            if on:
                application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in INPUT and isinstance(watched, QWidget):  # a window has it before its widgets
            self.heard.emit(watched, event)
        return False
