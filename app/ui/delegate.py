"""Helpers that the painters of single cells share."""

from __future__ import annotations

from PySide6.QtWidgets import QStyledItemDelegate, QWidget

from wavediff.app.ui.theme import Theme


class ThemedDelegate(QStyledItemDelegate):
    """Paints in the colours of ``theme``, as they are when it does.

    A model answers None to whatever it fails at (``wavediff.app.ui.reported``), so ask for a role with
    ``index.data(role) or ...``.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
