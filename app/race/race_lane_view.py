"""A lane of the race: name, clock and map of one kernel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from wavediff.app.race.race_lane_model import RaceLane
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import localized, number
from wavediff.core.jobs.grid import BlockState

CLOCK_MS = 50  # milliseconds; a clock that ticks more often is a blur


def clock_text(seconds: float) -> str:
    """Return a time as a stop watch has it, as many digits whatever it is."""
    if seconds >= 60:
        minutes, rest = divmod(seconds, 60)
        return f"{int(minutes)}:{localized(f'{rest:04.1f}')}"
    return f"{number(seconds, 3 if seconds < 10 else 2)} s"


class LaneView(QFrame):
    """Shows one ``Lane``; the map is the whole matrix, as the kernel fills it."""

    def __init__(self, lane: RaceLane, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lane, self._theme = lane, theme
        self._name, self.clock, self._text = (ElidedLabel(parent=self) for _ in range(3))
        bold = QFont(self.font())
        bold.setBold(True)
        self._name.setFont(bold)
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
        theme.changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(150, 170)

    @Slot()
    def refresh(self) -> None:
        """Show who runs here, and how far it is."""
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
