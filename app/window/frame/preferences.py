"""The few things a person sets once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QLabel, QPushButton, QWidget

from wavediff.app.compare.replay import Replay
from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.pair.session import Session
from wavediff.core.methods import METHODS

SCHEMES = {Scheme.SYSTEM: "System", Scheme.LIGHT: "Light", Scheme.DARK: "Dark"}


class Preferences(QDialog):
    """Changes take effect at once; there is nothing to apply."""

    def __init__(
        self, theme: Theme, session: Session, replay: Replay, folder: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._theme, self._session, self._replay = theme, session, replay
        self._scheme: Chooser[Scheme] = Chooser(self)
        for scheme, text in SCHEMES.items():
            self._scheme.add(scheme, text)
        self._scheme.choose(theme.scheme)
        self._scheme.activated.connect(self._choose)
        self._method: Chooser[str] = Chooser(self)
        for one in METHODS:
            self._method.add(one.id, one.name, one.tip)
        self._method.setToolTip("The method with which another pair begins; each pair keeps its own")
        self._method.choose(session.start.method)
        self._method.activated.connect(self._choose_method)
        self._replays = QCheckBox("Replay a run of less than a second by itself", self)
        self._replays.setToolTip("Once, after its answer; any key or click ends it")
        self._replays.setChecked(replay.by_itself)
        self._replays.toggled.connect(self._choose_replay)
        self._clear = QPushButton("Forget recent pairs", self)
        self._clear.setEnabled(bool(session.recent.pairs))
        self._clear.clicked.connect(self._forget)
        where = QLabel(str(folder), self, textFormat=Qt.TextFormat.PlainText)
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = button_box(self, Standard.Close)
        layout = QFormLayout(self)
        layout.addRow("Colours", self._scheme)
        layout.addRow("Method of new pairs", self._method)
        layout.addRow("Map", self._replays)
        layout.addRow("Recent pairs", self._clear)
        layout.addRow("Settings are kept in", where)
        layout.addRow(buttons)

    @Slot()
    def _choose(self) -> None:
        self._theme.set_scheme(self._scheme.value)

    @Slot()
    def _choose_method(self) -> None:
        self._session.start_with(self._method.value)

    @Slot(bool)
    def _choose_replay(self, on: bool) -> None:
        self._replay.by_itself = on

    @Slot()
    def _forget(self) -> None:
        self._session.recent.clear()
        self._clear.setEnabled(False)
