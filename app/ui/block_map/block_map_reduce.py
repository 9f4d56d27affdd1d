"""Downsampling of a block map that preserves the wavefront."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap
from wavediff.core.jobs.grid import BlockState

CACHE_BYTES = 1 << 18  # bytes of a board that are gone through at a time, so that what comes of it stays in cache

Cells = npt.NDArray[np.uint8]  # states, and bits next to them

EDGE_BIT = 8  # next to a state: the line between what is computed and what is not yet
_COMPUTED, _COMING = np.zeros(256, np.uint8), np.zeros(256, np.uint8)
_COMPUTED[[BlockState.DONE, BlockState.PATH]] = _COMING[[BlockState.WAITING, BlockState.RUNNING]] = EDGE_BIT


def blocks_a_cell(blocks: int, cells: int) -> int:
    """Return the number of blocks per cell that fits ``blocks`` into ``cells``."""
    return max(1, -(-blocks // max(1, cells)))


def downsample(block_map: BlockMap, by_rows: int, by_cols: int) -> Cells:
    """Downsample by ``by_rows`` x ``by_cols`` blocks; each cell gets its most important state.

    Parts that begin at multiples of both factors match, so that the picture does not flicker when the view moves or is
    painted in parts. The result may be ``block_map`` itself.
    """
    if by_rows == by_cols == 1:
        return block_map
    step = max(
        1, CACHE_BYTES // max(1, by_rows * block_map.shape[1])
    )  # rows of cells at a time, so that they stay in cache
    if step * by_rows >= block_map.shape[0]:
        return _reduce_cols(_reduce_rows(block_map, by_rows), by_cols)
    n_rows, n_cols = -(-block_map.shape[0] // by_rows), -(-block_map.shape[1] // by_cols)
    cells = np.empty((n_rows, n_cols), np.uint8)
    for row in range(0, n_rows, step):
        part = _reduce_rows(block_map[row * by_rows : (row + step) * by_rows], by_rows)
        cells[row : row + step] = _reduce_cols(part, by_cols)
    return cells


def _reduce_rows(states: Cells, by: int) -> Cells:
    """Return the maximum of each group of ``by`` rows, as a copy; the last group may be smaller."""
    best = states[::by].copy()
    for offset in range(1, by):
        more = states[offset::by]
        np.maximum(best[: len(more)], more, out=best[: len(more)])
    return best


def _reduce_cols(states: Cells, by: int) -> Cells:
    """The same for columns, in place: windows of 1, 2, 4... columns, as gathering single columns is slow."""
    span = 1
    while 2 * span <= by:
        np.maximum(states[:, :-span], states[:, span:], out=states[:, :-span])
        span *= 2
    best = states[:, ::by]
    if span == by:
        return best
    more = states[:, by - span :: by]
    best = best.copy()
    np.maximum(best[:, : more.shape[1]], more, out=best[:, : more.shape[1]])
    return best


def computed_edge(states: Cells) -> tuple[Cells, Cells]:
    """Return ``EDGE_BIT`` for computed cells whose right (lower) neighbour is not computed yet.

    Both lack the column (row) of ``states`` without such a neighbour, and are 0 elsewhere.
    """
    computed, coming = _COMPUTED.take(states), _COMING.take(states)
    return computed[:, :-1] & coming[:, 1:], computed[:-1] & coming[1:]
