"""Scan of one thread's chunk for all patterns, in parts limited by the hit buffer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.hits import Hits
from wavediff.core.kernels.search.collect_hits import sort_hits
from wavediff.core.kernels.search.qgram_scan import BATCH, ENTRY, N_QGRAM_FIELDS, PLACE, RECORD, WORK, scan_qgrams
from wavediff.core.kernels.search.qgram_scan import FOUND as QGRAM_FOUND
from wavediff.core.kernels.search.scan import BASE, BEGIN, END, FIRST, FOUND, N_SCAN_FIELDS, RAW, STAGE, SYMBOLS, scan
from wavediff.core.kernels.search.search_plan import AutomatonPlan, QgramPlan, SearchPlan, shape

HIT_BUFFER_SIZE = 1 << 18  # hits noted before they are collected
MAX_PART_HITS = 1 << 20  # hits of one part of a chunk
MIN_PART_LETTERS = 64  # letters
COMPARISONS = 1 << 20  # of patterns with places, between two looks at whether to go on: some milliseconds


class Scanner(ABC):
    """Scan state of a thread's chunk.

    A chunk with very many hits is processed in parts, up to the limit; each part is short enough to sort its hits
    quickly.

    Attributes:
        passes: calls of ``advance`` per chunk, unless it has very many hits.
        kept: hits of completed parts.
        parts: columns of hits of the current part.
        begin, end: letters of the current part.
    """

    passes = 1

    def __init__(self, plan: SearchPlan) -> None:
        self.job = plan.job
        self.chunk = -1
        self.done = True
        self.idle = False
        self.kept: list[Hits] = []
        self.parts: list[tuple[npt.NDArray[Any], ...]] = []
        self.begin = self.end = self._last = 0

    def take(self, chunk: int, begin: int, end: int) -> None:
        """Start chunk number ``chunk``: letters ``begin`` to ``end``."""
        self.chunk, self.done, self.kept, self._last = chunk, False, [], end
        self._start(begin, end)

    def advance(self) -> None:
        """Continue until this part is done, some milliseconds have passed, or the hit buffer is full."""
        ended, columns = self.scan()
        if columns[0].size:
            self.parts.append(tuple(column.copy() for column in columns))
        if sum(part[0].size for part in self.parts) > MAX_PART_HITS and self.end - self.begin > MIN_PART_LETTERS:
            self._start(self.begin, self.begin + max(MIN_PART_LETTERS, (self.end - self.begin) // 8 * 4))
        elif ended:
            self._finish()

    def _start(self, begin: int, end: int) -> None:
        self.begin, self.end, self.parts = begin, end, []
        self.start()

    def _finish(self) -> None:
        joined = [column[0] if len(column) == 1 else np.concatenate(column) for column in zip(*self.parts, strict=True)]
        if joined:
            self.kept.append(self.hits(*joined))
        size = self.end - self.begin
        self.done = self.end == self._last or sum(map(len, self.kept)) > self.job.limit
        if not self.done:
            self._start(self.end, min(self._last, self.end + size))

    @abstractmethod
    def start(self) -> None:
        """Start with hits that end in letters ``begin`` to ``end``."""

    @abstractmethod
    def scan(self) -> tuple[bool, tuple[npt.NDArray[Any], ...]]:
        """Continue; return whether finished, and the columns of new hits (overwritten later)."""

    @abstractmethod
    def hits(self, *columns: npt.NDArray[Any]) -> Hits:
        """Return the hits of a part, sorted."""


class QgramScanner(Scanner):
    """Q-gram lookup; ``compared``: number of patterns verified in the last ``advance``."""

    def __init__(self, plan: QgramPlan) -> None:
        super().__init__(plan)
        table, searched = plan.table, plan.searched
        self._rule, self._longest = table.rule, int(searched.lengths.max())
        self._table = table.arrays
        self._search = (
            searched.matches, searched.letters, searched.offsets, searched.pattern, searched.strand, self.job.starts,
        )  # fmt: skip
        self._found = tuple(np.empty(HIT_BUFFER_SIZE, kind) for kind in (np.int32, np.int8, np.int64, np.int32))
        self._waiting = tuple(np.empty(BATCH, np.int64) for _ in range(3))
        self._at = np.zeros(N_QGRAM_FIELDS, np.int64)

    def start(self) -> None:
        first = max(0, self.begin - self._longest + 1)  # hits that start before have ended
        self._at[PLACE], self._at[ENTRY] = -(-first // self._rule[0]) * self._rule[0], 0
        assert self.job.starts is not None
        self._at[RECORD] = np.searchsorted(self.job.starts, first, "right") - 1

    def scan(self) -> tuple[bool, tuple[npt.NDArray[Any], ...]]:
        self._at[QGRAM_FOUND], self._at[WORK] = 0, COMPARISONS
        ended = scan_qgrams(
            self.job.text, self._rule, self._table, self._search, self._found, self._waiting, self._at,
            self.begin, self.end,
        )  # fmt: skip
        return ended, tuple(column[: self._at[QGRAM_FOUND]] for column in self._found)

    @property
    def compared(self) -> int:
        return COMPARISONS - int(self._at[WORK])

    def hits(self, *columns: npt.NDArray[Any]) -> Hits:
        return Hits.of(*columns, np.zeros(columns[0].size, np.uint8))


class AutomatonScanner(Scanner):
    """Automata, one group of patterns after the other."""

    def __init__(self, plan: AutomatonPlan, chunk: int) -> None:
        super().__init__(plan)
        job, automaton = plan.job, plan.automaton
        errors, edits = plan.rule
        self.plan = plan
        self.passes = len(automaton.groups)
        self._group = 0
        self._shapes = {group.width: shape(group.width, automaton.step, errors, edits) for group in automaton.groups}
        self._groups = [(group.table, group.masks, group.owner, group.late) for group in automaton.groups]
        self._search = (
            plan.searched.matches, plan.searched.letters, plan.searched.offsets, job.starts,
            np.array([errors, edits], np.int64), np.zeros(2 * errors + 3, np.int64),
        )  # fmt: skip
        self._found = tuple(np.empty(HIT_BUFFER_SIZE, kind) for kind in (np.int64, np.int32, np.int32, np.uint8))
        width = max(self._shapes)
        self._state = np.zeros(2 * len(self._shapes[width][0]) * (errors + 1) * width, np.uint64)
        self._at = np.zeros(N_SCAN_FIELDS, np.int64)
        self._packed = np.empty((chunk // 4 + plan.before + 1) if automaton.step > 1 else 0, np.uint8)
        self._symbols = self._packed

    def start(self) -> None:
        step, text = self.plan.automaton.step, self.job.text
        begin, end = self.begin, self.end
        back = min(self.plan.before, begin // step)
        self._group = 0
        self._at[BASE] = begin - back * step
        self._at[FIRST], self._at[SYMBOLS] = back, -(-(end - begin) // step)
        self._at[RAW] = step > 1
        self._symbols = self._packed if step > 1 else text[self._at[BASE] : end]
        self._at[STAGE] = BEGIN

    def scan(self) -> tuple[bool, tuple[npt.NDArray[Any], ...]]:
        group = self.plan.automaton.groups[self._group]
        here = self._shapes[group.width]
        self._at[FOUND] = 0
        text, tables = self.job.text, self._groups[self._group]
        what = self._search, self._found, self._state, self._at, self.plan.before
        scan(self._symbols, self._packed, text, tables, *what, len(here[0]) * len(here[2]) * group.ends, here)
        if self._at[STAGE] == END:
            self._at[STAGE] = BEGIN
            self._at[RAW] = 0
            self._group += 1
        return self._group == self.passes, tuple(column[: self._at[FOUND]] for column in self._found)

    def hits(self, *columns: npt.NDArray[Any]) -> Hits:
        return sort_hits(self.plan.searched, *columns)
