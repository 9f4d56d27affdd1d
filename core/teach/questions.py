"""Units of steps, and the questions of lessons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from wavediff.core.teach.optimal_paths import DIAGONAL, LEFT, SWAP, UP


class Unit(StrEnum):
    """Unit of stepping: the cells, or the operations, that one step computes."""

    CELL = "cell"
    ROW = "row"
    COLUMN = "column"
    ANTIDIAGONAL = "antidiagonal"
    BLOCK = "block"
    WORD = "word"
    OPERATION = "operation"  # of a column's machine words
    CALL = "call"  # of a kernel: all blocks of an antidiagonal
    ROUND = "round"
    PART = "part"  # of Hirschberg's tree
    EDIT = "edit"
    LETTER = "letter"  # of a text that is read
    LEVEL = "level"  # of a sort
    PASS = "pass"
    TIME = "time"


UNIT_NAMES = {each: str(each) for each in Unit} | {Unit.OPERATION: "operation of a word"}


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
