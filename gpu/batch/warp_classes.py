"""Classes of pairs by the number of pairs per warp, and pairs too long for a warp. Arithmetic only."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.choices import Pairing

LANES = 32
GROUP_COLUMNS = 4  # columns per step of a lane
WORD = 32  # rows of a word
WIDE_WORDS = 4  # words of a lane if all lanes have work
STRIP_STEPS = 2 * LANES  # steps of lag behind the strip above: 32 groups completed by all lanes
MAX_STEPS = 100_000  # steps of a pair: some 45 ms with four words per lane and a scheduler per warp
ALONE_STEPS = 40_000  # steps of a single larger pair: some 12 ms, as fast as the whole card


@dataclass(frozen=True, slots=True)
class WarpClass:
    """Slots (rows) with the same layout, and their columns.

    Attributes:
        words: per lane. span: lanes per pair. strips: of rows, one warp each.
        first, end: slots.
        columns: number of columns per slot; all-to-all: the shortest ones, which come first; one-to-one: 1.
    """

    words: int
    span: int
    strips: int
    first: int
    end: int
    columns: int

    @property
    def a_warp(self) -> int:
        return LANES // self.span

    @property
    def warps(self) -> int:
        return -(-(self.end - self.first) // self.a_warp)

    @property
    def units(self) -> int:
        return self.warps * self.columns


@dataclass(frozen=True, slots=True, eq=False)
class CardBatchPlan:
    """Launch plan of a batch.

    Attributes:
        row_of: the slots: records of the rows, sorted by length.
        col_of: one-to-one: record of each slot's columns; all-to-all: records, sorted by length.
        n, m: lengths in the order of ``row_of`` and ``col_of``.
        apart: one-to-one: pairs that use the whole card.
    """

    pairs: Pairing
    own: bool
    row_of: Counts
    col_of: Counts
    n: Counts
    m: Counts
    classes: tuple[WarpClass, ...]
    apart: Counts

    @property
    def n_long(self) -> int:
        """Number of pairs that use the whole card, including redundant ones of one file against itself."""
        if self.pairs is Pairing.ONE_TO_ONE:
            return int(self.apart.size)
        return sum((kind.end - kind.first) * (self.m.size - kind.columns) for kind in self.classes)

    def long(self) -> Iterator[tuple[int, int]]:
        """Yield row and column records of the pairs that use the whole card."""
        for pair in self.apart.tolist():
            yield pair, pair
        if self.pairs is Pairing.ALL_TO_ALL:
            for kind in self.classes:
                for c in range(kind.columns, self.m.size):
                    for slot in range(kind.first, min(kind.end, c) if self.own else kind.end):
                        yield int(self.row_of[slot]), int(self.col_of[c])


class ClassProgress:
    """Prefix sums of pairs and cells over the units of a class."""

    def __init__(self, plan: CardBatchPlan, kind: WarpClass) -> None:
        self._kind, self._each = kind, plan.pairs is Pairing.ALL_TO_ALL
        n, slots = plan.n[kind.first : kind.end], kind.end - kind.first
        if not self._each:
            self._cells = _summed(n * plan.m[kind.first : kind.end])
            return
        self._heights, self._m = _summed(n), np.append(plan.m[: kind.columns], 0)
        order = np.arange(kind.columns)
        below = np.clip(order - kind.first, 0, slots) if plan.own else np.full(kind.columns, slots)
        self._below = np.append(below, 0)
        self._pairs_before, self._cells_before = _summed(below), _summed(self._m[:-1] * self._heights[below])

    def at(self, units: int) -> tuple[int, int]:
        """Return the pairs and cells in the first ``units`` units."""
        kind = self._kind
        if not self._each:
            done = min(units * kind.a_warp, kind.end - kind.first)
            return done, int(self._cells[done])
        column, warp = divmod(units, max(1, kind.warps))
        part = min(warp * kind.a_warp, int(self._below[column]))
        cells = int(self._cells_before[column]) + int(self._m[column]) * int(self._heights[part])
        return int(self._pairs_before[column]) + part, cells

    def share(self, k: int, n: int) -> tuple[int, int]:
        """Return the unit range of part ``k`` of ``n``, balanced by cells."""
        units = self._kind.units
        cells = self.at(units)[1]
        first, end = (units if part == n else self.within(0, cells * part // n) if part else 0 for part in (k, k + 1))
        return first, end

    def within(self, first: int, cells: int) -> int:
        """Return the last unit so that those from ``first`` have ``cells`` cells, at least one unit."""
        start = self.at(first)[1]
        low, high = first + 1, self._kind.units
        if self.at(high)[1] - start <= cells:
            return high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self.at(middle)[1] - start <= cells else (low, middle)
        return low


def make_plan(pairs: Pairing, own: bool, n: Counts, m: Counts, lanes: int, words: int = 0) -> CardBatchPlan:
    """Return the plan for row lengths ``n`` and column lengths ``m``.

    Args:
        lanes: threads for a full card. words: of a lane; 0: automatic.
    """
    if pairs is Pairing.ONE_TO_ONE:
        make = partial(_pair_by_pair, n, m, lanes, words)
    else:
        make = partial(_each_with_each, own, n, m, lanes, words)
    plan = make(MAX_STEPS)
    tallest = plan.classes[-1:]  # of several, the others take fewer steps
    longest = plan.m.max(initial=0)
    if plan.n_long or all(_most_columns(kind.span, kind.strips, ALONE_STEPS) >= longest for kind in tallest):
        return plan
    alone = make(ALONE_STEPS)
    return alone if sum(1 for _ in itertools.islice(alone.long(), 2)) == 1 else plan


def _each_with_each(own: bool, n: Counts, m: Counts, lanes: int, words: int, steps: int) -> CardBatchPlan:
    order, columns = np.argsort(n, kind="stable"), np.argsort(m, kind="stable")
    n, m = n[order], m[columns]
    runs = _runs(n, int(_needed(n).sum()) * m.size >= lanes, words, steps)
    classes = [WarpClass(*key, first, end, int(np.searchsorted(m, most, "right"))) for key, most, first, end in runs]
    return CardBatchPlan(Pairing.ALL_TO_ALL, own, order, columns, n, m, tuple(classes), np.empty(0, np.int64))


def _pair_by_pair(n: Counts, m: Counts, lanes: int, words: int, steps: int) -> CardBatchPlan:
    longest = max(int(n.max(initial=0)), int(m.max(initial=0)))
    order = np.lexsort([lengths.astype(np.min_scalar_type(longest)) for lengths in (m, n)])  # narrow dtype: much faster
    n, m, busy = n[order], m[order], int(_needed(n).sum()) >= lanes
    fits = np.zeros(n.size, np.bool_)
    for _, most, first, end in _runs(n, busy, words, steps):
        fits[first:end] = m[first:end] <= most
    taken, n, m = order[fits], n[fits], m[fits]
    classes = tuple(WarpClass(*key, first, end, 1) for key, _, first, end in _runs(n, busy, words, steps))
    return CardBatchPlan(Pairing.ONE_TO_ONE, False, taken, taken, n, m, classes, np.sort(order[~fits]))


def _needed(n: Counts) -> Counts:
    return np.maximum(1, (n + WORD - 1) // WORD)


def _runs(n: Counts, busy: bool, words: int, steps: int) -> Iterator[tuple[tuple[int, int, int], int, int, int]]:
    """Yield the layout and range of adjacent rows with equal layout; ``n``: sorted row lengths.

    A layout is (words of a lane, lanes of a pair, strips); then comes the maximum of columns to compare with, -1 for
    none.
    """
    needed = _needed(n)
    bounds = np.flatnonzero(np.diff(needed, prepend=-1, append=-1)).tolist()
    keys = [_key(int(needed[first]), busy, words) for first in bounds[:-1]]
    for key, alike in itertools.groupby(range(len(keys)), keys.__getitem__):
        some = list(alike)
        yield key, _most_columns(*key[1:], steps), bounds[some[0]], bounds[some[-1] + 1]


def _most_columns(span: int, strips: int, steps: int) -> int:
    """Return the maximum columns within ``steps`` steps, or -1."""
    groups = steps - STRIP_STEPS * (strips - 1) - span + 1
    return groups * GROUP_COLUMNS if groups >= 0 else -1


def _key(needed: int, busy: bool, words: int) -> tuple[int, int, int]:
    """Return words per lane, lanes per pair, and strips for rows of ``needed`` words."""
    of_a_lane = words or (WIDE_WORDS if busy and needed > 2 else 1)
    lanes = -(-needed // of_a_lane)
    span = min(1 << (lanes - 1).bit_length(), LANES)
    return of_a_lane, span, -(-lanes // span)


def _summed(values: Counts) -> Counts:
    out = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=out[1:])
    return out
