"""Inputs too small for vectors: one machine word of rows at a time; for the path every column is kept."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Counts, Letters, Words
from core.jit.bits import popcount_prefix
from core.jit.decorators import jit
from core.jit.simd import WORD
from core.kernels.pairwise.blocks.cell_traceback import match_masks, trace_matrix
from core.kernels.pairwise.lcs.word_columns import all_columns, columns_logged


@jit
def _last_column(a: Letters, b: Letters) -> Words:
    """Return the rows after the last column, uint64, shape (words,): a zero bit where the LCS grows; dense codes."""
    match = match_masks(a, b)
    v = np.full(match.shape[1], ~np.uint64(0))
    all_columns(match, b, v)
    return v


@jit
def small_length(a: Letters, b: Letters) -> int:
    """Return the length of the LCS of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return 0
    return int(a.size - popcount_prefix(_last_column(a, b), a.size))


@jit
def small_profile(a: Letters, b: Letters) -> Counts:
    """Return the LCS of the first i letters of ``a`` with all of ``b``, int64, shape (a.size + 1,); dense codes."""
    out = np.zeros(a.size + 1, np.int64)
    if a.size and b.size:
        v = _last_column(a, b)
        for i in range(a.size):
            out[i + 1] = out[i] + 1 - np.int64(v[i // WORD] >> np.uint64(i % WORD) & np.uint64(1))
    return out


@jit
def small_path(a: Letters, b: Letters) -> tuple[Letters, Counts, int]:
    """Return the alignment of two sequences of dense codes: operations and lengths of its runs, last column first, and
    its edits."""
    seen = np.empty((1, b.size * ((a.size + WORD - 1) // WORD)), np.uint64)
    match = match_masks(a, b)
    if a.size and b.size:
        columns_logged(match, b, np.full(match.shape[1], ~np.uint64(0)), np.zeros(b.size, np.uint64), seen[0])
    ops, lengths, edits = trace_matrix((0,), a, b, match, seen)
    return ops, lengths, edits
