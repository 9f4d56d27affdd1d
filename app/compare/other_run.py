"""Another run in the map than that of the answer: the same pair in finer blocks, a stored record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, Signal, Slot

from wavediff.app.compare.computation_facts import Fact
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.job_slot import SideSession
from wavediff.app.ui.notices import Notifier
from wavediff.app.ui.number_text import fine_duration
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Recorded
from wavediff.core.jobs.stored_run import StoredRun, StoredSequence
from wavediff.core.methods import METHODS
from wavediff.core.reading.record_json import read_record
from wavediff.core.system.cpu_levels import processor_name
from wavediff.core.system.machine import cores
from wavediff.core.system.version import VERSION

ROWS, COLS = 64, 128  # of blocks that are worth seeing
LEAST_BLOCK_ROWS, LEAST_BLOCK_COLS = 512, 128  # letters; smaller ones are mostly hand-over
FEW_PLACES = 2048  # of a map, below which finer blocks are offered
MAX_CELLS = 10**10  # of a matrix that is computed once more for its picture: some tenths of a second


@dataclass(frozen=True, slots=True, eq=False)
class OtherRun:
    """Run that is shown instead of that of the answer.

    Attributes:
        title: in a sentence what it is. file: that tells of it, if one does.
        of: the comparison whose path its map shows too; None where the matrix is another one.
        is_schedule: whether it was computed from the times of a run, and never ran.
    """

    model: BlockMapModel
    title: str
    facts: tuple[Fact, ...]
    of: Comparison | None = None
    is_schedule: bool = False
    file: Path | None = None


class SeenRun(NamedTuple):
    """Run whose map is shown, the comparison whose path is on it, and what it is if not the answer's."""

    model: BlockMapModel
    outcome: Comparison | None
    other: OtherRun | None

    @property
    def title(self) -> str:
        return "" if self.other is None else self.other.title

    @property
    def file(self) -> Path | None:
        return None if self.other is None else self.other.file


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
        super().__init__("finer-blocks", "The run with smaller blocks failed", "", "", parent)
        self._outcome: Comparison | None = None
        self._recorded: Recorded | None = None

    def run(self, outcome: Comparison) -> None:
        """Compare the pair of ``outcome`` once more, as it was compared, in blocks that can be seen."""
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
            model = model_of(recorded, len(outcome.a), len(outcome.b))
            title = "Run with smaller blocks: not the run of the answer"
            self.found.emit(OtherRun(model, title, _block_facts(recorded, model), outcome))


class RecordReader(Notifier):
    """Reads records of runs beside the window's thread.

    Signals:
        found: an ``OtherRun``.
    """

    found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = Path()
        self._task = BackgroundTask("read-record", self)
        self._task.finished.connect(self._on_result)
        self._task.failed.connect(self._fail)

    def load(self, path: Path) -> None:
        """Read the record in ``path``; one that is being read is forgotten."""
        self._path = path
        self._task.start(partial(_read, path))

    def close(self) -> bool:
        """Wait for no file any more."""
        self._task.stop()
        return True

    @Slot(object)
    def _on_result(self, stored: StoredRun) -> None:
        self.found.emit(stored_run(stored, self._path))

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The record could not be read")


def _read(path: Path, _cancel: CancelToken) -> StoredRun:
    return read_record(path)


def model_of(recorded: Recorded, n: int, m: int) -> BlockMapModel:
    """Return a map of a run that is over, over a matrix of ``n`` rows and ``m`` columns."""
    model = BlockMapModel()
    model.start(recorded.job_id, n, m)
    for attempt in recorded.attempts:
        model.apply(attempt._replace(job_id=recorded.job_id))
    model.apply(recorded)
    model.end(Phase.DONE)
    return model


def stored_run(stored: StoredRun, file: Path) -> OtherRun:
    """Return the run that a file tells of."""
    method = next((each.name for each in METHODS if each.id == stored.method), stored.method)
    options = ", ".join(f"{name} {value}" for name, value in stored.options.items())
    model = model_of(stored.recorded, stored.a.length, stored.b.length)
    facts = (
        Fact("A", f"{stored.a.name}, {count(stored.a.length, 'letter', 'letters')}"),
        Fact("B", f"{stored.b.name}, {count(stored.b.length, 'letter', 'letters')}"),
        Fact("Method", f"{method} ({options})" if options else method),
        Fact("Answer", number(stored.value, 0 if stored.value == int(stored.value) else 1)),
        *_block_facts(stored.recorded, model),
        Fact("Program", f"version {stored.program}"),
    )
    title = f"Stored run of {stored.a.name} and {stored.b.name}: {file.name}"
    title = "\n".join((title, " · ".join((_local(stored.when), stored.machine))))
    return OtherRun(model, title, tuple(fact for fact in facts if fact.value), file=file)


def run_of_now(outcome: Comparison, model: BlockMapModel) -> StoredRun | None:
    """Return the run of the answer, which ``model`` shows, as a file would keep it; None where it was not timed."""
    plan, record, job = model.plan, model.record, outcome.job
    if plan is None or record is None or model.job_id != job.id:
        return None
    when = QDateTime.currentDateTimeUtc().addMSecs(round(1000 * (record.start - perf_counter())))
    recorded = Recorded(job.id, outcome.result.device, record.start, record.seconds, model.spans, (plan,))
    return StoredRun(
        program=VERSION,
        method=outcome.method.id,
        options={},
        fold_case=outcome.fold_case,
        threads=len(record.names),
        a=StoredSequence(outcome.a.name, len(outcome.a), ""),
        b=StoredSequence(outcome.b.name, len(outcome.b), ""),
        value=outcome.method.value(outcome.result),
        when=when.toString(Qt.DateFormat.ISODate),
        machine=f"{processor_name()}, {count(cores(), 'core', 'cores')}",
        recorded=recorded,
    )


def scheduled_run(recorded: Recorded, run: BlockMapModel, rule: str, workers: int, of: Comparison | None) -> OtherRun:
    """Return a schedule, made of the blocks of ``run``, as another one."""
    model = model_of(recorded, run.n, run.m)
    title = f"A schedule on the times of the run, not a run: {rule}, {count(workers, 'worker', 'workers')}"
    return OtherRun(model, title, _block_facts(recorded, model), of, is_schedule=True)


def _local(when: str) -> str:
    at = QDateTime.fromString(when, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def _block_facts(recorded: Recorded, model: BlockMapModel) -> tuple[Fact, ...]:
    """Return how long a run took and what its map is made of."""
    facts = [Fact("Time", f"{fine_duration(recorded.seconds)} in all")]
    if model.grid is not None and model.block_map.size:
        rows, cols = model.block_size
        texts = f"{number(model.block_map.size)} places of {number(rows)} × {number(cols)} letters"
        facts.append(Fact("Blocks", texts))
    return tuple(facts)
