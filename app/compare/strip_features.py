"""Rows of features of the zoom strip: of A above its lanes, of B below them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from wavediff.app.compare.feature_drawing import FREE_PX, PX_OF_A_BAR, ROW_PX, draw_bars
from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.tracks.bars import N_ROWS, Bars
from wavediff.app.draw.drawing import Box
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.ui.glyphs import as_image
from wavediff.app.ui.lanes import draw_lanes
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number

REACH_PX = 2  # beside a bar that is pointed at
LABEL_PX = 11


class FeatureRows:
    """Rows for the bars of both sequences: bars with names, or where these are too many their density.

    Attributes:
        most: rows of a sequence. Where it is one, projected features have none.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.bars: Mapping[Side, Bars] = {}
        self.most = N_ROWS - 1

    def height(self, side: Side) -> int:
        """Return the logical pixels of a sequence's rows; 0 where it has no features."""
        rows = self._rows(side)
        return rows * ROW_PX + FREE_PX if rows else 0

    def _rows(self, side: Side) -> int:
        bars = self.bars.get(side)
        if bars is None or (self.most == 1 and not bars.n_own):
            return 0
        return min(self.most, bars.n_rows)

    def draw(self, painter: QPainter, side: Side, area: QRectF, window: Window, caret: int, ratio: float) -> None:
        """Draw the rows of a sequence, and at their left what they are."""
        if not self._rows(side):
            return
        bars, theme = self.bars[side], self._theme
        if bars.columns.count(window.first, window.end) > area.width() / PX_OF_A_BAR:
            width, height = round(area.width() * ratio), round((area.height() - FREE_PX) * ratio)
            first, end = window.pixels(width)
            counts = bars.columns.covered(first, end)[None]
            pixels = draw_lanes(counts, end - first, [(theme.done, False)], (height, 1), theme.base, theme.grid)
            painter.drawImage(area.topLeft(), as_image(pixels, ratio))
            hidden = 0
        else:
            painter.save()
            painter.setClipRect(area.adjusted(-1, -1, 1, 1))
            box = Box(area.x(), area.y() + 1, area.width(), area.height())
            drawing = QtDrawing(painter, theme)
            hidden = draw_bars(drawing, box, window, bars, self._rows(side), caret, LABEL_PX)
            painter.restore()
        texts = [f"Features {side}", *([f"+{number(hidden)}"] if hidden else [])]
        painter.setPen(theme.dim)
        painter.setFont(theme.small_font)
        row = QRectF(4, area.top(), area.left() - 12, ROW_PX)
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self._rows(side) == 1:
            texts = [" ".join(texts)] if not hidden else [f"{side} {texts[1]}"]
        for text in texts:
            painter.drawText(row, flags, text)
            row.translate(0, ROW_PX)

    def at(self, side: Side, area: QRectF, window: Window, point: QPointF) -> int | None:
        """Return the bar at a point; None where there is none, or only their density."""
        if not self._rows(side) or not area.contains(point):
            return None
        bars, row = self.bars[side], int((point.y() - area.top() - 1) // ROW_PX)
        if bars.columns.count(window.first, window.end) > area.width() / PX_OF_A_BAR:
            return None
        scale = window.span / area.width()
        col = window.first + (point.x() - area.left()) * scale
        found = bars.touching(col - REACH_PX * scale, col + REACH_PX * scale)
        found = found[bars.rows[found] == row]
        beside = np.maximum(bars.columns.starts[found] - col, col - bars.columns.ends[found])
        return int(found[np.argmin(beside)]) if found.size else None
