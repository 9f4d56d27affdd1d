"""The transform of A, B or both, and what is searched in it: the choices, the running job, the results, no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.models.figures import duration, grouped
from app.models.pair import Pair, Side
from app.notices import Level, Notice, one_line
from core.arrays import Counts, Letters
from core.bwt_jobs import BwtJob, BwtMethod, FindJob, IndexJob, RowsJob, TextJob
from core.cancel import CancelToken, heeding
from core.compile_ahead import STAGE
from core.dispatch import Device
from core.errors import WavediffError, printable
from core.events import Chosen, Event, Noticed, Progress, StepDone
from core.export.atomic import write_atomic
from core.export.bwt import bwt_file, last_column
from core.joined import Joined, shown
from core.results.bwt import BwtResult
from core.results.bwt_index import BwtIndex, FindResult, RowsResult
from core.worker import JobWorker

SMALL = 2_000  # letters up to which the whole table of rotations and every level of sorting are shown
MOST_HITS = 1_000_000  # listed of a pattern
STAGES = {
    "induced": "Sorting",
    "ternary": "Sorting",
    "sort": "Sorting",
    "double": "Sorting",
    "inverse": "Checking",
    "check": "Checking",
}


class Source(StrEnum):
    A = "A"
    B = "B"
    BOTH = "A and B"


@dataclass(frozen=True, slots=True, eq=False)
class Transformed:
    """A text, its index, and for a short one how it was sorted.

    Attributes:
        separator: the byte between A and B, None where one of them stands alone.
        start_b: first place of B in ``text``; 0 for B alone, the length for A alone.
        small: with suffixes and levels, for texts of up to ``SMALL`` letters.
    """

    source: Source
    name: str
    text: Letters
    separator: int | None
    start_b: int
    index: BwtIndex
    small: BwtResult | None

    def place(self, position: int) -> tuple[int | None, int | None]:
        """Return the letter of A and of B (0-based) that is at ``position``; one is None, at ``$`` both are."""
        if position >= self.text.size or (self.separator is not None and position == self.start_b - 1):
            return None, None
        return (position, None) if position < self.start_b else (None, position - self.start_b)


class Transform(QObject):
    """Transforms and searches on threads of its own, beside the comparison of a pair.

    Signals:
        changed: ``running`` or ``status`` changed.
        built: a ``Transformed``, or None when what was shown belongs to other letters now.
        found: a ``FindResult`` of ``pattern``, or None.
        located: a ``RowsResult``.
        noticed: a ``Notice``.
        crashed: an exception that nobody foresaw.
    """

    changed = Signal()
    built = Signal(object)
    found = Signal(object)
    located = Signal(object)
    noticed = Signal(object)
    crashed = Signal(object)

    def __init__(self, pair: Pair, fold_case: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair, self._fold_case = pair, fold_case
        self.source, self.device = Source.A, Device.AUTO
        self.current: Transformed | None = None
        self.pattern = b""
        self.status = ""
        self._jobs: dict[int, Any] = {}
        self._workers: dict[str, JobWorker] = {}
        self._next: dict[str, Any] = {}
        pair.changed.connect(self._pair_changed)

    @property
    def running(self) -> bool:
        """Whether a transform is being made."""
        return bool(self._next)

    def choose(self, source: Source) -> None:
        if source is not self.source:
            self.source = source
            self.run()

    def choose_device(self, device: Device) -> None:
        """Sort the next text there; what is shown already stays."""
        self.device = device

    def run(self) -> None:
        """Transform what is chosen; a transform under way is replaced."""
        self._drop("Nothing to transform: open a file")
        a, b = self._pair[Side.A], self._pair[Side.B]
        wanted = [one for one, source in ((a, Source.A), (b, Source.B)) if self.source in (source, Source.BOTH)]
        if None in wanted:
            return
        self._next = {"source": self.source, "name": "+".join(one.name for one in wanted if one is not None)}
        fold_case = self._fold_case()
        self._next["fold_case"] = fold_case
        self.status = "Transforming…"
        with_a, with_b = self.source is not Source.B, self.source is not Source.A
        self._submit("build", TextJob(a=a if with_a else None, b=b if with_b else None, fold_case=fold_case))
        self.changed.emit()

    def search(self, pattern: bytes) -> None:
        """Look for ``pattern``; an older search is stopped."""
        self.pattern = pattern
        if self.current is None or not pattern:
            self.found.emit(None)
            return
        job = FindJob(index=self.current.index, patterns=(pattern,), locate=True, limit=MOST_HITS, trace=True)
        self._submit("find", job)

    def locate(self, rows: Counts) -> None:
        """Ask where ``rows`` begin; ``located`` answers."""
        if self.current is not None:
            self._submit("rows", RowsJob(index=self.current.index, rows=rows))

    def stop(self) -> None:
        for worker in self._workers.values():
            worker.cancel()
        self._jobs.clear()
        if self._next:
            self._next = {}
            self.status = "Stopped"
            self.changed.emit()

    def close(self) -> bool:
        """End the threads; False when one is stuck (see ``JobWorker.close``)."""
        self._jobs.clear()
        ended = [worker.close() for worker in self._workers.values()]
        return all(ended)

    def saving(self, path: Path, *, column_only: bool) -> Callable[[CancelToken], str]:
        """Return what writes the index, or the last column alone, on any thread, and says so.

        Raises there:
            ExportError: the file cannot be written.
        """
        current = self.current
        inputs = [each.source for side in Side if (each := self._pair[side]) is not None and each.source]

        def write(cancel: CancelToken) -> str:
            if current is None:
                return "There is nothing to save"
            chunks = last_column(current.index.last) if column_only else bwt_file(current.index.saved())
            write_atomic(path, heeding(cancel, chunks), inputs=inputs)
            return f"Saved {printable(path.name)}"

        return write

    def _begin(self, text: Joined) -> None:
        self._next |= {"text": text.letters, "separator": text.separator, "start_b": text.start_b}
        if text.letters.size <= SMALL:
            self._submit("build", BwtJob(text=text.letters, method=BwtMethod.TERNARY, levels=True, suffixes=True))
        else:
            self._index()

    def _index(self) -> None:
        new = self._next
        self._submit("build", IndexJob(text=new["text"], name=new["name"], fold_case=new["fold_case"]))

    def _drop(self, status: str) -> None:
        self.stop()
        self.current, self.status = None, status
        self.built.emit(None)
        self.found.emit(None)
        self.changed.emit()

    @Slot()
    def _pair_changed(self) -> None:
        if self.current is not None or self._next:
            self.run()

    def _submit(self, name: str, job: Any) -> None:
        if name not in self._workers:
            worker = JobWorker(f"transform-{name}", self)
            worker.reported.connect(self._reported)
            worker.finished.connect(self._finished)
            worker.failed.connect(self._failed)
            self._workers[name] = worker
        self._jobs = {number: one for number, one in self._jobs.items() if one[0] != name}
        self._jobs[job.id] = name, job
        sorts = isinstance(job, BwtJob | IndexJob)
        self._workers[name].submit(job, self.device if sorts else Device.AUTO)

    @Slot(object)
    def _reported(self, event: Event) -> None:
        if event.job_id not in self._jobs or self._jobs[event.job_id][0] != "build":
            return
        if isinstance(event, Noticed):
            self._tell(Level.WARNING, event.text)
        elif isinstance(event, Chosen):
            self._next["sorted_on"] = event.device
        elif isinstance(event, Progress) and event.stage.startswith(STAGE):
            self.status = f"Compiling kernels, once for this machine: {event.stage.removeprefix(STAGE).strip()}"
        elif isinstance(event, StepDone):
            self.status = f"{STAGES.get(event.kernel, 'Indexing')} {self._next['name']}…"
        self.changed.emit()

    @Slot(int, object)
    def _finished(self, job_id: int, result: Any) -> None:
        if job_id not in self._jobs:
            return
        del self._jobs[job_id]
        if isinstance(result, Joined):
            self._begin(result)
        elif isinstance(result, BwtResult):
            self._next["small"] = result
            self._index()
        elif isinstance(result, BwtIndex):
            self._take(result)
        elif isinstance(result, FindResult):
            self.found.emit(result)
        elif isinstance(result, RowsResult):
            self.located.emit(result)

    def _take(self, index: BwtIndex) -> None:
        new, self._next = self._next, {}
        del new["fold_case"]
        there = " · sorted on the GPU" if new.pop("sorted_on", "cpu") == "gpu" else ""
        self.current = Transformed(**{"small": None, **new}, index=index)
        rule = "case ignored" if index.fold_case else "case counts"
        between = f" · joined by {shown(new['separator'])}" if new["separator"] is not None else ""
        runs = f"{grouped(index.n_runs)} runs, {index.length / max(1, index.n_runs):,.2f} letters a run"
        self.status = (
            f"{grouped(index.length)} letters, {rule}{between} · primary row {grouped(index.primary)} · {runs} · "
            f"inverse checked{there} · {duration(index.wall_seconds)}"
        )
        self.built.emit(self.current)
        self.changed.emit()
        if self.pattern:
            self.search(self.pattern)

    @Slot(int, object)
    def _failed(self, job_id: int, error: BaseException) -> None:
        if job_id not in self._jobs:
            return
        name, _ = self._jobs.pop(job_id)
        if name == "build":
            self._next = {}
            self.status = "Failed"
            self.changed.emit()
        if isinstance(error, WavediffError):
            self._tell(Level.ERROR, str(error))
            return
        self._tell(Level.ERROR, f"The transform failed: {one_line(error)}")
        if not isinstance(error, MemoryError | OSError):
            self.crashed.emit(error)

    def _tell(self, level: Level, text: str) -> None:
        self.noticed.emit(Notice(level, text))
