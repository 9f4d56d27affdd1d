"""The few things a person sets once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QFormLayout, QLabel, QPushButton, QWidget

from app.ui.buttons import Standard, button_box
from app.ui.chooser import Chooser
from app.ui.theme import Scheme, Theme
from app.window.recent import RecentPairs
from core.translate import tr, tr_noop

SCHEMES = {Scheme.SYSTEM: tr_noop("System"), Scheme.LIGHT: tr_noop("Light"), Scheme.DARK: tr_noop("Dark")}


class Preferences(QDialog):
    """Changes take effect at once; there is nothing to apply."""

    def __init__(self, theme: Theme, recent: RecentPairs, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Preferences"))
        self._theme, self._recent = theme, recent
        self._scheme: Chooser[Scheme] = Chooser(self)
        for scheme, text in SCHEMES.items():
            self._scheme.add(scheme, tr(text))
        self._scheme.choose(theme.scheme)
        self._scheme.activated.connect(self._choose)
        self._clear = QPushButton(tr("Forget recent pairs"), self)
        self._clear.setEnabled(bool(recent.pairs))
        self._clear.clicked.connect(self._forget)
        where = QLabel(str(folder), self)
        where.setTextFormat(Qt.TextFormat.PlainText)
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = button_box(self, Standard.Close)
        layout = QFormLayout(self)
        layout.addRow(tr("Colours"), self._scheme)
        layout.addRow(tr("Recent pairs"), self._clear)
        layout.addRow(tr("Settings are kept in"), where)
        layout.addRow(buttons)

    @Slot()
    def _choose(self) -> None:
        self._theme.set_scheme(self._scheme.value)

    @Slot()
    def _forget(self) -> None:
        self._recent.clear()
        self._clear.setEnabled(False)
