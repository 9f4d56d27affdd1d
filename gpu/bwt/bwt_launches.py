"""Sequence of kernel launches over many items, with events."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.gpu.card.cuda import Card, CudaKernel, Launch
from wavediff.gpu.card.queue import StreamEvent
from wavediff.gpu.card.transfer import make_ready

BLOCK_THREADS = 256  # of a block
BLOCKS_PER_PROCESSOR = 16  # blocks per multiprocessor: a thread then processes several items
WAIT_SECONDS = 0.02  # seconds of launches before waiting for them
FIRST_LETTER_SECONDS = 1e-10  # initial seconds per letter: an H200 takes a twentieth, or half of it in a walk
MIN_LAUNCH_SECONDS = 2e-5  # seconds that the smallest launch may take
TELLING_LETTERS = 1 << 20  # minimum letters of a launch to measure the card's speed
LAUNCH_ITEMS = 1 << 27  # items of a launch: up to 10 ms on an H200, under 100 ms at a tenth of its memory speed
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
        return np.array(self, SPAN)[()]


@dataclass(slots=True, eq=False)
class _Section:
    """Consecutive launches of a part of the job, not finished yet.

    Attributes:
        letters: processed by the launches.
        arguments: referenced until the card is done, so that their memory is not reused.
    """

    kernel: str
    begun: StreamEvent
    ended: StreamEvent | None = None
    letters: int = 0
    arguments: list[tuple[Any, ...]] = field(default_factory=list)


class LaunchQueue:
    """Launch queue of a job. It is empty at each event, so the job can be cancelled.

    Arrays inside a struct argument must live until ``settle``. ``waiting``: launches that may be running.

    Args:
        kernel: name under which the time is reported; set it before each part.
    """

    def __init__(self, card: Card, step: Step, kernel: str) -> None:
        self.card, self.step, self.kernel = card, step, kernel
        self._queue = card.queue()
        self.waiting: list[_Section] = []
        self._expected = 0.0  # maximum seconds of the queued launches
        self._letter = FIRST_LETTER_SECONDS  # maximum seconds per letter

    def run(
        self, unit: str, name: str, n: int, *arguments: Any, spread: bool = False, each: int = 1, **macros: int
    ) -> Generator[Event, None, None]:
        """Run a kernel of ``unit`` over ``n`` items; its first argument is the span of a launch.

        Args:
            spread: one thread per item, for long items.
            each: letters per item, to limit the items of a launch.
        """
        kernel = self.card.kernel(unit, name, **macros)
        yield from self.compiled(kernel)
        for some in spans(n, each):
            blocks = -(-some.size // BLOCK_THREADS)
            if not spread:
                blocks = min(blocks, BLOCKS_PER_PROCESSOR * self.card.processors)
            yield from self.launch(kernel, blocks, BLOCK_THREADS, some.size * each, some.struct, *arguments)

    def compiled(self, kernel: CudaKernel) -> Generator[Event, None, None]:
        if kernel.seconds:
            yield from self.settle()
            yield self.step.compiled(self.kernel, kernel.seconds)

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, letters: int, *arguments: Any
    ) -> Generator[Event, None, None]:
        """Enqueue a launch; wait for the queue if its launches may take a full step.

        Args:
            letters: processed by the launch.
        """
        section = self._section()
        self._queue.launch(kernel, blocks, threads, 0, *arguments)
        section.arguments.append(arguments)
        section.letters += letters
        self._expected += MIN_LAUNCH_SECONDS + letters * self._letter
        if self._expected > WAIT_SECONDS:
            yield from self.settle()

    def _section(self) -> _Section:
        """Return the section of ``kernel``, which the next launch belongs to."""
        if not self.waiting or self.waiting[-1].kernel != self.kernel:
            now = self._queue.moment()
            if self.waiting:
                self.waiting[-1].ended = now
            self.waiting.append(_Section(self.kernel, now))
        return self.waiting[-1]

    def settle(self) -> Generator[Event, None, None]:
        """Wait for the queue, and update the time estimates."""
        waiting, self.waiting, self._expected = self.waiting, [], 0.0
        if not waiting:
            return
        end = self._queue.moment()
        end.wait()
        slowest = self._letter / 2
        for section in waiting:
            seconds = (section.ended or end).seconds_since(section.begun)
            if section.letters >= TELLING_LETTERS:
                slowest = max(slowest, seconds / section.letters)
            yield self.step.took(section.kernel, seconds)
        self._letter = slowest

    def run_each(
        self, unit: str, name: str, launches: list[Launch], letters: int, **macros: int
    ) -> Generator[Event, None, None]:
        """Run a kernel once per entry of ``launches``, with ``letters`` letters per block."""
        kernel = self.card.kernel(unit, name, **macros)
        yield from self.compiled(kernel)
        for blocks, arguments in launches:
            yield from self.launch(kernel, blocks, BLOCK_THREADS, blocks * letters, *arguments)

    def sums(self, array: Any, dtype: npt.DTypeLike = np.uint32) -> Any:
        """Return the inclusive prefix sums of ``array``, after all queued launches."""
        section = self._section()
        out = self.card.running_sums(array, dtype)
        section.arguments.append((array, out))
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
