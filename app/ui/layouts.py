"""Layouts: rows, columns, flow layout, and splitters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | int
Margin = int | tuple[int, int, int, int]
L = TypeVar("L", bound=QBoxLayout)


def in_row(
    *items: Item, on: QWidget | None = None, margin: Margin | None = None, gap: int | None = None
) -> QHBoxLayout:
    """Return a horizontal layout of ``items``.

    Args:
        items: widgets and layouts, with a stretch factor if any; a number alone is empty space.
        on: the parent widget.
        margin, gap: pixels around (or left, top, right, bottom) and between items; None: Qt's defaults.
    """
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), items, margin, gap)


def in_column(
    *items: Item, on: QWidget | None = None, margin: Margin | None = None, gap: int | None = None
) -> QVBoxLayout:
    """Return a vertical layout of ``items``; see ``in_row``."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), items, margin, gap)


def with_empty_page(full: QWidget, on: QWidget, margin: int = 0) -> tuple[QLabel, QStackedLayout]:
    """Stack a text for the empty state, shown first, and ``full``; return the text and the layout."""
    text = QLabel(on, textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter)
    text.setWordWrap(True)
    text.setMargin(margin)
    pages = QStackedLayout(on)
    pages.addWidget(text)
    pages.addWidget(full)
    return text, pages


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


class FlowLayout(QLayout):
    """Flow layout: items from left to right, wrapped into lines.

    Args:
        last: item aligned to the right edge if all items are on one line.
    """

    def __init__(self, *widgets: QWidget, last: Iterable[QWidget] = (), spacing: int = 6) -> None:
        super().__init__(spacing=spacing)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width: a window that is laid out asks for them dozens of times
        self.setContentsMargins(0, 0, 0, 0)
        for widget in (*widgets, *last):
            self.addWidget(widget)
        self._stretch = len(widgets)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def invalidate(self) -> None:
        self._heights = {}
        super().invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        self._heights = {}
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._height(width)
        return self._heights[width]

    def _height(self, width: int) -> int:
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        heights = [max(item.sizeHint().height() for item in line) for line in lines]
        return sum(heights) + self.spacing() * max(0, len(lines) - 1) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        margins, items = self.contentsMargins(), self._shown()
        width = sum(item.sizeHint().width() for item in items) + self.spacing() * max(0, len(items) - 1)
        height = max((item.sizeHint().height() for item in items), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def minimumSize(self) -> QSize:
        margins, items = self.contentsMargins(), self._shown()
        width = max((item.minimumSize().width() for item in items), default=0)
        height = max((item.minimumSize().height() for item in items), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        margins = self.contentsMargins()
        inner = rect.adjusted(margins.left(), margins.top(), -margins.right(), -margins.bottom())
        lines, y = self._lines(inner.width()), inner.top()
        last = set(map(id, self._items[self._stretch :]))
        for line in lines:
            height, x = max(item.sizeHint().height() for item in line), inner.left()
            used = sum(self._width(item, inner.width()) for item in line) + self.spacing() * (len(line) - 1)
            for k, item in enumerate(line):
                if len(lines) == 1 and id(item) in last and (k == 0 or id(line[k - 1]) not in last):
                    x += max(0, inner.width() - used)
                width, tall = self._width(item, inner.width()), item.sizeHint().height()
                item.setGeometry(QRect(QPoint(x, y + (height - tall) // 2), QSize(width, tall)))
                x += width + self.spacing()
            y += height + self.spacing()

    @staticmethod
    def _width(item: QLayoutItem, room: int) -> int:
        return max(item.minimumSize().width(), min(item.sizeHint().width(), room))

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, room: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            width = self._width(item, room)
            if not lines or used + self.spacing() + width > room:
                lines.append([])
                used = -self.spacing()
            lines[-1].append(item)
            used += self.spacing() + width
        return lines


def as_one_widget(*widgets: QWidget) -> QWidget:
    """Group ``widgets`` (e.g. a label and its field) so that they stay on one line."""
    whole = QWidget()
    in_row(*widgets, on=whole, margin=0, gap=6)
    return whole


SIDE_BY_SIDE_PX, LOW_PX = 560, 300  # from this width on, and below this height


class FittingSplitter(QSplitter):
    """Vertical splitter; horizontal if the area is wide and low.

    Args:
        below, right: shares of both widgets in the height, if vertical, and in the width, if horizontal.
    """

    def __init__(self, first: QWidget, second: QWidget, below: tuple[int, int], right: tuple[int, int]) -> None:
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._shares = {Qt.Orientation.Vertical: below, Qt.Orientation.Horizontal: right}
        self.addWidget(first)
        self.addWidget(second)
        self._share_out(Qt.Orientation.Vertical)

    def _share_out(self, orientation: Qt.Orientation) -> None:
        self.setOrientation(orientation)
        room = self.width() if orientation is Qt.Orientation.Horizontal else self.height()
        shares = self._shares[orientation]
        for part, share in enumerate(shares):
            self.setStretchFactor(part, share)
        self.setSizes([room * share // sum(shares) for share in shares])

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_low = self.width() >= SIDE_BY_SIDE_PX and self.height() < LOW_PX
        wanted = Qt.Orientation.Horizontal if is_low else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self._share_out(wanted)
        super().resizeEvent(event)
