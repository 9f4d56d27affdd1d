"""Hits along an alignment, reduced to the pixels of a strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment_index import AlignmentIndex, sums_before
from wavediff.core.jobs.column_counts import EDGES_AT_ONCE
from wavediff.core.sequences.orientation import FORWARD, Orientation


class HitPlaces:
    """Hits of one sequence, put in order when they are first drawn.

    Args:
        letters: of the sequence.
        first: its first letter among all that were searched.
        parts: int64 each: where hits begin among all that were searched, nearly in order.
    """

    def __init__(self, letters: int, first: int, parts: Sequence[Counts]) -> None:
        self.letters = letters
        self._first, self._parts = first, tuple(parts)
        self._oriented = FORWARD, np.empty(0, np.int64)  # the orientation asked for last, and where hits begin there

    def starts_in(self, orientation: Orientation) -> Counts:
        """Return letters as compared where hits begin, 0-based, in order."""
        if orientation == FORWARD:
            return self.starts
        if self._oriented[0] != orientation:
            self._oriented = orientation, np.sort(orientation.index(self.starts, self.letters))
        return self._oriented[1]

    @cached_property
    def starts(self) -> Counts:
        """Letters of the file where hits begin, 0-based, in order."""
        found = np.concatenate([np.empty(0, np.int64), *self._parts]) - self._first
        return np.sort(found[(found >= 0) & (found < self.letters)], kind="stable")


def places_along(
    index: AlignmentIndex,
    places: Mapping[Side, HitPlaces],
    first: Counts,
    end: Counts,
    orientation: Orientation = FORWARD,
) -> dict[Side, Counts]:
    """Return for each side the hits that begin in columns ``[first, end)``; int64, shape of ``first``.

    Args:
        orientation: of B.

    A sequence of another length than the one that is aligned is left out: the hits are not of it.
    """
    found = {}
    for side, n in ((Side.A, index.n_a), (Side.B, index.n_b)):
        one = places.get(side)
        if one is not None and one.letters == n and one.starts.size:
            row = 1 if side is Side.A else 2
            edges = (_letters_before(index, columns)[row] for columns in (first, end))
            starts = one.starts_in(orientation if side is Side.B else FORWARD)
            low, high = (np.searchsorted(starts, letters) for letters in edges)
            found[side] = high - low
    return found


def _letters_before(index: AlignmentIndex, columns: Counts) -> Counts:
    """Return columns, letters of A, of B and mismatches before each of ``columns``, which may be the end."""
    sums = np.repeat(index.marks[:, -1:], columns.size, axis=1)
    inside = int(np.searchsorted(columns, index.n_columns))
    for i in range(0, inside, EDGES_AT_ONCE):
        some = slice(i, min(i + EDGES_AT_ONCE, inside))
        sums[:, some] = sums_before(index.alignment, index.marks, columns[some])
    return sums


def strength(counts: Counts) -> npt.NDArray[np.float64]:
    """Return how strong a tick for so many hits is, 0 to 1, on a logarithmic scale; one hit can be seen."""
    shown = np.zeros(counts.size)
    hit = counts > 0
    if hit.any():
        shown[hit] = 0.45 + 0.55 * np.log1p(counts[hit]) / np.log1p(counts.max())
    return shown
