"""Sequence of kernel launches over many items, with events."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.gpu.card.interface import Card, CudaKernel, Launch
from wavediff.gpu.card.queue import StreamEvent
from wavediff.gpu.card.transfer import make_ready

BLOCK_THREADS = 256  # of a block
BLOCKS_PER_PROCESSOR = 16  # of a processor: a thread then goes on to further items
WAIT_SECONDS = 0.02  # seconds after which what was launched is waited for
FIRST_LETTER_SECONDS = (
    1e-10  # seconds a letter, before any was measured: an H200 takes a twentieth of it, or half in a walk
)
MIN_LAUNCH_SECONDS = 2e-5  # seconds that the smallest launch may take
TELLING_LETTERS = 1 << 20  # letters of a launch that shows how fast a card is
LAUNCH_ITEMS = (
    1 << 27
)  # items of a launch: what takes an H200 up to 10 ms, and a tenth of its memory's speed not yet 100
SPAN = np.dtype([("first", np.int64), ("end", np.int64)])
NOTHING = np.uint64(0)  # a null pointer


class Span(NamedTuple):
    """Items ``[first, end)`` of a launch."""

    first: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.first

    @property
    def struct(self) -> Any:
        """The first argument of the launch."""
        return np.array(self, SPAN)[()]


@dataclass(frozen=True, slots=True, eq=False)
class _Launched:
    """Launch not yet waited for.

    Attributes:
        letters: that it goes through.
        arguments: held, for what Python gives back may be taken by another thread while the card is still at it.
    """

    kernel: str
    letters: int
    arguments: tuple[Any, ...]
    begun: StreamEvent
    ended: StreamEvent


class LaunchQueue:
    """Launch queue of a job. It is empty at each event, so the job can be cancelled.

    Arrays that are reported inside a struct must live until ``settle``. ``waiting``: launches that may be under way.

    Args:
        kernel: which part of the job the time belongs to; set it again where another one begins.
    """

    def __init__(self, card: Card, step: Step, kernel: str) -> None:
        self.card, self.step, self.kernel = card, step, kernel
        self._queue = card.queue()
        self.waiting: list[_Launched] = []
        self._expected = 0.0  # seconds that these may take
        self._letter = FIRST_LETTER_SECONDS  # seconds a letter, at most

    def run(
        self, unit: str, name: str, n: int, *arguments: Any, spread: bool = False, each: int = 1, **macros: int
    ) -> Generator[Event, None, None]:
        """Run a kernel of ``unit`` over ``n`` items; its first argument is the span of a launch.

        Args:
            spread: a thread an item, for items that take long.
            each: letters that an item stands for: a launch has so much fewer.
        """
        kernel = self.card.kernel(unit, name, **macros)
        yield from self.compiled(kernel)
        for some in spans(n, each):
            blocks = -(-some.size // BLOCK_THREADS)
            if not spread:
                blocks = min(blocks, BLOCKS_PER_PROCESSOR * self.card.processors)
            yield from self.launch(kernel, blocks, BLOCK_THREADS, some.size * each, some.struct, *arguments)

    def compiled(self, kernel: CudaKernel) -> Generator[Event, None, None]:
        """Report a kernel just compiled."""
        if kernel.seconds:
            yield from self.settle()
            yield self.step.compiled(self.kernel, kernel.seconds)

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, letters: int, *arguments: Any
    ) -> Generator[Event, None, None]:
        """Enqueue a launch; wait if the queued ones may take a full step.

        Args:
            letters: that it goes through.
        """
        begun = self._queue.moment()
        self._queue.launch(kernel, blocks, threads, 0, *arguments)
        self.waiting.append(_Launched(self.kernel, letters, arguments, begun, self._queue.moment()))
        self._expected += MIN_LAUNCH_SECONDS + letters * self._letter
        if self._expected > WAIT_SECONDS:
            yield from self.settle()

    def settle(self) -> Generator[Event, None, None]:
        """Wait for the queue, and update the time estimates."""
        waiting, self.waiting, self._expected = self.waiting, [], 0.0
        if not waiting:
            return
        waiting[-1].ended.wait()
        slowest = self._letter / 2
        for one in waiting:
            seconds = one.ended.seconds_since(one.begun)
            if one.letters >= TELLING_LETTERS:
                slowest = max(slowest, seconds / one.letters)
            yield self.step.took(one.kernel, seconds)
        self._letter = slowest

    def run_each(
        self, unit: str, name: str, launches: list[Launch], letters: int, **macros: int
    ) -> Generator[Event, None, None]:
        """Run a kernel once per entry of ``launches``, with ``letters`` letters per block."""
        kernel = self.card.kernel(unit, name, **macros)
        yield from self.compiled(kernel)
        for blocks, arguments in launches:
            yield from self.launch(kernel, blocks, BLOCK_THREADS, blocks * letters, *arguments)

    def sums(self, array: Any, dtype: npt.DTypeLike = np.uint32) -> Generator[Event, None, Any]:
        """Return the inclusive prefix sums of ``array``."""
        out, seconds = self.card.running_sums(array, dtype)
        yield from self.settle()  # it is done by now
        yield self.step.took(self.kernel, seconds)
        return out

    def upload(self, array: Any) -> Generator[Event, None, Any]:
        yield from make_ready(self.step, array)
        start = perf_counter()
        out = self.card.upload(array)
        yield self.step.done("upload", start)
        return out

    def download(self, array: Any) -> Generator[Event, None, Any]:
        """Return a read-only copy."""
        yield from make_ready(self.step, array)
        yield from self.settle()
        start = perf_counter()
        out = self.card.download(array)
        out.setflags(write=False)
        yield self.step.done("download", start)
        return out

    def number(self, array: Any, at: int = -1) -> int:
        """Return one item of a device array."""
        at %= array.size
        return int(self.card.download(array[at : at + 1])[0])

    def letters(self, text: Any) -> Generator[Event, None, Letters]:
        """Return the distinct letters of ``text`` (uint8, device), sorted."""
        counts = self.card.zeros(256, np.uint32)
        yield from self.run("bwt_text.cu", "count_letters", text.size, text, counts)
        return np.flatnonzero(self.card.download(counts)).astype(np.uint8)


def spans(n: int, each: int = 1, whole: int = BLOCK_THREADS) -> list[Span]:
    """Split ``n`` items of ``each`` letters into launches of multiples of ``whole`` items."""
    size = max(1, LAUNCH_ITEMS // each // whole) * whole
    return [Span(first, min(n, first + size)) for first in range(0, n, size)]


def codes_of(letters: Letters) -> Letters:
    """Return the rank of each letter, uint8, shape (256,)."""
    codes = np.zeros(256, np.uint8)
    codes[letters] = np.arange(letters.size)
    return codes
