"""Edit distance with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator

from core.errors import DeviceOutOfMemory
from core.jobs.events import Event
from core.kernels.pairwise.backend import BackendSpeed
from core.kernels.pairwise.blocks import tile_traceback
from core.kernels.pairwise.dp_matrix import DpMatrix
from core.kernels.pairwise.edit.run import run as run_with
from core.kernels.pairwise.pair_problem import PairProblem
from core.methods.edit import EditJob
from core.results.edit import EditResult
from gpu.card.interface import Card
from gpu.pairwise.card_matrix import make_matrix
from gpu.pairwise.diagonal_transition.diagonal_band import band_seconds, instead_of_strips
from gpu.pairwise.strips.strip_layout import DeltaBits


class GpuEdit:
    """See ``core.kernels.pairwise.backend.MatrixBackend``."""

    device = "gpu"

    def __init__(self, card: Card) -> None:
        self._card = card

    def pace(self, problem: PairProblem[EditJob]) -> BackendSpeed:
        return BackendSpeed(rate=2e9 * self._card.processors * 32, small_cells=0, no_band_cells=1 << 36)

    def make_ready(self, problem: PairProblem[EditJob]) -> Generator[Event, None, None]:
        if problem.wants_path:
            yield from tile_traceback.make_ready(problem.job.id, int(DeltaBits.EDIT))

    def matrix(
        self, problem: PairProblem[EditJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        yield from ()
        alike = instead_of_strips(self._card, problem, DeltaBits.EDIT, band, edits)
        if alike is not None:
            return alike
        common = problem.common - problem.prefix
        found = make_matrix(
            self._card, problem.a, problem.b, problem.n_shared, DeltaBits.EDIT, band, problem.wants_path, common
        )
        if found is None:  # the CPU may have more
            raise DeviceOutOfMemory(
                f"the borders to keep of {problem.a.size:,} x {problem.b.size:,} letters do not fit into the "
                f"{self._card.free() / 1e9:,.2f} GB that are free"
            )
        return found

    def band_seconds(self, problem: PairProblem[EditJob], band: tuple[int, int], edits: int) -> float:
        return band_seconds(problem, band, edits, self.pace(problem).rate)


def run(job: EditJob) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``core.results.edit.EditResult``."""
    from gpu.card.current_card import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: EditJob) -> Generator[Event, None, EditResult]:
    """Compute ``job`` on this card."""
    return (yield from run_with(job, GpuEdit(card)))
