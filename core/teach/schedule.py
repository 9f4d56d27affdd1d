"""Simulation of block schedules under a rule, given block durations.

A block needs the block above it and the block on its left. Sources: Kawanami and Fujimoto 2011, Fig. 1; Sudo and
Shinohara 2009, Fig. 1.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from heapq import heapify, heappop, heappush
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import WavediffError

Durations = npt.NDArray[np.float64]
Place = tuple[int, int]
MAX_PLACES = 1 << 16  # blocks: up to a second
# As the CPU has it, see ``wavediff.core.kernels.pairwise.blocks``, which Numba compiles.
SWITCH_LEAD_BLOCKS = 4  # by which another strip must be more urgent for a worker to leave its own
ACTIVE_STRIPS_PER_WORKER = 2  # that are under way at most; of a single worker one


class Rule(StrEnum):
    """Rule that assigns blocks to free workers."""

    QUEUE = "queue"  # any block that can be computed, the nearest antidiagonal first, of equals the upper row
    CALLS = "calls"  # an antidiagonal at a time; the next one waits for all of it
    STRIPS = "strips"  # a worker stays with its row of blocks, as this program's threads do
    ALONE = "alone"  # one worker, row by row


class TooManyBlocks(WavediffError):
    """More blocks than a simulation allows."""

    def __init__(self, n_rows: int, n_cols: int) -> None:
        super().__init__(
            f"{n_rows:,} × {n_cols:,} blocks are too many for a schedule; up to {MAX_PLACES:,} can be shown"
        )


class Schedule(NamedTuple):
    """Start and end time (from 0) and worker (from 0) of each block, in the shape of the table."""

    began: Durations
    ended: Durations
    by: npt.NDArray[np.int32]

    @property
    def seconds(self) -> float:
        """End of the last block, in the unit of the durations."""
        return float(self.ended.max(initial=0.0))


class _Choice(Protocol):
    """Ready blocks, and the selection of the next."""

    def next(self, worker: int, /) -> Place | None:
        """Return the block that a free worker starts; None: wait."""

    def finish(self, place: Place, worker: int, /) -> None:
        """Mark a block as finished."""


class _Queue:
    """Block queue of Sudo and Shinohara."""

    def __init__(self, shape: Place, _workers: int) -> None:
        self._shape = shape
        self._waits = [[(i > 0) + (j > 0) for j in range(shape[1])] for i in range(shape[0])]
        self._ready: list[tuple[int, int]] = [(0, 0)]  # antidiagonal, row

    def next(self, _worker: int) -> Place | None:
        if not self._ready:
            return None
        antidiagonal, row = heappop(self._ready)
        return row, antidiagonal - row

    def finish(self, place: Place, _worker: int) -> None:
        row, col = place
        for i, j in ((row + 1, col), (row, col + 1)):
            if i < self._shape[0] and j < self._shape[1]:
                self._waits[i][j] -= 1
                if self._waits[i][j] == 0:
                    heappush(self._ready, (i + j, i))


class _Calls:
    """One call per antidiagonal of blocks (Kawanami and Fujimoto), with a barrier after each call."""

    def __init__(self, shape: Place, _workers: int) -> None:
        self._shape, self._call, self._left = shape, -1, 0
        self._ready: list[Place] = []  # the next one last
        self._launch()

    def _launch(self) -> None:
        (n_rows, n_cols), self._call = self._shape, self._call + 1
        rows = range(max(0, self._call - n_cols + 1), min(n_rows, self._call + 1))
        self._ready = [(row, self._call - row) for row in reversed(rows)]
        self._left = len(self._ready)

    def next(self, _worker: int) -> Place | None:
        return self._ready.pop() if self._ready else None

    def finish(self, _place: Place, _worker: int) -> None:
        self._left -= 1
        if self._left == 0:
            self._launch()


class _Strips:
    """Strip queue of the CPU block kernels, see ``wavediff.core.kernels.pairwise.blocks.block_worker``."""

    def __init__(self, shape: Place, workers: int) -> None:
        self._n_rows, self._n_cols = shape
        self._active = workers * ACTIVE_STRIPS_PER_WORKER if workers > 1 else 1
        self._done = [0] * self._n_rows  # blocks of each strip
        self._top = 0  # the first strip that is not done
        self._own: list[int | None] = [None] * workers
        self._free = {0}  # strips whose next block can be computed, and that no worker is at

    def _is_ready(self, row: int) -> bool:
        done = self._done
        return done[row] < self._n_cols and (row == 0 or done[row - 1] > done[row])

    def next(self, worker: int) -> Place | None:
        mine = self._own[worker]
        if mine is not None and self._is_ready(mine):
            if mine < self._n_rows - self._active:
                return mine, self._done[mine]
            most = mine + self._done[mine] - SWITCH_LEAD_BLOCKS
        else:
            mine, most = None, self._n_rows + self._n_cols
        open_to = self._top + self._active
        best = min(((row + self._done[row], row) for row in self._free if row < open_to), default=(most, -1))
        if best[0] < most:
            if mine is not None:
                self._free.add(mine)
            mine = best[1]
            self._free.remove(mine)
        self._own[worker] = mine
        return None if mine is None else (mine, self._done[mine])

    def finish(self, place: Place, worker: int) -> None:
        row, _ = place
        self._done[row] += 1
        while self._top < self._n_rows and self._done[self._top] == self._n_cols:
            self._top += 1
        if not self._is_ready(row):
            self._own[worker] = None
        below = row + 1
        if below < self._n_rows and below not in self._own and self._is_ready(below):
            self._free.add(below)


_CHOICES: dict[Rule, Callable[[Place, int], _Choice]] = {Rule.QUEUE: _Queue, Rule.CALLS: _Calls, Rule.STRIPS: _Strips}


def simulate(durations: npt.ArrayLike, workers: int, rule: Rule) -> Schedule:
    """Simulate a schedule: start, end and worker of each block.

    Blocks with the same end time end before any other block starts. Among free workers, the one with the lowest number
    starts first.

    Args:
        durations: of each block, shape (rows, columns), in any unit, at least 0.
        workers: at least 1; ``Rule.ALONE`` uses one.

    Raises:
        TooManyBlocks: more than ``MAX_PLACES`` blocks.
        ValueError: no worker.

    >>> simulate(np.ones((3, 4)), 3, Rule.QUEUE).ended.astype(int).tolist()
    [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]
    """
    times = np.asarray(durations, np.float64)
    if times.size > MAX_PLACES:
        raise TooManyBlocks(*times.shape)
    if workers < 1:
        raise ValueError(f"{workers} workers compute nothing; at least 1 is wanted")
    by = np.zeros(times.shape, np.int32)
    if rule is Rule.ALONE or times.size == 0:
        ended = np.cumsum(times).reshape(times.shape)
        return Schedule(ended - times, ended, by)
    began, ended, took = np.zeros_like(times), np.zeros_like(times), times.tolist()
    choice = _CHOICES[rule]((times.shape[0], times.shape[1]), workers)
    free = list(range(workers))
    running: list[tuple[float, int, Place]] = []
    now = 0.0
    while True:
        heapify(free)
        waiting = []
        while free:
            worker = heappop(free)
            place = choice.next(worker)
            if place is None:
                waiting.append(worker)
                continue
            began[place], by[place] = now, worker
            heappush(running, (now + took[place[0]][place[1]], worker, place))
        if not running:
            return Schedule(began, ended, by)
        free, now = waiting, running[0][0]
        while running and running[0][0] == now:
            _, worker, place = heappop(running)
            ended[place] = now
            choice.finish(place, worker)
            free.append(worker)
