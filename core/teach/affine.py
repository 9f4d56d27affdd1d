"""Trace of affine gaps: three tables, for alignments ending in a pair or in a gap.

Costs are minimized: equal letters cost nothing, the first letter of a gap ``opening``, each following one
``extension``. Source: Gotoh 1982.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import letters, of_inputs, whole
from wavediff.core.teach.questions import DIAGONAL, LEFT, SWAP, UP, Arrows, Asked, Candidate, Cell, Kind, Slip, slip
from wavediff.core.teach.scene import NEVER, Box, Cited, Grid, Mark, Scene, Sheet
from wavediff.core.teach.table import MAX_LISTED, EditTable, Values
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 64  # of a sequence: three tables are seen side by side
MAX_COST = 99
NONE = 1 << 20  # value of a cell without an alignment
M, X, Y = range(3)
NAMES = ("M", "X", "Y")
STEPS = ((1, 1), (1, 0), (0, 1))  # rows and columns back from a cell of each table


class Costs(NamedTuple):
    mismatch: int
    opening: int
    extension: int


class AffineTable(EditTable):
    """Tables M, X and Y side by side: column j of the second table is column ``width`` + j of ``values``."""

    name = "M"

    def __init__(self, a: str, b: str, costs: Costs) -> None:
        self.costs, self.width = costs, len(b) + 1
        super().__init__(a, b)

    def _fill(self) -> Values:
        n, m = len(self.a), len(self.b)
        values = np.full((n + 1, 3 * self.width), NONE, np.int32)
        values[0, 0] = 0
        for i, j, table in product(range(n + 1), range(m + 1), range(3)):
            di, dj = STEPS[table]
            if i >= di and j >= dj:
                before = values[i - di, j - dj :: self.width]
                least = min(int(before[source]) + self.cost(table, source, i, j) for source in range(3))
                values[i, table * self.width + j] = min(least, NONE)
        return values

    def cost(self, table: int, source: int, i: int, j: int) -> int:
        """Return the cost of the step from table ``source`` to cell (i, j) of ``table``."""
        if table == M:
            return 0 if self.match[i - 1, j - 1] else self.costs.mismatch
        return self.costs.extension if source == table else self.costs.opening

    def place(self, col: int) -> tuple[int, int]:
        """Return the table of a column of ``values``, and the column within this table."""
        return divmod(col, self.width)

    def candidates(self, i: int, j: int) -> list[Candidate]:
        table, col = self.place(j)
        di, dj = STEPS[table]
        if i < di or col < dj or self.values[i, j] >= NONE:
            return []
        found, least = list[Candidate](), int(self.values[i, j])
        for source in range(3):
            at = i - di, source * self.width + col - dj
            if self.values[at] < NONE:
                value = int(self.values[at]) + self.cost(table, source, i, col)
                arrow = (DIAGONAL, UP, LEFT)[table] if source == table else SWAP
                found.append(Candidate(*at, value, arrow, value == least))
        return found

    @cached_property
    def arrows(self) -> Arrows:
        bits, jumps = np.zeros(self.values.shape, np.uint8), dict[Cell, list[Cell]]()
        for cell in np.ndindex(*self.values.shape):
            for each in self.candidates(*cell):
                if each.wins:
                    bits[cell] |= each.arrow
                    if each.arrow == SWAP:
                        jumps.setdefault(cell, []).append((each.row, each.col))
        n = len(self.a)
        last = [(n, table * self.width + self.width - 1) for table in range(3)]
        return Arrows(bits, jumps, [cell for cell in last if self.values[cell] == self.answer], NAMES)

    @property
    def answer(self) -> int:
        return int(self.values[-1, self.width - 1 :: self.width].min())

    def rank(self, unit: Unit, block: tuple[int, int] = (4, 4)) -> Values:
        one = super().rank(unit, block)
        tables = [one * 3 + table - 2 if unit is Unit.CELL else one for table in range(3)]
        ranks = np.hstack([np.where(one > 0, each, 0) for each in tables]).astype(np.int32)
        ranks[self.values >= NONE] = NEVER
        return ranks


class AffineTrace(TableTrace):
    """Three tables; each step computes one cell."""

    table: AffineTable
    units: tuple[Unit, ...] = (Unit.CELL, Unit.ROW, Unit.ANTIDIAGONAL)

    def __init__(self, table: AffineTable) -> None:
        super().__init__(table)
        self.inputs = {"a": table.a, "b": table.b, **table.costs._asdict()}

    def cell(self, k: int) -> tuple[int, int]:
        at, table = divmod(k - 1, 3)
        row, col = divmod(at, len(self.table.b))
        return row + 1, table * self.table.width + col + 1

    def scene(self, unit: Unit, k: int) -> Scene:
        table, width = self.table, self.table.width
        is_none = table.values >= NONE
        values, marks = np.where(is_none, 0, table.values), np.where(is_none, np.uint8(Mark.SKIPPED), np.uint8(0))
        boxes = tuple(Box(0, each * width, len(values), width) for each in range(3))
        top = tuple(name for one in NAMES for name in (one, *table.b))
        grid = Grid("", values, self.rank(unit), table.a, top, marks, boxes=boxes, arrows=table.arrows)
        cited = tuple(Cited(one.row, one.col, one.wins) for one in self._read(unit, k))
        return Scene((grid, self._alignment(unit, k)), cited)

    def _read(self, unit: Unit, k: int) -> list[Candidate]:
        return self.table.candidates(*self.cell(k)) if unit is Unit.CELL and k else []

    def _alignment(self, unit: Unit, k: int) -> Sheet:
        """Return the partial alignment of the step's cell; at the end the whole one."""
        table, is_end = self.table, k == self.steps(unit)
        cell = table.arrows.ends[0] if is_end else self.cell(k) if unit is Unit.CELL and k else None
        path = [] if cell is None else [cell]
        while path and (sources := table.arrows.sources(path[-1])):
            path.append(sources[0])
        rows = tuple((name, text.ljust(sum(table.shape))) for name, text in zip("AB", self._aligned(path), strict=True))
        return Sheet("An alignment of least cost", ("", ""), rows, mono=True, tells=is_end)

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        """Return the steps by name: letters, table, opened or extended gap, tie, and end of a row."""
        if unit is not Unit.CELL:
            return {}
        names = ("match", "mismatch", "M", "X", "Y", "open", "extend", "tie", "row")
        found: dict[str, list[int]] = {name: [] for name in names}
        for k in range(1, self.steps(unit) + 1):
            row, at = self.cell(k)
            table, col = self.table.place(at)
            wins = [self.table.place(one.col)[0] for one in self._read(unit, k) if one.wins]
            here = {NAMES[table]: True, "tie": len(wins) > 1, "row": k % (3 * len(self.table.b)) == 0}
            is_match = bool(self.table.match[row - 1, col - 1])
            here |= {"match": is_match, "mismatch": not is_match} if table == M else {}
            here |= {"extend": table in wins, "open": set(wins) != {table}} if table != M else {}
            for name in filter(here.get, here):
                found[name].append(k)
        return found

    def value_of(self, name: str) -> Any:
        """Return a value: ``M[4,5]``, ``X[4,5]``, ``Y[4,5]``, ``rows M``, ``mismatch``, ``alignments`` of the optimal
        paths, or one of ``answer``, ``cells``, ``paths`` and ``steps UNIT``.

        Raises:
            KeyError: unknown name.
        """
        table, costs = self.table, self.table.costs._asdict()
        if name in costs:
            return costs[name]
        if name == "alignments":
            paths = table.arrows.paths() if table.arrows.n_paths < MAX_LISTED else ()
            return sorted({self._aligned(path) for path in paths})
        first, _, rest = name.partition(" ")
        if first == "rows" and rest in NAMES:
            at = NAMES.index(rest) * table.width
            every_row = table.values[:, at : at + table.width].tolist()
            return [[-1 if value >= NONE else value for value in row] for row in every_row]
        if name[:2] in ("M[", "X[", "Y["):
            row, _, col = name[2:-1].partition(",")
            if not (row.isdigit() and col.isdigit() and int(row) <= len(table.a) and int(col) <= len(table.b)):
                raise KeyError(name)
            return int(table.values[int(row), NAMES.index(name[0]) * table.width + int(col)])
        if name in ("answer", "cells", "paths") or first == "steps":
            return super().value_of(name)
        raise KeyError(name)

    def _aligned(self, path: Sequence[Cell]) -> tuple[str, str]:
        columns = self.table.arrows.columns(path)
        return (
            "".join(self.table.a[i - 1] if i else "-" for i, _ in columns),
            "".join(self.table.b[j - 1] if j else "-" for _, j in columns),
        )

    # Questions

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        kinds = super().kinds(unit)
        return tuple(Kind.CHOICE if kind is Kind.ARROW else kind for kind in kinds)

    def _cell_asked(self, kind: Kind, i: int, j: int) -> Asked:
        table, candidates = self.table, self.table.candidates(i, j)
        name = table.arrows.named((i, j))
        tables = {NAMES[table.place(one.col)[0]]: one for one in candidates}
        if kind is Kind.VALUE:
            return Asked(f"What is written in {name}?", [str(table.values[i, j])], self._value_slips(i, j))
        if kind is Kind.READS:
            here, col = table.place(j)
            own = {f"{one.row},{one.col}" for one in candidates if table.place(one.col)[0] == here}
            near = {f"{i - di},{here * table.width + col - dj}" for di, dj in STEPS}
            slips = [
                slip(own, "Its own table is not enough: an alignment may come from each of the three."),
                slip(near, f"All cells of {NAMES[here]} read the same place, in all three tables."),
            ]
            return Asked(f"Which cells does {name} need?", [f"{one.row},{one.col}" for one in candidates], slips)
        slips = [
            slip(one, f"From {one} it would be {number(each.value)}, and {number(int(table.values[i, j]))} is written.")
            for one, each in tables.items()
            if not each.wins
        ]
        slips += [slip(one, f"No alignment ends in {one} there.") for one in NAMES if one not in tables]
        wins = [one for one, each in tables.items() if each.wins]
        return Asked(f"From which table does {name} come?", wins, slips, tuple((one, one) for one in NAMES))

    def _value_slips(self, i: int, j: int) -> Iterator[Slip]:
        table, costs, (here, col) = self.table, self.table.costs, self.table.place(j)
        candidates = table.candidates(i, j)
        cells = {table.place(one.col)[0]: (one.row, one.col) for one in candidates}
        before = {one: int(table.values[cell]) for one, cell in cells.items()}
        least = min(before, key=before.__getitem__)
        if here == M:
            x, y = table.a[i - 1], table.b[col - 1]
            differ = f"{x} and {y} differ: that costs {number(costs.mismatch)}."
            said = f"{x} = {y} costs nothing." if x == y else differ
            yield slip(before[least] + (costs.mismatch if x == y else 0), said, cells[least])
        else:
            for one, value in sorted(before.items(), key=lambda each: each[0] != here):
                first = f"The first letter of a gap costs {number(costs.opening)}, from {NAMES[one]} too."
                more = f"The gap goes on: {number(costs.extension)}, not {number(costs.opening)} again."
                wrong = costs.opening if one == here else costs.extension
                yield slip(value + wrong, more if one == here else first, cells[one])
            yield slip(before[least], "A letter against a gap costs something.", cells[least])
        for each in candidates:
            at = each.row, each.col
            yield slip(each.value, f"{table.arrows.named(at)} gives that, and another one less.", at)
        for other in range(3):
            at = i, other * table.width + col
            yield slip(int(table.values[at]), f"That is written in {table.arrows.named(at)}.", at)

    # Sentences

    def explain(self, row: int, col: int) -> str:
        return self._cell(row, col) if self.table.candidates(row, col) else self._edge()

    def candidates(self, row: int, col: int) -> list[Candidate]:
        return self.table.candidates(row, col)

    def _edge(self) -> str:
        return "Nothing is read of A or of B yet: one gap, or nothing at all. Hatched: no alignment ends so."

    def _cell(self, i: int, j: int) -> str:
        table, (here, col), value = self.table, self.table.place(j), number(int(self.table.values[i, j]))
        terms = [
            f"{NAMES[table.place(one.col)[0]]} {number(int(table.values[one.row, one.col]))}"
            f" + {number(one.value - int(table.values[one.row, one.col]))}"
            for one in table.candidates(i, j)
        ]
        least = f"{', '.join(terms)}: {value}." if len(terms) == 1 else f"the least of {', '.join(terms)}: {value}."
        if here == M:
            x, y = table.a[i - 1], table.b[col - 1]
            return f"{x} {'=' if x == y else 'against'} {y}. On the diagonal {least}"
        letter, where = (table.a[i - 1], "above") if here == X else (table.b[col - 1], "on the left")
        return f"{letter} against a gap. {where.capitalize()} {least}"

    def _row_sentence(self, i: int) -> str:
        values = self.table.values[i, self.table.width - 1 :: self.table.width].tolist()
        costs = ", ".join(f"{name} {number(value)}" for name, value in zip(NAMES, values, strict=True))
        return f"Row {number(i)}, letter {self.table.a[i - 1]}, against all of B: {costs}."

    def say(self, unit: Unit, k: int) -> str:
        if unit is Unit.ANTIDIAGONAL and k:
            places = count(len(self.new_cells(unit, k)) // 3, "place", "places")
            return f"Antidiagonal {number(k)}: {places} of three cells, and none needs another of them."
        return super().say(unit, k)


_COST = whole(0, MAX_COST, 1)


@of_inputs(
    a=letters(MAX_LETTERS), b=letters(MAX_LETTERS),
    mismatch=whole(0, MAX_COST, 2), opening=whole(0, MAX_COST, 3), extension=_COST,
)  # fmt: skip
def affine_trace(a: str, b: str, mismatch: int, opening: int, extension: int) -> AffineTrace:
    """Return the trace of three tables; ValueError: more letters than ``MAX_LETTERS``."""
    return AffineTrace(AffineTable(a, b, Costs(mismatch, opening, extension)))
