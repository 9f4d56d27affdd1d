"""Keyboard focus of the parts of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def give_focus(part: QWidget, but: tuple[type[QWidget], ...] = ()) -> bool:
    """Focus ``part``, or its first widget in tab order; return whether one accepted the focus.

    Args:
        but: classes of widgets to skip.
    """
    at: QWidget | None = part.focusProxy() or part
    seen = 0
    while at is not None and (at is part or part.isAncestorOf(at) or seen == 0):
        takes = at.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(at, but)
        if takes and at.isEnabled() and at.isVisible() and (at is part or part.isAncestorOf(at)):
            at.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return True
        at, seen = at.nextInFocusChain(), seen + 1
        if at is part:
            break
    return False
