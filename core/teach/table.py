"""Small LCS and edit distance tables: values, arrows, and counts of optimal paths.

Rows are letters of A, columns letters of B, both from 1; row 0 and column 0 are the empty prefixes. Source: Wagner and
Fischer 1974; for the counts of an LCS Greenberg 2003.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.kept_matrix import CellRule, edit_cells, fill_cells, lcs_cells
from wavediff.core.teach.questions import DIAGONAL, LEFT, SWAP, UP, Arrows, Candidate
from wavediff.core.teach.unit import Unit

Values = npt.NDArray[np.int32]
MAX_TABLE_LETTERS = 512  # of a side: a table of 512 x 512 takes some 50 ms, and no screen shows more numbers
MAX_LISTED = 10_000  # subsequences that are listed one by one


class TableTooLarge(WavediffError):
    """Sequences too long for a table."""

    def __init__(self, n: int, m: int) -> None:
        most = f"{MAX_TABLE_LETTERS} × {MAX_TABLE_LETTERS}"
        super().__init__(f"a table of {n:,} × {m:,} cells cannot be stepped; up to {most} letters can")


class DpTable(ABC):
    """Dynamic programming table of two sequences of at most ``MAX_TABLE_LETTERS`` letters.

    Args:
        edges: column 0 and row 0 (both with the corner) of a part of a larger table; None: a whole table.

    Attributes:
        name: of a cell in formulas. a, b: letters. match: bool, shape (n, m). values: int32, shape (n + 1, m + 1).

    Raises:
        TableTooLarge: a sequence is longer.
    """

    name: ClassVar[str]

    def __init__(self, a: str, b: str, edges: tuple[Values, Values] | None = None) -> None:
        self.a, self.b, self._edges = a, b, edges
        if max(len(a), len(b)) > MAX_TABLE_LETTERS:
            raise TableTooLarge(len(a), len(b))
        x, y = (np.array([ord(letter) for letter in text], np.uint32) for text in (a, b))
        self.match = x[:, None] == y[None, :]
        self.values = self._fill()

    def _fill(self) -> Values:
        n, m = len(self.a), len(self.b)
        values = self._borders(n, m)
        edges = (values[:, 0], values[0]) if self._edges is None else self._edges
        left, top = (edge.astype(np.int64) for edge in edges)
        return fill_cells(self._rule, self.match, left, top).astype(np.int32)

    @property
    @abstractmethod
    def _rule(self) -> CellRule:
        """Return the recurrence of a cell from its neighbours."""

    @abstractmethod
    def _borders(self, n: int, m: int) -> Values:
        """Return the table with row 0 and column 0 filled."""

    @abstractmethod
    def candidates(self, i: int, j: int) -> list[Candidate]:
        """Return the predecessors of (i, j), i and j from 1."""

    @cached_property
    @abstractmethod
    def arrows(self) -> Arrows:
        """Optimal predecessors of every cell; ``bits`` has the shape (n + 1, m + 1)."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, without row 0 and column 0."""
        return len(self.a), len(self.b)

    @property
    def answer(self) -> int:
        return int(self.values[-1, -1])

    def rank(self, unit: Unit, block: tuple[int, int] = (4, 4)) -> Values:
        """Return the step of ``unit`` that computes each cell, int32, shape (n + 1, m + 1); row 0 and column 0: 0.

        Args:
            block: rows and columns of a block. A word has the rows of a block, one column behind the word above (Sudo
                and Shinohara).
        """
        n, m = self.shape
        i, j = np.indices((n, m))
        h, w = block
        step = {
            Unit.CELL: i * m + j + 1,
            Unit.ROW: i + 1,
            Unit.COLUMN: j + 1,
            Unit.ANTIDIAGONAL: i + j + 1,
            Unit.BLOCK: i // h + j // w + 1,
            Unit.WORD: i // h + j + 1,
        }[unit]
        steps = np.zeros((n + 1, m + 1), np.int32)
        steps[1:, 1:] = step
        return steps


class LcsTable(DpTable):
    """LCS lengths L of prefixes.

    >>> LcsTable("abcde", "baexd").answer
    2
    """

    name = "L"

    def _borders(self, n: int, m: int) -> Values:
        return np.zeros((n + 1, m + 1), np.int32)

    @property
    def _rule(self) -> CellRule:
        return lcs_cells

    def candidates(self, i: int, j: int) -> list[Candidate]:
        values = self.values
        if self.match[i - 1, j - 1]:
            return [Candidate(i - 1, j - 1, int(values[i - 1, j - 1]) + 1, DIAGONAL, True)]
        above, left = int(values[i - 1, j]), int(values[i, j - 1])
        return [Candidate(i - 1, j, above, UP, above >= left), Candidate(i, j - 1, left, LEFT, left >= above)]

    @cached_property
    def arrows(self) -> Arrows:
        values = self.values
        arrows = np.zeros(values.shape, np.uint8)
        # Where the length is 0 a path ends: what comes before matters to no subsequence.
        alive = values[1:, 1:] > 0
        arrows[1:, 1:] |= (self.match * DIAGONAL).astype(np.uint8)
        arrows[1:, 1:] |= ((values[1:, 1:] == values[:-1, 1:]) * UP).astype(np.uint8)
        arrows[1:, 1:] |= ((values[1:, 1:] == values[1:, :-1]) * LEFT).astype(np.uint8)
        arrows[1:, 1:] *= alive
        return Arrows(arrows)

    def _counted(self, *, by_places: bool) -> int:
        """Return the number of longest common subsequences, distinct by positions or by letters."""
        values, match = self.values.tolist(), self.match.tolist()
        above = [1] * (len(self.b) + 1)
        for i in range(1, len(self.a) + 1):
            now = [1]
            for j in range(1, len(self.b) + 1):
                length = values[i][j]
                if length == 0:
                    now.append(1)
                    continue
                count = above[j - 1] if match[i - 1][j - 1] else 0
                if by_places or not match[i - 1][j - 1]:
                    count += above[j] if values[i - 1][j] == length else 0
                    count += now[j - 1] if values[i][j - 1] == length else 0
                    count -= above[j - 1] if values[i - 1][j - 1] == length else 0
                now.append(count)
            above = now
        return above[-1]

    @cached_property
    def matchings(self) -> int:
        """Number of optimal alignments that differ in their matched positions."""
        return self._counted(by_places=True)

    @cached_property
    def n_subsequences(self) -> int:
        return self._counted(by_places=False)

    @cached_property
    def subsequences(self) -> list[str]:
        """The longest common subsequences, sorted; empty if more than ``MAX_LISTED``."""
        if self.n_subsequences > MAX_LISTED:
            return []
        values = self.values.tolist()
        above: list[set[str]] = [{""}] * (len(self.b) + 1)
        for i in range(1, len(self.a) + 1):
            now: list[set[str]] = [{""}]
            for j in range(1, len(self.b) + 1):
                length, texts = values[i][j], set[str]()
                if length == 0:
                    texts = {""}
                elif not self.arrows.on_path[i, j]:
                    pass  # not requested
                elif self.match[i - 1, j - 1]:
                    texts = {text + self.a[i - 1] for text in above[j - 1]}
                else:
                    texts |= above[j] if values[i - 1][j] == length else set()
                    texts |= now[j - 1] if values[i][j - 1] == length else set()
                now.append(texts)
            above = now
        return sorted(above[-1])


class EditTable(DpTable):
    """Edit distances D of prefixes at unit costs.

    >>> EditTable("kitten", "sitting").answer
    3
    """

    name = "D"

    def _borders(self, n: int, m: int) -> Values:
        values = np.zeros((n + 1, m + 1), np.int32)
        values[:, 0], values[0] = np.arange(n + 1), np.arange(m + 1)
        return values

    @property
    def _rule(self) -> CellRule:
        return edit_cells

    def candidates(self, i: int, j: int) -> list[Candidate]:
        values, least = self.values, int(self.values[i, j])
        sources = (
            (i - 1, j - 1, int(values[i - 1, j - 1]) + (not self.match[i - 1, j - 1]), DIAGONAL),
            (i - 1, j, int(values[i - 1, j]) + 1, UP),
            (i, j - 1, int(values[i, j - 1]) + 1, LEFT),
        )
        return [Candidate(*source, source[2] == least) for source in sources]

    @cached_property
    def arrows(self) -> Arrows:
        values = self.values
        arrows = np.zeros(values.shape, np.uint8)
        arrows[0, 1:], arrows[1:, 0] = LEFT, UP
        here = values[1:, 1:]
        arrows[1:, 1:] |= ((here == values[:-1, :-1] + ~self.match) * DIAGONAL).astype(np.uint8)
        arrows[1:, 1:] |= ((here == values[:-1, 1:] + 1) * UP).astype(np.uint8)
        arrows[1:, 1:] |= ((here == values[1:, :-1] + 1) * LEFT).astype(np.uint8)
        return Arrows(arrows)


class SwapTable(EditTable):
    """Edit distances H of prefixes with swaps; a swap costs one, plus one per letter between.

    Source: Lowrance and Wagner 1975; DX and DY as in Kim, Na and Sim 2015 (section 2.1).

    Attributes:
        dx: int32, shape (n + 1, m): ``dx[i, j - 1]`` is p of cell (i, j), the last row before i whose letter is that of
            column j; 0 for none. dy: int32, shape (n, m + 1): ``dy[i - 1, j]`` is q, the last column before j whose
            letter is that of row i.

    >>> SwapTable("CA", "ABC").answer
    2
    """

    name = "H"
    dx: Values
    dy: Values

    def _fill(self) -> Values:
        # A row at a time: all but the step along the row reads rows above, and that step is a running minimum.
        (n, m), match = self.shape, self.match
        rows, cols = np.arange(n + 1, dtype=np.int32), np.arange(m + 1, dtype=np.int32)
        self.dx, self.dy = np.zeros((n + 1, m), np.int32), np.zeros((n, m + 1), np.int32)
        np.maximum.accumulate(np.where(match, rows[1:, None], 0)[:-1], axis=0, out=self.dx[2:])
        np.maximum.accumulate(np.where(match, cols[None, 1:], 0)[:, :-1], axis=1, out=self.dy[:, 2:])
        values = self._borders(n, m)
        for i in range(1, n + 1):
            above = values[i - 1]
            best = np.minimum(above[1:] + 1, above[:-1] + ~match[i - 1])
            can_swap, swapped = self._swapped(values, i)
            best = np.where(can_swap, np.minimum(best, swapped), best)
            # H[i, j] is the least of best[k] + (j - k) over all columns k up to j, column 0 among them.
            values[i] = np.minimum.accumulate(np.append(values[i, :1], best) - cols) + cols
        return values

    def _swapped(self, values: Values, i: int) -> tuple[npt.NDArray[np.bool_], Values]:
        """Return for the columns of row i, from 1, whether a swap can end there, and the value after this swap."""
        p, q, j = self.dx[i], self.dy[i - 1, 1:], np.arange(1, len(self.b) + 1, dtype=np.int32)
        return (p > 0) & (q > 0), values[p - 1, q - 1] + (i - p - 1) + (j - q - 1) + 1

    def look_up(self, i: int, j: int) -> tuple[int, int]:
        """Return p and q of cell (i, j), from 1; 0: no such row or column."""
        return int(self.dx[i, j - 1]), int(self.dy[i - 1, j])

    def candidates(self, i: int, j: int) -> list[Candidate]:
        """Return the predecessors of (i, j); the fourth is the start of a swap."""
        candidates = super().candidates(i, j)
        p, q = self.look_up(i, j)
        if p and q:
            value = int(self.values[p - 1, q - 1]) + (i - p - 1) + (j - q - 1) + 1
            candidates.append(Candidate(p - 1, q - 1, value, SWAP, value == int(self.values[i, j])))
        return candidates

    @cached_property
    def arrows(self) -> Arrows:
        bits, jumps = super().arrows.bits.copy(), {}
        for i in range(1, len(self.a) + 1):
            can_swap, swapped = self._swapped(self.values, i)
            for j in (np.flatnonzero(can_swap & (swapped == self.values[i, 1:])) + 1).tolist():
                p, q = self.look_up(i, j)
                jumps[i, j] = [(p - 1, q - 1)]
                bits[i, j] |= SWAP
        return Arrows(bits, jumps)
