"""Job that recomputes a window of the matrix, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wavediff.core.jobs import Job, KernelModules
from wavediff.core.jobs.results import Result
from wavediff.core.methods.base import PairJob

if TYPE_CHECKING:
    from wavediff.core.jobs.kept_matrix import KeptMatrix, KernelLayout, LaneLayout, Values, WordBits

WINDOW_LETTERS = 64  # of a side: a machine word of rows


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WindowJob(Job):
    """Request for the values of a range of cells.

    Attributes:
        pair: the comparison: of the LCS, or of edit distance from corner to corner, with or without swaps.
        row, col: number of letters of A and of B before the first cell; ``n_rows`` and ``n_cols`` or more follow.
        n_rows, n_cols: size of the range in cells, at least 1.
        kept: stored borders of a run of ``pair``; if they do not cover these cells, or None, the cells above and left
            are recomputed.
        before: number of equal letters at the start of both sequences before the first row and column of ``kept``.
    """

    modules = KernelModules("wavediff.core.kernels.window")

    pair: PairJob
    row: int
    col: int
    n_rows: int = WINDOW_LETTERS
    n_cols: int = WINDOW_LETTERS
    kept: KeptMatrix | None = None
    before: int = 0

    def __post_init__(self) -> None:
        n, m = int(self.pair.a.size), int(self.pair.b.size)
        if min(self.n_rows, self.n_cols) < 1 or min(self.row, self.col) < 0:
            raise ValueError(f"a window has cells, got {self.n_rows} x {self.n_cols} from ({self.row}, {self.col})")
        if self.row + self.n_rows > n or self.col + self.n_cols > m:
            end = f"row {self.row + self.n_rows:,} and column {self.col + self.n_cols:,}"
            raise ValueError(f"a window that ends in {end} does not fit into a matrix of {n:,} x {m:,}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WindowResult(Result):
    """Result of a ``WindowJob``.

    Attributes:
        row, col: of the job.
        values: int64, shape (n_rows + 1, n_cols + 1): of the cells, the row above them and the column on their left.
        words: of the kernel, see ``wavediff.core.jobs.kept_matrix.KeptMatrix.words``.
        kept: stored borders for the next window, from the first letters; None if those of the job suffice.
        layout: of the kernel. before: letters of both before the first row and column of its matrix.
    """

    row: int
    col: int
    values: Values
    words: WordBits
    kept: KeptMatrix | None = None
    layout: KernelLayout | LaneLayout | None = None
    before: int = 0
