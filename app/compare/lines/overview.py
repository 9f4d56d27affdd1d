"""Overview bar: a stripe per row (or the strongest kind per pixel), and the visible part."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.compare.lines.lines_canvas import LinesCanvas
from wavediff.app.compare.lines.lines_drawing import FACES
from wavediff.app.compare.lines.moved_links import curve
from wavediff.app.draw.drawing import Box, Drawing, Ink, Pen, Point
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.draw.recording import pixel_ratio
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineKind, LineRows

WIDTH_PX, NARROW_PX, MARGIN_PX = 168, 16, 4
BAR_SHARE = 68 / 168  # of the width, for the rows of one text
MAX_STRIPE_PX, MAX_LINKS = 8, 200
Stripes = npt.NDArray[np.uint8]
# From the weakest, which is no line.
STRENGTH = (LineKind.EQUAL, LineKind.REMOVED, LineKind.ADDED, LineKind.CHANGED, LineKind.MOVED_FROM, LineKind.MOVED_TO)
STRIPE_INKS = (Ink.WAITING, Ink.GRID, *(FACES[kind].strong for kind in STRENGTH[1:]))


def stripes(rows: LineRows, n: int) -> dict[Side, Stripes]:
    """Return indices in ``STRIPE_INKS`` by side: per row, or (more than ``n`` rows) the strongest per pixel."""
    strength = (1 + np.argsort(STRENGTH)).astype(np.uint8)[rows.kind]
    of = {side: strength * (lines >= 0) for side, lines in ((Side.A, rows.a), (Side.B, rows.b))}
    if rows.kind.size <= n:
        return of
    first = np.arange(n) * rows.kind.size // n
    return {side: np.maximum.reduceat(each, first) for side, each in of.items()}


def draw_overview(drawing: Drawing, box: Box, rows: LineRows, moved: Counts, row_of: dict[Side, Counts]) -> None:
    """Draw the stripes of all rows, and the links of moved blocks."""
    n = rows.kind.size
    if not n:
        return
    pixel = row_height(n, box.high)
    bar = round(BAR_SHARE * box.wide)
    lefts = {Side.A: box.x, Side.B: box.right - bar}
    found = stripes(rows, int(box.high))
    high = pixel * n / found[Side.A].size
    for side, each in found.items():
        edges = [0, *(np.flatnonzero(np.diff(each)) + 1).tolist(), each.size]
        for first, end in pairwise(edges):
            stripe = Box(lefts[side], box.y + first * high, bar, max((end - first) * high, 1))
            drawing.rect(stripe, STRIPE_INKS[each[first]])
    for a, b, lines in moved[:MAX_LINKS].tolist():
        ends = [box.y + pixel * (int(row_of[side][line]) + lines / 2) for side, line in ((Side.A, a), (Side.B, b))]
        link = curve(Point(box.x + bar, ends[0]), Point(box.right - bar, ends[1]))
        drawing.lines([link], Pen(Ink.SWAP_STRONG, 2))


def row_height(n: int, high: float) -> float:
    """Return the height of one of ``n`` rows in pixels."""
    return min(MAX_STRIPE_PX, high / max(n, 1))


class Overview(QWidget):
    """Overview bar of a canvas; clicking or dragging centres that place."""

    def __init__(self, theme: Theme, canvas: LinesCanvas) -> None:
        super().__init__(accessibleName="Overview of all rows")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._theme, self._canvas = theme, canvas
        self._picture = QPixmap()
        self._key: tuple[object, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFixedWidth(WIDTH_PX)
        canvas.scrolled.connect(self.update)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, cells, rows = QPainter(self), self._canvas.cells, self._canvas.shown
        painter.fillRect(self.rect(), self._theme.base)
        if cells is None or rows is None:
            return
        ratio = pixel_ratio(self)
        key = cells, self.size(), ratio, self._theme.dark, self._canvas.marked.aligned
        if key != self._key:
            self._key = key
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self._theme.base)
            on = QPainter(self._picture)
            box = Box(MARGIN_PX, 0, self.width() - 2 * MARGIN_PX, self.height())
            draw_overview(QtDrawing(on, self._theme), box, cells.rows, self._canvas.marked.moved, rows.row_of)
            on.end()
        painter.drawPixmap(0, 0, self._picture)
        first, end = self._canvas.rows_in_sight
        high = row_height(cells.rows.kind.size, self.height())
        top, foot = max(1, first * high - 2), min(self.height() - 1, end * high + 2)
        frame = Box(1, top, self.width() - 2, max(4, foot - top))
        QtDrawing(painter, self._theme).rect(frame, None, Pen(Ink.ACCENT, 2), rounded=3)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._canvas.cells is not None:
            high = row_height(self._canvas.cells.rows.kind.size, self.height())
            self._canvas.centre_row(int(event.position().y() / high))
