"""The LCS matrix: its length and its profile, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.events import Event
from core.kernels.blocks.advance import planes_of
from core.kernels.blocks.matrix import Matrix
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.blocks.shape import Shape
from core.kernels.lcs.trace import walk
from core.kernels.warm import warm_up
from core.simd import BITS, LANES, WORD


class LcsMatrix(Matrix):
    """See ``Matrix``."""

    def __init__(
        self, a: Letters, b: Letters, n_codes: int, planes: int, shape: Shape, band: tuple[int, int] | None = None
    ) -> None:
        super().__init__(a, b, n_codes, planes, shape, n_signs=LCS_SIGNS, walk=walk, band=band)

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
    key = planes_of(planes, n_codes)

    def rehearse(path: bool) -> None:
        LcsMatrix(np.zeros(3, np.uint8), np.ones(3, np.uint8), n_codes, planes, Shape(1, 512, 1, 1)).rehearse(path)

    yield from warm_up(job_id, "blocks", key, lambda: rehearse(False))
    if path:
        yield from warm_up(job_id, "traceback", (*key, "path"), lambda: rehearse(True))
