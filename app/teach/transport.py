"""Transport: to the start, a step back, play or pause, a step on, to the end, where it is, and how fast."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from core.teach.player import Player
from core.translate import tr

CONTROLS = (
    ("start", "|◀"),
    ("back", "◀"),
    ("play", "▶"),
    ("on", "▷"),
    ("end", "▶|"),
)


class Transport(QWidget):
    """Shows where a player is, and says what a person wants of it.

    Signals:
        wanted: ``start``, ``back``, ``play``, ``on`` or ``end``.
        sought: a frame.
    """

    wanted = Signal(str)
    sought = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        names = {
            "start": tr("To the start (Home)"),
            "back": tr("Step back (←)"),
            "play": tr("Play or pause (Space)"),
            "on": tr("Step (→)"),
            "end": tr("To the end (End)"),
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for id_, sign in CONTROLS:
            button = QToolButton(self)
            button.setText(sign)
            button.setFixedWidth(40)
            button.setToolTip(names[id_])
            button.setAccessibleName(names[id_])
            button.setProperty("wanted", id_)
            button.clicked.connect(self._clicked)
            row.addWidget(button)
            self.buttons[id_] = button
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(tr("Step"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows step whatever has the focus here
        self.slider.valueChanged.connect(self._moved)
        self.place = QLabel(self)
        self.speed = QLabel(self)
        self.speed.setToolTip(tr("Speed: ↑ faster, ↓ slower"))
        row.addWidget(self.slider, 1)
        row.addWidget(self.place)
        row.addWidget(self.speed)

    def show_player(self, player: Player) -> None:
        """Show where ``player`` is."""
        last = player.n_frames - 1
        self.slider.blockSignals(True)
        self.slider.setRange(0, last)
        self.slider.setValue(player.at)
        self.slider.blockSignals(False)
        self.place.setText(tr("{step} of {total}", step=player.at, total=last))
        self.place.setMinimumWidth(
            self.place.fontMetrics().horizontalAdvance(tr("{step} of {total}", step=last, total=last))
        )
        self.speed.setMinimumWidth(self.speed.fontMetrics().horizontalAdvance(" 0.25×"))
        self.speed.setText(tr("{speed:g}×", speed=player.speed))
        self.buttons["play"].setText("‖" if player.playing else "▶")
        self.buttons["back"].setEnabled(player.at > 0)
        self.buttons["on"].setEnabled(not player.at_end and player.question is None)

    @Slot()
    def _clicked(self) -> None:
        self.wanted.emit(self.sender().property("wanted"))

    @Slot(int)
    def _moved(self, at: int) -> None:
        self.sought.emit(at)
