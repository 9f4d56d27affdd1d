"""Levels of the zoom strip: which columns each of them shows, from the whole alignment down to the letters."""

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
    """A stretch of ``span`` columns from column ``first``; fractions, so that zooming and dragging are smooth."""

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
        """Return ``span`` of ``n`` columns with ``place`` at this share of them, as far as there are so many."""
        span = min(max(span, MIN_SPAN_COLUMNS), n)
        return cls(min(max(0.0, place - share * span), n - span), span)

    def zoomed(self, factor: float, share: float, n: int) -> Window:
        """Return so many times the columns of this one, of ``n``; what is at ``share`` stays there."""
        return self.around(self.first + share * self.span, share, self.span * factor, n)

    def share(self, col: float) -> float:
        """Return where column ``col`` lies, 0 at the left end and 1 at the right one."""
        return (col - self.first) / self.span

    def pixels(self, n: int) -> tuple[Counts, Counts]:
        """Return the columns ``[first, end)`` behind each of ``n`` pixels: at least one each."""
        edges = np.floor(self.first + np.arange(n + 1) * (self.span / n) + ROUNDING).astype(np.int64)
        last = max(0, int(np.ceil(self.end - ROUNDING)) - 1)
        first = np.minimum(edges[:-1], last)
        return first, np.maximum(edges[1:], first + 1)


class StripLevels:
    """Windows of the levels, the widest first, and that of the letters below them.

    A level keeps its window while the letters move inside it, and comes along where they leave it.
    """

    def __init__(self) -> None:
        self.n_columns = 0
        self.letters = Window(0, 1)
        self.windows: list[Window] = []

    def reset(self, n_columns: int, most: int = MAX_LEVELS) -> None:
        """Show an alignment of ``n_columns`` in as many levels as it needs, ``most`` at most."""
        self.n_columns = n_columns
        self.letters = Window(0, 1)
        self.windows = [Window(0, n_columns)] if n_columns else []
        self.set_most(most)

    def set_most(self, most: int) -> None:
        """Show ``most`` levels at most; the widest one stays as it is."""
        n = min(most, level_count(self.n_columns))
        self.windows = self.windows[:n]
        while 0 < len(self.windows) < n:
            self._put(len(self.windows), self.n_columns / LEVEL_RATIO ** len(self.windows))

    def inner(self, level: int) -> Window:
        """Return what the handle of a level shows: the next level, or the letters."""
        return self.windows[level + 1] if level + 1 < len(self.windows) else self.letters

    def follow(self, col0: int, col1: int) -> None:
        """Take ``[col0, col1)`` for the letters in sight; levels that they leave come along."""
        self.letters = Window(col0, max(1, col1 - col0))
        for level, window in enumerate(self.windows):
            margin = MARGIN_SHARE * window.span
            at_start, at_end = window.first <= 0, window.end >= self.n_columns
            inside = (at_start or window.first + margin <= col0) and (at_end or col1 <= window.end - margin)
            if not inside or not window.first <= self.letters.middle <= window.end:
                self._put(level, window.span)

    def zoom(self, level: int, factor: float, at: float) -> None:
        """Show ``factor`` times the columns in a level, column ``at`` staying where it is.

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
        """Move the window of a level, and those of the levels below, by ``columns``."""
        for each in range(level, len(self.windows)):
            window = self.windows[each]
            self.windows[each] = self._clamped(window.first + columns, window.span)

    def show(self, level: int, first: int, end: int) -> None:
        """Show columns ``[first, end)`` in a level, with a margin in which the letters do not move it."""
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
