"""Add up what kernels report into one line a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.jobs.events import Compiled, Event, KernelTiming, StepDone


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
    _sums: dict[str, _Sum] = field(default_factory=dict)
    _ran: dict[str, None] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Compiled):
            self._sums.setdefault(event.kernel, _Sum()).compile_seconds += event.seconds
        elif isinstance(event, StepDone):
            self._ran.setdefault(event.kernel)
            line = self._sums.get(event.kernel) or self._sums.setdefault(event.kernel, _Sum())
            line.calls += event.calls
            line.cells += event.cells
            line.seconds += event.seconds

    def total(self, kernel: str) -> tuple[int, float]:
        """Return the cells and seconds of ``kernel`` so far."""
        line = self._sums.get(kernel, _Sum())
        return line.cells, line.seconds

    def timings(self, job_id: int) -> list[KernelTiming]:
        lines = {name: self._sums[name] for name in (*self._ran, *self._sums)}
        return [
            KernelTiming(job_id, name, self.device, line.calls, line.cells, line.seconds, line.compile_seconds)
            for name, line in lines.items()
        ]
