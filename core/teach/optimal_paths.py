"""Optimal paths through a table, one after the other."""

from __future__ import annotations

from core.teach.table import DIAGONAL, LEFT, UP, DpTable

Cell = tuple[int, int]


class OptimalPaths:
    """Goes through them in the order of their steps back from the end: the diagonal first, then up, then left."""

    def __init__(self, table: DpTable) -> None:
        self._arrows = table.arrows
        self._path: list[tuple[Cell, list[int]]] = []  # each cell, and what is left to be tried from it
        self._begun = False
        self._end = len(table.a), len(table.b)

    def _choices(self, cell: Cell) -> list[int]:
        return [one for one in (DIAGONAL, UP, LEFT) if self._arrows[cell] & one]

    def next(self) -> list[Cell]:
        """Return the cells of the next path, from its end; none after the last."""
        if not self._begun:
            self._begun, cell = True, self._end
            self._path = [(cell, self._choices(cell))]
        else:
            while self._path and len(self._path[-1][1]) <= 1:
                self._path.pop()
            if not self._path:
                return []
            self._path[-1][1].pop(0)
        while self._path[-1][1]:
            (row, col), (arrow, *_) = self._path[-1]
            cell = row - (arrow != LEFT), col - (arrow != UP)
            self._path.append((cell, self._choices(cell)))
        return [cell for cell, _ in self._path]
