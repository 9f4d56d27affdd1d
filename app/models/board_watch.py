"""A copy of the board that a kernel is writing, and where it changed since the last look."""

from __future__ import annotations

import numpy as np

from core.arrays import Board
from core.grid import BlockState

WHOLE = 1 << 15  # blocks of a board that is looked at as a whole
NEAR = 8  # rows, at least, on either side of what changed last that are looked at every time
TURNS = 30  # looks in which each of the other rows has its turn: a second at 30 frames a second

Box = tuple[int, int, int, int]  # first row, row after the last, first column, column after the last


class BoardWatch:
    """Compares and copies what may have changed; all of a board of 4096 x 4096 would take 2 ms of every 33.

    Args:
        live: uint8, the board of a ``Planned`` event; only read.
    """

    def __init__(self, live: Board) -> None:
        self._live: Board | None = live
        self._copy = live.copy()
        self.board: Board = self._copy.view()
        self.board.flags.writeable = False
        self._near = 0, live.shape[0]
        self._turn = 0
        self._seen = 0
        self._note(self._copy)

    def has(self, state: BlockState) -> bool:
        """Return whether some block is, or was at some look, in ``state``."""
        return bool(self._seen >> state & 1)

    def look(self) -> Box | None:
        """Take over what changed and return a box around it; None when that is nothing.

        On a large board rows far from the last change have their turn every ``TURNS`` looks.
        """
        live = self._live
        if live is None:
            return None
        n_rows = live.shape[0]
        if live.size <= WHOLE:
            return self._compare(live, 0, n_rows)
        share = -(-n_rows // TURNS)
        first = min(self._turn * share, n_rows)
        self._turn = (self._turn + 1) % TURNS
        changed = _around(self._compare(live, *self._near), self._compare(live, first, min(first + share, n_rows)))
        if changed is not None:
            more = max(NEAR, changed[1] - changed[0])
            self._near = max(0, changed[0] - more), min(n_rows, changed[1] + more)
        return changed

    def finish(self) -> None:
        """Take over all of it for the last time: the memory is the kernel's own, the copy is ours."""
        if self._live is not None:
            self._compare(self._live, 0, self._live.shape[0])
            self._live = None

    def _compare(self, source: Board, top: int, bottom: int) -> Box | None:
        rows = _rows_that_differ(source, self._copy, top, bottom)
        if rows is None:
            return None
        live = source[rows[0] : rows[1]].copy()  # read once: the kernel goes on writing
        copy = self._copy[rows[0] : rows[1]]
        cols = (live != copy).any(axis=0).nonzero()[0]
        if not cols.size:
            return None
        left, right = int(cols[0]), int(cols[-1]) + 1
        changed = live[:, left:right]
        copy[:, left:right] = changed
        self._note(changed)
        return rows[0], rows[1], left, right

    def _note(self, states: Board) -> None:
        self._seen |= int(np.bitwise_or.reduce(np.left_shift(np.uint8(1), states), axis=None)) if states.size else 0


def _rows_that_differ(one: Board, other: Board, top: int, bottom: int) -> tuple[int, int] | None:
    """Return rows of ``top`` to ``bottom`` (half-open) that hold every difference between two boards of a shape.

    Boards without gaps are compared eight blocks at a time, so the rows may be a few too many.
    """
    if not (one.flags.c_contiguous and other.flags.c_contiguous):
        rows = (one[top:bottom] != other[top:bottom]).any(axis=1).nonzero()[0]
        return (top + int(rows[0]), top + int(rows[-1]) + 1) if rows.size else None
    n_cols, whole = one.shape[1], one.size // 8 * 8
    first, last = top * n_cols // 8, min(-(-bottom * n_cols // 8), whole // 8)
    flat, copy = one.reshape(-1), other.reshape(-1)
    words = (flat[:whole].view(np.uint64)[first:last] != copy[:whole].view(np.uint64)[first:last]).nonzero()[0]
    low, high = (8 * (first + int(words[0])), 8 * (first + int(words[-1])) + 8) if words.size else (one.size, 0)
    if bottom * n_cols > whole and flat[whole:].tobytes() != copy[whole:].tobytes():  # less than a word is left
        low, high = min(low, whole), one.size
    return (max(top, low // n_cols), min(bottom, -(-high // n_cols))) if high else None


def _around(one: Box | None, other: Box | None) -> Box | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])
