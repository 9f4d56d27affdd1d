"""Search for patterns in A, B or both: the choices, the running jobs, the hits, without a widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from app.models.figures import duration, grouped
from app.models.pair import Pair, Side
from app.notices import Level, Notice, one_line
from core.compile_ahead import STAGE
from core.errors import WavediffError
from core.events import Event, HitsFound, Progress
from core.hits import Hits
from core.jobs import MOST_HITS, ReadPatternsJob, SearchJob
from core.patterns.given import Pattern
from core.patterns.matching import LetterRule
from core.results.search import Records, SearchResult
from core.sequence import Sequence
from core.worker import JobWorker


class Where(StrEnum):
    A = "A"
    B = "B"
    BOTH = "A and B"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for."""

    patterns: tuple[Pattern, ...]
    where: Where = Where.A
    both_strands: bool = False
    errors: int = 0
    edits: bool = False
    limit: int = MOST_HITS


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """What is searched, and for what: the sequences are the records.

    Attributes:
        sides: of each record.
    """

    wish: Wish
    sides: tuple[Side, ...]
    sequences: tuple[Sequence, ...]
    records: Records


class Search(QObject):
    """Searches on a thread of its own, beside the comparison of the pair.

    Signals:
        changed: ``running``, ``share`` or ``status`` changed.
        started: a ``Searched``, or None when what was shown belongs to other sequences now.
        found: more ``Hits``, in the coordinates of ``Searched.records``, in the order of the text.
        finished: all ``Hits``, in order.
        patterns_read: patterns of a file.
        noticed: a ``Notice``.
        crashed: an exception that nobody foresaw.
    """

    changed = Signal()
    started = Signal(object)
    found = Signal(object)
    finished = Signal(object)
    patterns_read = Signal(object)
    noticed = Signal(object)
    crashed = Signal(object)

    def __init__(self, pair: Pair, fold_case: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair, self._fold_case = pair, fold_case
        self.current: Searched | None = None
        self.status = "Type patterns, or open a file of them"
        self.share = 0.0  # done of what runs, 0 to 1
        self._worker: JobWorker | None = None
        self._job: Any = None
        self._record = 0
        self._seconds = 0.0
        self._parts: list[Hits] = []
        pair.changed.connect(self._pair_changed)

    @property
    def running(self) -> bool:
        return self._job is not None

    def open(self, path: Path) -> None:
        """Read a file of patterns; ``patterns_read`` brings them."""
        self.stop()
        self._submit(ReadPatternsJob(path=path), f"Reading {path.name}…")

    def run(self, wish: Wish) -> None:
        """Search as ``wish`` says; what runs is replaced."""
        wanted = tuple(Side) if wish.where is Where.BOTH else (Side(wish.where),)
        sides = tuple(side for side in wanted if self._pair[side] is not None)
        if not sides:
            self._tell(Level.INFO, f"{wish.where} is missing: open a file for it first")
            return
        self.stop()
        sequences = tuple(sequence for side in sides if (sequence := self._pair[side]) is not None)
        starts = np.concatenate([[0], np.cumsum([len(one) for one in sequences])]).astype(np.int64)
        records = Records(starts, lambda k: sequences[k].name, lambda k: sequences[k].letters)
        self.current = Searched(wish, sides, sequences, records)
        self._parts, self._record, self._seconds = [], 0, 0.0
        self.started.emit(self.current)
        self._next()

    def stop(self) -> None:
        if self._worker is not None and self._job is not None:
            self._worker.cancel()
            self._end("Stopped: the hits so far are shown")
            self.finished.emit(Hits.joined(self._parts))

    def close(self) -> bool:
        """End the thread; False when it is stuck (see ``JobWorker.close``)."""
        self._job = None
        return self._worker is None or self._worker.close()

    def _next(self) -> None:
        searched = self.current
        assert searched is not None
        wish, sequence = searched.wish, searched.sequences[self._record]
        left = wish.limit - sum(map(len, self._parts))
        self._submit(
            SearchJob(
                text=sequence.letters,
                patterns=wish.patterns,
                rule=LetterRule.of(sequence.alphabet),
                fold_case=self._fold_case(),
                both_strands=wish.both_strands,
                errors=wish.errors,
                edits=wish.edits,
                limit=max(1, left),
            ),
            "Searching…",
        )

    def _submit(self, job: Any, status: str) -> None:
        if self._worker is None:
            self._worker = JobWorker("search", self)
            self._worker.reported.connect(self._reported)
            self._worker.finished.connect(self._finished)
            self._worker.failed.connect(self._failed)
        self._job, self.status, self.share = job, status, 0.0
        self._worker.submit(job)
        self.changed.emit()

    def _end(self, status: str) -> None:
        self._job, self.status, self.share = None, status, 0.0
        self.changed.emit()

    @Slot()
    def _pair_changed(self) -> None:
        searched = self.current
        if searched is not None and any(
            self._pair[side] is not one for side, one in zip(searched.sides, searched.sequences, strict=True)
        ):
            self.stop()
            self.current, self._parts = None, []
            self.started.emit(None)
            self._end("The sequences have changed: search again")

    @Slot(object)
    def _reported(self, event: Event) -> None:
        if self._job is None or event.job_id != self._job.id:
            return
        if isinstance(event, HitsFound):
            self.found.emit(self._placed(event.hits))
        elif isinstance(event, Progress):
            self.share = event.done / event.total if event.total else 0.0
            if event.stage.startswith(STAGE):
                self.status = f"Compiling kernels, once for this machine: {event.stage.removeprefix(STAGE).strip()}"
            elif event.unit == "letters":
                self.status = f"{grouped(event.done)} of {grouped(event.total)} letters"
            self.changed.emit()

    def _placed(self, hits: Hits, keep: bool = True) -> Hits:
        """Return ``hits`` of the record that is searched, at their places among all records."""
        assert self.current is not None
        offset = int(self.current.records.starts[self._record])
        placed = Hits(hits.pattern, hits.strand, hits.start + offset, hits.length, hits.cost) if offset else hits
        if keep:
            self._parts.append(placed)
        return placed

    @Slot(int, object)
    def _finished(self, job_id: int, result: Any) -> None:
        if self._job is None or self._job.id != job_id:
            return
        if isinstance(self._job, ReadPatternsJob):
            self._end(f"{grouped(len(result))} patterns read")
            self.patterns_read.emit(result)
            return
        assert isinstance(result, SearchResult)
        assert self.current is not None
        self._seconds += result.wall_seconds
        ahead = [one for one in self._parts if len(one) and one.start[0] < self.current.records.starts[self._record]]
        self._parts = [*ahead, self._placed(result.hits, keep=False)]
        self._record += 1
        if result.complete and self._record < len(self.current.sequences):
            self._next()
            return
        hits = Hits.joined(self._parts)
        self._parts = [hits]
        rate = 8 * int(self.current.records.starts[self._record]) / self._seconds / 1e9 if self._seconds else 0.0
        fast = f" · {rate:.1f} Gbit/s of text" if rate >= 0.1 else ""  # small texts tell of nothing but the start
        text = f"{grouped(len(hits))} hits in {duration(self._seconds)}{fast} · {result.reason}"
        self._end(text)
        if result.message:
            self._tell(Level.WARNING, f"Search {result.message}")
        self.finished.emit(hits)

    @Slot(int, object)
    def _failed(self, job_id: int, error: BaseException) -> None:
        if self._job is None or self._job.id != job_id:
            return
        self._end("Failed")
        if isinstance(error, WavediffError):
            self._tell(Level.ERROR, str(error))
            return
        self._tell(Level.ERROR, f"The search failed: {one_line(error)}")
        if not isinstance(error, MemoryError | OSError):
            self.crashed.emit(error)

    def _tell(self, level: Level, text: str) -> None:
        self.noticed.emit(Notice(level, text))
