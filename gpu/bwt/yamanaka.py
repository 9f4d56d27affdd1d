"""Ternary quicksort of suffixes as published by Yamanaka, Ino and Hagihara (``cuda/yamanaka.cu``), for comparison.

Source: Yamanaka, Ino and Hagihara, section 3. Details that it leaves open, the work of a thread block and the pivots,
follow GPU-Quicksort, which it extends, or Bentley and Sedgewick, the authors of the algorithm. Differences: the
rotations are those of ``T$``, as everywhere here; lists of segments are created on the card, in GPU-Quicksort on the
host.

Every level compares one letter, so a repeat of n letters takes at least n levels, and ``aaaa`` never ends in practice.
``wavediff.core.kernels.bwt.sort.ternary_sort`` solves this.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.gpu.bwt.bwt_launches import LAUNCH_ITEMS, LaunchQueue, spans
from wavediff.gpu.card.cuda import Card

UNIT = "yamanaka.cu"
MACROS: dict[str, Any] = {"THREADS": 64, "ITEMS": 8}
BLOCK: int = MACROS["THREADS"] * MACROS["ITEMS"]  # suffixes per thread block
BYTES_PER_ROW = 76  # peak bytes per row on the card: two arrays of segments, at two levels
_POINTERS = ("suffixes", "begins", "ends", "depths", "pivots", "segment_of", "first_blocks")
LEVEL = np.dtype([(name, np.uint64) for name in ("text", "n", *_POINTERS)])
MIN_BLOCK_SUFFIXES = 16  # suffixes that take as long as the overhead of a thread block
_LOW = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class CardSegments:
    """Segments of a level: device arrays, int32, one item per segment; ``segment_of``: per block."""

    begins: Any
    ends: Any
    depths: Any
    pivots: Any
    segment_of: Any
    first_blocks: Any

    @classmethod
    def room(cls, card: Card, count: int, blocks: int) -> CardSegments:
        """Allocate uninitialised segment arrays."""
        sizes = count, count, count, count, blocks, count
        return cls(*(card.empty(size, np.int32) for size in sizes))

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.begins, self.ends, self.depths, self.pivots, self.segment_of, self.first_blocks


class YamanakaSort:
    """Sorter for the suffixes of ``text`` (uint8, on the card)."""

    def __init__(self, steps: LaunchQueue, text: Any) -> None:
        self._steps, self._card, self._text, self._rows = steps, steps.card, text, int(text.size) + 1
        self.levels = 0

    def sort(self) -> Generator[Event, None, Any]:
        """Return the suffix array, int32, shape (n + 1,), on the card.

        Raises:
            DeviceOutOfMemory: too little memory on the card; nothing has been allocated.
        """
        card, rows = self._card, self._rows
        if rows * BYTES_PER_ROW > card.free():
            raise DeviceOutOfMemory(
                f"the quicksort of Yamanaka, Ino and Hagihara of {rows - 1:,} letters needs "
                f"{rows * BYTES_PER_ROW / 2**30:,.2f} GiB "
                f"on {card.name}, {card.free() / 2**30:,.2f} GiB are free"
            )
        order, suffixes, placed = (card.empty(rows, np.int32) for _ in range(3))
        todo = CardSegments.room(card, 1, -(-rows // BLOCK))
        for array, value in ((todo.begins, 0), (todo.ends, rows), (todo.depths, 0), (todo.first_blocks, 0)):
            array[:] = value
        yield from self._run("list_all", rows, self._level(suffixes, todo), suffixes, todo.segment_of, todo.pivots)
        while todo.begins.size:
            todo = yield from self._part(todo, suffixes, placed, order)
            suffixes, placed = placed, suffixes
            self.levels += 1
        return order

    def _part(self, todo: CardSegments, suffixes: Any, placed: Any, order: Any) -> Generator[Event, None, CardSegments]:
        """Partition every segment once; return those to partition again."""
        card, count = self._card, int(todo.begins.size)
        level = self._level(suffixes, todo)
        less, taken = card.zeros(count, np.uint32), card.zeros(3 * count, np.uint32)
        yield from self._blocks("count_less", int(todo.segment_of.size), level, less)
        yield from self._blocks("place_suffixes", int(todo.segment_of.size), level, less, taken, placed)
        counts = card.empty(count, np.uint64)
        yield from self._run("count_parts", count, level, taken, placed, order, counts)
        sums = self._steps.sums(counts, np.uint64)
        both = self._steps.number(sums)
        made = CardSegments.room(card, both & _LOW, both >> 32)
        after = self._level(placed, made)
        yield from self._run("list_parts", count, level, taken, counts, sums, after, *made.arrays)
        yield from self._steps.settle()
        return made

    def _run(self, name: str, n: int, *arguments: Any) -> Generator[Event, None, None]:
        yield from self._steps.run(UNIT, name, n, *arguments, **MACROS)

    def _blocks(self, name: str, blocks: int, *arguments: Any) -> Generator[Event, None, None]:
        steps = self._steps
        kernel = self._card.kernel(UNIT, name, **MACROS)
        yield from steps.compiled(kernel)
        # All blocks of a level have at most ``rows`` suffixes together; most may have only two.
        for some in spans(blocks, BLOCK if self._rows > LAUNCH_ITEMS else BLOCK // MIN_BLOCK_SUFFIXES, 1):
            yield from steps.launch(
                kernel, some.size, MACROS["THREADS"], some.size * MIN_BLOCK_SUFFIXES, some.struct, *arguments
            )

    def _level(self, suffixes: Any, segments: CardSegments) -> Any:
        struct: Any = np.zeros((), LEVEL)
        struct["text"], struct["n"] = self._card.address(self._text), self._rows - 1
        for name, array in zip(_POINTERS, (suffixes, *segments.arrays), strict=True):
            struct[name] = self._card.address(array)
        return struct[()]


def last_column(steps: LaunchQueue, text: Any, order: Any) -> Generator[Event, None, tuple[Any, int]]:
    """Return the last column, on the card, and the primary row."""
    card = steps.card
    row, last = card.zeros(1, np.int32), card.empty(text.size, np.uint8)
    steps.kernel = "last column"
    yield from steps.run(UNIT, "find_whole", order.size, order, row, **MACROS)
    yield from steps.run(UNIT, "write_column", order.size, text, order, row, last, **MACROS)
    return last, steps.number(row)
