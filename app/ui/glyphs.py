"""Letters as pixels in NumPy arrays: a screen of letters is one gather and one blit.

Drawing 10,000 letters one by one with QPainter takes 33 ms; taken from an atlas, 1 to 2 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter

Pixels = npt.NDArray[np.uint32]  # 0xffRRGGBB
Mask = npt.NDArray[np.uint8]  # 0 paper to 255 ink
Draw = Callable[[QPainter, QRectF], None]


@dataclass(frozen=True, slots=True)
class CellStyle:
    """Style of one cell: glyph, ink and paper, and the mark at its foot (colour, and height in pixels of the mask).

    Attributes:
        glyph: the same as the mask, painted with the painter's pen and brush; None where there is none.
    """

    mask: Mask
    ink: QColor
    paper: QColor
    foot: tuple[QColor, int] | None = None
    glyph: Draw | None = None


def letter_font(pixel_size: int, bold: bool = False) -> QFont:
    """Return the system's fixed-width font at ``pixel_size`` device pixels, in grey and not in sub-pixels.

    Sub-pixel colours belong to one background; the masks are used on many.
    """
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias | QFont.StyleStrategy.NoSubpixelAntialias)
    font.setPixelSize(max(1, pixel_size))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def advance(font: QFont) -> float:
    """Return the width in pixels of the widest of the letters used most."""
    metrics = QFontMetricsF(font)
    return max(metrics.horizontalAdvance(letter) for letter in "ACGTNMW0")


def text_mask(text: str, font: QFont, width: int, height: int) -> Mask:
    """Return ``text`` centred in a cell of ``width`` x ``height`` pixels; shape (height, width)."""

    return drawn_mask(text_glyph(text, font), width, height)


def text_glyph(text: str, font: QFont, *, fit: bool = False) -> Draw:
    """Return what paints ``text`` in the middle of a cell, with ``fit`` smaller where it is wider than that."""
    width = QFontMetricsF(font).horizontalAdvance(text) if fit else 0.0

    def draw(painter: QPainter, cell: QRectF) -> None:
        if painter.font() != font:  # each time that one is set is a group of its own in an SVG
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
    """Return what ``draw`` paints on a cell of ``width`` x ``height`` pixels; shape (height, width)."""
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
    """Ready pixels of each code that was ever asked for; made when first needed.

    Args:
        width, height: of a cell, device pixels.
        n_codes: codes are below it.
        look: how a code looks.
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
    """Return ``pixels`` as an image without copying; ``pixels`` must live, unchanged, as long as the image.

    Args:
        ratio: device pixels a logical pixel.
    """
    height, width = pixels.shape
    image = QImage(pixels.data.cast("B"), width, height, 4 * width, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    return image
