"""Events of a running job: immutable, Qt-free, shared between threads.

They are named tuples: to make one takes a third of the time of a frozen dataclass, and to make the class a sixth.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

from wavediff.core.base.arrays import BlockMap
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
        reason: why that one, a part of a sentence for the user.
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
        least, most: for sequences that are alike, and for such as are not. free: now.
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
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"


class Planned(NamedTuple):
    """Start of an attempt; a job that tries a band before the full matrix plans twice.

    Attributes:
        grid: the blocks of this attempt.
        board: uint8, shape ``grid.shape`` (reduced by an integer factor a side where that is over ``MAX_BOARD``): a
            ``BlockState`` each. The kernel goes on writing it, so it is polled and never written by readers; it is the
            one array, in addition to those of ``record``, that changes after it was handed over.
        way: short name of the way taken, e.g. ``full``, ``band``, ``probe``, ``hirschberg``.
        reason: why, in one sentence for the user.
        cells: cells that this attempt will compute, in all its matrices.
        low, high: diagonals ``column - row`` of the band, relative to the grid; None where there is no band.
        threshold: k, the edits (for the LCS: insertions and deletions) that the band is wide enough for.
        record: when each place of the map is computed, written like the map; None where that is not known.
        kept: from which those cells can be computed again that the run has come to; None where too little is kept, or
            too much. Its first row and column are those of the grid.
        axes: what rows and columns are; None: letters.
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
        kernel: which part of the job: ``encode``, ``probe``, ``blocks``, ``traceback``, ``check``...
        calls: kernel calls (for ``blocks`` of the CPU: blocks; of a card: launches) in this piece.
        cells: cells of the matrix computed in it; 0 where that has no meaning.
        seconds: its wall time; the threads of one job count once.
        parts: what each thread, or queue of a card, did in it, where that is known; ``time.perf_counter``.
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
    """New hits, after the reported ones in text order; the result repeats all hits in order."""

    job_id: int
    hits: Hits


class ContigsPlaced(NamedTuple):
    """Contigs placed since the last such event; the result repeats all."""

    job_id: int
    placements: tuple[Any, ...]


class Recorded(NamedTuple):
    """Times of a run that ended, failed or was stopped; emitted once per run and device.

    Attributes:
        device: ``cpu`` or ``gpu``.
        start: of the run, seconds of ``time.perf_counter``; ``RunRecord.start`` is on the same clock.
        seconds: of the whole run, compiling included.
        spans: lane after lane, stages first, each in the order of time; seconds since ``start``.
        attempts: what was planned, in that order, without what was ``kept``; their ``record`` has the times of places,
            where these are known.
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
        leg: which kernel, from 0; its other events carry the id of its own job. round: from 0.
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

    A kernel is stopped between two of them, by closing its generator.
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
