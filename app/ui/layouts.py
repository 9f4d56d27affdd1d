"""Widgets and layouts in a row or in a column, said in one line."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | int
Margin = int | tuple[int, int, int, int]
L = TypeVar("L", bound=QBoxLayout)


def in_row(
    *items: Item, on: QWidget | None = None, margin: Margin | None = None, gap: int | None = None
) -> QHBoxLayout:
    """Return a layout with ``items`` from left to right.

    Args:
        items: widgets and layouts, with their share of the room that is left where they take some; a number alone is
            room that stays empty.
        on: the widget that is laid out.
        margin, gap: pixels around all sides (or left, top, right, bottom) and between two items; None: as Qt has them.
    """
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), items, margin, gap)


def in_column(
    *items: Item, on: QWidget | None = None, margin: Margin | None = None, gap: int | None = None
) -> QVBoxLayout:
    """Return a layout with ``items`` from top to bottom; see ``in_row``."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), items, margin, gap)


def _filled(layout: L, items: tuple[Item, ...], margin: Margin | None, gap: int | None) -> L:
    if margin is not None:
        layout.setContentsMargins(*((margin,) * 4 if isinstance(margin, int) else margin))
    if gap is not None:
        layout.setSpacing(gap)
    for each in items:
        if isinstance(each, int):
            layout.addStretch(each)
            continue
        item, share = each if isinstance(each, tuple) else (each, 0)
        if isinstance(item, QWidget):
            layout.addWidget(item, share)
        else:
            layout.addLayout(item, share)
    return layout
