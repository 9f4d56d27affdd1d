"""From the borders a card kept back to the path: fetch what the walk comes by, a window of strips at a time."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter

import numpy as np

from core.arrays import Board, Counts
from core.events import Event, StepDone
from core.grid import BlockGrid, BlockState
from core.kernels.blocks.tiles import Window, walk_window
from core.results.alignment import Op
from core.traceback.runs import Ops, gather
from gpu.layout import COLUMNS, LANES, Signs, Tiles
from gpu.refine import can_refine, coarse_size, fine_size, refine
from gpu.strips import StripMatrix

WINDOW_ROWS = 1 << 14  # fetched at once, at least a strip
PIECE_CELLS = 1 << 28  # computed again between two reports
BUDGET = 0.6  # of the free memory of a card that kept borders may take
ENOUGH = 1 << 34  # bytes: keeping more costs more time than to compute coarse tiles again
FINEST = 512  # rows and columns of a tile: smaller ones cost the walk more than they save
COARSEST = 4096  # rows and columns of a tile that is to be computed again
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


def choose_tiles(n: int, width: int, words: int, signs: Signs, free: int, *, whole: bool = True) -> Tiles | None:
    """Return the finest tiles whose borders fit, None where none do; coarser ones where ``gpu.refine`` makes up for it.

    Args:
        n: rows. width: columns that are computed of a strip. words: of a lane. free: bytes on the card.
        whole: no band.
    """
    lanes = max(1, min(LANES, FINEST // (32 * words)))
    groups = FINEST // COLUMNS
    height = words * LANES * 32
    strips = -(-n // height)
    while True:
        rows_kept = strips * signs * (height // 8) * (-(-width // (groups * COLUMNS)) + 1)
        below_kept = strips * (LANES // lanes) * signs * (width // COLUMNS + groups)
        coarse = not whole or lanes * 32 * words >= COARSEST or groups * COLUMNS >= COARSEST
        if rows_kept + below_kept <= (BUDGET * free if coarse else min(BUDGET * free, ENOUGH)):
            return Tiles(groups, lanes)
        if lanes < LANES and below_kept >= rows_kept:
            lanes *= 2
        elif groups * COLUMNS < max(width, FINEST):
            groups *= 2
        else:
            return None


def walk_back(
    matrix: StripMatrix, job_id: int, pieces: list[tuple[Ops, Counts]], common: int
) -> Generator[Event, None, None]:
    """Walk back from the end, appending runs (last column first) to ``pieces``; needs kept borders.

    Args:
        common: letters at the front that need not be crossed, as they are equal.
    """
    tiles = matrix.tiles
    assert tiles is not None, "nothing was kept"
    a, b = matrix.pairs[0]
    i, j = int(a.size), int(b.size)
    rows, width = fine_size(matrix) if can_refine(matrix) else coarse_size(matrix)
    masks = np.zeros((256, -(-rows // 64)), np.uint64)
    words = np.empty((int(matrix.signs), masks.shape[1] * width), np.uint64)
    met = np.empty(max(1 << 16, 8 * (rows + width)), np.uint8)
    ops, lengths = np.empty(2 * met.size + 2, np.uint8), np.empty(2 * met.size + 2, np.int64)
    signs = (0,) * int(matrix.signs)
    window: Window | None = None
    coming: Future[Window] | None = None
    since = perf_counter()
    with ThreadPoolExecutor(1, thread_name_prefix="fetch") as fetching:
        while i > common and j > common:
            if window is None:
                window = coming.result() if coming is not None else None
                if window is None or not _covers(window, i, j):
                    window = _fetch(matrix, tiles, i, j)
                coming = None
                if window.top > common:  # the path mostly goes on to where it began
                    left = max(1, j - (i - window.top) * j // i if matrix.layout.band is None else j - (i - window.top))
                    coming = fetching.submit(_fetch, matrix, tiles, window.top, left, 1)
            right, bottom = j, i
            i, j, n_met, cells = walk_window(signs, a, b, window, i, j, common, PIECE_CELLS, masks, words, met)
            if (i, j) == (bottom, right):  # it has left the window
                window = None
                continue
            runs = int(gather(met[:n_met], ops, lengths))
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            mark_path(matrix.board, matrix.grid, i, bottom, j, right)
            yield StepDone(job_id, "traceback", 1, cells, perf_counter() - since)
            since = perf_counter()
    pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))


def _covers(window: Window, i: int, j: int) -> bool:
    """Return whether a window has the tile that the path comes to at node (i, j)."""
    s = (i - 1 - window.top) // window.height
    if not 0 <= s < window.v.shape[0]:
        return False
    return bool(window.first[s] < j and (j - 1 - window.first[s]) // window.width < window.v.shape[1])


def _fetch(matrix: StripMatrix, tiles: Tiles, i: int, j: int, doubt: int = 0) -> Window:
    """Bring the borders up to node (i, j) of as many strips as are worth a transfer.

    Args:
        doubt: tiles more on both sides, where the node is a guess.
    """
    layout, card = matrix.layout, matrix.card
    height, width = layout.height, tiles.groups * COLUMNS
    last = (i - 1) // height
    first = max(0, last + 1 - max(1, WINDOW_ROWS // height))
    lo = layout.lo[first : last + 1] * COLUMNS
    # Tiles are counted from where a strip begins. In a whole matrix the path is about straight from here, in a
    # band it stays about where it is; where it goes further, there is a next window.
    here = (min(j, int(layout.hi[last]) * COLUMNS) - 1 - int(lo[-1])) // width
    up = -(-(last + 1 - first) * height // width)
    if layout.band is None:
        start, end = here - int(up * j / i * 9 / 8) - 1, here + 1
    else:
        start, end = here - up // 4 - 2, here + up // 4 + 3
    start, end = max(0, start - doubt), min(end + doubt, int(matrix.kept_v.shape[1]))
    if can_refine(matrix):
        v, h = refine(matrix, slice(first, last + 1), slice(start, end))
    else:
        v = matrix.kept_rows(slice(first, last + 1), slice(start, end))
        # A strip reads what the one above it handed down, whose bytes are counted from further left.
        ahead = int(np.diff(layout.lo[first : last + 1]).max(initial=0))
        h = card.download(matrix.kept_h[first : last + 1, :, :, start * tiles.groups : end * tiles.groups + ahead])
    first_column = lo + start * width
    above = np.zeros((int(matrix.signs), 1), np.uint8)
    above_hi, first_above = 0, 0
    if first:
        base = int(layout.lo[first - 1])
        from_group, to_group = int(lo[0]) // COLUMNS + start * tiles.groups - base, int(layout.hi[first - 1]) - base
        to_group = min(to_group, from_group + (end - start) * tiles.groups)
        if to_group > from_group:
            above = card.download(matrix.kept_h[first - 1, -1, :, from_group:to_group])
            above_hi, first_above = int(layout.hi[first - 1]) * COLUMNS, (base + from_group) * COLUMNS
    return Window(
        v,
        h,
        above,
        lo,
        layout.hi[first : last + 1] * COLUMNS,
        above_hi,
        first_column,
        first_above,
        first * height,
        height,
        *(fine_size(matrix) if can_refine(matrix) else coarse_size(matrix)),
    )


def mark_path(board: Board, grid: BlockGrid, i0: int, i1: int, j0: int, j1: int) -> None:
    """Mark the blocks between two nodes of the path, strip by strip along its diagonal."""
    steps = max(1, (i1 - i0) // grid.block_rows + (j1 - j0) // grid.block_cols) * 2
    along = np.linspace(0, 1, steps + 1)
    rows = np.clip((i0 + along * (i1 - i0)).astype(np.int64) - 1, 0, None) // grid.block_rows
    cols = np.clip((j0 + along * (j1 - j0)).astype(np.int64) - 1, 0, None) // grid.block_cols
    at = np.minimum(rows, board.shape[0] - 1), np.minimum(cols, board.shape[1] - 1)
    board[at] = np.where(board[at] == BlockState.OUTSIDE_BAND, board[at], BlockState.PATH)
