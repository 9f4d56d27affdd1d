"""The ruler of one row of letters: ticks and 1-based numbers above or below the columns."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from wavediff.app.ui.glyphs import CellStyle, Pixels, advance, blend, letter_font, pixel, text_mask
from wavediff.core.base.numbers import localized

_SIGNS = "0123456789,"  # the last one stands for what the locale has between thousands
_SIGN_NUMBER = np.zeros(128, np.intp)
_SIGN_NUMBER[[ord(sign) for sign in _SIGNS]] = np.arange(len(_SIGNS))
TICK_PX = 4  # height in device pixels of a numbered tick at 16 px of letters; the others are half as high


def tick_steps(cell_width: int, label_width: int) -> tuple[int, int]:
    """Return (numbered, plain): the distances of ticks, 10, 20, 50, 100... columns, at which labels fit."""
    step, factors, i = 10, (2, 5, 10), 0
    while step * cell_width < label_width:
        step = 10 ** (1 + i // 3) * factors[i % 3]
        i += 1
    return step, step // (5 if str(step)[0] == "5" else 2)


@lru_cache(maxsize=32)
def _digits(pixel_size: int, width: int, height: int, ink: int, paper: int, signs: str) -> Pixels:
    """Return ``signs``, a tile each, shape (height, sign, width); colours as 0xAARRGGBB."""
    font = letter_font(pixel_size)
    masks = (text_mask(sign, font, width, height) for sign in signs)
    drawn = np.stack([blend(CellStyle(mask, QColor.fromRgba(ink), QColor.fromRgba(paper))) for mask in masks], axis=1)
    drawn.setflags(write=False)
    return drawn


class Ruler:
    """Draws rulers in one size and colour.

    Args:
        cell_width: of a letter, device pixels.
        pixel_size: of the digits' font, device pixels.
        height: of the ruler, device pixels.
        ink, line, paper: colours of the digits, the ticks and behind them.
    """

    def __init__(self, cell_width: int, pixel_size: int, height: int, ink: QColor, line: QColor, paper: QColor) -> None:
        font = letter_font(pixel_size)
        self.height = height
        self._cell_width = cell_width
        self._digit_width = max(1, round(advance(font)))
        self._tick = max(2, pixel_size * TICK_PX // 12)
        self._digit_height = max(1, height - self._tick - max(1, pixel_size // 8))
        signs = _SIGNS[:-1] + (localized(",") or ",")[0]
        self._digits = _digits(pixel_size, self._digit_width, self._digit_height, ink.rgba(), paper.rgba(), signs)
        self._line = pixel(line)
        self._font, self._ink, self._tick_colour = font, ink, line

    def draw(self, numbers: npt.NDArray[np.int64], out: Pixels, below: bool) -> None:
        """Draw rulers onto paper.

        Args:
            numbers: int64, shape (lines, n): the 1-based number of each column's letter, 0 for a gap.
            out: shape (lines, height, n * cell width), already filled with paper.
            below: whether the rulers hang below their rows; else they stand above.
        """
        step, minor = self._steps(numbers)
        lines, columns = np.nonzero((numbers % minor == 0) & (numbers > 0))
        labels = numbers[lines, columns]
        numbered = labels % step == 0
        for chosen, height in ((~numbered, max(1, self._tick // 2)), (numbered, self._tick)):
            rows = np.arange(height) if below else np.arange(self.height - height, self.height)
            middle = columns[chosen] * self._cell_width + self._cell_width // 2
            out[lines[chosen], rows[:, None], middle] = self._line
        self._draw_labels(labels[numbered], lines[numbered], columns[numbered], out, below)

    def paint(
        self, painter: QPainter, numbers: npt.NDArray[np.int64], at: QPointF, below: bool, steps: npt.NDArray[np.int64]
    ) -> None:
        """Draw the ruler of one line with a painter, its numbers as text; see ``draw``.

        Args:
            numbers: int64, shape (n,). at: upper left corner. steps: of all lines, which have the same steps.
        """
        step, minor = self._steps(steps)
        painter.setFont(self._font)
        painter.setPen(self._ink)
        for column in np.flatnonzero((numbers % minor == 0) & (numbers > 0)).tolist():
            label = int(numbers[column])
            height = self._tick if label % step == 0 else max(1, self._tick // 2)
            middle = at.x() + column * self._cell_width + self._cell_width // 2
            tick = QRectF(middle, at.y() + (0 if below else self.height - height), 1, height)
            painter.fillRect(tick, self._tick_colour)
            text = localized(f"{label:,}")
            width, room = len(text) * self._digit_width, numbers.size * self._cell_width
            if label % step == 0 and width <= room:
                left = min(max(middle - width // 2, at.x()), at.x() + room - width)
                top = at.y() + (self.height - self._digit_height if below else 0)
                box = QRectF(left, top, width, self._digit_height)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), text)

    def _steps(self, numbers: npt.NDArray[np.int64]) -> tuple[int, int]:
        largest = int(numbers.max(initial=0))
        return tick_steps(self._cell_width, (len(f"{largest:,}") + 2) * self._digit_width)

    def _draw_labels(
        self,
        numbers: npt.NDArray[np.int64],
        lines: npt.NDArray[np.intp],
        columns: npt.NDArray[np.intp],
        out: Pixels,
        below: bool,
    ) -> None:
        """Draw all labels at once: every sign is a tile put at its own place."""
        texts = [f"{number:,}" for number in numbers.tolist()]
        lengths = np.array([len(text) for text in texts], np.intp)
        middles = columns * self._cell_width + self._cell_width // 2
        room = out.shape[2] - lengths * self._digit_width
        starts = np.minimum(np.maximum(middles - lengths * self._digit_width // 2, 0), room)
        fits = room >= 0
        signs = np.frombuffer("".join(texts).encode(), np.uint8)
        place = np.arange(signs.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)  # of a sign in its label
        x = np.repeat(starts, lengths) + place * self._digit_width
        kept = np.repeat(fits, lengths)
        x, signs, line = x[kept], signs[kept], np.repeat(lines, lengths)[kept]
        pixels_x = (x[:, None] + np.arange(self._digit_width)).ravel()
        pixels_line = np.repeat(line, self._digit_width)
        top = self.height - self._digit_height if below else 0
        rows = np.arange(top, top + self._digit_height)
        tiles = self._digits[:, _SIGN_NUMBER[signs]].reshape(self._digit_height, -1)
        out[pixels_line, rows[:, None], pixels_x] = tiles
