"""Helpers that the painters of single cells share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from wavediff.app.ui.theme import Theme

BARS_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # what the bars of a cell show


class ThemedDelegate(QStyledItemDelegate):
    """Paints in the colours of ``theme``, as they are when it does.

    A model answers None to whatever it fails at (``wavediff.app.ui.reported``), so ask for a role with
    ``index.data(role) or ...``.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme


class BarDelegate(ThemedDelegate):
    """Bars in a cell.

    Args:
        draw: paints what the model has for ``BARS_ROLE`` into a box.
    """

    def __init__(self, theme: Theme, parent: QWidget, draw: Callable[[QPainter, QRectF, Theme, Any], object]) -> None:
        super().__init__(theme, parent)
        self._draw = draw

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if (bars := index.data(BARS_ROLE)) is not None:
            self._draw(painter, QRectF(option.rect).adjusted(6, 4, -6, -4), self._theme, bars)
