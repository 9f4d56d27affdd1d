"""Buttons of dialogs, the key that presses one, questions, and grey actions with the reason in their tips."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QDialogButtonBox, QMessageBox, QWidget

Standard = QDialogButtonBox.StandardButton
Box = QMessageBox.StandardButton


def button_box(dialog: QDialog, buttons: Standard) -> QDialogButtonBox:
    """Return ``buttons`` wired to accept and reject, without the style's pictures: they vanish on dark."""
    box = QDialogButtonBox(buttons, parent=dialog)
    for button in box.buttons():
        button.setIcon(QIcon())
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box


def ask_first(
    parent: QWidget | None, name: str, texts: tuple[str, str], yes: Box, no: Box, then: Callable[[bool], object]
) -> None:
    """Ask ``texts`` (title and question) without a loop of its own; call ``then`` with whether the answer is ``yes``.

    Args:
        name: of the box, for tests and style sheets.
    """
    icon = QMessageBox.Icon.Question if no is Box.Cancel else QMessageBox.Icon.Warning
    box = QMessageBox(icon, *texts, yes | no, parent)
    box.setObjectName(name)

    def answered(button: int) -> None:
        box.deleteLater()
        then(button == yes)

    box.finished.connect(answered)
    box.open()


def press_focused(event: QKeyEvent, window: QWidget) -> bool:
    """Press the button of ``window`` that has the focus, where the key is Enter; Qt does so in dialogs only."""
    button, held = window.focusWidget(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held
    if not enter or not isinstance(button, QAbstractButton) or not button.isEnabled():
        return False
    button.click()
    return True


def allow(action: QAction, why_not: str) -> None:
    """Enable an action, or grey it and show why it cannot be done: ``why_not``, empty where it can be."""
    tips = action.property("tips")
    if tips is None:  # as it is when it can be done
        tips = [action.toolTip(), action.statusTip()]
        action.setProperty("tips", tips)
    action.setEnabled(not why_not)
    action.setToolTip(why_not or tips[0])
    action.setStatusTip(why_not or tips[1])
