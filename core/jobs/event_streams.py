"""Generators of events: run through without a listener, or with their times and cells added up."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from core.jobs.events import Compiled, Event, StepDone

T = TypeVar("T")


def run_to_end(steps: Generator[object, None, T]) -> T:
    """Run ``steps`` to their end and return what they return."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        answer: T = end.value
        return answer


@dataclass(slots=True)
class EventTotals:
    """Sums over the events of a job, in seconds and cells; ``block_``: those of the kernel ``blocks`` only."""

    kernel_seconds: float = 0.0
    compile_seconds: float = 0.0
    cells: int = 0
    block_seconds: float = 0.0
    block_cells: int = 0

    def add(self, event: Event) -> None:
        if isinstance(event, StepDone):
            if event.kernel == "skipped":  # told of, and not computed
                return
            self.kernel_seconds += event.seconds
            self.cells += event.cells
            if event.kernel == "blocks":
                self.block_seconds += event.seconds
                self.block_cells += event.cells
        elif isinstance(event, Compiled):
            self.compile_seconds += event.seconds

    def watch(self, steps: Generator[Event, None, T]) -> Generator[Event, None, T]:
        """Pass on what ``steps`` yield and return, and add it up."""
        try:
            while True:
                event = next(steps)
                self.add(event)
                yield event
        except StopIteration as end:
            answer: T = end.value
            return answer
        finally:
            steps.close()
