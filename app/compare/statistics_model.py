"""Statistics panel: all figures with their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt, Slot

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.table_view import Figures
from wavediff.core.base.numbers import count, number
from wavediff.core.methods.base import Measure
from wavediff.core.methods.statistics import measures

COLUMNS = ("Figure", "Value", "Definition")
SYNC_RUNS = 100_000  # runs of an alignment that are counted in a millisecond; more are counted by a thread


class StatisticsModel(Figures):
    """Table model with one row per figure; ``note``: one line on the basis of the figures, or why some are missing."""

    columns, left, tsv_columns = COLUMNS, frozenset({0, 2}), ("key", "value", "definition")
    rows: tuple[Measure, ...]

    def __init__(self) -> None:
        super().__init__()
        self._outcome: Comparison | None = None
        self._counter = BackgroundTask("count", self, self._counted, self._not_counted)

    def show(self, outcome: Comparison | None) -> None:
        """Show the figures of ``outcome``; those of very long alignments follow later."""
        self._counter.stop()
        self._outcome, self.apart = outcome, False
        if outcome is None:
            self._on_counted((), "")
            return
        alignment = outcome.result.alignment
        if alignment is None or alignment.ops.size <= SYNC_RUNS:
            self._on_counted(_measures(outcome), _note(outcome))
            return
        self._on_counted((), f"Counting {number(int(alignment.ops.size))} runs…")
        self._counter.start(lambda _cancel: _measures(outcome))

    def show_apart(self, rows: tuple[Measure, ...], note: str) -> None:
        """Show figures of something other than a global comparison."""
        self.show(None)
        self.apart = True
        self._on_counted(rows, note)

    def show_now(self, outcome: Comparison) -> None:
        self._on_counted(_measures(outcome), _note(outcome))

    def close(self) -> None:
        self._counter.stop()

    @Slot(object)
    def _counted(self, rows: tuple[Measure, ...]) -> None:
        assert self._outcome is not None
        self._on_counted(rows, _note(self._outcome))

    @Slot(object)
    def _not_counted(self, error: BaseException) -> None:
        self._on_counted((), f"Statistics not available: {type(error).__name__}")

    def _on_counted(self, rows: tuple[Measure, ...], note: str) -> None:
        self.note = note
        self.set_rows(rows)

    def cell(self, row: int, column: int, role: int) -> Any:
        measure = self.rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return (measure.name, shown(measure), measure.definition)[column]
        return measure.definition if role == Qt.ItemDataRole.ToolTipRole else None

    def fields(self, row: Measure) -> Iterable[object]:
        return row.key, row.value, row.definition  # fractions are in 0..1


def _measures(outcome: Comparison) -> tuple[Measure, ...]:
    return measures(outcome.method, outcome.result, len(outcome.a), len(outcome.b), shown=True)


def _note(outcome: Comparison) -> str:
    a, b = (count(len(one), "letter", "letters") for one in (outcome.a, outcome.b))
    letters = f"A {a}, B {b}"
    case = "; case ignored" if outcome.fold_case else ""
    missing = " – traceback not computed" if outcome.result.alignment is None else ""
    return f"{letters}{case}{missing}"


def shown(row: Measure) -> str:
    """Return the value of a row as text: numbers with grouped digits, fractions as percentages with enough digits."""
    if row.value is None:
        return "–"
    if row.is_share:
        value = 100 * row.value
        # 99.9999 % must not read as 100: two are alike only when they are.
        digits = next((d for d in range(2, 9) if row.value >= 1 or round(value, d) < 100), 9)
        return f"{number(value, digits)} %"
    return grouped(row.value)
