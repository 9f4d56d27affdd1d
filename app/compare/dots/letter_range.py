"""Rectangle of the dot plot: ranges of A and B."""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.run.rates import MemoryEstimate
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence


class LetterRange(NamedTuple):
    """Rectangle of the dot plot as ranges of A and B, 0-based and half-open, in letters as shown."""

    a_from: int
    a_to: int
    b_from: int
    b_to: int

    @classmethod
    def between(cls, one: QPointF, other: QPointF, room: QRectF) -> LetterRange:
        """Return the range between two points (x = B, y = A) inside ``room``; at least one letter of A and B each."""
        ends = []
        pairs = (one.y(), other.y(), room.top(), room.bottom()), (one.x(), other.x(), room.left(), room.right())
        for first, last, least, most in pairs:
            low, high = (min(max(each, least), most) for each in sorted((first, last)))
            start = min(floor(low), ceil(most) - 1)
            ends += [start, max(start + 1, ceil(high))]
        return cls(*ends)

    @property
    def box(self) -> QRectF:
        return QRectF(self.b_from, self.a_from, self.b_to - self.b_from, self.a_to - self.a_from)

    @property
    def word(self) -> str:
        """1-based ranges of A and B as typed, such as ``101-600,201-700``."""
        return f"{self.a_from + 1}-{self.a_to},{self.b_from + 1}-{self.b_to}"

    def moved(self, down: int, right: int, n: int, m: int) -> LetterRange:
        """Return the range moved by letters, inside ``n`` letters of A and ``m`` of B."""
        down = min(max(down, -self.a_from), n - self.a_to)
        right = min(max(right, -self.b_from), m - self.b_to)
        return LetterRange(self.a_from + down, self.a_to + down, self.b_from + right, self.b_to + right)

    def resized(self, down: int, right: int, n: int, m: int) -> LetterRange:
        """Return the range with its ends moved, inside ``n`` letters of A and ``m`` of B."""
        a_to, b_to = min(max(self.a_to + down, self.a_from + 1), n), min(max(self.b_to + right, self.b_from + 1), m)
        return self._replace(a_to=a_to, b_to=b_to)

    def strand(self, matches: ExactMatches) -> Strand:
        """Return the strand with more matched letters in the range."""
        a, b, length = matches.a_starts, matches.b_starts, matches.lengths
        b_low, b_high = self.b_from - b, self.b_to - b
        low = np.maximum(self.a_from - a, np.where(matches.minus, length - b_high, b_low))
        high = np.minimum(self.a_to - a, np.where(matches.minus, length - b_low, b_high))
        inside = np.maximum(0, np.minimum(high, length) - np.maximum(low, 0))
        return Strand.MINUS if inside[matches.minus].sum() > inside[~matches.minus].sum() else Strand.PLUS

    def texts(self, a: Sequence, b: Sequence) -> tuple[str, str]:
        """Describe the ranges of A and B in file coordinates."""
        spans = zip("AB", (a, b), (self[:2], self[2:]), strict=True)
        first, last = (
            f"{side} {_place(one, ends)}, {count(ends[1] - ends[0], 'letter', 'letters')}" for side, one, ends in spans
        )
        return first, last


class RangeCost(NamedTuple):
    """Cost of comparing a range: cells, seconds, memory; upper bounds for similar sequences.

    ``refusal``: why the range cannot be compared.
    """

    cells: int
    seconds: float = 0.0
    memory: MemoryEstimate | None = None
    free_bytes: int = 0
    refusal: str = ""


def _place(one: Sequence, ends: tuple[int, int]) -> str:
    if one.records is None:
        return _span(one.stretch(*ends))
    record = one.records.at(ends[0])
    start = int(one.records.starts[record])
    return f"{printable(one.records.name(record))} {_span((ends[0] - start, ends[1] - start))}"


def _span(ends: tuple[int, int]) -> str:
    return f"{number(ends[0] + 1)}–{number(ends[1])}"
