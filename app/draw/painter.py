"""Drawings on a ``QPainter``: widget, PNG, PDF, SVG or film frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QPen,
    QPolygonF,
)

from wavediff.app.draw.drawing import MIDDLE, Align, Box, Codes, Font, Ink, Look, Mix, Pen, Point, Points, Shades
from wavediff.app.draw.recording import picture_ratio
from wavediff.app.draw.scene_style import Preset, Style

EM_PX = 100  # size at which texts are measured once
CELLS_ONE_BY_ONE = 16  # more are made of tiles, where the picture is one of pixels
MAX_TILES, MAX_SIZES = 4096, 8  # that are kept: of a look and size; sizes, of which a growing window has each once
ACROSS = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
DOWN = (Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignVCenter)
FLAGS = {
    Align(k, n): int(across | down | Qt.TextFlag.TextDontClip)
    for k, across in enumerate(ACROSS)
    for n, down in enumerate(DOWN)
}
BAND_ROWS = 128  # of an image, at a stretch: a call of Qt's keeps Python from other threads
Pixels = npt.NDArray[np.uint32]


class Inks(Protocol):
    """Colours of a theme; see ``wavediff.app.ui.theme.Theme``."""

    dark: bool

    def ink(self, name: Ink, /) -> QColor: ...


def sized(px: float, *, bold: bool = False, mono: bool = False) -> QFont:
    fixed = QFontDatabase.SystemFont.FixedFont
    font = QFontDatabase.systemFont(fixed) if mono else QFont(QGuiApplication.font())
    font.setPixelSize(max(1, round(px)))
    font.setBold(bold)
    return font


@lru_cache(maxsize=4096)
def em_width(text: str, *, bold: bool = False, mono: bool = False) -> float:
    """Return the width of a text as a multiple of its font size."""
    return QFontMetricsF(sized(EM_PX, bold=bold, mono=mono)).horizontalAdvance(text) / EM_PX


def measured(preset: Preset, scale: float = 1.0) -> Style:
    """Return the sizes of a preset, with text widths measured by Qt."""
    return Style(preset, scale, em_width)


class Tiles:
    """Cache of equal cells: painting 10,000 cells takes some milliseconds."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[Codes, Pixels]] = {}

    def draw(self, painter: QPainter, at: Point, cell: float, codes: Codes, look: Look, inks: Inks) -> None:
        ratio = picture_ratio() or painter.device().devicePixelRatioF()
        px, (rows, cols) = max(1, round(cell * ratio)), codes.shape
        key = (look, cell, ratio, inks.dark)
        known, tiles = self._kept.get(key, (np.zeros(0, np.int64), np.zeros((px, 0, px), np.uint32)))
        if known.size > MAX_TILES:
            known, tiles = known[:0], tiles[:, :0]
        places = np.minimum(np.searchsorted(known, codes), max(0, known.size - 1))
        new = np.sort(codes[known[places] != codes] if known.size else codes, axis=None)
        if new.size:
            new = new[np.concatenate(([True], new[1:] != new[:-1]))]  # np.unique would import numpy.ma, for 25 ms
            order = np.argsort(both := np.concatenate([known, new]), kind="stable")
            painted = _painted(new.tolist(), px, px / ratio, look, inks)
            known = both[order]
            tiles = np.ascontiguousarray(np.concatenate([tiles, painted], axis=1)[:, order])
            if key not in self._kept and len(self._kept) > MAX_SIZES:
                self._kept.clear()
            self._kept[key] = known, tiles
            places = np.searchsorted(known, codes)
        pixels = np.empty((rows, px, cols, px), np.uint32)
        for row, line in enumerate(places):
            np.take(tiles, line, axis=1, out=pixels[row], mode="clip")  # "raise" would copy once more
        image = QImage(pixels.data.cast("B"), cols * px, rows * px, 4 * cols * px, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(*at), image)


def _painted(codes: list[int], px: int, size: float, look: Look, inks: Inks) -> Pixels:
    """Return the tiles of codes side by side: shape (height, tiles, width)."""
    image = QImage(len(codes) * px, px, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(px / size)
    painter = QPainter(image)
    drawing = QtDrawing(painter, inks)
    for place, code in enumerate(codes):  # what leaves a tile at its right is painted over by the next one
        look.draw(drawing, Box(place * size, 0, size, size), code)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint32).reshape(px, len(codes), px).copy()


class QtDrawing:
    """Drawing on a QPainter.

    Args:
        tiles: cache of painted cells, for raster images; None: draw each cell as lines and text.
    """

    def __init__(self, painter: QPainter, inks: Inks, tiles: Tiles | None = None) -> None:
        self._painter, self._inks, self._tiles = painter, inks, tiles
        self._font: Font | None = None  # each time that one is set is its own group in an SVG

    def _set_pen(self, pen: Pen) -> None:
        colour = QColor(self._inks.ink(pen.ink))
        colour.setAlphaF(pen.opacity)
        cap = Qt.PenCapStyle.FlatCap if pen.flat else Qt.PenCapStyle.SquareCap
        style = Qt.PenStyle.DashLine if pen.dashed else Qt.PenStyle.SolidLine
        self._painter.setPen(QPen(colour, pen.thick, style, cap))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def rect(self, box: Box, fill: Ink | None = None, pen: Pen | None = None, rounded: float = 0.0) -> None:
        area, painter = QRectF(*box), self._painter
        if fill is not None and rounded:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._inks.ink(fill))
            painter.drawRoundedRect(area, rounded, rounded)
        elif fill is not None:
            painter.fillRect(area, self._inks.ink(fill))
        if pen is not None:
            self._set_pen(pen)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, rounded > 0)
            painter.drawRoundedRect(area, rounded, rounded)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def text(self, box: Box, text: str, font: Font, ink: Ink = Ink.TEXT, align: Align = MIDDLE) -> None:
        if font != self._font:
            self._font = font
            self._painter.setFont(sized(font.px, bold=font.bold, mono=font.mono))
        self._painter.setPen(self._inks.ink(ink))
        self._painter.drawText(QRectF(*box), FLAGS[align], text)

    def lines(self, lines: Iterable[Points], pen: Pen) -> None:
        self._set_pen(pen)
        polylines = list(lines)
        oblique = any(a != c and b != d for line in polylines for (a, b), (c, d) in pairwise(line))
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, oblique)
        strokes = [QLineF(*line[0], *line[1]) for line in polylines if len(line) == 2]
        if strokes:
            self._painter.drawLines(strokes)
        for line in polylines:
            if len(line) != 2:
                self._painter.drawPolyline(QPolygonF([QPointF(*point) for point in line]))
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def shape(self, points: Points, fill: Ink, opacity: float = 1.0) -> None:
        colour = QColor(self._inks.ink(fill))
        colour.setAlphaF(opacity)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))

    def cells(self, at: Point, cell: float, codes: Codes, look: Look) -> None:
        if self._tiles is not None and codes.size > CELLS_ONE_BY_ONE:
            self._tiles.draw(self._painter, at, cell, codes, look, self._inks)
            return
        for row, line in enumerate(codes.tolist()):
            for col, code in enumerate(line):
                look.draw(self, Box(at.x + col * cell, at.y + row * cell, cell, cell), code)

    def pixels(self, at: Point, cell: float, colours: Shades, palette: Sequence[Mix]) -> None:
        codes = np.ascontiguousarray(colours, np.uint8)
        high, wide = codes.shape
        table = [mix(self._inks.ink(low), self._inks.ink(other), share).rgb() for low, other, share in palette]
        for top in range(0, high, BAND_ROWS):
            band = codes[top : top + BAND_ROWS + 1]  # a row that the next one paints over: no seam
            image = QImage(band.data.cast("B"), wide, len(band), wide, QImage.Format.Format_Indexed8)
            image.setColorTable(table)
            self._painter.drawImage(QRectF(at.x, at.y + top * cell, wide * cell, len(band) * cell), image)


def mix(one: QColor, other: QColor, share: float) -> QColor:
    """Mix two colours; ``share`` (0 to 1): of ``other``."""
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(p + (q - p) * share) for p, q in pairs))
