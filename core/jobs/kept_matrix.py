"""Stored parts of a matrix, from which any of its cells can be recomputed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from wavediff.core.jobs.events import Event, Step

MAX_KEPT_BYTES = 256 << 20  # of a matrix, by the viewer of the run
Values = npt.NDArray[np.int64]
Match = npt.NDArray[np.bool_]
WordBits = Mapping[str, npt.NDArray[np.uint8]]
CellRule = Callable[[Match, Values, Values, Values], Values]


class KernelLayout(NamedTuple):
    """Row order of a bit-sliced kernel.

    A strip has ``stripes`` stripes of ``depth`` rows, one for each bit of its vectors. In step t bit b processes group
    t - b, which has ``group_columns`` columns.
    """

    depth: int
    stripes: int
    group_columns: int

    @property
    def strip_rows(self) -> int:
        return self.depth * self.stripes


class LaneLayout(NamedTuple):
    """Row order of a kernel with staggered words (Sudo and Shinohara, Fig. 2).

    A vector has ``lanes`` words of ``word_rows`` rows each, which form a strip; in step t word w of the matrix is at
    column t - w. A block is a strip over ``block_steps`` steps; blocks over the same steps are ordered from top to
    bottom.
    """

    word_rows: int
    lanes: int
    block_steps: int


class KeptMatrix(Protocol):
    """Row borders of a matrix and some states between them; rows and columns are relative to its origin.

    During a run on other threads it has the data computed so far; after a complete run it has all data.
    """

    @property
    def n_bytes(self) -> int: ...

    @property
    def layout(self) -> KernelLayout | LaneLayout: ...

    @property
    def computed_again(self) -> tuple[int, int]:
        """Return the maximum number of rows and of columns that are recomputed to get a few cells."""

    def columns(self, row: int, n_rows: int) -> tuple[int, int]:
        """Return the columns ``[first, end)`` computed so far in all of ``n_rows`` rows from ``row``; (0, 0) without
        all these rows."""

    def values(
        self, step: Step, row: int, col: int, n_rows: int, n_cols: int
    ) -> Generator[Event, None, Values]:  # fmt: skip
        """Recompute a range of cells.

        Args:
            row, col: letters before the first cell; within ``columns``.

        Returns:
            int64, shape (n_rows + 1, n_cols + 1), with the row above and the column on the left.
        """

    def words(self, row: int, col: int, n_rows: int, n_cols: int) -> WordBits:
        """Return the words of a range of cells by the names in the kernel's formulas.

        Returns:
            uint8 0 or 1, shape (n_rows, n_cols) each; none if they follow from the values.
        """


def has_cells(kept: KeptMatrix, row: int, col: int, n_rows: int, n_cols: int) -> bool:
    """Return whether ``kept`` contains the cells; row and col may be negative."""
    first, end = kept.columns(row, n_rows) if row >= 0 else (0, 0)
    return first <= col and col + n_cols <= end


def lcs_cells(match: Match, upper_left: Values, above: Values, left: Values) -> Values:
    """Return the LCS lengths of cells from their neighbours (Wagner and Fischer 1974)."""
    return np.where(match, upper_left + 1, np.maximum(above, left))


def edit_cells(match: Match, upper_left: Values, above: Values, left: Values) -> Values:
    """Return the edit distances of cells whose neighbours are known (Wagner and Fischer 1974)."""
    cells: Values = np.minimum(upper_left + ~match, np.minimum(above, left) + 1)
    return cells


def fill_cells(rule: CellRule, match: Match, left: Values, top: Values) -> Values:
    """Fill a table from its first column and row, int64, shape (n + 1, m + 1).

    Args:
        match: bool, shape (n, m): equal letters. left, top: int64, n + 1 and m + 1 values, both including the corner.
    """
    n, m = match.shape
    values = np.zeros((n + 1, m + 1), np.int64)
    values[:, 0], values[0] = left, top
    for d in range(2, n + m + 1):  # an antidiagonal at once: none of its cells needs another
        i = np.arange(max(1, d - m), min(n, d - 1) + 1)
        j = d - i
        values[i, j] = rule(match[i - 1, j - 1], values[i - 1, j - 1], values[i - 1, j], values[i, j - 1])
    return values
