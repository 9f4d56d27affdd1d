"""The buttons at the foot of a dialog."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox

Standard = QDialogButtonBox.StandardButton


def button_box(dialog: QDialog, buttons: Standard) -> QDialogButtonBox:
    """Return ``buttons`` wired to accept and reject, without the style's pictures: they vanish on dark."""
    box = QDialogButtonBox(buttons, parent=dialog)
    for button in box.buttons():
        button.setIcon(QIcon())
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
