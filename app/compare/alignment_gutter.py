"""Left of the letters: whose row it is, and the number of its first letter."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app.compare.alignment_layout import AlignmentLayout, LineMetrics
from app.compare.alignment_page import Page, ruler_size
from app.ui.glyphs import advance, letter_font
from app.ui.theme import Theme

MARGIN_PX = 8  # logical pixels round the letters

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class GutterPen:
    """Draws gutters in one font size (logical pixels) and pixel ratio."""

    def __init__(self, theme: Theme, font_size: int, ratio: float) -> None:
        self._theme = theme
        self._ratio = ratio
        self._names = letter_font(font_size, bold=True)
        self._numbers = letter_font(ruler_size(font_size))

    def width(self, longest: int, cells: LineMetrics) -> int:
        """Return the device pixels needed for numbers up to ``longest``."""
        number = advance(self._numbers) * len(f"{longest:,}")
        return round((MARGIN_PX + 2 * advance(self._names) + number) * self._ratio) + cells.width

    def draw(self, painter: QPainter, layout: AlignmentLayout, page: Page, position: int, width: int) -> None:
        """Draw the gutters, ``width`` device pixels wide, of the lines of ``page``."""
        cells = layout.cells
        right = (width - cells.width) / self._ratio
        for i in range(page.pixels.shape[0] // cells.pitch):
            top = layout.line_top(page.first_line + i, position)
            columns = slice(i * page.columns, (i + 1) * page.columns)
            for name, y, index in (("A", cells.a_top, page.rows.a_index), ("B", cells.b_top, page.rows.b_index)):
                row = QRectF(MARGIN_PX, (top + y) / self._ratio, right - MARGIN_PX, cells.height / self._ratio)
                painter.setFont(self._names)
                painter.setPen(self._theme.text)
                painter.drawText(row, _LEFT, name)
                letters = index[columns]
                letters = letters[letters >= 0]
                if letters.size:
                    painter.setFont(self._numbers)
                    painter.setPen(self._theme.dim)
                    painter.drawText(row, _RIGHT, f"{int(letters[0]) + 1:,}")
