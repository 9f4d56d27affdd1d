"""Classes of pairs by how many share a warp, and which are too long for one. Arithmetic only, no card."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.base.arrays import Counts
from core.jobs.choices import Pairing

LANES = 32
GROUP_COLUMNS = 4  # columns that a lane does at once
WORD = 32  # rows of a word
WIDE_WORDS = 4  # words of a lane where there is work for all of them
MAX_STEPS = 100_000  # of a warp: some 45 ms with four words a lane, where it has a scheduler for itself


@dataclass(frozen=True, slots=True)
class WarpClass:
    """Slots (rows) that are cut alike, and the columns that they are compared with.

    Attributes:
        words: of a lane. span: lanes of a pair. strips: of rows that a warp does one after the other.
        first, end: slots.
        columns: each with each: so many of the columns in their order; pair by pair 1.
    """

    words: int
    span: int
    strips: int
    first: int
    end: int
    columns: int

    @property
    def a_warp(self) -> int:
        """Pairs of a warp."""
        return LANES // self.span

    @property
    def warps(self) -> int:
        """Warps that all slots take."""
        return -(-(self.end - self.first) // self.a_warp)

    @property
    def units(self) -> int:
        return self.warps * self.columns


@dataclass(frozen=True, slots=True, eq=False)
class CardBatchPlan:
    """Plan of the launches of a batch.

    Attributes:
        row_of: records of the rows in the order of their lengths: the slots.
        col_of: pair by pair: record of each slot's columns; each with each: records in the order of their lengths.
        n, m: lengths in those orders.
        apart: pair by pair: pairs that no warp does alone.
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
        """Pairs that no warp does alone, for one file against itself those computed in vain too."""
        if self.pairs is Pairing.ONE_TO_ONE:
            return int(self.apart.size)
        return sum((one.end - one.first) * (self.m.size - one.columns) for one in self.classes)

    def long(self) -> Iterator[tuple[int, int]]:
        """Yield the records of rows and of columns of all pairs that no warp does alone."""
        for pair in self.apart.tolist():
            yield pair, pair
        if self.pairs is Pairing.ALL_TO_ALL:
            for one in self.classes:
                for c in range(one.columns, self.m.size):
                    for slot in range(one.first, min(one.end, c) if self.own else one.end):
                        yield int(self.row_of[slot]), int(self.col_of[c])


class ClassProgress:
    """Pairs and cells of the first units of a class."""

    def __init__(self, plan: CardBatchPlan, one: WarpClass) -> None:
        self._one, self._each = one, plan.pairs is Pairing.ALL_TO_ALL
        n, slots = plan.n[one.first : one.end], one.end - one.first
        if not self._each:
            self._cells = _summed(n * plan.m[one.first : one.end])
            return
        self._heights, self._m = _summed(n), np.append(plan.m[: one.columns], 0)
        order = np.arange(one.columns)
        below = np.clip(order - one.first, 0, slots) if plan.own else np.full(one.columns, slots)
        self._below = np.append(below, 0)
        self._pairs_before, self._cells_before = _summed(below), _summed(self._m[:-1] * self._heights[below])

    def at(self, units: int) -> tuple[int, int]:
        """Return the pairs and the cells of the first so many units."""
        one = self._one
        if not self._each:
            done = min(units * one.a_warp, one.end - one.first)
            return done, int(self._cells[done])
        column, warp = divmod(units, max(1, one.warps))
        part = min(warp * one.a_warp, int(self._below[column]))
        cells = int(self._cells_before[column]) + int(self._m[column]) * int(self._heights[part])
        return int(self._pairs_before[column]) + part, cells

    def share(self, k: int, n: int) -> tuple[int, int]:
        """Return the first unit and the end of part ``k`` of ``n``, which have as many cells each."""
        units = self._one.units
        cells = self.at(units)[1]
        first, end = (units if part == n else self.within(0, cells * part // n) if part else 0 for part in (k, k + 1))
        return first, end

    def within(self, first: int, cells: int) -> int:
        """Return the last unit such that those from ``first`` on have so many cells, at least one unit."""
        start = self.at(first)[1]
        low, high = first + 1, self._one.units
        if self.at(high)[1] - start <= cells:
            return high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self.at(middle)[1] - start <= cells else (low, middle)
        return low


def make_plan(pairs: Pairing, own: bool, n: Counts, m: Counts, lanes: int, words: int = 0) -> CardBatchPlan:
    """Return the plan for rows of lengths ``n`` and columns of lengths ``m``.

    Args:
        lanes: threads that keep the card busy. words: of a lane, 0 = chosen.
    """
    if pairs is Pairing.ONE_TO_ONE:
        return _pair_by_pair(n, m, lanes, words)
    order, columns = np.argsort(n, kind="stable"), np.argsort(m, kind="stable")
    n, m = n[order], m[columns]
    busy = int((-(-n // WORD)).sum()) * m.size >= lanes
    keys = _keys(n, busy, words)
    taken = np.searchsorted(m, _most_columns(keys), side="right")
    classes = [WarpClass(*key, first, end, int(taken[first])) for key, first, end in _runs(keys)]
    return CardBatchPlan(pairs, own, order, columns, n, m, tuple(classes), np.empty(0, np.int64))


def _pair_by_pair(n: Counts, m: Counts, lanes: int, words: int) -> CardBatchPlan:
    keys = _keys(n, int((-(-n // WORD)).sum()) >= lanes, words)
    most = _most_columns(keys)
    short = np.flatnonzero(m <= most)
    taken = short[np.lexsort((m[short], n[short], *keys[short].T[::-1]))]
    classes = tuple(WarpClass(*key, first, end, 1) for key, first, end in _runs(keys[taken]))
    return CardBatchPlan(Pairing.ONE_TO_ONE, False, taken, taken, n[taken], m[taken], classes, np.flatnonzero(m > most))


def _keys(n: Counts, busy: bool, words: int) -> Counts:
    """Return (words of a lane, lanes of a pair, strips) for rows of each length, shape (number, 3)."""
    needed = np.maximum(1, -(-n // WORD))
    of_a_lane = np.where(needed > 2, WIDE_WORDS, 1) if busy else np.ones_like(needed)
    if words:
        of_a_lane = np.full_like(needed, words)
    lanes = -(-needed // of_a_lane)
    span = np.minimum(1 << np.ceil(np.log2(lanes)).astype(np.int64), LANES)
    return np.stack([of_a_lane, span, -(-lanes // span)], axis=1)


def _most_columns(keys: Counts) -> Counts:
    """Return how many columns a warp may have that does rows so, shape (number,); -1 for none at all."""
    groups = MAX_STEPS // keys[:, 2] - keys[:, 1] + 1
    return np.where(groups >= 0, groups * GROUP_COLUMNS, -1)


def _runs(keys: Counts) -> Iterator[tuple[tuple[int, int, int], int, int]]:
    """Yield equal neighbours of ``keys``, and where they begin and end."""
    edges = np.flatnonzero((keys[1:] != keys[:-1]).any(axis=1)) + 1
    bounds = [0, *edges.tolist(), len(keys)]
    for first, end in itertools.pairwise(bounds):
        if first < end:
            words, span, strips = keys[first].tolist()
            yield (words, span, strips), first, end


def _summed(values: Counts) -> Counts:
    out = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=out[1:])
    return out
