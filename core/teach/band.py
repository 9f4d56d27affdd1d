"""Bands: diagonals relevant for a distance up to u, and the search for a proven band.

Sources: Ukkonen 1985; Sudo and Shinohara 2009, section 4.1 and equation 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import CountedTrace, OneUnitTrace, letters, of_inputs
from wavediff.core.teach.questions import Asked, Kind, cell_name, slip
from wavediff.core.teach.scene import NEVER, Grid, Line, Mark, Part, Scene, Sheet, Values
from wavediff.core.teach.table import EditTable
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 64  # of a side of the band; of the bands that double half as many, as they are side by side


def band_of(u: int, n_rows: int, n_cols: int) -> tuple[int, int]:
    """Return the lowest and highest diagonal (column - row) of paths with at most ``u`` edits.

    >>> band_of(4, 12, 12)
    (-2, 2)
    """
    over = n_cols - n_rows
    return -((u - over) // 2), (u + over) // 2


def band_cells(u: int, n_rows: int, n_cols: int) -> int:
    """Return the number of cells in the band of ``u``; 0 if ``u`` is below the length difference."""
    if u < abs(n_cols - n_rows):
        return 0
    low, high = band_of(u, n_rows, n_cols)
    row = np.arange(n_rows)
    return int(np.maximum(0, np.minimum(n_cols - 1, row + high) - np.maximum(0, row + low) + 1).sum())


def banded_values(a: str, b: str, u: int) -> Values:
    """Return the edit distances inside the band of ``u``, int32; NEVER outside."""
    low, high = band_of(u, len(a), len(b))
    values = np.full((len(a) + 1, len(b) + 1), NEVER, np.int64)
    for i in range(len(a) + 1):
        for j in range(max(0, i + low), min(len(b), i + high) + 1):
            some = [i + j] if not i or not j else [int(values[i - 1, j - 1]) + (a[i - 1] != b[j - 1])]
            if i:
                some.append(int(values[i - 1, j]) + 1)
            if j:
                some.append(int(values[i, j - 1]) + 1)
            values[i, j] = min(some)
    return np.minimum(values, NEVER).astype(np.int32)


def differing_in_place(a: str, b: str) -> int:
    """Return an upper bound of the distance: the mismatches by position, plus the length difference."""
    return sum(x != y for x, y in zip(a, b, strict=False)) + abs(len(a) - len(b))


def _edge(shape: tuple[int, int], diagonal: int) -> Line | None:
    """Return the line between ``diagonal`` and the next diagonal; None outside the table."""
    points: list[tuple[float, float]] = []
    for row in range(shape[0]):
        if 0 < row + diagonal + 1 <= shape[1] - 1:
            points += [(row, row + diagonal + 1), (row + 1, row + diagonal + 1)]
    return Line(tuple(points), "edge") if points else None


def _edges(u: int, n_rows: int, n_cols: int) -> tuple[Line, ...]:
    if u < abs(n_cols - n_rows):
        return ()
    low, high = band_of(u, n_rows, n_cols)
    some = (_edge((n_rows + 1, n_cols + 1), diagonal) for diagonal in (low - 1, high))
    return tuple(line for line in some if line is not None)


class BandTrace(OneUnitTrace):
    """Bands by equation 3 for u = 0, 1, 2...; a cell shows the smallest u whose band contains the cell."""

    def __init__(self, a: str, b: str) -> None:
        self._a, self._b, self._shape = a, b, (len(a), len(b))
        n, m = self._shape
        super().__init__({"a": a, "b": b}, Unit.EDIT, max(n, m), Kind.VALUE)
        diagonal = np.subtract.outer(-np.arange(n + 1), -np.arange(m + 1))
        # As far as the diagonal is from the first one, and from there to the last one.
        self._needed: Values = (np.abs(diagonal) + np.abs(m - n - diagonal)).astype(np.int32)

    def scene_at(self, k: int) -> Scene:
        grid = Grid("", self._needed, self._needed, self._a, self._b, lines=_edges(k, *self._shape))
        return Scene((grid,))

    def say_at(self, k: int) -> str:
        n, m = self._shape
        if k < abs(n - m):
            return f"u = {number(k)}: the lengths differ by {number(abs(n - m))}, so no path has as few edits."
        low, high = band_of(k, n, m)
        cells = band_cells(k, n, m)
        if low == high:
            text = (
                f"u = {number(k)}: diagonal {number(low)} alone, {number(cells)} of {number(n * m)} cells. A path that "
                "leaves it has to come back."
            )
        else:
            text = (
                f"u = {number(k)}: diagonals {number(low)} to {number(high)}, {number(cells)} of {number(n * m)} "
                "cells. A path that leaves them has more edits than u."
            )
        return text

    def _value(self, name: str) -> Any:
        (n, m), (first, _, rest) = self._shape, name.replace(f" {Unit.EDIT}", "").partition(" ")
        if rest.isdigit():
            u = int(rest)
            if first in ("low", "high"):
                return band_of(u, n, m)[first == "high"]
            if first == "cells":
                return band_cells(u, n, m)
            if first == "value" and abs(n - m) <= u:
                return int(banded_values(self._a, self._b, u)[-1, -1])
            if first == "share":  # percent of the cells of two sequences of so many letters that differ in all
                return number(100 * band_cells(u, u, u) / u**2, 2)
        return {
            "all": n * m,
            "in place": differing_in_place(self._a, self._b),
            "answer": EditTable(self._a, self._b).answer,
            "letters": max(n, m),
        }[name]

    def _moments(self) -> Mapping[str, Sequence[int]]:
        (n, m), in_place = self._shape, differing_in_place(self._a, self._b)
        wider = [u for u in range(1, max(n, m) + 1) if u >= abs(n - m) and len(set(band_of(u, n, m))) > 1]
        return {"wider": wider, "in place": [in_place] if 0 < in_place <= max(n, m) else []}

    def _question(self, k: int) -> Asked:
        n, m = self._shape
        row = n // 2 + 1  # of the table, from 0
        # Alternately the last cell of the row in the band, and its neighbour.
        col = min(max(row + band_of(k, n, m)[1] + k % 2, 0), m)
        text = f"From which u on is {cell_name((row, col))} in the band?"
        there, back = abs(col - row), abs(m - n - (col - row))
        slips = [
            slip(there, "That is the way to its diagonal: a path has to come back to the last cell too.", (row, col)),
            slip(back, "That is the way back: a path has to leave the first diagonal too.", (row, col)),
            slip(row + col, "Those are its row and column: only letters that are left out cost something.", (row, col)),
        ]
        return Asked(text, [str(self._needed[row, col])], slips)


class DoublingTrace(CountedTrace):
    """Tables inside bands whose u doubles, from the length difference (at least 1), until the distance is at most u."""

    def __init__(self, a: str, b: str) -> None:
        self._a, self._b, self._shape = a, b, (len(a), len(b))
        self._passes: list[tuple[int, Values]] = []
        u = max(1, abs(len(a) - len(b)))
        while True:
            values = banded_values(a, b, u)
            self._passes.append((u, values))
            if int(values[-1, -1]) <= u:
                break
            u *= 2
        n, count = len(a), len(self._passes)
        known = {Unit.PASS: range(0, n * count + 1, n), Unit.ROW: range(n * count + 1)}
        super().__init__({"a": a, "b": b}, known, Kind.VALUE)

    def _rank(self, unit: Unit, place: int, values: Values) -> Values:
        n = self._shape[0]
        if unit is Unit.PASS:
            step = np.full(values.shape, place + 1, np.int32)
        else:
            rows = np.maximum(1, np.arange(n + 1, dtype=np.int32)) + place * n
            step = np.broadcast_to(rows[:, None], values.shape)
        return np.where(values == NEVER, NEVER, step).astype(np.int32)

    def scene(self, unit: Unit, k: int) -> Scene:
        parts: list[Part] = [self._list(self._done(unit, k))]
        for place, (u, values) in enumerate(self._passes):
            rank = self._rank(unit, place, values)
            seen = np.where(values == NEVER, 0, values).astype(np.int32)
            lines = _edges(u, *self._shape) if self._begun(unit, k) > place else ()
            parts.append(Grid("D", seen, rank, self._a, self._b, lines=lines))
        return Scene(tuple(parts))

    def _done(self, unit: Unit, k: int) -> int:
        return k if unit is Unit.PASS else k // self._shape[0]

    def _begun(self, unit: Unit, k: int) -> int:
        return k if unit is Unit.PASS else -(-k // self._shape[0])

    def _list(self, done: int) -> Sheet:
        heads = ("u", "diagonals", "cells", "edits in the band", "proven")
        rows, marks = [], []
        for place, (u, values) in enumerate(self._passes):
            low, high = band_of(u, *self._shape)
            distance = int(values[-1, -1])
            texts = (number(distance), "yes" if distance <= u else "no") if place < done else ("", "")
            rows.append((number(u), f"{low} … {high}", number(band_cells(u, *self._shape)), *texts))
            marks.append((Mark.NEW if place == done - 1 else Mark.PLAIN,) * len(heads))
        return Sheet("Bands, each twice as wide", heads, tuple(rows), tuple(marks))

    def say(self, unit: Unit, k: int) -> str:
        if k == 0:
            return "How many edits there will be is not known. Begin with few, and double u until the band proves it."
        n = self._shape[0]
        if unit is Unit.ROW and k % n:
            u = self._passes[k // n][0]
            return f"u = {number(u)}, row {number(k % n)}: only the cells of the band."
        u, values = self._passes[self._done(unit, k) - 1]
        distance = int(values[-1, -1])
        if distance > u:
            return (
                f"u = {number(u)}: in the band it takes {number(distance)} edits, more than {number(u)}. Not proven: a "
                "way around may be shorter."
            )
        return (
            f"u = {number(u)}: {count(distance, 'edit', 'edits')}, not more than {number(u)}: proven, whatever is "
            f"outside. {number(band_cells(u, *self._shape))} of {number(n * self._shape[1])} cells."
        )

    def _value(self, name: str) -> Any:
        n, m = self._shape
        return {
            "passes": len(self._passes),
            "u": [u for u, _ in self._passes],
            "cells": [band_cells(u, n, m) for u, _ in self._passes],
            "values": [int(values[-1, -1]) for _, values in self._passes],
            "all": n * m,
            "answer": int(self._passes[-1][1][-1, -1]),
        }[name]

    def _question(self, k: int) -> Asked:
        u, values = self._passes[k - 1]
        low, high = band_of(u, *self._shape)
        text = f"u = {number(u)}, diagonals {number(low)} to {number(high)} only: how many edits does it take there?"
        slips = [
            slip(EditTable(self._a, self._b).answer, "That is the distance in the whole table."),
            slip(u, "That is u. The value in the band is compared with it, and may be more."),
        ]
        return Asked(text, [str(int(values[-1, -1]))], slips)


band_trace = of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS))(BandTrace)
doubling_trace = of_inputs(a=letters(MAX_LETTERS // 2), b=letters(MAX_LETTERS // 2))(DoublingTrace)
