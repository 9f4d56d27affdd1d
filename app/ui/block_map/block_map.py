"""Model of the computation map: block states and progress of the run."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from wavediff.app.ui.block_map.band_attempts import SKIPPED_AS, Band
from wavediff.app.ui.block_map.block_colours import BlockColours, ColourBy
from wavediff.app.ui.block_map.block_map_watch import BlockMapWatch, Box, box_of
from wavediff.core.base.arrays import BlockMap
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.axes import Axes
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.events import Compiled, Event, Planned, Progress, Recorded, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.jobs.time_left import PLANNED, seconds_left
from wavediff.core.methods.statistics import gcups
from wavediff.core.record.playback import Playback

FRAME_MS = 33
FIGURES_FRAMES = 10  # frames; figures that change faster cannot be read, and laying out text costs a core


class Phase(StrEnum):
    IDLE = "idle"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


_OF_RUN = (
    "job_id", "n", "m", "stage", "block_map", "done_cells", "_watch", "plan", "recorded", "playback", "busy_seconds",
)  # fmt: skip
MOVING = {Phase.RUNNING, Phase.STOPPED, Phase.FAILED}


class BlockMapModel(QObject):
    """Polls the block states of the running job 30 times a second; one signal per frame.

    Signals:
        planned: another grid (or none) is shown; views fit it.
        changed: new states, at most 30 times a second, inside ``changed_box`` (None: anywhere).
        figures_changed: progress, speed or phase; at most 3 times a second.
    """

    planned = Signal()
    changed = Signal()
    figures_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.poll)
        self._frame = 0
        self._blank()
        self.phase = Phase.IDLE
        self.job_id = 0
        self.n = self.m = 0
        self.stage = ""  # kernel that was heard of last
        self._step = 0  # of a first start
        self.keeps_picture = False  # of the run before, see ``start``
        self._colour_by = ColourBy.STATE

    def _blank(self) -> None:
        self.block_map: BlockMap = np.zeros((0, 0), np.uint8)
        self.compiling: Progress | None = None  # a kernel is waited for, or, before any run, compiled ahead
        self.compiling_seconds = 0.0  # since that step began, before any run
        self.done_cells = 0
        self._watch: BlockMapWatch | None = None
        self.plan: Planned | None = None  # of the attempt that is shown
        self.kept: KeptMatrix | None = None  # from which cells can be computed again
        self._forget_record()
        self._final: BlockMap | None = None  # while a moment before the end is shown
        self.changed_box: Box | None = None
        self.busy_seconds = 0.0
        self._dirty = True

    def _forget_record(self) -> None:
        self.recorded: Recorded | None = None  # once the run has ended
        self.playback: Playback | None = None  # of an attempt of which it is known when each block was computed
        self.colours: BlockColours | None = None  # of the blocks, where they tell more than states

    @property
    def n_cells(self) -> int:
        return self.n * self.m

    @property
    def grid(self) -> BlockGrid | None:
        return None if self.plan is None else self.plan.grid

    @property
    def axes(self) -> Axes | None:
        """Axes of the plan; None if rows and columns are letters."""
        return None if self.plan is None else self.plan.axes

    @property
    def planned_cells(self) -> int:
        return 0 if self.plan is None else self.plan.cells

    @property
    def fraction(self) -> float:
        """Progress of this attempt, 0 to 1."""
        if self.phase is Phase.DONE:
            return 1.0
        return min(1.0, self.done_cells / self.planned_cells) if self.planned_cells else 0.0

    @property
    def gcups(self) -> float:
        """10^9 cells per second by the kernel's own clock, as events may arrive late and in batches."""
        return gcups(self.done_cells, self.busy_seconds)

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds left; None if unknown or finished."""
        if self.phase is not Phase.RUNNING:
            return None
        return seconds_left(self.done_cells, self.planned_cells, self.busy_seconds)

    @property
    def band(self) -> Band | None:
        return Band.of(self.plan)

    @property
    def inner_skip(self) -> SkipReason | None:
        """Reason why no cell of the grid was computed; None if the block map has reasons per block."""
        return None if self.plan is None else SKIPPED_AS.get(self.plan.strategy)

    def has(self, state: BlockState) -> bool:
        return self._watch is not None and self._watch.has(state)

    @property
    def record(self) -> RunRecord | None:
        """Block times of the attempt that can be replayed, or None."""
        return None if self.playback is None else self.playback.record

    @property
    def recorded_seconds(self) -> float:
        return 0.0 if self.playback is None else self.playback.seconds

    @property
    def is_moving(self) -> bool:
        """True if further blocks may follow: during a run, or in a replay before its end."""
        return self.phase in MOVING or self._final is not None

    def show_moment(self, share: float | None) -> None:
        """Show the map at a fraction of the attempt's time; None: after the run."""
        if self.playback is None:
            return
        before, final = self.block_map, self.block_map if self._final is None else self._final
        if share is None:
            self.block_map, self._final = final, None
        else:
            self.block_map, self._final = self.playback.at(share * self.playback.seconds, final), final
        self.changed_box = box_of(before != self.block_map)
        if self.changed_box is not None:
            self.changed.emit()

    def colour_by(self, by: ColourBy) -> None:
        """Select the quantity shown by colours, for all runs with a record."""
        self._colour_by = by
        self._colour()
        self.changed_box = None
        self.changed.emit()
        self.figures_changed.emit()

    def _colour(self) -> None:
        playback, by = self.playback, self._colour_by
        self.colours = None if playback is None or by is ColourBy.STATE else BlockColours.of(playback, by)

    @property
    def block_size(self) -> tuple[int, int]:
        """Rows and columns of the matrix per entry of the map."""
        if self.grid is None or not self.block_map.size:
            return 1, 1
        rows, cols = self.grid.shape
        reduce_rows, reduce_cols = -(-rows // self.block_map.shape[0]), -(-cols // self.block_map.shape[1])
        return self.grid.block_rows * reduce_rows, self.grid.block_cols * reduce_cols

    def block_at(self, a0: int, b0: int) -> tuple[int, int] | None:
        """Return the 0-based (row, col) of the map entry with a cell of the matrix; None outside."""
        if self.grid is None:
            return None
        rows, cols = a0 - self.grid.row0, b0 - self.grid.col0
        if not (0 <= rows < self.grid.n_rows and 0 <= cols < self.grid.n_cols):
            return None
        height, width = self.block_size
        return rows // height, cols // width

    def state_at(self, row: int, col: int) -> BlockState:
        return BlockState(int(self.block_map[row, col]))

    def start(self, job_id: int, n: int, m: int, *, keep_picture: bool = False) -> None:
        """Show a new job over a matrix of ``n`` rows and ``m`` columns; events of others are ignored.

        Args:
            keep_picture: keep the last picture until ``Planned``, so that a slider does not flicker.
        """
        self.job_id, self.n, self.m = job_id, n, m
        self.phase = Phase.RUNNING
        self.stage = ""
        self._step = 0
        self._forget_record()
        self._timer.start()
        self.keeps_picture = keep_picture
        self.kept = None
        if keep_picture:
            if self._watch is not None:
                self._watch.finish()
            self.done_cells = 0
            self.busy_seconds = 0.0
            return
        self._blank()
        self.planned.emit()
        self.figures_changed.emit()

    @Slot(object)
    def apply(self, event: Event) -> None:
        if event.job_id != self.job_id or self.phase is not Phase.RUNNING:
            return
        if isinstance(event, StepDone | Compiled) and event.kernel != self.stage:
            self.stage = event.kernel
            self._dirty = True
        if isinstance(event, Planned):
            self._blank()
            self.plan = event
            if event.axes is not None:
                self.n, self.m = event.axes.n_rows, event.axes.n_columns
            self._watch = BlockMapWatch(event.block_map)
            self.block_map = self._watch.block_map
            self.kept = event.kept
            self.planned.emit()
            self.figures_changed.emit()
        elif isinstance(event, StepDone) and event.kernel in PLANNED:
            self.done_cells += event.cells
            self.busy_seconds += event.seconds
            self._dirty = True
        elif isinstance(event, Progress):
            if event.stage.startswith(STAGE):  # a completed step never returns
                self._step = max(self._step, event.done)
                self.compiling = event._replace(done=self._step)
            else:
                self.compiling = None
            self._dirty = True
        elif isinstance(event, Compiled):
            self.compiling = None
            self._dirty = True
        elif isinstance(event, Recorded):
            self.recorded = event

    @Slot(object, float)
    def show_compiling(self, progress: Progress | None, seconds: float) -> None:
        """Show the compilation and its elapsed time, unless cells were computed."""
        if self.phase is Phase.IDLE and (progress is not None or self.compiling is not None):
            self.compiling, self.compiling_seconds = progress, seconds
            self.figures_changed.emit()

    def end(self, phase: Phase) -> None:
        """End the job; the map stays as it is."""
        self._timer.stop()
        if self._watch is not None:
            self._watch.finish()
        self.phase = phase
        if self.plan is not None:
            if phase is not Phase.DONE and self.plan.record is not None:  # kernels may end a block after the job
                self.plan = self.plan._replace(record=self.plan.record.copy())
            self.playback = Playback.of(self.plan, self.recorded)
            self._colour()
        self.changed_box = None
        self.changed.emit()
        self.figures_changed.emit()

    @classmethod
    def of(cls, n: int, m: int, *events: Event) -> BlockMapModel:
        """Return the map of a finished run over ``n`` rows and ``m`` columns, from its events."""
        model = cls()
        model.start(events[0].job_id if events else 0, n, m)
        for event in events:
            model.apply(event)
        model.end(Phase.DONE)
        return model

    def copy(self) -> BlockMapModel:
        """Return a finished copy of the map in the same colours."""
        copy = BlockMapModel.of(self.n, self.m, *(event for event in (self.plan, self.recorded) if event is not None))
        if self.colours is not None:
            copy.colour_by(self.colours.by)
        return copy

    def ended(self) -> dict[str, Any]:
        """Return the attributes of a finished run, without its cells, which can be large."""
        plan = None if self.plan is None else self.plan._replace(kept=None)
        return {name: getattr(self, name) for name in _OF_RUN} | {"plan": plan}

    def take_back(self, ended: dict[str, Any]) -> None:
        """Restore a finished run, see ``ended``."""
        self._timer.stop()
        self._blank()
        for name, value in ended.items():
            setattr(self, name, value)
        self.phase = Phase.DONE
        self._colour()
        self.planned.emit()
        self.figures_changed.emit()

    def clear(self) -> None:
        """Clear the map: there is no pair, or it cannot be compared."""
        self._timer.stop()
        self.phase, self.job_id, self.n, self.m = Phase.IDLE, 0, 0, 0
        self._blank()
        self.planned.emit()
        self.figures_changed.emit()

    @Slot()
    def poll(self) -> None:
        """Read the changes since the last frame, and emit signals for them."""
        if self._watch is not None:
            self.changed_box = self._watch.look()
            if self.changed_box is not None:
                self.changed.emit()
        self._frame += 1
        if self._dirty and self._frame % FIGURES_FRAMES == 0:
            self._dirty = False
            self.figures_changed.emit()
