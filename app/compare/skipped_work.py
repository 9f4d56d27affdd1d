"""Skipped cells: their table and panel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.number_text import percent
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.table_view import Figures, FiguresTable
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import capitalized
from wavediff.core.base.numbers import number
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.methods.wording import left_out

COLUMNS = ("Part of the matrix", "Blocks", "Cells", "Share", "Saved, ms (estimate)")
TSV_COLUMNS = ("status", "reason", "blocks", "cells", "share", "saved_ms_estimate")
TIPS = {
    1: "Blocks of the last grid; a dash means that there was no grid",
    3: "Of all cells of the full matrix, rows times columns",
    4: "Estimated time of the cells at the speed of this run; a dash if no block was timed",
}
REASON_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # SkipReason of a line, or None
EXPLAINED = {
    SkipReason.ENDS: "Equal letters at both ends were stripped first: they cost nothing",
    SkipReason.SUBSEQUENCE: "One is a subsequence of the other: the difference of the lengths is the answer",
    SkipReason.DISJOINT: "No letter in common: substitutions, and one gap for the rest of the longer sequence",
    SkipReason.DIAGONALS: "Few edits: computed along the diagonals only",
    SkipReason.BAND: "Paths outside the band cost more",
    SkipReason.MONOTONE: (
        "Monotone borders (Sudo and Shinohara, 2009): the top row only rises and the left column only falls, so that "
        "both are passed on unchanged"
    ),
}


STATES: dict[SkipReason | None, tuple[BlockState, ...]] = {  # of the blocks of a line; None: those computed
    SkipReason.BAND: (BlockState.OUTSIDE_BAND,),
    SkipReason.MONOTONE: (BlockState.MONOTONE,),
    None: (BlockState.DONE, BlockState.PATH),
}


@dataclass(frozen=True, slots=True)
class SkipRow:
    """One row of the table.

    Attributes:
        kind: ``computed``, ``skipped`` or ``total``, for programs.
        text, tip: for the user. reason: that of skipped cells, else None.
        blocks, seconds: None if they do not apply.
    """

    kind: str
    text: str
    tip: str
    blocks: int | None
    cells: int
    seconds: float | None
    reason: SkipReason | None = None


def ledger(outcome: Comparison, grid: BlockGrid | None) -> tuple[SkipRow, ...]:
    """Return the rows: cells skipped per reason, cells computed in the last grid, full matrix, all attempts.

    Args:
        grid: the last planned one, or None.
    """
    result = outcome.result
    account = outcome.method.skips(result)
    skips = [skip for skip in account or () if skip.cells]
    lines = [
        SkipRow("skipped", capitalized(skip.reason.text), EXPLAINED[skip.reason],
                skip.blocks or None, skip.cells, skip.seconds, skip.reason)
        for skip in skips
    ]  # fmt: skip
    whole = f"Whole matrix{left_out(outcome.method, result)}"
    skipped = sum(skip.cells for skip in skips)
    skipped_blocks = sum(skip.blocks for skip in skips)
    if account is not None:
        inside = result.n_cells - skipped
        blocks = grid.n_blocks - skipped_blocks if grid is not None and inside else None
        lines.append(
            SkipRow("computed", "Computed", "Whole blocks of the last band, each counted once", blocks, inside, None)
        )
        timed = [skip.seconds for skip in skips if skip.seconds is not None]
        total = sum(timed, 0.0) if timed or not skips else None  # Qt takes no int where it formats a float
        all_blocks = grid.n_blocks if grid is not None and (inside or skipped_blocks) else None
        lines.append(SkipRow("total", whole, "Rows times columns", all_blocks, result.n_cells, total))
    else:
        lines.append(SkipRow("total", whole, "Rows times columns", None, result.n_cells, None))
    again = result.cells > result.n_cells
    tip = "Includes earlier bands and cells recomputed for the alignment"
    text = "Computed in total, including repeats" if again else "Computed in total"
    lines.append(SkipRow("computed_in_all", text, tip, None, result.cells, None))
    return tuple(lines)


def cell_of(line: SkipRow, blocks: BlockMapModel, turn: int) -> tuple[int, int]:
    """Return row and column (0-based) of a cell in the part of the matrix that a table row counts.

    Args:
        blocks: of the last run. turn: which matching block; 0: the middle one.
    """
    grid, n, m = blocks.grid, blocks.n, blocks.m
    if grid is None:
        return n // 2, m // 2
    if line.reason is SkipReason.ENDS:  # in front of the blocks, or behind them
        in_front = grid.row0 // 2, grid.col0 // 2
        return in_front if grid.row0 else ((grid.n_rows + n) // 2, (grid.n_cols + m) // 2)
    states = STATES.get(line.reason) if line.kind == "skipped" else STATES[None]
    places = np.argwhere(np.isin(blocks.block_map, states or ()))
    if line.kind == "total" or not len(places):
        return grid.row0 + grid.n_rows // 2, grid.col0 + grid.n_cols // 2
    row, col = places[(len(places) // 2 + turn) % len(places)].tolist()
    height, width = blocks.block_size
    return min(grid.row0 + row * height + height // 2, n - 1), min(grid.col0 + col * width + width // 2, m - 1)


class SkippedWorkModel(Figures):
    """Rows of the last outcome; ``note``: computed work and reason, as over the map."""

    columns, tips, tsv_columns = COLUMNS, TIPS, TSV_COLUMNS
    rows: tuple[SkipRow, ...]
    _n_cells = 0

    def show(self, outcome: Comparison | None, grid: BlockGrid | None = None, note: str = "") -> None:
        self._n_cells = 0 if outcome is None else outcome.result.n_cells
        self.note = "" if outcome is None else note
        self.set_rows(() if outcome is None else ledger(outcome, grid))

    def cell(self, row: int, column: int, role: int) -> Any:
        line = self.rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(line)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.tip
        return line.reason if role == REASON_ROLE else None

    def _share(self, line: SkipRow) -> float:
        return line.cells / self._n_cells if self._n_cells else 0.0

    def _shown(self, line: SkipRow) -> tuple[str, ...]:
        share = self._share(line)
        share_text = percent(share) if share <= 1 else f"{number(share, 1)} times the matrix"
        return (
            line.text,
            "–" if line.blocks is None else number(line.blocks),
            number(line.cells),
            share_text if self._n_cells else "–",
            "–" if line.seconds is None else _milliseconds(line.seconds),
        )

    def fields(self, row: SkipRow) -> Iterable[object]:
        saved = None if row.seconds is None else f"{row.seconds * 1000:.6g}"
        return row.kind, row.reason, row.blocks, row.cells, self._share(row), saved


def _milliseconds(seconds: float) -> str:
    value = seconds * 1000
    return number(value, 0 if value >= 100 else 1 if value >= 1 else 3)


class LedgerView(FiguresTable):
    """Table with the chosen strategy and its reason on top.

    Signals:
        cells_wanted: letters of A and of B before a cell in the chosen part of the matrix.
    """

    keys = (*FiguresTable.keys, ("Enter, click", "Show cells of this part; click again for others"))
    cells_wanted = Signal(int, int)

    def __init__(self, model: SkippedWorkModel, blocks: BlockMapModel, theme: Theme) -> None:
        super().__init__(model, "Skipped work", 0, theme)
        self._ledger, self._blocks = model, blocks
        self._turns: dict[int, int] = {}  # times that a line was chosen
        self.table.clicked.connect(self._choose)
        model.modelReset.connect(self._turns.clear)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.table.currentIndex())
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        row = index.row()
        if self._blocks.n_cells and 0 <= row < len(self._ledger.rows):
            turn = self._turns.get(row, 0)
            self._turns[row] = turn + 1
            self.cells_wanted.emit(*cell_of(self._ledger.rows[row], self._blocks, turn))
