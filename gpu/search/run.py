"""Search for many patterns on a graphics card; counterpart of ``wavediff.core.kernels.search.run``.

Source: Kusudo, Ino and Hagihara; the automata are laid out as in ``wavediff.core.sequences.shift_or``. A thread runs a
segment of the text, and the letters before it, through a group of patterns, and marks blocks of letters with a possible
hit; these blocks are compared again. One chunk of the text is copied while another is searched, so the text may exceed
the card's memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from contextlib import ExitStack, closing
from time import perf_counter

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jit import pinned_copy
from wavediff.core.jobs.events import Compiled, Event, HitsFound, Progress, StepDone
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.kernels.search.collect_hits import Collector
from wavediff.core.kernels.search.search_plan import AutomatonPlan, plan, prepared
from wavediff.gpu.card.cuda import Card, OtherCards, no_others
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.search.chunk import Chunk, LaunchSizer, SearchContext
from wavediff.gpu.search.hit_room import CHECK_LETTERS, HitRoom, KeyBits, room_bytes, rounded, upload, words_of

N_BUFFERS = 3
LETTERS_PER_THREAD = 1024  # letters of a chunk per thread of the card
PROCESSOR_THREADS = 1536  # concurrent threads per multiprocessor
MAX_CHUNK = 1 << 27  # letters
MIN_CHUNK = 1 << 20
MEMORY_DIVISOR = 2  # all chunks take one part in this many of the free memory


def run_on(card: Card, job: SearchJob, others: OtherCards = no_others) -> Generator[Event, None, SearchResult]:
    """Search on this card and on others; see ``wavediff.core.jobs.search.SearchResult``.

    Raises:
        InputError: a pattern is invalid.
        NotEnoughMemory: the tables exceed memory.
        DeviceError: the card failed, or has too little memory.
    """
    start, compiling, kernels = perf_counter(), 0.0, 0.0
    collector = Collector(job)
    events = _searched((card, *others()), job, collector)
    try:
        while True:
            event = next(events)
            if isinstance(event, Compiled):
                compiling += event.seconds
            elif isinstance(event, StepDone) and event.kernel in ("scan", "report"):
                kernels += event.seconds
            yield event
    except StopIteration as stop:
        chosen: AutomatonPlan = stop.value
    finally:
        events.close()
    return collector.result(chosen, "gpu", kernels, perf_counter() - start - compiling)


def _searched(cards: tuple[Card, ...], job: SearchJob, collector: Collector) -> Generator[Event, None, AutomatonPlan]:
    """Fill ``collector`` with the hits; return the plan used."""
    yield from pinned_copy.make_ready(job.step)
    n, letters = len(cards), int(job.text.size)
    size = min(chunk_letters(card, job, -(-letters // n)) for card in cards)
    with ExitStack() as under_way:
        pipelines = [
            under_way.enter_context(ChunkPipeline(card, job, size, k, n)) for k, card in enumerate(cards)
        ]  # fmt: skip
        for pipeline in pipelines:
            pipeline.fill()  # the text is uploaded while the patterns are laid out
        chosen = yield from plan(job, (yield from prepared(job)), words_of)
        hits_of: dict[int, tuple[Hits, int]] = {}
        parts = [_on_card(*one, job, chosen, hits_of, k, n) for k, one in enumerate(zip(cards, pipelines, strict=True))]
        with closing(side_by_side(parts)) as events:
            for event in events if letters else ():
                if not isinstance(event, Progress):
                    yield event
                    continue
                while not collector.full and (chunk := collector.letters // size) in hits_of:
                    new = collector.take(*hits_of.pop(chunk))
                    if len(new):
                        yield HitsFound(job.id, new)
                    yield job.step.progress("search", collector.letters, letters, "letters")
                if collector.full:
                    break
    return chosen


def _on_card(
    card: Card, pipeline: ChunkPipeline, job: SearchJob, chosen: AutomatonPlan, hits_of: dict[int, tuple[Hits, int]],
    k: int, n: int,
) -> Generator[Event, None, None]:  # fmt: skip
    """Search every ``n``-th chunk from ``k``; hits and letters are in ``hits_of`` at each ``Progress``."""
    tables = yield from upload(card, chosen)
    what = SearchContext(chosen, tables, LaunchSizer(card, job.errors), HitRoom(card, job, tables))
    before = None
    while (chunk := pipeline.next()) is not None:
        hits = yield from chunk.search(what, job.limit, before)
        before = chunk.arrived
        hits_of[k] = hits, chunk.letters
        k += n
        pipeline.fill()
        yield job.step.progress("search", k, k, "chunks")


class ChunkPipeline:
    """Pipeline of chunks of one of several cards.

    A context manager; after it, no work is pending.

    Args:
        size: see ``chunk_letters``. k, n: index of this card, and number of cards.
    """

    def __init__(self, card: Card, job: SearchJob, size: int, k: int = 0, n: int = 1) -> None:
        self._job, self._size = job, size
        begins = range(size * k, int(job.text.size), size * n)
        self._begins = iter(begins)
        self._free = deque(Chunk(card, job, size, letters_before(job)) for _ in range(min(N_BUFFERS, len(begins))))
        self._places = tuple(self._free)
        self._under_way: deque[Chunk] = deque()
        self._last: Chunk | None = None

    def __enter__(self) -> ChunkPipeline:
        return self

    def __exit__(self, *_: object) -> None:
        for chunk in self._places:
            chunk.stop()

    def fill(self) -> None:
        """Start uploads until all buffers are in use; the chunk last returned by ``next`` is released."""
        if self._last is not None:
            self._free.append(self._last)
            self._last = None
        while self._free and (begin := next(self._begins, None)) is not None:
            chunk = self._free.popleft()
            chunk.bring(begin, min(int(self._job.text.size), begin + self._size))
            self._under_way.append(chunk)

    def next(self) -> Chunk | None:
        """Return the next chunk to search (perhaps still uploading), or None."""
        self._last = self._under_way.popleft() if self._under_way else None
        return self._last


def letters_before(job: SearchJob) -> int:
    """Return the letters needed before a chunk: maximum hit length and context."""
    longest = max((len(pattern.letters) for pattern in job.patterns), default=0)
    return rounded(longest + job.errors + CHECK_LETTERS)


def chunk_letters(card: Card, job: SearchJob, n: int) -> int:
    """Return the letters per chunk: enough for all threads, within memory.

    Args:
        n: letters of the text for this card.

    Raises:
        DeviceOutOfMemory: no chunk fits.
    """
    margin, hits = letters_before(job) + 3 * CHECK_LETTERS, room_bytes(job)  # around a chunk; of all
    room = (card.free() // MEMORY_DIVISOR - hits) // N_BUFFERS - margin
    if room < MIN_CHUNK:
        needed = MEMORY_DIVISOR * (N_BUFFERS * (MIN_CHUNK + margin) + hits)
        raise DeviceOutOfMemory(f"{card.free() / 1e6:,.0f} MB are free, a search needs {needed / 1e6:,.0f} MB")
    busy = LETTERS_PER_THREAD * PROCESSOR_THREADS * card.processors
    told_apart = KeyBits.of(job).most_letters - margin  # where hits start
    return max(CHECK_LETTERS, rounded(min(MAX_CHUNK, busy, n, room, told_apart)))
