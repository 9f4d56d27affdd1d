"""Alternative schedules of a run: computation, speed-up, panel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.notices import one_line
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import Cancelled, WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.record.playback import Playback
from wavediff.core.teach.schedule import MAX_PLACES, Rule, Schedule, simulate

WORKERS = (1, 2, 4, 8, 16, 32, 64)
RULES = {
    Rule.QUEUE: "Queue (Sudo and Shinohara, 2009)",
    Rule.CALLS: "Calls (Kawanami and Fujimoto, 2011)",
    Rule.STRIPS: "Strips (this program)",
}
_TICKS = 1 << 31  # of a schedule, however long it is


@dataclass(frozen=True, slots=True, eq=False)
class SpeedUps:
    """Speed-up of each rule over one worker, for each number of ``WORKERS``.

    Attributes:
        real: number of lanes of the run itself, and its speed-up.
    """

    of: dict[Rule, tuple[float, ...]]
    real: tuple[int, float]


def speed_ups(record: RunRecord, cancel: CancelToken) -> SpeedUps:
    """Return the speed-ups of the rules on the blocks of ``record``; takes up to some seconds.

    Raises:
        Cancelled: no longer needed.
        TooManyBlocks: too many to simulate.
    """
    took = Playback(record).durations
    alone = float(took.sum())
    curves: dict[Rule, tuple[float, ...]] = {}
    for rule in RULES:
        gains = []
        for workers in WORKERS:
            if cancel.cancelled:
                raise Cancelled
            gains.append(alone / max(simulate(took, workers, rule).seconds, 1e-12))
        curves[rule] = tuple(gains)
    return SpeedUps(curves, (len(record.names), alone / max(record.seconds, 1e-12)))


def as_run(plan: Planned, workers: int, rule: Rule) -> Recorded:
    """Return the schedule of ``rule`` on the blocks of a run as a run record; ``plan``: of the run, with its record."""
    assert plan.record is not None
    record = _recorded(simulate(Playback(plan.record).durations, workers, rule), plan.record, workers)
    return Recorded(0, "", 0.0, record.seconds, (), (plan._replace(job_id=0, record=record),))


def _recorded(schedule: Schedule, real: RunRecord, workers: int) -> RunRecord:
    per_tick = max(schedule.seconds, 1e-9) / _TICKS
    began, ended = (
        np.where(real.ended > 0, 1 + np.round(times / per_tick), 0).astype(np.uint32)
        for times in (schedule.began, schedule.ended)
    )
    names = tuple(f"worker {k + 1:,}" for k in range(workers))
    return RunRecord(began, ended, schedule.by.astype(np.uint8), names, 0.0, per_tick)


PLOT_PX = 168
TICKS = np.log2(WORKERS)  # on both axes
PENS = {Rule.QUEUE: Qt.PenStyle.SolidLine, Rule.CALLS: Qt.PenStyle.DashLine, Rule.STRIPS: Qt.PenStyle.DotLine}


def speed_up_plot(speedups: SpeedUps, theme: Theme) -> QWidget:
    """Return a plot of each rule's speed-up below the upper bound of all schedules; the loss of the queue is shaded."""
    from pyqtgraph import FillBetweenItem, PlotWidget, mkPen  # when it is first shown: it takes a while to load

    plot = PlotWidget(background=theme.base, enableMenu=False)
    plot.setFixedHeight(PLOT_PX)
    plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    plot.hideButtons()
    plot.setMouseEnabled(False, False)
    plot.showGrid(True, True, 1.0)
    plot.setRange(xRange=(0, TICKS[-1]), yRange=(0, TICKS[-1]))
    for side, unit in (("bottom", ""), ("left", "×")):
        axis = plot.getAxis(side)
        axis.setTicks([[(at, f"{number(n)}{unit}") for n, at in zip(WORKERS, TICKS, strict=True)]])
        axis.setStyle(tickFont=theme.small_font, hideOverlappingLabels=False)
        axis.setPen(theme.grid)
        axis.setTextPen(theme.dim)
    axis = plot.getAxis("bottom")
    axis.setLabel("workers")
    axis.label.setFont(theme.small_font)
    ideal, curves = plot.plot(TICKS, TICKS, pen=mkPen(theme.control), antialias=True), {}
    for rule, gains in speedups.of.items():
        pen = mkPen(theme.text if rule is Rule.CALLS else theme.accent, width=2, style=PENS[rule])
        curves[rule] = plot.plot(TICKS, np.log2(np.clip(gains, 1, WORKERS[-1])), pen=pen, antialias=True)
    plot.addItem(FillBetweenItem(ideal, curves[Rule.QUEUE], brush=theme.tint))
    real = np.log2(np.clip([speedups.real], 1, WORKERS[-1]))
    plot.plot(real, symbol="o", symbolSize=8, symbolPen=mkPen(theme.text, width=2), symbolBrush=theme.base)
    most = number(WORKERS[-1])
    lines = [f"{RULES[rule]}: {number(gains[-1], 1)}× with {most} workers" for rule, gains in speedups.of.items()]
    plot.setAccessibleName(", ".join(["Speed-up by the number of workers", *lines]))
    plot.setToolTip("\n".join(lines))
    return plot  # type: ignore[no-any-return]


class SchedulesView(QWidget):
    """Button for the plot, and controls to play a schedule.

    Signals:
        found: a ``Recorded`` made of a schedule, its ``Rule`` and the number of workers.
    """

    found = Signal(object, object, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._plan: Planned | None = None
        self.open = QPushButton("Compare schedules…", self)
        self.open.setToolTip("Speed-up of other orders of the blocks with more workers")
        self.open.setCheckable(True)
        self.open.toggled.connect(self._toggle)
        self.words = QLabel(self, wordWrap=True)
        self.words.setFont(theme.small_font)
        self.plot: QWidget | None = None
        self._theme = theme
        theme.changed.connect(self._restyle)
        self._rule = Chooser[Rule]("Rule of the schedule", self)
        self._workers = Chooser[int]("Workers of the schedule", self)
        for rule, name in RULES.items():
            self._rule.add(rule, name)
        for n in WORKERS:
            self._workers.add(n, number(n))
        self._workers.choose(8)
        self._rule.setMinimumContentsLength(12)
        self._rule.setSizeAdjustPolicy(Chooser.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._play = QPushButton("Play the schedule", self)
        self._play.clicked.connect(self._ask)
        self._choice = QWidget(self)
        in_row((self._rule, 1), self._workers, self._play, on=self._choice, margin=0)
        column = in_column(on=self, margin=0, gap=4)
        column.addWidget(self.open, 0, Qt.AlignmentFlag.AlignLeft)
        self._column = column
        for part in (self.words, self._choice):
            column.addWidget(part)
        self._plotter = BackgroundTask("speed-ups", self, self._show, self._fail)
        self._player = BackgroundTask("schedule", self, self._give, self._fail)
        self.show_run(None)

    def show_run(self, plan: Planned | None) -> None:
        """Offer schedules for the blocks of a run with a record; None: nothing to schedule."""
        self._plan = plan
        self._plotter.stop()
        self._player.stop()
        record = None if plan is None else plan.record
        self.setVisible(record is not None)
        self.open.setChecked(False)
        self._toggle(False)
        if record is not None:
            few = record.ended.size <= MAX_PLACES
            self.open.setEnabled(few)
            self.words.setText("" if few else f"Schedules are limited to {number(MAX_PLACES)} blocks")
            self.words.setVisible(not few)

    @Slot()
    def _restyle(self) -> None:
        if self.plot is not None:
            self._toggle(True)

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        if self.plot is not None:
            self.plot.hide()
            self.plot.deleteLater()
            self.plot = None
        self._choice.setVisible(on)
        self.words.setVisible(on)
        if on and self._plan is not None and self._plan.record is not None:
            self.words.setText("Simulating the schedules…")
            self._plotter.start(partial(speed_ups, self._plan.record))
        else:
            self._plotter.stop()

    @Slot(object)
    def _show(self, curves: SpeedUps) -> None:
        self.plot = speed_up_plot(curves, self._theme)
        self._column.insertWidget(self._column.indexOf(self._choice), self.plot)
        lanes, gain = curves.real
        self.words.setText(
            "Simulated with the times of this run. Solid: queue; dashed: calls; dotted: strips; ring: the run itself, "
                f"{number(gain, 1)}× with {number(lanes)}. Shaded: loss of the queue while fewer blocks are ready "
                "than there are workers, at the start and at the end."
        )  # fmt: skip

    @Slot()
    def _ask(self) -> None:
        if (plan := self._plan) is not None:
            workers, rule = self._workers.value, self._rule.value
            self._player.start(lambda _cancel: (as_run(plan, workers, rule), rule, workers))

    @Slot(object)
    def _give(self, answer: tuple[Recorded, Rule, int]) -> None:
        self.found.emit(*answer)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.words.setText(str(error) if isinstance(error, WavediffError) else one_line(error))
