"""Inputs too small for vectors: one machine word of rows at a time; for the path every column is kept."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Counts, Letters, Words
from core.jit.bits import popcount_prefix
from core.jit.decorators import jit
from core.jit.simd import WORD
from core.kernels.pairwise.blocks.cell_traceback import match_masks, trace_matrix
from core.kernels.pairwise.edit.word_columns import ONE, all_columns, columns_logged, step


@jit
def small_distance(a: Letters, b: Letters) -> int:
    """Return the edit distance of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return max(a.size, b.size)
    match = match_masks(a, b)
    vp, vn = np.full(match.shape[1], ~np.uint64(0)), np.zeros(match.shape[1], np.uint64)
    all_columns(match, b, vp, vn)
    return int(b.size + popcount_prefix(vp, a.size) - popcount_prefix(vn, a.size))


@jit
def small_last_column(a: Letters, b: Letters, left: np.uint64, top: np.uint64) -> Words:
    """Return how the cost of the rows changes in the last column, uint64, shape (2, words of rows): up, down.

    Args:
        a, b: dense codes.
        left: all ones where each row of column 0 costs one more than the one above it, 0 where they cost nothing.
        top: 1 where each column of row 0 costs one more than the one before it, 0 where they cost nothing.
    """
    match = match_masks(a, b)
    v = np.zeros((2, match.shape[1]), np.uint64)
    v[0] = left
    for j in range(b.size):
        equal, up, down = match[b[j]], top, np.uint64(0)
        for w in range(match.shape[1]):
            v[0, w], v[1, w], up, down, _ = step(v[0, w], v[1, w], equal[w], up, down)
    return v


@jit
def small_edit_path(a: Letters, b: Letters) -> tuple[Letters, Counts, int]:
    """Return the alignment of two sequences of dense codes: operations and lengths of its runs, last column first, and
    its edits."""
    seen = np.empty((2, b.size * ((a.size + WORD - 1) // WORD)), np.uint64)
    match = match_masks(a, b)
    if a.size and b.size:
        vp, vn = np.full(match.shape[1], ~np.uint64(0)), np.zeros(match.shape[1], np.uint64)
        columns_logged(match, b, vp, vn, np.full(b.size, ONE), np.zeros(b.size, np.uint64), seen[0], seen[1])
    ops, lengths, edits = trace_matrix((0, 0), a, b, match, seen)
    return ops, lengths, edits
