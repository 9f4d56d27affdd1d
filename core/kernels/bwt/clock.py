"""Clock of a transform: all phases report their time to it, in events of some milliseconds."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import TypeVar

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.bits import count_bytes
from wavediff.core.jobs.events import Event, Step, StepDone
from wavediff.core.jobs.run_record import Span, thread_spans
from wavediff.core.system.thread_loop import Piece

T = TypeVar("T")
SCAN_PLACES = 1 << 20  # places scanned between two looks at the clock
FILL_PLACES = 1 << 23  # places filled or copied
_EVENT_SECONDS = 0.005  # seconds an event is worth


class Clock(Step):
    """Collects time until an event is due.

    Args:
        kernel: part of the job that the time belongs to; ``phase`` and ``turn`` change it.

    Attributes:
        pieces: for ``run_threads``: the work of threads, reported with the next event.
    """

    __slots__ = ("_calls", "_kernel", "_parts", "_start", "pieces")

    def __init__(self, job_id: int, kernel: str = "") -> None:
        super().__init__(job_id)
        self.pieces: list[Piece] = []
        self._parts: list[Span] = []
        self._kernel, self._calls, self._start = kernel, 0, perf_counter()

    def __call__(self) -> Iterator[StepDone]:
        """Yield an event if one is due; called after each piece of work."""
        self._calls += 1
        if perf_counter() - self._start > _EVENT_SECONDS:
            yield self._event()

    def phase(self, kernel: str, steps: Generator[Event, None, T]) -> Generator[Event, None, T]:
        """Run ``steps`` with their time attributed to ``kernel``."""
        yield from self.turn(kernel)
        result = yield from steps
        yield from self.turn()
        return result

    def turn(self, kernel: str = "") -> Iterator[StepDone]:
        """Report the collected time; if ``kernel`` is given, time from now on belongs to it."""
        if self._calls or self._parts or self.pieces:
            yield self._event()
        self._kernel = kernel or self._kernel
        self._start = perf_counter()

    def note(self, name: str, lane: str, began: float) -> None:
        """Record a span of work that ends now, for the next event."""
        self._parts.append(Span(name, lane, began, perf_counter()))

    def _event(self) -> StepDone:
        parts = (*self._parts, *thread_spans(self._kernel, self.pieces))
        self._parts.clear()
        event = self.done(self._kernel, self._start, self._calls, 0, parts)
        self._calls, self._start = 0, perf_counter()
        return event


def ranges(n: int, size: int = SCAN_PLACES) -> Iterator[tuple[int, int]]:
    """Yield (first, end) of consecutive pieces of ``n`` items."""
    for lo in range(0, n, size):
        yield lo, min(n, lo + size)


def ranges_backwards(n: int, size: int = SCAN_PLACES) -> Iterator[tuple[int, int]]:
    """Yield the pieces of ``ranges`` in reverse order."""
    for hi in range(n, 0, -size):
        yield max(0, hi - size), hi


def count_letters(letters: Letters, clock: Clock) -> Generator[Event, None, Counts]:
    """Return the count of each byte, int64, shape (256,)."""
    total = np.zeros(256, np.int64)
    for lo, hi in ranges(letters.size, FILL_PLACES):
        total += count_bytes(letters[lo:hi])
        yield from clock()
    return total
