"""A button whose menu says as what a file is read, and what its letters are."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.window.sequence_loader import ReadItem
from core.sequences.read_as import ReadAs
from core.sequences.sequence import Alphabet, Sequence

FORMATS = {"plain": "plain text"}  # what a person calls what ``Sequence.format`` says


class ReadAsButton(QToolButton):
    """Signals:
    chosen: a ``ReadAs`` and an ``Alphabet`` (None = as the letters look); something else than before was chosen.
    """

    chosen = Signal(object, object)

    def __init__(self, side: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_as = ReadAs.AUTO
        self._alphabet: Alphabet | None = None
        self.setText("Read as")
        self.setToolTip(f"As what {side} is read, and what its letters are")
        self.setAccessibleName(f"Read {side} as")
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.setMenu(menu)
        menu.addSection("Read as")
        self._formats = {each: self._action(menu, each.label) for each in ReadAs}
        self._group(self._formats.values())
        menu.addSection("Letters are")
        self._alphabets: dict[Alphabet | None, QAction] = {None: self._action(menu, "Auto")}
        for each in Alphabet:
            self._alphabets[each] = self._action(menu, each[0].upper() + each[1:])
        self._group(self._alphabets.values())

    def show_choice(self, sequence: Sequence, want: ReadItem) -> None:
        """Mark how ``sequence`` was read; what is found out by itself says what was found."""
        self._read_as, self._alphabet = want.read_as, want.alphabet
        self._formats[want.read_as].setChecked(True)
        self._alphabets[want.alphabet].setChecked(True)
        found = f" ({FORMATS.get(sequence.format, sequence.format)})" if want.read_as is ReadAs.AUTO else ""
        self._formats[ReadAs.AUTO].setText(f"Auto{found}")
        self._alphabets[None].setText(f"Auto ({sequence.alphabet})" if want.alphabet is None else "Auto")

    def _action(self, menu: QMenu, text: str) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(True)
        return action

    def _group(self, actions: Iterable[QAction]) -> None:
        group = QActionGroup(self)
        for each in actions:
            group.addAction(each)
        group.triggered.connect(self._choose)

    @Slot(QAction)
    def _choose(self, _action: QAction) -> None:
        read_as = next(key for key, each in self._formats.items() if each.isChecked())
        alphabet = next(key for key, each in self._alphabets.items() if each.isChecked())
        if (read_as, alphabet) != (self._read_as, self._alphabet):
            # What was shown is shown again until the reading has succeeded.
            self._formats[self._read_as].setChecked(True)
            self._alphabets[self._alphabet].setChecked(True)
            self.chosen.emit(read_as, alphabet)
