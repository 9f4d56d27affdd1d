"""Levels of the zoom strip: the column range of each, from the whole alignment to the letters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts

MAX_LEVELS = 3
OPENS_FROM_COLUMNS = 1_000_000  # below it one level shows all there is to see
LEVEL_RATIO = 100  # columns of a level for each one of the next
MIN_LEVEL_COLUMNS = 2_000  # a level of fewer would hardly show more than the letters
MIN_SPAN_COLUMNS = 10
ROUNDING = 1e-6  # of a column: what a place among 10^9 columns may be off
MARGIN_SHARE = 0.05  # of a level: nearer to its edge than that, it moves with the letters


@dataclass(frozen=True, slots=True)
class Window:
    """Range of ``span`` columns from ``first``; fractional for smooth zooming."""

    first: float
    span: float

    @property
    def end(self) -> float:
        return self.first + self.span

    @property
    def middle(self) -> float:
        return self.first + self.span / 2

    @classmethod
    def around(cls, place: float, share: float, span: float, n: int) -> Window:
        """Return a window of ``span`` columns with ``place`` at fraction ``share``, moved into the ``n`` columns."""
        span = min(max(span, MIN_SPAN_COLUMNS), n)
        return cls(min(max(0.0, place - share * span), n - span), span)

    def zoomed(self, factor: float, share: float, n: int) -> Window:
        """Return the range scaled by a factor (within ``n``); the column at fraction ``share`` stays."""
        return self.around(self.first + share * self.span, share, self.span * factor, n)

    def share(self, col: float) -> float:
        """Return the position of column ``col``: 0 left, 1 right."""
        return (col - self.first) / self.span

    def pixels(self, n: int) -> tuple[Counts, Counts]:
        """Return the columns ``[first, end)`` of each of ``n`` pixels, at least one each."""
        edges = np.floor(self.first + np.arange(n + 1) * (self.span / n) + ROUNDING).astype(np.int64)
        last = max(0, int(np.ceil(self.end - ROUNDING)) - 1)
        first = np.minimum(edges[:-1], last)
        return first, np.maximum(edges[1:], first + 1)


class StripLevels:
    """Windows of the levels, widest first, and that of the letters.

    The window of a level moves only when the letters leave it.
    """

    def __init__(self) -> None:
        self.n_columns = 0
        self.letters = Window(0, 1)
        self.windows: list[Window] = []

    def reset(self, n_columns: int, most: int = MAX_LEVELS) -> None:
        """Show ``n_columns`` columns in as many levels as needed, up to ``most``."""
        self.n_columns = n_columns
        self.letters = Window(0, 1)
        self.windows = [Window(0, n_columns)] if n_columns else []
        self.set_most(most)

    def set_most(self, most: int) -> None:
        """Limit the number of levels; the widest one stays."""
        n = min(most, level_count(self.n_columns))
        self.windows = self.windows[:n]
        while 0 < len(self.windows) < n:
            self._put(len(self.windows), self.n_columns / LEVEL_RATIO ** len(self.windows))

    def inner(self, level: int) -> Window:
        """Return the window of a level's handle: the next level, or the letters."""
        return self.windows[level + 1] if level + 1 < len(self.windows) else self.letters

    def follow(self, col0: int, col1: int) -> None:
        """Set the letters' window to ``[col0, col1)``; levels follow it."""
        self.letters = Window(col0, max(1, col1 - col0))
        for level, window in enumerate(self.windows):
            margin = MARGIN_SHARE * window.span
            at_start, at_end = window.first <= 0, window.end >= self.n_columns
            inside = (at_start or window.first + margin <= col0) and (at_end or col1 <= window.end - margin)
            if not inside or not window.first <= self.letters.middle <= window.end:
                self._put(level, window.span)

    def zoom(self, level: int, factor: float, at: float) -> None:
        """Scale the window of a level by ``factor``, fixed at column ``at``.

        Levels stay nested: none shows more than the one above it.
        """
        old = self.windows[level]
        most = self.windows[level - 1].span if level else self.n_columns
        least = min(most, max(MIN_SPAN_COLUMNS, self.letters.span))
        span = min(max(least, old.span * factor), most)
        self.windows[level] = self._clamped(at - old.share(at) * span, span)
        for below in range(level + 1, len(self.windows)):
            if self.windows[below].span > self.windows[below - 1].span:
                self._put(below, self.windows[below - 1].span)

    def shift(self, level: int, columns: float) -> None:
        """Move the window of a level, and the levels below, by ``columns``."""
        for each in range(level, len(self.windows)):
            window = self.windows[each]
            self.windows[each] = self._clamped(window.first + columns, window.span)

    def show(self, level: int, first: int, end: int) -> None:
        """Show columns ``[first, end)`` in a level, with a margin that avoids scrolling."""
        wide, letters = end - first, 1.2 * self.letters.span
        span = (1 + 4 * MARGIN_SHARE) * wide + letters + max(0.0, letters - wide)
        self.zoom(level, span / self.windows[level].span, first)
        self.windows[level] = self._clamped(first - 2 * MARGIN_SHARE * wide - letters, self.windows[level].span)

    def is_whole(self, level: int) -> bool:
        return self.windows[level].span >= self.n_columns

    def _put(self, level: int, span: float) -> None:
        self.windows[level : level + 1] = [self._clamped(self.letters.middle - span / 2, span)]

    def _clamped(self, first: float, span: float) -> Window:
        return Window(min(max(0.0, first), max(0.0, self.n_columns - span)), span)


def level_count(n_columns: int) -> int:
    n = 1
    while n < MAX_LEVELS and n_columns >= max(OPENS_FROM_COLUMNS, MIN_LEVEL_COLUMNS * LEVEL_RATIO**n):
        n += 1
    return n
