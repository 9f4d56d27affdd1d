"""Edit distance with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator

from core.errors import DeviceOutOfMemory
from core.events import Event
from core.jobs import EditJob
from core.kernels.blocks import tiles
from core.kernels.edit.run import run as run_with
from core.kernels.engine import Pace
from core.kernels.problem import Core
from core.kernels.rectangle import Rectangle
from core.results.edit import EditResult
from gpu.card.interface import Card
from gpu.diagonals.matrix import band_seconds, instead_of_strips
from gpu.matrix import lay_out
from gpu.strips.layout import Signs


class GpuEdit:
    """See ``core.kernels.engine.Engine``."""

    device = "gpu"

    def __init__(self, card: Card) -> None:
        self._card = card

    def pace(self, core: Core[EditJob]) -> Pace:
        return Pace(rate=2e9 * self._card.processors * 32, small_cells=0, instant_cells=1 << 36)

    def make_ready(self, core: Core[EditJob]) -> Generator[Event, None, None]:
        if core.wants_path:
            yield from tiles.make_ready(core.job.id, int(Signs.EDIT))

    def matrix(
        self, core: Core[EditJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, Rectangle | None]:
        yield from ()
        alike = instead_of_strips(self._card, core, Signs.EDIT, band, edits)
        if alike is not None:
            return alike
        common = core.common - core.prefix
        found = lay_out(self._card, core.a, core.b, core.n_shared, Signs.EDIT, band, core.wants_path, common)
        if found is None:  # the CPU may have more
            raise DeviceOutOfMemory(
                f"the borders to keep of {core.a.size:,} x {core.b.size:,} letters do not fit into the "
                f"{self._card.free() / 1e9:,.2f} GB that are free"
            )
        return found

    def band_seconds(self, core: Core[EditJob], band: tuple[int, int], edits: int) -> float:
        return band_seconds(core, band, edits, self.pace(core).rate)


def run(job: EditJob) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``core.results.edit.EditResult``."""
    from gpu.device import card

    return (yield from run_with(job, GpuEdit(card())))
