"""Node values read from the stored borders: between strips, and along the right edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.kernels.pairwise.blocks.matrix_plan import MatrixPlan, strip_rows
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS


def border_value(plan: MatrixPlan, border: Words, s: int, col: int) -> int:
    """Return the value of the node above strip s after ``col`` columns.

    Where a band begins further right than in the strip above, its rows rise by one each on the left.

    Args:
        border: of the state of the matrix.
    """
    per_strip = 0 if len(plan.delta_bits) == LCS_SIGNS or plan.free_rows else strip_rows(plan.depth)
    value, at = 0, 0
    for k in range(s):
        begin = int(plan.lo[k]) * GROUP_COLUMNS
        value += _border_sum(plan, border, k, at, begin) + per_strip
        at = begin
    return value + _border_sum(plan, border, s, at, col)


def _border_sum(plan: MatrixPlan, border: Words, s: int, begin: int, end: int) -> int:
    """Return the increase along the border above strip s from ``begin`` to ``end``."""
    if begin == end:
        return 0
    words = int(plan.border_words[s])
    at, first = int(plan.border_at[s]), int(plan.lo[s - 1]) if s else 0
    total = 0
    for stream in range(len(plan.delta_bits) * GROUP_COLUMNS):
        sign, parity = divmod(stream, GROUP_COLUMNS)
        low, high = (-(-(col - parity) // GROUP_COLUMNS) - first for col in (begin, end))
        piece = border[at + stream * words + low // 64 : at + stream * words + -(-high // 64)]
        bits = int.from_bytes(piece.tobytes(), "little") >> low % 64 & (1 << high - low) - 1
        total += bits.bit_count() * (-1 if sign else 1)
    return total


def right_column(plan: MatrixPlan, final: Words) -> npt.NDArray[np.int8]:
    """Return the row differences of a strip after the last column, int8, shape (rows,).

    Args:
        final: the strip's in the state of the matrix. Bit k of vector r is row ``k * depth + r``.
    """
    bits = np.unpackbits(final.view(np.uint8), bitorder="little").reshape(-1, plan.depth, LANES * WORD)
    signs = bits.transpose(0, 2, 1).reshape(len(plan.delta_bits), -1).astype(np.int8)
    values: npt.NDArray[np.int8] = 1 - signs[0] if len(plan.delta_bits) == LCS_SIGNS else signs[0] - signs[1]
    return values
