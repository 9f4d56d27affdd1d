"""All places of B in A within a number of edits: the best first, then recursively on both sides.

One pass gives the costs of all ends within the limit. A chosen place changes only the costs of the ends after
it whose alignments could use its letters. These costs are recomputed from the letters after the place.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Generator, Iterable, Iterator
from heapq import heappop, heappush
from typing import Protocol

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.events import Event

COVERED = 1 << 60  # cost of an end inside of a place that is taken


class Candidates:
    """Ends with at most ``limit`` edits, collected from the last column."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._ends: list[Counts] = []
        self._costs: list[Counts] = []

    def watch(self, columns: Iterable[Counts]) -> Iterator[Counts]:
        """Collect from the costs of rows from 1 on, and pass these on unchanged."""
        row = 1
        for costs in columns:
            those = np.flatnonzero(costs <= self.limit)
            self._ends.append(row + those)
            self._costs.append(costs[those])
            row += int(costs.size)
            yield costs

    def arrays(self) -> tuple[Counts, Counts]:
        """Return the ends (ascending) and their costs."""
        nothing = np.empty(0, np.int64)
        return np.concatenate([nothing, *self._ends]), np.concatenate([nothing, *self._costs])


class Places(Protocol):
    """Finder of a single place, see ``wavediff.core.kernels.pairwise.edit.free_ends.FreeEnds``."""

    def extent(
        self, host: Letters, guest: Letters, end: int, edits: int
    ) -> Generator[Event, None, tuple[int, int]]: ...
    def part_column(
        self, rows: Letters, columns: Letters, *, free_rows: bool = False
    ) -> Generator[Event, None, Iterable[Counts]]: ...


def find_loci(
    places: Places, host: Letters, guest: Letters, candidates: Candidates
) -> Generator[Event, None, list[tuple[int, int, int]]]:
    """Return start, end (0-based, exclusive) and edits of each place of ``guest`` in ``host``, sorted.

    The places share no letter.

    Args:
        candidates: of ``host`` and ``guest``; its limit is less than the letters of ``guest``.
    """
    (ends, costs), limit = candidates.arrays(), candidates.limit
    first_costs = costs.copy()
    order = np.lexsort((ends, costs))
    again: list[tuple[int, int, int]] = []  # cost, end and index of ends that were computed again
    taken: list[tuple[int, int, int]] = []
    at = 0
    while at < order.size or again:
        if at == order.size or (again and again[0][:2] < (first_costs[order[at]], ends[order[at]])):
            cost, end, index = heappop(again)
        else:
            index = int(order[at])
            cost, end, at = int(first_costs[index]), int(ends[index]), at + 1
        if cost != costs[index]:
            continue  # it is covered, or there is another entry for it
        k = bisect(taken, (end,))
        low = taken[k - 1][1] if k else 0
        high = taken[k][0] if k < len(taken) else int(host.size)
        start, end = yield from places.extent(host[low:high], guest, end - low, cost)
        start, end = start + low, end + low
        taken.insert(k, (start, end, cost))
        covered = slice(*np.searchsorted(ends, (start, end), "right"))
        costs[covered] = COVERED
        reach = min(high, end + int(guest.size) + limit)
        first, last = np.searchsorted(ends, (end, reach), "right").tolist()
        if first == last:
            continue
        columns = yield from places.part_column(host[end:reach], guest, free_rows=True)
        behind = np.concatenate(list(columns))[ends[first:last] - end - 1]
        for other in np.flatnonzero((behind != costs[first:last]) & (behind <= limit)).tolist():
            heappush(again, (int(behind[other]), int(ends[first + other]), first + other))
        costs[first:last] = behind
    return taken
