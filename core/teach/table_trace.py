"""Traces of LCS and edit distance tables: values, computation orders, machine words of a column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.kept_matrix import WordBits
from wavediff.core.teach.counted_trace import letters, of_inputs, sides
from wavediff.core.teach.questions import (
    ARROW_NAMES,
    ARROWS,
    DIAGONAL,
    LEFT,
    UP,
    Asked,
    Candidate,
    Kind,
    Question,
    new_question,
    slip,
)
from wavediff.core.teach.scene import NEVER, Bits, Cited, Grid, Part, Scene, Values
from wavediff.core.teach.table import MAX_TABLE_LETTERS, DpTable, LcsTable
from wavediff.core.teach.table_slips import arrow_slips, bit_slips, reads_slips, value_slips
from wavediff.core.teach.unit import UNIT_NAMES, Unit
from wavediff.core.teach.words import (
    EDIT_OPERATORS,
    EDIT_OPERATORS_AS_WRITTEN,
    LCS_OPERATORS,
    EditColumn,
    LcsColumn,
    bits,
    edit_columns,
    lcs_columns,
)

LCS_OPERATIONS = ("M", "V & M", "V + (V & M)", "V & ~M", "V'", "count")
EDIT_OPERATIONS = ("D0", "HP", "HN", "VP", "VN")
MAX_PATH_LETTERS = 32  # of both sequences, where a path is clicked
SIMPLE_UNITS = (Unit.ROW, Unit.COLUMN, Unit.ANTIDIAGONAL)  # of which a step is one
MAX_TYPED_BITS = 32  # of a word that is typed

_LETTERS = {"present": True, "absent": False}  # moments of a column, by whether its letter is in A
_CELL = re.compile(r"^(\w)\[(\d+),(\d+)\]$")


class TableTrace:
    """A table with its columns as machine words.

    Args:
        table: of the LCS or of edit distance.
        block: rows and columns of a block; a word of ``Unit.WORD`` has the same rows.

    Attributes:
        shown: displayed letters of A and B, e.g. with U where ``table`` has T.
    """

    units: tuple[Unit, ...] = (
        Unit.CELL, Unit.ROW, Unit.COLUMN, Unit.ANTIDIAGONAL, Unit.BLOCK, Unit.WORD, Unit.OPERATION
    )  # fmt: skip

    def __init__(self, table: DpTable, block: tuple[int, int] = (4, 4)) -> None:
        self.table, self.block, self.shown = table, block, (table.a, table.b)
        self.inputs: Mapping[str, Any] = {"a": table.a, "b": table.b, "block": block}
        self._ranks: dict[Unit, Values] = {}

    @cached_property
    def columns(self) -> list[LcsColumn] | list[EditColumn]:
        return (lcs_columns if isinstance(self.table, LcsTable) else edit_columns)(self.table.a, self.table.b)

    @property
    def word_bits(self) -> WordBits:
        """Word bits of every column that do not follow from the values; none here."""
        return {}

    @property
    def operations(self) -> tuple[str, ...]:
        return LCS_OPERATIONS if isinstance(self.table, LcsTable) else EDIT_OPERATIONS

    def rank(self, unit: Unit) -> Values:
        """Return the step of ``unit`` that computes each cell; see ``DpTable.rank``."""
        if unit not in self._ranks:
            known = self.table.rank(Unit.COLUMN if unit is Unit.OPERATION else unit, self.block)
            self._ranks[unit] = known * len(self.operations) if unit is Unit.OPERATION else known
        return self._ranks[unit]

    def steps(self, unit: Unit) -> int:
        return int(self.rank(unit).max(initial=0, where=self.rank(unit) < NEVER))

    def same(self, unit: Unit, k: int, other: Unit) -> int:
        unknown = (self.rank(unit) > k) & (self.rank(unit) < NEVER)
        return int(self.rank(other)[unknown].min()) - 1 if unknown.any() else self.steps(other)

    def new_cells(self, unit: Unit, k: int) -> npt.NDArray[np.int64]:
        """Return the cells computed in step ``k``, shape (cells, 2): rows and columns, from 1."""
        return np.argwhere(self.rank(unit)[1:, 1:] == k) + 1

    def cell(self, k: int) -> tuple[int, int]:
        """Return row and column (from 1) of the cell of step ``k`` of ``Unit.CELL``."""
        row, col = divmod(k - 1, len(self.table.b))
        return row + 1, col + 1

    def words(self, unit: Unit, k: int) -> Bits | None:
        """Return the words of the column at step ``k``, blank if not computed yet, or None."""
        if unit not in (Unit.COLUMN, Unit.OPERATION):
            return None
        n, n_operations = len(self.table.a), len(self.operations)
        column, last = (k - 1, n_operations - 1) if unit is Unit.COLUMN else divmod(k - 1, n_operations)
        here = self.columns[max(column, 0)]
        rows: tuple[tuple[int, str, int], ...]  # the operation by which a word is there, its name, the word
        if isinstance(here, LcsColumn):
            rows = (
                (0, "V", here.v),
                (0, "M", here.m),
                (1, "V & M", here.both),
                (2, "carry in", here.carries),
                (2, "V + (V & M)", here.total),
                (3, "V & ~M", here.rest),
                (4, "V'", here.after),
            )
        else:
            words = (here.vp_before, here.vn_before, here.eq, here.d0, here.hp, here.hn, here.vp, here.vn)
            names = ("VP before", "VN before", "Eq", *EDIT_OPERATIONS)
            rows = tuple(zip((0, 0, 0, 0, 1, 2, 3, 4), names, words, strict=True))
        known = [operation <= last and k > 0 for operation, _, _ in rows]
        newest = sum(known) - 1  # the row that is lit
        return Bits(
            tuple(
                (name, bits(word, n) if seen else " " * n) for (_, name, word), seen in zip(rows, known, strict=True)
            ),
            marks=tuple(("n" if row == newest else ".") * n for row in range(len(rows))),
        )

    def scene(self, unit: Unit, k: int) -> Scene:
        table = self.table
        block = self.block if unit is Unit.BLOCK else (self.block[0], 0) if unit is Unit.WORD else None
        grid = Grid(table.name, table.values, self.rank(unit), *self.shown, block=block, arrows=table.arrows)
        cited: tuple[Cited, ...] = ()
        if unit is Unit.CELL and k > 0:
            cited = tuple(
                Cited(candidate.row, candidate.col, candidate.wins) for candidate in table.candidates(*self.cell(k))
            )
        words = self.words(unit, k)
        parts: tuple[Part, ...] = (grid,) if words is None else (grid, words)
        return Scene(parts, cited)

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        """Return the named steps of cells; see ``Trace.moments``."""
        if unit is Unit.COLUMN:
            used = [letter in self.table.a for letter in self.table.b]
            return {name: [k for k, is_in in enumerate(used, 1) if is_in is on] for name, on in _LETTERS.items()}
        if unit is Unit.OPERATION:
            n, last = len(self.operations), self.steps(unit)
            return {name: range(first, last + 1, n) for first, name in enumerate(self.operations, 1)}
        if unit is not Unit.CELL:
            return {}
        match, bits = self.table.match.ravel(), self.table.arrows.bits[1:, 1:].ravel()
        several, ends = bits & (bits - 1) > 0, np.arange(1, match.size + 1) % len(self.table.b) == 0
        masks = {"match": match, "mismatch": ~match, "tie": several & ~match, "row": ends}
        masks |= {
            "substitution": ~match & (bits & DIAGONAL > 0),
            "deletion": bits & UP > 0,
            "insertion": bits & LEFT > 0,
        }
        return {name: (np.flatnonzero(where) + 1).tolist() for name, where in masks.items()}

    def candidates(self, row: int, col: int) -> list[Candidate]:
        """Return the predecessors of (row, col); none in row 0 and column 0."""
        return self.table.candidates(row, col) if row and col else []

    # Values

    def value_of(self, name: str) -> Any:
        """Return the value ``name`` for texts and expectations.

        ``L[4,5]`` or ``D[4,5]``: a cell; ``row 4``: a row of the table; ``answer``, ``cells``, ``paths``; for an LCS
        ``matchings`` and ``subsequences``; ``steps UNIT``; ``new UNIT``: number of cells computed in each step; ``word
        NAME``: that word of each column; ``carries out``: carry of each column at the last row; ``cells UNIT k``: known
        after that step; ``lcs operators``, ``edit operators``: per word and column; ``edit operators as written``;
        ``operators UNIT k``: of all columns up to that step; ``letter column k``.

        Raises:
            KeyError: unknown name.
        """
        table, cell = self.table, _CELL.match(name)
        if cell and cell[1] == table.name:
            row, col = int(cell[2]), int(cell[3])
            if row > len(table.a) or col > len(table.b):
                raise KeyError(name)
            return int(table.values[row, col])
        first, _, rest = name.partition(" ")
        if first == "row" and rest.isdigit() and int(rest) <= len(table.a):
            return table.values[int(rest)].tolist()
        if first in ("steps", "new") and rest in self.units:
            unit = Unit(rest)
            steps = self.steps(unit)
            return steps if first == "steps" else [len(self.new_cells(unit, k)) for k in range(1, steps + 1)]
        if first == "word":
            words = [self.words(Unit.COLUMN, k) for k in range(1, len(table.b) + 1)]
            return [dict(word.rows)[rest] for word in words if word is not None]
        if name == "carries out":
            return [column.carry_out for column in self.columns if isinstance(column, LcsColumn)]
        if name.startswith("letter column ") and name[14:].isdigit():
            return table.b[int(name[14:]) - 1]
        if first in ("cells", "operators") and rest:
            unit_name, _, step = rest.partition(" ")
            return self._until(first, Unit(unit_name), int(step))
        if name == "paths":
            return table.arrows.n_paths
        if isinstance(table, LcsTable) and name in ("matchings", "subsequences"):
            return getattr(table, name)
        simple = {"answer": table.answer, "cells": len(table.a) * len(table.b)}
        simple |= {"lcs operators": LCS_OPERATORS, "edit operators": EDIT_OPERATORS}
        return (simple | {"edit operators as written": EDIT_OPERATORS_AS_WRITTEN})[name]

    def _until(self, what: str, unit: Unit, k: int) -> int:
        """Return how many cells are computed after a step, or how many operators were used."""
        known = self.rank(unit)[1:, 1:] <= k
        if what == "cells":
            return int(known.sum())
        of_a_column = LCS_OPERATORS if isinstance(self.table, LcsTable) else EDIT_OPERATORS
        return int(known.all(axis=0).sum()) * of_a_column

    # Questions

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        if unit is Unit.CELL:
            few = sum(self.table.shape) <= MAX_PATH_LETTERS
            return (Kind.VALUE, Kind.READS, Kind.ARROW, *((Kind.PATH,) if few else ()))
        if unit is Unit.COLUMN:
            return (Kind.BITS, Kind.WRITES) if len(self.table.a) <= MAX_TYPED_BITS else (Kind.VALUE,)
        return () if unit is Unit.OPERATION else (Kind.WRITES,)

    @property
    def arrow_bits(self) -> tuple[int, ...]:
        return DIAGONAL, UP, LEFT

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        arrows = self.table.arrows if kind is Kind.PATH else None
        if arrows is not None:
            cells = next(arrows.paths())
            text = "Which cells make an optimal path, from the last cell to where no arrow leads on? Any is right."
            way = " ".join(map(arrows.named, cells))
            why = f"{count(arrows.n_paths, 'path is', 'paths are')} optimal. This one: {way}."
            return new_question(kind, unit, k, Asked(text, [f"{i},{j}" for i, j in cells]), why, path=arrows)
        if unit is Unit.CELL:
            asked = self._cell_asked(kind, *self.cell(k))
        elif kind is Kind.VALUE:
            return new_question(kind, unit, k, *self._operations_asked(k))
        elif kind is Kind.WRITES:
            accepts = [f"{i},{j}" for i, j in self.new_cells(unit, k).tolist()]
            one = f"A step is one {UNIT_NAMES[unit]}. " if unit in SIMPLE_UNITS else ""
            asked = Asked(f"{one}Which cells can be computed in the next step?", accepts)
        else:
            words = self.words(unit, k)
            assert words is not None
            *others, (name, word) = words.rows
            before = self.words(unit, k - 1) if k > 1 else None
            named = ({} if before is None else {f"{name} of the column before": before.rows[-1][1]}) | dict(others)
            size, letter = count(len(word), "bit", "bits"), self.shown[1][k - 1]
            text = f"What is {name} after column {number(k)} ({letter})? {size}, row 1 first."
            asked = Asked(text, [word], bit_slips(word, "row 1 is the first", named))
        return new_question(kind, unit, k, asked, self.say(unit, k))

    def _operations_asked(self, k: int) -> tuple[Asked, str]:
        """Return a question about the operations of the first columns (whose words are too long to type)."""
        cells, all_of_them = (self._until(what, Unit.COLUMN, k) for what in ("cells", "operators"))
        each, first = all_of_them // k, "does the first column" if k == 1 else f"do the first {number(k)} columns"
        slips = [
            slip(k, f"That is one a column, and a column takes {number(each)}."),
            slip(cells, f"Those are the cells: an operation computes {number(cells // k)} at once."),
            slip(each, f"That is one column: there are {number(k)}."),
        ]
        why = f"{count(k, 'column', 'columns')} of {number(each)} operations each: {number(all_of_them)}."
        return Asked(f"How many operations on words {first} take?", [str(all_of_them)], slips), why

    def _cell_asked(self, kind: Kind, i: int, j: int) -> Asked:
        table, candidates = self.table, self.table.candidates(i, j)
        cell = f"row {number(i)} ({self.shown[0][i - 1]}), column {number(j)} ({self.shown[1][j - 1]})"
        if kind is Kind.VALUE:
            return Asked(f"What is written in {cell}?", [str(table.values[i, j])], value_slips(table, i, j))
        if kind is Kind.READS:
            cells = [f"{each.row},{each.col}" for each in candidates]
            return Asked(f"Which cells does {cell} need?", cells, reads_slips(table, i, j))
        options = tuple((ARROWS[arrow], ARROW_NAMES[ARROWS[arrow]]) for arrow in self.arrow_bits)
        wins = [ARROWS[each.arrow] for each in candidates if each.wins]
        return Asked(f"Where does {cell} come from?", wins, arrow_slips(table, i, j), options)

    # Sentences

    def say(self, unit: Unit, k: int) -> str:
        table = self.table
        if k == 0:
            return self._edge()
        if unit is Unit.CELL:
            return self._cell(*self.cell(k))
        if unit is Unit.ROW:
            return self._row_sentence(k)
        if unit is Unit.OPERATION:
            return self._operation(k)
        if unit is Unit.COLUMN:
            return self._column(k)
        cells = len(self.new_cells(unit, k))
        if unit is Unit.ANTIDIAGONAL:
            return f"Antidiagonal {number(k)}: {count(cells, 'cell', 'cells, and none needs another: all at once')}."
        h, w = self.block
        if unit is Unit.BLOCK:
            blocks = len({((i - 1) // h, (j - 1) // w) for i, j in self.new_cells(unit, k).tolist()})
            return (
                f"Call {number(k)}: {count(blocks, 'block', 'blocks at once, each below and right of what is known')}."
            )
        words = -(-len(table.a) // h)
        return (
            f"Step {number(k)}: a word of {number(h)} rows, a column a step."
            if words == 1
            else (
                f"Step {number(k)}: each of the {number(words)} words of {number(h)} rows is one column behind the "
                "word above, whose carry is there."
            )
        )

    def explain(self, row: int, col: int) -> str:
        return self._cell(row, col) if row and col else self._edge()

    def _edge(self) -> str:
        if isinstance(self.table, LcsTable):
            return "Row 0 and column 0 stand for nothing read yet: 0."
        return "Row 0 and column 0 stand for nothing read yet: as many insertions or deletions as letters."

    def _cell(self, i: int, j: int) -> str:
        table, a, b = self.table, self.shown[0][i - 1], self.shown[1][j - 1]
        value, candidates = int(table.values[i, j]), table.candidates(i, j)
        if isinstance(table, LcsTable):
            if len(candidates) == 1:
                return f"{a} = {b}: one more than on the diagonal, {number(value - 1)} + 1 = {number(value)}."
            above, left = candidates
            if above.value == left.value == 0:
                return f"{a} and {b} differ, and nothing is in common yet: {number(value)}."
            if above.value == left.value:
                return f"{a} and {b} differ, and above and left are both {number(value)}: two arrows lead on from here."
            return (
                f"{a} and {b} differ: the larger of {number(above.value)} above and {number(left.value)} on the left."
            )
        diagonal, above, left = candidates
        if table.match[i - 1, j - 1] and diagonal.wins:
            return f"{a} = {b} costs nothing: {number(value)}, as on the diagonal."
        return (
            f"{a} and {b} differ. Least of {number(diagonal.value - 1)} + 1 by a substitution, "
            f"{number(above.value - 1)} + 1 by a deletion and {number(left.value - 1)} + 1 by an insertion: "
            f"{number(value)}."
        )

    def _row_sentence(self, i: int) -> str:
        letter, value = self.shown[0][i - 1], int(self.table.values[i, -1])
        if isinstance(self.table, LcsTable):
            return (
                f"Row {number(i)}, letter {letter}: {count(value, 'letter', 'letters')} in common with all of B so far."
            )
        return (
            f"Row {number(i)}, letter {letter}: {count(value, 'edit leads', 'edits lead')} from the letters down to "
            "here to all of B."
        )

    def _column(self, j: int) -> str:
        here, letter = self.columns[j - 1], self.shown[1][j - 1]
        if isinstance(here, LcsColumn):
            zeros = len(self.table.a) - here.after.bit_count()
            common = f"{count(zeros, 'letter', 'letters')} in common"
            return f"Letter {letter}: {count(zeros, 'zero', 'zeros')} in V', so {common} so far."
        up, down = here.vp.bit_count(), here.vn.bit_count()
        return (
            f"Letter {letter}: {number(j)} at the top + {count(up, 'one', 'ones')} in VP − {number(down)} in VN = "
            f"{count(j + up - down, 'edit', 'edits')} at the bottom."
        )

    def _operation(self, k: int) -> str:
        column, operation = divmod(k - 1, len(self.operations))
        name = self.operations[operation]
        if name == "count":
            return self._column(column + 1)
        return operation_text(name, self.shown[1][column])


def operation_text(name: str, letter: str = "") -> str:
    """Describe an operation on the words of a column; ``letter``: of the column."""
    texts = {
        "M": f"M: the rows whose letter is {letter}.",
        "V & M": f"V & M: where {letter} stands and the length does not grow yet.",
        "V + (V & M)": f"The sum: a carry leaves where {letter} stands on a 1, and runs to the next 0.",
        "V & ~M": f"V & ~M: the ones without {letter}, which the carry ran over.",
        "V'": "V' is both together: 0 where the length grows from the row above.",
        "D0": "D0 = (((Eq & VP) + VP) ^ VP) | Eq | VN: as on the diagonal, by equal letters or without a further edit.",
        "HP": "HP = VN | ~(D0 | VP): one more than in the column before.",
        "HN": "HN = D0 & VP: one less than in the column before.",
        "VP": "VP = HN << 1 | ~(D0 | X), where X = HP << 1 | 1: one more than in the row above.",
        "VN": "VN = D0 & X: one less than in the row above.",
    }
    return texts[name]


@of_inputs(a=letters(), b=letters(), block=sides(MAX_TABLE_LETTERS))
def table_trace(a: str, b: str, block: tuple[int, int], table: type[DpTable]) -> TableTrace:
    """Return the trace of a table; TableTooLarge: more letters than ``MAX_TABLE_LETTERS``."""
    return TableTrace(table(a, b), block)
