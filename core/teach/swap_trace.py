"""Trace of table H with swaps: lookups of each cell, and threads of an antidiagonal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from wavediff.core.base.numbers import number
from wavediff.core.jobs.kept_matrix import WordBits
from wavediff.core.teach.counted_trace import letters, of_inputs
from wavediff.core.teach.questions import ARROWS, DIAGONAL, LEFT, SWAP, UP, Candidate, Kind
from wavediff.core.teach.scene import Mark, Part, Scene, Sheet
from wavediff.core.teach.table import SwapTable
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import swap_words

NONE = "–"  # no letter was seen before
KEPT_ANTIDIAGONALS = 3  # in shared memory: the present one and the two that it reads
MAX_SHEET_ROWS = 16  # letters of DX, and threads, that are shown at once


class SwapTrace(TableTrace):
    """Trace of table H by cells with p and q, by antidiagonals with one thread per row, or by rows."""

    table: SwapTable
    units: tuple[Unit, ...] = (Unit.CELL, Unit.ANTIDIAGONAL, Unit.ROW)

    def __init__(self, table: SwapTable) -> None:
        super().__init__(table)
        self.inputs = {"a": table.a, "b": table.b}

    @property
    def letters(self) -> str:
        """Distinct letters of A and B, sorted: the columns of DX."""
        return "".join(sorted(set(self.table.a + self.table.b)))

    def scene(self, unit: Unit, k: int) -> Scene:
        scene = super().scene(unit, k)
        grid, *_ = scene.parts
        extra: tuple[Part, ...] = ()
        if unit is Unit.CELL:
            extra = self._looked_up(k), self._terms(k)
        elif unit is Unit.ANTIDIAGONAL:
            grid = self._kept(scene, k)
            extra = (self._threads(k),)
        return Scene((grid, *extra), scene.cited)

    def explain(self, row: int, col: int) -> str:
        """Explain a cell's lookups and its minimum, two lines."""
        if not row or not col:
            return super().explain(row, col)
        (p, q), value = self.table.look_up(row, col), int(self.table.values[row, col])
        last = ", ".join(f"{self._name(letter)} {self._last_row(letter, row)}" for letter in self.letters)
        where = f"p = {number(p)}, q = {number(q)}" if p and q else "no swap ends here"
        terms = "; ".join(
            f"{self._term(row, col, candidate)} = {candidate.value}" for candidate in self.table.candidates(row, col)
        )
        looked = f"DX: {last} · DY: {number(q)} · {where}"
        return f"{looked}\nH[{row},{col}] = min({terms}) = {value}"

    # Next to the table

    def _looked_up(self, k: int) -> Sheet:
        """Return the DX row of the cell, and the last column found in DY."""
        i, j = self.cell(max(k, 1))
        _, q = self.table.look_up(i, j)
        here, rows, marks = k > 0, [], []
        for letter in self._shown_letters(self.table.b[j - 1]):
            place = self._last_row(letter, i)
            asked = here and letter == self.table.b[j - 1]
            rows.append((self._name(letter), (number(place) if place else NONE) if here else ""))
            marks.append((Mark.CITED, Mark.CITED) if asked else (Mark.PLAIN, Mark.PLAIN))
        rows.append(("q (DY)", (number(q) if q else NONE) if here else ""))
        marks.append((Mark.CITED, Mark.CITED) if here else (Mark.PLAIN, Mark.PLAIN))
        heads = ("letter", "last row (DX)")
        return Sheet("Looked up", heads, tuple(rows), tuple(marks), rules=(len(rows) - 1,))

    def _shown_letters(self, first: str) -> str:
        if len(self.letters) <= MAX_SHEET_ROWS:
            return self.letters
        return first + self.letters.replace(first, "")[: MAX_SHEET_ROWS - 1]

    def _name(self, letter: str) -> str:
        """Return a letter as A and B write it, e.g. ``T/U``."""
        written = zip(self.table.a + self.table.b, "".join(self.shown), strict=True)
        return "/".join(sorted({shown for one, shown in written if one == letter}))

    def _last_row(self, letter: str, i: int) -> int:
        return self.table.a.rfind(letter, 0, i - 1) + 1

    def _terms(self, k: int) -> Sheet:
        names = {DIAGONAL: "diagonal", UP: "above", LEFT: "left", SWAP: "swap"}
        candidates = {candidate.arrow: candidate for candidate in self.table.candidates(*self.cell(k))} if k else {}
        rows, marks = [], []
        for arrow, name in names.items():
            chosen = candidates.get(arrow)
            term = (NONE if k else "") if chosen is None else self._term(*self.cell(k), chosen)
            rows.append((name, term, "" if chosen is None else number(chosen.value)))
            mark = Mark.PLAIN if chosen is None else Mark.WINNER if chosen.wins else Mark.SKIPPED
            marks.append((Mark.PLAIN, Mark.PLAIN, mark))
        return Sheet("Least of", ("", "term", ""), tuple(rows), tuple(marks))

    def _term(self, i: int, j: int, candidate: Candidate) -> str:
        before = f"H[{candidate.row},{candidate.col}]"
        if candidate.arrow == SWAP:
            return f"{before} + {i - candidate.row - 2} + {j - candidate.col - 2} + 1"
        return f"{before} + {candidate.value - int(self.table.values[candidate.row, candidate.col])}"

    def _kept(self, scene: Scene, k: int) -> Part:
        """Return the table with antidiagonals in shared memory lit, and those in global memory faint."""
        grid = scene.grid
        assert grid is not None
        border = np.add.outer(np.arange(grid.values.shape[0]), np.arange(grid.values.shape[1])) - 1
        marks = np.full(grid.values.shape, Mark.FAINT, np.uint8)
        marks[(border <= k) & (border > k - KEPT_ANTIDIAGONALS)] = Mark.ON
        marks[(grid.rank == k) & (k > 0)] = Mark.NEW
        return replace(grid, marks=marks)

    def _threads(self, k: int) -> Sheet:
        n, m = self.table.shape
        first = max(0, min(k - m, n - MAX_SHEET_ROWS))  # the first thread that is busy
        letters = self._shown_letters(self.table.b[0])
        rows, marks = [], []
        for thread in range(first, min(n, first + MAX_SHEET_ROWS)):
            i, j = thread + 1, k - thread
            busy = 1 <= j <= m
            places = [self._last_row(letter, i) for letter in letters]
            rows.append(
                (
                    number(thread),
                    f"{i} {self.shown[0][thread]}",
                    *(number(place) if place else "0" for place in places),
                    f"H[{i},{j}] = {int(self.table.values[i, j])}" if busy else "",
                )
            )
            used = [Mark.CITED if busy and letter == self.table.b[j - 1] else Mark.PLAIN for letter in letters]
            marks.append((Mark.PLAIN, Mark.PLAIN, *used, Mark.NEW if busy else Mark.PLAIN))
        heads = ("thread", "row", *(f"DX {self._name(letter)}" for letter in letters), "computes")
        return Sheet("Threads", heads, tuple(rows), tuple(marks))

    # Values

    @cached_property
    def word_bits(self) -> WordBits:
        """Words of every column, as the kernel computes them."""
        return swap_words(self.table.a, self.table.b)

    def value_of(self, name: str) -> Any:
        """Return the value ``name``: of ``TableTrace.value_of``, or specific to swaps.

        ``p[5,6]``, ``q[5,6]``: values looked up by a cell; ``candidates 5,6``: left, above, diagonal and the swap, if
        any; ``swap alone``: cells whose value only a swap attains; ``dx a``: for each row, the last row above with
        letter ``a``.

        Raises:
            KeyError: unknown name.
        """
        first, _, rest = name.partition(" ")
        if name[:2] in ("p[", "q[") and name.endswith("]"):
            return self.table.look_up(*self._place(name[2:-1]))["pq".index(name[0])]
        if first == "candidates":
            by_arrow = {candidate.arrow: candidate.value for candidate in self.table.candidates(*self._place(rest))}
            return [by_arrow[arrow] for arrow in (LEFT, UP, DIAGONAL, SWAP) if arrow in by_arrow]
        if name == "swap alone":
            cells = (self.cell(k) for k in range(1, self.steps(Unit.CELL) + 1))
            return [list(cell) for cell in cells if _swap_alone(self.table.candidates(*cell))]
        if first == "dx" and len(rest) == 1:
            return [self._last_row(rest, i) for i in range(1, len(self.table.a) + 1)]
        return super().value_of(name)

    def _place(self, text: str) -> tuple[int, int]:
        row, _, col = text.partition(",")
        n, m = self.table.shape
        if not (row.isdigit() and col.isdigit() and 1 <= int(row) <= n and 1 <= int(col) <= m):
            raise KeyError(text)
        return int(row), int(col)

    # Questions

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        return super().kinds(unit) if unit is Unit.CELL else (Kind.WRITES,)

    @property
    def arrow_bits(self) -> tuple[int, ...]:
        return tuple(ARROWS)

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        moments = super().moments(unit)
        if unit is not Unit.CELL:
            return moments
        bits = self.table.arrows.bits[1:, 1:].ravel()
        swaps, alone = ((np.flatnonzero(where) + 1).tolist() for where in (bits & SWAP > 0, bits == SWAP))
        return {**moments, "swap": swaps, "swap alone": alone}

    # Sentences

    def say(self, unit: Unit, k: int) -> str:
        if unit is Unit.ANTIDIAGONAL and k > 0:
            busy = len(self.new_cells(unit, k))
            if busy == 1:
                return f"Cycle {number(k)}: 1 thread is busy. It reads two antidiagonals in shared memory."
            return (
                f"Cycle {number(k)}: {number(busy)} threads are busy, one a row. They read two antidiagonals in shared "
                "memory, and none needs another."
            )
        return super().say(unit, k)

    def _cell(self, i: int, j: int) -> str:
        table, candidates = self.table, self.table.candidates(i, j)
        if len(candidates) < 4:
            return super()._cell(i, j)
        (p, q), x, y, swap = table.look_up(i, j), self.shown[0][i - 1], self.shown[1][j - 1], candidates[-1]
        if not swap.wins:
            if table.match[i - 1, j - 1] and candidates[0].wins:
                return f"{x} = {y} costs nothing: {number(candidates[0].value)}, as on the diagonal."
            return (
                f"A swap of {x} and {y} would give {number(swap.value)}, and {number(int(table.values[i, j]))} is less."
            )
        before = f"H[{p - 1},{q - 1}] + {i - p - 1} + {j - q - 1} + 1"
        if _swap_alone(candidates):
            others = ", ".join(number(candidate.value) for candidate in reversed(candidates[:-1]))
            return (
                f"{y} was last in row p = {number(p)} (DX), {x} in column q = {number(q)} (DY): the swap, {before} = "
                f"{number(swap.value)}, is less than {others}."
            )
        return (
            f"{y} was last in row {number(p)} (DX), {x} in column {number(q)} (DY): a swap gives {number(swap.value)} "
            f"too, {before}."
        )


def _swap_alone(candidates: list[Candidate]) -> bool:
    return [candidate.arrow for candidate in candidates if candidate.wins] == [SWAP]


@of_inputs(a=letters(), b=letters())
def swap_trace(a: str, b: str) -> SwapTrace:
    """Return the trace of table H; TableTooLarge: a sequence is too long."""
    return SwapTrace(SwapTable(a, b))
