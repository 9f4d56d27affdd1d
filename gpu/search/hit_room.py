"""Room on the card for what one launch after the other found; there it is put in order, and comes back as columns.

A hit is a number of 64 bits that sorts as hits do: where it starts, its length, the searched pattern, its cost.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.gpu.card.interface import Card
from wavediff.gpu.card.queue import CardQueue
from wavediff.gpu.search.tables import CHECK_LETTERS, Tables

MAX_HITS = 3 << 20  # hits, and marks, of a range of letters; more where that many patterns are searched for
KEY_BITS = 64
KEY_BYTES, COLUMN_BYTES, MARK_BYTES = 8, 18, 8  # bytes of a hit as a number, as columns; of a mark
ASYNC_HITS = 1 << 16  # hits that come back without the card's other work being waited for
HOST_SORT_HITS = 1 << 12  # hits that the processor sorts: to load the sorting of cards takes a process 40 ms, once
UNPACK_THREADS = 256

HitSteps = Generator[Event, None, Hits]


@dataclass(frozen=True, slots=True)
class KeyBits:
    """Lowest bits of what a hit's number is made of; its cost is below ``who``."""

    start: int
    length: int
    who: int

    @classmethod
    def of(cls, job: SearchJob) -> KeyBits:
        longest = max((len(pattern.letters) for pattern in job.patterns), default=0)
        who = job.errors.bit_length()
        length = who + (len(job.patterns) * (1 + job.both_strands)).bit_length()
        return cls(length + (longest + job.errors).bit_length(), length, who)

    @property
    def most_letters(self) -> int:
        """Letters that can be told apart."""
        return 1 << (KEY_BITS - self.start)

    @property
    def arguments(self) -> tuple[Any, ...]:
        return np.int32(self.start), np.int32(self.length), np.int32(self.who)


def most_hits(job: SearchJob) -> int:
    """Return the hits that there is room for: a block of letters past all patterns never has more."""
    n_patterns = len(job.patterns) * (1 + job.both_strands)
    return max(CHECK_LETTERS * n_patterns, min(MAX_HITS, n_patterns * int(job.text.size)))


def room_bytes(job: SearchJob) -> int:
    """Return what a ``HitRoom`` takes, with what sorting takes."""
    return (2 * KEY_BYTES + COLUMN_BYTES) * most_hits(job)


class HitRoom:
    """The marks and hits of one range of letters at a time.

    Attributes:
        most: marks, and hits, that there is room for.
        bits: of a hit's number.
        marks, keys: arrays of the card. Columns are written over the marks.
    """

    def __init__(self, card: Card, job: SearchJob, tables: Tables) -> None:
        self._card, self._job, self._tables = card, job, tables
        self.most, self.bits = most_hits(job), KeyBits.of(job)
        self.keys = card.empty(self.most, np.uint64)
        self._columns = card.empty(COLUMN_BYTES * self.most, np.uint8)
        self.marks = self._columns[: MARK_BYTES * self.most]
        self._few = card.pinned(COLUMN_BYTES * ASYNC_HITS, np.uint8)

    def ordered(self, n: int, base: int, queue: CardQueue) -> HitSteps:
        """Return the first ``n`` hits in order, where ``queue`` has found them.

        Args:
            base: of the whole text, where places are counted from.
        """
        if not n:
            return Hits.joined([])
        unpack = self._card.kernel("hits.cu", "unpack_hits")
        if unpack.seconds:
            yield self._job.step.compiled("report", unpack.seconds)
        begun = queue.moment()
        self._sort(n, queue)
        queue.launch(
            unpack, 8 * self._card.processors, UNPACK_THREADS, 0,
            self.keys, np.int32(n), *self.bits.arguments, np.int64(base),
            self._tables.pattern, self._tables.strand, self._columns,
        )  # fmt: skip
        ended = queue.moment()
        if n <= ASYNC_HITS:
            few = self._few[: COLUMN_BYTES * n]
            queue.download(few, self._columns)
            queue.moment().wait()
            raw = few.copy()
        else:
            ended.wait()
            since = perf_counter()
            raw = self._card.download(self._columns[: COLUMN_BYTES * n])
            yield self._job.step.done("download", since)
        yield self._job.step.took("report", ended.seconds_since(begun))
        raw.setflags(write=False)
        start, pattern, length, strand, cost = np.split(raw, (n * np.array([8, 12, 16, 17])).tolist())
        return Hits(
            pattern=pattern.view(np.int32),
            strand=strand.view(np.int8),
            start=start.view(np.int64),
            length=length.view(np.int32),
            cost=cost,
        )

    def _sort(self, n: int, queue: CardQueue) -> None:
        """Put the first ``n`` keys in order."""
        if n > HOST_SORT_HITS:
            queue.sort(self.keys[:n])
            return
        few = self._few[: KEY_BYTES * n].view(np.uint64)
        queue.download(few, self.keys)
        queue.moment().wait()
        few.sort()
        queue.upload(self.keys.view(np.uint8), few.view(np.uint8))
