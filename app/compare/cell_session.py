"""State of the viewed cells: a window of the last answer's matrix, with its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import Signal, Slot

from wavediff.app.ui.background_task import BackgroundTask, SideSession
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.pair import Comparison
from wavediff.core.jobs.alignment import Op, Swaps
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.kept_matrix import KeptMatrix, KernelLayout, LaneLayout, Values, WordBits, has_cells
from wavediff.core.jobs.results import PairResult
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.window_job import WINDOW_LETTERS, WindowJob, WindowResult
from wavediff.core.run.dispatch import estimated_seconds
from wavediff.core.sequences.characters import folding_of
from wavediff.core.sequences.letter_text import one_by_one
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.table import MAX_TABLE_LETTERS
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.traces import new_trace
from wavediff.core.teach.window_trace import WindowTrace, cells_table, in_kernel_order

UNASKED_SECONDS = 0.3  # what takes longer is said before it begins
STILL_LETTERS = 64  # of a side: the table of a pair of so many is there at once


@dataclass(frozen=True, slots=True)
class Area:
    """Rectangle of the matrix: letters before it, rows and columns."""

    row: int
    col: int
    n_rows: int
    n_cols: int


@dataclass(frozen=True, eq=False)
class WindowCells:
    """Cells of a window, and their steps.

    Attributes:
        outcome: the comparison. area: of the window. values: int64, also of the row above and the column on the left.
        words: see ``wavediff.core.jobs.kept_matrix.KeptMatrix.words``. layout: that of the kernel, or None. before:
            letters before the first row and column of the kernel's matrix.
    """

    outcome: Comparison
    area: Area
    values: Values
    words: WordBits
    layout: KernelLayout | LaneLayout | None = None
    before: int = 0

    @cached_property
    def by_columns(self) -> WindowTrace:
        area, outcome = self.area, self.outcome
        rows, columns = slice(area.row, area.row + area.n_rows), slice(area.col, area.col + area.n_cols)
        table = cells_table(
            outcome.method.table_of(outcome.job), *letters_of(outcome, rows, columns, compared=True), self.values
        )
        trace = WindowTrace(table, self.words)
        trace.shown = letters_of(outcome, rows, columns)
        return trace

    @cached_property
    def in_kernel(self) -> WindowTrace:
        """Steps in the order in which the kernel computes the cells; by columns if that is unknown."""
        row, col = self.area.row - self.before, self.area.col - self.before
        return self.by_columns if self.layout is None else in_kernel_order(self.by_columns, self.layout, row, col)


class CellSession(SideSession):
    """Computes windows of cells in the background.

    Attributes:
        outcome: the comparison of the cells, without a result while it runs, or None.
        area: the chosen window, or None. cells: the cells of ``area``, or None until computed.
        whole: the trace of the full table of a small pair, once requested.

    Signals:
        updated: any of these, ``seconds`` or ``running`` changed.
    """

    updated = Signal()

    def __init__(self, model: BlockMapModel) -> None:
        super().__init__("cells", "These cells could not be computed", "", "cells")
        self._model = model
        self._running: Comparison | None = None  # what the model's run compares
        self.outcome: Comparison | None = None
        self.area: Area | None = None
        self.cells: WindowCells | None = None
        self.whole: Trace | None = None
        self._again: tuple[int, int, KeptMatrix] | None = None  # rows and columns of what was computed once more
        self._last: tuple[Sequence, Sequence, Area] | None = None  # the pair before, and its window
        self._table = BackgroundTask("cells", self, self._take_table)
        self.changed.connect(self.updated)
        model.planned.connect(self._run_began)
        model.changed.connect(self._run_went_on)

    # The pair

    @Slot(object)
    def show_outcome(self, outcome: Comparison) -> None:
        """Show cells of a new answer: the same window as before, or the full table of a small pair."""
        if self.outcome is not None and self.outcome.job is outcome.job:
            self.outcome = outcome  # whose cells were looked at while it was computed
        else:
            self.stop()
            self._forget()
            self._look_at(outcome)
            self._last = None
        self.updated.emit()

    def _look_at(self, outcome: Comparison) -> None:
        self.outcome = outcome
        n, m = self.size
        if self.method and 0 < max(n, m) <= WINDOW_LETTERS and min(n, m) > 0:
            self.area = Area(0, 0, n, m)
        elif self.method and self._last is not None and self._last[:2] == (outcome.a, outcome.b):
            self.area = self._last[2]  # the same cells by another method

    def run_begins(self, comparison: Comparison) -> None:
        """Record the pair of the next run, before its events arrive."""
        self._running = comparison

    @Slot()
    def _run_began(self) -> None:
        """Show cells of the running computation, if enough of it is stored."""
        model = self._model
        if model.phase is not Phase.DONE and (self.outcome is not None or model.kept is not None):
            self.stop()
            self._forget()
            if model.kept is not None and self._running is not None and self._running.job.id == model.job_id:
                self._look_at(self._running)
            self.updated.emit()

    @property
    def has_window(self) -> bool:
        """True if there are cells to show, of the answer or of the running job."""
        run, last = self._running, self._last
        again = run is not None and last is not None and (last[0] is run.a and last[1] is run.b)
        return self.area is not None or again or max(self._model.n, self._model.m) <= MAX_TABLE_LETTERS

    @Slot()
    def _run_went_on(self) -> None:
        if self.is_computed_now and not self.is_awaited and not self.running:
            self.want_cells()

    @property
    def is_computed_now(self) -> bool:
        return self.outcome is not None and self._model.phase is Phase.RUNNING

    def _forget(self) -> None:
        self._table.stop()
        if self.outcome is not None and self.area is not None:
            self._last = self.outcome.a, self.outcome.b, self.area
        self.outcome = self.area = self.cells = self.whole = self._again = None

    @property
    def has_replay(self) -> bool:
        return self._model.playback is not None

    def close(self) -> bool:
        self._table.stop()
        return super().close()

    @property
    def method(self) -> str:
        """Name of the table with the cells, see ``wavediff.core.methods.base.Method.table_of``; empty: none."""
        return "" if self.outcome is None else self.outcome.method.table_of(self.outcome.job)

    @property
    def size(self) -> tuple[int, int]:
        return (0, 0) if self.outcome is None else (int(self.outcome.job.a.size), int(self.outcome.job.b.size))

    @property
    def has_table(self) -> bool:
        small = min(self.size) > 0 and max(self.size) <= MAX_TABLE_LETTERS
        return bool(self.method) and small and not self.is_computed_now

    # The whole table

    def want_table(self) -> None:
        """Request the full table: a small one is computed at once, for others ``updated`` follows."""
        if not self.has_table or self.whole is not None or self._table.running:
            return
        (n, m), outcome = self.size, self.outcome
        assert outcome is not None
        if max(n, m) <= STILL_LETTERS:
            self.whole = table_trace(outcome)
            return

        def made(_token: object) -> Trace:
            trace = table_trace(outcome)
            assert trace is not None
            for unit in trace.units:
                trace.scene(unit, 0)  # what is made once, before anybody waits for it
            return trace

        self._table.start(made)

    @Slot(object)
    def _take_table(self, trace: Trace) -> None:
        self.whole = trace
        self.want_cells()
        self.updated.emit()

    # A window

    def want_cells(self) -> None:
        """Load the window's values if that is fast."""
        if self.area is not None and self.cells is None and not self.running:
            self._fetch()

    def choose(self, row: int, col: int) -> None:
        """Show the window around the cell of letters ``row`` and ``col`` (0-based)."""
        self.move(row - WINDOW_LETTERS // 2, col - WINDOW_LETTERS // 2)

    def move(self, row: int, col: int) -> None:
        """Show the window that starts at a cell, or the nearest valid one."""
        n, m = self.size
        if not self.method or not min(n, m):
            return
        rows, cols = min(n, WINDOW_LETTERS), min(m, WINDOW_LETTERS)
        area = Area(max(0, min(row, n - rows)), max(0, min(col, m - cols)), rows, cols)
        if area != self.area:
            self.slot.stop()
            self.area, self.cells = area, None
            self._fetch()
            self.updated.emit()

    @property
    def block(self) -> Area | None:
        """The map block at (or nearest to) the middle of the window; None without a map."""
        grid, area = self._model.grid, self.area
        if grid is None or area is None:
            return None
        row = min(max(area.row + area.n_rows // 2 - grid.row0, 0), grid.n_rows - 1)
        col = min(max(area.col + area.n_cols // 2 - grid.col0, 0), grid.n_cols - 1)
        height, width = self._model.block_size
        top, left = row // height * height, col // width * width
        return Area(
            grid.row0 + top, grid.col0 + left, min(height, grid.n_rows - top), min(width, grid.n_cols - left)
        )  # fmt: skip

    @property
    def state(self) -> BlockState | None:
        """State of the window's block at the displayed time."""
        grid, block = self._model.grid, self.block
        if grid is None or block is None or not self._model.block_map.size:
            return None
        at = self._model.block_at(block.row, block.col)
        return None if at is None else self._model.state_at(*at)

    @property
    def seconds(self) -> float:
        """Estimated seconds to compute the window's values; 0 if known or fast."""
        if self.area is None or self.cells is not None or self.outcome is None or self.has_table:
            return 0.0
        area, pair, source = self.area, self.outcome.job, self._source(self.area)
        if source is None and self.is_computed_now:
            return 0.0
        rows, cols, threads = area.row + area.n_rows, area.col + area.n_cols, pair.threads
        if source is not None:
            (rows, cols), threads = source[0].computed_again, 1
        part = replace(pair, a=pair.a[:rows], b=pair.b[:cols], path=TracebackMethod.BLOCKS, threads=threads)
        seconds = estimated_seconds(part, Device.CPU)
        return seconds if seconds > UNASKED_SECONDS else 0.0

    @property
    def is_awaited(self) -> bool:
        return self.is_computed_now and self.area is not None and self._source(self.area) is None

    def compute(self) -> None:
        """Compute the window's values, however long it takes."""
        if self.area is None or self.outcome is None:
            return
        area, (kept, before) = self.area, self._source(self.area) or (None, 0)
        job = WindowJob(
            pair=self.outcome.job, row=area.row, col=area.col, n_rows=area.n_rows, n_cols=area.n_cols,
            kept=kept, before=before,
        )  # fmt: skip
        self._submit(job, "Computing the matrix up to these cells…" if kept is None else "")

    def _source(self, area: Area) -> tuple[KeptMatrix, int] | None:
        """Return the source for fast computation of a window, and the letters before its first row and column."""
        kept, grid = self._model.kept, self._model.grid
        rows, cols = area.row + area.n_rows, area.col + area.n_cols
        if kept is not None and grid is not None and grid.row0 == grid.col0:
            before = grid.row0
            if has_cells(kept, area.row - before, area.col - before, area.n_rows, area.n_cols):
                return kept, before
        if self._again is not None and rows <= self._again[0] and cols <= self._again[1]:
            return self._again[2], 0
        return None

    def _fetch(self) -> None:
        """Load the window's values if that is fast."""
        if self.has_table:
            self.want_table()
            if isinstance(self.whole, TableTrace) and self.area is not None and self.outcome is not None:
                area, values = self.area, self.whole.table.values
                row, col, end, right = area.row, area.col, area.row + area.n_rows, area.col + area.n_cols
                words = {name: one[row:end, col:right] for name, one in self.whole.word_bits.items()}
                cut = values[row : end + 1, col : right + 1].astype(np.int64)
                self.cells = WindowCells(self.outcome, area, cut, words)
        elif not self.seconds and not self.is_awaited:
            self.compute()

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        assert isinstance(result, WindowResult)
        area, outcome = self.area, self.outcome
        if area is None or outcome is None or (result.row, result.col) != (area.row, area.col):
            return
        if result.kept is not None:
            self._again = area.row + area.n_rows, area.col + area.n_cols, result.kept
        self.cells = WindowCells(outcome, area, result.values, result.words, result.layout, result.before)
        self._end("")


def letters_of(outcome: Comparison, rows: slice, columns: slice, *, compared: bool = False) -> tuple[str, str]:
    """Return letters of A and B as visible characters; with equal case if the comparison ignores it.

    Args:
        compared: show U as T if the comparison treats it as T.
    """
    folds, texts = outcome.job.fold_case, []
    for sequence, part in ((outcome.a, rows), (outcome.b, columns)):
        own = sequence.u_is_t and not compared
        letters = sequence.letters[part] if own else sequence.comparable(folds, part)
        texts.append(one_by_one(folding_of(folds, letters)[letters], sequence.characters))
    return texts[0], texts[1]


def table_trace(outcome: Comparison) -> Trace | None:
    """Return the trace of the full table of a small pair, else None."""
    method, n, m = outcome.method.table_of(outcome.job), int(outcome.job.a.size), int(outcome.job.b.size)
    if not method or not min(n, m) or max(n, m) > MAX_TABLE_LETTERS:
        return None
    trace = new_trace(method, dict(zip("ab", letters_of(outcome, slice(n), slice(m), compared=True), strict=True)))
    assert isinstance(trace, TableTrace)
    trace.shown = letters_of(outcome, slice(n), slice(m))
    return trace


def path_cells(result: PairResult | None) -> list[Cell]:
    """Return the cells on a global alignment path, last first; empty without one.

    A swap is a single step.
    """
    if result is None or result.alignment is None:
        return []
    steps = np.repeat(result.alignment.ops, result.alignment.lengths).tolist()
    cells, i, j = [(0, 0)], 0, 0
    for op in steps:
        i, j = i + (op != Op.INSERTION), j + (op != Op.DELETION)
        cells.append((i, j))
    swaps: Swaps | None = getattr(result, "swaps", None)
    for a0, a1, b0, b1 in () if swaps is None else swaps.rows():
        cells = [(i, j) for i, j in cells if not (a0 < i <= a1 and b0 < j <= b1 + 1)]
    return cells[::-1]
