"""Positions along the sides of the map, from 1; letters where a cell has room for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPainter

from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.sequence import Sequence

TOP_PX, LEAST_LEFT_PX = 24, 40  # room above the map and left of it
LETTER_CELL_PX = 24.0  # pixels of a cell from which on its letter stands on the axes
LETTER_ROW_PX, LETTER_PX = 14.0, 13
TICK_PX, GAP_PX = 4.0, 8.0  # from the map to a number
MILLION = 1_000_000

LetterAt = Callable[[Side, int], str]


def left_room(n: int, metrics: QFontMetricsF) -> int:
    """Return the pixels that the numbers of ``n`` rows need, whatever part of them is shown."""
    return max(LEAST_LEFT_PX, round(metrics.horizontalAdvance(number(n)) + GAP_PX))


def orientation_of(sequence: Sequence | None) -> Orientation:
    """Return how a sequence is read; as in its file where there is none."""
    return FORWARD if sequence is None else sequence.orientation


def label(position: int, step: int) -> str:
    """Return a position, in millions where all of them are."""
    return f"{number(position // MILLION)} M" if step % MILLION == 0 else number(position)


def tick_step(total: int, scale: float, metrics: QFontMetricsF) -> int:
    """Return the letters from one number to the next: 1, 2 or 5 times a power of ten, with room between them."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if step * scale >= 1.5 * metrics.horizontalAdvance(label(max(1, total), step)) + 8 or step > total:
                return step
        power *= 10


def ticks(
    first: float, last: float, total: int, step: int, orientation: Orientation = FORWARD
) -> Iterator[tuple[float, str]]:
    """Yield the middle of each letter between ``first`` and ``last`` that has a number, and the number.

    Args:
        orientation: of the sequence: the numbers are places in its file.
    """
    file_end = total - orientation.shift if orientation.turned else total
    for lowest, highest in ((0, file_end), (file_end, total)):  # in each of which places rise, or fall
        low, high = max(lowest, int(first)), min(highest, int(last) + 1)
        if low >= high:
            continue
        least, most = sorted(orientation.place(each, total) + 1 for each in (low, high - 1))
        for position in range(-(-least // step) * step, most + 1, step):
            middle = orientation.index(position - 1, total) + 0.5
            if first <= middle <= last:
                yield middle, label(position, step)


class MapAxes:
    """Paints what stands above and left of a map whose corner is ``at``."""

    def __init__(self, painter: QPainter, frame: BlockMapFrame, at: QPointF, theme: Theme) -> None:
        self._painter, self._frame, self._at, self._theme = painter, frame, at, theme
        self._metrics = QFontMetricsF(theme.small_font)
        self._seen = frame.letters(frame.whole).intersected(frame.matrix)
        self._has_letters = frame.scale >= LETTER_CELL_PX
        self._gap = LETTER_ROW_PX if self._has_letters else TICK_PX + 2  # from the map to a number

    def paint(self, letter: LetterAt, of_a: Orientation = FORWARD, of_b: Orientation = FORWARD) -> None:
        painter, at, theme, frame = self._painter, self._at, self._theme, self._frame
        bold = theme.small_font
        bold.setBold(True)
        names, wide = ("B →", "A ↓"), QFontMetricsF(bold)
        baseline = at.y() - self._gap - self._metrics.descent()
        painter.setFont(bold)
        painter.setPen(theme.dim)
        painter.drawText(QPointF(at.x(), baseline), names[0])
        below = -2 if self._has_letters else self._metrics.ascent()
        painter.drawText(QPointF(at.x() - wide.horizontalAdvance(names[1]) - GAP_PX, at.y() + below), names[1])
        painter.setFont(theme.small_font)
        step = tick_step(max(frame.n, frame.m), frame.scale, self._metrics)
        self._paint_columns(step, baseline, at.x() + wide.horizontalAdvance(names[0]), of_b)
        self._paint_rows(step, at.y() + (0 if self._has_letters else 1.6 * self._metrics.height()), of_a)
        if self._has_letters:
            self._paint_letters(letter)

    def _paint_columns(self, step: int, baseline: float, free: float, orientation: Orientation) -> None:
        right = self._at.x() + self._frame.box(self._seen).right()
        for middle, text in ticks(self._seen.left(), self._seen.right(), self._frame.m, step, orientation):
            x, width = self._at.x() + self._frame.point(middle, 0).x(), self._metrics.horizontalAdvance(text)
            left = min(x - width / 2, right - width)
            if left > free:
                self._painter.setPen(self._theme.dim)
                self._painter.drawText(QPointF(left, baseline), text)
            self._tick(QLineF(x, self._at.y() - TICK_PX, x, self._at.y() - 1))

    def _paint_rows(self, step: int, free: float, orientation: Orientation) -> None:
        """Number the rows, below ``free``; where letters leave no room for a number there is none."""
        right, high = self._at.x() - max(GAP_PX, self._gap), self._metrics.height()
        bottom = self._at.y() + self._frame.box(self._seen).bottom()
        for middle, text in ticks(self._seen.top(), self._seen.bottom(), self._frame.n, step, orientation):
            y, width = self._at.y() + self._frame.point(0, middle).y(), self._metrics.horizontalAdvance(text)
            if y >= free and width <= right:
                self._painter.setPen(self._theme.dim)
                box = QRectF(right - width - 1, min(y - high / 2, bottom - high), width + 1, high)
                self._painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            self._tick(QLineF(self._at.x() - TICK_PX, y, self._at.x() - 1, y))

    def _tick(self, line: QLineF) -> None:
        if not self._has_letters:
            self._painter.setPen(self._theme.control)
            self._painter.drawLine(line)

    def _paint_letters(self, letter: LetterAt) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(LETTER_PX)
        self._painter.setFont(font)
        self._painter.setPen(self._theme.text)
        size = QPointF(LETTER_PX, LETTER_PX + 4)
        for side, first, last in (
            (Side.B, self._seen.left(), self._seen.right()),
            (Side.A, self._seen.top(), self._seen.bottom()),
        ):
            for place in range(ceil(first - 0.5), floor(last + 0.5)):
                middle = self._frame.point(place + 0.5, place + 0.5)
                across = QPointF(middle.x(), -LETTER_ROW_PX / 2 - 1)
                centre = self._at + (across if side is Side.B else QPointF(-LETTER_ROW_PX / 2, middle.y()))
                cell = QRectF(centre - size / 2, centre + size / 2)
                self._painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, letter(side, place))
