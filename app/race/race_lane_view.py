"""One lane of a race: model and view."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QFrame, QSizePolicy

from wavediff.app.race.race_table import stage_lines
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.block_text import until_text
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.number_text import compiling_text, grouped, percent, stage_text
from wavediff.app.ui.theme import Theme, scaled_font
from wavediff.core.base.numbers import duration, localized, number, speed
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.events import Compiled, Event, Progress
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.base import RaceKernel
from wavediff.core.methods.race_job import SHORT_RUN_ROUNDS, SHORT_RUN_SECONDS
from wavediff.core.methods.race_result import RaceEntryResult


class RaceLane(QObject):
    """Signals: changed: the map's phase, the kernel or the result changed; views read the clock themselves."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.map = BlockMapModel()
        self.race_kernel: RaceKernel | None = None
        self.result: RaceEntryResult | None = None
        self.round = 0
        self._since = self._paused = self._last = 0.0
        self._waits: float | None = None  # since when a compiler is waited for
        self._moment: float | None = None  # of a replay

    def show_clock(self, seconds: float | None) -> None:
        """Show this time, limited to the end; None: the end."""
        self._moment = seconds

    @property
    def seconds(self) -> float:
        """Time of the current round, then of the fastest; without compilation."""
        if self._moment is not None and self.result is not None:
            return min(self._moment, self.result.best)
        if self.map.phase is Phase.RUNNING:
            now = perf_counter() if self._waits is None else self._waits
            return max(0.0, now - self._since - self._paused)
        return self.result.best if self.result is not None and self.result.seconds else self._last

    @property
    def n_rounds(self) -> int:
        """Automatic number of rounds: one if the first round took long or failed, else ``SHORT_RUN_ROUNDS``."""
        first = self.result.seconds[0] if self.result is not None and self.result.seconds else 0.0
        return 1 if first >= SHORT_RUN_SECONDS or self.map.phase is Phase.FAILED else SHORT_RUN_ROUNDS

    @property
    def text(self) -> str:
        result, block_map = self.result, self.map
        if self.map.phase is Phase.RUNNING:
            if block_map.compiling is not None:
                return compiling_text(block_map.compiling)
            ready = f"{percent(block_map.fraction)} · {speed(block_map.gcups)}"
            return ready if block_map.done_cells else stage_text(block_map.stage)
        if self.map.phase is Phase.FAILED:
            return f"Failed: {result.failure}" if result is not None else "Failed"
        if self.map.phase is Phase.STOPPED:
            return until_text(block_map)
        if result is None or result.answer is None:
            return "Waits for its turn"
        where = f"{result.strategy} on the {result.device.upper()}"
        return f"{grouped(result.shown)} · {speed(result.gcups)} · {where}"

    @property
    def tip(self) -> str:
        result = self.result
        if result is None or result.answer is None:
            return self.text
        lines = [result.reason] if result.reason else []
        if len(result.seconds) > 1:
            lines.append(f"rounds: {', '.join(duration(second) for second in result.seconds)}")
        return "\n".join([*lines, *stage_lines(result)])

    def assign(self, race_kernel: RaceKernel, n: int, m: int) -> None:
        """Set the kernel of this lane, over a matrix of ``n`` rows and ``m`` columns."""
        self.race_kernel, self.result, self.round, self._last = race_kernel, None, 0, 0.0
        self.map.clear()
        self.map.n, self.map.m = n, m
        self.map.planned.emit()
        self.changed.emit()

    def begin(self, leg_id: int, number: int) -> None:
        """Start round ``number`` (0-based) of its kernel."""
        self.round = number
        self._since, self._paused, self._waits = perf_counter(), 0.0, None
        self.map.start(leg_id, self.map.n, self.map.m)
        self.changed.emit()

    def apply(self, event: Event) -> None:
        """Handle an event of its kernel's job."""
        if self.map.phase is not Phase.RUNNING or event.job_id != self.map.job_id:
            return
        if isinstance(event, Progress) and event.stage.startswith(STAGE):
            self._waits = perf_counter() if self._waits is None else self._waits
        elif isinstance(event, Compiled):
            # Of what another process compiled the clock was stopped for; the rest was compiled just now, in ours.
            measured = 0.0 if self._waits is None else perf_counter() - self._waits
            self._paused += max(event.seconds, measured)
            self._waits = None
        self.map.apply(event)

    def end(self, result: RaceEntryResult) -> None:
        self._last = self.seconds
        self.result = result
        self.map.end(Phase.FAILED if result.failure else Phase.DONE)
        self.changed.emit()

    def stop(self) -> None:
        """Mark the race as stopped; results stay visible."""
        if self.map.phase is Phase.RUNNING:
            self._last = self.seconds
            self.map.end(Phase.STOPPED)
            self.changed.emit()


CLOCK_MS = 50  # milliseconds; a clock that ticks more often is a blur


def clock_text(seconds: float) -> str:
    """Format a time with a fixed number of digits; below 0.1 s as in the table."""
    if 0 < seconds < 0.0995:
        return duration(seconds)
    if seconds >= 60:
        minutes, rest = divmod(seconds, 60)
        return f"{int(minutes)}:{localized(f'{rest:04.1f}')}"
    return f"{number(seconds, 3 if seconds < 10 else 2)} s"


class LaneView(QFrame):
    def __init__(self, lane: RaceLane, theme: Theme) -> None:
        super().__init__()
        self.lane, self._theme = lane, theme
        self._name, self.clock, self._text = (ElidedLabel(parent=self) for _ in range(3))
        self._name.setFont(scaled_font(1.0, semi_bold=True))
        digits = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        digits.setPointSizeF(self.font().pointSizeF() * 1.5)
        digits.setWeight(QFont.Weight.DemiBold)
        self.clock.setFont(digits)
        self.canvas = BlockMapCanvas(lane.map, theme, self)
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # nothing is zoomed while they run
        self.canvas.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        in_column(self._name, self.clock, self._text, (self.canvas, 1), on=self, margin=2, gap=1)
        self._timer = QTimer(self, interval=CLOCK_MS)
        self._timer.timeout.connect(self.show_clock)
        lane.changed.connect(self.refresh)
        lane.map.figures_changed.connect(self._show_figures)
        theme.follow(self._restyle)
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(150, 170)

    @Slot()
    def refresh(self) -> None:
        lane = self.lane
        if lane.race_kernel is not None:
            self._name.set_text(lane.race_kernel.name, lane.race_kernel.tip)
        if lane.map.phase is Phase.RUNNING:
            self._timer.start()
        else:
            self._timer.stop()
        self._show_figures()

    @Slot()
    def _show_figures(self) -> None:
        text = self.lane.text
        self._text.set_text(text, self.lane.tip)
        self.show_clock()
        theme, palette = self._theme, self.clock.palette()
        inks = {Phase.FAILED: theme.state_color(BlockState.FAILED), Phase.IDLE: theme.dim}
        palette.setColor(self.clock.foregroundRole(), inks.get(self.lane.map.phase, theme.text))
        self.clock.setPalette(palette)
        name = self.lane.race_kernel.name if self.lane.race_kernel is not None else ""
        self.setAccessibleName(f"{name}: {clock_text(self.lane.seconds)}, {text}")

    @Slot()
    def show_clock(self) -> None:
        self.clock.set_text(clock_text(self.lane.seconds), self.lane.tip)

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self._text)
        self._show_figures()
