"""State of the search in A, B or both: options, jobs, hits; no widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer, Signal, Slot

from wavediff.app.ui.background_task import SideSession
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Pair, Side
from wavediff.core.base.numbers import count, duration, rate
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, HitsFound, NoticeRaised
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.read import ReadPatternsJob
from wavediff.core.jobs.search import MAX_HITS, SearchedRecords, SearchJob, SearchResult
from wavediff.core.run.search_file import PlannedSearch, planned
from wavediff.core.sequences.enzymes import of_nucleotides
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.searched_text import searched_characters, searched_letters
from wavediff.core.sequences.sequence import Sequence

REPORT_MS = 100  # milliseconds between two tellings of new hits: each makes tables and ticks draw themselves again
REPORT_HITS = 1 << 20  # hits of one telling: the views take them in within some milliseconds


class SearchSides(StrEnum):
    A = "A"
    B = "B"
    BOTH = "A and B"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Patterns and options of a search."""

    patterns: tuple[Pattern, ...]
    where: SearchSides = SearchSides.A
    both_strands: bool = False
    circular: bool = False
    errors: int = 0
    edits: bool = False
    limit: int = MAX_HITS
    device: Device = Device.AUTO


@dataclass(frozen=True, slots=True, eq=False)
class SearchScope:
    """Searched sequences (one record each), and the patterns.

    Attributes:
        sides: of each record.
        characters: table for the search, see ``wavediff.core.sequences.searched_text.searched_characters``.
    """

    wish: SearchRequest
    sides: tuple[Side, ...]
    sequences: tuple[Sequence, ...]
    records: SearchedRecords
    characters: str | None = ""


class Search(SideSession):
    """Runs searches in the background.

    Signals:
        started: a ``SearchScope``, or None when the sequences changed.
        found: new ``Hits`` in text order, in coordinates of ``SearchScope.records``; a few times a second, the last
            before ``finished``.
        finished: all hits in order, as a tuple of ``Hits``, because joining millions is slow.
        patterns_read: patterns of a file.
    """

    started = Signal(object)
    found = Signal(object)
    finished = Signal(object)
    patterns_read = Signal(object)
    outdated_text = "patterns or options have changed: search again"

    def __init__(self, pair: Pair, fold_case: Callable[[], bool]) -> None:
        self.details = ""  # of the last search: where and how it was done
        super().__init__("search", "The search failed", "Type patterns or open a file, then Search", "letters")
        self.pair, self._fold_case = pair, fold_case
        self.current: SearchScope | None = None
        self.form: Callable[[], tuple[object, ...]] = tuple
        self._plan: PlannedSearch
        self._record = 0
        self._seconds = 0.0
        self._parts: list[Hits] = []
        self._untold: list[Hits] = []
        self._teller = QTimer(self, singleShot=True)
        self._teller.timeout.connect(self._tell_some)
        pair.changed.connect(self._pair_changed)

    @property
    def asked(self) -> tuple[object, ...]:
        return *self.form(), self._fold_case()

    def open(self, path: Path) -> None:
        """Read a pattern file; ``patterns_read`` follows."""
        self.stop()
        self._submit(ReadPatternsJob(path=path), f"Reading {path.name}…")

    def run(self, wish: SearchRequest) -> None:
        wanted = tuple(Side) if wish.where is SearchSides.BOTH else (Side(wish.where),)
        sides = tuple(side for side in wanted if self.pair[side] is not None)
        if not sides:
            self.notice(Severity.INFO, f"{wish.where.value} is missing: open a file for it first")
            return
        self.stop()
        sequences = tuple(sequence for side in sides if (sequence := self.pair.original(side)) is not None)
        common, fold_case = sequences[0].characters, self._fold_case()  # a pair has them in common
        characters = searched_characters(common, wish.patterns)
        nucleotides = all(one.alphabet.is_nucleotide for one in sequences)
        patterns = map(of_nucleotides, wish.patterns) if nucleotides else wish.patterns
        coded = tuple(pattern.in_codes(characters or "", fold_case=fold_case) for pattern in patterns)
        wish = replace(wish, patterns=coded)
        records = SearchedRecords.of_sequences(*sequences)
        self.current, self.answered = SearchScope(wish, sides, sequences, records, characters), self.asked
        self._parts, self._untold, self._record, self._seconds = [], [], 0, 0.0
        self.details = ""
        self.started.emit(self.current)
        self._next()

    def stop(self) -> None:
        if self.slot.stop():
            self._end("Stopped: the hits so far are shown")
            self._tell_all()
            self.finished.emit(tuple(self._parts))

    def _next(self) -> None:
        searched = self.current
        assert searched is not None
        wish, sequence = searched.wish, searched.sequences[self._record]
        left, fold_case = wish.limit - sum(map(len, self._parts)), self._fold_case()
        self._plan = planned(
            SearchJob(
                text=searched_letters(sequence.letters, sequence.characters, searched.characters, fold_case),
                patterns=wish.patterns,
                rule=LetterRule.of(sequence.alphabet),
                fold_case=fold_case,
                characters=sequence.characters if searched.characters is None else searched.characters,
                both_strands=wish.both_strands,
                errors=wish.errors,
                edits=wish.edits,
                limit=max(1, left),
            ),
            np.array([wish.circular or sequence.circular]),
        )
        self._submit(self._plan.job, "Searching…", wish.device)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        if not (self.details or self._parts):  # it found nothing, as it was not done
            self.current = self.answered = None
            self.started.emit(None)
        super()._fail(error)

    @Slot()
    def _pair_changed(self) -> None:
        searched = self.current
        if searched is not None and any(
            self.pair.original(side) is not of for side, of in zip(searched.sides, searched.sequences, strict=True)
        ):
            self.stop()
            self.current, self.answered, self._parts, self._untold = None, None, [], []
            self.started.emit(None)
            self._end("The sequences have changed: search again")

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, HitsFound) and not self._plan.pairs:
            self._untold.append(self._placed(self._plan.placed(event.hits)))
            if not self._teller.isActive():
                self._teller.start(REPORT_MS)
        elif isinstance(event, NoticeRaised):  # the card failed: this sequence is searched again, from its beginning
            self._parts = self._ahead()
            self._untold = list(self._parts)
            self.started.emit(self.current)
            self._tell_all()

    def _ahead(self) -> list[Hits]:
        assert self.current is not None
        begin = self.current.records.starts[self._record]
        return [part for part in self._parts if len(part) and part.start[0] < begin]

    @Slot()
    def _tell_some(self) -> None:
        """Emit ``found`` for as many new hits as views can process at once."""
        taken: list[Hits] = []
        room = REPORT_HITS
        while self._untold and room:
            first = self._untold.pop(0)
            if len(first) > room:
                self._untold.insert(0, first.take(slice(room, None)))
                first = first.take(slice(room))
            taken.append(first)
            room -= len(first)
        if taken:
            self.found.emit(Hits.joined(taken))
        if self._untold:
            self._teller.start(0)

    def _tell_all(self) -> None:
        while self._untold:
            self._tell_some()
        self._teller.stop()

    def _placed(self, hits: Hits, keep: bool = True) -> Hits:
        assert self.current is not None
        offset = int(self.current.records.starts[self._record])
        placed = Hits(hits.pattern, hits.strand, hits.start + offset, hits.length, hits.cost) if offset else hits
        if keep:
            self._parts.append(placed)
        return placed

    @Slot(object)
    def _on_result(self, result: SearchResult | tuple[Pattern, ...]) -> None:
        if not isinstance(result, SearchResult):
            self._end(f"{count(len(result), 'pattern', 'patterns')} read")
            self.patterns_read.emit(result)
            return
        assert self.current is not None
        result = self._plan.found(result)
        if self._plan.pairs:
            self._untold.append(self._placed(result.hits, keep=False))
        self._seconds += result.wall_seconds
        self._parts = [*self._ahead(), self._placed(result.hits, keep=False)]
        self._record += 1
        if result.complete and self._record < len(self.current.sequences):
            self._next()
            return
        gbit = 8 * int(self.current.records.starts[self._record]) / self._seconds / 1e9 if self._seconds else 0.0
        took, device = duration(self._seconds), result.device.upper()
        n = sum(map(len, self._parts))
        how = [f"Searched on the {device}"]
        if gbit >= 0.1:  # small texts tell of nothing but the start
            how.append(f"{rate(gbit)} Gbit/s of text")
        self.details = "\n".join([*how, result.reason])
        self._end(f"{count(n, 'hit', 'hits')} · {took}")
        if result.message:
            self.notice(Severity.WARNING, f"Search {result.message}")
        self._tell_all()
        self.finished.emit(tuple(self._parts))
