"""Last column of an edit distance matrix with optionally free borders: cost of each prefix of A against B."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from time import perf_counter
from typing import Protocol

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, LetterType, Words
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.edit.small_pairs import small_last_column
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import EDIT_PENALTY

COLUMN_KEY = "last column"  # of the kernel of small matrices, see ``wavediff.core.jit.warmup``
ALL, NONE = ~np.uint64(0), np.uint64(0)


class EndMatrix(Protocol):
    """Uncomputed full matrix with free borders; only its last column is read."""

    @property
    def block_map(self) -> BlockMap: ...
    @property
    def grid(self) -> BlockGrid: ...
    @property
    def record(self) -> RunRecord | None: ...
    @property
    def n_cells(self) -> int: ...

    def compute(self, step: Step) -> Generator[Event, None, None]:
        """Compute every block."""

    def last_column(self) -> Iterator[Counts]:
        """Yield the costs of rows 1 to n in the last column, int64, in chunks."""


class EndBackend(MatrixBackend[EditJob], Protocol):
    """Factory of edit distance matrices, including free borders."""

    def end_matrix(
        self, problem: PairProblem[EditJob], *, free_rows: bool, free_columns: bool
    ) -> Generator[Event, None, EndMatrix]:
        """Return the matrix of ``problem`` whose paths start free in any row, any column, or neither."""


def make_small_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) the kernels of small matrices."""
    letter = np.zeros(1, letter_type)
    key = variant(COLUMN_KEY, letter)
    yield from warm_up(step, "blocks", key, lambda: small_last_column(letter, letter, ALL, NONE))


def row_costs(words: Words, n: int, above: int) -> Counts:
    """Return the costs of ``n`` rows in a column.

    Args:
        words: uint64, shape (2, words): bit i of the first (second) row is set if row i costs one more (less) than the
            row above it. above: cost of the row above the first.
    """
    more, less = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")[:, :n]
    return above + np.cumsum(more.astype(np.int8) - less.astype(np.int8), dtype=np.int64)


def small_costs(problem: PairProblem[EditJob], free_rows: bool, free_columns: bool) -> Generator[Event, None, Counts]:
    """Return the costs of rows 1 to n in the last column of a small matrix.

    Args:
        free_rows, free_columns: a path may begin in any row of column 0, in any column of row 0, at no cost.
    """
    start = perf_counter()
    words = small_last_column(problem.a, problem.b, NONE if free_rows else ALL, NONE if free_columns else np.uint64(1))
    costs = row_costs(words, int(problem.a.size), 0 if free_columns else int(problem.b.size))
    yield problem.step.done("blocks", start, 1, problem.n_cells)
    return costs


def least(columns: Iterable[Counts], top: int) -> tuple[int, int]:
    """Return the minimum cost and its first row; ``top``: cost of row 0."""
    best, end, row = top, 0, 1
    for costs in columns:
        at = int(np.argmin(costs)) if costs.size else 0
        if costs.size and int(costs[at]) < best:
            best, end = int(costs[at]), row + at
        row += int(costs.size)
    return best, end


def best_overlap(columns: Iterable[Counts]) -> tuple[int, int, int]:
    """Return score, edits and rows of the first end with the largest score; 0 if none is positive."""
    best, edits, end, row = 0, 0, 0, 1
    for costs in columns:
        scores = np.arange(row, row + costs.size) - EDIT_PENALTY * costs
        at = int(np.argmax(scores)) if costs.size else 0
        if costs.size and int(scores[at]) > best:
            best, edits, end = int(scores[at]), int(costs[at]), row + at
        row += int(costs.size)
    return best, edits, end
