"""Facts about a computation, and their display as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.number_text import percent, plain_tip
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import LEAST_GCUPS, count, duration, number, speed
from wavediff.core.jobs.edit_result import Skip
from wavediff.core.jobs.events import Planned, memory_text
from wavediff.core.methods.base import LETTER, TracebackMethod
from wavediff.core.methods.statistics import gcups
from wavediff.core.methods.wording import apart_text, left_out
from wavediff.core.run.rates import estimate_memory
from wavediff.core.system.machine import cores

LINES_MARGIN_PX = 6  # above and below a figure of several lines
ROW_PX, FACT_NAME_PX = 24, 96


class FactRows(QWidget):
    """Rows of facts; the text is selectable."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setSpacing(0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._facts: list[Fact] = []
        self._theme = theme
        theme.changed.connect(self._restyle)

    @property
    def facts(self) -> list[Fact]:
        return list(self._facts)

    def show_facts(self, facts: list[Fact]) -> None:
        """Show ``facts``; unchanged rows are not laid out again."""
        if [each.name for each in facts] != [each.name for each in self._facts]:
            while len(self._rows) < len(facts):
                self._add_row()
            for k, row in enumerate(self._rows):
                self._form.setRowVisible(k, k < len(facts))
                if k < len(facts):
                    row[0].setText(facts[k].name)
        for (_, value), fact in zip(self._rows, facts, strict=False):
            value.setToolTip(plain_tip(fact.tip))
            if value.text() != fact.value:
                value.setText(fact.value)
                value.setAccessibleName(f"{fact.name}: {fact.value}")
        self._facts = facts
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height of each row to its number of lines; the layout alone leaves room for two."""
        room, wrap = QRect(0, 0, max(1, self.width() - FACT_NAME_PX), 1 << 16), int(Qt.TextFlag.TextWordWrap)
        for _, value in self._rows:
            lines = value.fontMetrics().boundingRect(room, wrap, value.text()).height()
            height = max(ROW_PX, lines + LINES_MARGIN_PX)
            if value.height() != height:
                value.setFixedHeight(height)

    def _add_row(self) -> None:
        name, value = QLabel(self), QLabel(self)
        for label in (name, value):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setMinimumHeight(ROW_PX)
            label.setProperty("fact", True)  # a line above it
            label.setFont(self._theme.small_font)
        name.setFixedWidth(FACT_NAME_PX)
        value.setWordWrap(True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._form.addRow(name, value)
        self._rows.append((name, value))
        self._restyle()

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(*(name for name, _ in self._rows))


# Of a matrix or a shortcut that is computed, by strategy.
_SENTENCES = {
    "common-ends": "No table needed: equal but for one gap",
    "identical": "No table needed: A and B are equal",
    "subsequence": "No table needed: all letters of {} occur in {} in this order",
    "disjoint": "No table needed: no letter occurs in both",
    "diagonals": "Found directly along the diagonals, without the matrix",
    "free-ends": "All cells to find the end of the aligned part, then that part",
    "hirschberg": "Whole matrix, recursively in halves: least memory",
}
_WHY_FULL = {
    "too small": "too small for a shortcut",
    "short": "short, so computed without compiled kernels",
    "every cell": "this method has no shortcut",
    "too different": "too different for a shortcut",
}  # by the words with which the reason begins
_TRACEBACKS = {
    TracebackMethod.BLOCKS: "the blocks on the path, recomputed",
    TracebackMethod.HIRSCHBERG: "by halves, in little memory",
    TracebackMethod.NONE: "not computed",
}
# What is done, in words; names and reasons are in the tip.
_STRATEGIES = {
    "full": "the matrix in blocks",
    "band": "only diagonals that can contain the path",
    "sudo": "only diagonals within the Hamming distance",
    "diagonals": "from difference to difference along the diagonals",
    "common-ends": "equal letters at both ends, and nothing between",
    "subsequence": "the shorter sequence matched inside the longer one",
    "disjoint": "no letter in common, so nothing to compute",
    "free-ends": "all cells to find the end of the aligned part, then that part",
    "hirschberg": "every cell, recursively in halves",
}
_TERMS = {"sudo": "Sudo and Shinohara (2009): the Hamming distance of the prefixes is an upper bound"}
_TIME_TIP = "Without reading files and compiling; a replay shows the time of the blocks"
MATRIX_TIP = "Rows times columns"
_MEMORY_TIP = "Letters, block borders and path: least for similar sequences, most for very different ones"
_COMPUTED_TIP = "Each cell counts once; repeats are in the table Skipped work"
SKIPPED_TOO = ", skipped cells included"


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: label and value; ``tip`` explains figures and terms."""

    name: str
    value: str
    tip: str = ""


def computed_text(model: BlockMapModel, outcome: Comparison | None) -> str:
    """Return one sentence on which part of the matrix is computed, and why; empty if unknown."""
    plan = model.plan
    known = ("", "") if plan is None else (plan.strategy, plan.reason)
    strategy, reason = known if outcome is None else (outcome.result.strategy, outcome.result.reason)
    if strategy in _SENTENCES:
        sentence = _SENTENCES.get(reason, _SENTENCES[strategy]).format(*("AB" if model.n <= model.m else "BA"))
        return sentence.replace(LETTER, LETTER if model.axes is None else model.axes.unit)
    if strategy == "full":
        why = next((text for begin, text in _WHY_FULL.items() if reason.startswith(begin)), reason)
        if outcome is None:
            return f"Whole matrix: {why}"
        share = _share_computed(outcome, plan)
        if share == 1:
            return f"Whole matrix computed: {why}"
        return f"{percent(share)} of the matrix computed, the rest skipped"
    if model.band is None:
        return f"{strategy}: {reason}" if strategy else ""
    band = f"Band of {count(model.band.n_diagonals, 'diagonal', 'diagonals')}"
    if outcome is None:
        return band
    return f"{band}, {'wide enough' if getattr(outcome.result, 'exact', True) else 'too narrow'} for an exact answer"


def facts_of(model: BlockMapModel, outcome: Comparison | None, devices: DeviceModel) -> list[Fact]:
    """Return the figures of the run of ``model``, and of its ``outcome`` if finished."""
    if model.phase is Phase.IDLE:
        return []
    if outcome is None:
        facts = [Fact("Matrix", count(model.n_cells, "cell", "cells"), MATRIX_TIP)] if model.n_cells else []
        if model.done_cells:
            facts.append(Fact("Speed", speed(model.gcups)))
        return [*facts, *_device(devices, 0)]
    result, job, unit = outcome.result, outcome.job, outcome.method.unit
    rate = gcups(result.n_cells, result.wall_seconds)
    rate_text = speed(rate) + SKIPPED_TOO * (_share_computed(outcome, model.plan) < 1)
    seconds, part = (model.recorded_seconds, "blocks") if model.recorded_seconds else (result.kernel_seconds, "kernels")
    time, way = duration(result.wall_seconds), _STRATEGIES.get(result.strategy, result.strategy)
    return [
        Fact("Matrix", count(result.n_cells, "cell", "cells") + left_out(outcome.method, result), MATRIX_TIP),
        *_work(outcome, model.plan),
        *([Fact("Speed", rate_text)] if result.cells and rate >= LEAST_GCUPS else []),
        Fact("Time", f"{time}, of which {part} {duration(seconds)}" if result.cells else time, _TIME_TIP),
        *_device(devices, job.threads),
        *(_memory(job) if result.device == "cpu" else []),
        *([Fact("Traceback", _TRACEBACKS[job.path])] if result.cells else []),
        *_bands(outcome),
        *_features(outcome),
        Fact("Strategy", way.replace(LETTER, unit), _strategy_tip(outcome)),
    ]  # fmt: skip


def _work(outcome: Comparison, plan: Planned | None) -> list[Fact]:
    share, reasons = _share_computed(outcome, plan), ", ".join(skip.reason.text for skip in _skips(outcome))
    blocks = ", in whole blocks" if outcome.result.cells else ""
    facts = [Fact("Computed", f"{percent(share)} of the matrix{blocks}", _COMPUTED_TIP)]
    skipped = ": ".join(filter(None, (percent(1 - share), reasons)))
    return [*facts, Fact("Skipped", skipped)] if share < 1 and outcome.result.n_cells else facts


def _share_computed(outcome: Comparison, plan: Planned | None) -> float:
    result, skips = outcome.result, _skips(outcome)
    most = result.n_cells if plan is None else plan.grid.n_cells  # without what the traceback computes again
    inside = result.n_cells - sum(skip.cells for skip in skips) if skips else min(result.cells, most)
    return inside / result.n_cells if result.n_cells else 0.0


def _skips(outcome: Comparison | None) -> list[Skip]:
    if outcome is None or not outcome.result.n_cells:
        return []
    return [skip for skip in outcome.method.skips(outcome.result) or () if skip.cells]


def _memory(job: Any) -> list[Fact]:
    estimate = estimate_memory(job)
    if estimate is None:
        return []
    least, most = (memory_text(size + job.n_letters) for size in estimate)
    size = most if least == most else f"{least} to {most}"
    return [Fact("Memory", f"{size}, estimated before the run", _MEMORY_TIP)]


def _device(devices: DeviceModel, threads: int) -> list[Fact]:
    chosen = devices.chosen
    if chosen is None:
        return []
    if chosen.device == "cpu":
        where = f"CPU, {count(threads or cores(), 'thread', 'threads')}"
    else:
        where = str(devices.card) if devices.card is not None else "GPU"
    whole = f"{where}: {chosen.reason}" if chosen.reason else where
    short, *figures = whole.split(" (", 1)  # lengths and times would take a second line
    return [Fact("Device", short, whole if figures else "")]


def _strategy_tip(outcome: Comparison) -> str:
    result = outcome.result
    way = ": ".join(filter(None, (result.strategy, result.reason)))
    return "\n".join(filter(None, (way, _TERMS.get(result.strategy), apart_text(result, outcome.a, outcome.b))))


def _features(outcome: Comparison) -> list[Fact]:
    """Return the number of features of A and B, or where unpaired ones are found."""
    one, other = (0 if each.features is None else len(each.features.names) for each in (outcome.a, outcome.b))
    texts = f"{number(one)} of A", f"{number(other)} of B", "projected onto B", "projected onto A"
    parts = [text for text, n in zip(texts, (one, other, one and not other, other and not one), strict=True) if n]
    return [Fact("Features", ", ".join(parts))] if parts else []


def _bands(outcome: Comparison) -> list[Fact]:
    bands = outcome.method.bands(outcome.result)
    if len(bands) < 2:
        return []
    tried = (
        f"k = {number(band.threshold)}: {number(band.distance)}, exact"
        if band.proven
        else f"k = {number(band.threshold)}: at most {number(band.distance)}"
        for band in bands
    )
    return [Fact("Bands tried", " · ".join(tried))]
