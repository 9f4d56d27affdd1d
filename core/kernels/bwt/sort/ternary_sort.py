"""Ternary quicksort of suffixes, level by level (Yamanaka, Ino and Hagihara), switching to ranks for long repeats.

Source: Yamanaka, Ino and Hagihara; Bentley and Sedgewick (1997). Repetitive texts differ: a segment with
``MAX_DEPTH_LETTERS`` shared letters waits for all others. Then the ranks of the suffixes that begin after these letters
partition it, which doubles the shared letters per round (Larsson and Sadakane, 2007). So n equal letters take about log
n rounds instead of n levels.

One level is two passes over all segments (Yamanaka, Ino and Hagihara, section 3): the first finds the start of the
equal suffixes of each segment, the second moves every suffix to the less, equal or greater ones. Segments are cut into
blocks to balance the load of the threads.

The key of a suffix is the letter at distance ``depth`` (-1 for ``$``) or, once all segments share this many letters,
the rank of the suffix there; ``$`` then has rank 0.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jobs.bwt_result import SortLevel, TernaryPart
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import SCAN_PLACES, Clock, ranges
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

BLOCK_SUFFIXES = 1 << 14  # suffixes of a block at most
MAX_DEPTH_LETTERS = 32  # compared one by one
BATCH_SEGMENTS = 1 << 18  # segments whose parts are counted and placed together
LEVELS, PASSES = "levels", "passes"  # lanes of a record


@dataclass(slots=True, eq=False)
class CpuSegments:
    """Unsorted segments: places ``starts`` to ``ends`` that share ``depths`` letters; int64."""

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]

    def __getitem__(self, which: slice | npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> CpuSegments:
        return CpuSegments(self.starts[which], self.ends[which], self.depths[which])

    def __len__(self) -> int:
        return int(self.starts.size)

    @classmethod
    def joined(cls, many: list[CpuSegments]) -> CpuSegments:
        """Concatenate segments, sorted by place."""
        if not many:
            return cls(*(np.zeros(0, np.int64) for _ in range(3)))
        segments = cls(*(np.concatenate([getattr(one, name) for one in many]) for name in ("starts", "ends", "depths")))
        return segments if (segments.starts[1:] > segments.starts[:-1]).all() else segments[np.argsort(segments.starts)]


@dataclass(slots=True, eq=False)
class Sorting:
    """Suffix array, a buffer of the same size, and ranks once needed; int32, shape (n + 1,)."""

    text: Letters
    order: Positions
    room: Positions
    ranks: Positions
    levels: list[SortLevel] | None
    n_levels: int = 0


def sort(
    text: Letters, keep_levels: bool, pace: Clock
) -> Generator[Event, None, tuple[Positions, tuple[SortLevel, ...]]]:
    """Return the suffix array, int32, shape (n + 1,), and the record of each level if ``keep_levels``."""
    n_rows = text.size + 1
    state = Sorting(
        text,
        np.arange(n_rows, dtype=np.int32),
        np.empty(n_rows, np.int32),
        np.zeros(0, np.int32),
        [] if keep_levels else None,
    )
    whole = CpuSegments(np.array([0], np.int64), np.array([n_rows], np.int64), np.array([0], np.int64))
    waiting = yield from _by_letters(state, whole, pace)
    if len(waiting):
        state.ranks = np.empty(n_rows, np.int32)
        for lo, hi in ranges(n_rows):
            state.ranks[state.order[lo:hi]] = np.arange(lo, hi, dtype=np.int32)
            yield from pace()
    while len(waiting):
        yield from _rank(state, waiting, True, pace)
        waiting = yield from _by_ranks(state, waiting, pace)
    return state.order, tuple(state.levels or ())


def _by_letters(state: Sorting, todo: CpuSegments, pace: Clock) -> Generator[Event, None, CpuSegments]:
    """Partition segments letter by letter; return those that share ``MAX_DEPTH_LETTERS`` letters."""
    waiting: list[CpuSegments] = []
    while len(todo):
        made, part = yield from _level(state, todo, pace)
        made.depths[part == TernaryPart.EQUAL] += 1
        many = made.ends - made.starts > 1
        far = made.depths >= MAX_DEPTH_LETTERS
        waiting.append(made[many & far])
        todo = made[many & ~far]
    return CpuSegments.joined(waiting)


def _by_ranks(state: Sorting, todo: CpuSegments, pace: Clock) -> Generator[Event, None, CpuSegments]:
    """Partition segments by ranks until only ties are left; return the ties, which share twice as many letters."""
    waiting: list[CpuSegments] = []
    before = todo
    while len(todo):
        made, part = yield from _level(state, todo, pace)
        many = made.ends - made.starts > 1
        same = part == TernaryPart.EQUAL
        made.depths[same] *= 2
        waiting.append(made[many & same])
        todo = made[many & ~same]
    yield from _rank(state, before, False, pace)
    return CpuSegments.joined(waiting)


def _rank(state: Sorting, some: CpuSegments, alike: bool, pace: Clock) -> Generator[Event, None, None]:
    for lo, hi in _batches(some):
        rank_segments(state.order, some.starts, some.ends, lo, hi, alike, state.ranks)
        yield from pace()


def _batches(segments: CpuSegments) -> list[tuple[int, int]]:
    """Split into batches of up to ``BATCH_SEGMENTS`` segments and ``SCAN_PLACES`` suffixes, or one longer segment."""
    total = np.concatenate([[0], np.cumsum(segments.ends - segments.starts)])
    cuts = [0]
    while cuts[-1] < len(segments):
        reach = int(np.searchsorted(total, total[cuts[-1]] + SCAN_PLACES, side="right")) - 1
        cuts.append(min(max(reach, cuts[-1] + 1), cuts[-1] + BATCH_SEGMENTS, len(segments)))
    return list(pairwise(cuts))


def _level(
    state: Sorting, todo: CpuSegments, pace: Clock
) -> Generator[Event, None, tuple[CpuSegments, npt.NDArray[np.uint8]]]:
    """Partition every segment once; return the non-empty parts (with the depths of their parents)."""
    made: list[CpuSegments] = []
    kinds, pivots, began = [], [], perf_counter()
    state.n_levels += 1
    for lo, hi in _batches(todo):
        some = todo[lo:hi]
        keys = Keys(state.text, state.ranks, state.order, some.depths, np.empty(len(some), np.int64))
        choose_pivots(keys, some.starts, some.ends)
        new, kind = yield from _part(state, some, keys, pace)
        made.append(new)
        kinds.append(kind)
        if state.levels is not None:
            parent = np.searchsorted(some.starts, new.starts, side="right") - 1
            pivots.append(keys.pivots[parent])
    segments, part = CpuSegments.joined(made), np.concatenate(kinds)
    if state.levels is not None:
        state.levels.append(
            SortLevel(
                order=state.order.copy(),
                starts=segments.starts.astype(np.int32),
                ends=segments.ends.astype(np.int32),
                parts=part,
                pivots=np.concatenate(pivots).astype(np.int32),
                depths=segments.depths.astype(np.int32),
                by_rank=bool(state.ranks.size),
            )
        )
    pace.note(f"level {state.n_levels:,}", LEVELS, began)
    return segments, part


def _part(
    state: Sorting, some: CpuSegments, keys: Keys, pace: Clock
) -> Generator[Event, None, tuple[CpuSegments, npt.NDArray[np.uint8]]]:
    """Partition segments: count keys, sum the counts, place suffixes; segments keep their order."""
    sizes = some.ends - some.starts
    n_blocks = -(-sizes // BLOCK_SUFFIXES)
    block_of = np.repeat(np.arange(len(some)), n_blocks)
    first_block = np.cumsum(n_blocks) - n_blocks
    block_start = some.starts[block_of] + (np.arange(block_of.size) - first_block[block_of]) * BLOCK_SUFFIXES
    block_end = np.minimum(block_start + BLOCK_SUFFIXES, some.ends[block_of])
    blocks = Blocks(block_of, block_start, block_end)
    less, equal = np.empty(block_of.size, np.int64), np.empty(block_of.size, np.int64)
    cuts = _cut(block_end - block_start)
    began = perf_counter()
    for lo, hi in cuts:
        count_parts(keys, blocks, lo, hi, less, equal)
        yield from pace()
    pace.note("count", PASSES, began)
    greater = block_end - block_start - less - equal
    n_less, n_equal = np.add.reduceat(less, first_block), np.add.reduceat(equal, first_block)
    equal_start, greater_start = some.starts + n_less, some.starts + n_less + n_equal
    places = []
    for counts, start in ((less, some.starts), (equal, equal_start), (greater, greater_start)):
        before = np.cumsum(counts) - counts
        places.append(start[block_of] + before - before[first_block][block_of])
    began = perf_counter()
    for lo, hi in cuts:
        place_parts(keys, blocks, lo, hi, *places, state.room)
        yield from pace()
    for lo, hi in cuts:
        copy_back(blocks, lo, hi, state.room, state.order)
        yield from pace()
    pace.note("place", PASSES, began)
    bounds = np.stack([some.starts, equal_start, greater_start, some.ends])
    starts, ends = bounds[:-1].T.ravel(), bounds[1:].T.ravel()
    kind = np.tile(np.array([TernaryPart.LESS, TernaryPart.EQUAL, TernaryPart.GREATER], np.uint8), len(some))
    depths = np.repeat(some.depths, 3)
    kept = ends > starts
    return CpuSegments(starts[kept], ends[kept], depths[kept]), kind[kept]


def _cut(sizes: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    total = np.cumsum(sizes)
    cuts = np.unique(np.append(np.searchsorted(total, np.arange(0, int(total[-1]), SCAN_PLACES // 4)), sizes.size))
    if cuts[0]:
        cuts = np.insert(cuts, 0, 0)
    return list(pairwise(cuts.tolist()))


class Keys(NamedTuple):
    """Text, ranks (empty while comparing letters), suffix array; depth and pivot per segment."""

    text: Letters
    ranks: Positions
    order: Positions
    depths: Counts
    pivots: Counts


class Blocks(NamedTuple):
    """Thread blocks: for each its segment and its range ``start`` to ``end`` of the suffix array."""

    segment: Counts
    start: Counts
    end: Counts


@jit_callee
def _key(keys: Keys, place: int, segment: int) -> Any:
    """Return the sort key of the suffix at a place."""
    at = keys.order[place] + keys.depths[segment]
    if keys.ranks.size:
        return keys.ranks[at] if at < keys.ranks.size else 0
    return keys.text[at] if at < keys.text.size else -1


@jit_callee
def _middle(keys: Keys, segment: int, first: int, second: int, third: int) -> Any:
    a, b, c = _key(keys, first, segment), _key(keys, second, segment), _key(keys, third, segment)
    return max(min(a, b), min(max(a, b), c))


@jit
def choose_pivots(keys: Keys, starts: Counts, ends: Counts) -> None:
    """Write the pivot of each segment: median of three keys, of nine in long segments."""
    for s in range(starts.size):
        start, size = starts[s], ends[s] - starts[s]
        if size < 64:
            keys.pivots[s] = _middle(keys, s, start, start + size // 2, start + size - 1)
            continue
        third, step = size // 3, size // 9
        a = _middle(keys, s, start, start + step, start + 2 * step)
        b = _middle(keys, s, start + third, start + third + step, start + third + 2 * step)
        c = _middle(keys, s, start + 2 * third, start + 2 * third + step, start + 2 * third + 2 * step)
        keys.pivots[s] = max(min(a, b), min(max(a, b), c))


@jit
def count_parts(keys: Keys, blocks: Blocks, lo: int, hi: int, less: Counts, equal: Counts) -> None:
    """First kernel: count keys less than and equal to the pivot in blocks ``lo`` to ``hi``."""
    for b in range(lo, hi):
        s = blocks.segment[b]
        n_less, n_equal = 0, 0
        for i in range(blocks.start[b], blocks.end[b]):
            key = _key(keys, i, s)
            n_less += key < keys.pivots[s]
            n_equal += key == keys.pivots[s]
        less[b], equal[b] = n_less, n_equal


@jit
def place_parts(
    keys: Keys, blocks: Blocks, lo: int, hi: int, less_at: Counts, equal_at: Counts, greater_at: Counts, out: Positions
) -> None:
    """Second kernel: move the suffixes of blocks ``lo`` to ``hi`` to their parts."""
    for b in range(lo, hi):
        s = blocks.segment[b]
        less, equal, greater = less_at[b], equal_at[b], greater_at[b]
        for i in range(blocks.start[b], blocks.end[b]):
            key = _key(keys, i, s)
            if key < keys.pivots[s]:
                out[less] = keys.order[i]
                less += 1
            elif key == keys.pivots[s]:
                out[equal] = keys.order[i]
                equal += 1
            else:
                out[greater] = keys.order[i]
                greater += 1


@jit
def rank_segments(
    order: Positions, starts: Counts, ends: Counts, lo: int, hi: int, alike: bool, ranks: Positions
) -> None:
    """Set the rank of each suffix in segments ``lo`` to ``hi`` to its place, or (``alike``) to the last place."""
    for s in range(lo, hi):
        for i in range(starts[s], ends[s]):
            ranks[order[i]] = ends[s] - 1 if alike else i


@jit
def copy_back(blocks: Blocks, lo: int, hi: int, room: Positions, order: Positions) -> None:
    """Copy blocks ``lo`` to ``hi`` from ``room`` to ``order``."""
    for b in range(lo, hi):
        for i in range(blocks.start[b], blocks.end[b]):
            order[i] = room[i]
