"""Longest common subsequence with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from core.errors import DeviceOutOfMemory
from core.jobs.events import Event, NoticeRaised
from core.kernels.pairwise.backend import BackendSpeed
from core.kernels.pairwise.blocks import tile_traceback
from core.kernels.pairwise.dp_matrix import DpMatrix
from core.kernels.pairwise.lcs.run import run as run_with
from core.kernels.pairwise.pair_problem import PairProblem
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob, LcsKernel
from core.results.lcs import LcsResult
from gpu.card.interface import Card
from gpu.pairwise.card_matrix import make_matrix
from gpu.pairwise.diagonal_transition.diagonal_band import band_seconds, instead_of_strips
from gpu.pairwise.lcs import paper1_strategies
from gpu.pairwise.strips.meet_in_middle import CardHirschbergHalf
from gpu.pairwise.strips.strip_layout import DeltaBits


class GpuLcs:
    """See ``core.kernels.pairwise.backend.MatrixBackend``."""

    device = "gpu"

    def __init__(self, card: Card) -> None:
        self._card = card

    def pace(self, problem: PairProblem[LcsJob]) -> BackendSpeed:
        return BackendSpeed(rate=5e9 * self._card.processors * 32, small_cells=0, no_band_cells=1 << 36)

    def make_ready(self, problem: PairProblem[LcsJob]) -> Generator[Event, None, None]:
        if problem.wants_path:
            yield from tile_traceback.make_ready(problem.job.id, int(DeltaBits.LCS))

    def half(self, problem: PairProblem[LcsJob]) -> CardHirschbergHalf:
        return CardHirschbergHalf(problem, self._card)

    def matrix(
        self, problem: PairProblem[LcsJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        yield from ()
        alike = instead_of_strips(self._card, problem, DeltaBits.LCS, band, edits)
        if alike is not None:
            return alike
        return make_matrix(
            self._card, problem.a, problem.b, problem.n_shared, DeltaBits.LCS, band, problem.wants_path, 0
        )

    def band_seconds(self, problem: PairProblem[LcsJob], band: tuple[int, int], edits: int) -> float:
        return band_seconds(problem, band, edits, self.pace(problem).rate)


def run(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``."""
    from gpu.card.current_card import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job`` on this card."""
    backend = GpuLcs(card)
    if job.kernel is LcsKernel.PAPER:
        # With equal ends left out its times would not be the paper's.
        return (
            yield from run_with(
                job, backend, lambda problem, _: paper1_strategies.run_strategy(problem, card), strip=False
            )
        )
    try:
        return (yield from run_with(job, backend))
    except DeviceOutOfMemory:
        if job.path is not TracebackMethod.BLOCKS:
            raise
    # The error is gone by here, and with it the frames that held arrays on the card.
    card.release()
    yield NoticeRaised(
        job.id, "The GPU has no room for borders to keep: the path is found by halving, which takes longer"
    )
    return (yield from run_with(replace(job, path=TracebackMethod.HIRSCHBERG), backend))
