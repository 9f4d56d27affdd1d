"""Recordings of what widgets paint, which any thread plays into pixels, an SVG or a PDF."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter, QPicture, QRegion
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

T = TypeVar("T")
WidgetPart = tuple[QWidget, QPoint, QRect]
_ALONE = QWidget.RenderFlag(0)


class Recording:
    """Shapes, texts and images that are painted on the window's thread, a widget a step."""

    def __init__(self) -> None:
        self._picture = QPicture()

    def record(self, paint: Callable[[QPainter], Iterator[None]]) -> Iterator[None]:
        painter = QPainter(self._picture)
        try:
            yield from paint(painter)
        finally:
            painter.end()

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        """Paint it, scaled and placed as ``painter`` is; on any thread."""
        self._picture.play(painter)


def drained(steps: Generator[None, None, T]) -> T:
    """Return what ``steps`` return, which are all done now."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def paint_widget(painter: QPainter, widget: QWidget) -> Iterator[None]:
    """Paint a widget and all in it, one a step; a ``QPicture`` clips children only where the painter does."""
    flags: QWidget.RenderFlag = QWidget.RenderFlag.DrawWindowBackground
    for part, at, clip in widget_parts(widget):
        if isValid(part):  # it may have ended since the step before
            painter.save()
            painter.setClipRect(clip)
            QWidget.render(part, painter, at, QRegion(), flags)  # a view of graphics has another function of that name
            painter.restore()
            flags = _ALONE
            yield


def widget_parts(widget: QWidget) -> list[WidgetPart]:
    """Return the widget and all that are seen in it, their places in it, and what is seen of each."""

    def found(part: QWidget, at: QPoint, clip: QRect) -> Iterator[WidgetPart]:
        clip = clip.intersected(QRect(at, part.size()))
        if clip.isEmpty():
            return
        yield part, at, clip
        for child in part.children():
            if isinstance(child, QWidget) and not child.isHidden() and not child.isWindow():
                yield from found(child, at + child.pos(), clip)

    return list(found(widget, QPoint(), widget.rect()))
