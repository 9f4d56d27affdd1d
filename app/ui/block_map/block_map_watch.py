"""Copy of a block map in use by a kernel, with its changes since the last poll."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.app.ui.block_map.block_map_reduce import CACHE_BYTES
from wavediff.core.base.arrays import BlockMap
from wavediff.core.jobs.grid import BlockState

WHOLE_MAP_BLOCKS = 1 << 16  # blocks of a board that is looked at as a whole
NEAR_ROWS = 8  # rows, at least, on either side of what changed last that are looked at every time
FULL_SCAN_FRAMES = 32  # looks in which each of the other rows has its turn: a second at 30 frames a second
SCAN_EVERY_FRAMES = 4  # looks from one turn to the next: another comparison costs more than the rows that are compared

Box = tuple[int, int, int, int]  # first row, row after the last, first column, column after the last


class BlockMapWatch:
    """Compares and copies only the possibly changed parts; all of 2048 x 2048 takes half a millisecond per frame.

    Args:
        live: uint8, the block map of a ``Planned`` event; not modified.
    """

    def __init__(self, live: BlockMap) -> None:
        self._live: BlockMap | None = live
        self._copy = live.copy()
        self.block_map: BlockMap = self._copy.view()
        self.block_map.flags.writeable = False
        self._near = 0, live.shape[0]
        self._turn = 0
        self._seen: set[BlockState] = set()
        self._missing: set[BlockState] = set()  # searched for without effect since the last change

    def has(self, state: BlockState) -> bool:
        """Return whether some block is in ``state``, or was at an earlier call."""
        if state not in self._seen | self._missing:
            copy, rows = self._copy, max(1, CACHE_BYTES // max(1, self._copy.shape[1]))
            has_state = any((copy[row : row + rows] == state).any() for row in range(0, len(copy), rows))
            (self._seen if has_state else self._missing).add(state)
        return state in self._seen

    def look(self) -> Box | None:
        """Copy the changes and return their bounding box, or None.

        On a large map rows far from the last change are read once in ``FULL_SCAN_FRAMES`` frames.
        """
        live = self._live
        if live is None:
            return None
        n_rows = live.shape[0]
        if live.size <= WHOLE_MAP_BLOCKS:
            return self._compare(live, 0, n_rows)
        changed = self._compare(live, *self._near)
        if self._turn % SCAN_EVERY_FRAMES == 0:
            share = -(-n_rows * SCAN_EVERY_FRAMES // FULL_SCAN_FRAMES)
            first = min(self._turn // SCAN_EVERY_FRAMES * share, n_rows)
            changed = _around(changed, self._compare(live, first, min(first + share, n_rows)))
        self._turn = (self._turn + 1) % FULL_SCAN_FRAMES
        if changed is not None:
            more = max(NEAR_ROWS, changed[1] - changed[0])
            self._near = max(0, changed[0] - more), min(n_rows, changed[1] + more)
        return changed

    def finish(self) -> None:
        """Copy everything a last time, as the kernel owns the original memory."""
        if self._live is not None:
            self._copy[:] = self._live
            self._live = None
            self._missing.clear()

    def _compare(self, source: BlockMap, top: int, bottom: int) -> Box | None:
        rows, box = max(1, CACHE_BYTES // max(1, source.shape[1])), None
        for first in range(top, bottom, rows):
            box = _around(box, self._compare_rows(source, first, min(first + rows, bottom)))
        return box

    def _compare_rows(self, source: BlockMap, top: int, bottom: int) -> Box | None:
        live, copy = source[top:bottom].copy(), self._copy[top:bottom]  # read once: the kernel goes on writing
        box = box_of(live ^ copy)
        if box is None:
            return None
        first, last, left, right = box
        copy[first:last] = live[first:last]
        self._missing.clear()
        return top + first, top + last, left, right


def box_of(differs: BlockMap | npt.NDArray[np.bool_]) -> Box | None:
    """Return the bounding box of all nonzero entries, or None."""
    cols = np.bitwise_or.reduce(differs, 0).nonzero()[0]
    if not cols.size:
        return None
    rows = np.bitwise_or.reduce(differs, 1).nonzero()[0]
    return int(rows[0]), int(rows[-1]) + 1, int(cols[0]), int(cols[-1]) + 1


def _around(one: Box | None, other: Box | None) -> Box | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])
