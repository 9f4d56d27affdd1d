"""The threads that share the steps of a sort: a step is cut into pieces, and each takes the next one that is left."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.step_timer import SCAN_PLACES, StepTimer, ranges
from wavediff.core.system.machine import cores
from wavediff.core.system.thread_loop import run_threads

MAX_TEAM_THREADS = 8  # beyond, memory is what all wait for, and at each barrier one is late
MIN_PIECE_PLACES = 1 << 16  # places: shorter pieces are done before another thread has begun
_PIECES_PER_THREAD = 4  # so that none waits long for the last one

T = TypeVar("T")


class Team:
    """Some threads, or one that does all pieces in order.

    Args:
        threads: at most so many, and never more than there are cores, as they wait for one another.
        pace: told of every piece.
        least: places of a piece; a step of fewer is done by one thread.
    """

    def __init__(self, threads: int, pace: StepTimer, least: int = MIN_PIECE_PLACES) -> None:
        self.threads, self.pace, self._least = min(threads, cores(), MAX_TEAM_THREADS), pace, least

    def threads_for(self, n: int) -> int:
        """Return how many threads a step of ``n`` places is worth."""
        return max(1, min(self.threads, n // self._least))

    def pieces(self, n: int) -> list[tuple[int, int]]:
        """Return (first, after the last) of the pieces of ``n`` places."""
        threads = self.threads_for(n)
        if threads == 1:
            return list(ranges(n))
        return list(ranges(n, min(SCAN_PLACES, max(self._least, n // (_PIECES_PER_THREAD * threads)))))

    def each(self, work: Callable[..., T], pieces: Sequence[tuple[Any, ...]]) -> Generator[Event, None, list[T]]:
        """Return what ``work`` returns for each piece; one thread takes them in order."""
        found: list[Any] = [None] * len(pieces)
        left = iter(list(enumerate(pieces)))  # which threads may share
        threads = max(1, min(self.threads, len(pieces))) if self.threads > 1 else 1
        done = [False] * threads

        def advance(me: int, _budget: int) -> int:
            one = next(left, None)
            if one is None:
                done[me] = True
                return 0
            found[one[0]] = work(*one[1])
            return 1

        if threads > 1:
            yield from self.run(advance, done)
            return found
        for k, piece in left:
            found[k] = work(*piece)
            yield from self.pace()
        return found

    def run(
        self, advance: Callable[[int, int], int], done: list[bool], halt: Callable[[], None] = lambda: None
    ) -> Generator[Event, None, None]:
        """Call ``advance(thread, _)`` on as many threads as ``done`` has, until it is true for each.

        Args:
            halt: called when the job is stopped, so that ``advance`` returns soon.
        """

        def stop() -> None:
            done[:] = [True] * len(done)
            halt()

        for _ in run_threads(advance, done.__getitem__, stop, len(done), self.pace.pieces):
            yield from self.pace()

    def starts(
        self, count: Callable[[int, int], int], pieces: Sequence[tuple[int, int]]
    ) -> Generator[Event, None, list[Counts]]:
        """Return for each piece, int64, shape (1,), what all before it count.

        One thread needs not count: its pieces share one array, which each leaves as the next has to find it.
        """
        if self.threads == 1 or len(pieces) == 1:
            return [np.zeros(1, np.int64)] * len(pieces)
        counted = yield from self.each(count, pieces)
        return [np.array([start], np.int64) for start in accumulate(counted, initial=0)][:-1]
