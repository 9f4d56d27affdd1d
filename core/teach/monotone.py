"""Skipped blocks: if the values only rise along the top and only fall down the left side, the letters do not matter.

Source: Sudo and Shinohara 2009, section 4.2 and Fig. 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.numbers import number
from wavediff.core.teach.blocks import BlocksTrace
from wavediff.core.teach.counted_trace import letters, of_inputs, sides
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import Box, Grid, Mark, Scene, Sheet, Values
from wavediff.core.teach.table import EditTable
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 64  # of a side
SIGNS = {1: "+", 0: "0", -1: "−"}  # of a difference of neighbours


HANDED = {"handed": True, "computed": False}  # moments, by whether a block is handed through
OPTIONS = (
    ("hand", "Handed through: top rises, left falls"),
    ("top", "Computed: its top does not rise"),
    ("left", "Computed: its left does not fall"),
)


class MonotoneTrace(BlocksTrace):
    """Blocks of an edit distance table, row by row; skipped blocks copy top to bottom and left to right."""

    def __init__(self, table: EditTable, block: tuple[int, int]) -> None:
        self._table, self._block = TableTrace(table, block), block
        n, m = table.shape
        self._n_rows, self._n_cols = -(-n // block[0]), -(-m // block[1])
        inputs = {"a": table.a, "b": table.b, "block": block}
        super().__init__(inputs, Unit.BLOCK, self._n_rows * self._n_cols, Kind.CHOICE)
        i, j = np.indices(table.values.shape)
        # Row 0 and column 0 are known from the start.
        rank = (i - 1) // block[0] * self._n_cols + (j - 1) // block[1] + 1
        self._rank: Values = np.where((i == 0) | (j == 0), 0, rank).astype(np.int32)
        across, down = np.diff(table.values, axis=1), np.diff(table.values, axis=0)
        self._top = [[across[rows.start, cols.start : cols.stop] for cols in self._spans(1)] for rows in self._spans(0)]
        self._left = [[down[rows.start : rows.stop, cols.start] for cols in self._spans(1)] for rows in self._spans(0)]
        self.skipped = [
            [bool((top == 1).all() and (left == -1).all()) for top, left in zip(*both, strict=True)]
            for both in zip(self._top, self._left, strict=True)
        ]
        self._risen, self._fallen = across == 1, down == -1
        self._marks = self._all_marks()

    def _spans(self, axis: int) -> list[range]:
        size, most = self._block[axis], self._table.table.shape[axis]
        return [range(at, min(at + size, most)) for at in range(0, most, size)]

    def _place(self, k: int) -> tuple[int, int]:
        return divmod(k - 1, self._n_cols)

    def _all_marks(self) -> npt.NDArray[np.uint8]:
        """Return the marks of skipped blocks and of monotone sides."""
        marks = np.zeros(self._rank.shape, np.uint8)
        marks[0, 1:] = Mark.RISING
        for row, rows in enumerate(self._spans(0)):
            for col, cols in enumerate(self._spans(1)):
                inside = marks[rows.start + 1 : rows.stop + 1, cols.start + 1 : cols.stop + 1]
                if self.skipped[row][col]:
                    inside[:] = Mark.SKIPPED
                if self._fallen[rows.start : rows.stop, cols.stop].all():
                    inside[:, -1] = Mark.FALLING
                if self._risen[rows.stop, cols.start : cols.stop].all():
                    inside[-1] = Mark.RISING
        return marks

    def scene_at(self, k: int) -> Scene:
        table, boxes = self._table.table, []
        if k:
            row, col = self._place(k)
            rows, cols = self._spans(0)[row], self._spans(1)[col]
            boxes.append(Box(rows.start + 1, cols.start + 1, len(rows), len(cols), mark=Mark.NEW))
        marks = np.where(self._rank <= k, self._marks, np.uint8(Mark.PLAIN))
        grid = Grid("D", table.values, self._rank, table.a, table.b, marks, self._block, tuple(boxes))
        return Scene((grid, self._sides(k)))

    def _sides(self, k: int) -> Sheet:
        heads = "side", "differences", "only"
        if not k:
            return Sheet("The block's sides", heads, (("top", "", ""), ("left", "", "")), mono=True)
        row, col = self._place(k)
        title = f"Sides of block {number(row + 1)}, {number(col + 1)}"
        top, left = self._top[row][col], self._left[row][col]
        both = (("top", top, 1, "rises", Mark.RISING), ("left", left, -1, "falls", Mark.FALLING))
        rows, marks = [], []
        for name, some, wanted, word, mark in both:
            fits = bool((some == wanted).all())
            rows.append((name, " ".join(SIGNS[int(step)] for step in some), word if fits else "–"))
            marks.append((Mark.PLAIN, Mark.PLAIN, mark if fits else Mark.PLAIN))
        return Sheet(title, heads, tuple(rows), tuple(marks), mono=True)

    def say_at(self, k: int) -> str:
        if k == 0:
            return "Along the upper edge the distance rises with each letter. Down the left edge it rises too."
        row, col = self._place(k)
        block = f"Block {number(row + 1)}, {number(col + 1)}"
        if self.skipped[row][col]:
            return (
                f"{block}: its top only rises and its left only falls. Whatever the letters, so do bottom and right: "
                "hand them through."
            )
        rises, falls = bool((self._top[row][col] == 1).all()), bool((self._left[row][col] == -1).all())
        if rises:
            return f"{block}: its top only rises, but its left does not fall all the way. It is computed."
        if falls:
            return f"{block}: its left only falls, but its top does not rise all the way. It is computed."
        return f"{block}: its top does not only rise, and its left does not only fall. It is computed."

    def _value(self, name: str) -> Any:
        """Return a value; ``skipped``: for each row of blocks the columns of skipped blocks, from 1."""
        return {
            "skipped": [[col for col, skipped in enumerate(row, 1) if skipped] for row in self.skipped],
            "handed": sum(map(sum, self.skipped)),
            "blocks": self.last_step,
            "answer": self._table.table.answer,
        }[name]

    def _moments(self) -> Mapping[str, Sequence[int]]:
        handed = [self.skipped[row][col] for row, col in map(self._place, range(1, self.last_step + 1))]
        return {name: [k for k, one in enumerate(handed, 1) if one == is_it] for name, is_it in HANDED.items()}

    def _question(self, k: int) -> Asked:
        row, col = self._place(k)
        sides = self._top[row][col], self._left[row][col]
        top, left = (" ".join(SIGNS[int(sign)] for sign in side) for side in sides)
        text = (
            f"Block {number(row + 1)}, {number(col + 1)}: its top goes {top}, its left side {left}. What is done with "
            "it?"
        )
        rises, falls = bool((sides[0] == 1).all()), bool((sides[1] == -1).all())
        right = {"hand": rises and falls, "top": not rises, "left": not falls}
        reasons = {
            "hand": "Its top does not rise everywhere, or its left side does not fall everywhere: nothing is certain.",
            "top": "Its top rises at each letter.",
            "left": "Its left side falls at each letter.",
        }
        slips = [slip(name, reason) for name, reason in reasons.items() if not right[name]]
        return Asked(text, [name for name, is_right in right.items() if is_right], slips, OPTIONS)


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), block=sides(MAX_LETTERS))
def monotone_trace(a: str, b: str, block: tuple[int, int]) -> MonotoneTrace:
    return MonotoneTrace(EditTable(a, b), block)
