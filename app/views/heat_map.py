"""Distances of all against all as a picture: a cell a pair, close ones strong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.figures import grouped, percent
from app.theme import Theme
from core.errors import printable
from core.export.batch import identity
from core.pool import Pairs

if TYPE_CHECKING:
    from app.many_pairs import ManyOutcome

MARGIN, SCALE_HEIGHT = 22, 26  # logical pixels
MOST = 1 << 11  # cells a side that are drawn one by one; of more, each pixel shows the closest of its pairs
STEPS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip


class HeatMap(QWidget):
    """Rows are the records of A, columns those of B.

    Signals:
        hovered: what is under the pointer, in a line; empty for nothing.
        chosen: records (0-based) of A and of B whose cell was clicked.
    """

    hovered = Signal(str)
    chosen = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Heat map of distances")
        self._theme = theme
        self._outcome: ManyOutcome | None = None
        self._share: npt.NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._factor = 1
        self._range = (0.0, 1.0)
        self._image = QImage()
        self._pixels = np.empty((0, 0), np.uint32)
        self._cell: tuple[int, int] | None = None
        theme.changed.connect(self._restyle)

    @property
    def message(self) -> str:
        """What stands in place of a picture; empty while there is one."""
        if self._outcome is None:
            return "Nothing compared yet"
        if self._outcome.result.pairs is Pairs.ZIP:
            return "A map needs each compared with each"
        return "" if self._share.size else "No pairs"

    def show_outcome(self, outcome: ManyOutcome | None) -> None:
        self._outcome, self._cell = outcome, None
        self._share = np.empty((0, 0), np.float32)
        if outcome is not None and outcome.result.pairs is Pairs.ALL and outcome.result.values.size:
            self._share, self._factor = shares(outcome)
            shown = self._share[~np.eye(*self._share.shape, dtype=np.bool_)] if outcome.result.own else self._share
            low = float(shown.min(initial=1.0))
            self._range = min(low, 0.999), 1.0
        self._restyle()

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return the records under ``point``; of several in one pixel the closest."""
        area, outcome = self._area(), self._outcome
        if outcome is None or not self._share.size or not area.contains(point):
            return None
        rows, cols = self._share.shape
        i = min(int((point.y() - area.top()) / area.height() * rows), rows - 1)
        j = min(int((point.x() - area.left()) / area.width() * cols), cols - 1)
        if self._factor == 1:
            return i, j
        f = self._factor
        part = _identity(outcome, slice(i * f, (i + 1) * f), slice(j * f, (j + 1) * f))
        x, y = np.unravel_index(int(part.argmax()), part.shape)
        return i * f + int(x), j * f + int(y)

    def describe(self, cell: tuple[int, int] | None) -> str:
        if cell is None or self._outcome is None:
            return ""
        i, j = cell
        outcome = self._outcome
        share = float(_identity(outcome, slice(i, i + 1), slice(j, j + 1))[0, 0])
        names = f"A {printable(outcome.a.name(i), 60)} · B {printable(outcome.b.name(j), 60)}"
        return f"{names} · {grouped(int(outcome.result.values[i, j]))} · {percent(share)} alike"

    def sizeHint(self) -> QSize:
        return QSize(360, 380)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        self.setFocus()
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self._point(cell)
            self.chosen.emit(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if self._outcome is None or not self._share.size:
            super().keyPressEvent(event)
        elif step is not None:
            i, j = self._cell or (0, 0)
            n_a, n_b = self._outcome.result.values.shape
            to = (i + step[0], j + step[1]) if self._cell else (0, 0)
            self._point((min(max(to[0], 0), n_a - 1), min(max(to[1], 0), n_b - 1)))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cell is not None:
            self.chosen.emit(*self._cell)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        if self.message:
            painter.setPen(self._theme.dim)
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.message)
            return
        area = self._area()
        painter.drawImage(area, self._image)
        painter.setPen(QPen(self._theme.dim, 1))
        painter.drawRect(area)
        painter.drawText(QPointF(area.left(), area.top() - 6), "B, columns →")
        painter.save()
        painter.translate(area.left() - 7, area.top())
        painter.rotate(90)
        painter.drawText(QPointF(0, 0), "A, rows →")
        painter.restore()
        self._draw_scale(painter, area)
        if self._cell is not None:
            rows, cols = self._share.shape
            i, j = (k // self._factor for k in self._cell)
            box = QRectF(
                area.left() + j * area.width() / cols, area.top() + i * area.height() / rows,
                max(3.0, area.width() / cols), max(3.0, area.height() / rows),
            )  # fmt: skip
            painter.setPen(QPen(self._theme.band, 2))
            painter.drawRect(box)

    def _draw_scale(self, painter: QPainter, area: QRectF) -> None:
        bar = QRectF(area.left(), self.height() - SCALE_HEIGHT + 4, min(area.width(), 160.0), 8)
        steps = np.linspace(0, 1, 64)[None]
        pixels = self._colours(steps)
        painter.drawImage(bar, QImage(pixels.data.cast("B"), 64, 1, 256, QImage.Format.Format_RGB32))
        painter.setPen(self._theme.dim)
        text = f"{percent(self._range[0])} to 100 % alike"
        if self._factor > 1:
            text += f"; a cell shows the closest of {self._factor} × {self._factor} pairs"
        painter.drawText(QPointF(bar.right() + 8, bar.bottom() + 1), text)

    def _area(self) -> QRectF:
        """Return where the picture lies: square cells, as large as fits."""
        rows, cols = self._share.shape if self._share.size else (1, 1)
        room = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -6, -SCALE_HEIGHT)
        size = max(min(room.width() / cols, room.height() / rows), 0.01)
        if min(cols, rows) * size < 24:  # a long thin table would be a line: its cells are stretched
            return room
        return QRectF(room.left(), room.top(), cols * size, rows * size)

    def _point(self, cell: tuple[int, int] | None) -> None:
        if cell != self._cell:
            self._cell = cell
            text = self.describe(cell)
            self.setAccessibleDescription(text)
            self.hovered.emit(text)
            self.update()

    def _colours(self, share: npt.NDArray[np.floating]) -> npt.NDArray[np.uint32]:
        """Return the colour of shares 0 to 1: paper, accent, text, which differ in brightness."""
        stops = [self._theme.base, self._theme.accent, self._theme.text]
        channels = [
            np.interp(share, (0.0, 0.65, 1.0), [getattr(c, name)() for c in stops]).astype(np.uint32)
            for name in ("red", "green", "blue")
        ]
        red, green, blue = channels
        found: npt.NDArray[np.uint32] = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
        return np.ascontiguousarray(found)

    @Slot()
    def _restyle(self) -> None:
        if self._share.size:
            low, high = self._range
            self._pixels = self._colours(np.clip((self._share - low) / (high - low), 0, 1))
            rows, cols = self._pixels.shape
            self._image = QImage(self._pixels.data.cast("B"), cols, rows, 4 * cols, QImage.Format.Format_RGB32)
        self.update()


def shares(outcome: ManyOutcome) -> tuple[npt.NDArray[np.float32], int]:
    """Return identities 0 to 1 of at most ``MOST`` cells a side, and how many pairs a side each is the closest of."""
    n_a, n_b = outcome.result.values.shape
    factor = -(-max(n_a, n_b) // MOST)
    if factor == 1:
        return _identity(outcome, slice(0, n_a), slice(0, n_b)), 1
    out = np.empty((-(-n_a // factor), -(-n_b // factor)), np.float32)
    edges = np.arange(0, n_b, factor)
    for i in range(out.shape[0]):
        part = _identity(outcome, slice(i * factor, (i + 1) * factor), slice(0, n_b)).max(axis=0)
        out[i] = np.maximum.reduceat(part, edges)
    return out, factor


def _identity(outcome: ManyOutcome, rows: slice, cols: slice) -> npt.NDArray[np.float32]:
    values = outcome.result.values[rows, cols].astype(np.int64)
    n_a, n_b = outcome.a.lengths[rows, None], outcome.b.lengths[None, cols]
    return identity(outcome.result.method, values, n_a, n_b).astype(np.float32)
