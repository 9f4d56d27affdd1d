"""Density of hits along an alignment, reduced to the pixels of a strip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.ui.pair import Side
from core.arrays import Counts
from core.jobs.alignment_index import AlignmentIndex, sums_before


@dataclass(frozen=True, slots=True, eq=False)
class HitPlaces:
    """Hits of one sequence.

    Attributes:
        letters: of the sequence.
        counts: int64, shape (bins,): hits that begin in each of as many equal parts of it.
    """

    letters: int
    counts: Counts


def places_along(index: AlignmentIndex, places: Mapping[Side, HitPlaces], pixels: int) -> dict[Side, Counts]:
    """Return for each side the hits behind each pixel of a strip over the whole alignment, int64, shape (pixels,).

    A sequence of another length than the one that is aligned is left out: the hits are not of it.
    """
    if not places:
        return {}
    columns = np.arange(pixels) * index.n_columns // pixels
    _, *letters_before, _ = sums_before(index.alignment, index.marks, columns)
    found = {}
    for row, (side, n) in enumerate(((Side.A, index.n_a), (Side.B, index.n_b))):
        one = places.get(side)
        if one is None or one.letters != n or not n:
            continue
        some = np.flatnonzero(one.counts)
        middle = (2 * some + 1) * n // (2 * one.counts.size)
        pixel = np.maximum(np.searchsorted(letters_before[row], middle, "right") - 1, 0)
        found[side] = np.bincount(pixel, one.counts[some], pixels).astype(np.int64)
    return found


def strength(counts: Counts) -> npt.NDArray[np.float64]:
    """Return how strong a tick for so many hits is, 0 to 1, on a logarithmic scale; one hit can be seen."""
    shown = np.zeros(counts.size)
    hit = counts > 0
    if hit.any():
        shown[hit] = 0.45 + 0.55 * np.log1p(counts[hit]) / np.log1p(counts.max())
    return shown
