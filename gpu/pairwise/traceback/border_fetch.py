"""Download of stored borders: partly ahead, partly on demand in windows.

The borders along the straight line through a whole matrix are copied to the host while the card computes.

All tracebacks share them; one near the straight line, as most are, never waits for its own transfer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import DeviceError
from wavediff.core.kernels.pairwise.blocks.tile_traceback import TileWindow
from wavediff.core.system.machine import available_memory
from wavediff.core.system.thread_loop import thread_pool
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.pairwise.strips.card_strips import CardStrips
from wavediff.gpu.pairwise.strips.memory import tile_size
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS
from wavediff.gpu.pairwise.traceback.part_borders import BordersOfParts

CORRIDOR_FACTOR = 1.25  # times rows ** (2/3): distance of random paths from the straight line
MAX_HOST_BYTES = 1 << 27  # pinned bytes of the host; pinning more takes the first run longer than it saves
MAX_HOST_SHARE = 1 / 16  # maximum share of the host's free memory
MIN_STRIPS = 4  # minimum strips per transfer during the computation
T = TypeVar("T")
BAND_ROWS = 1 << 15  # rows per transfer in a band, at least one strip
FETCH_THREADS = 3  # threads for transfers and for recomputation of transferred tiles
WINDOW_TILES = 1 << 13  # of a window, at most
SPREAD_FACTOR = 1.5  # times rows ** (2/3) of the remaining rows: maximum distance of a path from its prediction


class TracePosition(NamedTuple):
    """Position of a traceback, actual or predicted.

    Attributes:
        i, j: the node. rows: distance from the last known node of the path, in rows.
    """

    i: int
    j: int
    rows: int = 0


class BorderFetcher:
    """Downloads windows of stored borders in separate threads; ``rows``, ``width``: of the tiles in a window."""

    def __init__(self, matrix: CardStrips) -> None:
        assert matrix.tiles is not None, "nothing is kept"
        self._matrix, self._tiles = matrix, matrix.tiles
        self._whole = BordersOfParts(matrix.parts) if matrix.layout.band is None else None
        self._cards: SimpleQueue[tuple[Card, ...]] = SimpleQueue()
        for _ in range(FETCH_THREADS):
            self._cards.put(tuple(card.sibling() for card in matrix.cards))
        self.rows, self.width = (
            tile_size(matrix.parts[0]) if self._whole is None else (self._whole.rows, self._whole.width)
        )
        self._fetching = thread_pool("fetch", FETCH_THREADS)
        self._asked: list[Future[Any]] = []
        self._corridor: Corridor | None = None
        self._followed = False
        self._bringing: Future[None] | None = None
        self._failed: Exception | None = None

    def follow(self, reached: Counts, at_hand: Callable[[int], None]) -> bool:
        """Prefetch windows for tracebacks; return whether there is more to prefetch.

        Args:
            reached: computed groups of each strip.
            at_hand: called with the last row of complete data, by one thread at a time.
        """
        if not self._followed:
            self._followed = True
            whole, sizes = self._whole, self._matrix.layout.sizes[0]
            if whole is not None and not whole.refined and Corridor.fits(whole, *sizes):
                self._bringing = self._submit(self._prepare, whole)
        if self._bringing is None:
            return False
        if self._bringing.done():
            if self._corridor is None:
                return False
            strips = self._corridor.computed(reached)
            if self._corridor.is_worth(strips):
                self._bringing = self._submit(self._bring, self._corridor, strips, at_hand)
        return True

    def at_hand(self, i: int, j: int) -> TileWindow | None:
        """Return a prefetched window with node (i, j), or None."""
        corridor = self._corridor
        return corridor.window if corridor is not None and corridor.has(i, j) else None

    def complete(self, at_hand: Callable[[int], None]) -> None:
        """Finish prefetching after the matrix is computed."""
        layout = self._matrix.layout
        while self.follow(layout.hi, at_hand) and self._bringing is not None:
            wait([self._bringing])
            if self._corridor is not None and self._corridor.rows == layout.sizes[0][0]:
                return

    def fetch(self, need: TracePosition) -> Future[TileWindow]:
        """Start downloading the borders up to a node, as many rows as one transfer should have."""
        return self._submit(self._fetch, need)

    def close(self) -> Exception | None:
        """Stop after the current download, and wait for it.

        Returns:
            The reason why prefetching failed, unless the card caused it.
        """
        wait([future for future in self._asked if not future.cancel()])
        return self._failed

    def computed(self, i: int, j: int) -> bool:
        """Return whether the tile at node (i, j) is computed: inside the band."""
        layout = self._matrix.layout
        strip = (i - 1) // layout.height
        return int(layout.lo[strip]) * GPU_GROUP_COLUMNS < j <= int(layout.hi[strip]) * GPU_GROUP_COLUMNS

    def covers(self, window: TileWindow, i: int, j: int) -> bool:
        """Return whether a window contains the tile at node (i, j)."""
        s = (i - 1 - window.top) // window.height
        if not 0 <= s < window.v.shape[0]:
            return False
        return bool(window.first[s] < j and (j - 1 - window.first[s]) // window.width < window.v.shape[2])

    def likely(self, window: TileWindow, i: int, j: int) -> TracePosition | None:
        """Predict where a traceback from node (i, j) leaves a window at its top; None at the very top."""
        if not window.top:
            return None
        up = i - window.top  # the path usually continues in its direction
        return TracePosition(window.top, max(1, j - (up * j // i if self._matrix.layout.band is None else up)), up)

    def _fetch(self, need: TracePosition) -> TileWindow:
        cards = self._cards.get()
        try:
            return self._in_band(cards[0], need) if self._whole is None else self._in_whole(cards, self._whole, need)
        finally:
            self._cards.put(cards)

    def _submit(self, task: Callable[..., T], *arguments: Any) -> Future[T]:
        self._asked.append(self._fetching.submit(task, *arguments))
        return self._asked[-1]

    def _prepare(self, whole: BordersOfParts) -> None:
        with self._ahead():
            self._corridor = Corridor(whole, *self._matrix.layout.sizes[0])

    def _bring(self, corridor: Corridor, strips: int, at_hand: Callable[[int], None]) -> None:
        cards = self._cards.get()
        try:
            with self._ahead():
                corridor.bring(cards, strips)
                at_hand(corridor.rows)
        finally:
            self._cards.put(cards)

    @contextmanager
    def _ahead(self) -> Generator[None, None, None]:
        """Context: stop prefetching after a failure; a later demand reports it."""
        try:
            yield
        except DeviceError:  # e.g. the host cannot pin memory
            self._corridor = None
        except Exception as error:
            self._corridor, self._failed = None, error

    def _in_whole(self, cards: tuple[Card, ...], whole: BordersOfParts, need: TracePosition) -> TileWindow:
        """Return the tiles near the straight line from the node to the origin, and near its diagonal."""
        i, j, rows = need
        height, width = whole.coarse
        last, strips = (i - 1) // height, max(1, whole.most_rows // height)
        while True:
            first = max(last // strips * strips, whole.first_of(last))
            tops = np.arange(first, last + 1) * height
            aside = SPREAD_FACTOR * (i + rows - tops[0]) ** (2 / 3) * max(1.0, j / i)
            ways = [tops * j / i, tops + (i + rows) * (j / i - 1)]
            starts = ((np.minimum(*ways) - aside) // width).astype(np.int64)
            right = np.maximum(*ways) + height * max(1.0, j / i) + aside
            n_tiles = int((right // width - starts).max()) + 1
            if tops.size * n_tiles <= WINDOW_TILES or strips == 1:
                break
            strips //= 2
        most = -(-self._matrix.layout.width * GPU_GROUP_COLUMNS // width)
        if n_tiles > WINDOW_TILES:  # too flat: the end of one row
            n_tiles = WINDOW_TILES
            starts = np.array([(j - 1) // width + 1 - n_tiles])
        n_tiles = min(n_tiles, most)
        starts = np.clip(starts, 0, most - n_tiles)
        v, h = whole.window(cards, first, starts, n_tiles)
        nothing, columns = np.zeros(tops.size, np.int64), self._matrix.layout.sizes[0][1]
        return TileWindow(
            v, h, h[0, 0, 0, 0], nothing, nothing + columns, 0, starts * width, 0, first * height, height,
            self.rows, self.width, 1,
        )  # fmt: skip

    def _in_band(self, card: Card, need: TracePosition) -> TileWindow:
        """Return all tiles that a path within the band from the node may visit."""
        matrix, tiles = self._matrix.parts[0], self._tiles
        layout, (i, j, rows) = matrix.layout, need
        height, width = layout.height, tiles.groups * GPU_GROUP_COLUMNS
        last, strips = (i - 1) // height, max(1, BAND_ROWS // height)
        first = last // strips * strips
        lo = layout.lo[first : last + 1] * GPU_GROUP_COLUMNS
        # Tiles are counted from where a strip begins. In a band the path stays about where it is; where it goes
        # further, there is a next window.
        # A node to the left of its strip is traced up to the start of a strip above.
        here = max(0, min(j, int(layout.hi[last]) * GPU_GROUP_COLUMNS) - 1 - int(lo[-1])) // width
        up = -(-(i - first * height) // width)
        start, end = here - up // 4 - 2, here + up // 4 + 3
        doubt = int(rows > 0)
        start, end = max(0, start - doubt, end - WINDOW_TILES), min(end + doubt, int(matrix.kept_v.shape[1]))
        starts = card.upload(np.full(last + 1 - first, start, np.int32))
        v = matrix.rows_before(card, first, starts, end - start)[:, None]
        # A strip reads the output of the strip above, whose bytes start further left.
        ahead = int(np.diff(layout.lo[first : last + 1]).max(initial=0))
        h = card.download(matrix.kept_h[first : last + 1, :, start * tiles.groups : end * tiles.groups + ahead])
        above = np.zeros((1, int(matrix.delta_bits)), np.uint8)
        above_hi, first_above = 0, 0
        if first:
            base = int(layout.lo[first - 1])
            from_group, to_group = (
                int(lo[0]) // GPU_GROUP_COLUMNS + start * tiles.groups - base,
                int(layout.hi[first - 1]) - base,
            )
            to_group = min(to_group, from_group + (end - start) * tiles.groups)
            if to_group > from_group:
                above = card.download(matrix.kept_h[first - 1, -1, from_group:to_group])
                above_hi, first_above = (
                    int(layout.hi[first - 1]) * GPU_GROUP_COLUMNS,
                    (base + from_group) * GPU_GROUP_COLUMNS,
                )
        return TileWindow(
            v, h[:, None, None], above, lo, layout.hi[first : last + 1] * GPU_GROUP_COLUMNS, above_hi,
            lo + start * width,
            first_above, first * height, height, self.rows, self.width, 0,
        )  # fmt: skip


class Corridor:
    """Tiles along the expected path, upper strips first; extended by one thread at a time.

    Args:
        n, m: rows and columns of the matrix.

    Attributes:
        window: of all strips; only the first ``rows`` rows are filled.
    """

    def __init__(self, kept: BordersOfParts, n: int, m: int) -> None:
        height, width = kept.coarse
        n_strips = -(-n // height)
        most = -(-m // width)
        n_tiles, columns = _tiles(kept, n, m)
        starts = (np.arange(n_strips) * height * m // n - columns) // width
        self._starts = np.clip(starts, 0, most - n_tiles)
        self._ends = np.minimum((self._starts + n_tiles) * width, m)
        self._kept, self._n, self._n_tiles = kept, n, n_tiles
        v, h = kept.room(n_strips, n_tiles)
        nothing = np.zeros(n_strips, np.int64)
        self.window = TileWindow(
            v, h, h[0, 0, 0, 0], nothing, nothing + m, 0, self._starts * width, 0, 0, height, kept.rows, kept.width, 1
        )
        self.rows = self._strips = 0

    @staticmethod
    def fits(kept: BordersOfParts, n: int, m: int) -> bool:
        """Return whether the corridor fits into host memory."""
        room = -(-n // kept.coarse[0]) * _tiles(kept, n, m)[0] * kept.tile_bytes
        return room <= min(MAX_HOST_BYTES, MAX_HOST_SHARE * available_memory())

    def computed(self, reached: Counts) -> int:
        """Return up to which strip its tiles are computed, given the groups of each strip."""
        there = reached * GPU_GROUP_COLUMNS >= self._ends
        return there.size if there.all() else int(np.argmin(there))

    def is_worth(self, strips: int) -> bool:
        """Return whether enough tiles are ready for a download."""
        return strips >= self._strips + MIN_STRIPS or self._strips < strips == self._starts.size

    def bring(self, cards: tuple[Card, ...], strips: int) -> None:
        """Download the computed tiles up to a strip; ``cards`` belong to this thread."""
        first = self._strips
        here = slice(first, strips)
        self._kept.bring(cards, first, self._starts[here], self.window.v[here], self.window.h[here])
        self._strips, self.rows = strips, min(self._n, strips * self.window.height)

    def has(self, i: int, j: int) -> bool:
        """Return whether the tile of a path at node (i, j) is available."""
        if not 0 < i <= self.rows:
            return False
        start = int(self.window.first[(i - 1) // self.window.height])
        return start < j <= start + self._n_tiles * self.window.width


def _tiles(kept: BordersOfParts, n: int, m: int) -> tuple[int, int]:
    """Return the tiles per strip, and the columns on each side."""
    height, width = kept.coarse
    columns = int(CORRIDOR_FACTOR * n ** (2 / 3) * m / n)
    return min(-(-m // width), (2 * columns + height * m // n) // width + 2), columns
