"""The matrix of edit distance, read off the rows after the last column."""

from __future__ import annotations

from core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from core.kernels.pairwise.cpu import CpuBackend
from core.methods.edit import BandMode, EditJob


class EditMatrix(BlockMatrix):
    """See ``Matrix``."""

    n_delta_bits, method = EDIT_SIGNS, "edit"

    def value(self) -> int:
        """Return the edit distance inside the band, once every block is done: along the top, then down the right."""
        return self.plan.n_cols + self.ones(0) - self.ones(1)


class CpuEdit(CpuBackend[EditJob]):
    """See ``CpuBackend``."""

    matrix_class, rate, small_cells = EditMatrix, 3.5e11, 1 << 22

    def hands_through(self, job: EditJob) -> bool:
        return job.band in (BandMode.AUTO, BandMode.SUDO)
