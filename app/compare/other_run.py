"""Runs other than the answer's: from a file, with finer blocks, by another schedule, or as a proof."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal, Slot

from wavediff.app.compare.computation_facts import Fact
from wavediff.app.ui.background_task import BackgroundTask, SideSession
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.notices import Notifier
from wavediff.app.ui.pair import Comparison
from wavediff.core.base.numbers import count, duration, number
from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Recorded
from wavediff.core.methods import METHODS
from wavediff.core.methods.second import ProofJob
from wavediff.core.record.playback import Playback
from wavediff.core.record.run_file import StoredRun, read_record

RUNNING = "Verifying the answer by a second algorithm…"


class ProofSession(SideSession):
    """Verifies the answer by a second algorithm.

    Signals:
        proven: the job of the answer, and a ``wavediff.core.jobs.verification.Proof``.
    """

    proven = Signal(object, object)

    def __init__(self) -> None:
        super().__init__("proof", "The proof failed", "", "")
        self._job: Any = None

    def prove(self, outcome: Comparison) -> None:
        self._job = outcome.job
        self._submit(ProofJob(pair=outcome.job, result=outcome.result), RUNNING)

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        self._end("")
        self.proven.emit(self._job, result)


ROWS, COLS = 64, 128  # of blocks that are worth seeing
LEAST_BLOCK_ROWS, LEAST_BLOCK_COLS = 512, 128  # letters; smaller ones are mostly hand-over
FEW_PLACES = 2048  # of a map, below which finer blocks are offered
MAX_CELLS = 10**10  # of a matrix that is computed once more for its picture: some tenths of a second


@dataclass(frozen=True, slots=True, eq=False)
class OtherRun:
    """Run whose map can be shown in place of the answer's.

    Attributes:
        title: noun phrase; empty: the run of the answer. file: that of the run record, if any.
        of: the comparison whose path is drawn on the map; None for another matrix.
        is_schedule: whether it is a schedule computed from measured times.
    """

    model: BlockMapModel
    title: str = ""
    facts: tuple[Fact, ...] = ()
    of: Comparison | None = None
    is_schedule: bool = False
    file: Path | None = None


def can_be_finer(outcome: Comparison | None, playback: Playback | None) -> bool:
    if outcome is None or playback is None:
        return False
    job = outcome.job
    return (
        0 < playback.n_timed < FEW_PLACES
        and hasattr(job, "block_rows")
        and len(job.a) * len(job.b) <= MAX_CELLS
        and (len(job.a) > LEAST_BLOCK_ROWS or len(job.b) > LEAST_BLOCK_COLS)
    )


class FinerRun(SideSession):
    """Repeats a run with smaller blocks, for its map only; signal ``found``: an ``OtherRun``."""

    found = Signal(object)

    def __init__(self) -> None:
        super().__init__("finer-blocks", "The run with smaller blocks failed", "", "")
        self._outcome: Comparison | None = None
        self._recorded: Recorded | None = None

    def run(self, outcome: Comparison) -> None:
        """Repeat the comparison of ``outcome`` with blocks large enough to see."""
        job = outcome.job
        rows = max(LEAST_BLOCK_ROWS, len(job.a) // ROWS)
        cols = max(LEAST_BLOCK_COLS, len(job.b) // COLS)
        self._outcome, self._recorded = outcome, None
        finer = replace(job, block_rows=rows, block_cols=cols, id=next_job_id())
        self._submit(finer, "Comparing in smaller blocks…", Device(outcome.result.device))

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, Recorded):
            self._recorded = event

    @Slot(object)
    def _on_result(self, result: Any) -> None:  # noqa: ARG002 - the answer is known
        self._end("")
        outcome, recorded = self._outcome, self._recorded
        if outcome is not None and recorded is not None:
            model = BlockMapModel.of(len(outcome.a), len(outcome.b), *recorded.attempts, recorded)
            title = "Another run with smaller blocks; the answer is that of the first run"
            self.found.emit(OtherRun(model, title, _block_facts(recorded, model), outcome))


class RecordReader(Notifier):
    """Reads run records in the background; signal ``found``: an ``OtherRun``."""

    found = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self._task = BackgroundTask("read-record", self, self._on_result, self._fail)

    def load(self, path: Path) -> None:
        """Load the record in ``path``; a pending load is cancelled."""
        self._path = path
        self._task.start(lambda _cancel: read_record(path))

    def close(self) -> bool:
        self._task.stop()
        return True

    @Slot(object)
    def _on_result(self, stored: StoredRun) -> None:
        self.found.emit(stored_run(stored, self._path))

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The record could not be read")


def stored_run(stored: StoredRun, file: Path) -> OtherRun:
    method = next((each.name for each in METHODS if each.id == stored.method), stored.method)
    options = ", ".join(f"{name} {value}" for name, value in stored.options.items())
    recorded = stored.recorded
    model = BlockMapModel.of(stored.a.length, stored.b.length, *recorded.attempts, recorded)
    facts = (
        Fact("A", f"{stored.a.name}, {count(stored.a.length, 'letter', 'letters')}"),
        Fact("B", f"{stored.b.name}, {count(stored.b.length, 'letter', 'letters')}"),
        Fact("Method", f"{method} ({options})" if options else method),
        Fact("Answer", number(stored.value, 0 if stored.value == int(stored.value) else 1)),
        *_block_facts(recorded, model),
        Fact("Program", f"version {stored.versions['wavediff']}"),
    )
    title = f"Stored run of {stored.a.name} and {stored.b.name}: {file.name}"
    title = "\n".join((title, " · ".join((_local(stored.when), stored.machine))))
    return OtherRun(model, title, tuple(fact for fact in facts if fact.value), file=file)


def scheduled_run(recorded: Recorded, run: BlockMapModel, rule: str, workers: int, of: Comparison | None) -> OtherRun:
    """Return the schedule ``recorded``, of the blocks of ``run``, as an ``OtherRun``."""
    model = BlockMapModel.of(run.n, run.m, *recorded.attempts, recorded)
    title = f"A schedule computed from the times of the run: {rule}, {count(workers, 'worker', 'workers')}"
    return OtherRun(model, title, _block_facts(recorded, model), of, is_schedule=True)


def _local(when: str) -> str:
    at = QDateTime.fromString(when, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def _block_facts(recorded: Recorded, model: BlockMapModel) -> tuple[Fact, ...]:
    facts = [Fact("Time", f"{duration(recorded.seconds)} in all")]
    if model.grid is not None and model.block_map.size:
        rows, cols = model.block_size
        unit = "letters" if model.axes is None else f"{model.axes.unit}s"
        texts = f"{number(model.block_map.size)} places of {number(rows)} × {number(cols)} {unit}"
        facts.append(Fact("Blocks", texts))
    return tuple(facts)
