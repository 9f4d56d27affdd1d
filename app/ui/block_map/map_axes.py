"""Positions along the sides of the map, from 1; letters where a cell has room for one."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPainter

from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.sequences.letter_text import glyph
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.sequence import Sequence

TOP_PX, LEAST_LEFT_PX = 24, 40  # room above the map and left of it
LETTER_CELL_PX = 24.0  # pixels of a cell from which on its letter stands on the axes
LETTER_ROW_PX, LETTER_PX = 14.0, 13
TICK_PX, GAP_PX = 4.0, 8.0  # from the map to a number
MILLION = 1_000_000
NAMES = ("A ↓", "B →")


def left_room(n: int, metrics: QFontMetricsF) -> int:
    """Return the pixels that the numbers of ``n`` rows need, whatever part of them is shown."""
    return max(LEAST_LEFT_PX, round(metrics.horizontalAdvance(number(n)) + GAP_PX))


def letter_at(sequence: Sequence | None, place: int) -> str:
    """Return the letter at a 0-based place as it is shown; empty where there is none."""
    if sequence is None or place >= len(sequence):
        return ""
    return glyph(int(sequence.letters[place]), sequence.characters)


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


def paint_axes(
    painter: QPainter, frame: BlockMapFrame, at: QPointF, theme: Theme, a: Sequence | None, b: Sequence | None
) -> None:
    """Paint names, numbers and letters of A and B left of and above a map whose corner is ``at``."""
    seen = frame.letters(frame.whole).intersected(frame.matrix)
    corner, has_letters = frame.box(seen).bottomRight(), frame.scale >= LETTER_CELL_PX
    gap = LETTER_ROW_PX if has_letters else TICK_PX + 2  # from the map to a number
    small, bold = theme.small_font, theme.small_font
    bold.setBold(True)
    metrics, wide = QFontMetricsF(small), QFontMetricsF(bold)
    baseline, high = -gap - metrics.descent(), metrics.height()
    of_a, of_b = (FORWARD if each is None else each.orientation for each in (a, b))
    step = tick_step(max(frame.n, frame.m), frame.scale, metrics)
    painter.save()
    painter.translate(at)
    painter.setFont(bold)
    painter.setPen(theme.dim)
    painter.drawText(QPointF(0, baseline), NAMES[1])
    below = -2 if has_letters else metrics.ascent()
    painter.drawText(QPointF(-wide.horizontalAdvance(NAMES[0]) - GAP_PX, below), NAMES[0])
    painter.setFont(small)
    lines = []
    for middle, text in ticks(seen.left(), seen.right(), frame.m, step, of_b):
        x, width = frame.point(middle, 0).x(), metrics.horizontalAdvance(text)
        left = min(x - width / 2, corner.x() - width)
        if left > wide.horizontalAdvance(NAMES[1]):
            painter.drawText(QPointF(left, baseline), text)
        lines.append(QLineF(x, -TICK_PX, x, -1))
    right, free = -max(GAP_PX, gap), 0 if has_letters else 1.6 * high
    for middle, text in ticks(seen.top(), seen.bottom(), frame.n, step, of_a):
        y, width = frame.point(0, middle).y(), metrics.horizontalAdvance(text)
        if y >= free and width <= at.x() + right:  # where letters leave no room for a number there is none
            box = QRectF(right - width - 1, min(y - high / 2, corner.y() - high), width + 1, high)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        lines.append(QLineF(-TICK_PX, y, -1, y))
    if has_letters:
        _paint_letters(painter, frame, theme, seen, a, b)
    else:
        painter.setPen(theme.control)
        painter.drawLines(lines)
    painter.restore()


def _paint_letters(
    painter: QPainter, frame: BlockMapFrame, theme: Theme, seen: QRectF, a: Sequence | None, b: Sequence | None
) -> None:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(LETTER_PX)
    painter.setFont(font)
    painter.setPen(theme.text)
    half = QPointF(LETTER_PX, LETTER_PX + 4) / 2
    rows = range(ceil(seen.top() - 0.5), floor(seen.bottom() + 0.5))
    cols = range(ceil(seen.left() - 0.5), floor(seen.right() + 0.5))
    placed = [(QPointF(frame.point(k + 0.5, 0).x(), -LETTER_ROW_PX / 2 - 1), letter_at(b, k)) for k in cols]
    placed += [(QPointF(-LETTER_ROW_PX / 2, frame.point(0, k + 0.5).y()), letter_at(a, k)) for k in rows]
    for middle, letter in placed:
        painter.drawText(QRectF(middle - half, middle + half), Qt.AlignmentFlag.AlignCenter, letter)
