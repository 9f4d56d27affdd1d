"""Track of the zoom strip: a lane for spans of both sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment_index import AlignmentIndex, sums_before
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.column_counts import EDGES_AT_ONCE
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans

BySide = Mapping[Side, Spans]


@dataclass(frozen=True, slots=True)
class Track:
    """Lane of the zoom strip, there where either sequence has spans for it.

    Attributes:
        noun, nouns: of one span and of several, for tips.
        spans: returns those of a sequence as in its file, on any thread; None: the hits.
    """

    noun: str
    nouns: str
    colour: Callable[[Theme], QColor]
    spans: Callable[[Sequence, CancelToken], Spans | None] | None = None


def as_aligned(index: AlignmentIndex, spans: BySide, orientation: Orientation) -> BySide:
    """Return spans at letters as aligned, B being oriented so; without those of a sequence of another length."""
    sides = {Side.A: (index.n_a, FORWARD), Side.B: (index.n_b, orientation)}
    return {
        side: found.oriented(sides[side][1]).prepare()
        for side, found in spans.items()
        if len(found) and found.n_letters == sides[side][0]
    }


def covered(index: AlignmentIndex, spans: BySide, first: Counts, end: Counts) -> Counts:
    """Return how many letters of columns ``[first, end)`` are in spans as aligned; int64, shape of ``first``."""
    low, high = _letters_before(index, first), _letters_before(index, end)
    counts = [spans[side].covered(low[row], high[row]) for side, row in ((Side.A, 1), (Side.B, 2)) if side in spans]
    total: Counts = np.sum(counts, axis=0, dtype=np.int64)
    return total


def touching(index: AlignmentIndex, spans: BySide, first: int, end: int) -> dict[Side, Counts]:
    """Return the numbers of the spans as aligned that have a letter in columns ``[first, end)``."""
    low, high = index.letters_before(first), index.letters_before(end)
    rows = {Side.A: 0, Side.B: 1}
    return {side: found.touching(low[rows[side]], high[rows[side]]) for side, found in spans.items()}


def first_span(index: AlignmentIndex, spans: BySide, first: int, end: int) -> int | None:
    """Return the column where the first span in columns ``[first, end)`` begins; None where there is none."""
    columns = {Side.A: index.column_of_a, Side.B: index.column_of_b}
    found = touching(index, spans, first, end)
    places = [columns[side](int(spans[side].starts[which[0]])) for side, which in found.items() if which.size]
    return min(places, default=None)


def _letters_before(index: AlignmentIndex, columns: Counts) -> Counts:
    """Return columns, letters of A, of B and mismatches before each of ``columns``, which may be the end."""
    sums = np.repeat(index.marks[:, -1:], columns.size, axis=1)
    inside = int(np.searchsorted(columns, index.n_columns))
    for i in range(0, inside, EDGES_AT_ONCE):
        some = slice(i, min(i + EDGES_AT_ONCE, inside))
        sums[:, some] = sums_before(index.alignment, index.marks, columns[some])
    return sums
