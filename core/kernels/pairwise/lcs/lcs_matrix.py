"""LCS matrix; length and profile are read from the rows after the last column."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Words
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.cpu import CpuBackend
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.lcs import LcsJob


class LcsMatrix(BlockMatrix):
    """See ``BlockMatrix``."""

    n_delta_bits, method = LCS_SIGNS, ""

    def value(self) -> int:
        """Return the length of the LCS inside the band."""
        return int(self.plan.rows.size) - self.ones(0)

    def profile(self) -> Counts:
        """Return the LCS length of each row prefix with all columns, int64, shape (rows + 1,)."""
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


class CpuLcs(CpuBackend[LcsJob]):
    """See ``CpuBackend``."""

    matrix_class, rate, small_cells = LcsMatrix, 6e11, 1 << 24

    def half(self, problem: PairProblem[LcsJob]) -> None:
        return None
