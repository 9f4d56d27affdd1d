"""One chunk of a text on the card, past all groups of patterns.

Where it has more hits than there is room for, it is done in parts, the first ones first, and each range of letters
past fewer groups at a time if need be; one block of letters past one group always has room.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.jobs.events import StepDone
from core.jobs.hits import Hits
from core.jobs.search import SearchJob
from core.kernels.search.collect_hits import in_order, sort_hits
from core.kernels.search.search_plan import AutomatonPlan
from gpu.card.interface import Card
from gpu.card.pending_transfer import PendingTransfer
from gpu.card.queue import StreamEvent
from gpu.search.tables import CHECK_LETTERS, THREADS, GroupBank, Tables

MAX_LAUNCH_HITS = 1 << 20  # marks, and hits, of one launch; a block of letters past one group has 2^13 hits at most
ASYNC_HITS = 1 << 16  # hits that come back without the card's other work being waited for
LAUNCH_SECONDS = 0.02  # seconds that a launch should take
FIRST_RATE = 2e8  # letters times groups times rows a second and multiprocessor, before one was measured
MIN_SEGMENT = 4  # times the letters ahead of it: with fewer, a thread does more ahead than at its own


@dataclass(frozen=True, slots=True)
class ChunkPart:
    """Letters ``first`` to ``last`` of the chunk's array past groups ``group`` to ``until`` of bank ``bank``."""

    first: int
    last: int
    bank: int
    group: int
    until: int


class LaunchSizer:
    """Size of launches in letters times groups, learnt from those that ended."""

    def __init__(self, card: Card, errors: int) -> None:
        self._rate = FIRST_RATE * card.processors / (errors + 1)

    @property
    def most(self) -> int:
        return int(self._rate * LAUNCH_SECONDS)

    def learn(self, work: int, seconds: float) -> None:
        if work >= self.most // 4 and seconds > 0:
            self._rate = min(4 * self._rate, work / seconds)


@dataclass(frozen=True, slots=True, eq=False)
class SearchContext:
    """Plan, tables and sizer of one search."""

    plan: AutomatonPlan
    tables: Tables
    pace: LaunchSizer


HitSteps = Generator[StreamEvent | StepDone, None, Hits]


class Chunk:
    """A place on the card for one chunk after the other.

    Args:
        size: letters, a multiple of ``BLOCK``.
        back: letters before them, a multiple too.
    """

    def __init__(self, card: Card, job: SearchJob, size: int, back: int) -> None:
        self._card, self._job, self._back = card, job, back
        self.queue = card.queue()
        self._text = card.empty(back + size + 2 * CHECK_LETTERS, np.uint8)
        self._marks, self._hits = (
            card.empty((MAX_LAUNCH_HITS, 2), np.uint32),
            card.empty((MAX_LAUNCH_HITS, 4), np.uint32),
        )
        self._counts, self._counted = card.empty(2, np.uint32), card.pinned(2, np.uint32)
        self._few = card.pinned((ASYNC_HITS, 4), np.uint32)
        self._base = self._first = self._last = 0
        self._delivery: tuple[StreamEvent, PendingTransfer] | None = None

    @property
    def letters(self) -> int:
        return self._last - self._first

    def bring(self, begin: int, end: int) -> None:
        """Begin to bring the letters ``begin`` to ``end`` of the text, and those that their occurrences may have."""
        self._base = max(0, begin - self._back)
        self._first, self._last = begin - self._base, end - self._base
        before, letters = self.queue.moment(), self._job.text[self._base : end]
        self._delivery = before, self._card.bring(letters, self._text, self.queue, self._job.threads)

    def stop(self) -> None:
        """Bring and compute no more."""
        if self._delivery is not None:
            self._delivery[1].stop()
        self.queue.finish()

    def search(self, what: SearchContext, limit: int, before: StreamEvent | None) -> HitSteps:
        """Search it; return what ends in it in order, up to the part that has more than ``limit``.

        Args:
            before: when the chunk ahead of it had arrived.

        Yields:
            Moments to wait for, and events.
        """
        self._plan, self._tables, self._pace = what.plan, what.tables, what.pace
        found, n = [], 0
        first, most = self._first, self._last - self._first
        assert self._delivery is not None
        begun, delivery = self._delivery
        delivery.wait()
        self.arrived = self.queue.moment()  # has passed when what is put in behind it has
        while first < self._last and n <= limit:
            last = min(self._last, first + most)
            hits = yield from self._range(first, last)
            if hits is None:  # no room
                most = max(CHECK_LETTERS, (last - first) // 8 // CHECK_LETTERS * CHECK_LETTERS)
                continue
            found.append(hits)
            n += len(hits)
            room = MAX_LAUNCH_HITS / 2 / max(1, len(hits))
            first, most = (
                last,
                max(CHECK_LETTERS, int((last - first) * min(8.0, room)) // CHECK_LETTERS * CHECK_LETTERS),
            )
        # The way was free from when it began, or from when the chunk ahead was there.
        seconds = min(self.arrived.seconds_since(one) for one in (begun, before) if one is not None)
        yield StepDone(self._job.id, "upload", 1, 0, seconds)
        return in_order(found)

    def _range(self, first: int, last: int) -> Generator[StreamEvent | StepDone, None, Hits | None]:
        """Return the hits of some letters past all groups; None where they had better be fewer letters."""
        parts = [ChunkPart(first, last, k, 0, bank.n) for k, bank in reversed(list(enumerate(self._tables.banks)))]
        found: list[Any] = []
        n = 0
        while parts:
            part = parts.pop()
            fit = max(1, self._pace.most // (last - first))
            if part.until - part.group > fit:
                cut = part.group + fit
                parts.append(ChunkPart(first, last, part.bank, cut, part.until))
                part = ChunkPart(first, last, part.bank, part.group, cut)
            hits = yield from self._launch(part)
            n += 0 if hits is None else hits.shape[0]
            if hits is None or (n > MAX_LAUNCH_HITS and last - first > CHECK_LETTERS):
                if last - first > CHECK_LETTERS:
                    return None
                middle = (part.group + part.until) // 2
                parts += [
                    ChunkPart(first, last, part.bank, middle, part.until),
                    ChunkPart(first, last, part.bank, part.group, middle),
                ]
            elif hits.size:
                found.append(hits)
        if not found:
            return Hits.joined([])
        end, length, who, cost = np.concatenate(found).T
        return sort_hits(
            self._plan.searched, end.astype(np.int64) + (self._base - length.astype(np.int64)), length, who, cost
        )

    def _launch(self, part: ChunkPart) -> Generator[StreamEvent | StepDone, None, Any]:
        """Return the hits of ``part`` as they come, shape (n, 4); None where there were more than there is room for."""
        queue, tables, bank = self.queue, self._tables, self._tables.banks[part.bank]
        queue.clear(self._counts)
        begun = queue.moment()
        self._scan(part, bank)
        scanned = queue.moment()
        self._report(part, bank)
        reported = queue.moment()
        queue.download(self._counted, self._counts)
        ended = queue.moment()
        yield ended
        job, groups, letters = self._job, part.until - part.group, part.last - part.first
        seconds = scanned.seconds_since(begun)
        self._pace.learn(letters * groups, seconds)
        n_groups = sum(one.n for one in tables.banks)
        cells = self._plan.searched.letters.size * letters * groups // n_groups
        yield StepDone(job.id, "scan", 1, cells, seconds)
        yield StepDone(job.id, "report", 1, 0, reported.seconds_since(scanned))
        n_marks, n_hits = self._counted.tolist()
        if max(n_marks, n_hits) > MAX_LAUNCH_HITS:
            return None
        if n_hits > ASYNC_HITS:
            return self._card.download(self._hits[:n_hits])
        few = self._few[:n_hits]
        if n_hits:
            queue.download(few, self._hits)
            ended = queue.moment()
            yield ended
        return few.copy()

    def _scan(self, part: ChunkPart, bank: GroupBank) -> None:
        letters, groups = part.last - part.first, part.until - part.group
        lanes = THREADS * self._card.resident(bank.scan, THREADS, bank.shared)
        least = max(2 * CHECK_LETTERS, MIN_SEGMENT * self._tables.before)
        segment = max(least, -(-letters * groups // lanes // CHECK_LETTERS) * CHECK_LETTERS)
        slices = -(-letters // (segment * THREADS))
        self.queue.launch(
            bank.scan, slices * groups, THREADS, bank.shared,
            self._text, np.int64(part.first), np.int64(part.last), np.int32(segment), np.int32(slices),
            np.int32(self._tables.before), np.int32(part.group), bank.tables, bank.masks, bank.shifts,
            self._marks, self._counts, np.uint32(MAX_LAUNCH_HITS),
        )  # fmt: skip

    def _report(self, part: ChunkPart, bank: GroupBank) -> None:
        tables = self._tables
        self.queue.launch(
            bank.report, 8 * self._card.processors, 128, 0,
            self._text, np.int64(self._base), np.int64(self._job.text.size - self._base), np.int64(part.last),
            np.int32(tables.before), bank.tables, bank.masks, bank.shifts, bank.owner, bank.late,
            tables.matches, tables.letters, tables.offsets, tables.starts, np.int32(tables.n_starts),
            self._marks, self._counts, np.uint32(MAX_LAUNCH_HITS), np.uint32(MAX_LAUNCH_HITS), self._hits,
        )  # fmt: skip
