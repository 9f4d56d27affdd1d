"""Sentences for screen readers, whatever has the focus."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str, *, loud: bool = False) -> None:
    """Have a screen reader say ``text`` of ``widget``; ``loud``: at once, in the middle of what it says."""
    event = QAccessibleAnnouncementEvent(widget, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if loud else politeness.Polite)
    QAccessible.updateAccessibility(event)
