"""Occurrences of patterns in a text, as arrays of up to ten million."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, freeze

_COUNT_HITS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Occurrences; every array is read-only and of shape (n,).

    Attributes:
        pattern: int32: index of the pattern in the job.
        strand: int8: 1: the pattern; -1: its reverse complement; 0: a pattern equal to its reverse complement.
        start: int64: first letter of the occurrence in the whole text (all records), 0-based.
        length: int32: letters of the occurrence.
        cost: uint8: mismatches, or edits.
    """

    pattern: npt.NDArray[np.int32]
    strand: npt.NDArray[np.int8]
    start: Counts
    length: npt.NDArray[np.int32]
    cost: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, freeze(np.asarray(getattr(self, name), kind)))

    def __len__(self) -> int:
        return int(self.start.size)

    @property
    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """All arrays in the argument order of ``of``."""
        return self.pattern, self.strand, self.start, self.length, self.cost

    @property
    def end(self) -> Counts:
        """int64: end position (exclusive), 0-based."""
        ends: Counts = self.start + self.length
        return ends

    @classmethod
    def of(cls, *columns: npt.NDArray[Any]) -> Hits:
        """Return hits that own these arrays (not copied; do not write to them afterwards)."""
        for column in columns:
            column.setflags(write=False)
        return cls(*columns)

    def take(self, which: slice | npt.NDArray[np.intp]) -> Hits:
        return Hits.of(*(column[which] for column in self.columns))

    def counts(self, n_patterns: int) -> Counts:
        """Return the number of hits per pattern, int64, read-only; computed in chunks, as NumPy holds the GIL."""
        total = np.zeros(n_patterns, np.int64)
        for first in range(0, len(self), _COUNT_HITS):
            total += np.bincount(self.pattern[first : first + _COUNT_HITS], minlength=n_patterns)
        return freeze(total)

    @staticmethod
    def joined(parts: Iterable[Hits]) -> Hits:
        """Concatenate hits in order; fast if all are empty, as in most chunks of a text."""
        kept = [one for one in parts if len(one)]
        if not kept:
            return NONE
        if len(kept) == 1:
            return kept[0]
        return Hits.of(*map(np.concatenate, zip(*(one.columns for one in kept), strict=True)))


_KINDS: dict[str, type[np.generic]] = {
    "pattern": np.int32, "strand": np.int8, "start": np.int64, "length": np.int32, "cost": np.uint8,
}  # fmt: skip
NONE = Hits.of(*(np.empty(0, kind) for kind in _KINDS.values()))
