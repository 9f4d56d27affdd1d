"""One text chunk on the card, matched against all groups of patterns.

A chunk with too many hits for the buffers is processed in ranges of letters, in order.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.collect_hits import in_order
from wavediff.core.kernels.search.search_plan import AutomatonPlan
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.pending_transfer import PendingTransfer
from wavediff.gpu.card.queue import StreamEvent
from wavediff.gpu.search.hit_room import CHECK_LETTERS, THREADS, GroupBank, HitRoom, HitSteps, Tables

LAUNCH_SECONDS = 0.02  # seconds that a launch should take
FIRST_RATE = 2e8  # letters times groups times rows a second and multiprocessor, before one was measured
MIN_SEGMENT = 4  # times the letters ahead of it: with fewer, a thread does more ahead than at its own


@dataclass(frozen=True, slots=True)
class ChunkPart:
    """Part of a search: letters ``first`` to ``last`` of the chunk, groups ``group`` to ``until`` of bank ``bank``."""

    first: int
    last: int
    bank: int
    group: int
    until: int


class LaunchSizer:
    """Launch size in letters times groups, adapted to measured times."""

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
    """Plan, tables, sizer and hit buffers of a search."""

    plan: AutomatonPlan
    tables: Tables
    pace: LaunchSizer
    room: HitRoom


class Chunk:
    """Reusable chunk buffer on the card.

    Args:
        size: letters, a multiple of ``BLOCK``.
        back: number of preceding letters, also a multiple.
    """

    def __init__(self, card: Card, job: SearchJob, size: int, back: int) -> None:
        self._card, self._job, self._back = card, job, back
        self.queue = card.queue()
        self._text = card.empty(back + size + 2 * CHECK_LETTERS, np.uint8)
        self._counts, self._counted = card.empty(2, np.uint32), card.pinned(2, np.uint32)
        self._base = self._first = self._last = 0
        self._delivery: tuple[StreamEvent, PendingTransfer] | None = None

    @property
    def letters(self) -> int:
        return self._last - self._first

    def bring(self, begin: int, end: int) -> None:
        """Start uploading letters ``begin`` to ``end`` with the context of their hits."""
        self._base = max(0, begin - self._back)
        self._first, self._last = begin - self._base, end - self._base
        before, letters = self.queue.moment(), self._job.text[self._base : end]
        self._delivery = before, self._card.bring(letters, self._text, self.queue, self._job.threads)

    def stop(self) -> None:
        if self._delivery is not None:
            self._delivery[1].stop()
        self.queue.finish()

    def search(self, what: SearchContext, limit: int, before: StreamEvent | None) -> HitSteps:
        """Search the chunk; return its hits in order, up to the part that exceeds ``limit``.

        Args:
            before: arrival time of the preceding chunk.
        """
        self._plan, self._tables, self._pace, self._room = what.plan, what.tables, what.pace, what.room
        batches, n = [], 0
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
            batches.append(hits)
            n += len(hits)
            room = self._room.most / 2 / max(1, len(hits))
            first, most = (
                last,
                max(CHECK_LETTERS, int((last - first) * min(8.0, room)) // CHECK_LETTERS * CHECK_LETTERS),
            )
        # The way was free from when it began, or from when the chunk ahead was there.
        seconds = min(self.arrived.seconds_since(event) for event in (begun, before) if event is not None)
        yield self._job.step.took("upload", seconds)
        return in_order(batches)

    def _range(self, first: int, last: int) -> Generator[Event, None, Hits | None]:
        """Return the hits of some letters for all groups; None if the buffer overflows."""
        self.queue.clear(self._counts)
        most = max(1, self._pace.most // (last - first))
        for k, bank in enumerate(self._tables.banks):
            for group in range(0, bank.n, most):
                part = ChunkPart(first, last, k, group, min(bank.n, group + most))
                n_marks, n_hits = yield from self._launch(part)
                if max(n_marks, n_hits) > self._room.most:
                    return None
        return (yield from self._room.ordered(n_hits, self._base, self.queue))

    def _launch(self, part: ChunkPart) -> Generator[Event, None, list[int]]:
        queue, tables, bank = self.queue, self._tables, self._tables.banks[part.bank]
        queue.clear(self._counts[:1])
        begun = queue.moment()
        self._scan(part, bank)
        scanned = queue.moment()
        self._report(part, bank)
        reported = queue.moment()
        queue.download(self._counted, self._counts)
        ended = queue.moment()
        ended.wait()
        job, groups, letters = self._job, part.until - part.group, part.last - part.first
        seconds = scanned.seconds_since(begun)
        self._pace.learn(letters * groups, seconds)
        n_groups = sum(bank.n for bank in tables.banks)
        cells = self._plan.searched.letters.size * letters * groups // n_groups
        yield job.step.took("scan", seconds, 1, cells)
        yield job.step.took("report", reported.seconds_since(scanned))
        return list(map(int, self._counted))

    def _scan(self, part: ChunkPart, bank: GroupBank) -> None:
        letters, groups = part.last - part.first, part.until - part.group
        lanes = THREADS * self._card.resident(bank.scan, THREADS, bank.shared)
        least = max(2 * CHECK_LETTERS, MIN_SEGMENT * self._tables.before)
        segment = max(least, -(-letters * groups // lanes // CHECK_LETTERS) * CHECK_LETTERS)
        slices = -(-letters // (segment * THREADS))
        self.queue.launch(
            bank.scan, slices * groups, THREADS, bank.shared,
            self._text, np.int64(part.first), np.int64(part.last), np.int32(segment), np.int32(slices),
            np.int32(self._tables.before), np.int32(part.group), bank.tables, bank.masks,
            self._room.marks, self._counts, np.uint32(self._room.most),
        )  # fmt: skip

    def _report(self, part: ChunkPart, bank: GroupBank) -> None:
        tables = self._tables
        self.queue.launch(
            bank.report, 8 * self._card.processors, 128, 0,
            self._text, np.int64(self._base), np.int64(self._job.text.size - self._base), np.int64(part.last),
            np.int32(tables.before), bank.tables, bank.masks, bank.owner, bank.late,
            tables.matches, tables.letters, tables.offsets, tables.starts, np.int32(tables.n_starts),
            self._room.marks, self._counts, np.uint32(self._room.most), *self._room.bits.arguments, self._room.keys,
        )  # fmt: skip
