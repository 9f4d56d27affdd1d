"""The LCS matrix: its length and its profile, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.arrays import Counts, Words
from core.jit.decorators import jit
from core.jobs.events import Event
from core.kernels.pairwise.backend import BackendSpeed
from core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from core.kernels.pairwise.blocks.packed_pair import PackedPair
from core.kernels.pairwise.diagonal_transition.cpu_band import CpuDiagonalBand, choose_diagonals, seconds_of
from core.kernels.pairwise.pair_problem import PairProblem, shape_for
from core.methods.lcs import LcsJob
from core.vector.simd import BITS, LANES, WORD

SMALL_CELLS = 1 << 24  # see ``Pace``
CELLS_PER_SECOND = 6e11  # cells that a thread computes a second, assumed
NO_BAND_CELLS = 1 << 30  # a whole matrix of so many takes no time


class LcsMatrix(BlockMatrix):
    """See ``Matrix``."""

    n_delta_bits, method = LCS_SIGNS, ""

    def __init__(self, packed: PackedPair, shape: BlockShapePlan, band: tuple[int, int] | None = None) -> None:
        super().__init__(packed, shape, band=band)

    def value(self) -> int:
        """Return the length of the LCS inside the band, once every block is done: the rows where it grows."""
        return int(self.plan.rows.size) - self.ones(0)

    def profile(self) -> Counts:
        """Return the LCS of the first i rows with all columns, int64, shape (rows + 1,)."""
        out = np.zeros(self.plan.rows.size + 1, np.int64)
        _profile(self.plan.depth, self.state.final, out)
        return out


@jit
def _profile(depth: int, final: Words, out: Counts) -> None:
    height = depth * BITS
    for i in range(out.size - 1):
        s, stripe = i // height, i % height // depth
        word = final[s, (i % depth) * LANES + stripe // WORD]
        out[i + 1] = out[i] + 1 - np.int64((word >> np.uint64(stripe % WORD)) & np.uint64(1))


class CpuLcs:
    """See ``core.kernels.pairwise.backend.MatrixBackend``."""

    device = "cpu"

    def foresee(self, job: LcsJob) -> None:
        """Have compiled elsewhere what is sure to be needed, before it is."""
        LcsMatrix.request_trace_kernels_early(job, SMALL_CELLS)

    def pace(self, problem: PairProblem[LcsJob]) -> BackendSpeed:
        return BackendSpeed(
            rate=CELLS_PER_SECOND * problem.threads, small_cells=SMALL_CELLS, no_band_cells=NO_BAND_CELLS
        )

    def make_ready(self, problem: PairProblem[LcsJob]) -> Generator[Event, None, None]:
        if problem.wants_path:
            LcsMatrix.request_trace_kernels(problem.planes, problem.n_codes)
        yield from ()  # what is needed is made ready when it is

    def half(self, problem: PairProblem[LcsJob]) -> None:
        return None

    def matrix(
        self, problem: PairProblem[LcsJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, LcsMatrix | CpuDiagonalBand | None]:
        shape = shape_for(problem, LCS_SIGNS, band, edits)
        found = choose_diagonals(problem, shape, band, edits, CELLS_PER_SECOND, LCS_SIGNS)
        if found is not None:
            return found
        return None if shape is None else LcsMatrix((yield from problem.packed()), shape, band)

    def band_seconds(self, problem: PairProblem[LcsJob], band: tuple[int, int], edits: int) -> float:
        return min(
            seconds_of(problem, shape_for(problem, LCS_SIGNS, band, edits), band, edits, CELLS_PER_SECOND, LCS_SIGNS)
        )
