"""Bars of stages, and what their colours and marks mean."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from wavediff.app.ui.legend import Legend, Sign
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.race_result import Stage

# Each stage has a pattern besides its colour.
_PATTERNS = {
    Stage.PREPARE: Qt.BrushStyle.Dense6Pattern,
    Stage.TRANSFER: Qt.BrushStyle.HorPattern,
    Stage.TRACEBACK: Qt.BrushStyle.FDiagPattern,
    Stage.VERIFY: Qt.BrushStyle.VerPattern,
    Stage.OTHER: Qt.BrushStyle.BDiagPattern,
}


def paint_stage(painter: QPainter, box: QRectF, stage: Stage, theme: Theme) -> None:
    fill = _colour(stage, theme)
    painter.fillRect(box, fill)
    if stage in _PATTERNS:
        ink = theme.ink_on(fill)
        ink.setAlphaF(0.45)
        painter.fillRect(box, QBrush(ink, _PATTERNS[stage]))


def _colour(stage: Stage, theme: Theme) -> QColor:
    return {
        Stage.PREPARE: theme.equal,
        Stage.TRANSFER: theme.deletion,
        Stage.BLOCKS: theme.accent,
        Stage.TRACEBACK: theme.mismatch,
        Stage.VERIFY: theme.base_color("A"),
        Stage.OTHER: theme.state_color(BlockState.WAITING),
    }[stage]


def paint_stages(painter: QPainter, box: QRectF, theme: Theme, stages: list[tuple[Stage, float]]) -> None:
    """Paint stages one after the other; each has its share of the box."""
    left = box.left()
    for stage, share in stages:
        width = box.width() * share
        if share > 0:
            paint_stage(painter, QRectF(left, box.top(), max(1.0, width), box.height()), stage, theme)
        left += width


def stage_legend(theme: Theme) -> Legend:
    """Return a mark and a word for each stage."""
    legend = Legend("Stages", theme)
    legend.set_signs([Sign(partial(paint_stage, stage=stage, theme=theme), stage) for stage in Stage])
    return legend
