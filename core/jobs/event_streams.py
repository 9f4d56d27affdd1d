"""Consumers of event generators: run without a listener, or with totals per kernel."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any, TypeVar

from wavediff.core.jobs.events import Compiled, Event, KernelTiming, StepDone

S = TypeVar("S")
T = TypeVar("T")


def run_to_end(steps: Generator[object, None, T]) -> T:
    """Run ``steps`` to completion and return their result."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        answer: T = end.value
        return answer


def pass_on(steps: Generator[S, None, T], change: Callable[[S], Event | None]) -> Generator[Event, None, T]:
    """Yield ``change(event)`` for each event of ``steps`` (None is dropped) and return their result."""
    try:
        while True:
            event = change(next(steps))
            if event is not None:
                yield event
    except StopIteration as end:
        answer: T = end.value
        return answer
    finally:
        steps.close()


class _Sum:
    """Sums of one kernel, begun by attributes of the class: each job makes some ten, and a constructor takes longer."""

    ran = False
    calls = cells = 0
    seconds = compile_seconds = 0.0


class EventTotals:
    """Totals of the events of a job by kernel, from the creation of this object.

    Attributes:
        device: of the timings; a job may name it later.
    """

    def __init__(self, device: str = "") -> None:
        self.device = device
        self._sums: dict[str, _Sum] = {}
        self._start = perf_counter()

    def add(self, event: Event) -> Event:
        """Add an event to the totals and return it."""
        if isinstance(event, StepDone):
            one = self._sums.get(event.kernel)
            if one is None or not one.ran:  # comes behind those that ran before
                one = self._sums[event.kernel] = self._sums.pop(event.kernel, _Sum())
                one.ran = True
            one.calls += event.calls
            one.cells += event.cells
            one.seconds += event.seconds
        elif isinstance(event, Compiled):
            self._sums.setdefault(event.kernel, _Sum()).compile_seconds += event.seconds
        return event

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by kernel, skipped kernels excluded."""
        return {name: one.seconds for name, one in self._sums.items() if name != "skipped"}

    @property
    def cells(self) -> int:
        return sum(one.cells for name, one in self._sums.items() if name != "skipped")

    @property
    def wall_seconds(self) -> float:
        """Elapsed seconds since creation, compilation excluded."""
        return perf_counter() - self._start - sum(one.compile_seconds for one in self._sums.values())

    def fields(self, job_id: int, device: str) -> dict[str, Any]:
        """Return the fields of a ``wavediff.core.jobs.results.Result`` that ends now."""
        return {
            "job_id": job_id,
            "device": device,
            "kernel_seconds": sum(self.seconds.values()),
            "wall_seconds": self.wall_seconds,
        }

    def total(self, kernel: str) -> tuple[int, float]:
        """Return the total cells and seconds of ``kernel`` so far."""
        one = self._sums.get(kernel, _Sum())
        return one.cells, one.seconds

    def timings(self, job_id: int) -> list[KernelTiming]:
        """Return the totals in order of first run; kernels that were only compiled come last."""
        return [
            KernelTiming(job_id, name, self.device, one.calls, one.cells, one.seconds, one.compile_seconds)
            for name, one in sorted(self._sums.items(), key=lambda named: not named[1].ran)
        ]

    def watch(self, steps: Generator[Event, None, T]) -> Generator[Event, None, T]:
        """Add up the events of ``steps`` as they pass."""
        return pass_on(steps, self.add)
