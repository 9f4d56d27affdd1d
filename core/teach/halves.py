"""Hirschberg's recursion: an LCS in linear memory, by halves whose tables meet.

Sources: Hirschberg 1975; Kawanami and Fujimoto 2011, Listing 2 and section 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import CountedTrace, given, letters, of_inputs
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import NEVER, Box, Grid, Mark, Scene, Sheet
from wavediff.core.teach.table import LcsTable
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 32  # of a side: each depth of the tree has a table
Cut = Literal["rows", "columns"]


@dataclass(frozen=True, slots=True)
class Half:
    """Subproblem: a range of ``long`` (halved) against a range of ``other``.

    Attributes:
        depth: level in the recursion tree, from 0. long, other: ranges of letters, from 0. first, second: L1 and L2 at
            each place of ``other``, L2 from the end; empty for a leaf. place: cut of ``other``; -1: a leaf. text:
            common letter of a leaf, or empty.
    """

    depth: int
    long: range
    other: range
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    place: int = -1
    text: str = ""

    @property
    def n_cells(self) -> int:
        return len(self.long) * len(self.other)

    @property
    def middle(self) -> int:
        """Split position in ``long``, 0-based."""
        return self.long.start + len(self.long) // 2

    @property
    def sums(self) -> list[int]:
        """L1 + L2 at each position."""
        return [x + y for x, y in zip(self.first, reversed(self.second), strict=True)]

    @property
    def n_lines(self) -> int:
        """Number of lines computed one after the other (both halves in parallel); 1 for a leaf."""
        return max(self.middle - self.long.start, self.long.stop - self.middle) if self.place >= 0 else 1


def halves(long: str, other: str) -> list[Half]:
    """Return the subproblems in call order, as a tree from its root.

    >>> [one.place for one in halves("ABCBDAB", "BDCABA") if one.place >= 0]
    [0, 2, 1, 2]
    """
    halves: list[Half] = []

    def split(depth: int, rows: range, cols: range) -> None:
        some = other[cols.start : cols.stop]
        if not cols or len(rows) == 1:
            letter = long[rows.start]
            halves.append(Half(depth, rows, cols, text=letter if letter in some else ""))
            return
        middle = rows.start + len(rows) // 2
        first = LcsTable(long[rows.start : middle], some).values[-1].tolist()
        second = LcsTable(long[middle : rows.stop][::-1], some[::-1]).values[-1].tolist()
        sums = [x + y for x, y in zip(first, reversed(second), strict=True)]
        place = sums.index(max(sums))
        halves.append(Half(depth, rows, cols, tuple(first), tuple(second), place))
        split(depth + 1, range(rows.start, middle), range(cols.start, cols.start + place))
        split(depth + 1, range(middle, rows.stop), range(cols.start + place, cols.stop))

    split(0, range(len(long)), range(len(other)))
    return halves


class HalvesTrace(CountedTrace):
    """Trace of the recursion, with its levels side by side; a step is a subproblem, or a line of one.

    Args:
        cut: the halved sequence: A (rows), as in Listing 2, or B (columns), as suits machine words.
    """

    def __init__(self, a: str, b: str, cut: Cut) -> None:
        self.a, self.b, self._by_rows = a, b, cut == "rows"
        self.parts = halves(a, b) if self._by_rows else halves(b, a)
        lines = [part.n_lines for part in self.parts]
        ends = np.cumsum([0, *lines]).tolist()
        known = {Unit.PART: ends, Unit.ROW if self._by_rows else Unit.COLUMN: range(ends[-1] + 1)}
        super().__init__({"a": a, "b": b, "cut": cut}, known, Kind.VALUE)
        self._ends: list[int] = ends
        levels = [self._level(depth) for depth in range(1 + max(part.depth for part in self.parts))]
        self._values, self._by_part, self._by_line = (np.hstack(some)[:, :-1] for some in zip(*levels, strict=True))
        self._top = ((*b, " ") * len(levels))[:-1]

    def _level(self, depth: int) -> tuple[Any, Any, Any]:
        """Return the values of a level's subproblems, and the steps of both units that compute them; then a gap."""
        shape = (len(self.a), len(self.b) + 1)
        values = np.zeros(shape, np.int32)
        by_part, by_line = (np.full(shape, NEVER, np.int32) for _ in range(2))
        # Transposed views where B is halved: then its letters are what is cut.
        views = [grid[:, :-1] if self._by_rows else grid[:, :-1].T for grid in (values, by_part, by_line)]
        long, other = (self.a, self.b) if self._by_rows else (self.b, self.a)
        for number_, part in enumerate(self.parts):
            if part.depth != depth or not part.n_cells:
                continue
            cols = slice(part.other.start, part.other.stop)
            some, began = other[cols], self._ends[number_]
            views[1][part.long.start : part.long.stop, cols] = number_ + 1
            if part.place < 0:
                views[0][part.long.start, cols] = LcsTable(long[part.long.start], some).values[1, 1:]
                views[2][part.long.start, cols] = began + 1
                continue
            up, down = slice(part.long.start, part.middle), slice(part.middle, part.long.stop)
            views[0][up, cols] = LcsTable(long[up], some).values[1:, 1:]
            views[0][down, cols] = LcsTable(long[down][::-1], some[::-1]).values[1:, 1:][::-1, ::-1]
            views[2][up, cols] = began + 1 + np.arange(len(long[up]))[:, None]
            views[2][down, cols] = began + len(long[down]) - np.arange(len(long[down]))[:, None]
        return values, by_part, by_line

    def _at(self, unit: Unit, k: int) -> tuple[int, bool]:
        """Return the number of started subproblems after step ``k``, and whether the last is finished."""
        if unit is Unit.PART:
            return k, True
        n = next(n for n, end in enumerate(self._ends) if end >= k)
        return n, self._ends[n] == k

    def _box(self, part: Half, mark: Mark) -> Box:
        cut = (part.long.start, part.other.start, len(part.long), len(part.other))
        row, col, rows, cols = cut if self._by_rows else (cut[1], cut[0], cut[3], cut[2])
        return Box(row, col + part.depth * (len(self.b) + 1), rows, cols, mark=mark)

    def scene(self, unit: Unit, k: int) -> Scene:
        n, done = self._at(unit, k)
        boxes = tuple(
            self._box(part, Mark.NEW if place == n else Mark.PLAIN)
            for place, part in enumerate(self.parts[:n], 1)
            if part.n_cells
        )
        rank = self._by_part if unit is Unit.PART else self._by_line
        grid = Grid("L", self._values, rank, tuple(self.a), self._top, boxes=boxes)
        return Scene((grid, self._sums(n, done)))

    def _sums(self, n: int, done: bool) -> Sheet:
        """Return L1, L2 and their sums of the current subproblem, and the common letters found so far."""
        n_places = len(self.b if self._by_rows else self.a) + 1
        heads = ("k", *(str(k) for k in range(n_places)))
        part = self.parts[n - 1] if n and done else None
        lines: list[list[str]] = [[], [], []]
        if part is not None and part.place >= 0:
            blank = [""] * part.other.start
            lines = [[*blank, *map(str, some)] for some in (part.first, reversed(part.second), part.sums)]
        letters = [""] * n_places
        for half in self.parts[: n if done else max(n - 1, 0)]:
            if half.text:
                letters[(self.b if self._by_rows else self.a).index(half.text, half.other.start) + 1] = half.text
        names = ("L1", "L2", "L1 + L2", "in common")
        rows = tuple(
            (name, *line, *[""] * (n_places - len(line))) for name, line in zip(names, [*lines, letters], strict=True)
        )
        cut = (2, part.other.start + part.place + 1) if part is not None and part.place >= 0 else None
        marks = tuple(
            tuple(
                Mark.WINNER if (row, col) == cut else Mark.NEW if row < 3 and col and text else Mark.PLAIN
                for col, text in enumerate(some)
            )
            for row, some in enumerate(rows)
        )
        return Sheet("Where to cut", heads, rows, marks, (2, 3), mono=True)

    def _span(self, some: range) -> str:
        return "–" if not some else str(some.stop) if len(some) == 1 else f"{some.start + 1}–{some.stop}"

    def _counted(self, some: range, name: str) -> str:
        return f"{name if len(some) == 1 else f'{name}s'} {self._span(some)}" if some else f"no {name}"

    @property
    def answer(self) -> str:
        return "".join(part.text for part in self.parts)

    def say(self, unit: Unit, k: int) -> str:
        n, done = self._at(unit, k)
        if k == 0:
            return (
                f"A table of {number(len(self.a))} × {number(len(self.b))} would show the way. Two halves that meet "
                "need two lines each in memory."
            )
        part = self.parts[n - 1]
        if not done:
            line = k - self._ends[n - 1]
            upper, lower = part.middle - part.long.start, part.long.stop - part.middle
            if line > min(upper, lower):
                return f"Part {number(n)}: the longer half takes a line more."
            return (
                f"Part {number(n)}: line {number(line)} of both halves, the first one from the start, the second from "
                "the end."
            )
        if part.place < 0:
            return self._leaf(n, part)
        best, cut = max(part.sums), part.other.start + part.place
        if best == 0:
            return f"Part {number(n)}: nothing is in common, so any place will do: k = {number(cut)}."
        to_first, to_second = range(part.other.start, cut), range(cut, part.other.stop)
        largest = f"Part {number(n)}: the largest sum is {number(best)}, first at k = {number(cut)}."
        if not to_second:
            return f"{largest} All letters go to the first half."
        if not to_first:
            return f"{largest} All letters go to the second half."
        who = f"{'Letter' if len(to_first) == 1 else 'Letters'} {self._span(to_first)}"
        return (
            f"{largest} {who} {'goes' if len(to_first) == 1 else 'go'} to the first half, {self._span(to_second)} "
            "to the second."
        )

    def _leaf(self, n: int, part: Half) -> str:
        letter = (self.a if self._by_rows else self.b)[part.long.start]
        if n == len(self.parts):
            return (
                f"Part {number(n)}, the last one. Put together: {self.answer or '–'}, "
                f"{count(len(self.answer), 'letter', 'letters')}."
            )
        if not part.other:
            return f"Part {number(n)}: no letter is left on the other side, so nothing is in common."
        if part.text:
            return f"Part {number(n)}: a single letter, {letter}, which the other side has: it is in the subsequence."
        return f"Part {number(n)}: a single letter, {letter}, which the other side does not have."

    def _value(self, name: str) -> Any:
        """Return a value; ``cuts``: k of each subproblem, counted from its own first letter as in Listing 2."""
        root = self.parts[0]
        leaves = sum(part.n_cells for part in self.parts if part.place < 0)
        total = sum(part.n_cells for part in self.parts)
        return {
            "answer": self.answer,
            "length": len(self.answer),
            "L1": list(root.first),
            "L2": list(root.second),
            "sums": root.sums if root.first else [],
            "cuts": [part.place for part in self.parts if part.place >= 0],
            "cells": total,
            "table cells": len(self.a) * len(self.b),
            "first cells": root.n_cells,
            "later cells": total - root.n_cells,
            "half cells": total - root.n_cells - leaves if root.place >= 0 else 0,
            "leaf cells": leaves,
        }[name]

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        ends = range(1, len(self.parts) + 1) if unit is Unit.PART else self._ends[1:]
        cuts = [end for end, part in zip(ends, self.parts, strict=True) if part.place >= 0]
        return {"part": ends, "cut": cuts, "leaf": sorted(set(ends) - set(cuts))}

    def _question(self, k: int) -> Asked:
        part = self.parts[k - 1]
        if part.place < 0:
            halves = (part.long, part.other) if self._by_rows else (part.other, part.long)
            rows, cols = map(self._counted, halves, ("row", "column"))
            text = f"Part {number(k)}: {rows}, {cols}. Which letter do they have in common? A dash where none is."
            long, other = (self.a, self.b) if self._by_rows else (self.b, self.a)
            missing = "It is on one side alone."
            some = (long[part.long.start], *other[part.other.start : part.other.stop])
            slips = [slip(letter, missing) for letter in some]
            return Asked(text, [part.text or "-"], [*slips, slip("-", "The part has a letter of both sides.")])
        first, second = (" ".join(map(str, lengths)) for lengths in (part.first, reversed(part.second)))
        text = (
            f"Part {number(k)}: L1 = {first}, L2 = {second}, from k = {number(part.other.start)} on. Add them: at "
            "which k, the first of the largest sums, is it cut?"
        )
        start, sums = part.other.start, part.sums
        last = len(sums) - 1 - sums[::-1].index(max(sums))
        slips = [
            slip(start + last, "The sum is as large there, but it is not the first one that is."),
            slip(start + sums.index(min(sums)), "That is where the sum is least: the largest is wanted."),
            slip(max(sums), "That is the largest sum: the k at which it stands is wanted."),
            slip(part.place + (start == 0), "k counts from the left edge of the part, beginning with the edge itself."),
        ]
        return Asked(text, [str(start + part.place)], slips)


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), cut=given("rows"))
def halves_trace(a: str, b: str, cut: Any) -> HalvesTrace:
    if cut not in ("rows", "columns"):
        raise ValueError(f"'cut' is {cut!r}; 'rows' or 'columns' are halved")
    return HalvesTrace(a, b, cut)
