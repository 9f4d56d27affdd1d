"""The LCS matrix: its length and its profile, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numba import njit

from core.arrays import Counts, Words
from core.events import Event
from core.kernels.blocks.matrix import Matrix, warm_matrix
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.blocks.packed import Packed
from core.kernels.blocks.shape import Shape
from core.simd import BITS, LANES, WORD


class LcsMatrix(Matrix):
    """See ``Matrix``."""

    def __init__(self, packed: Packed, shape: Shape, band: tuple[int, int] | None = None) -> None:
        super().__init__(packed, shape, n_signs=LCS_SIGNS, band=band)

    def length(self) -> int:
        """Return the length of the LCS inside the band, once every block is done: the rows where it grows."""
        return int(self.plan.rows.size) - self.ones(0)

    def profile(self) -> Counts:
        """Return the LCS of the first i rows with all columns, int64, shape (rows + 1,)."""
        out = np.zeros(self.plan.rows.size + 1, np.int64)
        _profile(self.plan.depth, self.state.final, out)
        return out


@njit(nogil=True, cache=True)
def _profile(depth: int, final: Words, out: Counts) -> None:
    height = depth * BITS
    for i in range(out.size - 1):
        s, stripe = i // height, i % height // depth
        word = final[s, (i % depth) * LANES + stripe // WORD]
        out[i + 1] = out[i] + 1 - np.int64((word >> np.uint64(stripe % WORD)) & np.uint64(1))


def make_ready(job_id: int, n_codes: int, planes: int, path: bool) -> Generator[Event, None, None]:
    """Compile (or load) what a matrix of such codes needs."""
    yield from warm_matrix(job_id, n_codes, planes, path, "", LcsMatrix)
