"""Arrows from cell to cell of a table, and the optimal paths that they make: their cells, how many, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Cell = tuple[int, int]
DIAGONAL, UP, LEFT, SWAP = 1, 2, 4, 8  # bits of ``Arrows.bits``


class Candidate(NamedTuple):
    """A cell that another one may come from.

    Attributes:
        row, col: of the cell that is read. value: what it would give. arrow: DIAGONAL, UP, LEFT or SWAP. wins: it
            attains the optimum; several may.
    """

    row: int
    col: int
    value: int
    arrow: int
    wins: bool


class Arrows:
    """Every step of an optimal path through a table, back from its last cell.

    Args:
        bits: uint8, shape of the table: DIAGONAL | UP | LEFT | SWAP of a cell; 0 where paths end.
        jumps: for each cell with SWAP, the cell before the letters that change places.
    """

    def __init__(self, bits: npt.NDArray[np.uint8], jumps: Mapping[Cell, Cell] | None = None) -> None:
        self.bits, self.jumps = bits, jumps or {}

    @property
    def end(self) -> Cell:
        """The last cell, where every path begins."""
        return self.bits.shape[0] - 1, self.bits.shape[1] - 1

    def sources(self, cell: Cell) -> list[Cell]:
        """Return the cells that one may come from: the diagonal first, then up, left, a swap."""
        (row, col), bits = cell, int(self.bits[cell])
        near = ((DIAGONAL, (row - 1, col - 1)), (UP, (row - 1, col)), (LEFT, (row, col - 1)))
        spots = [spot for bit, spot in near if bits & bit]
        return [*spots, self.jumps[cell]] if bits & SWAP else spots

    def paths(self) -> Iterator[list[Cell]]:
        """Yield the cells of each path, from its end."""
        path = [(self.end, self.sources(self.end))]
        while path:
            while path[-1][1]:
                cell = path[-1][1][0]
                path.append((cell, self.sources(cell)))
            yield [cell for cell, _ in path]
            while path and len(path[-1][1]) <= 1:
                path.pop()
            if path:
                path[-1][1].pop(0)

    @cached_property
    def n_paths(self) -> int:
        """Number of the paths: of a few hundred letters a number of many digits."""
        counts: list[list[int]] = []
        for row, all_bits in enumerate(self.bits.tolist()):
            counts.append([])
            for col, bits in enumerate(all_bits):
                count = 0 if bits else 1
                if bits & DIAGONAL:
                    count += counts[row - 1][col - 1]
                if bits & UP:
                    count += counts[row - 1][col]
                if bits & LEFT:
                    count += counts[row][col - 1]
                if bits & SWAP:
                    at = self.jumps[row, col]
                    count += counts[at[0]][at[1]]
                counts[row].append(count)
        return counts[-1][-1]

    @cached_property
    def on_path(self) -> npt.NDArray[np.bool_]:
        """Cells that a path goes through, shape of the table."""
        rows, cols = self.bits.shape
        on_path = np.zeros((rows, cols), np.bool_)
        on_path[-1, -1] = True
        for d in range(
            rows + cols - 2, 0, -1
        ):  # an antidiagonal at once, from the last one: arrows lead to earlier ones
            i = np.arange(max(0, d - cols + 1), min(rows - 1, d) + 1)
            i = i[on_path[i, d - i]]
            bits = self.bits[i, d - i]
            for bit, up, left in ((DIAGONAL, 1, 1), (UP, 1, 0), (LEFT, 0, 1)):
                here = i[bits & bit != 0]
                on_path[here - up, d - here - left] = True
            for row in i[bits & SWAP != 0].tolist():
                on_path[self.jumps[row, d - row]] = True
        return on_path
