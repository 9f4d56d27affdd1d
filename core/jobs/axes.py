"""Axes of a matrix with lines or words as rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, freeze

Place = tuple[int | None, int | None]  # of A and of B; None for none


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """Axes of a matrix.

    Attributes:
        unit: noun for a row or column, singular.
        n_rows, n_columns: size of the matrix.
        rows: int64, for A and for B: the unit (0-based) of each row or column; None without texts.
        starts: int64, for A and for B: the first letter of each unit.
    """

    unit: str
    n_rows: int
    n_columns: int
    rows: tuple[Counts, ...] | None = None
    starts: tuple[Counts, ...] = ()

    @classmethod
    def of(cls, unit: str, rows: tuple[Counts, Counts], starts: tuple[Counts, Counts]) -> Axes:
        n_rows, n_columns = (each.size for each in rows)
        return cls(unit, n_rows, n_columns, tuple(map(freeze, rows)), tuple(map(freeze, starts)))

    def unit_of(self, side: int, row: int) -> int:
        """Return the unit (0-based) of a row of A (``side`` 0) or a column of B."""
        return row if self.rows is None else int(self.rows[side][row])

    def unit_at(self, side: int, letter: int) -> int:
        return max(0, int(np.searchsorted(self.starts[side], letter, "right")) - 1)

    def letters(self, *cell: int | None) -> Place:
        """Return the first letter of a row, in A, and of a column, in B."""
        a, b = (None if k is None else int(self.starts[side][self.unit_of(side, k)]) for side, k in enumerate(cell))
        return a, b

    def cell(self, *letters: int | None) -> Place:
        """Return the row of a letter of A and the column of a letter of B, or the next ones if a letter is in none."""
        a, b = (None if k is None else self._row(side, k) for side, k in enumerate(letters))
        return a, b

    def _row(self, side: int, letter: int) -> int:
        assert self.rows is not None
        rows = self.rows[side]
        return min(int(np.searchsorted(rows, self.unit_at(side, letter))), max(0, rows.size - 1))

    def rows_before(self, side: int, letters: Counts) -> Counts:
        """Return how many rows begin before each of ``letters`` (ascending)."""
        assert self.rows is not None
        return np.searchsorted(self.starts[side][self.rows[side]], letters).astype(np.int64)
