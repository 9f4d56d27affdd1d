"""The borders that a card keeps, brought to the host as a walk comes by them: a window of strips at a time."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from core.kernels.blocks.tiles import Window
from gpu.card import Card
from gpu.layout import COLUMNS
from gpu.refine import Refinement, coarse_size, refinement
from gpu.strips import StripMatrix

WINDOW_ROWS = 1 << 15  # fetched at once, at least a strip or a coarse tile
REFINING = 2  # threads that fetch what has to be computed again
WINDOW_TILES = 1 << 12  # of a row, at most
ASIDE = 1.5  # times the two thirds' power of the rows on the way: how far a path may be from where it is likely


class Need(NamedTuple):
    """Where a walk is, or is likely to be.

    Attributes:
        i, j: the node. rows: from the last one that is sure.
    """

    i: int
    j: int
    rows: int = 0


class Borders:
    """Windows of what ``matrix`` keeps, fetched by threads of their own.

    Attributes:
        rows, width: of the tiles in a window.
    """

    def __init__(self, matrix: StripMatrix) -> None:
        assert matrix.tiles is not None, "nothing is kept"
        self._matrix, self._tiles = matrix, matrix.tiles
        self._refinement = refinement(matrix)
        threads = 1 if self._refinement is None else REFINING
        self._cards: SimpleQueue[Card] = SimpleQueue()
        for _ in range(threads):
            self._cards.put(matrix.card.beside())
        self.rows, self.width = coarse_size(matrix)
        if self._refinement is not None:
            self.rows, self.width = self._refinement.rows, self._refinement.width
        self._fetching = ThreadPoolExecutor(threads, thread_name_prefix="fetch")

    def fetch(self, need: Need) -> Future[Window]:
        """Begin to bring the borders up to a node, of as many rows as are worth a transfer."""
        return self._fetching.submit(self._fetch, need)

    def close(self) -> None:
        """Let no fetch follow the one that is under way, and wait for that."""
        self._fetching.shutdown(cancel_futures=True)

    def covers(self, window: Window, i: int, j: int) -> bool:
        """Return whether a window has the tile that the path comes to at node (i, j)."""
        s = (i - 1 - window.top) // window.height
        if not 0 <= s < window.v.shape[0]:
            return False
        return bool(window.first[s] < j and (j - 1 - window.first[s]) // window.width < window.v.shape[2])

    def likely(self, window: Window, i: int, j: int) -> Need | None:
        """Return where a walk from node (i, j) is likely to leave a window at its top; None at the top of all."""
        if not window.top:
            return None
        up = i - window.top  # the path mostly goes on to where it began
        return Need(window.top, max(1, j - (up * j // i if self._matrix.layout.band is None else up)), up)

    def _fetch(self, need: Need) -> Window:
        card = self._cards.get()
        try:
            return self._kept(card, need) if self._refinement is None else self._refined(card, self._refinement, need)
        finally:
            self._cards.put(card)

    def _refined(self, card: Card, refinement: Refinement, need: Need) -> Window:
        """Tiles beside the straight way from the node to where the matrix begins."""
        i, j, rows = need
        height, width = refinement.coarse
        last = (i - 1) // height
        first = last // max(1, WINDOW_ROWS // height) * max(1, WINDOW_ROWS // height)
        tops = np.arange(first, last + 1) * height
        bottoms = np.minimum(tops + height, i)
        aside = ASIDE * (i - tops + rows) ** (2 / 3) * j / i
        starts = ((tops * j / i - aside) // width).astype(np.int64)
        n_tiles = int(((bottoms * j / i + aside) // width - starts).max()) + 1
        most = -(-self._matrix.layout.width * COLUMNS // width)
        if n_tiles > WINDOW_TILES:  # too flat: the end of one row
            n_tiles, first, tops = WINDOW_TILES, last, tops[-1:]
            starts = np.array([(j - 1) // width + 1 - n_tiles])
        n_tiles = min(n_tiles, most)
        starts = np.clip(starts, 0, most - n_tiles)
        v, h = refinement.window(card, first, starts, n_tiles)
        nothing, columns = np.zeros(tops.size, np.int64), self._matrix.layout.sizes[0][1]
        return Window(
            v, h, h[0, 0, 0, 0], nothing, nothing + columns, 0, starts * width, 0, first * height, height,
            self.rows, self.width, 1,
        )  # fmt: skip

    def _kept(self, card: Card, need: Need) -> Window:
        """All tiles that a straight way from the node to where the matrix begins may come by."""
        matrix, tiles = self._matrix, self._tiles
        layout, (i, j, rows) = matrix.layout, need
        height, width = layout.height, tiles.groups * COLUMNS
        last, strips = (i - 1) // height, max(1, WINDOW_ROWS // height)
        first = last // strips * strips
        lo = layout.lo[first : last + 1] * COLUMNS
        # Tiles are counted from where a strip begins. In a band the path stays about where it is; where it goes
        # further, there is a next window.
        here = (min(j, int(layout.hi[last]) * COLUMNS) - 1 - int(lo[-1])) // width
        up = -(-(i - first * height) // width)
        if layout.band is None:
            start, end = here - int(up * j / i * 9 / 8) - 1, here + 1
        else:
            start, end = here - up // 4 - 2, here + up // 4 + 3
        doubt = int(rows > 0)
        start, end = max(0, start - doubt, end - WINDOW_TILES), min(end + doubt, int(matrix.kept_v.shape[1]))
        at = slice(start, end)
        v = matrix.kept_rows(card, slice(first, last + 1), at)[:, None]
        # A strip reads what the one above it handed down, whose bytes are counted from further left.
        ahead = int(np.diff(layout.lo[first : last + 1]).max(initial=0))
        h = card.download(matrix.kept_h[first : last + 1, :, :, start * tiles.groups : end * tiles.groups + ahead])
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
            v, h[:, None, None], above, lo, layout.hi[first : last + 1] * COLUMNS, above_hi, lo + start * width,
            first_above, first * height, height, self.rows, self.width, 0,
        )  # fmt: skip
