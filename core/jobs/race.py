"""A race of kernels: the job that lets some of them solve one pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.arrays import Letters
from core.jobs.job_id import next_job_id
from core.jobs.pair import BandMode, EditJob, LcsJob, LcsKernel, Strategy, TracebackMethod
from core.jobs.race_kernels import MAX_KERNELS, MAX_ROUNDS, RaceKernel, RaceMethod, race_kernels


@dataclass(frozen=True, slots=True)
class RaceEntry:
    """One kernel's run; its job keeps its id over all rounds."""

    race_kernel: RaceKernel
    job: Any


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RaceJob:
    """Let each of ``legs`` solve the same pair, one after the other, ``rounds`` times in turn.

    One after the other, for kernels that run at once take each other's cores, caches and memory: a kernel of a graphics
    card needs the CPU too, to lay out letters and to walk back.

    Attributes:
        legs: 1 to ``MAX_KERNELS``, each kernel once.
        rounds: 1 to ``MAX_ROUNDS``; the fastest of a kernel counts.
    """

    method: RaceMethod
    legs: tuple[RaceEntry, ...]
    rounds: int = 1
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if not 1 <= len(self.legs) <= MAX_KERNELS or len({leg.race_kernel.id for leg in self.legs}) < len(self.legs):
            raise ValueError(f"1 to {MAX_KERNELS} different kernels can race, got {len(self.legs)}")
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise ValueError(f"1 to {MAX_ROUNDS} rounds can be run, got {self.rounds}")


def make_race_job(
    method: RaceMethod,
    ids: tuple[str, ...],
    a: Letters,
    b: Letters,
    *,
    fold_case: bool,
    path: bool,
    rounds: int = 1,
    threads: int = 0,
) -> RaceJob:
    """Return the race of the kernels ``ids`` over ``a`` (rows, reference) and ``b`` (columns, query).

    Args:
        path: whether each also finds the alignment.
    """
    chosen = map(race_kernels(method).__getitem__, ids)
    legs = tuple(RaceEntry(one, _job(method, one.options, a, b, fold_case, path, threads)) for one in chosen)
    return RaceJob(method=method, legs=legs, rounds=rounds)


def _job(
    method: RaceMethod, options: dict[str, str], a: Letters, b: Letters, fold_case: bool, wants_path: bool, threads: int
) -> LcsJob | EditJob:
    found_by = TracebackMethod(options.get("path", TracebackMethod.BLOCKS)) if wants_path else TracebackMethod.NONE
    if method is RaceMethod.EDIT:
        band = BandMode(options.get("band", BandMode.AUTO))
        return EditJob(a=a, b=b, fold_case=fold_case, path=found_by, band=band, threads=threads)
    strategy, kernel = (
        Strategy(options.get("strategy", Strategy.AUTO)),
        LcsKernel(options.get("kernel", LcsKernel.DEFAULT)),
    )
    return LcsJob(a=a, b=b, fold_case=fold_case, path=found_by, strategy=strategy, kernel=kernel, threads=threads)
