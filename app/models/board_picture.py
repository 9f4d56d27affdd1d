"""A board made small enough for the screen without losing the line that matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Board
from core.grid import BlockState

# Several blocks in one pixel show the state that matters most. s * (42 * s + 93) mod 256 puts the states
# into that order, and three operations on bytes cost 3 ms for 4096 x 4096 where a table look-up costs 25.
ORDER = (
    BlockState.WAITING,
    BlockState.OUTSIDE_BAND,
    BlockState.MONOTONE,
    BlockState.DONE,
    BlockState.RUNNING,
    BlockState.PATH,
    BlockState.FAILED,
)
PIECE = 1 << 18  # bytes of a board that are reduced at a time
HATCHED = 255  # rank of the darker stripes in what was not computed
FRONT = 254  # rank of the line between what is computed and what is not yet


def rank(states: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return bytes that are larger the more a state matters; same shape."""
    ranks = states * np.uint8(42)
    ranks += np.uint8(93)
    ranks *= states
    return ranks


RANKS: dict[BlockState, int] = {state: int(rank(np.array([state], np.uint8))[0]) for state in BlockState}
OUTSIDE, MONOTONE = RANKS[BlockState.OUTSIDE_BAND], RANKS[BlockState.MONOTONE]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Part of a board, reduced.

    Attributes:
        ranks: uint8, a rank for each of its cells.
        row, col: 0-based first block of the board in it.
        by_rows, by_cols: blocks of the board along each side of one of its cells.
    """

    ranks: npt.NDArray[np.uint8]
    row: int
    col: int
    by_rows: int
    by_cols: int


def blocks_a_cell(blocks: int, cells: int) -> int:
    """Return how many blocks share a cell so that ``blocks`` fit into ``cells``."""
    return max(1, -(-blocks // max(1, cells)))


def picture(board: Board, rows: tuple[int, int], cols: tuple[int, int], height: int, width: int) -> Picture:
    """Return blocks ``rows`` x ``cols`` (half-open, 0-based) in at most ``height`` x ``width`` cells and one more."""
    return reduced(board, rows, cols, blocks_a_cell(rows[1] - rows[0], height), blocks_a_cell(cols[1] - cols[0], width))


def reduced(board: Board, rows: tuple[int, int], cols: tuple[int, int], by_rows: int, by_cols: int) -> Picture:
    """Return blocks ``rows`` x ``cols`` (half-open, 0-based), ``by_rows`` x ``by_cols`` of them in a cell.

    Cells start at multiples of whole numbers of blocks, so that nothing flickers while the view is moved or
    a part of it is painted alone. The last cells may reach beyond ``rows`` and ``cols``.
    """
    top, left = rows[0] // by_rows * by_rows, cols[0] // by_cols * by_cols
    seen = board[top : rows[1], left : cols[1]]
    n_rows, n_cols = -(-seen.shape[0] // by_rows), -(-seen.shape[1] // by_cols)
    cells = np.empty((n_rows, n_cols), np.uint8)
    step = max(1, PIECE // max(1, by_rows * seen.shape[1]))  # rows of cells at a time, so that they stay in cache
    for row in range(0, n_rows, step):
        ranks = _reduce_rows(rank(seen[row * by_rows : (row + step) * by_rows]), by_rows)
        cells[row : row + step] = _reduce_cols(ranks, by_cols)
    return Picture(cells, top, left, by_rows, by_cols)


def _reduce_rows(ranks: npt.NDArray[np.uint8], by: int) -> npt.NDArray[np.uint8]:
    """Return the maximum of each ``by`` rows; the last group may have fewer."""
    if by == 1:
        return ranks
    best = ranks[::by].copy()
    for offset in range(1, by):
        more = ranks[offset::by]
        np.maximum(best[: len(more)], more, out=best[: len(more)])
    return best


def _reduce_cols(ranks: npt.NDArray[np.uint8], by: int) -> npt.NDArray[np.uint8]:
    """The same for columns, in place: windows of 1, 2, 4... columns, since single columns are slow to gather."""
    span = 1
    while 2 * span <= by:
        np.maximum(ranks[:, :-span], ranks[:, span:], out=ranks[:, :-span])
        span *= 2
    best = ranks[:, ::by]
    if span == by:
        return best
    more = ranks[:, by - span :: by]
    best = best.copy()
    np.maximum(best[:, : more.shape[1]], more, out=best[:, : more.shape[1]])
    return best


def hatch(shown: Picture, period: int) -> None:
    """Stripe what was not computed, in place: slanting outside the band, level behind a monotone border."""
    rows = np.arange(shown.row // shown.by_rows, shown.row // shown.by_rows + shown.ranks.shape[0])
    cols = np.arange(shown.col // shown.by_cols, shown.col // shown.by_cols + shown.ranks.shape[1])
    outside, monotone = shown.ranks == OUTSIDE, shown.ranks == MONOTONE
    if outside.any():
        shown.ranks[outside & (np.add.outer(rows, cols) % period == 0)] = HATCHED
    if monotone.any():
        shown.ranks[monotone & (rows % period == 0)[:, None]] = HATCHED


Mask = npt.NDArray[np.bool_]


def runs(mask: Mask) -> list[tuple[int, int, int]]:
    """Return (row, first, last) of each run of true cells, columns half-open, in reading order."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.bool_)  # np.pad takes longer than all the rest
    padded[:, 1:-1] = mask
    rows, edges = np.nonzero(padded[:, 1:] != padded[:, :-1])
    rows, first, last = rows[::2], edges[::2], edges[1::2]
    return list(zip(rows.tolist(), first.tolist(), last.tolist(), strict=True))


def front(shown: Picture) -> tuple[Mask, Mask]:
    """Return which computed cells have one on their right, and which one below, that is still to be computed.

    Both masks are smaller than ``shown`` by the column (row) that has no such neighbour.
    """
    ranks = shown.ranks
    computed = (ranks == RANKS[BlockState.DONE]) | (ranks == RANKS[BlockState.PATH])
    coming = (ranks == RANKS[BlockState.WAITING]) | (ranks == RANKS[BlockState.RUNNING])
    return computed[:, :-1] & coming[:, 1:], computed[:-1] & coming[1:]


def mark_front(shown: Picture) -> None:
    """Draw the front into the cells on both of its sides, in place; for cells too small for lines."""
    right, below = front(shown)
    shown.ranks[:, :-1][right] = FRONT
    shown.ranks[:, 1:][right] = FRONT
    shown.ranks[:-1][below] = FRONT
    shown.ranks[1:][below] = FRONT
