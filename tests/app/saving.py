"""The dialog that asks where to save, as a person uses it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from wavediff.app.ui.save_dialog import SaveDialog


class Asked:
    """A dialog that is open, with hands."""

    def __init__(self, qtbot: QtBot, parent: QWidget) -> None:
        qtbot.waitUntil(lambda: any(one.isVisible() for one in parent.findChildren(SaveDialog)))
        self.dialog = next(one for one in parent.findChildren(SaveDialog) if one.isVisible())
        self.name = self.dialog.findChild(QLineEdit, "fileNameEdit")

    def choose(self, name_filter: str) -> None:
        box = self.dialog.findChild(QComboBox, "fileTypeCombo")
        box.setCurrentText(name_filter)
        box.textActivated.emit(name_filter)

    def type(self, text: str | Path) -> None:
        self.name.setText(str(text))
        self.dialog.accept()
