"""Edit distance matrix; results are read from the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from wavediff.core.kernels.pairwise.blocks.block_shape import choose_shape
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.cpu import CpuBackend
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.edit import BandMode, EditJob


class EditMatrix(BlockMatrix):
    """See ``BlockMatrix``."""

    n_delta_bits, method = EDIT_SIGNS, "edit"

    def value(self) -> int:
        """Return the edit distance inside the band: along the top row, then down the right column."""
        return self.plan.n_cols + self.ones(0) - self.ones(1)

    def last_column(self) -> Iterator[Counts]:
        """Yield the costs of rows 1 to n in the last column, int64, strip by strip."""
        above, left = 0 if self._free_columns else self.plan.n_cols, self.plan.rows.size
        for words in self.state.final:
            # Bit k of vector r is row k * depth + r.
            bits = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(2, self.plan.depth, LANES * WORD)
            more, less = bits.transpose(0, 2, 1).reshape(2, -1)[:, :left].astype(np.int8)
            costs = above + np.cumsum(more - less, dtype=np.int64)
            yield costs
            above, left = int(costs[-1]), left - costs.size


class CpuEdit(CpuBackend[EditJob]):
    """See ``CpuBackend``."""

    matrix_class, rate, small_cells = EditMatrix, 3.5e11, 1 << 22

    def hands_through(self, job: EditJob) -> bool:
        return job.band in (BandMode.AUTO, BandMode.SUDO)

    def end_matrix(
        self, problem: PairProblem[EditJob], *, free_rows: bool, free_columns: bool
    ) -> Generator[Event, None, EditMatrix]:
        """See ``wavediff.core.kernels.pairwise.edit.last_column.EndBackend``."""
        job, n, m = problem.job, int(problem.a.size), int(problem.b.size)
        rows, cols = job.block_rows, job.block_cols
        shape = choose_shape(n, m, threads=problem.threads, block_rows=rows, block_cols=cols)
        assert shape is not None  # nothing is kept
        return EditMatrix((yield from problem.packed()), shape, free_rows=free_rows, free_columns=free_columns)
