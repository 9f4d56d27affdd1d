"""Playback controls, and input that ends automatic animations."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QSizePolicy, QSlider, QToolButton, QVBoxLayout, QWidget

from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.layouts import in_row

INPUT = {
    QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
}  # fmt: skip


def less_motion() -> bool:
    """Return whether the system requests reduced motion; known from Qt 6.12 on."""
    hints = getattr(QGuiApplication.styleHints(), "accessibility", lambda: None)()
    preference = getattr(hints, "motionPreference", lambda: None)()
    return bool(getattr(preference, "value", 0))  # 0: no preference


class InputWatch(QObject):
    """Observes every key, click and wheel event of the program while on, without consuming it.

    Signals:
        heard: the widget and the event, before the widget receives it.
    """

    heard = Signal(object, object)

    def turn(self, on: bool) -> None:
        """Turn the observer on or off."""
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
            if on:
                application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in INPUT and isinstance(watched, QWidget):  # a window has it before its widgets
            self.heard.emit(watched, event)
        return False


SIGNS = {"start": "|◀", "back": "◀", "play": "▶", "on": "▷", "end": "▶|"}
PAUSE = "‖"
BUTTON_PX, BUTTON_EMS = 36, 2.2  # width of a button: at least, and in sizes of its font
LEAST_SPEED_PX = 48  # of the speed next to them in a narrow row


class Transport(QWidget):
    """Playback controls with position and speed.

    Args:
        narrow: slider and position have their own row.

    Signals:
        wanted: ``start``, ``back``, ``play``, ``on`` or ``end``.
        sought: a slider position.
        speed_wanted: index of a speed of ``show_speeds``.
    """

    wanted = Signal(str)
    sought = Signal(int)
    speed_wanted = Signal(int)

    def __init__(self, *, narrow: bool = False) -> None:
        super().__init__()
        self.buttons: dict[str, QToolButton] = {}
        names = {
            "start": "To the start (Home)",
            "back": "Step back (←)",
            "play": "Play or pause (Space)",
            "on": "Step (→)",
            "end": "To the end (End)",
        }
        rows, row = QVBoxLayout(self), QHBoxLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        row.setSpacing(4)
        for id_, sign in SIGNS.items():
            button = QToolButton(self)
            button.setText(sign)
            button.setFixedWidth(BUTTON_PX)
            button.setToolTip(names[id_])
            button.setAccessibleName(names[id_])
            button.clicked.connect(lambda _, id_=id_: self.wanted.emit(id_))
            row.addWidget(button)
            self.buttons[id_] = button
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("Step")
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # arrow keys step regardless of the focus
        self.slider.valueChanged.connect(self.sought)
        self.place = QLabel(self)
        self.speed = Chooser[int]("Speed", self)
        self.speed.activated.connect(self.speed_wanted)
        self._speeds: tuple[str, ...] = ()
        if narrow:
            rows.addLayout(in_row((self.slider, 1), self.place, gap=8))
            self.speed.setMinimumWidth(LEAST_SPEED_PX)  # it shrinks before buttons do
            self.speed.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        else:
            row.addWidget(self.slider, 1)
            row.addWidget(self.place)
        rows.addLayout(row)
        row.addWidget(self.speed)
        row.addStretch(1 if narrow else 0)

    def fit_font(self) -> None:
        for button in self.buttons.values():
            button.setFixedWidth(max(BUTTON_PX, round(BUTTON_EMS * button.fontMetrics().height() / 1.3)))

    def show_place(self, at: int, last: int, place: str, widest: str, *, playing: bool, waits: bool = False) -> None:
        """Show position ``at`` of 0 to ``last``.

        Args:
            place: text of the position; ``widest``: the widest such text, which reserves the space.
            waits: playback and steps are paused.
        """
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, last)
            self.slider.setValue(at)
        self.place.setText(place)
        self.place.setMinimumWidth(self.place.fontMetrics().horizontalAdvance(widest))
        self.buttons["play"].setText(PAUSE if playing else SIGNS["play"])
        self.buttons["back"].setEnabled(at > 0)
        self.buttons["on"].setEnabled(at < last and not waits)

    def show_speeds(self, texts: Sequence[str], at: int, tip: str) -> None:
        """Offer the speeds (slowest first) with ``at`` selected."""
        if self._speeds != tuple(texts):
            self._speeds = tuple(texts)
            with QSignalBlocker(self.speed):
                self.speed.clear()
                for number, text in enumerate(texts):
                    self.speed.add(number, text)
        self.speed.setCurrentIndex(at)
        self.speed.setToolTip(f"{tip}F: faster, S: slower")
