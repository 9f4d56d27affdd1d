"""Axes of the map: 1-based positions, and letters if cells are large enough."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Any

from pyqtgraph import AxisItem
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from wavediff.app.ui.block_map.block_map_frame import GAP_PX, BlockMapFrame, Letters
from wavediff.app.ui.block_map.map_ticks import record_ticks, tick_step, ticks
from wavediff.app.ui.theme import Theme
from wavediff.core.sequences.letter_text import glyph
from wavediff.core.sequences.orientation import FORWARD
from wavediff.core.sequences.sequence import Sequence

LETTER_ROW_PX = 14.0
TICK_PX, OVERHANG_PX = 4.0, 80  # beyond its ends an axis may place numbers, before they are moved inside
NAMES = ("B →", "A ↓")
MIDDLE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
DrawSpecs = tuple[tuple[QPen, QPointF, QPointF], list[tuple[QPen, QPointF, QPointF]], list[tuple[QRectF, Any, str]]]


def letter_at(sequence: Sequence | None, place: int) -> str:
    """Return the displayed letter at a 0-based position, or an empty string."""
    if sequence is None or place >= len(sequence):
        return ""
    return glyph(int(sequence.letters[place]), sequence.characters)


class SequenceAxis(AxisItem):
    """Axis of A (left of the map) or B (above): name, positions, letters.

    Args:
        frame: returns the visible part. letters: returns A and B; numbers of a missing one begin at 1.
        letter_px: minimum pixels of a cell for its letter.
    """

    def __init__(
        self,
        side: str,
        frame: Callable[[], BlockMapFrame],
        letters: Callable[[], Letters],
        theme: Theme,
        letter_px: float,
    ) -> None:
        super().__init__(side)
        self._frame, self._letters, self._theme, self._letter_px = frame, letters, theme, letter_px
        self._down, self._ticks = side == "left", dict[float, str]()
        self.setStyle(hideOverlappingLabels=OVERHANG_PX)

    def tickValues(self, *ends: float) -> list[tuple[float, list[float]]]:
        frame, sequence, (low, high) = self._frame(), self._letters()[not self._down], sorted(ends[:2])
        total, orientation = frame.n if self._down else frame.m, FORWARD if sequence is None else sequence.orientation
        step = tick_step(max(frame.n, frame.m), frame.scale, QFontMetricsF(self._theme.small_font))
        rows = None if frame.axes is None or frame.axes.rows is None else frame.axes.rows[not self._down]
        low, high = max(0.0, low), min(high, total)
        if sequence is None or sequence.records is None:
            self._ticks = dict(ticks(low, high, total, step, orientation, rows))
        else:
            self._ticks = dict(record_ticks(low, high, step, sequence.records))
        return [(step, list(self._ticks))]

    def tickStrings(self, values: list[float], *_: float) -> list[str]:
        return [self._ticks[value] for value in values]

    def generateDrawSpecs(self, painter: QPainter) -> DrawSpecs | None:
        """Return ticks and labels, kept next to the matrix and clear of the name, and letters of large cells."""
        frame, down, size = self._frame(), self._down, self.size()
        has_letters, font = frame.scale >= self._letter_px and frame.axes is None, self._theme.small_font
        title = NAMES[down] if down or frame.axes is None else f"B, {frame.axes.unit}s →"
        if not down and self._letters()[0] is self._letters()[1] is not None:
            title = "A →"  # with itself
        tick, off = (0.0, LETTER_ROW_PX) if has_letters else (TICK_PX, 2.0)
        self.style |= {"tickFont": font, "tickLength": tick, "tickTextOffset": [max(off, GAP_PX - tick), off]}
        specs: DrawSpecs | None = super().generateDrawSpecs(painter)
        if specs is None:
            return None
        line, marks, texts = specs
        name = QFontMetricsF(font).boundingRect(title)
        if down:
            name.moveTopRight(QPointF(size.width() - GAP_PX, -name.height() if has_letters else 0))
        else:
            name.moveBottomLeft(QPointF(0, size.height() - tick - off))
        matrix = frame.box(frame.matrix).translated(-frame.room.topLeft())
        end = min(matrix.bottom(), size.height()) if down else min(matrix.right(), size.width())
        for box, *_ in texts:
            over = box.bottom() - end if down else box.right() - end
            box.translate(*((0, -max(0.0, over)) if down else (-max(0.0, over), 0)))
        texts = [(name, MIDDLE, title), *(each for each in texts if not each[0].intersects(name.adjusted(-4, 0, 4, 0)))]
        if has_letters:
            sequence, seen = self._letters()[not down], frame.seen.intersected(frame.matrix)
            half = QPointF(LETTER_ROW_PX, LETTER_ROW_PX) / 2
            low, high = (seen.top(), seen.bottom()) if down else (seen.left(), seen.right())
            for k in range(ceil(low - 0.5), floor(high + 0.5)):
                at = frame.point(k + 0.5, k + 0.5) - frame.room.topLeft()
                at = QPointF(size.width() - half.x(), at.y()) if down else QPointF(at.x(), size.height() - half.y())
                texts.append((QRectF(at - half, at + half), MIDDLE, letter_at(sequence, k)))
        return line, [] if has_letters else marks, texts
