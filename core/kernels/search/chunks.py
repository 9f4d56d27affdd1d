"""Threads over the chunks of a text: each chunk goes past every group of patterns while it is in the cache."""

from __future__ import annotations

import threading
from collections.abc import Generator, Hashable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from core.jit.warmup import warm_up
from core.jobs.events import Event
from core.jobs.hits import Hits
from core.kernels.search.collect_hits import sort_hits
from core.kernels.search.cyclic_scan import scan_paper
from core.kernels.search.scan import BASE, BEGIN, END, FIRST, FOUND, N_SCAN_FIELDS, RAW, STAGE, SYMBOLS, scan
from core.kernels.search.search_plan import SearchPlan, shape

PAPER = "paper"
CHUNK_LETTERS = (1 << 21) + 4608  # letters; packed, half the second cache; streams do not meet in the sets of the first
_MIN_CHUNK_LETTERS = 1 << 14
_MIN_CHUNKS = 16  # a short text is cut into so many
HIT_BUFFER_SIZE = 1 << 18  # hits noted before they are collected
MAX_PART_HITS = 1 << 20  # hits of one part of a chunk
MIN_PART_LETTERS = 64  # letters


def chunk_letters(n: int) -> int:
    """Return the letters of a chunk, a multiple of 4; the same for any number of threads, as hits are cut by it."""
    return max(_MIN_CHUNK_LETTERS, min(CHUNK_LETTERS, -(-n // (4 * _MIN_CHUNKS)) * 4))


class ChunkScan:
    """State that the threads of one search share; ``advance``, ``finished`` and ``stop`` are for ``run_threads``.

    Attributes:
        found: by number of the chunk: its hits, in order, once it is done.
        n: chunks.
        size: letters of a chunk, n_letters: of the text.
    """

    def __init__(self, plan: SearchPlan, threads: int) -> None:
        self.plan = plan
        self.n_letters = int(plan.job.text.size)
        self.size = chunk_letters(self.n_letters)
        self.n = -(-self.n_letters // self.size)
        self.found: dict[int, Hits] = {}
        self._next = count()
        self._stopped = threading.Event()
        self._scanners = [_Scanner(plan, self.size) for _ in range(threads)]

    def advance(self, me: int, budget: int) -> int:
        """Do up to ``budget`` passes of thread ``me``, each a chunk past a group, or as far as there is room."""
        scanner, done = self._scanners[me], 0
        while done < budget and not self._stopped.is_set():
            if scanner.done and not self._take(scanner):
                break
            scanner.advance()
            done += 1
            if scanner.done:
                self.found[scanner.chunk] = Hits.joined(scanner.kept)
        return done

    def _take(self, scanner: _Scanner) -> bool:
        number = next(self._next)
        if number >= self.n:
            scanner.idle = True
            return False
        scanner.take(number, number * self.size, min((number + 1) * self.size, self.plan.job.text.size))
        return True

    def finished(self, me: int) -> bool:
        return self._stopped.is_set() or self._scanners[me].idle

    def stop(self) -> None:
        self._stopped.set()


class _Scanner:
    """One thread's chunk, and how far it is.

    A chunk with very many hits is done in parts, each short enough that its hits can be sorted in a moment, and only
    as far as the limit goes.
    """

    def __init__(self, plan: SearchPlan, chunk: int) -> None:
        job, automaton = plan.job, plan.automaton
        errors, edits = plan.rule
        self.plan = plan
        self.chunk = -1
        self.done = True
        self.idle = False
        self.kept: list[Hits] = []
        self._begin = self._end = self._last = self._group = self._n = 0
        self._shapes = {one.width: shape(one.width, automaton.step, errors, edits) for one in automaton.groups}
        self._groups = [(one.table, one.masks, one.owner, one.late) for one in automaton.groups]
        self._search = (
            plan.searched.matches, plan.searched.letters, plan.searched.offsets, job.starts,
            np.array([errors, edits], np.int64), np.zeros(2 * errors + 3, np.int64),
        )  # fmt: skip
        self._found = (
            np.empty(HIT_BUFFER_SIZE, np.int64), np.empty(HIT_BUFFER_SIZE, np.int32), np.empty(HIT_BUFFER_SIZE,
            np.int32), np.empty(HIT_BUFFER_SIZE, np.uint8),
        )  # fmt: skip
        width = max(self._shapes)
        self._state = np.zeros(2 * len(self._shapes[width][0]) * (errors + 1) * width, np.uint64)
        self._at = np.zeros(N_SCAN_FIELDS, np.int64)
        self._packed = np.empty((chunk // 4 + plan.before + 1) if automaton.step > 1 else 0, np.uint8)
        self._symbols = self._packed
        self._parts: list[tuple[npt.NDArray[Any], ...]] = []

    def take(self, chunk: int, begin: int, end: int) -> None:
        """Take up the letters ``begin`` to ``end``, which are chunk number ``chunk``."""
        self.chunk, self.done, self.kept, self._last = chunk, False, [], end
        self._start(begin, end)

    def _start(self, begin: int, end: int) -> None:
        step, text = self.plan.automaton.step, self.plan.job.text
        self._begin, self._end, self._group, self._n, self._parts = begin, end, 0, 0, []
        back = min(self.plan.before, begin // step)
        self._at[BASE] = begin - back * step
        self._at[FIRST], self._at[SYMBOLS] = back, -(-(end - begin) // step)
        self._at[RAW] = step > 1
        self._symbols = self._packed if step > 1 else text[self._at[BASE] : end]
        self._at[STAGE] = BEGIN

    def advance(self) -> None:
        """Scan for the current group until this part is done or there is no room for more hits."""
        one = self.plan.automaton.groups[self._group]
        here = self._shapes[one.width]
        self._at[FOUND] = 0
        text, group = self.plan.job.text, self._groups[self._group]
        what = self._search, self._found, self._state, self._at, self.plan.before
        if one.shift:
            scan_paper(self._symbols, text, group, one.shift, *what)
        else:
            scan(self._symbols, self._packed, text, group, *what, len(here[0]) * len(here[2]) * one.ends, here)
        if n := int(self._at[FOUND]):
            self._n += n
            self._parts.append(tuple(array[:n].copy() for array in self._found))
        if self._n > MAX_PART_HITS and self._end - self._begin > MIN_PART_LETTERS:
            self._start(self._begin, self._begin + max(MIN_PART_LETTERS, (self._end - self._begin) // 8 * 4))
        elif self._at[STAGE] == END:
            self._at[STAGE] = BEGIN
            self._at[RAW] = 0
            self._group += 1
            if self._group == len(self.plan.automaton.groups):
                self._finish()

    def _finish(self) -> None:
        self.kept.append(self._hits())
        size = self._end - self._begin
        self.done = self._end == self._last or sum(map(len, self.kept)) > self.plan.job.limit
        if not self.done:
            self._start(self._end, min(self._last, self._end + size))

    def _hits(self) -> Hits:
        """Return what was found in this part, by start, end, pattern and strand."""
        if not self._parts:
            return Hits.joined([])
        return sort_hits(self.plan.searched, *(np.concatenate(column) for column in zip(*self._parts, strict=True)))


def scan_variant(width: int, step: int, errors: int, edits: bool) -> Hashable:
    """Return what tells one compiled scan from another; ``PAPER`` is the one of Kusudo, Ino and Hagihara's layout."""
    return width, step, errors, "edits" if edits else "mismatches"


def make_ready(plan: SearchPlan) -> Generator[Event, None, None]:
    """Scan one letter past one group of each width that the plan has."""
    widths = {group.width: group for group in plan.automaton.groups}
    for width, group in widths.items():
        letter = np.zeros(1, np.uint8)
        job = replace(plan.job, text=letter, starts=None)
        small = replace(plan, job=job, automaton=replace(plan.automaton, groups=(group,)))
        key = PAPER if group.shift else scan_variant(width, plan.automaton.step, *plan.rule)
        yield from warm_up(plan.job.id, "scan", key, partial(ChunkScan(small, 1).advance, 0, 2))
