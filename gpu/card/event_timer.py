"""Timer of work on a card, by CUDA events."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any, TypeVar

from wavediff.gpu.card.failures import NOT_READY

R = TypeVar("R")
WATCH_SECONDS = 5e-4  # seconds between two looks at a kernel that runs
POLL_SECONDS = 5e-5  # seconds between two questions whether it still does: what comes next waits for the answer


class EventTimer:
    """A pair of events round work in the current stream; one thread at a time."""

    def __init__(self, cupy: Any) -> None:
        self._cuda = cupy.cuda
        self._begun, self._ended = cupy.cuda.Event(), cupy.cuda.Event()

    def timed(self, work: Callable[[], R], watch: Callable[[], None] | None = None) -> tuple[R, float]:
        """Return what ``work`` returns, and the seconds that the card took, once it is through.

        Args:
            watch: called now and then until it is.
        """
        start = perf_counter()
        self._begun.record()
        out = work()
        self._ended.record()
        try:
            while watch is not None and not self._ended.done:
                watch()
                self._pause()
        finally:  # nothing that a kernel works on is given up before its end
            self._ended.synchronize()
        return out, self._seconds(perf_counter() - start)

    def _pause(self) -> None:
        until = perf_counter() + WATCH_SECONDS
        while perf_counter() < until and not self._ended.done:
            sleep(POLL_SECONDS)

    def _seconds(self, waited: float) -> float:
        """Return the time between the events; ``waited`` where the driver cannot tell.

        It was seen to say of two events of one stream, the later of which had passed, that one had not: once in the
        tests of many threads on an H200, and never again. No work shall fail because it could not be timed.
        """
        try:
            return float(self._cuda.get_elapsed_time(self._begun, self._ended)) / 1e3
        except self._cuda.runtime.CUDARuntimeError as error:
            if error.status != NOT_READY:
                raise
            return waited
