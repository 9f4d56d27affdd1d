"""Annotations of a sequence: stretches of its letters, as columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand


class SpanKind(StrEnum):
    FEATURE = "feature"  # named in the file
    HIT = "hit"  # of a search
    MASK = "mask"  # lower case


@dataclass(frozen=True, eq=False, kw_only=True)
class Spans:
    """Stretches of one kind, any number of them; they may overlap and come in any order.

    Attributes:
        n_letters: of the sequence.
        starts, ends: int64, shape (n,): letters of the file, 0-based and half open, each of one letter or more.
        strands: int8, shape (n,): 1, -1, or 0 for neither; empty where all are 0.
        names, attributes: of each, such as a gene and its qualifiers; empty where there are none.
    """

    kind: SpanKind
    n_letters: int
    starts: Counts
    ends: Counts
    strands: npt.NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    names: tuple[str, ...] = ()
    attributes: tuple[Mapping[str, str], ...] = ()

    def __len__(self) -> int:
        return int(self.starts.size)

    def oriented(self, orientation: Orientation) -> Spans:
        """Return the spans at letters as compared; one across the seam of a circle becomes two."""
        if orientation == FORWARD:
            return self
        n, minus = self.n_letters, orientation.strand is Strand.MINUS
        low, high = (orientation.index(edge, n) for edge in (self.starts, self.ends - 1))
        low, high = (high, low + 1) if minus else (low, high + 1)
        cut = np.flatnonzero(low >= high)
        which = np.concatenate([np.arange(low.size), cut])
        starts, ends = np.concatenate([low, np.zeros_like(cut)]), np.concatenate([high, high[cut]])
        ends[cut] = n
        return replace(
            self,
            starts=starts,
            ends=ends,
            strands=self.strands[which] * (-1 if minus else 1) if self.strands.size else self.strands,
            names=tuple(self.names[k] for k in which) if self.names else (),
            attributes=tuple(self.attributes[k] for k in which) if self.attributes else (),
        )

    def covered(self, first: Counts, end: Counts) -> Counts:
        """Return how many letters of ``[first, end)`` are in spans, counted once for each span; int64."""
        return self._covered_before(end) - self._covered_before(first)

    def touching(self, first: int, end: int) -> Counts:
        """Return the spans, by their numbers in order of their starts, that have a letter in ``[first, end)``."""
        there = np.flatnonzero((self.starts < end) & (self.ends > first) & (first < end))
        return there[np.argsort(self.starts[there], kind="stable")]

    def prepare(self) -> Spans:
        """Do now what the first ``covered`` would do, which takes a second for ten million spans."""
        assert self._edges
        return self

    @cached_property
    def _edges(self) -> tuple[tuple[Counts, Counts], ...]:
        """Starts and ends in order, and the sums of the first 0, 1, ... of them."""
        ordered = (np.sort(edges, kind="stable") for edges in (self.starts, self.ends))  # nearly in order, most often
        return tuple((edges, np.append(0, np.cumsum(edges))) for edges in ordered)

    def _covered_before(self, places: Counts) -> Counts:
        (starts, start_sums), (ends, end_sums) = self._edges
        begun, over = np.searchsorted(starts, places), np.searchsorted(ends, places)
        found: Counts = places * (begun - over) - (start_sums[begun] - end_sums[over])
        return found
