"""Node values read from the stored borders: between strips, and along the right edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.kernels.pairwise.blocks.matrix_plan import MatrixPlan, strip_rows
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.word_rows import ones


def border_value(plan: MatrixPlan, border: Words, s: int, col: int) -> int:
    """Return the value of the node above strip s after ``col`` columns.

    If a band begins further right than in the strip above, the missing rows on the left count one each.

    Args:
        border: ``border`` of the matrix state.
    """
    per_strip = 0 if len(plan.delta_bits) == LCS_SIGNS or plan.free_rows else strip_rows(plan.depth)
    n_streams = len(plan.delta_bits) * GROUP_COLUMNS
    return per_strip * s + int(_border_sums(plan.lo, plan.border_at, plan.border_words, border, n_streams, s, col))


@jit_no_nrt
def _border_sums(lo: Counts, at: Counts, words: Counts, border: Words, n_streams: int, s: int, col: int) -> int:
    """Return the increase to ``col`` above strip s, along the borders above the strips on the left of each strip."""
    begin = total = np.int64(0)
    for k in range(s + 1):
        end, first = np.int64(col) if k == s else lo[k] * GROUP_COLUMNS, lo[k - 1] if k else np.int64(0)
        for stream in range(n_streams):
            parity = stream % GROUP_COLUMNS
            low, high = (begin + 1 - parity) // GROUP_COLUMNS - first, (end + 1 - parity) // GROUP_COLUMNS - first
            bits = ones(border[at[k] + stream * words[k] :], low, high)
            total += bits if stream < GROUP_COLUMNS else -bits
        begin = end
    return int(total)


def right_column(plan: MatrixPlan, final: Words) -> npt.NDArray[np.int8]:
    """Return the row differences of a strip after the last column, int8, shape (rows,).

    Args:
        final: of the strip, from the matrix state. Bit k of vector r is row ``k * depth + r``.
    """
    bits = np.unpackbits(final.view(np.uint8), bitorder="little").reshape(-1, plan.depth, LANES * WORD)
    signs = bits.transpose(0, 2, 1).reshape(len(plan.delta_bits), -1).astype(np.int8)
    values: npt.NDArray[np.int8] = 1 - signs[0] if len(plan.delta_bits) == LCS_SIGNS else signs[0] - signs[1]
    return values
