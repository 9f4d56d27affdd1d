"""Margins of an alignment: names, positions, and links between swapped letters."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from wavediff.app.compare.alignment_layout import AlignmentLayout
from wavediff.app.compare.alignment_page import Page
from wavediff.app.compare.tracks.codons import BAR
from wavediff.app.ui.glyphs import advance, letter_font
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import SWAP


def draw_links(
    painter: QPainter,
    theme: Theme,
    layout: AlignmentLayout,
    position: int,
    swaps: list[tuple[int, int]],
    shift: QPointF,
    ratio: float,
) -> None:
    """Draw a link from each swapped letter of A to the equal letter of B.

    Args:
        position: scroll offset, device pixels.
        swaps: first and last column of each swap.
        shift: position of the surface's corner in the widget, logical pixels. ratio: device pixels per logical pixel.
    """
    cells = layout.cells
    top, bottom = cells.match_top - cells.height * 0.12, cells.b_top + cells.height * 0.12
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # A rim in the colour of the fill keeps the lines apart from what they cross.
    for color, width in ((theme.kind(SWAP).pale, 4.0), (theme.kind(SWAP).strong, 2.0)):
        pen = QPen(color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for one, other in swaps:
            x1, y1 = layout.place(one, position)
            x2, y2 = layout.place(other, position)
            half = cells.width / 2
            if y1 == y2:
                lines = [((x1, y1), (x2, y1))]
            else:  # the swap goes over the end of a line: each end shows where it leaves to
                reach = (layout.columns_per_line - one % layout.columns_per_line) * cells.width
                lines = [
                    ((x1, y1), (x1 + reach, y1)),
                    ((x2 - cells.width * (other % layout.columns_per_line + 1), y2), (x2, y2)),
                ]
            for (left, y), (right, _) in lines:
                for start, end in ((top, bottom), (bottom, top)):
                    painter.drawLine(
                        QPointF(left + half, y + start) / ratio + shift, QPointF(right + half, y + end) / ratio + shift
                    )
    painter.restore()


MARGIN_PX = 8  # logical pixels
GUTTER_PX = 96  # logical pixels left of the letters
NAME_PX, NUMBER_PX = 13, 11  # sizes of the fonts
OURS = "ours", "theirs"  # names of B where an alignment made elsewhere is below ours
TAIL_GAP_PX = 4
MAX_TAIL_LETTERS = 10_000_000  # from there on last positions are left out: columns are worth more

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class GutterPen:
    def __init__(self, theme: Theme, ratio: float) -> None:
        self._theme = theme
        self._ratio = ratio
        self._names = letter_font(NAME_PX, bold=True)
        self._numbers = letter_font(NUMBER_PX)

    def width(self, longest: int, both: bool = False) -> int:
        """Return the left margin in device px for positions up to ``longest``; ``both``: for names as in ``OURS``."""
        needed = (
            4 * MARGIN_PX + advance(self._numbers) * len(number(longest)) + advance(self._names) * both * len(OURS[1])
        )
        return round(max(GUTTER_PX, needed) * self._ratio)

    def tail(self, longest: int) -> int:
        """Return the right margin in device pixels for end positions up to ``longest``."""
        needed = TAIL_GAP_PX + advance(self._numbers) * len(number(longest))
        return round((needed if longest < MAX_TAIL_LETTERS else MARGIN_PX) * self._ratio)

    def draw(
        self,
        painter: QPainter,
        layout: AlignmentLayout,
        page: Page,
        lines: range,
        position: int,
        width: int,
        tail: bool,
    ) -> None:
        """Draw the left margins (``width`` device pixels) of ``lines`` of ``page``; ``tail``: and end positions."""
        cells = layout.cells
        right = width / self._ratio - MARGIN_PX
        for i in lines:
            top = layout.line_top(page.first_line + i, position)
            columns = slice(i * page.columns, (i + 1) * page.columns)
            self._draw_codons(painter, layout, page, columns, top, right)
            ours, theirs = OURS if cells.both else ("B", "")
            rows = [("A", cells.a_top, page.rows.a_place), (ours, cells.b_top, page.rows.b_place)]
            for name, y, places in rows + [(theirs, cells.theirs_top, page.rows.theirs_place)] * cells.both:
                row = QRectF(MARGIN_PX, (top + y) / self._ratio, right - MARGIN_PX, cells.height / self._ratio)
                painter.setFont(self._names)
                painter.setPen(self._theme.text)
                painter.drawText(row, _LEFT, name)
                letters = places[columns]
                letters = letters[letters > 0]
                if letters.size:
                    painter.setFont(self._numbers)
                    painter.setPen(self._theme.dim)
                    painter.drawText(row, _RIGHT, number(int(letters[0])))
                    if tail:
                        filled = min(page.columns, places.size - columns.start) * cells.width
                        row.moveLeft((width + filled) / self._ratio + TAIL_GAP_PX)
                        painter.drawText(row, _LEFT, number(int(letters[-1])))

    def _draw_codons(
        self, painter: QPainter, layout: AlignmentLayout, page: Page, columns: slice, top: int, right: float
    ) -> None:
        cells = layout.cells
        painter.setFont(self._numbers)
        painter.setPen(self._theme.dim)
        for side, one in page.codons.items():
            for k, row in enumerate(one.rows[: cells.codons[side is Side.B]]):
                there = row[BAR, columns][row[BAR, columns] >= 0]
                if there.size:
                    y, wide = top + cells.codon_top(side is Side.A, k), int(right - MARGIN_PX)
                    place = QRectF(MARGIN_PX, y / self._ratio, wide, cells.codon_height / self._ratio)
                    name = one.bars.named(int(there[0]))[0]
                    elided = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, wide)
                    painter.drawText(place, _LEFT, elided)
