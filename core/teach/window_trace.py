"""Traces of cells inside a matrix: words by column, and in kernel order.

The column on the left of a window and the row above it are known, and their differences enter its words as carries. The
words for swaps do not follow from the values: they come from the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.kept_matrix import KernelLayout, LaneLayout, WordBits
from wavediff.core.teach.scene import Bits, Scene, Values
from wavediff.core.teach.table import DpTable, EditTable, LcsTable
from wavediff.core.teach.table_trace import TableTrace, operation_text
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import SWAP_OPERATIONS, EditColumn, LcsColumn, edit_columns, lcs_columns


class SwapCells(EditTable):
    """Window of a table with swaps; its values are given, as swaps may start outside."""

    name = "H"

    def __init__(self, a: str, b: str, values: Values) -> None:
        self.given = values
        super().__init__(a, b)

    def _fill(self) -> Values:
        return self.given


TABLES: dict[str, Callable[[str, str, Values], DpTable]] = {
    "lcs": lambda a, b, values: LcsTable(a, b, (values[:, 0], values[0])),
    "edit": lambda a, b, values: EditTable(a, b, (values[:, 0], values[0])),
    "swap": SwapCells,
}


SWAP_NAMES = {"EQ": "Eq", "down": "S1", "across": "S2"}  # of words, for the user


def cells_table(method: str, a: str, b: str, values: npt.NDArray[np.int64]) -> DpTable:
    """Return a window of a table of ``TABLES``.

    Args:
        a, b: letters of its rows and columns. values: integers, shape (len(a) + 1, len(b) + 1); for the LCS and edit
            distance recomputed from the first row and column.
    """
    return TABLES[method](a, b, values.astype(np.int32))


class WindowTrace(TableTrace):
    """Trace of the cells of a window, with the words of a column.

    Args:
        given: words of a table with swaps; empty for other methods, whose words follow from the values, see
            ``wavediff.core.jobs.kept_matrix.KeptMatrix``.
    """

    units: tuple[Unit, ...] = (Unit.COLUMN, Unit.OPERATION, Unit.CELL, Unit.ROW, Unit.ANTIDIAGONAL)

    def __init__(self, table: DpTable, given: WordBits) -> None:
        super().__init__(table)
        self.given = given

    @property
    def operations(self) -> tuple[str, ...]:
        return SWAP_OPERATIONS if self.given else super().operations

    @cached_property
    def columns(self) -> list[LcsColumn] | list[EditColumn]:
        """Words of every column; the carry in follows from the row above."""
        table = self.table
        down, across = np.diff(table.values[:, 0]), np.diff(table.values[0]).tolist()
        if isinstance(table, LcsTable):
            return lcs_columns(table.a, table.b, _word(down == 0), across)
        return edit_columns(table.a, table.b, (_word(down > 0), _word(down < 0)), across)

    def words(self, unit: Unit, k: int) -> Bits | None:
        if not self.given or unit not in (Unit.COLUMN, Unit.OPERATION):
            return super().words(unit, k)
        n, n_operations = len(self.table.a), len(self.operations)
        column, last = (k - 1, n_operations - 1) if unit is Unit.COLUMN else divmod(k - 1, n_operations)
        # The mask is there with the first operation, and the last one known is lit.
        seen = last + 2 if k > 0 else 0
        rows = tuple(
            (SWAP_NAMES.get(name, name), _text(text[:, max(column, 0)]) if place < seen else " " * n)
            for place, (name, text) in enumerate(self.given.items())
        )
        return Bits(rows, marks=tuple(("n" if place == seen - 1 else ".") * n for place in range(len(rows))))

    def scene(self, unit: Unit, k: int) -> Scene:
        """Return the scene after step ``k``, without arrows."""
        scene = super().scene(unit, k)
        assert scene.grid is not None
        return replace(scene, parts=(replace(scene.grid, arrows=None), *scene.parts[1:]))

    # Sentences

    def _edge(self) -> str:
        return "The row above and the column on the left are known: the window begins where others ended."

    def _cell(self, i: int, j: int) -> str:
        candidates = self.candidates(i, j)
        if any(candidate.wins for candidate in candidates):
            return super()._cell(i, j)
        others = ", ".join(str(candidate.value) for candidate in candidates)
        value = number(int(self.table.values[i, j]))
        return (
            f"{self.shown[0][i - 1]} and {self.shown[1][j - 1]} differ. A swap with letters further up and left gives "
            f"{value}, less than {others}."
        )

    def _column(self, j: int) -> str:
        table, letter = self.table, self.shown[1][j - 1]
        above, foot = int(table.values[0, j]), int(table.values[-1, j])
        if self.given:
            up, down = (int(self.given[name][:, j - 1].sum()) for name in ("VP", "VN"))
        elif isinstance(here := self.columns[j - 1], LcsColumn):
            zeros = len(table.a) - here.after.bit_count()
            return (
                f"Letter {letter}: {count(zeros, 'zero', 'zeros')} in V' and {number(above)} above the window "
                f"make {number(foot)}."
            )
        else:
            up, down = here.vp.bit_count(), here.vn.bit_count()
        return (
            f"Letter {letter}: {number(above)} above + {number(up)} ones in VP - {number(down)} in VN = {number(foot)} "
            "at the foot."
        )

    def _operation(self, k: int) -> str:
        if not self.given:
            return super()._operation(k)
        column, operation = divmod(k - 1, len(self.operations))
        name, letter = self.operations[operation], self.shown[1][column]
        texts = {
            "down": f"S1: rows where {letter} and the letter before it may have changed places: a carry found them.",
            "across": f"S2: rows where the row's letter and the one above may have changed places: {letter} stands "
            "above.",
            "D0": "D0: the value is that of the diagonal: equal letters, a swap, or no more edits although they "
            "differ.",
        }
        return texts.get(name) or operation_text(name)


class LayoutTrace(WindowTrace):
    """Trace of the cells of a window in the order and words of the bit-sliced kernel.

    Each bit of a vector is for a stripe of rows; each stripe is one group of columns behind the one above it (Sudo and
    Shinohara's stagger). Row r of all stripes is one vector, so there are no additions and no carry chain.

    Args:
        table: of the LCS or of edit distance. layout: of the kernel. row, col: start of the window in its matrix.
    """

    def __init__(self, table: DpTable, layout: KernelLayout, row: int, col: int) -> None:
        super().__init__(table, {})
        self.units = (Unit.WORD,)
        self._layout, self._row = layout, row
        rows, cols = np.arange(len(table.a)) + row, np.arange(len(table.b)) + col
        self._stripe = rows % layout.strip_rows // layout.depth
        self._group = cols // layout.group_columns
        # Strips follow each other: of two, the lower one comes to a column when the upper one has done all of it.
        self._strip = rows // layout.strip_rows - row // layout.strip_rows

    @property
    def stripes(self) -> list[int]:
        """Stripes of the first strip that contain rows of the window."""
        return sorted(set(self._stripe[self._strip == 0].tolist()))

    def rank(self, unit: Unit) -> Values:
        """Return the step (from 1) that computes each cell."""
        if unit not in self._ranks:
            behind = self._stripe + self._strip * self._layout.stripes
            behind = behind - behind[0]
            known = np.zeros(self.table.values.shape, np.int32)
            known[1:, 1:] = behind[:, None] + (self._group - self._group[0])[None, :] + 1
            self._ranks[unit] = known
        return self._ranks[unit]

    def step(self, k: int) -> int:
        """Return the kernel's step number for step ``k``, relative to the first stripe."""
        return int(self._group[0] + self._stripe[0]) + k - 1

    def words(self, unit: Unit, k: int) -> Bits:  # noqa: ARG002
        """Return the vectors after step ``k``, a line each with one bit per stripe; with few stripes, a line is a
        stripe."""
        layout, known, stripes = self._layout, self.rank(Unit.WORD)[1:, 1:] <= k, self.stripes
        is_lcs = isinstance(self.table, LcsTable)
        rises = np.diff(self.table.values, axis=0)
        bits = np.full((layout.depth, len(stripes)), " ")
        new = np.full(bits.shape, ".")
        for (r, b), _ in np.ndenumerate(bits):
            at = stripes[b] * layout.depth + r - self._row % layout.strip_rows
            col = int(known[at].sum()) if 0 <= at < len(self.table.a) and self._strip[at] == 0 else 0
            if col:
                bits[r, b] = "1" if rises[at, col] == (0 if is_lcs else 1) else "0"
                new[r, b] = "n" if self.rank(Unit.WORD)[at + 1, col] == k else "."
        names, heads = [f"{'V' if is_lcs else 'VP'} {r}" for r in range(layout.depth)], [str(each) for each in stripes]
        if layout.depth > len(stripes):
            names, heads = [f"bit {each}" for each in heads], [str(r) for r in range(layout.depth)]
            bits, new = bits.T, new.T
        rows = tuple((name, "".join(line)) for name, line in zip(names, bits.tolist(), strict=True))
        return Bits(rows, down=False, heads=tuple(heads), marks=tuple("".join(line) for line in new.tolist()))

    def scene(self, unit: Unit, k: int) -> Scene:
        grid, words = super().scene(unit, k).grid, self.words(unit, k)
        assert grid is not None
        return Scene((replace(grid, block=None), words))

    def say(self, unit: Unit, k: int) -> str:  # noqa: ARG002
        """Return which stripes processed which groups in step ``k``."""
        if k == 0:
            return (
                f"Bit b of a vector stands for {number(self._layout.depth)} rows. In step t it computes group t - b of "
                f"{number(self._layout.group_columns)} columns."
            )
        step, stripes = self.step(k), self.stripes
        first, last = int(self._group[0]), int(self._group[-1])
        busy = [stripe for stripe in stripes if first <= step - stripe <= last]
        if not busy:
            return f"Step {number(step)}: the window's stripes of this strip are done."
        first_group, end = number(step - busy[0]), number(step - busy[-1])
        if len(busy) == 1:
            return f"Step {number(step)}: bit {number(busy[0])}, group {first_group}."
        return f"Step {number(step)}: bits {number(busy[0])}–{number(busy[-1])}, groups {first_group}–{end}."


class LaneTrace(WindowTrace):
    """Cells of a window in the order of the staggered kernel: each word is one column behind the word above.

    Args:
        table, given: see ``WindowTrace``. layout: of the kernel. row, col: start of the window in its matrix.
    """

    units = (Unit.WORD,)

    def __init__(self, table: DpTable, given: WordBits, layout: LaneLayout, row: int, col: int) -> None:
        super().__init__(table, given)
        self._layout, self._col = layout, col
        self._word = (np.arange(len(table.a)) + row) // layout.word_rows  # of the matrix
        time = self._word[:, None] + np.arange(len(table.b)) + col
        order = np.stack([time // layout.block_steps, (self._word // layout.lanes)[:, None] + 0 * time, time], axis=-1)
        # A block after the other: of those over the same steps that of the upper strip first.
        _, steps = np.unique(order.reshape(-1, 3), axis=0, return_inverse=True)
        known = np.zeros(table.values.shape, np.int32)
        known[1:, 1:] = steps.reshape(time.shape) + 1
        self._ranks[Unit.WORD] = known

    def words(self, unit: Unit, k: int) -> Bits:
        """Return the words after step ``k``; each row has the bit of the last column that its word has computed."""
        rank = self.rank(unit)[1:, 1:]
        done = (rank <= k).sum(axis=1)
        at = np.maximum(done - 1, 0)[:, None]
        rows = tuple(
            (SWAP_NAMES.get(name, name), _text(np.where(done > 0, np.take_along_axis(text, at, 1)[:, 0], 2)))
            for name, text in self.given.items()
        )
        new = "".join("n" if row.any() else "." for row in rank == k)
        return Bits(rows, marks=(new,) * len(rows))

    def scene(self, unit: Unit, k: int) -> Scene:
        grid = super().scene(unit, k).grid
        assert grid is not None
        return Scene((replace(grid, block=None), self.words(unit, k)))

    def say(self, unit: Unit, k: int) -> str:
        """Return which word was at which column in step ``k``."""
        if k == 0:
            return (
                f"A vector has {number(self._layout.lanes)} words of {number(self._layout.word_rows)} rows; in step t "
                "word w is at column t - w."
            )
        cells = self.new_cells(unit, k) - 1
        places = sorted({(int(self._word[row]), col + self._col) for row, col in cells.tolist()})
        (word, column), (last, end) = places[0], places[-1]
        step = f"Step {number(word + column)}"
        if len(places) == 1:
            return f"{step}: word {number(word)} is at column {number(column)}."
        return (
            f"{step}: words {number(word)}–{number(last)} are at columns {number(column)}–{number(end)}, each one "
            "behind the word above."
        )


def in_kernel_order(trace: WindowTrace, layout: KernelLayout | LaneLayout, row: int, col: int) -> WindowTrace:
    """Return a trace of the same window in the order and words of the kernel.

    Args:
        row, col: start of the window in the kernel's matrix, from 0.
    """
    made = (
        LaneTrace(trace.table, trace.given, layout, row, col)
        if isinstance(layout, LaneLayout)
        else LayoutTrace(trace.table, layout, row, col)
    )
    made.shown = trace.shown
    return made


def _text(bits: Any) -> str:
    return "".join(("0", "1", " ")[bit] for bit in bits.tolist())


def _word(bits: Any) -> int:
    return sum(1 << i for i, bit in enumerate(bits.tolist()) if bit)
