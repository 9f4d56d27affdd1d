"""Borders of a whole matrix, wherever they are kept: each card has those of its strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.strips.tile_borders import TileBorders
from wavediff.gpu.pairwise.traceback.refine_tiles import TileRefiner, refinement


class BordersOfParts:
    """See ``TileBorders`` and ``TileRefiner``, one of which it has for each part of a matrix.

    Rows of tiles and strips are counted through all parts; ``cards`` are those of this thread, one a part.

    Attributes:
        refined: whether finer tiles are made of those that were kept.
    """

    def __init__(self, parts: Sequence[StripMatrix]) -> None:
        self._parts: list[TileBorders | TileRefiner] = [refinement(part) or TileBorders(part) for part in parts]
        one = self._parts[0]
        self.refined = isinstance(one, TileRefiner)
        self.coarse, self.rows, self.width, self.most_rows = one.coarse, one.rows, one.width, one.most_rows
        rows = parts[0].layout.height // self.coarse[0]  # of coarse tiles in a strip
        self._first = np.array([part.link.first_strip * rows for part in parts])

    def first_of(self, row: int) -> int:
        return int(self._first[self._part(row)])

    def _part(self, row: int) -> int:
        return int(np.searchsorted(self._first, row, side="right")) - 1

    @property
    def tile_bytes(self) -> int:
        return self._unrefined(0).tile_bytes

    def room(self, n_strips: int, n_tiles: int) -> tuple[Words, Letters]:
        return self._unrefined(0).room(n_strips, n_tiles)

    def window(self, cards: tuple[Card, ...], first: int, starts: Counts, n_tiles: int) -> tuple[Words, Letters]:
        part = self._part(first)
        return self._parts[part].window(cards[part], first - int(self._first[part]), starts, n_tiles)

    def bring(self, cards: tuple[Card, ...], first: int, starts: Counts, v: Words, h: Letters) -> None:
        for part, here in self._slices(first, first + starts.size):
            at = first + here.start - int(self._first[part])
            self._unrefined(part).bring(cards[part], at, starts[here], v[here], h[here])

    def _slices(self, first: int, last: int) -> Iterator[tuple[int, slice]]:
        """Yield the parts that strips ``first`` to ``last`` belong to, and which of these are there."""
        ends = [*self._first[1:].tolist(), last]
        for part, (begin, end) in enumerate(zip(self._first.tolist(), ends, strict=True)):
            if max(begin, first) < min(end, last):
                yield part, slice(max(begin, first) - first, min(end, last) - first)

    def _unrefined(self, part: int) -> TileBorders:
        found = self._parts[part]
        assert isinstance(found, TileBorders), "what is refined is fetched window by window"
        return found
