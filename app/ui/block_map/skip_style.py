"""Colour and hatch of what was not computed, and the lines of the band: one look for map, legend and table."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from app.ui.theme import Theme
from core.jobs.edit_result import SkipReason
from core.jobs.grid import BlockState

# Slanting and level are also drawn by ``board_pixels``, pixel by pixel.
HATCHES: dict[SkipReason, Qt.BrushStyle] = {
    SkipReason.ENDS: Qt.BrushStyle.VerPattern,
    SkipReason.SUBSEQUENCE: Qt.BrushStyle.CrossPattern,
    SkipReason.DISJOINT: Qt.BrushStyle.DiagCrossPattern,
    SkipReason.DIAGONALS: Qt.BrushStyle.Dense6Pattern,
    SkipReason.BAND: Qt.BrushStyle.BDiagPattern,
    SkipReason.MONOTONE: Qt.BrushStyle.HorPattern,
}
STATE_SKIPS = {BlockState.OUTSIDE_BAND: SkipReason.BAND, BlockState.MONOTONE: SkipReason.MONOTONE}


def paint_skip(painter: QPainter, box: QRectF, reason: SkipReason, theme: Theme) -> None:
    """Fill ``box`` (in pixels: hatches are not to be scaled) with the look of ``reason``."""
    painter.fillRect(box, theme.skip_color(reason))
    painter.fillRect(box, QBrush(theme.hatch, HATCHES[reason]))


def edge_pen(theme: Theme, last: bool, *, thin: bool = False) -> QPen:
    """Return the pen of the band's edges: full for the band that was kept, faint and dashed for earlier ones."""
    colour = QColor(theme.band)
    if not last:
        colour.setAlphaF(0.6)
    pen = QPen(colour, 1.0 if thin else 2.0 if last else 1.3, Qt.PenStyle.SolidLine if last else Qt.PenStyle.DashLine)
    pen.setCosmetic(True)
    return pen
