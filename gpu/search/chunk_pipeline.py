"""Chunks of a text in their order, each brought to a place on the card while those before it are searched."""

from __future__ import annotations

from collections import deque

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.search import SearchJob
from wavediff.gpu.card.interface import Card
from wavediff.gpu.search.chunk import Chunk
from wavediff.gpu.search.hit_room import KeyBits, room_bytes
from wavediff.gpu.search.tables import CHECK_LETTERS, rounded

N_BUFFERS = 3
LETTERS_PER_THREAD = 1024  # of a chunk for each thread of the card
PROCESSOR_THREADS = 1536  # of a multiprocessor, as many as the kernels have at work at a time
MAX_CHUNK = 1 << 27  # letters
MIN_CHUNK = 1 << 20
MEMORY_DIVISOR = 2  # all chunks take one part in so many of the memory that is free


class ChunkPipeline:
    """The chunks of one of several cards, which take them in turn.

    Use as a context; when it ends, nothing is under way any more.

    Args:
        size: see ``chunk_letters``. k, n: number of the card, and of cards.
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
        """Begin to bring as many chunks as there are places; the one that ``next`` returned last gives up its own."""
        if self._last is not None:
            self._free.append(self._last)
            self._last = None
        while self._free and (begin := next(self._begins, None)) is not None:
            chunk = self._free.popleft()
            chunk.bring(begin, min(int(self._job.text.size), begin + self._size))
            self._under_way.append(chunk)

    def next(self) -> Chunk | None:
        """Return the chunk that is to be searched next, which may not have arrived yet; None after the last one."""
        self._last = self._under_way.popleft() if self._under_way else None
        return self._last


def letters_before(job: SearchJob) -> int:
    """Return how far ahead of its chunk an occurrence may begin, and a look at the letters before it."""
    longest = max((len(one.letters) for one in job.patterns), default=0)
    return rounded(longest + job.errors + CHECK_LETTERS)


def chunk_letters(card: Card, job: SearchJob, n: int) -> int:
    """Return the letters of a chunk: enough for every thread, and not more than there is room for.

    Args:
        n: letters of the text that the card gets in all.

    Raises:
        DeviceOutOfMemory: there is no room for any.
    """
    beside, hits = letters_before(job) + 3 * CHECK_LETTERS, room_bytes(job)  # around a chunk; of all
    room = (card.free() // MEMORY_DIVISOR - hits) // N_BUFFERS - beside
    if room < MIN_CHUNK:
        needed = MEMORY_DIVISOR * (N_BUFFERS * (MIN_CHUNK + beside) + hits)
        raise DeviceOutOfMemory(f"{card.free() / 1e6:,.0f} MB are free, a search needs {needed / 1e6:,.0f} MB")
    busy = LETTERS_PER_THREAD * PROCESSOR_THREADS * card.processors
    told_apart = KeyBits.of(job).most_letters - beside  # where hits start
    return max(CHECK_LETTERS, rounded(min(MAX_CHUNK, busy, n, room, told_apart)))
