"""Longest common subsequence with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from core.errors import DeviceOutOfMemory
from core.events import Event, Noticed
from core.jobs import LcsJob, LcsKernel, PathMethod
from core.kernels.blocks import tiles
from core.kernels.engine import Pace
from core.kernels.lcs.run import run as run_with
from core.kernels.problem import Core
from core.kernels.rectangle import Rectangle
from core.results.lcs import LcsResult
from gpu.card.interface import Card
from gpu.diagonals.matrix import band_seconds, instead_of_strips
from gpu.lcs import paper1_ways
from gpu.matrix import lay_out
from gpu.strips.halves import CardHalf
from gpu.strips.layout import Signs


class GpuLcs:
    """See ``core.kernels.engine.Engine``."""

    device = "gpu"

    def __init__(self, card: Card) -> None:
        self._card = card

    def pace(self, core: Core[LcsJob]) -> Pace:
        return Pace(rate=5e9 * self._card.processors * 32, small_cells=0, instant_cells=1 << 36)

    def make_ready(self, core: Core[LcsJob]) -> Generator[Event, None, None]:
        if core.wants_path:
            yield from tiles.make_ready(core.job.id, int(Signs.LCS))

    def half(self, core: Core[LcsJob]) -> CardHalf:
        return CardHalf(core, self._card)

    def matrix(
        self, core: Core[LcsJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, Rectangle | None]:
        yield from ()
        alike = instead_of_strips(self._card, core, Signs.LCS, band, edits)
        if alike is not None:
            return alike
        return lay_out(self._card, core.a, core.b, core.n_shared, Signs.LCS, band, core.wants_path, 0)

    def band_seconds(self, core: Core[LcsJob], band: tuple[int, int], edits: int) -> float:
        return band_seconds(core, band, edits, self.pace(core).rate)


def run(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``."""
    from gpu.device import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job`` on this card."""
    engine = GpuLcs(card)
    if job.kernel is LcsKernel.PAPER:
        # With equal ends left out its times would not be the paper's.
        return (yield from run_with(job, engine, lambda core, _: paper1_ways.take_way(core, card), strip=False))
    try:
        return (yield from run_with(job, engine))
    except DeviceOutOfMemory:
        if job.path is not PathMethod.BLOCKS:
            raise
    # The error is gone by here, and with it the frames that held arrays on the card.
    card.release()
    yield Noticed(job.id, "The GPU has no room for borders to keep: the path is found by halving, which takes longer")
    return (yield from run_with(replace(job, path=PathMethod.HIRSCHBERG), engine))
