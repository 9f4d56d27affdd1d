"""Remains of a matrix after its run, from which cells anywhere in it can be computed again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from wavediff.core.jobs.events import Event, Step

MAX_KEPT_BYTES = 256 << 20  # of a matrix, by whoever shows the run
Values = npt.NDArray[np.int64]
Match = npt.NDArray[np.bool_]
WordBits = Mapping[str, npt.NDArray[np.uint8]]
CellRule = Callable[[Match, Values, Values, Values], Values]


class KernelLayout(NamedTuple):
    """Order in which a bit-sliced kernel has the rows of its matrix.

    A strip of rows is cut into ``stripes`` stripes of ``depth`` rows, one for each bit of its vectors; in step t bit b
    works on group t - b, ``group_columns`` columns.
    """

    depth: int
    stripes: int
    group_columns: int

    @property
    def strip_rows(self) -> int:
        return self.depth * self.stripes


class LaneLayout(NamedTuple):
    """Order in which a kernel of staggered words has the rows of its matrix (Sudo and Shinohara, Fig. 2).

    A vector has ``lanes`` words of ``word_rows`` rows each, which are a strip; in step t word w of the matrix is at
    column t - w. A block is a strip over ``block_steps`` steps; of those over the same steps the upper one comes first.
    """

    word_rows: int
    lanes: int
    block_steps: int


class KeptMatrix(Protocol):
    """The row borders of a matrix and some states between them; rows and columns count from its first ones.

    While the run goes on, on other threads, it has what is computed already; one that ended by itself has all.
    """

    @property
    def n_bytes(self) -> int:
        """Return the memory that it takes."""
        ...

    @property
    def layout(self) -> KernelLayout | LaneLayout:
        """Return how the kernel has the rows."""
        ...

    @property
    def computed_again(self) -> tuple[int, int]:
        """Return the rows and columns that are computed again, at most, to have a few cells."""
        ...

    def columns(self, row: int, n_rows: int) -> tuple[int, int]:
        """Return the first column and the one after the last that were computed, by now, in all of ``n_rows`` rows.

        (0, 0) where it does not have all these rows.
        """
        ...

    def values(
        self, step: Step, row: int, col: int, n_rows: int, n_cols: int
    ) -> Generator[Event, None, Values]:  # fmt: skip
        """Compute some cells again.

        Args:
            row, col: letters before the first of them; within ``columns``.

        Returns:
            int64, shape (n_rows + 1, n_cols + 1), with the row above and the column on the left.
        """
        ...

    def words(self, row: int, col: int, n_rows: int, n_cols: int) -> WordBits:
        """Return what the words of some cells were, by the names that they have in the kernel's formulas.

        Returns:
            uint8 0 or 1, shape (n_rows, n_cols) each; none where they follow from the values.
        """
        ...


def has_cells(kept: KeptMatrix, row: int, col: int, n_rows: int, n_cols: int) -> bool:
    """Return whether ``kept`` has some cells; row and col may be before its first ones."""
    first, end = kept.columns(row, n_rows) if row >= 0 else (0, 0)
    return first <= col and col + n_cols <= end


def lcs_cells(match: Match, upper_left: Values, above: Values, left: Values) -> Values:
    """Return the lengths of the LCS of cells whose neighbours are known (Wagner and Fischer 1974)."""
    return np.where(match, upper_left + 1, np.maximum(above, left))


def edit_cells(match: Match, upper_left: Values, above: Values, left: Values) -> Values:
    """Return the edit distances of cells whose neighbours are known (Wagner and Fischer 1974)."""
    cells: Values = np.minimum(upper_left + ~match, np.minimum(above, left) + 1)
    return cells


def fill_cells(rule: CellRule, match: Match, left: Values, top: Values) -> Values:
    """Return a table of which the first column and the first row are known, int64, shape (n + 1, m + 1).

    Args:
        match: bool, shape (n, m): where letters are equal. left, top: int64, n + 1 and m + 1; they share the corner.
    """
    n, m = match.shape
    values = np.zeros((n + 1, m + 1), np.int64)
    values[:, 0], values[0] = left, top
    for d in range(2, n + m + 1):  # an antidiagonal at once: none of its cells needs another
        i = np.arange(max(1, d - m), min(n, d - 1) + 1)
        j = d - i
        values[i, j] = rule(match[i - 1, j - 1], values[i - 1, j - 1], values[i - 1, j], values[i, j - 1])
    return values
