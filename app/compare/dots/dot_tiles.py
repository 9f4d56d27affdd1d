"""Cache of dot plot tiles, drawn in steps so that no frame waits."""

from __future__ import annotations

from collections.abc import Generator
from time import thread_time

import numpy as np

from wavediff.core.screening.dot_index import TILE, Codes, DotIndex, Place

MAX_TILES = 1024  # that are kept, 64 KiB each


class DotTiles:
    """Tiles of an index, optionally of unique k-mers only; ``index``, ``unique``: see ``DotIndex.tile``."""

    def __init__(self, index: DotIndex, *, unique: bool = False) -> None:
        self.index, self.unique = index, unique
        self.tiles: dict[Place, Codes] = {}
        self._overview = {} if unique else index.overview
        self._missing: list[Place] = []
        self._steps: tuple[Place, Generator[None, None, Codes]] | None = None

    @property
    def is_incomplete(self) -> bool:
        return bool(self._missing) or self._steps is not None

    def make(self, seconds: float) -> bool:
        """Draw missing tiles for ``seconds`` of CPU time; return whether some are left."""
        until = thread_time() + seconds
        while self.is_incomplete:
            if self._steps is None:
                place = self._missing.pop()
                self._steps = place, self.index.tile(*place, unique=self.unique)
            try:
                next(self._steps[1])
            except StopIteration as end:
                self.tiles[self._steps[0]] = end.value
                self._steps = None
                while len(self.tiles) > MAX_TILES:
                    del self.tiles[next(iter(self.tiles))]
            if thread_time() >= until:
                break
        return self.is_incomplete

    def want(self, level: int, rows: tuple[int, int], cols: tuple[int, int]) -> None:
        """Request the tiles for a half-open range of cells; earlier requests are dropped."""
        places = [(level, row, col) for row in reversed(_tiles_of(rows)) for col in reversed(_tiles_of(cols))]
        self._missing = [place for place in places if place not in self.tiles and place not in self._overview]
        if self._steps is not None and self._steps[0] in self._missing:
            self._missing.remove(self._steps[0])
        elif self._steps is not None:
            self._steps = None

    def region(self, level: int, rows: tuple[int, int], cols: tuple[int, int]) -> Codes:
        """Return the shades of some cells; missing tiles are taken from a coarser level, or empty."""
        shades = np.zeros((rows[1] - rows[0], cols[1] - cols[0]), np.uint8)
        for row in _tiles_of(rows):
            for col in _tiles_of(cols):
                top, left = max(rows[0], row * TILE), max(cols[0], col * TILE)
                foot, right = min(rows[1], (row + 1) * TILE), min(cols[1], (col + 1) * TILE)
                into = shades[top - rows[0] : foot - rows[0], left - cols[0] : right - cols[0]]
                self._copy(into, level, top, left)
        return shades

    def _copy(self, into: Codes, level: int, top: int, left: int) -> None:
        for up in range(64 - level):
            place = level + up, top // TILE >> up, left // TILE >> up
            tile = self.tiles.get(place, self._overview.get(place))
            if tile is not None:
                rows = (top + np.arange(into.shape[0]) >> up) % TILE
                cols = (left + np.arange(into.shape[1]) >> up) % TILE
                into[:] = tile[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1] if not up else tile[np.ix_(rows, cols)]
                return


def _tiles_of(cells: tuple[int, int]) -> range:
    return range(cells[0] // TILE, -(-cells[1] // TILE))
