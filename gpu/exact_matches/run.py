"""Maximal exact matches on a graphics card; counterpart of ``wavediff.core.kernels.exact_matches.run``."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob
from wavediff.core.kernels.exact_matches.kmer_sort import PAD, roll_table
from wavediff.core.kernels.exact_matches.run import left_out_of_b, result_of
from wavediff.core.screening.kmer_table import PRIME
from wavediff.core.screening.nucleotides import nucleotide_codes
from wavediff.gpu.bwt.bwt_launches import LaunchQueue
from wavediff.gpu.bwt.sync_set_sort import WORD, sort
from wavediff.gpu.card.cuda import Card

UNIT = "exact_matches.cu"
MARGIN = 512  # letters past the end that a warp may read
THREAD_KMERS = 32  # as in the kernels
MIN_ROOM = 1 << 16  # matches
KMERS = np.dtype([(name, np.uint64) for name in ("entries", "text", "complement", "kinds")] + [
    ("n", np.int64), ("size", np.int64), ("k", np.int32), ("place_bits", np.int32),
])  # fmt: skip
_ROWS = 5


def run_on(card: Card, job: ExactMatchesJob) -> Generator[Event, None, ExactMatches]:
    """Compute ``job`` on this card.

    Raises:
        DeviceOutOfMemory: too little memory on the card; raised before it is used up.
    """
    needed, free = job.card_bytes / 2**30, card.free() / 2**30
    if needed > free:
        text = f"matches of {job.n_letters:,} letters need {needed:,.2f} GiB on {card.name}, {free:,.2f} GiB are free"
        raise DeviceOutOfMemory(text)
    kmers = CardKmers(LaunchQueue(card, job.step, "upload"), job)
    yield from kmers.sort()
    copies, left_out, of_b = job.max_copies, 0, np.empty(0, np.int64)
    matches: Counts | None = None
    while copies and matches is None:
        left_out = yield from kmers.mark(copies)
        if left_out:
            of_b = left_out_of_b((yield from kmers.kinds_of_b()))
        matches = yield from kmers.matches()
        copies = copies if matches is not None else copies // 2
    return result_of(job, np.empty((_ROWS, 0), np.int64) if matches is None else matches, copies, left_out, of_b)


def place_bits(size: int) -> int:
    """Return the bits of an entry for position and strand."""
    return (2 * size).bit_length()


class CardKmers:
    """The k-mers of A and B on a card."""

    def __init__(self, steps: LaunchQueue, job: ExactMatchesJob) -> None:
        self._steps, self._job, self._card = steps, job, steps.card
        self._size = job.n_letters + 1 + 2 * PAD
        self._letters = [self._card.empty(self._size + MARGIN, np.uint8) for _ in range(3)]
        self._entries = self._card.empty(self._size, np.uint64)

    def _run(self, name: str, n: int, *arguments: Any, each: int = 1) -> Generator[Event, None, None]:
        addresses = (self._card.address(array) for array in (self._entries, *self._letters))
        numbers = int(self._job.a.size), self._size, self._job.k, place_bits(self._size)
        struct = np.array((*addresses, *numbers), KMERS)[()]
        yield from self._steps.run(UNIT, name, n, struct, *arguments, each=each)
        yield from self._steps.settle()

    def sort(self) -> Generator[Event, None, None]:
        """Stable sort of the k-mers by hash."""
        steps, job, card = self._steps, self._job, self._card
        a, b = (yield from steps.upload(job.a)), (yield from steps.upload(job.b))
        codes, roll = card.upload(nucleotide_codes()), card.upload(roll_table(job.k))
        steps.kernel = "k-mers"
        yield from self._run("write_codes", self._size, a, b, np.int64(job.b.size), codes)
        del a, b
        yield from self._run("place_kmers", -(-self._size // THREAD_KMERS), roll, PRIME, each=THREAD_KMERS)
        yield self._progress(1)
        steps.kernel = "k-mer sort"
        self._entries, _ = yield from sort(steps, self._entries, (place_bits(self._size), WORD))
        yield self._progress(2)

    def _progress(self, part: int) -> Event:
        n = self._job.n_letters
        return self._job.step.progress("k-mers", part * n // 4, n, "letters")

    def mark(self, copies: int) -> Generator[Event, None, int]:
        """Classify each position; return the number of skipped positions of A."""
        self._steps.kernel, left_out = "k-mers", self._card.zeros(1, np.uint32)
        yield from self._run("mark_kinds", self._size, np.int32(copies), left_out)
        yield self._progress(3)
        return self._steps.number(left_out)

    def kinds_of_b(self) -> Generator[Event, None, Letters]:
        first = PAD + int(self._job.a.size) + 1
        kinds: Letters = yield from self._steps.download(self._letters[2][first : first + self._job.b.size])
        return kinds

    def matches(self) -> Generator[Event, None, Counts | None]:
        """Return all matches, int64, shape (5, matches), unsorted; None if too many."""
        steps, card, most = self._steps, self._card, self._job.max_matches
        steps.kernel, room, total = "exact matches", -1, min(most, max(MIN_ROOM, self._job.n_letters))
        while total > room:  # else all were written
            matches, count, room = None, card.zeros(1, np.uint64), total
            matches = card.empty((_ROWS, room), np.int64)
            yield from self._run("find_matches", self._size, np.int64(room), matches, count)
            total = steps.number(count)
            if total > most:
                return None
        yield from self._run("extend_matches", 32 * total, np.int64(room), matches)
        rows: Counts = yield from steps.download(matches)
        yield self._progress(4)
        return rows[:, :total]
