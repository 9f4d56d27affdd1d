"""The one sign of a kind of difference: its letter on its pale fill, its strong colour below."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.swap_result import SWAP

SWATCH_PX = 16
FOOT_PX = 3
_LETTERS = f"{LETTER}×?M"  # by operation
MOVED = len(_LETTERS) - 1  # the sign of a block of lines that moved, in the colours of a swap


def paint_swatch(painter: QPainter, box: QRectF, op: int, theme: Theme, *, on: bool = True) -> None:
    """Paint the sign of an ``Op``, ``SWAP``, ``APART`` or ``MOVED`` into ``box``; of one that is off its outline."""
    colours = theme.kind(SWAP if op == MOVED else op)
    painter.save()
    if on:
        painter.fillRect(box, colours.pale)
        painter.fillRect(QRectF(box.left(), box.bottom() - FOOT_PX, box.width(), FOOT_PX), colours.strong)
    else:
        painter.setPen(QPen(theme.control, 1))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(box.height() * 0.66)))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(colours.ink if on else theme.dim)
    letter = _LETTERS[op]
    painter.drawText(box.adjusted(0, -1, 0, 1 - FOOT_PX), int(Qt.AlignmentFlag.AlignCenter), letter)
    painter.restore()
