"""Record of a run: time and thread of each cell of the block map, and time spans of its phases."""

from __future__ import annotations

from dataclasses import dataclass
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
        """Return the bounding rectangle of both."""
        corner = min(self.top, other.top), min(self.left, other.left)
        return Box(*corner, max(self.bottom, other.bottom), max(self.right, other.right))


class Span(NamedTuple):
    """Time span in which a lane was busy with one task.

    Attributes:
        name: what was done: a kernel of ``wavediff.core.jobs.events.StepDone``; several, joined by ``+``, where there
            were too many spans to keep each.
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


def thread_spans(name: str, pieces: list[Piece]) -> tuple[Span, ...]:
    """Remove the thread times from ``pieces`` and return them as spans (``time.perf_counter``)."""
    taken = pieces[:]
    del pieces[: len(taken)]  # others may have been added meanwhile
    return tuple(Span(name, thread_lane(one.thread), one.began, one.ended, one.units) for one in taken)


@dataclass(slots=True, eq=False)
class RunRecord:
    """Times of the cells of one attempt's block map, 9 bytes each, written by the kernel.

    A place of several rows of blocks may be worked on by several lanes in turn: its time is that from the first to the
    last.

    Attributes:
        began, ended: uint32, shape of the map: ticks since the attempt began, from 1 on; 0: not (yet).
        by: uint8, or uint16 where there are more lanes, shape of the map: which of ``names`` ended it.
        names: of the lanes: see ``thread_lane``.
        start: when the attempt began, seconds of ``time.perf_counter``.
        seconds_per_tick: 0 until the attempt has begun; it is known better the longer it runs.
        interpolated: whether more than a place was timed at once, rows of them or parts of a recursion, and each has a
            share of that time or all of it: it can be replayed, and figures say nothing.
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

    def transpose(self) -> None:
        """Transpose the record together with its map."""
        self.began, self.ended, self.by = self.began.T, self.ended.T, self.by.T


COARSE_TICK_SECONDS = 2e-5  # of a record that Python writes: 32 bits hold a day


def blank_record(shape: tuple[int, int], names: tuple[str, ...] = ()) -> RunRecord:
    """Return the empty record of a block map."""
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
        start, end: seconds since the attempt began.
    """
    ticks = (np.linspace(start, end, began.shape[1] + 1) / ROW_TICK_SECONDS).astype(np.uint32) + np.uint32(1)
    first = began[row] == 0
    began[row][first] = ticks[:-1][first]
    ended[row] = ticks[1:]
