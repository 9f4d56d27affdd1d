"""Text from the clipboard on its way to become A or B; seen, and named, before it is read."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)

from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.pair import Side
from wavediff.core.base.numbers import count, number

MAX_EDITABLE_LETTERS = 200_000  # letters; a text editor is no place for a chromosome
PREVIEW_LETTERS = 4_000


class PasteDialog(QDialog):
    """Signals:
    taken: the text and its ``Side``.
    """

    taken = Signal(str, object)

    def __init__(self, text: str, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Paste a sequence")
        self._whole = text if len(text) > MAX_EDITABLE_LETTERS else None
        self._edit = QPlainTextEdit(self, placeholderText="Letters, or FASTA with its '>' line")
        self._edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._edit.setAccessibleName("Text of the sequence")
        self._edit.setTabChangesFocus(True)
        self._edit.setPlainText(text if self._whole is None else text[:PREVIEW_LETTERS])
        self._edit.setReadOnly(self._whole is not None)
        self._note = QLabel(self)
        self._sides = {each: QRadioButton(f"as &{each.value}", self) for each in Side}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        for each, button in self._sides.items():
            group.addButton(button)
            button.setChecked(each is side)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._note)
        self._buttons = button_box(self, Standard.Ok | Standard.Cancel)
        in_column((self._edit, 1), row, self._buttons, on=self)
        self.resize(620, 360)
        self._edit.textChanged.connect(self._count)
        self._count()

    @property
    def text(self) -> str:
        return self._edit.toPlainText() if self._whole is None else self._whole

    @property
    def side(self) -> Side:
        return next(side for side, button in self._sides.items() if button.isChecked())

    def accept(self) -> None:
        self.taken.emit(self.text, self.side)
        super().accept()

    @Slot()
    def _count(self) -> None:
        length = len(self.text)
        text = count(length, "character", "characters")
        if self._whole is not None:
            text = f"{number(length)} characters, the first {number(PREVIEW_LETTERS)} shown"
        self._note.setText(text)
        self._buttons.button(Standard.Ok).setEnabled(length > 0)
