"""Table H of the edit distance with swaps, small enough to be looked at, with what each cell looks up.

Source: Lowrance and Wagner 1975; DX and DY as Kim, Na and Sim 2015 have them (section 2.1).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.teach.optimal_paths import SWAP, Arrows, Candidate
from core.teach.table import EditTable, Values


class SwapTable(EditTable):
    """Edit distances H of prefixes; a swap of two letters costs one, and so does each letter between them.

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
        """Return for row i where a swap can end, and what the cells from column 1 on would be by one."""
        p, q, j = self.dx[i], self.dy[i - 1, 1:], np.arange(1, len(self.b) + 1, dtype=np.int32)
        return (p > 0) & (q > 0), values[p - 1, q - 1] + (i - p - 1) + (j - q - 1) + 1

    def look_up(self, i: int, j: int) -> tuple[int, int]:
        """Return p and q of cell (i, j), from 1; 0 where a letter was not seen before."""
        return int(self.dx[i, j - 1]), int(self.dy[i - 1, j])

    def candidates(self, i: int, j: int) -> list[Candidate]:
        """Return the cells that (i, j) is computed from; the last of four is the one that a swap begins from."""
        found = super().candidates(i, j)
        p, q = self.look_up(i, j)
        if p and q:
            value = int(self.values[p - 1, q - 1]) + (i - p - 1) + (j - q - 1) + 1
            found.append(Candidate(p - 1, q - 1, value, SWAP, value == int(self.values[i, j])))
        return found

    @cached_property
    def arrows(self) -> Arrows:
        bits, jumps = super().arrows.bits.copy(), {}
        for i in range(1, len(self.a) + 1):
            can_swap, swapped = self._swapped(self.values, i)
            for j in (np.flatnonzero(can_swap & (swapped == self.values[i, 1:])) + 1).tolist():
                p, q = self.look_up(i, j)
                jumps[i, j] = p - 1, q - 1
                bits[i, j] |= SWAP
        return Arrows(bits, jumps)
