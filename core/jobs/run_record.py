"""Record of a run: when each place of the block map was computed, by which thread, and when each stage was at work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import BlockMap, Letters
from core.jobs.grid import BlockState
from core.translate import tr_noop

Ticks = npt.NDArray[np.uint32]
STAGES = tr_noop("stages")  # lane of what a run does, one stage after the other
COMPILING = tr_noop("compiling")


def thread_lane(thread: int) -> str:
    """Return the lane of a thread, counted from 0; ``tr`` it where it is shown."""
    return tr_noop("thread {n}", n=thread + 1)


def thread_lanes(threads: int) -> tuple[str, ...]:
    """Return the lanes of so many threads."""
    return tuple(thread_lane(k) for k in range(threads))


class Box(NamedTuple):
    """A rectangle of the matrix, in letters of A and of B as they were compared, from 0 on and half open."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which a lane was at one thing.

    Attributes:
        name: what was done: a kernel of ``core.jobs.events.StepDone``; several, joined by ``+``, where there were too
            many spans to keep each.
        lane: who did it: ``STAGES``, ``COMPILING``, a thread, a queue of a card. Those of one lane do not overlap.
        began, ended: seconds since the run began; of ``time.perf_counter`` on its way there.
        calls, cells: kernel calls and cells of the matrix; 0 where that has no meaning.
        box: rectangle that was computed, where the stage has one.
    """

    name: str
    lane: str
    began: float
    ended: float
    calls: int = 0
    cells: int = 0
    box: Box | None = None

    @property
    def seconds(self) -> float:
        return self.ended - self.began


class Lane(NamedTuple):
    """A thread of a run, or a lane of a card: the places that it ended, and the share of the run it was at one."""

    name: str
    n_places: int
    busy: float


@dataclass(slots=True, eq=False)
class RunRecord:
    """Times of the places of one attempt's block map; the kernel writes them, as it does the map.

    Attributes:
        began, ended: uint32, shape of the map: ticks since the attempt began, from 1 on; 0: not (yet).
        by: uint8, shape of the map: which of ``names`` ended it.
        names: of the lanes: see ``thread_lane``.
        start: when the attempt began, seconds of ``time.perf_counter``.
        seconds_per_tick: 0 until the attempt has begun; it is known better the longer it runs.
        interpolated: whether only rows of blocks were timed, and the times within them are spread evenly.
    """

    began: Ticks
    ended: Ticks
    by: Letters
    names: tuple[str, ...]
    start: float = 0.0
    seconds_per_tick: float = 0.0
    interpolated: bool = False

    @property
    def is_complete(self) -> bool:
        """True where there is something to replay: places were computed one by one, and the attempt has ended."""
        return self.seconds_per_tick > 0 and bool(self.began.any())

    @property
    def seconds(self) -> float:
        """From the beginning of the attempt to the end of its last block."""
        return float(max(self.ended.max(initial=0), self.began.max(initial=0))) * self.seconds_per_tick

    def at(self, seconds: float, final: BlockMap) -> BlockMap:
        """Return the block map as it was ``seconds`` after the attempt began.

        Args:
            final: as it is after it; what was not computed stays as it is there.
        """
        tick = seconds / self.seconds_per_tick if self.seconds_per_tick else 0.0
        found = final.copy()
        computed = self.began > 0
        found[computed & (final == BlockState.PATH)] = BlockState.DONE
        # A place that was begun and is not ended belongs to a run that was stopped.
        found[computed & ((self.ended > tick) | (self.ended == 0))] = BlockState.RUNNING
        found[computed & (self.began > tick)] = BlockState.WAITING
        return found

    def lanes(self) -> list[Lane]:
        """Return each lane with the places that it ended; of a stopped run those places only."""
        over = self.ended > 0
        by, took = self.by[over], self.ended[over] - self.began[over]
        places = np.bincount(by, minlength=len(self.names))
        busy = np.bincount(by, took, minlength=len(self.names)) / max(1, int(self.ended.max(initial=0)))
        return [Lane(name, int(places[k]), min(1.0, float(busy[k]))) for k, name in enumerate(self.names)]


ROW_TICK_SECONDS = 1e-7  # of ``record_row``


def record_row(began: Ticks, ended: Ticks, row: int, start: float, end: float) -> None:
    """Record that a row of places was computed from left to right, evenly, in one go.

    Args:
        began, ended: see ``RunRecord``; ``seconds_per_tick`` is ``ROW_TICK_SECONDS``.
        start, end: seconds since the attempt began.
    """
    ticks = (np.linspace(start, end, began.shape[1] + 1) / ROW_TICK_SECONDS).astype(np.uint32) + np.uint32(1)
    first = began[row] == 0
    began[row][first] = ticks[:-1][first]
    ended[row] = ticks[1:]
