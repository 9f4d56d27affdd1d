"""Job of a race: several kernels compute the same pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from wavediff.core.jobs import Job, KernelModules
from wavediff.core.methods.base import Method, RaceKernel, TracebackMethod
from wavediff.core.sequences.letter_rules import Ambiguity

if TYPE_CHECKING:
    from wavediff.core.sequences.sequence import Sequence

MAX_KERNELS = 4
MAX_ROUNDS = 9
AUTO_ROUNDS = 0  # automatic: enough rounds to see more than the start-up
SHORT_RUN_SECONDS, SHORT_RUN_ROUNDS = 1.0, 3  # seconds of the first round, below which a kernel gets more


class RaceEntry(NamedTuple):
    """One kernel of a race; its job keeps its id over all rounds."""

    race_kernel: RaceKernel
    job: Any


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RaceJob(Job):
    """Race of kernels: each of ``legs`` computes the same pair, in turn, for ``rounds`` rounds.

    Kernels run one after the other, because concurrent kernels share cores, caches and memory; GPU kernels also use the
    CPU, for letter layout and traceback.

    Attributes:
        method: of all legs; kernels of different methods have different answers.
        legs: 1 to ``MAX_KERNELS``, each kernel once.
        rounds: 1 to ``MAX_ROUNDS``, or ``AUTO_ROUNDS``; the fastest round of a kernel counts.
        ambiguity: how the answer counts ambiguity codes.
    """

    modules = KernelModules("wavediff.core.run.race_run")

    method: Method
    legs: tuple[RaceEntry, ...]
    rounds: int = AUTO_ROUNDS
    ambiguity: Ambiguity = Ambiguity.MISSING

    @property
    def most_rounds(self) -> int:
        return self.rounds or SHORT_RUN_ROUNDS

    def __post_init__(self) -> None:
        if not 1 <= len(self.legs) <= MAX_KERNELS or len({leg.race_kernel.id for leg in self.legs}) < len(self.legs):
            raise ValueError(f"1 to {MAX_KERNELS} different kernels can race, got {len(self.legs)}")
        if not AUTO_ROUNDS <= self.rounds <= MAX_ROUNDS:
            raise ValueError(f"1 to {MAX_ROUNDS} rounds can be run, or {AUTO_ROUNDS} for auto, got {self.rounds}")


def race_kernels(method: Method) -> dict[str, RaceKernel]:
    """Return the race kernels of a method by id, in display order."""
    return {kernel.id: kernel for kernel in method.race_kernels}


def make_race_job(
    method: Method,
    ids: tuple[str, ...],
    a: Sequence,
    b: Sequence,
    *,
    fold_case: bool,
    path: bool,
    rounds: int = AUTO_ROUNDS,
    threads: int = 0,
    ambiguity: Ambiguity = Ambiguity.MISSING,
) -> RaceJob:
    """Return the race of the kernels ``ids`` over ``a`` (rows, reference) and ``b`` (columns, query).

    Args:
        path: whether kernels also find the alignment.
    """
    legs = []
    for kernel in map(race_kernels(method).__getitem__, ids):
        options = kernel.options if path else {**kernel.options, "traceback": TracebackMethod.NONE}
        legs.append(RaceEntry(kernel, method.job(a, b, options, fold_case=fold_case, threads=threads)))
    return RaceJob(method=method, legs=tuple(legs), rounds=rounds, ambiguity=ambiguity)
