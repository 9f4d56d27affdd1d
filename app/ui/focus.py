"""Keyboard focus of the parts of the window."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_stops(first: QWidget) -> Iterator[QWidget]:
    """Yield the widgets of the window that Tab can reach, also hidden ones, in order from ``first`` on."""
    at: QWidget | None = first
    while at is not None:
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield at
        if (at := at.nextInFocusChain()) is not None:
            at.setParent(at.parentWidget())  # PySide made it a child of the widget before, to end with it
        if at is first:
            return


def give_focus(part: QWidget, but: tuple[type[QWidget], ...] = ()) -> bool:
    """Focus ``part``, or its first widget in tab order; return whether one accepted the focus.

    Args:
        but: classes of widgets to skip.
    """
    for at in tab_stops(part.focusProxy() or part):
        inside = at is part or part.isAncestorOf(at)
        if inside and at.isEnabled() and at.isVisible() and not isinstance(at, but):
            at.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return True
    return False
