"""The matrix of edit distance, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

from core.jobs.events import Event
from core.kernels.pairwise.backend import BackendSpeed
from core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from core.kernels.pairwise.blocks.packed_pair import PackedPair
from core.kernels.pairwise.diagonal_transition.cpu_band import CpuDiagonalBand, choose_diagonals, seconds_of
from core.kernels.pairwise.pair_problem import PairProblem, shape_for
from core.methods.edit import BandMode, EditJob

SMALL_CELLS = 1 << 22  # see ``Pace``
CELLS_PER_SECOND = 3.5e11  # cells that a thread computes a second, assumed
NO_BAND_CELLS = 1 << 30  # a whole matrix of so many takes no time


class EditMatrix(BlockMatrix):
    """See ``Matrix``."""

    n_delta_bits, method = EDIT_SIGNS, "edit"

    def __init__(
        self,
        packed: PackedPair,
        shape: BlockShapePlan,
        band: tuple[int, int] | None = None,
        *,
        monotone: bool = True,
        common: int = 0,
    ) -> None:
        super().__init__(packed, shape, band=band, monotone=monotone, common=common)

    def value(self) -> int:
        """Return the edit distance inside the band, once every block is done: along the top, then down the right."""
        return self.plan.n_cols + self.ones(0) - self.ones(1)


class CpuEdit:
    """See ``core.kernels.pairwise.backend.MatrixBackend``."""

    device = "cpu"

    def foresee(self, job: EditJob) -> None:
        """Have compiled elsewhere what is sure to be needed, before it is."""
        EditMatrix.request_trace_kernels_early(job, SMALL_CELLS)

    def pace(self, problem: PairProblem[EditJob]) -> BackendSpeed:
        return BackendSpeed(
            rate=CELLS_PER_SECOND * problem.threads, small_cells=SMALL_CELLS, no_band_cells=NO_BAND_CELLS
        )

    def make_ready(self, problem: PairProblem[EditJob]) -> Generator[Event, None, None]:
        if problem.wants_path:
            EditMatrix.request_trace_kernels(problem.planes, problem.n_codes)
        yield from ()  # what is needed is made ready when it is

    def matrix(
        self, problem: PairProblem[EditJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, EditMatrix | CpuDiagonalBand | None]:
        shape = shape_for(problem, EDIT_SIGNS, band, edits)
        found = choose_diagonals(problem, shape, band, edits, CELLS_PER_SECOND, EDIT_SIGNS)
        if found is not None:
            return found
        if shape is None:
            return None
        monotone = problem.job.band in (BandMode.AUTO, BandMode.PAPER)
        return EditMatrix(
            (yield from problem.packed()), shape, band, monotone=monotone, common=problem.common - problem.prefix
        )

    def band_seconds(self, problem: PairProblem[EditJob], band: tuple[int, int], edits: int) -> float:
        return min(
            seconds_of(problem, shape_for(problem, EDIT_SIGNS, band, edits), band, edits, CELLS_PER_SECOND, EDIT_SIGNS)
        )
