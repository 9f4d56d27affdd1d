"""Looks of what was not computed, for map and legend: a hatch that rises for what was left out, and one that falls."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter

from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState

STATE_SKIPS = {BlockState.OUTSIDE_BAND: SkipReason.BAND, BlockState.MONOTONE: SkipReason.MONOTONE}
KNOWN_BORDERS = frozenset({SkipReason.MONOTONE})  # whose blocks hand their borders on: their hatch falls


def skip_brush(theme: Theme, reason: SkipReason) -> QBrush:
    """Return the hatch of cells that were not computed, which lies on the colour ``outside``."""
    falls = reason in KNOWN_BORDERS
    return QBrush(theme.hatch, Qt.BrushStyle.FDiagPattern if falls else Qt.BrushStyle.BDiagPattern)


def paint_skip(painter: QPainter, box: QRectF, theme: Theme, reason: SkipReason) -> None:
    """Fill ``box`` with what stands for cells that were not computed."""
    painter.fillRect(box, theme.outside)
    painter.setRenderHint(QPainter.RenderHint.NonCosmeticBrushPatterns)  # as wide on every screen and in pictures
    painter.fillRect(box, skip_brush(theme, reason))
