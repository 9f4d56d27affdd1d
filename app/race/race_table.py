"""The times of a race as a table; its last column is the chart."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from wavediff.app.ui.delegate import BARS_ROLE
from wavediff.app.ui.number_text import grouped, speed_figure
from wavediff.app.ui.table_model import Table
from wavediff.core.base.numbers import duration, number
from wavediff.core.methods.race_result import RaceEntryResult

COLUMNS = (
    "Kernel",
    "Device",
    "Answer",
    "Time",
    "Ratio",
    "GCUPS",
    "Computed",
    "Compile",
    "Stages",
)
BAR_COLUMN = len(COLUMNS) - 1
TIPS = {
    3: "Whole job without compilation; the fastest of several runs",
    4: "Times the fastest one's time",
    5: "10⁹ cells of the full matrix a second of the whole job",
    6: "Cells that were computed, of those of the full matrix",
    BAR_COLUMN: "The stages of a job, all bars on one scale",
}


class RaceTable(Table):
    """One row a kernel that has ended, in the order in which they race."""

    columns, tips, left = COLUMNS, TIPS, frozenset({0, 1, BAR_COLUMN})
    rows: tuple[RaceEntryResult, ...]

    def cell(self, row: int, column: int, role: int) -> Any:
        leg = self.rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(leg, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(leg)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and column == BAR_COLUMN:
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
                return speed_figure(row.gcups)
            case 6:
                return f"{number(100 * row.cells / row.n_cells)} %" if row.n_cells else "–"
            case 7:
                return duration(row.compile_seconds) if row.compile_seconds else "–"
            case _:
                return ""


def _tip(row: RaceEntryResult) -> str:
    if row.answer is None:
        return row.failure
    text = f"{row.name}: {duration(row.best)} on the {row.device.upper()}, {number(row.cells)} cells computed"
    return "\n".join([text, *stage_lines(row)])


def stage_lines(row: RaceEntryResult) -> list[str]:
    """Return the times of its stages, a line each."""
    lines = [f"{stage}: {duration(seconds)}" for stage, seconds in row.stages().items() if seconds]
    compiled = f"compiling, not counted: {duration(row.compile_seconds)}"
    return [*lines, compiled] if row.compile_seconds else lines
