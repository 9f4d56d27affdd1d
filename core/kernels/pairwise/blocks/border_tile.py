"""Tile of a matrix computed from its upper and left borders: the unit of work of a cluster.

Borders are packed bits in letter order, the same for every vector width: by rows along a left border, by columns along
an upper one. For the LCS a bit means: no growth down a row, growth across a column. For edit distance there are two
bits: one more, then one less.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.events import REHEARSAL, Event
from wavediff.core.kernels.pairwise.blocks.block_matrix import BlockMatrix
from wavediff.core.kernels.pairwise.blocks.block_shape import choose_shape
from wavediff.core.kernels.pairwise.blocks.packed_pair import pack

Border = npt.NDArray[np.uint8]  # shape (signs, letters / 8, rounded up), lowest bit first
DEEPEST = 32  # rows of a stripe
TILE_ROWS = 512  # of which the rows of a tile are a multiple, so that all vectors fit, where others lie below it


class TileBorders(NamedTuple):
    """Right and lower borders (None if rows do not fill the vectors), and number of passed-through cells."""

    right: Border
    below: Border | None
    skipped: int


def outer_border(n: int, n_signs: int, *, left: bool) -> Border:
    """Return the border of ``n`` letters at the matrix edge: zero growth, or one edit per letter."""
    border = np.zeros((n_signs, -(-n // 8)), np.uint8)
    if left or n_signs == 2:
        border[0] = 255
    return border


def ones(border: Border, n: int) -> npt.NDArray[np.int64]:
    """Return the set bits in the first ``n`` of each sign."""
    sums: npt.NDArray[np.int64] = np.unpackbits(border, axis=1, count=n, bitorder="little").sum(axis=1, dtype=np.int64)
    return sums


def compute_tile(
    kind: type[BlockMatrix], a: Letters, b: Letters, codes: tuple[int, int], left: Border, above: Border, monotone: bool
) -> Generator[Event, None, TileBorders]:
    """Compute rows ``a`` by columns ``b`` (codes) in this thread.

    Args:
        kind: of matrix. codes: number of codes in the whole matrix, and their bit planes.
        left, above: borders of ``a`` and of ``b``. monotone: pass monotone borders through.
    """
    n_codes, n_planes = codes
    depth = next((d for d in range(DEEPEST, 0, -1) if a.size % (BITS * d) == 0), 0)
    shape = choose_shape(a.size, b.size, threads=1, block_rows=depth * BITS)
    assert shape is not None  # nothing is kept
    packed = yield from pack(REHEARSAL, a, b, n_codes, n_planes)
    matrix = kind(packed, shape, monotone=monotone)
    plan, state = matrix.plan, matrix.state
    state.final[:] = _rows_in(left, a.size, state.final.shape, shape.depth)
    top = int(plan.border_at[0]), int(plan.border_words[0])
    _columns_in(above, b.size, state.border[top[0] : top[0] + kind.n_delta_bits * GROUP_COLUMNS * top[1]])
    yield from matrix.compute(REHEARSAL)
    n_strips = state.final.shape[0]
    below = None
    if depth:
        at, words = int(plan.border_at[n_strips]), int(plan.border_words[n_strips])
        below = _columns_out(
            state.border[at : at + kind.n_delta_bits * GROUP_COLUMNS * words], kind.n_delta_bits, b.size
        )
    return TileBorders(_rows_out(state.final, kind.n_delta_bits, shape.depth, a.size), below, matrix.n_skipped)


def _rows_in(border: Border, n: int, shape: tuple[int, int], depth: int) -> npt.NDArray[np.uint64]:
    """Convert a column border to strip rows: bit k of vector r is row ``k * depth + r``."""
    n_signs, rows = border.shape[0], shape[0] * BITS * depth
    bits = np.zeros((n_signs, rows), np.uint8)
    bits[0, n:] = 1
    bits[:, :n] = np.unpackbits(border, axis=1, count=n, bitorder="little")
    vectors = bits.reshape(n_signs, shape[0], BITS, depth).transpose(1, 0, 3, 2)
    return np.packbits(vectors, axis=3, bitorder="little").reshape(shape[0], -1).view(np.uint64)


def _rows_out(final: npt.NDArray[np.uint64], n_signs: int, depth: int, n: int) -> Border:
    bits = np.unpackbits(final.view(np.uint8), axis=1, bitorder="little")
    rows = bits.reshape(final.shape[0], n_signs, depth, LANES * WORD).transpose(1, 0, 3, 2).reshape(n_signs, -1)
    return np.packbits(rows[:, :n], axis=1, bitorder="little")


def _columns_in(border: Border, m: int, streams: npt.NDArray[np.uint64]) -> None:
    """Write the bit streams of a row border: per sign one for each column of a group."""
    n_signs, groups = border.shape[0], -(-m // GROUP_COLUMNS)
    bits = np.unpackbits(streams.view(np.uint8), bitorder="little").reshape(n_signs, GROUP_COLUMNS, -1)
    columns = bits[:, :, :groups].transpose(0, 2, 1).reshape(n_signs, -1)
    columns[:, :m] = np.unpackbits(border, axis=1, count=m, bitorder="little")
    bits[:, :, :groups] = columns.reshape(n_signs, groups, GROUP_COLUMNS).transpose(0, 2, 1)
    streams[:] = np.packbits(bits.reshape(-1), bitorder="little").view(np.uint64)


def _columns_out(streams: npt.NDArray[np.uint64], n_signs: int, m: int) -> Border:
    bits = np.unpackbits(streams.view(np.uint8), bitorder="little").reshape(n_signs, GROUP_COLUMNS, -1)
    columns = bits[:, :, : -(-m // GROUP_COLUMNS)].transpose(0, 2, 1).reshape(n_signs, -1)
    return np.packbits(columns[:, :m], axis=1, bitorder="little")
