"""Kernels over many items, one launch after another, each told in an event."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Letters
from core.events import Compiled, Event, StepDone
from gpu.card import Card, Launch
from gpu.transfer import make_ready

THREADS = 256  # of a block
BLOCKS = 16  # of a processor: a thread then goes on to further items
NOTHING = np.uint64(0)  # a null pointer


class Steps:
    """What a job does on a card.

    Args:
        kernel: which part of the job the time belongs to; set it anew where another one begins.
    """

    def __init__(self, card: Card, job_id: int, kernel: str) -> None:
        self.card, self.job_id, self.kernel = card, job_id, kernel

    def run(
        self, unit: str, name: str, n: int, *arguments: Any, spread: bool = False, **macros: int
    ) -> Generator[Event, None, None]:
        """Run a kernel of ``unit`` over ``n`` items; ``spread``: a thread an item, for items that take long."""
        kernel = self.card.kernel(unit, name, **macros)
        if kernel.seconds:
            yield Compiled(self.job_id, self.kernel, kernel.seconds)
        if n:
            blocks = -(-n // THREADS)
            if not spread:
                blocks = min(blocks, BLOCKS * self.card.processors)
            yield self._done(self.card.launch(kernel, blocks, THREADS, 0, *arguments))

    def run_each(self, unit: str, name: str, launches: list[Launch], **macros: int) -> Generator[Event, None, None]:
        """Run a kernel for each of ``launches``, told as one."""
        kernel = self.card.kernel(unit, name, **macros)
        if kernel.seconds:
            yield Compiled(self.job_id, self.kernel, kernel.seconds)
        yield self._done(self.card.launch_each(kernel, THREADS, 0, launches))

    def sums(self, array: Any, dtype: npt.DTypeLike = np.uint32) -> Generator[Event, None, Any]:
        """Return the sums of ``array`` up to and with each item."""
        out, seconds = self.card.running_sums(array, dtype)
        yield self._done(seconds)
        return out

    def upload(self, array: Any) -> Generator[Event, None, Any]:
        yield from make_ready(self.job_id, array)
        start = perf_counter()
        out = self.card.upload(array)
        yield StepDone(self.job_id, "upload", 1, 0, perf_counter() - start)
        return out

    def download(self, array: Any) -> Generator[Event, None, Any]:
        """Return a read-only copy."""
        yield from make_ready(self.job_id, array)
        start = perf_counter()
        out = self.card.download(array)
        out.setflags(write=False)
        yield StepDone(self.job_id, "download", 1, 0, perf_counter() - start)
        return out

    def number(self, array: Any, at: int = -1) -> int:
        """Return one item of an array of the card."""
        at %= array.size
        return int(self.card.download(array[at : at + 1])[0])

    def letters(self, text: Any) -> Generator[Event, None, Letters]:
        """Return the letters that occur in ``text`` (uint8, on the card), in order."""
        counts = self.card.zeros(256, np.uint32)
        yield from self.run("bwt_text.cu", "count_letters", text.size, text, np.int64(text.size), counts)
        return np.flatnonzero(self.card.download(counts)).astype(np.uint8)

    def _done(self, seconds: float) -> StepDone:
        return StepDone(self.job_id, self.kernel, 1, 0, seconds)


def codes_of(letters: Letters) -> Letters:
    """Return the number of each letter among ``letters``, uint8, shape (256,)."""
    codes = np.zeros(256, np.uint8)
    codes[letters] = np.arange(letters.size)
    return codes
