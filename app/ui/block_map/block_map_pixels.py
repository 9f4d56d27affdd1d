"""Pixels of a board: any part of the screen by itself, and the same as in a picture of all.

A frame costs the run that it shows some of its cores, and most of that is Python and what it calls, not the pixels:
so a part is a dozen operations on bytes, whatever is in it, and no call of Qt for lines, borders or hatches.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from wavediff.app.ui.block_map.block_map_reduce import (
    BORDER,
    STRIPE,
    THROUGH_STRIPE,
    Cells,
    computed_edge,
    downsample,
    has_hatch,
)
from wavediff.core.base.arrays import BlockMap

TILE_PX = 8  # pixels from one stripe of a hatch to the next, as Qt draws them
SLANT_OFFSET_PX = 7  # where in the tile
FALLING_OFFSET_PX = 0  # the same of the stripes of known borders, which fall
TOP, BOTTOM = 1, 2  # of a cell: pixels that a front along this edge covers
ZONES = 4

PixelColours = npt.NDArray[np.uint32]
PixelSpan = tuple[int, int]  # first pixel of the device and the one after the last, from the edge of the widget


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The pixels of the device in one direction that show a board.

    Attributes:
        first: the first of them, counted from the edge of the widget.
        cells: the cell of the board (0-based, from the board's edge) that each shows, found by its middle.
        lines: ``ZONES`` times that, and which edges of the cell are near: ``TOP``, ``BOTTOM``, both.
        edges: uint8, ``BORDER`` for pixels of the line between two cells.
        blocks: of the board in a cell.
    """

    first: int
    cells: npt.NDArray[np.intp]
    lines: npt.NDArray[np.intp]
    edges: Cells
    blocks: int

    @staticmethod
    def of(seen: PixelSpan, start: float, step: float, limit: int, ratio: float, blocks: int) -> Axis:
        """Return those that are ``seen``; ``limit`` cells of ``step`` begin at ``start`` (in pixels of the widget)."""
        first, last = seen
        middles = np.arange(first, max(first, last)) + (0.5 - start * ratio)
        cells = np.clip(np.floor(middles / (step * ratio)).astype(np.intp), 0, limit - 1)
        below, reach = middles - cells * (step * ratio), line_width(ratio)
        zones = TOP * (below < reach) + BOTTOM * (step * ratio - below <= reach)
        return Axis(first, cells, ZONES * cells + zones, ((below < ratio) * BORDER).astype(np.uint8), blocks)

    @property
    def last(self) -> int:
        return self.first + self.cells.size

    def within(self, low: float, high: float, ratio: float) -> PixelSpan:
        """Return those from ``low`` to ``high`` (pixels of the widget)."""
        return max(self.first, floor(low * ratio)), min(self.last, ceil(high * ratio))


def line_width(ratio: float) -> int:
    """Return how many pixels of the device the front covers on each of its sides."""
    return max(1, round(ratio))


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """Colours of computed blocks that tell more than their state.

    Attributes:
        levels: uint8, shape of the board; 0 where the state says all.
        colours: uint32, by level.
        shown: bool, by state and bits beside it: where a level may be seen.
    """

    levels: Cells
    colours: PixelColours
    shown: npt.NDArray[np.bool_]


class BlockMapPixels:
    """Colours of the pixels of two axes.

    Args:
        rows, cols: the axes.
        colours: uint32, by state and bits beside it.
        ratio: pixels of the device in one of the widget.
        has_borders: whether cells are parted by lines.
    """

    def __init__(self, rows: Axis, cols: Axis, colours: PixelColours, ratio: float, *, has_borders: bool) -> None:
        self.rows, self.cols = rows, cols
        self._colours, self._has_borders = colours, has_borders
        self._reach = line_width(ratio)
        at = np.arange(TILE_PX)[:, None]
        x = np.floor(np.arange(cols.first, cols.last) / ratio).astype(np.intp)
        stripes = STRIPE * ((at + x) % TILE_PX == SLANT_OFFSET_PX)
        stripes |= THROUGH_STRIPE * ((at - x) % TILE_PX == FALLING_OFFSET_PX)
        tile = stripes.astype(np.uint8) | (cols.edges if has_borders else np.uint8(0))
        # Each row of pixels is one of these, by its place in the tile and whether it is a border.
        self._patterns = np.concatenate([tile, tile | np.uint8(BORDER)])
        y = np.floor(np.arange(rows.first, rows.last) / ratio).astype(np.intp) % TILE_PX
        self._pattern_of = y + (TILE_PX * (rows.edges != 0) if has_borders else 0)

    def part(
        self, block_map: BlockMap, rows: PixelSpan, cols: PixelSpan, *, moving: bool, overlay: Overlay | None = None
    ) -> PixelColours:
        """Return the colours of the pixels ``rows`` x ``cols``, which lie on the axes; not empty.

        Args:
            board: all of it.
            moving: whether there is a front.
            overlay: what the colours of computed blocks tell beside their state.
        """
        down, across = self.rows, self.cols
        y0, y1, x0, x1 = rows[0] - down.first, rows[1] - down.first, cols[0] - across.first, cols[1] - across.first
        left = max(0, x0 - self._reach)  # a front out there reaches in here
        first_row, last_row = max(0, int(down.cells[y0]) - 1), int(down.cells[y1 - 1]) + 2
        seen = downsample(block_map[first_row * down.blocks : last_row * down.blocks], down.blocks, across.blocks)
        cells = seen.take(across.cells[left : x1 + self._reach], 1)
        hatched = self._has_borders or has_hatch(cells)
        if moving:
            lines, rows_of = self._with_front(cells), down.lines[y0:y1] - ZONES * first_row
        else:
            lines, rows_of = cells, down.cells[y0:y1] - first_row
        lines = lines[:, x0 - left : x1 - left]
        if hatched:
            pixels = lines.take(rows_of, 0)
            pixels |= self._patterns.take(self._pattern_of[y0:y1], 0)[:, x0:x1]
            return self._coloured(pixels, overlay, y0, x0)
        if overlay is not None:
            return self._coloured(lines.take(rows_of, 0), overlay, y0, x0)
        if lines.shape[0] < rows_of.size:
            return self._colours.take(lines).take(rows_of, 0)
        return self._colours.take(lines.take(rows_of, 0))

    def _coloured(self, pixels: Cells, overlay: Overlay | None, y0: int, x0: int) -> PixelColours:
        """Return the colours of ``pixels``, the first of which is number ``y0`` of its column and ``x0`` of its row."""
        found = self._colours.take(pixels)
        if overlay is not None:
            down, across = self.rows.cells[y0 : y0 + pixels.shape[0]], self.cols.cells[x0 : x0 + pixels.shape[1]]
            first, last = int(down[0]), int(down[-1]) + 1
            by_rows, by_cols = self.rows.blocks, self.cols.blocks
            seen = downsample(overlay.levels[first * by_rows : last * by_rows], by_rows, by_cols)
            levels = seen.take(across, 1).take(down - first, 0)
            np.copyto(found, overlay.colours.take(levels), where=overlay.shown.take(pixels) & (levels > 0))
        return found

    def _with_front(self, cells: Cells) -> Cells:
        """Return each row of ``cells`` (as wide as pixels) in its four zones, with the front where it passes."""
        right, below = computed_edge(cells)
        width = right.shape[1]
        for k in range(min(self._reach, width)):
            # Named, since an item that is changed in place is also assigned.
            before, behind = cells[:, : width - k], cells[:, 1 + k :]
            before |= right[:, k:]
            behind |= right[:, : width - k]
        zones = np.empty((cells.shape[0], ZONES, cells.shape[1]), np.uint8)
        zones[:] = cells[:, None]
        tops, bottoms = zones[1:, TOP], zones[:-1, BOTTOM]
        tops |= below
        bottoms |= below
        np.bitwise_or(zones[:, TOP], zones[:, BOTTOM], out=zones[:, TOP | BOTTOM])
        return zones.reshape(-1, cells.shape[1])
