"""Inputs of a lesson's part, typed anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QFormLayout, QLabel, QLineEdit, QWidget

from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.core.teach.inputs import input_text

FIELD_LETTERS = 40  # that a field has room for
INPUT_NAMES = {
    "a": "A",
    "b": "B",
    "block": "Rows and columns of a block",
    "rows": "Rows",
    "cols": "Columns",
    "first": "First rows at the top or at the bottom",
    "width": "Bits of a part",
    "cut": "Halved: rows or columns",
    "height": "Rows of a word",
    "record": "File of a record",
    "workers": "Workers",
    "rules": "Rules: queue, calls, strips, alone",
    "q": "Patterns",
    "m": "Letters of a pattern",
    "letters": "Letters of a key",
}


class InputsDialog(QDialog):
    """A field for each input; it stays open until they are taken or it is left.

    Signals:
        typed: the texts of all fields that were changed, by the names of the inputs.
    """

    typed = Signal(object)

    def __init__(self, inputs: Mapping[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Other inputs")
        self._before = {name: input_text(value) for name, value in inputs.items()}
        self.fields = {name: self._field(name, text) for name, text in self._before.items()}
        self.fault = QLabel(self, wordWrap=True)
        form = QFormLayout()
        for name, field in self.fields.items():
            form.addRow(INPUT_NAMES.get(name, name), field)
        in_column(form, self.fault, button_box(self, Standard.Ok | Standard.Cancel), on=self)

    def _field(self, name: str, text: str) -> QLineEdit:
        field = QLineEdit(text, self)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setMinimumWidth(FIELD_LETTERS * field.fontMetrics().averageCharWidth())
        field.setAccessibleName(INPUT_NAMES.get(name, name))
        field.setCursorPosition(0)
        return field

    def accept(self) -> None:
        """Hand on what was typed; whoever takes it closes the dialog, or says what is wrong."""
        texts = {name: field.text() for name, field in self.fields.items()}
        self.typed.emit({name: text for name, text in texts.items() if text != self._before[name]})

    def refuse(self, text: str) -> None:
        """Say what is wrong with what was typed, and what is possible."""
        self.fault.setText(text)
        self.fault.setAccessibleName(text)
