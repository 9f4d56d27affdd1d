"""The ruler of one row of letters: ticks and 1-based numbers above or below the columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from app.views.glyphs import Look, Pixels, advance, blend, letter_font, pixel, text_mask

_SIGNS = "0123456789,"
TICK = 4  # height in device pixels of a numbered tick at 16 px of letters; the others are half as high


def tick_steps(cell_width: int, label_width: int) -> tuple[int, int]:
    """Return (numbered, plain): the distances of ticks, 10, 20, 50, 100... columns, at which labels fit."""
    step, factors, i = 10, (2, 5, 10), 0
    while step * cell_width < label_width:
        step = 10 ** (1 + i // 3) * factors[i % 3]
        i += 1
    return step, step // (5 if str(step)[0] == "5" else 2)


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
        self._tick = max(2, pixel_size * TICK // 12)
        self._digit_height = max(1, height - self._tick - max(1, pixel_size // 8))
        masks = (text_mask(sign, font, self._digit_width, self._digit_height) for sign in _SIGNS)
        self._digits = np.stack([blend(Look(mask, ink, paper)) for mask in masks], axis=1)  # height, sign, width
        self._line = pixel(line)

    def draw(self, numbers: npt.NDArray[np.int64], out: Pixels, below: bool) -> None:
        """Draw onto ``out``, shape (height, n * cell width), already filled with paper.

        Args:
            numbers: int64, shape (n,): the 1-based number of each column's letter, 0 for a gap.
            below: whether the ruler hangs below its row; else it stands above.
        """
        largest = int(numbers.max(initial=0))
        label_width = (len(f"{largest:,}") + 2) * self._digit_width
        step, minor = tick_steps(self._cell_width, label_width)
        for every, height in ((minor, max(1, self._tick // 2)), (step, self._tick)):
            columns = np.flatnonzero((numbers % every == 0) & (numbers > 0))
            rows = slice(0, height) if below else slice(self.height - height, None)
            out[rows, columns * self._cell_width + self._cell_width // 2] = self._line
        self._draw_labels(numbers[columns], columns, out, below)

    def _draw_labels(
        self, numbers: npt.NDArray[np.int64], columns: npt.NDArray[np.intp], out: Pixels, below: bool
    ) -> None:
        width = out.shape[1]
        signs: list[int] = []
        starts: list[int] = []
        for number, column in zip(numbers.tolist(), columns.tolist(), strict=True):
            text = f"{number:,}"
            length = len(text) * self._digit_width
            start = column * self._cell_width + self._cell_width // 2 - length // 2
            start = min(max(0, start), width - length)
            if start >= 0:
                signs.extend(map(_SIGNS.index, text))
                starts.extend(range(start, start + length, self._digit_width))
        if not signs:
            return
        x = (np.array(starts)[:, None] + np.arange(self._digit_width)).ravel()
        top = self.height - self._digit_height if below else 0
        out[top : top + self._digit_height, x] = self._digits[:, np.array(signs)].reshape(self._digit_height, -1)
