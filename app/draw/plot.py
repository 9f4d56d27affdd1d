"""Plots on pyqtgraph: a box and its axes, the content painted by a drawing; imported when the first one is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyqtgraph import AxisItem, GraphicsObject, GraphicsView, ViewBox
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget


class Content(GraphicsObject):
    """What a box shows: ``paint`` draws it, in pixels of the plot."""

    def __init__(self, box: ViewBox, paint: Callable[[QPainter], object]) -> None:
        super().__init__(box)
        self._box, self._paint = box, paint

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.translate(-self._box.pos())
        self._paint(painter)


class Plot(GraphicsView):
    """Covers a widget, which hears of the mouse and the keys.

    Args:
        paint: draws what is in the box. axes: ``left`` and ``top`` ones; none: the box is the whole plot.

    Attributes:
        box: the part of the plane that is shown; y downwards.
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
            self.addItem(axis)

    def place(self, area: QRectF) -> None:
        """Lay the box over ``area`` and the axes beside it."""
        self.setGeometry(self.parentWidget().rect())
        self.box.setGeometry(area)
        for axis in self._axes:
            if axis.orientation == "left":
                axis.setWidth(area.left())
                axis.setGeometry(QRectF(0, area.top(), area.left(), area.height()))
            else:
                axis.setHeight(area.top())
                axis.setGeometry(QRectF(area.left(), 0, area.width(), area.top()))

    def refresh(self, ground: QColor) -> None:
        """Paint all of it again, on a ground of this colour."""
        self.setBackground(ground)
        for axis in self._axes:
            axis.picture = None
        self.viewport().update()
