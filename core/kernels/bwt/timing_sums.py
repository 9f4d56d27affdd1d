"""Time inside kernels and for compiling, added up while events pass by."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeVar

from core.jobs.events import Compiled, Event, StepDone

T = TypeVar("T")


@dataclass(slots=True)
class TimingSums:
    """Seconds by kernel, and what they add up to."""

    seconds: dict[str, float] = field(default_factory=dict)
    compile_seconds: float = 0.0
    _start: float = field(default_factory=perf_counter)

    def watch(self, steps: Generator[Event, None, T]) -> Generator[Event, None, T]:
        """Yield and return what ``steps`` do."""
        try:
            while True:
                event = next(steps)
                if isinstance(event, StepDone):
                    self.seconds[event.kernel] = self.seconds.get(event.kernel, 0.0) + event.seconds
                elif isinstance(event, Compiled):
                    self.compile_seconds += event.seconds
                yield event
        except StopIteration as end:
            found: T = end.value
            return found
        finally:
            steps.close()

    @property
    def kernel_seconds(self) -> float:
        return sum(self.seconds.values())

    @property
    def wall_seconds(self) -> float:
        """Since this was made, without compiling."""
        return perf_counter() - self._start - self.compile_seconds
