"""Timings of kernels: model and panel."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QBrush, QPainter
from PySide6.QtWidgets import QHeaderView

from wavediff.app.ui.kernel_names import kernel_name
from wavediff.app.ui.save_dialog import ask_save
from wavediff.app.ui.table_view import BARS_ROLE, BarDelegate, Figures, FiguresTable
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, rate
from wavediff.core.export.json import Timings
from wavediff.core.export.registry import TIMINGS, Format
from wavediff.core.jobs.events import Compiled, DeviceChosen, Event, EventTotals, KernelTiming, StepDone

COLUMNS = ("Kernel", "Device", "Calls", "Cells", "Seconds", "Compile s", "GCUPS", "Time (compile: own scale)")
TSV_COLUMNS = ("kernel", "device", "calls", "cells", "seconds", "compile_seconds", "gcups")
BAR_COLUMN = 7
TIPS = {
    3: "Computed cells, including repeats",
    6: "10⁹ cells of the matrix per second, without compile time",
    BAR_COLUMN: "Solid: running; thin and hatched: compiling, on another scale",
}
LIVE_MS = 1000  # a table is laid out for each row that is new, and every cell asks for its text
MIN_BAR_CHANGE = 0.004  # of the longest bar: what a bar has to grow by to be drawn again


class TimingsModel(Figures):
    """One row per kernel in order of first run; grows during the job."""

    columns, tips, left, tsv_columns = COLUMNS, TIPS, frozenset({0, 1, BAR_COLUMN}), TSV_COLUMNS
    rows: tuple[KernelTiming, ...]

    def __init__(self) -> None:
        super().__init__()
        self._job_id = 0
        self._bars: list[tuple[float, float]] = []
        self._watch = EventTotals()
        self._final: list[KernelTiming] = []
        self._timer = QTimer(self, interval=LIVE_MS, singleShot=True)
        self._timer.timeout.connect(self._show_live)

    def start(self, job_id: int, device: str) -> None:
        """Follow a new job; ``device``: until the job reports its own."""
        self._timer.stop()
        self.beginResetModel()
        self._job_id, self.rows, self._bars, self._final, self.apart = job_id, (), [], [], False
        self._watch = EventTotals(device)
        self.endResetModel()

    def take_back(self, rows: tuple[KernelTiming, ...], *, apart: bool = False) -> None:
        """Restore the rows of a finished job; ``apart``: see ``Figures``."""
        self.start(0, "")
        self.apart = apart
        self._final = list(rows)
        self._show_live()

    @Slot(object)
    def apply(self, event: Event) -> None:
        if event.job_id != self._job_id:
            return
        if isinstance(event, DeviceChosen):
            self._watch = EventTotals(event.device)
        elif isinstance(event, KernelTiming):
            self._final.append(event)
            self._watch = EventTotals()  # of a job that goes on with another device, what follows comes below
            self._timer.start(0)
        elif isinstance(event, Compiled | StepDone):
            self._watch.add(event)
            if not self._timer.isActive():
                self._timer.start(LIVE_MS)

    def flush(self) -> None:
        self._timer.stop()
        self._show_live()

    @Slot()
    def _show_live(self) -> None:
        new, before = (*self._final, *self._watch.timings(self._job_id)), self.rows
        old = len(before)
        if len(new) > old:
            self.beginInsertRows(QModelIndex(), old, len(new) - 1)
            self.rows = new
            self.endInsertRows()
        elif len(new) < old:
            self.beginResetModel()
            self.rows, self._bars = new, _shares(new)
            self.endResetModel()
            return
        else:
            self.rows = new
        for row in range(old):
            changed = [
                column for column in range(BAR_COLUMN) if _shown(new[row], column) != _shown(before[row], column)
            ]
            if changed:
                self.dataChanged.emit(self.index(row, changed[0]), self.index(row, changed[-1]))
        bars = _shares(new)
        if len(bars) != len(self._bars) or np.abs(np.subtract(bars, self._bars)).max(initial=0) > MIN_BAR_CHANGE:
            self._bars = bars  # the longest may be another one: all are drawn again
            self.dataChanged.emit(self.index(0, BAR_COLUMN), self.index(len(new) - 1, BAR_COLUMN))

    def cell(self, row: int, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return _shown(self.rows[row], column)
        if role == BARS_ROLE:  # (seconds, compile seconds) over the longest line, 0 to 1
            return self._bars[row] if row < len(self._bars) else (0.0, 0.0)
        return None

    def fields(self, row: KernelTiming) -> Iterable[object]:
        return (getattr(row, name) for name in TSV_COLUMNS)


def _shares(rows: tuple[KernelTiming, ...]) -> list[tuple[float, float]]:
    """Return run and compile time of each row relative to the longest of its kind, 0 to 1."""
    longest = max((each.seconds for each in rows), default=0.0) or 1.0
    compiling = max((each.compile_seconds for each in rows), default=0.0) or 1.0
    return [(each.seconds / longest, each.compile_seconds / compiling) for each in rows]


def _shown(row: KernelTiming, column: int) -> str:
    match column:
        case 0:
            return kernel_name(row.kernel)
        case 1:
            return row.device.upper()
        case 2:
            return number(row.calls) if row.calls else "–"
        case 3:
            return number(row.cells) if row.cells else "–"
        case 4:
            return _seconds(row.seconds)
        case 5:
            return _seconds(row.compile_seconds) if row.compile_seconds else "–"
        case 6:
            return rate(row.gcups) if row.cells and row.seconds else "–"
        case _:
            return ""


def _seconds(value: float) -> str:
    return number(value, 3 if value >= 0.1 else 6 if value < 0.001 else 4)


def paint_times(painter: QPainter, box: QRectF, theme: Theme, shares: tuple[float, float]) -> None:
    """Paint a bar for the run time, and a thin hatched one for compiling, on its own scale."""
    (run, compiling), thin = shares, 5.0
    painter.fillRect(QRectF(box.left(), box.top(), max(2.0, box.width() * run), box.height() - thin - 1), theme.accent)
    if compiling > 0:
        rest = QRectF(box.left(), box.bottom() - thin, max(2.0, box.width() * compiling), thin)
        painter.fillRect(rest, QBrush(theme.dim, Qt.BrushStyle.BDiagPattern))


class TimingsView(FiguresTable):
    def __init__(self, model: TimingsModel, theme: Theme) -> None:
        super().__init__(model, "Timings of the kernels", BAR_COLUMN, theme)
        self._timings = model
        self._letters: dict[int, int] = {}  # the longest text that each column was made wide enough for
        self.table.setItemDelegateForColumn(BAR_COLUMN, BarDelegate(theme, self.table, paint_times))
        header = self.table.horizontalHeader()
        for column in range(BAR_COLUMN):  # not the bars: they take what is left
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.table.resizeColumnToContents(column)
        self.add_button("Save…", "Save as JSON (Ctrl+S)", "save", self.ask_and_save)
        model.modelReset.connect(self._widen_all)
        model.rowsInserted.connect(self._added)
        model.dataChanged.connect(self._changed)
        self._widen_all()

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, "Save timings", (TIMINGS,), "timings.json", self.save)

    def save(self, path: Path, kind: Format = TIMINGS) -> None:
        self.write(kind, path, Timings(self._timings.rows), f"Timings saved in {printable(str(path))}")

    @Slot(QModelIndex, QModelIndex)
    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._widen(range(first.row(), last.row() + 1), range(first.column(), last.column() + 1))

    @Slot(QModelIndex, int, int)
    def _added(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._widen(range(first, last + 1), range(BAR_COLUMN))

    @Slot()
    def _widen_all(self) -> None:
        self._widen(range(self._timings.height()), range(BAR_COLUMN))

    def _widen(self, rows: range, columns: range) -> None:
        """Widen columns for new content; Qt's ResizeToContents would measure every cell."""
        for column in columns:
            cells = [self._timings.index(row, column) for row in rows] if column < BAR_COLUMN else []
            longest = max(cells, key=lambda cell: len(cell.data()), default=None)
            if longest is None or len(longest.data()) <= self._letters.get(column, 0):
                continue
            self._letters[column] = len(longest.data())
            wanted = self.table.sizeHintForIndex(longest).width()
            if wanted > self.table.columnWidth(column):
                self.table.setColumnWidth(column, wanted + wanted // 8)
        self.table.fit()
