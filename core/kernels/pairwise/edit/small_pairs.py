"""Inputs too small for vectors: one machine word of rows at a time; for the path every column is kept."""

from __future__ import annotations

import numpy as np

from core.arrays import Counts, Letters
from core.jit.bits import popcount_prefix
from core.jit.decorators import jit
from core.jit.simd import WORD
from core.kernels.pairwise.blocks.cell_traceback import match_masks, trace_matrix
from core.kernels.pairwise.edit.word_columns import ONE, all_columns, columns_logged


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
