"""Optimal paths through a table, and the questions of lessons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.teach.unit import Unit

Cell = tuple[int, int]
DIAGONAL, UP, LEFT, SWAP = 1, 2, 4, 8  # bits of ``Arrows.bits``


class Candidate(NamedTuple):
    """A cell that another one may come from.

    Attributes:
        row, col: of the cell that is read. value: what it would give. arrow: DIAGONAL, UP, LEFT or SWAP. wins: it
            attains the optimum; several may.
    """

    row: int
    col: int
    value: int
    arrow: int
    wins: bool


class Arrows:
    """Every step of an optimal path through a table, back from its last cell.

    Args:
        bits: uint8, shape of the table: DIAGONAL | UP | LEFT | SWAP of a cell; 0 where paths end.
        jumps: for each cell with SWAP, the cell before the letters that change places.
    """

    def __init__(self, bits: npt.NDArray[np.uint8], jumps: Mapping[Cell, Cell] | None = None) -> None:
        self.bits, self.jumps = bits, jumps or {}

    @property
    def end(self) -> Cell:
        """The last cell, where every path begins."""
        return self.bits.shape[0] - 1, self.bits.shape[1] - 1

    def sources(self, cell: Cell) -> list[Cell]:
        """Return the cells that one may come from: the diagonal first, then up, left, a swap."""
        (row, col), bits = cell, int(self.bits[cell])
        near = ((DIAGONAL, (row - 1, col - 1)), (UP, (row - 1, col)), (LEFT, (row, col - 1)))
        spots = [spot for bit, spot in near if bits & bit]
        return [*spots, self.jumps[cell]] if bits & SWAP else spots

    def paths(self) -> Iterator[list[Cell]]:
        """Yield the cells of each path, from its end."""
        path = [(self.end, self.sources(self.end))]
        while path:
            while path[-1][1]:
                cell = path[-1][1][0]
                path.append((cell, self.sources(cell)))
            yield [cell for cell, _ in path]
            while path and len(path[-1][1]) <= 1:
                path.pop()
            if path:
                path[-1][1].pop(0)

    @cached_property
    def n_paths(self) -> int:
        """Number of the paths: of a few hundred letters a number of many digits."""
        counts: list[list[int]] = []
        for row, all_bits in enumerate(self.bits.tolist()):
            counts.append([])
            for col, bits in enumerate(all_bits):
                count = 0 if bits else 1
                if bits & DIAGONAL:
                    count += counts[row - 1][col - 1]
                if bits & UP:
                    count += counts[row - 1][col]
                if bits & LEFT:
                    count += counts[row][col - 1]
                if bits & SWAP:
                    at = self.jumps[row, col]
                    count += counts[at[0]][at[1]]
                counts[row].append(count)
        return counts[-1][-1]

    @cached_property
    def on_path(self) -> npt.NDArray[np.bool_]:
        """Cells that a path goes through, shape of the table."""
        rows, cols = self.bits.shape
        on_path = np.zeros((rows, cols), np.bool_)
        on_path[-1, -1] = True
        for d in range(
            rows + cols - 2, 0, -1
        ):  # an antidiagonal at once, from the last one: arrows lead to earlier ones
            i = np.arange(max(0, d - cols + 1), min(rows - 1, d) + 1)
            i = i[on_path[i, d - i]]
            bits = self.bits[i, d - i]
            for bit, up, left in ((DIAGONAL, 1, 1), (UP, 1, 0), (LEFT, 0, 1)):
                here = i[bits & bit != 0]
                on_path[here - up, d - here - left] = True
            for row in i[bits & SWAP != 0].tolist():
                on_path[self.jumps[row, d - row]] = True
        return on_path


if TYPE_CHECKING:
    from wavediff.core.teach.scene import Trace

ARROWS = {DIAGONAL: "diagonal", UP: "up", LEFT: "left", SWAP: "swap"}
YES, NO = "y", "n"  # what ``Kind.NEEDED`` accepts


class Kind(StrEnum):
    READS = "reads"  # the cells that a cell needs
    VALUE = "value"  # what is written in it
    ARROW = "arrow"  # where it comes from; any that attains the optimum is right
    WRITES = "writes"  # the cells that the next step can compute
    BITS = "bits"  # the last word of a column
    NEXT = "next"  # the next row of a sheet, or what follows: typed, or a row that is clicked
    NEEDED = "needed"  # whether a block must be computed: yes or no


CLICKED = (Kind.READS, Kind.WRITES)  # answered by cells of the first grid
TYPED = (Kind.VALUE, Kind.BITS, Kind.NEXT)


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        unit, step: of the step that answers it: what is asked is seen then.
        text: of the question. accepts: the right answers: a number, a word of bits, names of ``ARROWS``, YES or NO, a
            row of the first sheet from 0, or cells of the first grid as ``row,column``.
        needs_all: whether all of them belong to a right answer. why: the sentence of the step.
        arrows: among which ``Kind.ARROW`` lets choose, of ``ARROWS``.
    """

    kind: Kind
    unit: Unit
    step: int
    text: str
    accepts: frozenset[str]
    needs_all: bool
    why: str
    arrows: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers that can be chosen; none of what is typed or clicked."""
        return (YES, NO) if self.kind is Kind.NEEDED else self.arrows


@dataclass(frozen=True, slots=True)
class Marked:
    """A marked answer: what of it is right, what is wrong, what was wanted too; ``why``: see ``Question``."""

    right: frozenset[str]
    wrong: frozenset[str]
    missing: frozenset[str]
    why: str

    @property
    def is_right(self) -> bool:
        return bool(self.right) and not self.wrong and not self.missing


def can_ask(trace: Trace, unit: Unit, step: int, kind: Kind) -> bool:
    """Return whether ``step`` answers a question of ``kind``."""
    return kind in trace.kinds(unit) and 1 <= step <= trace.steps(unit)


def ask(trace: Trace, unit: Unit, step: int, kind: Kind) -> Question:
    """Return the question of ``kind`` that ``step`` answers.

    Raises:
        ValueError: nothing of the kind can be asked of such a step.
    """
    if not can_ask(trace, unit, step, kind):
        raise ValueError(f"'{kind}' cannot be asked of step {step} of {unit}")
    return trace.ask(unit, step, kind)


def mark(question: Question, answer: set[str]) -> Marked:
    """Return what of ``answer``, in the terms of ``Question.accepts``, is right.

    >>> question = Question(Kind.VALUE, Unit.CELL, 1, "What is 1 + 1?", frozenset({"2"}), True, "It is 2.")
    >>> mark(question, {"2"}).is_right
    True
    """
    given = frozenset(answer)
    right = given & question.accepts
    missing = question.accepts - given if question.needs_all or not right else frozenset[str]()
    return Marked(right, given - question.accepts, missing, question.why)
