"""Primer pairs and circles of a search: what is looked for instead, and what its hits are hits of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern

MAX_PRODUCT = 10_000  # letters of the product of two primers
BETWEEN = b".."  # the two primers of a pair, each from its 5' end


@dataclass(frozen=True, slots=True, eq=False)
class PlannedSearch:
    """A search and the way back from its hits.

    Attributes:
        job: to be run.
        patterns: that the hits of ``found`` are of.
        pairs: numbers of the two primers in ``job``, by that of the pair.
        starts, circles: of the records, int64 and bool.
    """

    job: SearchJob
    patterns: tuple[Pattern, ...]
    pairs: dict[int, int]
    starts: Counts
    circles: npt.NDArray[np.bool_]

    def found(self, result: SearchResult) -> SearchResult:
        """Return the answer to what was asked; a hit across the origin of a circle ends behind its record."""
        hits = self.placed(result.hits)
        if self.pairs:
            primers = np.isin(hits.pattern, [*self.pairs, *self.pairs.values()])
            products = [self._products(hits, *pair) for pair in self.pairs.items()]
            hits = Hits.joined([hits.take(np.flatnonzero(~primers)), *products])
            hits = hits.take(np.lexsort((hits.strand, hits.pattern, hits.end, hits.start)))
        counts = hits.counts(len(self.patterns))
        return replace(result, hits=hits, counts=counts, n_letters=int(self.starts[-1]))

    def placed(self, hits: Hits) -> Hits:
        """Return hits where they are in the records themselves."""
        if not self.circles.any():
            return hits
        assert self.job.starts is not None
        record = self._records(self.job.starts, hits.start)
        at, n = hits.start - self.job.starts[record], np.diff(self.starts)[record]
        there = np.flatnonzero((at < n) & (hits.length <= n))
        return Hits(hits.pattern, hits.strand, self.starts[record] + at, hits.length, hits.cost).take(there)

    def _products(self, hits: Hits, forward: int, reverse: int) -> Hits:
        """Return what lies between one primer and the reverse complement of the other, both included."""
        made, lengths = [], np.diff(self.starts)
        for first, second, strand in ((forward, reverse, 1), (reverse, forward, -1)):
            left = hits.take(np.flatnonzero((hits.pattern == first) & (hits.strand >= 0)))
            right = hits.take(np.flatnonzero((hits.pattern == second) & (hits.strand <= 0)))
            of = self._records(self.starts, right.start)
            again = np.flatnonzero(self.circles[of])  # on a circle, also one turn further on
            which = np.concatenate([np.arange(len(right)), again])
            ends = right.end[which] + np.repeat([0, 1], [len(right), again.size]) * lengths[of[which]]
            order = np.argsort(ends, kind="stable")
            which, ends = which[order], ends[order]
            low, high = np.searchsorted(ends, left.end), np.searchsorted(ends, left.start + MAX_PRODUCT, "right")
            i = np.repeat(np.arange(len(left)), np.maximum(high - low, 0))
            j = np.concatenate([np.empty(0, np.int64), *map(np.arange, low, high)])
            sizes, record = ends[j] - left.start[i], self._records(self.starts, left.start[i])
            fits = (record == of[which[j]]) & (sizes <= lengths[record]) & (sizes >= right.length[which[j]])
            i, j, sizes = i[fits], which[j[fits]], sizes[fits]
            pattern, strands = np.full(i.size, forward), np.full(i.size, strand)
            made.append(Hits(*map(np.asarray, (pattern, strands, left.start[i], sizes, left.cost[i] + right.cost[j]))))
        return Hits.joined(made)

    @staticmethod
    def _records(starts: Counts, places: Counts) -> Counts:
        found: Counts = np.searchsorted(starts, places, "right") - 1
        return found


def planned(job: SearchJob, circles: npt.NDArray[np.bool_]) -> PlannedSearch:
    """Return what ``job`` asks with pairs of primers (``FORWARD..REVERSE``) and circles among its records.

    Raises:
        InputError: a pair lacks a primer.
    """
    assert job.starts is not None
    patterns, pairs, starts, text = job.patterns, dict[int, int](), job.starts, job.text
    if job.rule is LetterRule.NUCLEOTIDE:
        patterns = tuple(replace(one, is_pair=BETWEEN in one.letters) for one in patterns)
    searched = [*patterns]
    for k, one in enumerate(patterns):
        if one.is_pair:
            forward, reverse = one.letters.split(BETWEEN, 1)
            if not forward or not reverse:
                raise one.refused("lacks a primer", "FORWARD..REVERSE")
            searched[k], pairs[k] = replace(one, letters=forward), len(searched)
            searched.append(replace(one, letters=reverse))
    if circles.any():
        more = max(len(one.letters) for one in searched) + job.errors - 1
        parts = [text[low:high] for low, high in pairwise(starts)]
        for k in np.flatnonzero(circles).tolist():
            parts[k] = np.resize(parts[k], len(parts[k]) + min(more, len(parts[k])))
        text, starts = np.concatenate(parts), np.cumsum([0, *map(len, parts)])
    both = job.both_strands or bool(pairs)
    found = replace(job, text=text, starts=starts, patterns=tuple(searched), both_strands=both)
    return PlannedSearch(found, patterns, pairs, job.starts, circles)
