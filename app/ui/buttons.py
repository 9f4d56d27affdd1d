"""Buttons: those at the foot of a dialog, and the key that presses one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QDialogButtonBox, QWidget

Standard = QDialogButtonBox.StandardButton


def button_box(dialog: QDialog, buttons: Standard) -> QDialogButtonBox:
    """Return ``buttons`` wired to accept and reject, without the style's pictures: they vanish on dark."""
    box = QDialogButtonBox(buttons, parent=dialog)
    for button in box.buttons():
        button.setIcon(QIcon())
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box


def press_focused(event: QKeyEvent, window: QWidget) -> bool:
    """Press the button of ``window`` that has the focus, where the key is Enter; Qt does so in dialogs only."""
    button, held = window.focusWidget(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held
    if not enter or not isinstance(button, QAbstractButton) or not button.isEnabled():
        return False
    button.click()
    return True
