"""Schedules view: speed-up against workers on the blocks of a run, and a schedule to be played through its map."""

from __future__ import annotations

from functools import partial
from math import log2

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

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

PLOT_PX, LEFT_PX, BOTTOM_PX, TOP_PX, RIGHT_PX = 168, 32, 32, 8, 24
PENS = {Rule.QUEUE: Qt.PenStyle.SolidLine, Rule.CALLS: Qt.PenStyle.DashLine, Rule.STRIPS: Qt.PenStyle.DotLine}


class SpeedUpPlot(QWidget):
    """Curves of the rules under the line that no schedule can pass; what the queue loses to it is shaded."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found: SpeedUps | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_speed_ups(self, found: SpeedUps | None) -> None:
        self._found = found
        lines = [] if found is None else [
            f"{RULES[rule]}: {number(gains[-1], 1)}× with {number(WORKERS[-1])} workers"
            for rule, gains in found.of.items()
        ]  # fmt: skip
        self.setAccessibleName(", ".join(["Speed-up by the number of workers", *lines]))
        self.setToolTip("\n".join(lines))
        self.setVisible(found is not None)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, PLOT_PX)

    def _point(self, workers: float, gain: float) -> QPointF:
        room = QRectF(self.rect()).adjusted(LEFT_PX, TOP_PX, -RIGHT_PX, -BOTTOM_PX)
        whole = log2(WORKERS[-1])
        return QPointF(
            room.left() + log2(workers) / whole * room.width(),
            room.bottom() - log2(min(max(gain, 1.0), WORKERS[-1])) / whole * room.height(),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        found, theme, painter = self._found, self._theme, QPainter(self)
        if found is None:
            return
        painter.setFont(theme.small_font)
        for n in WORKERS:
            at = self._point(n, 1)
            painter.setPen(QPen(theme.grid, 1))
            painter.drawLine(at, self._point(n, WORKERS[-1]))
            painter.drawLine(self._point(1, n), self._point(WORKERS[-1], n))
            painter.setPen(theme.dim)
            middle = Qt.AlignmentFlag.AlignCenter
            painter.drawText(QRectF(at.x() - 20, at.y() + 2, 40, 14), middle, number(n))
            left = self._point(1, n)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, left.y() - 7, LEFT_PX - 4, 14), right, f"{number(n)}×")
        foot = QRectF(LEFT_PX, self.height() - 16, self.width() - LEFT_PX - RIGHT_PX, 14)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, "workers")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ideal = [self._point(n, n) for n in WORKERS]
        queue = [self._point(n, gain) for n, gain in zip(WORKERS, found.of[Rule.QUEUE], strict=True)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tint))
        painter.drawPolygon(QPolygonF([*ideal, *reversed(queue)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.control, 1))
        painter.drawPolyline(QPolygonF(ideal))
        for rule, gains in found.of.items():
            painter.setPen(QPen(theme.text if rule is Rule.CALLS else theme.accent, 2, PENS[rule]))
            painter.drawPolyline(QPolygonF([self._point(n, gain) for n, gain in zip(WORKERS, gains, strict=True)]))
        painter.setPen(QPen(theme.text, 2))
        painter.setBrush(theme.base)
        painter.drawEllipse(self._point(min(max(found.real[0], 1), WORKERS[-1]), found.real[1]), 4, 4)


class SchedulesView(QWidget):
    """A button that asks for the plot, and what to play of it.

    Signals:
        found: a ``Recorded`` made of a schedule, its ``Rule`` and the number of workers.
    """

    found = Signal(object, object, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: Planned | None = None
        self.open = QPushButton("Compare schedules…", self)
        self.open.setToolTip("What other orders of the same blocks would gain with more workers")
        self.open.setCheckable(True)
        self.open.toggled.connect(self._toggle)
        self.words = QLabel(self, wordWrap=True)
        self.words.setFont(theme.small_font)
        self.plot = SpeedUpPlot(theme, self)
        self._rule: Chooser[Rule] = Chooser(self)
        self._rule.setAccessibleName("Rule of the schedule")
        self._workers: Chooser[int] = Chooser(self)
        self._workers.setAccessibleName("Workers of the schedule")
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
        for part in (self.words, self.plot, self._choice):
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

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        self.plot.show_speed_ups(None)
        self._choice.setVisible(on)
        self.words.setVisible(on)
        if on and self._plan is not None and self._plan.record is not None:
            self.words.setText("Trying the schedules…")
            self._plotter.start(partial(speed_ups, self._plan.record))
        else:
            self._plotter.stop()

    @Slot(object)
    def _show(self, found: SpeedUps) -> None:
        self.plot.show_speed_ups(found)
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
