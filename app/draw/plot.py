"""Plots by pyqtgraph: a box with axes; its content is painted by a drawing. Imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from pyqtgraph import AxisItem, ColorMap, GraphicsObject, GraphicsView, ViewBox
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from wavediff.app.draw.drawing import Ink
from wavediff.app.draw.painter import Inks, Pixels


class Content(GraphicsObject):
    """Plot item; ``paint`` draws it in pixels of the plot."""

    def __init__(self, box: ViewBox, paint: Callable[[QPainter], object]) -> None:
        super().__init__(box)
        self._box, self._paint = box, paint

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.translate(-self._box.pos())
        self._paint(painter)


class Plot(GraphicsView):
    """Plot that covers a widget, which handles mouse and keys.

    Args:
        paint: draws the content of the box. axes: ``left`` and ``top`` ones; none: the box is the whole plot.

    Attributes:
        box: visible part of the plane; y downwards.
    """

    def __init__(self, parent: QWidget, paint: Callable[[QPainter], object], axes: Iterable[AxisItem] = ()) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCacheMode(self.CacheModeFlag(0))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.box = ViewBox(invertY=True, enableMouse=False, enableMenu=False, defaultPadding=0)
        self._content, self._axes = Content(self.box, paint), list(axes)
        self.addItem(self.box)
        for axis in self._axes:
            axis.linkToView(self.box)
            axis.setPen(None)
            self.addItem(axis)

    def place(self, area: QRectF) -> None:
        """Place the plot box at ``area``, with axes next to it."""
        self.setGeometry(self.parentWidget().rect())
        self.box.setGeometry(area)
        for axis in self._axes:
            if axis.orientation == "left":
                axis.setWidth(area.left())
                axis.setGeometry(QRectF(0, area.top(), area.left(), area.height()))
            else:
                axis.setHeight(area.top())
                axis.setGeometry(QRectF(area.left(), 0, area.width(), area.top()))

    def refresh(self, inks: Inks) -> None:
        """Repaint everything in these colours."""
        self.setBackground(inks.ink(Ink.BASE))
        for axis in self._axes:
            axis.setTickPen(inks.ink(Ink.CONTROL))
            axis.setTextPen(inks.ink(Ink.DIM))
        self.viewport().update()


def colour_table(stops: Sequence[QColor], n: int, places: Sequence[float] | None = None) -> Pixels:
    """Return ``n`` colours as 0xffrrggbb interpolated between ``stops``, at ``places`` (0 to 1; None: equidistant)."""
    red, green, blue = ColorMap(places, stops).getLookupTable(nPts=n, alpha=False).T.astype(np.uint32)
    table: Pixels = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    return table
