"""A race of kernels: which of them can run, and the job that lets some of them solve one pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.arrays import Letters
from core.jobs import Band, EditJob, LcsJob, LcsKernel, PathMethod, Way, next_job_id

MOST_LEGS = 4
MOST_ROUNDS = 9


class RaceMethod(StrEnum):
    """What is computed; kernels of two methods have no answer in common."""

    LCS = "lcs"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A kernel that can race.

    Attributes:
        id: as on the command line; the same in both methods where it stands for the same.
        name: short, over a map. tip: what it is, one sentence.
        device: ``auto``, ``cpu`` or ``gpu``, see ``core.dispatch.Device``.
        make: (A, B, whether case is folded, whether a path is wanted, threads) -> job.
        needs_path: it is a way to an alignment, and has nothing to say where only the number is wanted.
    """

    id: str
    name: str
    tip: str
    device: str
    make: Callable[[Letters, Letters, bool, bool, int], Any]
    needs_path: bool = False


def _lcs(way: Way = Way.AUTO, path: PathMethod = PathMethod.BLOCKS, kernel: LcsKernel = LcsKernel.DEFAULT) -> Any:
    def make(a: Letters, b: Letters, fold_case: bool, wants_path: bool, threads: int) -> LcsJob:
        found_by = path if wants_path else PathMethod.NONE
        return LcsJob(a=a, b=b, fold_case=fold_case, path=found_by, way=way, kernel=kernel, threads=threads)

    return make


def _edit(band: Band) -> Any:
    def make(a: Letters, b: Letters, fold_case: bool, wants_path: bool, threads: int) -> EditJob:
        path = PathMethod.BLOCKS if wants_path else PathMethod.NONE
        return EditJob(a=a, b=b, fold_case=fold_case, path=path, band=band, threads=threads)

    return make


_EVERY = "computes every cell, whatever the two have in common"
_DEFAULT = Entrant("default", "Default", "What a comparison with the device on Auto does", "auto", _lcs())

ENTRANTS: dict[RaceMethod, tuple[Entrant, ...]] = {
    RaceMethod.LCS: (
        _DEFAULT,
        Entrant("cpu", "CPU", "Every core, the fastest way that proves itself", "cpu", _lcs()),
        Entrant("gpu", "GPU", "The graphics card, the fastest way that proves itself", "gpu", _lcs()),
        Entrant("cpu-full", "CPU, all cells", f"Every core; {_EVERY}", "cpu", _lcs(Way.FULL)),
        Entrant("gpu-full", "GPU, all cells", f"The graphics card; {_EVERY}", "gpu", _lcs(Way.FULL)),
        Entrant(
            "hirschberg", "Hirschberg, CPU", "Halves and recursion on every core: least memory, twice the cells", "cpu",
            _lcs(path=PathMethod.HIRSCHBERG), True,
        ),
        Entrant(
            "hirschberg-gpu", "Hirschberg, GPU", "The same with its large halves on the graphics card", "gpu",
            _lcs(path=PathMethod.HIRSCHBERG), True,
        ),
        Entrant(
            "paper1", "Paper 1", "Kawanami and Fujimoto's kernel as it is, on the graphics card: all cells", "gpu",
            _lcs(kernel=LcsKernel.PAPER),
        ),
    ),
    RaceMethod.EDIT: (
        Entrant(_DEFAULT.id, _DEFAULT.name, _DEFAULT.tip, _DEFAULT.device, _edit(Band.AUTO)),
        Entrant("cpu", "CPU", "Every core, the fastest way that proves itself", "cpu", _edit(Band.AUTO)),
        Entrant("gpu", "GPU", "The graphics card, the fastest way that proves itself", "gpu", _edit(Band.AUTO)),
        Entrant("cpu-full", "CPU, all cells", f"Every core; {_EVERY}", "cpu", _edit(Band.NONE)),
        Entrant("gpu-full", "GPU, all cells", f"The graphics card; {_EVERY}", "gpu", _edit(Band.NONE)),
        Entrant("paper2", "Paper 2", "Sudo and Shinohara's band and needless blocks", "cpu", _edit(Band.PAPER)),
        Entrant("paper2-gpu", "Paper 2, GPU", "The same band on the graphics card", "gpu", _edit(Band.PAPER)),
    ),
}  # fmt: skip
USUAL = ("cpu", "gpu", "paper1", "paper2", "hirschberg", "cpu-full")  # who races unless others are asked for


@dataclass(frozen=True, slots=True)
class Leg:
    """One kernel's run; its job keeps its id over all rounds."""

    entrant: Entrant
    job: Any


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RaceJob:
    """Let each of ``legs`` solve the same pair, one after the other, ``rounds`` times in turn.

    One after the other, for kernels that run at once take each other's cores, caches and memory: a kernel of a graphics
    card needs the CPU too, to lay out letters and to walk back.

    Attributes:
        legs: 1 to ``MOST_LEGS``, each kernel once.
        rounds: 1 to ``MOST_ROUNDS``; the fastest of a kernel counts.
    """

    method: RaceMethod
    legs: tuple[Leg, ...]
    rounds: int = 1
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if not 1 <= len(self.legs) <= MOST_LEGS or len({leg.entrant.id for leg in self.legs}) < len(self.legs):
            raise ValueError(f"1 to {MOST_LEGS} different kernels can race, got {len(self.legs)}")
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise ValueError(f"1 to {MOST_ROUNDS} rounds can be run, got {self.rounds}")


def race(
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
    legs = tuple(Leg(one, one.make(a, b, fold_case, path, threads)) for one in map(entrants(method).__getitem__, ids))
    return RaceJob(method=method, legs=legs, rounds=rounds)


def entrants(method: RaceMethod) -> dict[str, Entrant]:
    """Return the kernels of a method by their ids, in the order in which they are listed."""
    return {one.id: one for one in ENTRANTS[method]}
