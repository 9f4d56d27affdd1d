"""Figures and timeline of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QLabel, QProgressBar, QToolButton, QWidget

from wavediff.app.compare.computation_facts import Fact, FactRows, computed_text, facts_of
from wavediff.app.compare.lanes_picture import LanesPicture
from wavediff.app.compare.schedules import SchedulesView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.number_text import compiling_left, compiling_text
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, duration, number
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.record.playback import Playback, TimedPlace

EMPTY = "Here you watch the comparison being computed."
SOON_MS = 150  # from the start of a run, until which the figures of the run before stay: the next are often alike


class RunFigures(QObject):
    """Attributes: way: sentence on the computed part of the matrix, with the reason. waiting, bar: text and progress of
    compilation. facts: rows of figures. stale: text in place of outdated figures; empty if they are current."""

    def __init__(self, devices: DeviceModel, theme: Theme) -> None:
        super().__init__()
        self._devices = devices
        self.way, self.facts, self.stale = ElidedLabel(), FactRows(theme), ""
        self.waiting, self.bar = QLabel(wordWrap=True), QProgressBar(textVisible=False)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._forget)

    def show_compiling(self, model: BlockMapModel) -> None:
        """Show the kernel being compiled, or that there is no run yet."""
        idle = model.phase is Phase.IDLE
        compiling = model.compiling if idle or model.phase is Phase.RUNNING else None
        self.waiting.setVisible(idle or compiling is not None)
        self.bar.setVisible(compiling is not None and compiling.total > 0)
        if compiling is not None:
            left = compiling_left(compiling, model.compiling_seconds) if idle else ""  # a run says it in its answer
            self.waiting.setText(" · ".join(filter(None, (compiling_text(compiling), left))))
            self.bar.setRange(0, max(1, compiling.total))
            self.bar.setValue(compiling.done)
        elif idle:
            self.waiting.setText(self.stale or EMPTY)
        if idle:
            self._forget()

    def show_run(self, model: BlockMapModel, outcome: Comparison | None) -> None:
        """Show the figures of a planned run, or ``stale`` in place of an outdated ``outcome``."""
        self._soon.stop()
        stale = "" if outcome is None else self.stale
        self.way.set_text(stale or computed_text(model, outcome))
        self.facts.show_facts([] if stale else facts_of(model, outcome, self._devices))

    def show_other(self, facts: Sequence[Fact]) -> None:
        """Show the figures of another run, whose title the toolbar shows."""
        self.way.set_text("")
        self.facts.show_facts(list(facts))

    def forget_soon(self) -> None:
        """Clear the figures of the previous run unless new ones arrive soon."""
        self._soon.start()

    @Slot()
    def _forget(self) -> None:
        self._soon.stop()
        self.way.set_text("")
        self.facts.show_facts([])


NO_BREAK = "\u00a0"
N_SLOWEST = 10


class RunPanel(QWidget):
    """Follows the model's last run; its times are analysed in the background.

    Signals:
        sought: time requested by the user, seconds since the start of the attempt.
        place_sought: row and column of a block (0-based, of the map), to show the time of its computation.
    """

    sought = Signal(float)
    place_sought = Signal(int, int)

    def __init__(self, model: BlockMapModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._playback: Playback | None = None
        self._task = BackgroundTask("run-times", self, self._on_times)
        self.lanes = LanesPicture(theme)
        self.lanes.sought.connect(self.sought)
        self.figures = QLabel(self, textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.figures.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.figures.linkActivated.connect(self._follow_link)
        self.schedules = SchedulesView(theme)
        self.fold = QToolButton(self, autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setText("Scheduling")
        self.fold.setCheckable(True)
        self.fold.setToolTip("Lanes of the threads, the longest wait, the slowest blocks, other schedules")
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.toggled.connect(self._open)
        self.summary = ElidedLabel(parent=self)
        self._inside = QWidget(self)
        in_column(self.lanes, self.figures, self.schedules, on=self._inside, margin=0, gap=4)
        head = in_row(self.fold, (self.summary, 1), margin=0, gap=8)
        in_column(head, self._inside, on=self, margin=0, gap=4)
        self._open(False)
        self._show(None)
        theme.follow(self._restyle)

    def show_model(self, model: BlockMapModel, *, is_schedule: bool = False) -> None:
        """Show the run of ``model`` unless already shown.

        Args:
            is_schedule: whether it is a schedule chosen in this panel.
        """
        self._model = model
        playback = model.playback
        if playback is self._playback:
            return
        self._playback = playback
        self._show(None)
        if not is_schedule:
            self.schedules.show_run(None if playback is None or playback.record.interpolated else model.plan)
        self._task.stop()
        if playback is not None:
            self._task.start(partial(_known, playback))

    def show_moment(self, share: float) -> None:
        """Draw the replay time at a fraction of the attempt."""
        self.lanes.show_moment(share * self._model.recorded_seconds)

    @Slot(object)
    def _on_times(self, times: Playback) -> None:
        if times is self._playback:
            self._show(times)

    def _show(self, times: Playback | None) -> None:
        self.lanes.show_times(times)
        self.summary.set_text(*(("",) if times is None else _summary(times)))
        lines = [] if times is None else _lines(times)
        self.figures.setText("<br>".join(lines))
        self.figures.setVisible(bool(lines))
        self.setVisible(times is not None)

    @Slot(bool)
    def _open(self, opened: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._inside.setVisible(opened)

    @Slot(str)
    def _follow_link(self, link: str) -> None:
        row, col = map(int, link.split(","))
        self.place_sought.emit(row, col)

    @Slot()
    def _restyle(self) -> None:
        self.figures.setFont(self._theme.small_font)
        palette = self.figures.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.dim)
        palette.setColor(palette.ColorRole.Link, self._theme.accent)
        self.figures.setPalette(palette)
        text = self.figures.text()
        self.figures.setText("")  # links keep the colour in which they were laid out
        self.figures.setText(text)


def _known(times: Playback, _cancel: CancelToken) -> Playback:
    """Compute the playback times (0.2 s for 1,024 x 1,024 cells)."""
    times.ideal_seconds  # noqa: B018 - kept
    return times


def _block(place: TimedPlace) -> str:
    return f"{number(place.row + 1)}, {number(place.col + 1)}"


def _unbroken(text: str) -> str:
    return text.replace(" ", NO_BREAK)


def _summary(times: Playback) -> tuple[str, str]:
    """Return the time of all blocks, the ideal time without waiting, and a tooltip."""
    seconds, best = f"Blocks {duration(times.seconds)}", times.ideal_seconds
    threads = all(name.startswith("thread") for name in times.record.names)
    kind = ("thread", "threads") if threads else ("lane", "lanes")
    lanes = count(len(times.record.names), *kind)
    return (
        (seconds, "") if best is None else (f"{seconds}; ideal {duration(best)}", f"Ideal: on {lanes} without waiting")
    )


def _lines(times: Playback) -> list[str]:
    """Return the longest wait and the slowest blocks as rich text; links: row and column of a block."""
    lines: list[str] = []
    if times.record.interpolated:
        return lines
    wait = max((lane.wait for lane in times.lanes), key=lambda wait: wait.ended - wait.began, default=None)
    if wait is not None and wait.ended > wait.began:
        waited = duration(wait.ended - wait.began)
        lines.append(f"Longest wait: {wait.lane} for {waited}, from {duration(wait.began)} on")
    if slowest := times.slowest(N_SLOWEST):
        links = (
            f'<a href="{place.row},{place.col}">{_unbroken(_block(place))}</a>'
            f"{NO_BREAK}{_unbroken(duration(place.seconds))}"
            for place in slowest
        )
        lines.append(f"Slowest blocks: {' · '.join(links)}")
    return lines
