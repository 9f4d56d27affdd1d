"""Protocols of a dynamic-programming matrix, and of the backend (CPU or graphics card) that computes it."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, Protocol

from wavediff.core.base.arrays import BlockMap, Counts
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid, SkippedBlocks
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.kernels.pairwise.problem import B, PairProblem
from wavediff.core.kernels.traceback.left_align import Ops


class DpMatrix(Protocol):
    """A matrix or a band of it, computed by blocks."""

    @property
    def block_map(self) -> BlockMap: ...
    @property
    def grid(self) -> BlockGrid: ...
    @property
    def record(self) -> RunRecord | None:
        """Return when each place of the block map is computed; None where that is not known."""
        ...

    @property
    def kept(self) -> KeptMatrix | None:
        """Return what cells can be computed again from once it is computed; None where too little is kept."""
        ...

    @property
    def n_cells(self) -> int: ...
    @property
    def n_skipped(self) -> int:
        """Return the cells that were handed through when the blocks were computed, so far."""
        ...

    @property
    def share(self) -> float:
        """Return the time that a band is likely to take, over that of the whole matrix."""
        ...

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return what to add to a reason: that blocks are not of the size asked for (0: none was), or nothing."""
        ...

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; return whether the traceback, wanted where there are ``pieces``, came along with it."""
        ...

    def value(self) -> int:
        """Return the length of the LCS, or the edit distance, inside the band."""
        ...

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck | None]:
        """Look at it again once it is computed, see ``wavediff.core.kernels.pairwise.blocks.matrix_check``; None:
        cannot.

        Args:
            seconds: that the job is expected to take.
        """
        ...

    def skipped_blocks(self) -> SkippedBlocks:
        """Return what the block map shows as skipped: a block that the path crosses is computed by the traceback."""
        ...

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Trace back from the end, appending runs, last column first."""
        ...

    def mark_prefix_path(self, alignment: Alignment) -> None:
        """Mark the blocks that an alignment of both sequences crosses until it has left the common prefix."""
        ...


class BackendSpeed(NamedTuple):
    """Figures that the choice of a strategy weighs.

    Attributes:
        rate: cells of a matrix a second, all threads or the whole card, assumed.
        small_cells: up to so many are computed on the CPU in one call, without blocks.
        no_band_cells: a whole matrix of fewer takes no time, so no band is searched for.
    """

    rate: float
    small_cells: int
    no_band_cells: int


class MatrixBackend(Protocol[B]):
    """Source of the matrices of a method: the CPU's vectors, or a card. The strategies are the same on all of them."""

    device: str

    def foresee(self, job: B) -> None:
        """Have compiled elsewhere what is sure to be needed, before anything of ``job`` is done."""
        ...

    def is_ready(self, problem: PairProblem[B]) -> bool:
        """Return whether the whole matrix of ``problem``, which is encoded, waits for no compiler."""
        ...

    def speed(self, problem: PairProblem[B]) -> BackendSpeed:
        """Return how fast it is."""
        ...

    def make_ready(self, problem: PairProblem[B]) -> Generator[Event, None, None]: ...

    def matrix(
        self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        """Return the matrix of ``problem`` or the band of it, not computed; None where the kept borders do not fit.

        Args:
            edits: that are expected in the band; 0 where nothing is known.
        """
        ...

    def band_seconds(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        """Return how long such a band is likely to take; arguments as ``matrix`` has them."""
        ...
