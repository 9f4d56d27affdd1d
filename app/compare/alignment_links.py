"""Swapped letters joined by lines that cross between the two rows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from wavediff.app.compare.alignment_layout import AlignmentLayout
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.swap_result import SWAP


def draw_links(
    painter: QPainter,
    theme: Theme,
    layout: AlignmentLayout,
    position: int,
    swaps: list[tuple[int, int]],
    shift: QPointF,
    ratio: float,
) -> None:
    """Join each letter of A of a swap with its equal of B, at the other column of the swap.

    Args:
        position: of the surface, device pixels.
        swaps: first and last column of each.
        shift: of the surface's corner in the widget, logical pixels; ``ratio``: device pixels in one.
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
