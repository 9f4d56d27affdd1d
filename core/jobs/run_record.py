"""Record of a run: time and thread of each cell of the block map, and time spans of its phases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.system.thread_loop import Piece

Ticks = npt.NDArray[np.uint32]
LaneNumbers = npt.NDArray[np.uint8 | np.uint16]
STAGES = "stages"  # lane of what a run does, one stage after the other
COMPILING = "compiling"


def thread_lane(thread: int) -> str:
    """Return the lane name of a thread (0-based)."""
    return f"thread {thread + 1:,}"


def thread_lanes(threads: int) -> tuple[str, ...]:
    """Return the lane names of ``threads`` threads."""
    return tuple(thread_lane(k) for k in range(threads))


class Box(NamedTuple):
    """Rectangle of the matrix in letters of A and B as compared, 0-based, half-open."""

    top: int
    left: int
    bottom: int
    right: int

    def around(self, other: Box) -> Box:
        corner = min(self.top, other.top), min(self.left, other.left)
        return Box(*corner, max(self.bottom, other.bottom), max(self.right, other.right))


class Span(NamedTuple):
    """Time span in which a lane was busy with one task.

    Attributes:
        name: kernel of ``wavediff.core.jobs.events.StepDone``; several joined by ``+`` if there were too many spans.
        lane: ``STAGES``, ``COMPILING``, a thread, or a queue of a card. Spans of one lane do not overlap.
        began, ended: seconds since the start of the run; ``time.perf_counter`` until the record is complete.
        calls, cells: kernel calls and cells of the matrix; 0 if meaningless.
        box: computed rectangle, if any.
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


def thread_spans(name: str, pieces: list[Piece]) -> tuple[Span, ...]:
    """Remove the thread times from ``pieces`` and return them as spans (``time.perf_counter``)."""
    taken = pieces[:]
    del pieces[: len(taken)]  # others may have been added meanwhile
    return tuple(Span(name, thread_lane(one.thread), one.began, one.ended, one.units) for one in taken)


@dataclass(slots=True, eq=False)
class RunRecord:
    """Times of the cells of one attempt's block map, 9 bytes each, written by the kernel.

    An entry may be several rows of blocks, computed by several lanes: its time is from the first start to the last end.

    Attributes:
        began, ended: uint32, shape of the map: ticks since the start of the attempt, from 1; 0: not yet or never.
        by: uint8, or uint16 for more lanes, shape of the map: index into ``names`` of the lane that completed it.
        names: names of the lanes, see ``thread_lane``.
        start: start of the attempt, seconds of ``time.perf_counter``.
        seconds_per_tick: 0 before the attempt; becomes more precise during the run.
        interpolated: whether several entries were timed together (rows, or parts of a recursion) and share that time.
            Such a record can be replayed, but its statistics are meaningless.
    """

    began: Ticks
    ended: Ticks
    by: LaneNumbers
    names: tuple[str, ...]
    start: float = 0.0
    seconds_per_tick: float = 0.0
    interpolated: bool = False

    @property
    def is_complete(self) -> bool:
        """True if there is something to replay: cells were computed one by one, and the attempt has ended."""
        return self.seconds_per_tick > 0 and bool(self.began.any())

    @property
    def seconds(self) -> float:
        """Seconds from the start of the attempt to the end of its last block."""
        return float(max(self.ended.max(initial=0), self.began.max(initial=0))) * self.seconds_per_tick

    def copy(self) -> RunRecord:
        return replace(self, began=self.began.copy(), ended=self.ended.copy(), by=self.by.copy())

    def transpose(self) -> None:
        self.began, self.ended, self.by = self.began.T, self.ended.T, self.by.T


COARSE_TICK_SECONDS = 2e-5  # of a record that Python writes: 32 bits hold a day


def blank_record(shape: tuple[int, int], names: tuple[str, ...] = ()) -> RunRecord:
    times = np.zeros(shape, np.uint32), np.zeros(shape, np.uint32)
    return RunRecord(*times, np.zeros(shape, np.uint8), names)


def coarse_ticks(seconds: npt.ArrayLike) -> Ticks:
    """Convert seconds to ticks of ``COARSE_TICK_SECONDS``, at least 1."""
    return (np.asarray(seconds) / COARSE_TICK_SECONDS).astype(np.uint32) + np.uint32(1)


ROW_TICK_SECONDS = 1e-7  # of ``record_row``


def record_row(began: Ticks, ended: Ticks, row: int, start: float, end: float) -> None:
    """Record a row of cells as computed from left to right at a constant rate.

    Args:
        began, ended: see ``RunRecord``; ``seconds_per_tick`` is ``ROW_TICK_SECONDS``.
        start, end: seconds since the start of the attempt.
    """
    ticks = (np.linspace(start, end, began.shape[1] + 1) / ROW_TICK_SECONDS).astype(np.uint32) + np.uint32(1)
    first = began[row] == 0
    began[row][first] = ticks[:-1][first]
    ended[row] = ticks[1:]
