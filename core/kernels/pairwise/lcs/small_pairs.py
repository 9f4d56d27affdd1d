"""Small inputs without blocks: words of rows as vector lanes, or one after the other; every column is stored for the
path.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.bits import popcount_prefix
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import WORD
from wavediff.core.kernels.pairwise.blocks.cell_traceback import (
    columns_log,
    is_by_lanes,
    match_masks,
    staggered,
    trace_matrix,
)
from wavediff.core.kernels.pairwise.lcs import lane_columns, word_columns


@jit_callee
def _columns(match, b, seen):  # type: ignore[no-untyped-def]
    """Return the rows after the last column, uint64, shape (strips, words): zero bits where the LCS grows.

    Args:
        match: see ``match_masks``. seen: output of the rows after each column, see ``columns_log``; None: not stored.
    """
    v = np.full((match.shape[0], match.shape[2]), ~np.uint64(0))
    carries = np.zeros(b.size, np.uint64)
    if is_by_lanes(match) and b.size:
        rows = staggered(b, match.shape[1] - 1)
        for s in range(match.shape[0]):
            if seen is None:
                lane_columns.columns_logged(match[s], rows, v[s], carries, None)
            else:
                lane_columns.columns_logged(match[s], rows, v[s], carries, seen[s, 0])
    elif seen is None:
        word_columns.all_columns(match[0], b, v[0])
    else:
        word_columns.columns_logged(match[0], b, v[0], carries, seen[0, 0])
    return v


@jit
def small_length(a: Letters, b: Letters) -> int:
    """Return the length of the LCS of two sequences of dense codes."""
    if a.size == 0 or b.size == 0:
        return 0
    return int(a.size - popcount_prefix(_columns(match_masks(a, b), b, None).reshape(-1), a.size))


@jit
def small_profile(a: Letters, b: Letters) -> Counts:
    """Return the LCS of the first i letters of ``a`` with all of ``b``, int64, shape (a.size + 1,); dense codes."""
    out = np.zeros(a.size + 1, np.int64)
    if a.size and b.size:
        v = _columns(match_masks(a, b), b, None).reshape(-1)
        for i in range(a.size):
            out[i + 1] = out[i] + 1 - np.int64(v[i // WORD] >> np.uint64(i % WORD) & np.uint64(1))
    return out


@jit
def small_path(a: Letters, b: Letters) -> tuple[Letters, Counts, int]:
    """Return the alignment of two sequences of dense codes: runs (last column first), and edits."""
    match = match_masks(a, b)
    seen = columns_log(1, match, b.size)
    if a.size and b.size:
        _columns(match, b, seen)
    ops, lengths, edits = trace_matrix((0,), a, b, match, seen)
    return ops, lengths, edits
