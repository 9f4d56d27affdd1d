"""Events of a running job (immutable, Qt-free, shared between threads), and consumers of their generators.

They are named tuples: creating one takes a third of the time of a frozen dataclass, creating the class a sixth.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from wavediff.core.base.arrays import BlockMap
from wavediff.core.base.numbers import number
from wavediff.core.jobs.axes import Axes
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.run_record import RunRecord, Span


class Compiled(NamedTuple):
    """A kernel is ready to run; ``seconds`` of compilation are not run time."""

    job_id: int
    kernel: str
    seconds: float


class DeviceChosen(NamedTuple):
    """The selected device; emitted again when a job falls back to the CPU.

    Attributes:
        device: ``cpu``, ``gpu`` or ``cluster``.
        reason: reason for the choice, a part of a sentence for the user.
    """

    job_id: int
    device: str
    reason: str


class NoticeRaised(NamedTuple):
    """Notice for the user while the job continues; ``text`` is a sentence."""

    job_id: int
    text: str


class MemoryForecast(NamedTuple):
    """Memory forecast of a large job in bytes, emitted before it starts; see ``wavediff.core.run.rates``.

    Attributes:
        least: memory for similar sequences. most: for dissimilar ones. free: memory available now.
    """

    job_id: int
    least: int
    most: int
    free: int

    @property
    def text(self) -> str:
        """The forecast as a sentence."""
        least, most, free = map(memory_text, (self.least, self.most, self.free))
        if self.least < 0.8 * self.most:
            return f"This needs {least} of memory, or up to {most} if the sequences differ much; {free} are free"
        return f"This needs about {most} of memory; {free} are free"


def memory_text(size: int) -> str:
    return f"{number(size / 1e9, 1)} GB" if size >= 1e9 else f"{number(max(size / 1e6, 1))} MB"


class Planned(NamedTuple):
    """Start of an attempt; a job that tries a band before the full matrix emits two such events.

    Attributes:
        grid: grid of blocks of this attempt.
        block_map: uint8, shape ``grid.shape``, reduced by a factor per side above ``MAX_BOARD``: ``BlockState``. The
            kernel writes it and ``record`` while readers poll them; no other array changes.
        strategy: id of the strategy, e.g. ``full``, ``band``, ``probe``, ``hirschberg``.
        reason: reason for the strategy, one sentence for the user.
        cells: number of cells of this attempt, in all its matrices.
        low, high: diagonals ``column - row`` of the band, relative to the grid; None without a band.
        threshold: k, the edits (for the LCS: insertions and deletions) that fit into the band.
        record: times of each entry of the map; None if unknown.
        kept: stored borders from which cells can be recomputed; None if there are too few, or too many to store. Its
            first row and column are those of the grid.
        axes: units of rows and columns; None: letters.
    """

    job_id: int
    grid: BlockGrid
    block_map: BlockMap
    strategy: str
    reason: str
    cells: int
    low: int | None = None
    high: int | None = None
    threshold: int | None = None
    record: RunRecord | None = None
    kept: KeptMatrix | None = None
    axes: Axes | None = None


class StepDone(NamedTuple):
    """End of a piece of work of 5-50 ms.

    Attributes:
        kernel: name of the work: ``encode``, ``probe``, ``blocks``, ``traceback``, ``check``...
        calls: number of kernel calls (for ``blocks``: blocks on the CPU, launches on a card).
        cells: matrix cells computed; 0 if meaningless.
        seconds: wall time; threads count once.
        parts: work of each thread or card queue, if known; ``time.perf_counter``.
    """

    job_id: int
    kernel: str
    calls: int
    cells: int
    seconds: float
    parts: tuple[Span, ...] = ()


class Progress(NamedTuple):
    """Progress of a job without blocks (e.g. reading a file): ``done`` of ``total`` ``unit``; total 0 = unknown."""

    job_id: int
    stage: str
    done: int
    total: int
    unit: str = "bytes"


class HitsFound(NamedTuple):
    """New hits; in text order they follow those reported before. The result has all hits in order."""

    job_id: int
    hits: Hits


class ContigsPlaced(NamedTuple):
    """Contigs placed since the last such event; the result has all contigs."""

    job_id: int
    placements: tuple[Any, ...]


class Recorded(NamedTuple):
    """Times of a run that ended, failed or was stopped; emitted once per run and device.

    Attributes:
        device: ``cpu`` or ``gpu``.
        start: start of the run, seconds of ``time.perf_counter`` like ``RunRecord.start``.
        seconds: duration of the whole run, including compilation.
        spans: time spans of the stages, then of each lane, in order of time; seconds since ``start``.
        attempts: the ``Planned`` events in order, without ``kept``; ``record`` has the times of map entries, if known.
    """

    job_id: int
    device: str
    start: float
    seconds: float
    spans: tuple[Span, ...]
    attempts: tuple[Planned, ...]


class KernelTiming(NamedTuple):
    """Totals of one kernel over a whole job; times in seconds."""

    job_id: int
    kernel: str
    device: str
    calls: int
    cells: int
    seconds: float
    compile_seconds: float

    @property
    def gcups(self) -> float:
        """10^9 cells per second; 0 if nothing was computed."""
        return self.cells / self.seconds / 1e9 if self.seconds > 0 else 0.0


class RaceRun(NamedTuple):
    """Start of a round of a race kernel or, with a result, its end or failure.

    Attributes:
        leg: number of the kernel in the race, from 0; its other events have the id of its own job. round: from 0.
        result: a ``wavediff.core.methods.race_result.RaceEntryResult`` of the rounds so far.
    """

    job_id: int
    leg: int
    round: int
    result: Any = None


Event = (
    DeviceChosen
    | NoticeRaised
    | MemoryForecast
    | Compiled
    | Planned
    | StepDone
    | Progress
    | HitsFound
    | ContigsPlaced
    | Recorded
    | KernelTiming
    | RaceRun
)


class Step:
    """Factory of the events of one job.

    A kernel is stopped between two events by closing its generator.
    """

    __slots__ = ("job_id",)

    def __init__(self, job_id: int) -> None:
        self.job_id = job_id

    def done(self, kernel: str, start: float, calls: int = 1, cells: int = 0, parts: tuple[Span, ...] = ()) -> StepDone:
        """Return the event of work that ends now and began at ``start`` (``time.perf_counter``)."""
        return StepDone(self.job_id, kernel, calls, cells, perf_counter() - start, parts)

    def took(
        self, kernel: str, seconds: float, calls: int = 1, cells: int = 0, parts: tuple[Span, ...] = ()
    ) -> StepDone:
        """Return the event of work that took ``seconds``."""
        return StepDone(self.job_id, kernel, calls, cells, seconds, parts)

    def compiled(self, kernel: str, seconds: float) -> Compiled:
        return Compiled(self.job_id, kernel, seconds)

    def progress(self, stage: str, done: int, total: int, unit: str = "bytes") -> Progress:
        return Progress(self.job_id, stage, done, total, unit)

    def notice(self, text: str) -> NoticeRaised:
        return NoticeRaised(self.job_id, text)


REHEARSAL = Step(0)  # of what is called once, on next to nothing, to compile it


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
        device: of the timings; may be set later.
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
