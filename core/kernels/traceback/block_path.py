"""Path of an alignment on a block map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts
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
