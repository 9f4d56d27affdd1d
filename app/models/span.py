"""The part of a sequence that a plot shows, in letters: moved, zoomed, kept within bounds, and divided by ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

FEWEST = 4.0  # letters that are shown at least
BEYOND = 0.04  # of the sequence: how far its ends can be moved inwards
MARGIN = 0.01  # of the sequence: what is shown on each side of it when all of it is shown
PARTS = {1: 5, 2: 4, 5: 5}  # into how many parts plain ticks divide the distance of two numbered ones


@dataclass(frozen=True, slots=True)
class Span:
    """``first`` to ``last`` of ``length`` letters, 0-based, fractions of one count."""

    length: int
    first: float
    last: float

    @staticmethod
    def all(length: int) -> Span:
        """Return what shows the whole of a sequence."""
        length = max(1, length)
        return Span(length, -MARGIN * length, (1 + MARGIN) * length)

    @property
    def size(self) -> float:
        return self.last - self.first

    def to(self, first: float, last: float) -> Span:
        """Return the span nearest to that from ``first`` to ``last`` that is within bounds."""
        most = (1 + 2 * BEYOND) * self.length
        size = min(max(last - first, FEWEST), most)
        middle = (first + last) / 2
        low = min(max(middle - size / 2, -BEYOND * self.length), (1 + BEYOND) * self.length - size)
        return Span(self.length, low, low + size)

    def moved(self, letters: float) -> Span:
        return self.to(self.first + letters, self.last + letters)

    def zoomed(self, factor: float, at: float) -> Span:
        """Return one ``factor`` times as long, in which letter ``at`` keeps its place."""
        size = min(max(self.size * factor, FEWEST), (1 + 2 * BEYOND) * self.length)
        factor = size / self.size
        return self.to(at + (self.first - at) * factor, at + (self.last - at) * factor)

    def ticks(self, pixels: float, needed: float) -> tuple[list[int], list[int]]:
        """Return where numbered and where plain ticks belong, in letters, none outside of the sequence.

        Args:
            pixels: on which the span is shown.
            needed: pixels from one number to the next, at least.
        """
        if pixels <= 0:
            return [], []
        least = max(1.0, self.size * needed / pixels)
        power = 10 ** floor(log10(least))
        lead = next(each for each in (1, 2, 5, 10) if each * power >= least * (1 - 1e-9))
        step = lead * power
        parts = PARTS[1 if lead == 10 else lead]
        plain = step // parts if step % parts == 0 else step
        first, last = max(0.0, self.first), min(float(self.length), self.last)
        if last < first:
            return [], []
        places = np.arange(ceil(first / plain), floor(last / plain) + 1, dtype=np.int64) * plain
        numbered = places % step == 0
        return places[numbered].tolist(), places[~numbered].tolist()
