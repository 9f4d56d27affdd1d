"""Recording of pictures in the GUI thread, with their resolution."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QPainter, QPicture, QRegion, QTransform
from PySide6.QtWidgets import QTableView, QWidget
from shiboken6 import isValid

LINES_RATIO = 4.0  # pixels of what stays pixels in a picture of lines, in one of the widget


class _Ratios(threading.local):
    def __init__(self) -> None:
        self.every: list[float] = []


_ratios = _Ratios()


@contextmanager
def in_picture(ratio: float) -> Iterator[None]:
    """Mark the painting of this thread as a picture with ``ratio`` times the screen resolution."""
    _ratios.every.append(ratio)
    try:
        yield
    finally:
        _ratios.every.pop()


def picture_ratio() -> float:
    """Return the resolution ratio of the picture being painted; 0: the screen."""
    return _ratios.every[-1] if _ratios.every else 0.0


def pixel_ratio(widget: QWidget) -> float:
    return picture_ratio() or widget.devicePixelRatioF()


def corner_of(widget: QWidget, ratio: float) -> QPointF:
    """Return the offset that aligns pixels of ``widget`` with device pixels under fractional scaling."""
    origin = widget.mapTo(widget.window(), QPointF(0, 0)) * ratio
    return QPointF(round(origin.x()) - origin.x(), round(origin.y()) - origin.y()) / ratio


WidgetPart = tuple[QWidget, QPoint, QRect]
Late = Callable[[QPainter], object]
ROWS_A_STEP = 12  # of a table, each of which its delegate paints in Python
_ALONE = QWidget.RenderFlag(0)


class Recording:
    """Recorded shapes, texts and images of widgets (one per step), then the ``Layered`` parts."""

    def __init__(self) -> None:
        self._picture = QPicture()
        self._late: list[Late] = []

    def record(self, paint: Callable[[QPainter], Iterator[Late | None]]) -> Iterator[None]:
        painter = QPainter(self._picture)
        try:
            for late in paint(painter):
                if late is not None:
                    self._late.append(late)
                yield
        finally:
            painter.end()

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        """Replay the recording with the transformation of ``painter``; thread-safe."""
        self._picture.play(painter)
        for late in self._late:
            late(painter)


@runtime_checkable
class Prepared(Protocol):
    def prepared(self) -> Iterator[None]: ...


@runtime_checkable
class Layered(Protocol):
    """Widget with an image too large for a ``QPicture``, which compresses it."""

    def above(self) -> Late:
        """Return a thread-safe painter for the parts that the widget omits ``in_picture``."""


def paint_now(painter: QPainter, steps: Iterator[Late | None]) -> None:
    """Paint a recording at once."""
    for late in steps:
        if late is not None:
            late(painter)


def paint_widget(painter: QPainter, widget: QWidget) -> Iterator[Late | None]:
    """Paint a widget and its children, one per step; a ``QPicture`` clips children only if the painter does.

    The images of ``Prepared`` widgets are made in steps; painters of ``Layered`` widgets are yielded.
    """
    flags: QWidget.RenderFlag = QWidget.RenderFlag.DrawWindowBackground
    for part, at, clip in widget_parts(widget):
        if isinstance(part, Prepared):
            yield from part.prepared()
        for seen in _strips(part, clip.translated(-at)) if isValid(part) else ():
            if isValid(part):  # it may have ended since the step before
                painter.save()
                painter.setClipRect(seen.translated(at))
                region = QRegion(seen)
                QWidget.render(part, painter, at + seen.topLeft(), region, flags)  # a view of graphics has another one
                painter.restore()
                flags = _ALONE
                yield None
    for part, at, clip in widget_parts(widget):
        if isinstance(part, Layered):
            yield partial(_paint_at, part.above(), painter.worldTransform(), at, clip)


def _paint_at(late: Late, placed: QTransform, at: QPoint, clip: QRect, painter: QPainter) -> None:
    painter.save()
    painter.setWorldTransform(placed, combine=True)
    painter.setClipRect(clip)
    painter.translate(at)
    late(painter)
    painter.restore()


def _strips(part: QWidget, seen: QRect) -> Iterator[QRect]:
    """Yield the visible area of a widget at once; of a table in strips."""
    table = part.parentWidget()
    if isinstance(table, QTableView) and part is table.viewport() and table.model() is not None:
        for row in range(ROWS_A_STEP, table.model().rowCount(), ROWS_A_STEP):
            top = table.rowViewportPosition(row)
            if seen.top() < top <= seen.bottom():
                yield QRect(seen.topLeft(), QPoint(seen.right(), top - 1))
                seen.setTop(top)
    yield seen


def widget_parts(widget: QWidget) -> list[WidgetPart]:
    """Return the widget and its visible children, with their positions and visible areas."""

    def found(part: QWidget, at: QPoint, clip: QRect) -> Iterator[WidgetPart]:
        clip = clip.intersected(QRect(at, part.size()))
        if clip.isEmpty():
            return
        yield part, at, clip
        for child in part.children():
            if isinstance(child, QWidget) and not child.isHidden() and not child.isWindow():
                yield from found(child, at + child.pos(), clip)

    return list(found(widget, QPoint(), widget.rect()))
