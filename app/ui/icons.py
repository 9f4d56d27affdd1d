"""The few pictures on buttons, drawn in the theme's own ink: sharp at any scale, right in light and dark."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from wavediff.app.ui.theme import Theme

SIZE = 16
SCALES = (1, 2, 3)


def icon(name: str, theme: Theme, own: QColor | None = None) -> QIcon:
    return _drawn(name, (own or theme.text).rgba(), theme.dim.rgba())


@cache
def _drawn(name: str, ink_rgba: int, dim_rgba: int) -> QIcon:
    """Each once: a window has many buttons of a kind, and takes their icons again when its colours change."""
    result = QIcon()
    faded = QColor.fromRgba(dim_rgba)
    faded.setAlphaF(0.5)
    for mode, ink in ((QIcon.Mode.Normal, QColor.fromRgba(ink_rgba)), (QIcon.Mode.Disabled, faded)):
        for scale in SCALES:
            picture = QPixmap(QSize(SIZE, SIZE) * scale)
            picture.setDevicePixelRatio(scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(ink, 1.4)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            _DRAW[name](painter, ink)
            painter.end()
            result.addPixmap(picture, mode)
    return result


def _run(painter: QPainter, ink: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(4, 2.5), QPointF(13.5, 8), QPointF(4, 13.5)]))


def _stop(painter: QPainter, ink: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawRoundedRect(QRectF(3.5, 3.5, 9, 9), 1.2, 1.2)


def _open(painter: QPainter, _ink: QColor) -> None:
    path = QPainterPath(QPointF(1.8, 12.8))
    for x, y in ((1.8, 3.4), (6, 3.4), (7.4, 5.2), (12.6, 5.2), (12.6, 7.2)):
        path.lineTo(x, y)
    painter.drawPath(path)
    painter.drawPolygon(QPolygonF([QPointF(1.8, 12.8), QPointF(4.2, 7.2), QPointF(14.6, 7.2), QPointF(12.4, 12.8)]))


def _paste(painter: QPainter, ink: QColor) -> None:
    painter.drawRoundedRect(QRectF(3, 3, 10, 11), 1.2, 1.2)
    painter.fillRect(QRectF(5.6, 1.6, 4.8, 2.8), ink)
    for y in (7.4, 10.4):
        painter.drawLine(QPointF(5.4, y), QPointF(10.6, y))


def _swap(painter: QPainter, _ink: QColor) -> None:
    for y, tip, tail in ((5, 13.5, 2.5), (11, 2.5, 13.5)):
        back = 3 if tip > tail else -3
        painter.drawLine(QPointF(tail, y), QPointF(tip, y))
        painter.drawPolyline(QPolygonF([QPointF(tip - back, y - 3), QPointF(tip, y), QPointF(tip - back, y + 3)]))


def _copy(painter: QPainter, _ink: QColor) -> None:
    painter.drawRoundedRect(QRectF(5, 5, 8.5, 9), 1.2, 1.2)
    painter.drawPolyline(QPolygonF([QPointF(2.8, 10.4), QPointF(2.8, 2.4), QPointF(10.4, 2.4)]))


def _save(painter: QPainter, _ink: QColor) -> None:
    painter.drawLine(QPointF(8, 2), QPointF(8, 10))
    painter.drawPolyline(QPolygonF([QPointF(4.8, 7), QPointF(8, 10.2), QPointF(11.2, 7)]))
    painter.drawPolyline(QPolygonF([QPointF(2.2, 10.6), QPointF(2.2, 13.6), QPointF(13.8, 13.6), QPointF(13.8, 10.6)]))


def _close(painter: QPainter, _ink: QColor) -> None:
    painter.drawLine(QPointF(4, 4), QPointF(12, 12))
    painter.drawLine(QPointF(12, 4), QPointF(4, 12))


def _down(painter: QPainter, _ink: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(4, 6.2), QPointF(8, 10), QPointF(12, 6.2)]))


def _previous(painter: QPainter, _ink: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(10, 4), QPointF(6, 8), QPointF(10, 12)]))


def _next(painter: QPainter, _ink: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(6, 4), QPointF(10, 8), QPointF(6, 12)]))


def _first(painter: QPainter, _ink: QColor) -> None:
    painter.drawLine(QPointF(4, 4), QPointF(4, 12))
    painter.drawPolyline(QPolygonF([QPointF(11.5, 4), QPointF(7.5, 8), QPointF(11.5, 12)]))


def _last(painter: QPainter, _ink: QColor) -> None:
    painter.drawLine(QPointF(12, 4), QPointF(12, 12))
    painter.drawPolyline(QPolygonF([QPointF(4.5, 4), QPointF(8.5, 8), QPointF(4.5, 12)]))


def _view(painter: QPainter, ink: QColor) -> None:
    """Three sliders."""
    for y in (3.5, 8, 12.5):
        painter.drawLine(QPointF(2, y), QPointF(14, y))
    painter.setBrush(ink)
    for x, y in ((10, 3.5), (5, 8), (11, 12.5)):
        painter.drawEllipse(QPointF(x, y), 1.6, 1.6)


_DRAW = {
    "first": _first,
    "previous": _previous,
    "next": _next,
    "last": _last,
    "view": _view,
    "run": _run,
    "stop": _stop,
    "open": _open,
    "paste": _paste,
    "swap": _swap,
    "copy": _copy,
    "save": _save,
    "close": _close,
    "down": _down,
}
