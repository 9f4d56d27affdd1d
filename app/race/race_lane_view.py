"""A lane of the race: name, clock and map of one kernel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFont, QFontDatabase, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from wavediff.app.race.race_lane_model import RaceLane
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.number_text import plain_tip
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


class LaneClock(QWidget):
    """Large digits of one width; painted by itself, since a label would have the window laid out for each tick."""

    def __init__(self, lane: RaceLane, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lane, self._theme = lane, theme
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF() * 1.5)
        font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("99:99.9 s"), self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        lane, theme = self._lane, self._theme
        waits = lane.map.phase is Phase.IDLE
        failed = lane.map.phase is Phase.FAILED
        ink = theme.state_color(BlockState.FAILED) if failed else theme.dim if waits else theme.text
        painter.setPen(ink)
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, clock_text(lane.seconds)
        )


class LaneView(QFrame):
    """Shows one ``Lane``; the map is the whole matrix, as the kernel fills it."""

    def __init__(self, lane: RaceLane, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lane, self._theme = lane, theme
        self._name, self._text = ElidedLabel(parent=self), ElidedLabel(parent=self)
        bold = QFont(self.font())
        bold.setBold(True)
        self._name.setFont(bold)
        self.clock = LaneClock(lane, theme, self)
        self.canvas = BlockMapCanvas(lane.map, theme, self)
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # nothing is zoomed while they run
        self.canvas.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        in_column(self._name, self.clock, self._text, (self.canvas, 1), on=self, margin=2, gap=1)
        self._timer = QTimer(self, interval=CLOCK_MS)
        self._timer.timeout.connect(self.clock.update)
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
        self.clock.update()
        self._show_figures()

    @Slot()
    def _show_figures(self) -> None:
        text = self.lane.text
        self._text.set_text(text, self.lane.tip)
        self.clock.setToolTip(plain_tip(self.lane.tip))
        name = self.lane.race_kernel.name if self.lane.race_kernel is not None else ""
        self.setAccessibleName(f"{name}: {clock_text(self.lane.seconds)}, {text}")

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self._text)
        self.clock.update()
