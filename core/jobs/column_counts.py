"""Number of columns of each kind of difference between given columns, for overviews.

The time is proportional to the number of runs in the range or, if smaller, to the number of edges.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.difference_index import CHECKPOINT_RUNS, COLUMNS_ROW, OP_OF_KIND, DifferenceIndex

EDGES_AT_ONCE = 128  # whose runs stay in the cache of a core: a third of the time of all at once
_DIFFERENT = tuple(OP_OF_KIND.values())
_FIRST = _DIFFERENT[0]


def column_counts(index: DifferenceIndex, edges: Counts) -> Counts:
    """Count the columns of each kind between consecutive ``edges``.

    Args:
        edges: int64, shape (n + 1,), non-decreasing, 0 to the number of columns.

    Returns:
        int64, shape (6, n): equal, X, I, D, swap, counted apart.
    """
    counts = np.zeros((_FIRST + len(_DIFFERENT), max(0, edges.size - 1)), np.int64)
    if not counts.shape[1] or not index.n_columns:
        return counts
    mark, last = (int(each) for each in _marks(index, edges[[0, -1]]))
    if 2 * (last - mark) < edges.size:
        sums = _sums_of_runs(index, edges, mark, last)
    else:
        parts = [edges[i : i + EDGES_AT_ONCE] for i in range(0, edges.size, EDGES_AT_ONCE)]
        sums = np.concatenate([_sums_of_marks(index, each) for each in parts], axis=1)
    counts[_FIRST:] = np.diff(sums)
    counts[0] = np.diff(edges) - counts[_FIRST:].sum(axis=0)
    return counts


def longest_run(index: DifferenceIndex, col0: int, col1: int, ops: tuple[int, ...]) -> int | None:
    """Return the first column of the longest difference that begins in ``[col0, col1)``, or None.

    Args:
        ops: kinds to search for.
    """
    mark, last = (int(each) for each in _marks(index, np.array([col0, col1])))
    some = slice(mark * CHECKPOINT_RUNS, (last + 1) * CHECKPOINT_RUNS)
    lengths = index.run_columns[some]
    starts = index.run_marks[0, mark] + np.cumsum(lengths) - lengths
    those = np.flatnonzero(np.isin(index.run_ops[some], ops) & (starts >= col0) & (starts < col1))
    return int(starts[those[np.argmax(lengths[those])]]) if those.size else None


def _marks(index: DifferenceIndex, columns: Counts) -> npt.NDArray[np.intp]:
    runs: npt.NDArray[np.intp] = np.searchsorted(index.run_marks[0, :-1], columns, "right") - 1
    return runs


def _sums_of_runs(index: DifferenceIndex, edges: Counts, mark: int, last: int) -> Counts:
    """Return the columns of each kind before each edge, from the runs of checkpoints ``mark`` to ``last``."""
    some = slice(mark * CHECKPOINT_RUNS, (last + 1) * CHECKPOINT_RUNS)
    ops, lengths = index.run_ops[some], index.run_columns[some]
    ends = index.run_marks[0, mark] + np.cumsum(lengths)
    run = np.minimum(np.searchsorted(ends, edges, "right"), ops.size - 1)
    beyond = edges - ends[run]  # 0 or less: what of the run lies behind the edge
    return np.stack([np.cumsum(lengths * (ops == op))[run] + beyond * (ops[run] == op) for op in _DIFFERENT])


def _sums_of_marks(index: DifferenceIndex, edges: Counts) -> Counts:
    """Return the columns of each kind before each edge, from the checkpoint before it."""
    marks = _marks(index, edges)
    runs = marks[:, None] * CHECKPOINT_RUNS + np.arange(CHECKPOINT_RUNS)
    inside = runs < index.run_ops.size
    runs = np.where(inside, runs, 0)
    ops, before = index.run_ops[runs], index.run_marks[0, marks][:, None]
    ends = np.minimum(before + np.cumsum(np.where(inside, index.run_columns[runs], 0), axis=1), edges[:, None])
    lengths = np.diff(ends, axis=1, prepend=before)
    return np.stack(
        [index.run_marks[COLUMNS_ROW + op, marks] + (lengths * (ops == op)).sum(axis=1) for op in _DIFFERENT]
    )
