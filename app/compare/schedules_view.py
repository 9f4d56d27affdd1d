"""Schedules view: speed-up against workers on the blocks of a run, and a schedule to be played through its map."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from wavediff.app.compare.schedules import RULES, WORKERS, SpeedUps, as_run, speed_ups
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.notices import one_line
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.teach.schedule import MAX_PLACES, Rule


class SchedulesView(QWidget):
    """A button that asks for the plot, and what to play of it.

    Signals:
        found: a ``Recorded`` made of a schedule, its ``Rule`` and the number of workers.
    """

    found = Signal(object, object, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._plan: Planned | None = None
        self.open = QPushButton("Compare schedules…", self)
        self.open.setToolTip("What other orders of the same blocks would gain with more workers")
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
        self._plotter, self._player = BackgroundTask("speed-ups", self), BackgroundTask("schedule", self)
        self._plotter.finished.connect(self._show)
        self._player.finished.connect(self._give)
        for task in (self._plotter, self._player):
            task.failed.connect(self._fail)
        self.show_run(None)

    def show_run(self, plan: Planned | None) -> None:
        """Offer schedules on the blocks of a run, with its record; None: there is nothing to schedule."""
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
            self.words.setText("" if few else f"Schedules are made of up to {number(MAX_PLACES)} blocks")
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
            self.words.setText("Trying the schedules…")
            self._plotter.start(partial(speed_ups, self._plan.record))
        else:
            self._plotter.stop()

    @Slot(object)
    def _show(self, found: SpeedUps) -> None:
        from wavediff.app.compare.speed_up_plot import speed_up_plot

        self.plot = speed_up_plot(found, self._theme, self)
        self._column.insertWidget(self._column.indexOf(self._choice), self.plot)
        lanes, gain = found.real
        self.words.setText(
            "On the times of this run. Solid: queue; dashed: calls; dotted: strips; ring: the run itself, "
                f"{number(gain, 1)}× with {number(lanes)}. Shaded: what the queue loses while fewer blocks are ready "
                "than there are workers, at the start and at the end."
        )  # fmt: skip

    @Slot()
    def _ask(self) -> None:
        if (plan := self._plan) is not None:
            workers, rule = self._workers.value, self._rule.value
            self._player.start(lambda _cancel: (as_run(plan, workers, rule), rule, workers))

    @Slot(object)
    def _give(self, found: tuple[Recorded, Rule, int]) -> None:
        self.found.emit(*found)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.words.setText(str(error) if isinstance(error, WavediffError) else one_line(error))
