"""Walks back through the borders that a card keeps, and where they come by."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from core.arrays import Counts, Letters
from core.kernels.blocks.tiles import Window, scratch, walk_window
from core.traceback.runs import Runs, runs_of
from gpu.borders import Borders, Need
from gpu.strips import StripMatrix

MET = 1 << 15  # bytes of what is met in a piece: where another trail joins, a whole one is turned into runs again


@dataclass(slots=True, eq=False)
class Trail:
    """One walk.

    Attributes:
        i, j: the node where it is. met: what it met so far, piece by piece; see ``core.traceback.runs.gather``.
        runs: the same, as operations and lengths.
        marks: for each line that it came to the line, the column, the piece, and how much of that was met by then.
        joined: line and number of the trail on which it goes on; None as long as it walks by itself.
        cells: computed again for it.
    """

    i: int
    j: int
    met: list[Letters] = field(default_factory=list)
    runs: list[Runs] = field(default_factory=list)
    marks: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    joined: tuple[int, int] | None = None
    cells: int = 0

    def runs_from(self, line: int) -> list[Runs]:
        """Return the runs from a line on; from its start where that is -1."""
        if line < 0:
            return self.runs
        _, piece, k = self.marks[line]
        return [runs_of(self.met[piece][k:]), *self.runs[piece + 1 :]]


class Lines:
    """Rows at which walks look whether they have met, and the trails that are known there.

    Args:
        n: rows of the matrix. spacing: of the lines. most: trails.

    Attributes:
        known: columns at which trails came to lines first. halt: uint8, shape (1,): 1 where all walks shall halt.
    """

    def __init__(self, n: int, spacing: int, most: int) -> None:
        self.spacing, self.n_lines = spacing, -(-n // spacing)
        self.known: Counts = np.full((self.n_lines, most), -1, np.int64)
        self.halt = np.zeros(1, np.uint8)
        self.trails: list[Trail] = []

    def begin(self, i: int, j: int) -> int:
        """Return the number of a new trail from node (i, j)."""
        self.trails.append(Trail(i, j))
        return len(self.trails) - 1

    def extend(self, number: int, met: Letters, marks: Counts) -> None:
        """Take note of what a trail met and where it came by; see ``walk_window``."""
        trail = self.trails[number]
        piece = len(trail.met)
        trail.met.append(met)
        trail.runs.append(runs_of(met))
        for line, column, k in marks.tolist():
            trail.marks[line] = column, piece, k


class Walker:
    """What one thread needs to walk."""

    def __init__(self, matrix: StripMatrix, borders: Borders, lines: Lines, common: int) -> None:
        self._pair, self._borders, self._lines, self._common = matrix.pairs[0], borders, lines, common
        self._signs = (0,) * int(matrix.signs)
        rows, width = borders.rows, borders.width
        self._masks, self._words = scratch(int(matrix.signs), rows, width)
        self._met = np.empty(max(MET, 4 * (rows + width)), np.uint8)
        self._marks = np.empty((lines.n_lines + 1, 3), np.int64)
        self._number = -1
        self._window: Window | None = None
        self._coming: Future[Window] | None = None

    def step(self, number: int, hasty: bool) -> None:
        """Let a trail go on through a window.

        Args:
            hasty: somebody waits, so the next window is fetched before it is sure that it will be needed.
        """
        lines, (a, b) = self._lines, self._pair
        trail = lines.trails[number]
        i, j = trail.i, trail.j
        if self._number != number:  # what was fetched for another trail may not have been computed by then
            self._number, self._window, self._coming = number, None, None
        if self._window is None or not self._borders.covers(self._window, i, j):
            self._window = self._fetched(i, j, hasty)
        trail.i, trail.j, n_met, cells, n_marks, other = walk_window(
            self._signs, a, b, self._window, i, j, self._common, lines.spacing, lines.known,
            number, lines.halt, self._masks, self._words, self._met, self._marks,
        )  # fmt: skip
        trail.cells += cells
        lines.extend(number, self._met[:n_met].copy(), self._marks[:n_marks])
        if other >= 0:
            trail.joined = int(self._marks[n_marks - 1, 0]), int(other)

    def _fetched(self, i: int, j: int, hasty: bool) -> Window:
        """Return the window up to node (i, j), and begin to fetch the next one."""
        window = self._coming.result() if self._coming is not None else None
        if window is None or not self._borders.covers(window, i, j):
            window = self._borders.fetch(Need(i, j)).result()
        need = self._borders.likely(window, i, j) if hasty else None
        self._coming = None if need is None else self._borders.fetch(need)
        return window
