"""Protocols of a dynamic-programming matrix, and of the backend (CPU or graphics card) that computes it."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, Protocol

from wavediff.core.base.arrays import BlockMap, Counts, Ops
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid, SkippedBlocks
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.kernels.pairwise.problem import B, PairProblem


class DpMatrix(Protocol):
    """A matrix, or a band of a matrix, computed by blocks."""

    @property
    def block_map(self) -> BlockMap: ...
    @property
    def grid(self) -> BlockGrid: ...
    @property
    def record(self) -> RunRecord | None:
        """Block times, or None if not recorded."""

    @property
    def kept(self) -> KeptMatrix | None:
        """Stored parts that reproduce cells after computation, or None."""

    @property
    def n_cells(self) -> int: ...
    @property
    def n_skipped(self) -> int:
        """Number of cells in blocks skipped so far."""

    @property
    def share(self) -> float:
        """Estimated time of a band, as a fraction of the time of the full matrix."""

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return a note if blocks do not have the requested size (0: none), or an empty string."""

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; return whether the traceback (requested by ``pieces``) is done too."""

    def value(self) -> int:
        """Return the length of the LCS, or the edit distance, inside the band."""

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck | None]:
        """Verify the computed matrix, see ``wavediff.core.kernels.pairwise.blocks.matrix_check``; None: not possible.

        Args:
            seconds: expected for the job.
        """

    def skipped_blocks(self) -> SkippedBlocks:
        """Return the skipped blocks; if each block has its own entry in the block map, without those on the path."""

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Trace back from the end, appending runs, last column first."""


class BackendSpeed(NamedTuple):
    """Speed figures for choosing a strategy.

    Attributes:
        rate: assumed cells per second, of all threads or the whole card.
        small_cells: maximum for one CPU call without blocks.
        no_band_cells: smaller matrices are computed whole, without a search for a band.
    """

    rate: float
    small_cells: int
    no_band_cells: int


class MatrixBackend(Protocol[B]):
    """Factory of matrices of a method on the CPU or a card; both use the same strategies."""

    device: str

    def foresee(self, job: B) -> None:
        """Request background compilation of kernels needed for ``job``."""

    def is_ready(self, problem: PairProblem[B]) -> bool:
        """Return whether the kernels for the full matrix of the encoded ``problem`` are compiled."""

    def speed(self, problem: PairProblem[B]) -> BackendSpeed:
        """Return the speed figures of this backend for ``problem``."""

    def make_ready(self, problem: PairProblem[B]) -> Generator[Event, None, None]: ...

    def matrix(
        self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        """Return the uncomputed matrix of ``problem`` or a band of it; None if stored borders exceed memory.

        Args:
            edits: expected in the band; 0: unknown.
        """

    def band_seconds(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        """Estimate the seconds of a band; arguments as for ``matrix``."""
