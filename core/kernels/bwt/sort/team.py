"""Thread team of a sort: threads take pieces of a step from a shared queue."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import SCAN_PLACES, Clock, ranges
from wavediff.core.system.machine import cores
from wavediff.core.system.thread_loop import run_threads

MAX_TEAM_THREADS = 8  # beyond, memory is what all wait for, and at each barrier one is late
MIN_PIECE_PLACES = 1 << 16  # places: shorter pieces are done before another thread has begun
_PIECES_PER_THREAD = 4  # so that none waits long for the last one

_LINE_BYTES = 64

T = TypeVar("T")


class Scratch:
    """Scratch memory that is reused, as memory pages in use cost no further page faults.

    A block of memory from which arrays are taken in order; resetting ``at`` frees all arrays behind it.

    Attributes:
        at: bytes in use.
    """

    def __init__(self, n_bytes: int) -> None:
        self._block = np.empty(n_bytes, np.uint8)
        self.at = 0

    def take(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Allocate an uninitialised array of shape (n,), from the block if possible."""
        start = -(-self.at // _LINE_BYTES) * _LINE_BYTES
        end = start + n * np.dtype(dtype).itemsize
        if end > self._block.size:
            return np.empty(n, dtype)
        self.at = end
        return self._block[start:end].view(dtype)

    def resize(self, array: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Resize the array allocated last to ``n`` elements, contents kept; the old one becomes invalid."""
        if array.size == n:
            return array
        if array.base is not self._block:
            larger = np.empty(n, array.dtype)
            larger[: array.size] = array[:n]
            return larger
        self.at -= array.nbytes
        resized = self.take(n, array.dtype)
        if resized.base is not self._block:
            resized[: array.size] = array[:n]
        return resized

    def take_last(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Allocate an array at the end of the block, valid until the next call of this method; see ``take``."""
        start = (self._block.size - n * np.dtype(dtype).itemsize) // _LINE_BYTES * _LINE_BYTES
        if start < self.at:
            return np.empty(n, dtype)
        return self._block[start : start + n * np.dtype(dtype).itemsize].view(dtype)


class Team:
    """Threads that compute the pieces of a step; one thread computes them in order.

    Args:
        threads: maximum; never more than the cores, as threads wait for each other.
        pace: called for every piece.
        least: minimum places of a piece; a smaller step uses one thread.

    Attributes:
        scratch: of the current sort.
    """

    def __init__(self, threads: int, pace: Clock, least: int = MIN_PIECE_PLACES) -> None:
        self.threads, self.pace, self._least = min(threads, cores(), MAX_TEAM_THREADS), pace, least
        self.scratch = Scratch(0)

    def threads_for(self, n: int) -> int:
        """Return the number of threads useful for a step of ``n`` items."""
        return max(1, min(self.threads, n // self._least))

    def pieces(self, n: int) -> list[tuple[int, int]]:
        """Return (first, end) of the pieces of ``n`` items."""
        threads = self.threads_for(n)
        if threads == 1:
            return list(ranges(n))
        return list(ranges(n, min(SCAN_PLACES, max(self._least, n // (_PIECES_PER_THREAD * threads)))))

    def each(self, work: Callable[..., T], pieces: Sequence[tuple[Any, ...]]) -> Generator[Event, None, list[T]]:
        """Return the results of ``work`` for each piece."""
        results: list[Any] = [None] * len(pieces)
        left = iter(list(enumerate(pieces)))  # which threads may share
        threads = max(1, min(self.threads, len(pieces))) if self.threads > 1 else 1
        done = [False] * threads

        def advance(me: int, _budget: int) -> int:
            one = next(left, None)
            if one is None:
                done[me] = True
                return 0
            results[one[0]] = work(*one[1])
            return 1

        if threads > 1:
            yield from self.run(advance, done)
            return results
        for k, piece in left:
            results[k] = work(*piece)
            yield from self.pace()
        return results

    def run(
        self, advance: Callable[[int, int], int], done: list[bool], halt: Callable[[], None] = lambda: None
    ) -> Generator[Event, None, None]:
        """Call ``advance(thread, _)`` on one thread per entry of ``done`` until all are true.

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
        """Return the exclusive prefix sums of the counts of the pieces, each int64, shape (1,).

        With one thread or piece, nothing is counted: all pieces share one array, and each adds its own count to it.
        """
        if self.threads == 1 or len(pieces) == 1:
            return [np.zeros(1, np.int64)] * len(pieces)
        counted = yield from self.each(count, pieces)
        return [np.array([start], np.int64) for start in accumulate(counted, initial=0)][:-1]
