"""Edit distance with matrices on the card; otherwise as on the CPU."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.edit.run import run as run_with
from wavediff.core.kernels.pairwise.matrix import DpMatrix
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.edit import EditJob
from wavediff.gpu.card.cuda import Card, OtherCards, no_others
from wavediff.gpu.pairwise.card_matrix import CardBackend, choose_form
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


class GpuEdit(CardBackend[EditJob]):
    """See ``CardBackend``."""

    delta_bits, lane_rate = DeltaBits.EDIT, 2e9

    def matrix(
        self, problem: PairProblem[EditJob], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix]:
        matrix = yield from super().matrix(problem, band, edits)
        if matrix is None:  # the CPU may have more
            raise DeviceOutOfMemory(
                f"the alignment of {problem.a.size:,} and {problem.b.size:,} letters needs more memory than the "
                f"{self.card.free() / 1e9:,.1f} GB that are free on the card"
            )
        return matrix

    def end_matrix(
        self, problem: PairProblem[EditJob], *, free_rows: bool, free_columns: bool
    ) -> Generator[Event, None, StripMatrix]:
        """See ``wavediff.core.kernels.pairwise.edit.last_column.EndBackend``."""
        yield from ()
        a, b = problem.a, problem.b
        form = choose_form(self.card, a, b, problem.n_shared, self.delta_bits, int(a.size))
        return StripMatrix(self.card, [(a, b)], form, self.delta_bits, free_rows=free_rows, free_columns=free_columns)


def run_on(card: Card, job: EditJob, others: OtherCards = no_others) -> Generator[Event, None, EditResult]:
    """Compute ``job`` on this card, and on others if faster; see ``wavediff.core.jobs.edit_result.EditResult``."""
    return (yield from run_with(job, GpuEdit(card, others)))
