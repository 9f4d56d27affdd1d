"""Result of a race of kernels: times of each, and whether the answers agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from wavediff.core.jobs.events import KernelTiming, Recorded
from wavediff.core.methods import method
from wavediff.core.methods.statistics import gcups


class Stage(StrEnum):
    """Phase of a job in the time bars; every kernel of ``KernelTiming`` belongs to one."""

    PREPARE = "prepare"  # codes, seeds, probes, match words
    TRANSFER = "transfer"  # to the card and back
    BLOCKS = "blocks"  # cells of the matrix
    TRACEBACK = "traceback"
    VERIFY = "verify"  # the alignment against the letters, samples of a card's blocks
    OTHER = "other"  # time outside kernels: Python, waiting


_STAGES = {
    "blocks": Stage.BLOCKS,
    "upload": Stage.TRANSFER,
    "download": Stage.TRANSFER,
    "traceback": Stage.TRACEBACK,
    "verify": Stage.VERIFY,
    "spot-check": Stage.VERIFY,
}


@dataclass(frozen=True, slots=True)
class RaceEntryResult:
    """Result of one kernel: the fastest of its rounds.

    Attributes:
        id, name: of the ``RaceKernel``.
        device: ``cpu`` or ``gpu``; empty if it did not start.
        reason: reason for this device and strategy, for the user.
        answer: value of the method; None if it failed.
        counted: the value without differences due to ambiguity codes, as displayed.
        seconds: of the whole job in each round, without compilation; empty if it failed.
        compile_seconds: compilation (or loading) in all rounds.
        n_cells: cells of the full matrix. cells: computed cells.
        timings: each kernel's share of the fastest round.
        same_alignment: whether its alignment equals the first one of the race; None without an alignment.
        failure: why it has no answer, one line.
        recorded: run record of the fastest round, or of the failed one.
    """

    id: str
    name: str
    device: str = ""
    strategy: str = ""
    reason: str = ""
    answer: int | float | None = None
    counted: int | float | None = None
    seconds: tuple[float, ...] = ()
    compile_seconds: float = 0.0
    n_cells: int = 0
    cells: int = 0
    timings: tuple[KernelTiming, ...] = ()
    same_alignment: bool | None = None
    failure: str = ""
    recorded: Recorded | None = None

    def joined(self, new: RaceEntryResult) -> RaceEntryResult:
        """Merge the result of another round; a failed round makes the whole result failed."""
        faster = new if new.failure or not self.seconds or new.best < self.best else self
        seconds = () if new.failure else (*self.seconds, *new.seconds)
        return replace(faster, seconds=seconds, compile_seconds=self.compile_seconds + new.compile_seconds)

    @property
    def best(self) -> float:
        """Seconds of the fastest round; 0 after a failure."""
        return min(self.seconds, default=0.0)

    @property
    def gcups(self) -> float:
        """10^9 cells of the full matrix per second, over the whole job."""
        return gcups(self.n_cells, self.best)

    @property
    def shown(self) -> int | float:
        """Number of the answer as a comparison shows it; 0 without an answer."""
        return (self.answer or 0) if self.counted is None else self.counted

    @property
    def text(self) -> str:
        """The displayed answer; in brackets the one with ambiguity codes as letters, if it differs."""
        answer = self.answer or 0
        return f"{answer:,}" if self.shown == answer else f"{self.shown:,} ({answer:,} with ambiguity codes as letters)"

    def stages(self) -> dict[Stage, float]:
        """Return the seconds of each phase in the fastest round, zeros included; their sum is ``best``."""
        seconds = dict.fromkeys(Stage, 0.0)
        for timing in self.timings:
            if timing.kernel != "skipped":
                seconds[_STAGES.get(timing.kernel, Stage.PREPARE)] += timing.seconds
        seconds[Stage.OTHER] = max(0.0, self.best - sum(seconds.values()))
        return seconds


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RaceResult:
    """Result of a ``RaceJob``, legs in its order; ``method`` is a ``Method.id``."""

    job_id: int
    method: str
    n: int
    m: int
    rounds: int
    legs: tuple[RaceEntryResult, ...]

    @property
    def answers(self) -> tuple[int | float, ...]:
        """Distinct answers in kernel order; exactly one if all kernels agree."""
        return tuple(dict.fromkeys(leg.answer for leg in self.legs if leg.answer is not None))

    @property
    def agree(self) -> bool:
        """Return whether all answers are equal (also with fewer than two)."""
        return len(self.answers) < 2

    @property
    def fastest(self) -> RaceEntryResult | None:
        return min((leg for leg in self.legs if leg.seconds), key=lambda leg: leg.best, default=None)

    def verdict(self) -> str:
        """Return one sentence: do the kernels agree?"""
        done = [leg for leg in self.legs if leg.answer is not None]
        what = method(self.method).long_name
        if not self.agree:
            said = ", ".join(f"{leg.name} {leg.text}" for leg in done)
            return f"THE ANSWERS DIFFER, so at least one kernel is wrong: {what} {said}"
        if not done:
            return "No kernel came to an answer"
        paths = [leg.same_alignment for leg in done if leg.same_alignment is not None]
        if len(done) == 1:
            return f"Only {done[0].name} came to an answer: {what} {done[0].text}"
        they = "Both" if len(done) == 2 else f"All {len(done):,}"
        text = f"{they} agree: {what} {done[0].text}"
        if not paths:
            return text
        return f"{text}, {'identical alignments' if all(paths) else 'different alignments, each as good as the others'}"
