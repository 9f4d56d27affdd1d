"""Table of race results with bars of phases."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from wavediff.app.ui.legend import Legend, Sign
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.table_view import BARS_ROLE, Table
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, duration, number, rate
from wavediff.core.export.race import tsv
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.race_result import RaceEntryResult, Stage

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
    """Paint the phases as a stacked bar."""
    left = box.left()
    for stage, share in stages:
        width = box.width() * share
        if share > 0:
            paint_stage(painter, QRectF(left, box.top(), max(1.0, width), box.height()), stage, theme)
        left += width


def stage_legend(theme: Theme) -> Legend:
    """Return the legend of phases."""
    legend = Legend("Stages", theme)
    legend.set_signs([Sign(partial(paint_stage, stage=stage, theme=theme), stage) for stage in Stage])
    return legend


COLUMNS = ("Kernel", "Device", "Answer", "Time", "Ratio", "GCUPS", "Computed", "Compile", "Stages")
BAR_COLUMN = len(COLUMNS) - 1
TIPS = {
    3: "Whole job without compilation; the fastest of several runs",
    4: "Time relative to the fastest kernel",
    5: "10⁹ cells of the full matrix a second of the whole job",
    6: "Computed share of the full matrix, without cells recomputed for the traceback",
    BAR_COLUMN: "The stages of a job, all bars on one scale",
}


class RaceTable(Table):
    """One row per finished kernel, in race order."""

    columns, tips, left = COLUMNS, TIPS, frozenset({0, 1, BAR_COLUMN})
    rows: tuple[RaceEntryResult, ...]

    def tsv(self, rows: Iterable[int] | None = None) -> str:
        return tsv(self.rows if rows is None else [self.rows[k] for k in rows])

    def cell(self, row: int, column: int, role: int) -> Any:
        leg = self.rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(leg, column)
        described = role == Qt.ItemDataRole.AccessibleDescriptionRole and column == BAR_COLUMN
        if described or role == Qt.ItemDataRole.ToolTipRole:
            return _tip(leg)
        if role == BARS_ROLE:  # [(stage, seconds over the longest bar)]
            longest = max(sum(one.stages().values()) for one in self.rows) or 1.0
            return [(stage, seconds / longest) for stage, seconds in leg.stages().items()]
        return None

    def _shown(self, row: RaceEntryResult, column: int) -> str:
        if column == 0:
            return row.name
        if column == 1:
            return row.device.upper()
        if row.answer is None:
            return "failed" if column == 2 else row.failure if column == BAR_COLUMN else "–"
        fastest = min(one.best for one in self.rows if one.seconds)
        match column:
            case 2:
                return grouped(row.shown)
            case 3:
                return duration(row.best)
            case 4:
                return number(row.best / fastest, 2) if fastest > 0 else "–"
            case 5:
                return rate(row.gcups)
            case 6:
                return f"{number(100 * min(row.cells / row.n_cells, 1))} %" if row.n_cells else "–"
            case 7:
                return duration(row.compile_seconds) if row.compile_seconds else "–"
            case _:
                return ""


def _tip(row: RaceEntryResult) -> str:
    if row.answer is None:
        return row.failure
    text = f"{row.name}: {duration(row.best)} on the {row.device.upper()}, {count(row.cells, 'cell', 'cells')} computed"
    return "\n".join([text, *stage_lines(row)])


def stage_lines(row: RaceEntryResult) -> list[str]:
    """Return the times of the phases, one line each."""
    lines = [f"{stage}: {duration(seconds)}" for stage, seconds in row.stages().items() if seconds]
    compiled = f"compiling, not counted: {duration(row.compile_seconds)}"
    return [*lines, compiled] if row.compile_seconds else lines
