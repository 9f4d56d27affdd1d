"""Small inputs without blocks: words of rows as vector lanes, or one after the other; every column is stored for the
path.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.bits import popcount_prefix
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.kernels.pairwise.blocks.cell_traceback import (
    columns_log,
    is_by_lanes,
    match_masks,
    staggered,
    trace_matrix,
)
from wavediff.core.kernels.pairwise.edit import lane_columns, word_columns


@jit_callee
def _columns(match, b, left, top, seen):  # type: ignore[no-untyped-def]
    """Return the cost changes along the rows in the last column, uint64, shape (2, strips, words): up, down.

    Args:
        match: see ``match_masks``. left, top: see ``small_last_column``.
        seen: output of VP and D0 after each column, see ``columns_log``; None: not stored.
    """
    v = np.zeros((2, match.shape[0], match.shape[2]), np.uint64)
    v[0] = left
    ups, downs = np.full(b.size, top), np.zeros(b.size, np.uint64)
    if is_by_lanes(match) and b.size:
        rows = staggered(b, match.shape[1] - 1)
        for s in range(match.shape[0]):
            if seen is None:
                lane_columns.columns_logged(match[s], rows, v[0, s], v[1, s], ups, downs, None, None)
            else:
                lane_columns.columns_logged(match[s], rows, v[0, s], v[1, s], ups, downs, seen[s, 0], seen[s, 1])
    elif seen is None:
        word_columns.all_columns(match[0], b, v[0, 0], v[1, 0], top)
    else:
        word_columns.columns_logged(match[0], b, v[0, 0], v[1, 0], ups, downs, seen[0, 0], seen[0, 1])
    return v


@jit
def small_distance(a: Letters, b: Letters) -> int:
    """Return the edit distance of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return max(a.size, b.size)
    v = _columns(match_masks(a, b), b, ~np.uint64(0), np.uint64(1), None)
    return int(b.size + popcount_prefix(v[0].reshape(-1), a.size) - popcount_prefix(v[1].reshape(-1), a.size))


@jit
def small_last_column(a: Letters, b: Letters, left: np.uint64, top: np.uint64) -> Words:
    """Return the cost changes along the rows in the last column, uint64, shape (2, words): up, down.

    Args:
        a, b: dense codes.
        left: all ones if each row of column 0 costs one more than the one above it, 0 if rows are free.
        top: 1 if each column of row 0 costs one more than the one before it, 0 if columns are free.
    """
    words: Words = _columns(match_masks(a, b), b, left, top, None).reshape((2, -1))
    return words


@jit
def small_edit_path(a: Letters, b: Letters) -> tuple[Letters, Counts, int]:
    """Return the alignment of two sequences of dense codes: runs (last column first), and edits."""
    match = match_masks(a, b)
    seen = columns_log(2, match, b.size)
    if a.size and b.size:
        _columns(match, b, ~np.uint64(0), np.uint64(1), seen)
    ops, lengths, edits = trace_matrix((0, 0), a, b, match, seen)
    return ops, lengths, edits
