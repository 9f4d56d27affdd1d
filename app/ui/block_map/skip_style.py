"""Look of what was not computed: one hatch for map and legend, whatever the reason; the legend says which."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter

from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState

STATE_SKIPS = {BlockState.OUTSIDE_BAND: SkipReason.BAND, BlockState.MONOTONE: SkipReason.MONOTONE}


def paint_skip(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Fill ``box`` (in pixels: a hatch is not to be scaled) with what stands for cells that were not computed."""
    painter.fillRect(box, theme.outside)
    painter.fillRect(box, QBrush(theme.hatch, Qt.BrushStyle.BDiagPattern))  # as ``block_map_pixels`` draws it too
