"""Another run in the map than that of the answer: the same pair in finer blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.compare.computation_facts import Fact
from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.comparison import Comparison
from app.ui.job_slot import SideSession
from app.ui.number_text import fine_duration
from core.jobs import next_job_id
from core.jobs.choices import Device
from core.jobs.events import Event, Recorded
from core.translate import tr

ROWS, COLS = 64, 128  # of blocks that are worth seeing
LEAST_BLOCK_ROWS, LEAST_BLOCK_COLS = 512, 128  # letters; smaller ones are mostly hand-over
FEW_PLACES = 2048  # of a map, below which finer blocks are offered
MAX_CELLS = 10**10  # of a matrix that is computed once more for its picture: some tenths of a second


@dataclass(frozen=True, slots=True, eq=False)
class OtherRun:
    """Run that is shown instead of that of the answer.

    Attributes:
        title: in a sentence what it is.
        of: the comparison whose path its map shows too; None where the matrix is another one.
    """

    model: BlockMapModel
    title: str
    facts: tuple[Fact, ...]
    of: Comparison | None = None


def can_be_finer(outcome: Comparison | None, n_timed: int) -> bool:
    """Return whether the run of ``outcome``, with so many timed places, is worth another one in finer blocks."""
    if outcome is None:
        return False
    job = outcome.job
    return (
        0 < n_timed < FEW_PLACES
        and hasattr(job, "block_rows")
        and len(job.a) * len(job.b) <= MAX_CELLS
        and (len(job.a) > LEAST_BLOCK_ROWS or len(job.b) > LEAST_BLOCK_COLS)
    )


class FinerRun(SideSession):
    """Runs a comparison again in smaller blocks, for its map alone.

    Signals:
        found: an ``OtherRun``.
    """

    found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("finer-blocks", tr("The run in finer blocks failed"), "", "", parent)
        self._outcome: Comparison | None = None
        self._recorded: Recorded | None = None

    def run(self, outcome: Comparison) -> None:
        """Compare the pair of ``outcome`` once more, as it was compared, in blocks that can be seen."""
        job = outcome.job
        rows = max(LEAST_BLOCK_ROWS, len(job.a) // ROWS)
        cols = max(LEAST_BLOCK_COLS, len(job.b) // COLS)
        self._outcome, self._recorded = outcome, None
        finer = replace(job, block_rows=rows, block_cols=cols, id=next_job_id())
        self._submit(finer, tr("Comparing in finer blocks…"), Device(outcome.result.device))

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, Recorded):
            self._recorded = event

    @Slot(object)
    def _take(self, result: Any) -> None:  # noqa: ARG002 - the answer is known
        self._end("")
        outcome, recorded = self._outcome, self._recorded
        if outcome is not None and recorded is not None:
            model = model_of(recorded, len(outcome.a), len(outcome.b))
            title = tr("The same pair once more in finer blocks: not the run of the answer")
            self.found.emit(OtherRun(model, title, _block_facts(recorded, model), outcome))


def model_of(recorded: Recorded, n: int, m: int) -> BlockMapModel:
    """Return a map of a run that is over, over a matrix of ``n`` rows and ``m`` columns."""
    model = BlockMapModel()
    model.start(recorded.job_id, n, m)
    for attempt in recorded.attempts:
        model.apply(replace(attempt, job_id=recorded.job_id))
    model.apply(recorded)
    model.end(Phase.DONE)
    return model


def _block_facts(recorded: Recorded, model: BlockMapModel) -> tuple[Fact, ...]:
    """Return how long a run took and what its map is made of."""
    facts = [Fact(tr("Time"), tr("{all} in all", all=fine_duration(recorded.seconds)))]
    if model.grid is not None and model.block_map.size:
        rows, cols = model.block_size
        texts = tr("{n} places of {rows} × {cols} letters", n=model.block_map.size, rows=rows, cols=cols)
        facts.append(Fact(tr("Blocks"), texts))
    return tuple(facts)
