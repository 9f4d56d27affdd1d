"""Backend of a method's matrices: the CPU's vectors, or a card. The strategies are the same on all of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.jobs.events import Event
from core.kernels.pairwise.dp_matrix import DpMatrix
from core.kernels.pairwise.pair_problem import PairProblem
from core.methods.edit import EditJob
from core.methods.lcs import LcsJob

J = TypeVar("J", LcsJob, EditJob)


@dataclass(frozen=True, slots=True)
class BackendSpeed:
    """Speeds that the choice of a strategy weighs.

    Attributes:
        rate: cells of a matrix a second, all threads or the whole card, assumed.
        small_cells: up to so many are computed on the CPU in one call, without blocks.
        instant_cells: a whole matrix of so many takes no time, so no band is looked for.
    """

    rate: float
    small_cells: int
    no_band_cells: int


class MatrixBackend(Protocol[J]):
    """See the module."""

    device: str

    def pace(self, problem: PairProblem[J]) -> BackendSpeed:
        """Return how fast it is."""
        ...

    def make_ready(self, problem: PairProblem[J]) -> Generator[Event, None, None]:
        """Compile (or load) what matrices of ``core`` need."""
        ...

    def matrix(
        self, problem: PairProblem[J], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        """Return the matrix of ``core`` or the band of it, not computed; None where the kept borders do not fit.

        Args:
            edits: that are expected in the band; 0 where nothing is known.
        """
        ...

    def band_seconds(self, problem: PairProblem[J], band: tuple[int, int], edits: int) -> float:
        """Return how long such a band is likely to take; arguments as ``matrix`` has them."""
        ...
