"""Search for many patterns on a graphics card: the twin of ``core.kernels.search.run``.

Source: paper 3 (Kusudo, Ino, Hagihara); its automata as ``core.shift_or`` and ``core.cyclic`` lay them out. A thread
takes a segment of the text and the letters before it past a group of patterns, and marks blocks of letters in which
one may have ended; these are taken once more and compared. The text comes in chunks, one of which is brought while
another is searched, so it may be larger than the card's memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from time import perf_counter

from core.errors import DeviceOutOfMemory
from core.events import Compiled, Event, HitsFound, Progress, StepDone
from core.hits import Hits
from core.jobs import SearchJob
from core.kernels.search.collect import Collector
from core.kernels.search.plan import Plan, plan
from core.machine import cores
from core.results.search import SearchResult
from gpu.card import Card
from gpu.search_chunk import ROOM, Chunk, Pace
from gpu.search_feed import Feed
from gpu.search_tables import BLOCK, THREADS, Tables, upload, words_of

SLOTS = 3  # chunks under way
LETTERS = 1024  # of a chunk for each thread
MOST_CHUNK = 1 << 27  # letters: hits of one chunk are sorted by 64 bits
LEAST_CHUNK = 1 << 20
SHARE = 2  # all chunks take one part in so many of the memory that is free


def run(job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Search as ``job`` says; see ``core.results.search.SearchResult``.

    Raises:
        InputError: a pattern cannot be searched for.
        NotEnoughMemory: the tables would not fit.
        DeviceError: the card failed, or has no room.
    """
    from gpu.device import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Search on this card."""
    start, compile_seconds, kernel_seconds = perf_counter(), 0.0, 0.0
    chosen = yield from plan(job, words_of)
    collector = Collector(job)
    if job.text.size:
        for event in _events(card, chosen, collector):
            if isinstance(event, Compiled):
                compile_seconds += event.seconds
            if isinstance(event, StepDone) and event.kernel in ("scan", "report"):
                kernel_seconds += event.seconds
            yield event
    return collector.result(chosen, "gpu", kernel_seconds, perf_counter() - start - compile_seconds)


def _events(card: Card, chosen: Plan, collector: Collector) -> Generator[Event, None, None]:
    job, n = chosen.job, int(chosen.job.text.size)
    tables = yield from upload(card, chosen)
    size = chunk_letters(card, tables, n)
    pace = Pace(card, chosen)
    chunks = [Chunk(card, chosen, tables, pace, size) for _ in range(min(SLOTS, -(-n // size)))]
    begins = iter(range(0, n, size))
    under_way: deque[tuple[int, Chunk]] = deque()
    feed = Feed(card, min(n, size + tables.back), job.threads or cores())
    try:
        with feed:
            while not collector.full:
                if len(under_way) < len(chunks) and (begin := next(begins, None)) is not None:
                    chunk, end = chunks[begin // size % len(chunks)], min(n, begin + size)
                    chunk.bring(begin, end, feed)
                    under_way.append((end - begin, chunk))
                elif under_way:
                    letters, chunk = under_way.popleft()
                    new = collector.take((yield from _searched(chunk, job.limit)), letters)
                    if len(new):
                        yield HitsFound(job.id, new)
                    yield Progress(job.id, "search", collector.letters, n, "letters")
                else:
                    break
    finally:
        for chunk in chunks:
            chunk.queue.finish()


def _searched(chunk: Chunk, limit: int) -> Generator[Event, None, Hits]:
    """Search a chunk, waiting for the card where its steps say so."""
    steps = chunk.search(limit)
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            hits: Hits = stop.value
            return hits
        if isinstance(step, StepDone):
            yield step
        else:
            step.wait()


def chunk_letters(card: Card, tables: Tables, n: int) -> int:
    """Return the letters of a chunk: enough for every thread, and not more than there is room for.

    Raises:
        DeviceOutOfMemory: there is no room for any.
    """
    bank = tables.banks[0]
    lanes = THREADS * card.resident(bank.scan, THREADS, bank.shared)
    beside = 24 * ROOM + tables.back + 3 * BLOCK  # of a chunk: marks, hits, letters before and behind
    room = card.free() // SHARE // SLOTS - beside
    if room < LEAST_CHUNK:
        needed = SHARE * SLOTS * (LEAST_CHUNK + beside)
        raise DeviceOutOfMemory(f"{card.free() / 1e6:,.0f} MB are free, a search needs {needed / 1e6:,.0f} MB")
    return -(-min(MOST_CHUNK, LETTERS * lanes, n, room) // BLOCK) * BLOCK
