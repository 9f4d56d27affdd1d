"""Drive ``cuda/bwt_ternary.cu``: Yamanaka, Ino and Hagihara's ternary quicksort of the suffixes, all segments of a
level together.

Pivots, levels and ranks are those of ``core.kernels.bwt.ternary_sort``, so both sort in the same steps.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from core.errors import DeviceOutOfMemory
from core.jobs.bwt_result import SortLevel
from core.jobs.events import Event
from core.kernels.bwt.ternary_sort import MAX_DEPTH_LETTERS
from gpu.bwt.bwt_launches import LaunchQueue

UNIT = "bwt_ternary.cu"
BYTES_PER_ROW = 68  # bytes on the card for each row at the worst moment
_POINTERS = ("suffixes", "segment_of", "begins", "places", "depths")
STRUCT = np.dtype([(name, np.uint64) for name in ("text", "ranks", "n", *_POINTERS)])
_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)


class Ternary:
    """The suffixes of ``text`` (uint8, on the card) while they are sorted."""

    def __init__(self, steps: LaunchQueue, text: Any, keep_levels: bool) -> None:
        self._steps, self._card, self._text, self._rows = steps, steps.card, text, int(text.size) + 1
        self._levels: list[SortLevel] | None = [] if keep_levels else None
        self._ranks: Any = None

    def sort(self) -> Generator[Event, None, tuple[Any, tuple[SortLevel, ...]]]:
        """Return the order of the suffixes, int32, shape (n + 1,), on the card, and the levels if they are kept.

        Raises:
            DeviceOutOfMemory: there is no room, told before anything is allocated.
        """
        card, rows = self._card, self._rows
        if rows * BYTES_PER_ROW > card.free():
            raise DeviceOutOfMemory(
                f"the ternary quicksort of {rows - 1:,} letters needs {rows * BYTES_PER_ROW / 2**30:,.2f} GiB "
                f"on {card.name}, {card.free() / 2**30:,.2f} GiB are free"
            )
        self._order, self._tops = card.empty(rows, np.int32), card.empty(rows, np.int32)
        suffixes, segment_of = card.empty(rows, np.int32), card.empty(rows, np.int32)
        yield from self._run("list_all", rows, suffixes, segment_of)
        begins, nil = card.upload(np.array([0, rows], np.int32)), np.zeros(1, np.int32)
        yield from self._part((suffixes, segment_of, begins, card.upload(nil), card.upload(nil)))
        depth = MAX_DEPTH_LETTERS
        while (waiting := (yield from self._waiting(depth))) is not None:
            if self._ranks is None:
                self._ranks = card.empty(rows, np.int32)
            yield from self._run("rank_suffixes", rows, self._order, self._tops, self._ranks)
            yield from self._part(waiting)
            depth *= 2
        return self._order, tuple(self._levels or ())

    def _run(self, name: str, n: int, *arguments: Any) -> Generator[Event, None, None]:
        yield from self._steps.run(UNIT, name, n, *arguments)

    def _part(self, todo: tuple[Any, ...]) -> Generator[Event, None, None]:
        """Part the segments of ``todo`` level by level, by letters or by ranks as they are."""
        card = self._card
        while todo[0].size:
            suffixes, _, begins, places, depths = todo
            count, n_segments = int(suffixes.size), int(places.size)
            level = self._level(todo)
            pivots = card.empty(n_segments, np.int32)
            yield from self._run("choose_pivots", n_segments, level, pivots)
            marks = card.empty(count, np.uint64)
            yield from self._run("compare_keys", count, level, pivots, marks)
            sums = yield from self._steps.sums(marks, np.uint64)
            placed = card.empty(count, np.int32)
            yield from self._run(
                "place_suffixes", count,
                level, sums, np.int32(MAX_DEPTH_LETTERS), placed, self._order, self._tops, marks,
            )  # fmt: skip
            again = yield from self._steps.sums(marks, np.uint64)
            if self._levels is not None:
                self._levels.append(self._told(sums, begins, places, depths, pivots))
            both = self._steps.number(again)
            made = self._room(both & int(_LOW), both >> int(_HALF))
            yield from self._run("list_segments", count, level, sums, placed, marks, again, np.int64(count), *made)
            yield from self._steps.settle()
            todo = made

    def _waiting(self, depth: int) -> Generator[Event, None, tuple[Any, ...] | None]:
        """Return the segments of suffixes that share ``depth`` letters, None if there are none."""
        rows = np.int64(self._rows)
        marks = self._card.empty(self._rows, np.uint64)
        yield from self._run("mark_waiting", self._rows, self._tops, marks)
        sums = yield from self._steps.sums(marks, np.uint64)
        both = self._steps.number(sums)
        if both == 0:
            return None
        made = self._room(both & int(_LOW), both >> int(_HALF))
        yield from self._run("list_waiting", self._rows, self._order, marks, sums, rows, np.int32(depth), *made)
        return made

    def _room(self, n_suffixes: int, n_segments: int) -> tuple[Any, ...]:
        sizes = n_suffixes, n_suffixes, n_segments + 1, n_segments, n_segments
        return tuple(self._card.empty(size, np.int32) for size in sizes)

    def _level(self, todo: tuple[Any, ...]) -> Any:
        struct: Any = np.zeros((), STRUCT)
        struct["text"], struct["n"] = self._card.address(self._text), self._rows - 1
        struct["ranks"] = 0 if self._ranks is None else self._card.address(self._ranks)
        for name, array in zip(_POINTERS, todo, strict=True):
            struct[name] = self._card.address(array)
        return struct[()]

    def _told(self, sums: Any, begins: Any, places: Any, depths: Any, pivots: Any) -> SortLevel:
        """Return what a level did, of a text that is short."""
        down = self._card.download
        sums, begin, place, depth, pivot = (down(one) for one in (sums, begins, places, depths, pivots))
        before = np.concatenate([np.zeros(1, np.uint64), sums])[begin]
        made = before[1:] - before[:-1]
        less, equal = (made & _LOW).astype(np.int32), (made >> _HALF).astype(np.int32)
        bounds = np.stack([place, place + less, place + less + equal, place + np.diff(begin)])
        starts, ends = bounds[:-1].T.ravel(), bounds[1:].T.ravel()
        kept = ends > starts
        return SortLevel(
            order=down(self._order),
            starts=starts[kept],
            ends=ends[kept],
            parts=np.tile(np.arange(3, dtype=np.uint8), place.size)[kept],
            pivots=np.repeat(pivot, 3)[kept],
            depths=np.repeat(depth, 3)[kept],
            by_rank=self._ranks is not None,
        )


def last_column(steps: LaunchQueue, text: Any, order: Any) -> Generator[Event, None, tuple[Any, int]]:
    """Return the last column, on the card, and its primary row."""
    card = steps.card
    row, last = card.zeros(1, np.int32), card.empty(text.size, np.uint8)
    steps.kernel = "last column"
    yield from steps.run(UNIT, "find_whole", order.size, order, row)
    yield from steps.run(UNIT, "write_column", order.size, text, order, row, last)
    return last, steps.number(row)
