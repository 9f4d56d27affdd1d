"""What computes the matrices of a method: the CPU's vectors, or a card. The ways are the same on all of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.events import Event
from core.jobs import EditJob, LcsJob
from core.kernels.problem import Core
from core.kernels.rectangle import Rectangle

J = TypeVar("J", LcsJob, EditJob)


@dataclass(frozen=True, slots=True)
class Pace:
    """What the ways weigh.

    Attributes:
        rate: cells of a matrix a second, all threads or the whole card, assumed.
        small_cells: up to so many are computed on the CPU in one call, without blocks.
        instant_cells: a whole matrix of so many takes no time, so no band is looked for.
    """

    rate: float
    small_cells: int
    instant_cells: int


class Engine(Protocol[J]):
    """See the module."""

    device: str

    def pace(self, core: Core[J]) -> Pace:
        """Return how fast it is."""
        ...

    def make_ready(self, core: Core[J]) -> Generator[Event, None, None]:
        """Compile (or load) what matrices of ``core`` need."""
        ...

    def matrix(
        self, core: Core[J], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, Rectangle | None]:
        """Return the matrix of ``core`` or the band of it, not computed; None where the kept borders do not fit.

        Args:
            edits: that are expected in the band; 0 where nothing is known.
        """
        ...

    def band_seconds(self, core: Core[J], band: tuple[int, int], edits: int) -> float:
        """Return how long such a band is likely to take; arguments as ``matrix`` has them."""
        ...
