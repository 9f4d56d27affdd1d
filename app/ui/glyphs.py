"""Letters and ruler digits as pixel tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter

from wavediff.core.base.numbers import localized

Pixels = npt.NDArray[np.uint32]  # 0xffRRGGBB
Mask = npt.NDArray[np.uint8]  # 0 paper to 255 ink
Draw = Callable[[QPainter, QRectF], None]


@dataclass(frozen=True, slots=True)
class CellStyle:
    """Style of a cell: glyph, text and background colour, and underline (colour, height in mask pixels).

    Attributes:
        glyph: paints the mask with the painter's pen and brush, or None.
    """

    mask: Mask
    ink: QColor
    paper: QColor
    foot: tuple[QColor, int] | None = None
    glyph: Draw | None = None


def letter_font(pixel_size: int, bold: bool = False) -> QFont:
    """Return the system's fixed-width font at ``pixel_size`` device pixels, with greyscale antialiasing.

    Subpixel antialiasing depends on the background; the masks are used on many.
    """
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias | QFont.StyleStrategy.NoSubpixelAntialias)
    font.setPixelSize(max(1, pixel_size))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def advance(font: QFont) -> float:
    """Return the width in pixels of the widest common letter."""
    metrics = QFontMetricsF(font)
    return max(metrics.horizontalAdvance(letter) for letter in "ACGTNMW0")


def text_mask(text: str, font: QFont, width: int, height: int) -> Mask:
    """Return ``text`` centred in a cell of ``width`` x ``height`` pixels; shape (height, width)."""

    return drawn_mask(text_glyph(text, font), width, height)


def text_glyph(text: str, font: QFont, *, fit: bool = False) -> Draw:
    """Return a function that paints ``text`` centred in a cell; with ``fit`` shrunk to its width."""
    width = QFontMetricsF(font).horizontalAdvance(text) if fit else 0.0

    def draw(painter: QPainter, cell: QRectF) -> None:
        if painter.font() != font:  # each time that one is set is its own group in an SVG
            painter.setFont(font)
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip)
        if width <= cell.width() + 1:
            painter.drawText(cell, flags, text)
            return
        painter.save()
        painter.translate(cell.center())
        painter.scale(cell.width() / width, cell.width() / width)
        painter.drawText(cell.translated(-cell.center()), flags, text)
        painter.restore()

    return draw


def drawn_mask(draw: Draw, width: int, height: int) -> Mask:
    """Return the painting of ``draw`` as a mask of ``width`` x ``height`` pixels; shape (height, width)."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.GlobalColor.white)
    painter.setBrush(Qt.GlobalColor.white)
    draw(painter, QRectF(0, 0, width, height))
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(height, image.bytesPerLine() // 4)
    return (pixels[:, :width] >> 24).astype(np.uint8)


def blend(look: CellStyle) -> Pixels:
    ink, paper = (np.array([c.red(), c.green(), c.blue()], np.int32) for c in (look.ink, look.paper))
    mixed = (paper * 255 + (ink - paper) * look.mask[..., None].astype(np.int32) + 127) // 255
    red, green, blue = np.moveaxis(mixed.astype(np.uint32), -1, 0)
    pixels: Pixels = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    if look.foot is not None:
        color, height = look.foot
        pixels[-height:] = pixel(color)
    return pixels


def pixel(color: QColor) -> np.uint32:
    return np.uint32(0xFF000000 | color.rgb())


class GlyphAtlas:
    """Cache of rendered cells, by style code.

    Args:
        width, height: of a cell, device pixels.
        n_codes: upper bound of codes.
        look: returns the style of a code.
    """

    def __init__(self, width: int, height: int, n_codes: int, look: Callable[[int], CellStyle]) -> None:
        self.width, self.height = width, height
        self._look = look
        self._slot = np.full(n_codes, -1, np.int32)
        self._used = 0
        self._cells = np.empty((height, 16, width), np.uint32)

    def draw(self, codes: npt.NDArray[np.int32], out: Pixels) -> None:
        """Draw lines of cells.

        Args:
            codes: int32, shape (lines, n).
            out: shape (lines, height, n * width); each line C-contiguous.
        """
        slots = self._slot[codes]
        if slots.size and slots.min() < 0:
            self._add(np.flatnonzero(np.bincount(codes[slots < 0])))  # np.unique would import numpy.ma, for 25 ms
            slots = self._slot[codes]
        for line, into in zip(slots, out, strict=True):
            cells = into.reshape(self.height, line.size, self.width)
            np.take(self._cells, line, axis=1, out=cells, mode="clip")  # "raise" would copy once more

    def _add(self, codes: npt.NDArray[np.intp]) -> None:
        needed = self._used + codes.size
        if needed > self._cells.shape[1]:
            larger = np.empty((self.height, max(needed, 2 * self._cells.shape[1]), self.width), np.uint32)
            larger[:, : self._used] = self._cells[:, : self._used]
            self._cells = larger
        for code in codes.tolist():
            self._cells[:, self._used] = blend(self._look(code))
            self._slot[code] = self._used
            self._used += 1


def as_image(pixels: Pixels, ratio: float) -> QImage:
    """Wrap ``pixels`` in an image without copying; they must outlive it unchanged.

    Args:
        ratio: device pixels per logical pixel.
    """
    height, width = pixels.shape
    image = QImage(pixels.data.cast("B"), width, height, 4 * width, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    return image


_SIGNS = "0123456789,"  # the last one stands for what the locale has between thousands
_SIGN_NUMBER = np.zeros(128, np.intp)
_SIGN_NUMBER[[ord(sign) for sign in _SIGNS]] = np.arange(len(_SIGNS))
TICK_PX = 4  # height in device pixels of a numbered tick at 16 px of letters; the others are half as high


def tick_steps(cell_width: int, label_width: int) -> tuple[int, int]:
    """Return (labelled, plain) tick spacings in columns (10, 20, 50, 100...) at which labels fit."""
    step, factors, i = 10, (2, 5, 10), 0
    while step * cell_width < label_width:
        step = 10 ** (1 + i // 3) * factors[i % 3]
        i += 1
    return step, step // (5 if str(step)[0] == "5" else 2)


@lru_cache(maxsize=32)
def _digits(pixel_size: int, width: int, height: int, ink: int, paper: int, signs: str) -> Pixels:
    """Render ``signs`` as tiles, shape (height, sign, width); colours as 0xAARRGGBB."""
    font = letter_font(pixel_size)
    masks = (text_mask(sign, font, width, height) for sign in signs)
    drawn = np.stack([blend(CellStyle(mask, QColor.fromRgba(ink), QColor.fromRgba(paper))) for mask in masks], axis=1)
    drawn.setflags(write=False)
    return drawn


class Ruler:
    """Renderer of rulers in one size and colour.

    Args:
        cell_width: of a letter, device pixels.
        pixel_size: of the digits' font, device pixels.
        height: of the ruler, device pixels.
        ink, line, paper: colours of digits, ticks and background.
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
        """Draw rulers on a background.

        Args:
            numbers: int64, shape (lines, n): the 1-based number of each column's letter, 0 for a gap.
            out: shape (lines, height, n * cell width), already filled with paper.
            below: whether the rulers are below their rows; else above.
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
        """Paint the ruler of one line with labels as text; see ``draw``.

        Args:
            numbers: int64, shape (n,). at: upper left corner. steps: tick distances, common to all lines.
        """
        step, minor = self._steps(steps)
        painter.setFont(self._font)
        painter.setPen(self._ink)
        for column in np.flatnonzero((numbers % minor == 0) & (numbers > 0)).tolist():
            height = self._tick if numbers[column] % step == 0 else max(1, self._tick // 2)
            middle = at.x() + column * self._cell_width + self._cell_width // 2
            tick = QRectF(middle, at.y() + (0 if below else self.height - height), 1, height)
            painter.fillRect(tick, self._tick_colour)
        labelled = np.flatnonzero((numbers % step == 0) & (numbers > 0))
        texts = [localized(f"{number:,}") for number in numbers[labelled].tolist()]
        starts, fits = self._places(texts, np.zeros_like(labelled), labelled, numbers.size * self._cell_width)
        top = at.y() + (self.height - self._digit_height if below else 0)
        for text, start, fit in zip(texts, starts.tolist(), fits.tolist(), strict=True):
            if fit:
                box = QRectF(at.x() + start, top, len(text) * self._digit_width, self._digit_height)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), text)

    def _places(
        self, texts: list[str], lines: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], width: int
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """Return left pixels of labels, moved into a line of ``width`` pixels, and which of them have room there."""
        widths = np.array([len(text) for text in texts], np.intp) * self._digit_width
        centred = columns * self._cell_width + self._cell_width // 2 - widths // 2
        starts = np.minimum(np.maximum(centred, 0), width - widths)
        meets = (lines[1:] == lines[:-1]) & (starts[1:] < (starts + widths)[:-1] + self._digit_width)
        fits = starts >= 0
        fits[:-1] &= ~(meets & (starts > centred)[:-1])  # moved on, to the next one
        fits[1:] &= ~(meets & (starts < centred)[1:])
        return starts, fits

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
        """Draw all labels at once: each character is a tile."""
        texts = [f"{number:,}" for number in numbers.tolist()]
        lengths = np.array([len(text) for text in texts], np.intp)
        starts, fits = self._places(texts, lines, columns, out.shape[2])
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
