"""The matrix of edit distance, read off the rows after the last column."""

from __future__ import annotations

from collections.abc import Generator

from core.events import Event
from core.jobs import Band, EditJob
from core.kernels.blocks.matrix import Matrix
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.blocks.packed import Packed
from core.kernels.blocks.shape import Shape
from core.kernels.diagonals.cpu import CpuDiagonals, instead_of_blocks, seconds_of
from core.kernels.engine import Pace
from core.kernels.problem import Core, shape_for

SMALL_CELLS = 1 << 22  # see ``Pace``
RATE = 3.5e11  # cells that a thread computes a second, assumed
INSTANT_CELLS = 1 << 30  # a whole matrix of so many takes no time


class EditMatrix(Matrix):
    """See ``Matrix``."""

    n_signs, method = EDIT_SIGNS, "edit"

    def __init__(
        self,
        packed: Packed,
        shape: Shape,
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
    """See ``core.kernels.engine.Engine``."""

    device = "cpu"

    def foresee(self, job: EditJob) -> None:
        """Have compiled elsewhere what is sure to be needed, before it is."""
        EditMatrix.foresee_walk(job, SMALL_CELLS)

    def pace(self, core: Core[EditJob]) -> Pace:
        return Pace(rate=RATE * core.threads, small_cells=SMALL_CELLS, instant_cells=INSTANT_CELLS)

    def make_ready(self, core: Core[EditJob]) -> Generator[Event, None, None]:
        if core.wants_path:
            EditMatrix.expect_walk(core.planes, core.n_codes)
        yield from ()  # what is needed is made ready when it is

    def matrix(
        self, core: Core[EditJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, EditMatrix | CpuDiagonals | None]:
        shape = shape_for(core, EDIT_SIGNS, band, edits)
        found = instead_of_blocks(core, shape, band, edits, RATE, EDIT_SIGNS)
        if found is not None:
            return found
        if shape is None:
            return None
        monotone = core.job.band in (Band.AUTO, Band.PAPER)
        return EditMatrix((yield from core.packed()), shape, band, monotone=monotone, common=core.common - core.prefix)

    def band_seconds(self, core: Core[EditJob], band: tuple[int, int], edits: int) -> float:
        return min(seconds_of(core, shape_for(core, EDIT_SIGNS, band, edits), band, edits, RATE, EDIT_SIGNS))
