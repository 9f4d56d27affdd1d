"""Record of a run: when each place of the block map was computed, and by which thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import BlockMap, Letters
from core.jobs.grid import BlockState

Ticks = npt.NDArray[np.uint32]


class Lane(NamedTuple):
    """A thread of a run: the places that it ended, and the share of the run in which it was at one."""

    name: str
    n_places: int
    busy: float


@dataclass(slots=True, eq=False)
class RunRecord:
    """Times of the places of one attempt's block map; the kernel writes them, as it does the map.

    Attributes:
        began, ended: uint32, shape of the map: ticks since the attempt began, from 1 on; 0: not (yet).
        by: uint8, shape of the map: thread that ended it.
        n_threads: that the attempt has.
        seconds_per_tick: 0 until the attempt has ended.
        interpolated: whether only rows of blocks were timed, and the times within them are spread evenly.
    """

    began: Ticks
    ended: Ticks
    by: Letters
    n_threads: int
    seconds_per_tick: float = 0.0
    interpolated: bool = False

    @property
    def is_complete(self) -> bool:
        """True once it can be replayed: the attempt has ended, and its blocks were computed one by one."""
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
        """Return each thread with the places that it ended; of a stopped run those places only."""
        over = self.ended > 0
        by, took = self.by[over], self.ended[over] - self.began[over]
        places = np.bincount(by, minlength=self.n_threads)
        busy = np.bincount(by, took, minlength=self.n_threads) / max(1, int(self.ended.max(initial=0)))
        return [Lane(str(k + 1), int(places[k]), min(1.0, float(busy[k]))) for k in range(self.n_threads)]


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
