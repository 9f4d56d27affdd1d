"""Transport: to the start, a step back, play or pause, a step on, to the end, where it is, and how fast."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QVBoxLayout, QWidget

SIGNS = {"start": "|◀", "back": "◀", "play": "▶", "on": "▷", "end": "▶|"}
PAUSE = "‖"
BUTTON_PX, BUTTON_EMS = 40, 2.2  # width of a button: at least, and in sizes of its font


class Transport(QWidget):
    """Shows where something that plays is, and says what a person wants of it.

    Args:
        narrow: the slider has a row of its own.

    Signals:
        wanted: ``start``, ``back``, ``play``, ``on`` or ``end``.
        sought: a place of the slider.
    """

    wanted = Signal(str)
    sought = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, narrow: bool = False) -> None:
        super().__init__(parent)
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
            button.setProperty("wanted", id_)
            button.clicked.connect(self._clicked)
            row.addWidget(button)
            self.buttons[id_] = button
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("Step")
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows step whatever has the focus here
        self.slider.valueChanged.connect(self.sought)
        self.place = QLabel(self)
        self.speed = QLabel(self, alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.speed.setToolTip("Speed: F faster, S slower")
        if narrow:
            rows.addWidget(self.slider)
            row.addStretch(1)
        else:
            row.addWidget(self.slider, 1)
        rows.addLayout(row)
        row.addWidget(self.place)
        row.addWidget(self.speed)

    def fit_font(self) -> None:
        """Make the buttons as large as their font needs."""
        for button in self.buttons.values():
            button.setFixedWidth(max(BUTTON_PX, round(BUTTON_EMS * button.fontMetrics().height() / 1.3)))

    def show_place(self, at: int, last: int, place: str, widest: str, *, playing: bool, waits: bool = False) -> None:
        """Show that it is at ``at`` of 0 to ``last``.

        Args:
            place: the same for a person; ``widest``: the widest such text, whose room is kept.
            waits: it does not go on by itself or by a step.
        """
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, last)
            self.slider.setValue(at)
        self.place.setText(place)
        self.place.setMinimumWidth(self.place.fontMetrics().horizontalAdvance(widest))
        self.buttons["play"].setText(PAUSE if playing else SIGNS["play"])
        self.buttons["back"].setEnabled(at > 0)
        self.buttons["on"].setEnabled(at < last and not waits)

    def show_speed(self, text: str, widest: str) -> None:
        """Show how fast it plays, keeping the room of the ``widest`` such text."""
        self.speed.setText(text)
        self.speed.setMinimumWidth(self.speed.fontMetrics().horizontalAdvance(f" {widest}"))

    @Slot()
    def _clicked(self) -> None:
        self.wanted.emit(self.sender().property("wanted"))
