"""Path of an alignment on a block map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.grid import BlockGrid, BlockState


def mark_path(block_map: BlockMap, grid: BlockGrid, path: Sequence[tuple[int, int]] | Counts) -> None:
    """Mark the blocks that lines from node to node of a path cross."""
    i, j = np.asarray(path, np.float64).T
    steps = 2 + 2 * int(
        max(np.abs(np.diff(i)).max(initial=0) // grid.block_rows, np.abs(np.diff(j)).max(initial=0) // grid.block_cols)
    )
    at = np.linspace(0, i.size - 1, (i.size - 1) * steps + 1)
    rows, cols = (np.interp(at, np.arange(i.size), x).astype(np.int64) - 1 for x in (i, j))
    place = tuple(
        np.minimum(np.maximum(x, 0) // size, most - 1)
        for x, size, most in zip((rows, cols), (grid.block_rows, grid.block_cols), block_map.shape, strict=True)
    )
    block_map[place] = np.where(block_map[place] == BlockState.OUTSIDE_BAND, block_map[place], BlockState.PATH)


def mark_front(block_map: BlockMap, grid: BlockGrid, common: int, alignment: Alignment) -> None:
    """Mark the blocks on an alignment within the ``common`` letters at the front."""
    i = j = 0
    for op, n in alignment.runs():
        if min(i, j) >= common:
            break
        right, below = op != Op.DELETION, i + n * (op != Op.INSERTION)
        last = min(max(below - 1, i) // grid.block_rows, len(block_map) - 1)
        for r in range(min(i // grid.block_rows, last), last + 1):
            begin = j + max(0, r * grid.block_rows - i) * right
            end = j + (min(below, (r + 1) * grid.block_rows) - i if below > i else n) * right
            part = block_map[r, begin // grid.block_cols : (max(end, 1) - 1) // grid.block_cols + 1]
            part[part != BlockState.OUTSIDE_BAND] = BlockState.PATH
        i, j = below, j + n * right
