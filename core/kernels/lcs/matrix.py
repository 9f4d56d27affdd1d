"""The LCS matrix: its length and its profile, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.arrays import Counts, Words
from core.events import Event
from core.jitted import jit
from core.jobs import LcsJob
from core.kernels.blocks.matrix import Matrix
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.blocks.packed import Packed
from core.kernels.blocks.shape import Shape
from core.kernels.diagonals.cpu import CpuDiagonals, instead_of_blocks, seconds_of
from core.kernels.engine import Pace
from core.kernels.problem import Core, shape_for
from core.simd import BITS, LANES, WORD

SMALL_CELLS = 1 << 24  # see ``Pace``
RATE = 6e11  # cells that a thread computes a second, assumed
INSTANT_CELLS = 1 << 30  # a whole matrix of so many takes no time


class LcsMatrix(Matrix):
    """See ``Matrix``."""

    n_signs, method = LCS_SIGNS, ""

    def __init__(self, packed: Packed, shape: Shape, band: tuple[int, int] | None = None) -> None:
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
    """See ``core.kernels.engine.Engine``."""

    device = "cpu"

    def foresee(self, job: LcsJob) -> None:
        """Have compiled elsewhere what is sure to be needed, before it is."""
        LcsMatrix.foresee_walk(job, SMALL_CELLS)

    def pace(self, core: Core[LcsJob]) -> Pace:
        return Pace(rate=RATE * core.threads, small_cells=SMALL_CELLS, instant_cells=INSTANT_CELLS)

    def make_ready(self, core: Core[LcsJob]) -> Generator[Event, None, None]:
        if core.wants_path:
            LcsMatrix.expect_walk(core.planes, core.n_codes)
        yield from ()  # what is needed is made ready when it is

    def half(self, core: Core[LcsJob]) -> None:
        return None

    def matrix(
        self, core: Core[LcsJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, LcsMatrix | CpuDiagonals | None]:
        shape = shape_for(core, LCS_SIGNS, band, edits)
        found = instead_of_blocks(core, shape, band, edits, RATE, LCS_SIGNS)
        if found is not None:
            return found
        return None if shape is None else LcsMatrix((yield from core.packed()), shape, band)

    def band_seconds(self, core: Core[LcsJob], band: tuple[int, int], edits: int) -> float:
        return min(seconds_of(core, shape_for(core, LCS_SIGNS, band, edits), band, edits, RATE, LCS_SIGNS))
