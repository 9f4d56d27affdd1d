"""CPU backend: block matrices on vectors, and narrow bands by furthest-reaching points."""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar, Generic

from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan, choose_shape
from wavediff.core.kernels.pairwise.diagonal_transition.cpu_band import choose_diagonals, seconds_of
from wavediff.core.kernels.pairwise.matrix import BackendSpeed, DpMatrix
from wavediff.core.kernels.pairwise.problem import B, PairProblem

NO_BAND_CELLS = 1 << 30  # see ``BackendSpeed``


class CpuBackend(Generic[B]):
    """CPU backend; subclasses define the method.

    Attributes:
        matrix_class: of the blocks.
        rate: assumed cells per second and thread.
        small_cells: see ``BackendSpeed``.
    """

    device = "cpu"
    matrix_class: ClassVar[type[BlockMatrix]]
    rate: ClassVar[float]
    small_cells: ClassVar[int]

    def foresee(self, job: B) -> None:
        """Request background compilation of kernels needed for ``job``."""
        self.matrix_class.request_trace_kernels_early(job, self.small_cells)

    def is_ready(self, problem: PairProblem[B]) -> bool:
        """Return whether the traceback kernel, which also computes small matrices, is compiled."""
        return self.matrix_class.is_ready(problem.planes, problem.n_codes, path=problem.wants_path)

    def hands_through(self, job: B) -> bool:
        """Return whether blocks with monotone borders are skipped: their borders are copied instead."""
        return False

    def speed(self, problem: PairProblem[B]) -> BackendSpeed:
        return BackendSpeed(self.rate * problem.threads, self.small_cells, NO_BAND_CELLS)

    def make_ready(self, problem: PairProblem[B]) -> Generator[Event, None, None]:
        if problem.wants_path:
            self.matrix_class.request_trace_kernels(problem.planes, problem.n_codes)
        yield from ()  # what is needed is made ready when it is

    def matrix(
        self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        shape = self._shape(problem, band, edits)
        points = choose_diagonals(problem, shape, band, edits, self.rate, self.matrix_class.n_delta_bits)
        if points is not None or shape is None:
            return points
        packed, common = (yield from problem.packed()), problem.common - problem.prefix
        through = self.hands_through(problem.job)
        return self.matrix_class(packed, shape, band, monotone=through, common=common, course=problem.course)

    def band_seconds(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        shape = self._shape(problem, band, edits)
        return min(seconds_of(problem, shape, band, edits, self.rate, self.matrix_class.n_delta_bits))

    def _shape(self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int) -> BlockShapePlan | None:
        """Return the block partition, or None if the stored borders exceed memory."""
        return choose_shape(
            int(problem.a.size),
            int(problem.b.size),
            threads=problem.threads,
            in_pieces=problem.course is not None,
            block_rows=problem.job.block_rows,
            block_cols=problem.job.block_cols,
            path=problem.wants_path,
            checked=True,
            n_delta_bits=self.matrix_class.n_delta_bits,
            width=None if band is None else band[1] - band[0],
            edits=edits,
        )
