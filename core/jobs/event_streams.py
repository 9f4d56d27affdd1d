"""Generators of events: run through without a listener, or with their times and cells added up, also by kernel."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from core.jobs.events import Compiled, Event, KernelTiming, StepDone

T = TypeVar("T")


def run_to_end(steps: Generator[object, None, T]) -> T:
    """Run ``steps`` to their end and return what they return."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        answer: T = end.value
        return answer


def pass_on(steps: Generator[Event, None, T], change: Callable[[Event], Event | None]) -> Generator[Event, None, T]:
    """Yield what ``change`` makes of each event, but for None, and return what ``steps`` return."""
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


@dataclass(slots=True)
class EventTotals:
    """Sums over the events of a job, from where this was made: its cells, and its seconds by kernel."""

    seconds: dict[str, float] = field(default_factory=dict)
    compile_seconds: float = 0.0
    cells: int = 0
    block_cells: int = 0
    _start: float = field(default_factory=perf_counter)

    def add(self, event: Event) -> None:
        if isinstance(event, StepDone):
            if event.kernel == "skipped":  # told of, and not computed
                return
            self.seconds[event.kernel] = self.seconds.get(event.kernel, 0.0) + event.seconds
            self.cells += event.cells
            if event.kernel == "blocks":
                self.block_cells += event.cells
        elif isinstance(event, Compiled):
            self.compile_seconds += event.seconds

    @property
    def wall_seconds(self) -> float:
        """Since this was made, without compiling."""
        return perf_counter() - self._start - self.compile_seconds

    def fields(self, job_id: int, device: str) -> dict[str, Any]:
        """Return the fields of a ``core.jobs.results.Result`` that ends now."""
        return {
            "job_id": job_id,
            "device": device,
            "kernel_seconds": sum(self.seconds.values()),
            "wall_seconds": self.wall_seconds,
        }

    def watch(self, steps: Generator[Event, None, T]) -> Generator[Event, None, T]:
        """Return ``steps`` with what they yield added up on the way."""

        def added(event: Event) -> Event:
            self.add(event)
            return event

        return pass_on(steps, added)


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    cells: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


@dataclass(slots=True)
class Stopwatch:
    """Sums by kernel, in the order in which the kernels first ran; those that were only compiled come last."""

    device: str
    _ran: dict[str, _Sum] = field(default_factory=dict)
    _compiled: dict[str, _Sum] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, StepDone):
            line = self._ran.get(event.kernel)
            if line is None:
                line = self._ran[event.kernel] = self._compiled.pop(event.kernel, _Sum())
            line.calls += event.calls
            line.cells += event.cells
            line.seconds += event.seconds
        elif isinstance(event, Compiled):
            line = self._ran.get(event.kernel) or self._compiled.setdefault(event.kernel, _Sum())
            line.compile_seconds += event.seconds

    def total(self, kernel: str) -> tuple[int, float]:
        """Return the cells and seconds of ``kernel`` so far."""
        line = self._ran.get(kernel)
        return (0, 0.0) if line is None else (line.cells, line.seconds)

    def timings(self, job_id: int) -> list[KernelTiming]:
        return [
            KernelTiming(job_id, name, self.device, line.calls, line.cells, line.seconds, line.compile_seconds)
            for name, line in (*self._ran.items(), *self._compiled.items())
        ]
