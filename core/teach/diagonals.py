"""Diagonal transition: the furthest row on each diagonal per number of edits; equal letters are free.

Sources: Ukkonen 1985; Myers 1986. The program uses it as its probe of similar sequences.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import CountedTrace, letters, of_inputs
from wavediff.core.teach.questions import Asked, Kind, Question, slip
from wavediff.core.teach.scene import NEVER, Cited, Grid, Line, Mark, Scene, Sheet
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 32  # of a side: its diagonals have a column each


class Reach(NamedTuple):
    """A furthest-reaching point.

    Attributes:
        edits: up to the point. diagonal: column minus row. start: row after the last edit. row: furthest row, after the
            equal letters from ``start`` on.
        source: row and column before the last edit; None for the first point.
    """

    edits: int
    diagonal: int
    start: int
    row: int
    source: tuple[int, int] | None

    @property
    def cell(self) -> tuple[int, int]:
        return self.row, self.row + self.diagonal


def furthest_points(a: str, b: str) -> list[dict[int, Reach]]:
    """Return the furthest point of each diagonal for 0, 1, 2... edits, up to the edits that reach the last cell.

    >>> [{d: one.row for d, one in points.items()} for points in furthest_points("AC", "C")]
    [{0: 0}, {-1: 2, 0: 1, 1: 0}]
    """
    n, m = len(a), len(b)
    reached: list[dict[int, Reach]] = []
    while not reached or m - n not in reached[-1] or reached[-1][m - n].row < n:
        before, e = reached[-1] if reached else {}, len(reached)
        points = {}
        for d in range(max(-e, -n), min(e, m) + 1):
            # One more letter of both, of A alone, of B alone.
            some = [(before[d].row + 1, before[d].cell)] if d in before else []
            some += [(before[d + 1].row + 1, before[d + 1].cell)] if d + 1 in before else []
            some += [(before[d - 1].row, before[d - 1].cell)] if d - 1 in before else []
            row, source = max(some, key=lambda choice: choice[0], default=(0, None))
            start = row = min(row, n, m - d)
            while row < n and row + d < m and a[row] == b[row + d]:
                row += 1
            points[d] = Reach(e, d, start, row, source)
        reached.append(points)
    return reached


class DiagonalsTrace(CountedTrace):
    """Furthest-reaching points; a step is a number of edits, or a letter of a diagonal."""

    def __init__(self, a: str, b: str) -> None:
        self._a, self._b = a, b
        self.points = furthest_points(a, b)
        shape = (len(a) + 1, len(b) + 1)
        self._values = np.zeros(shape, np.int32)
        self._ranks = {unit: np.full(shape, NEVER, np.int32) for unit in (Unit.EDIT, Unit.LETTER)}
        self._marks = np.full(shape, Mark.ON, np.uint8)
        # Each step of LETTER: the point, and how far down its diagonal it is.
        self._slides: list[tuple[Reach, int]] = []
        ends = [0]
        for edits, points in enumerate(self.points):
            for point in points.values():
                for row in range(point.start, point.row + 1):
                    self._slides.append((point, row))
                    at = row, row + point.diagonal
                    if self._ranks[Unit.EDIT][at] == NEVER:
                        self._values[at] = edits
                        self._ranks[Unit.EDIT][at], self._ranks[Unit.LETTER][at] = edits + 1, len(self._slides)
                self._marks[point.cell] = Mark.WINNER
            ends.append(len(self._slides))
        known = {Unit.EDIT: ends, Unit.LETTER: range(len(self._slides) + 1)}
        super().__init__({"a": a, "b": b}, known, Kind.VALUE)
        self._ends = ends

    def _done(self, unit: Unit, k: int) -> list[Reach]:
        every = [point for points in self.points for point in points.values()]
        if unit is Unit.EDIT:
            return [reach for reach in every if reach.edits < k]
        ended = {(point.edits, point.diagonal) for point, row in self._slides[:k] if row == point.row}
        return [reach for reach in every if (reach.edits, reach.diagonal) in ended]

    def scene(self, unit: Unit, k: int) -> Scene:
        done = self._done(unit, k)
        slides = tuple(
            Line(tuple((row + 0.5, row + reach.diagonal + 0.5) for row in (reach.start, reach.row)), "edge")
            for reach in done
            if reach.row > reach.start
        )
        path = (self._path(),) if k == self.steps(unit) else ()
        rank = self._ranks[unit]
        marks = np.where(rank <= k, self._marks, np.uint8(Mark.PLAIN))
        grid = Grid("e", self._values, rank, self._a, self._b, marks, lines=(*slides, *path))
        cited: tuple[Cited, ...] = ()
        if unit is Unit.LETTER and k:
            point, row = self._slides[k - 1]
            before = point.source if row == point.start else (row - 1, row - 1 + point.diagonal)
            cited = (Cited(*before, True),) if before is not None else ()
        return Scene((grid, self._list(unit, k, done)), cited)

    def _path(self) -> Line:
        point = self.points[-1][len(self._b) - len(self._a)]
        cells: list[tuple[int, int]] = []
        while True:
            cells += [point.cell, (point.start, point.start + point.diagonal)]
            if point.source is None:
                break
            row, col = point.source
            point = self.points[point.edits - 1][col - row]
        return Line(tuple((row + 0.5, col + 0.5) for row, col in cells), "path")

    def _list(self, unit: Unit, k: int, done: list[Reach]) -> Sheet:
        diagonals = sorted(self.points[-1])
        heads = ("edits", *(f"{d:+d}" if d else "0" for d in diagonals))
        reached = {(reach.edits, reach.diagonal): reach for reach in done}
        last = done[-1] if done else None
        rows, marks = [], []
        for edits in range(len(self.points)):
            here = [reached.get((edits, d)) for d in diagonals]
            rows.append((number(edits), *("" if reach is None else number(reach.row) for reach in here)))
            marks.append((Mark.PLAIN, *(
                Mark.NEW if reach and (edits + 1 == k if unit is Unit.EDIT else reach is last) else Mark.PLAIN
                for reach in here
            )))  # fmt: skip
        return Sheet("Furthest row of each diagonal", heads, tuple(rows), tuple(marks))

    def say(self, unit: Unit, k: int) -> str:
        if k == 0:
            return "With so many edits: how far down does each diagonal come? Equal letters are free."
        if unit is Unit.LETTER:
            return self._letter(*self._slides[k - 1])
        edits = k - 1
        if k == self.steps(unit):
            points = sum(map(len, self.points))
            return (
                f"{count(edits, 'edit reaches', 'edits reach')} the end. {number(points)} points were looked for, "
                f"where a table has {number(len(self._a) * len(self._b))} cells."
            )
        best = max(self.points[edits].values(), key=lambda reach: reach.row)
        if edits == 0:
            return f"No edit: along diagonal 0 the letters are equal down to row {number(best.row)}."
        return (
            f"{count(edits, 'edit', 'edits')}: a step from the diagonals beside, then slide. Row {number(best.row)} on "
            f"diagonal {number(best.diagonal)} is the furthest."
        )

    def _letter(self, point: Reach, row: int) -> str:
        col = row + point.diagonal
        if row > point.start:
            return f"{self._a[row - 1]} = {self._b[col - 1]}: on to row {number(row)} for nothing."
        if point.source is None:
            return "No edit yet: begin at the corner."
        before = col - point.diagonal, point.source[1] - point.source[0]
        edit, diagonal = f"Edit {number(point.edits)}", f"diagonal {number(point.diagonal)}"
        if before[1] < point.diagonal:
            return f"{edit}: an insertion leads to {diagonal}, row {number(row)}."
        if before[1] > point.diagonal:
            return f"{edit}: a deletion leads to {diagonal}, row {number(row)}."
        return f"{edit}: a substitution leads on along {diagonal}, to row {number(row)}."

    def _value(self, name: str) -> Any:
        """Return a value; ``rows E``: furthest rows with E edits, lowest diagonal first."""
        first, _, rest = name.partition(" ")
        if first in ("rows", "diagonals") and rest.isdigit() and int(rest) < len(self.points):
            points = self.points[int(rest)]
            return [point.row for point in points.values()] if first == "rows" else list(points)
        return {
            "answer": len(self.points) - 1,
            "points": sum(map(len, self.points)),
            "cells": len(self._a) * len(self._b),
            "compared": len(self._slides),
        }[name]

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return a question about a number of edits, asked before the first point with these edits is shown."""
        return super().ask(unit, k if unit is Unit.EDIT else self._ends[bisect_left(self._ends, k) - 1] + 1, kind)

    def _question(self, k: int) -> Asked:
        point = max(self.points[k - 1].values(), key=lambda reach: reach.row - reach.start)
        text = f"With {count(k - 1, 'edit', 'edits')}, down to which row does diagonal {number(point.diagonal)} come?"
        start, end = ((row, row + point.diagonal) for row in (point.start, point.row))
        slips = [
            slip(point.start, "That is where the edit ends: equal letters from there on cost nothing.", start),
            slip(end[1], "That is its column: a row is asked for."),
            slip(point.row + 1, "One row too far: the letters there differ.", start),
            slip(point.row - 1, "One row less than equal letters lead.", start),
        ]
        return Asked(text, [str(point.row)], slips)


diagonals_trace = of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS))(DiagonalsTrace)
