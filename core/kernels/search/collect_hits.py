"""Sorting and limiting of hits, for all kinds of search."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.kernels.search.search_plan import SearchPlan
from wavediff.core.sequences.matching import PatternSet

_START = 2  # of the columns of hits


def sort_hits(
    searched: PatternSet,
    start: npt.NDArray[np.int64],
    length: npt.NDArray[np.integer[Any]],
    who: npt.NDArray[np.integer[Any]],
    cost: npt.NDArray[np.integer[Any]],
) -> Hits:
    """Sort hits by start, end, pattern and strand.

    Args:
        start, length, who, cost: shape (n,), ``who`` the searched pattern; starts span less than 2^28 letters.
    """
    if not start.size:
        return Hits.joined([])
    owner_bits = np.uint64(searched.n.bit_length())  # the length needs 13 at most: 23 are left
    key = (start - start.min()).astype(np.uint64) << np.uint64(int(length.max()).bit_length())
    key = (key | length.astype(np.uint64)) << owner_bits | who.astype(np.uint64)
    order = np.argsort(key)
    who = who[order]
    return Hits.of(
        searched.pattern[who],
        searched.strand[who],
        start[order],
        length[order].astype(np.int32),
        cost[order].astype(np.uint8),
    )


def in_order(parts: list[Hits]) -> Hits:
    """Merge sorted ``parts`` by start; ties keep their order.

    A stretch of the text has the hits that end in it. A long hit may begin before hits of the preceding stretch, so a
    few near a border change places.
    """
    kept = [part for part in parts if len(part)]
    highest = np.maximum.accumulate([part.start[-1] for part in kept])
    crossed = [k for k in range(1, len(kept)) if kept[k].start[0] < highest[k - 1]]
    if not crossed:
        return Hits.joined(kept)
    columns = [np.concatenate(column) for column in zip(*(part.columns for part in kept), strict=True)]
    start, borders = columns[_START], np.cumsum([0, *map(len, kept)]).tolist()
    for k in crossed:
        border, end = borders[k], borders[k + 1]
        first = int(np.searchsorted(start[:border], start[border], "right"))
        until = border + int(np.searchsorted(start[border:end], start[border - 1], "left"))
        order = first + np.argsort(start[first:until], kind="stable")
        for column in columns:
            column[first:until] = column[order]
    return Hits.of(*columns)


class Collector:
    """Collects hits chunk by chunk up to the limit.

    Attributes:
        letters: of the text, collected so far.
        full: whether the limit was exceeded.
    """

    def __init__(self, job: SearchJob) -> None:
        self._job, self._n = job, 0
        self._parts: list[Hits] = []
        self.letters = 0
        self.full = False

    def take(self, hits: Hits, letters: int) -> Hits:
        """Add the hits that end in the next ``letters`` letters; return those within the limit."""
        room = self._job.limit - self._n
        if len(hits) > room:
            hits, self.full = hits.take(np.sort(np.argsort(hits.end, kind="stable")[:room])), True
        self._n += len(hits)
        self.letters += letters
        if len(hits):
            self._parts.append(hits)
        return hits

    def result(self, plan: SearchPlan, device: str, kernel_seconds: float, wall_seconds: float) -> SearchResult:
        job, hits = self._job, in_order(self._parts)
        return SearchResult(
            job_id=job.id,
            hits=hits,
            counts=hits.counts(len(job.patterns)),
            complete=not self.full,
            limit=job.limit,
            n_letters=int(job.text.size),
            n_searched=plan.searched.n,
            strategy=plan.strategy,
            reason=plan.reason,
            cells=plan.cells,
            device=device,
            kernel_seconds=kernel_seconds,
            wall_seconds=wall_seconds,
        )
