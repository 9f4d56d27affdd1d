"""Questions about a step: asked before it is shown, and marked against what it computes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.teach.table import DIAGONAL, LEFT, UP
from core.teach.trace import TableTrace
from core.teach.unit import Unit
from core.translate import tr, tr_n

ARROWS = {DIAGONAL: "diagonal", UP: "up", LEFT: "left"}


class Kind(StrEnum):
    """Kind of a question."""

    READS = "reads"  # the cells that a cell needs
    VALUE = "value"  # what is written in it
    ARROW = "arrow"  # where it comes from; any that attains the optimum is right
    WRITES = "writes"  # the cells that the next step can compute
    BITS = "bits"  # the last word of a column


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        unit, step: of the step that answers it: what is asked is seen then.
        text: of the question. accepts: the right answers: a number, a word of bits, names of arrows, or cells as
            ``row,column``. needs_all: whether all of them belong to a right answer.
        why: the sentence of the step.
    """

    kind: Kind
    unit: Unit
    step: int
    text: str
    accepts: frozenset[str]
    needs_all: bool
    why: str


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


def kinds(trace: TableTrace, unit: Unit) -> tuple[Kind, ...]:
    """Return what can be asked of a step of ``unit``."""
    if unit is Unit.CELL:
        return Kind.VALUE, Kind.READS, Kind.ARROW
    if unit is Unit.COLUMN and trace.columns:
        return Kind.BITS, Kind.WRITES
    return () if unit is Unit.OPERATION else (Kind.WRITES,)


def ask(trace: TableTrace, unit: Unit, step: int, kind: Kind) -> Question:
    """Return the question of ``kind`` that ``step`` answers.

    Raises:
        ValueError: nothing of the kind can be asked of such a step.
    """
    if kind not in kinds(trace, unit) or not 1 <= step <= trace.steps(unit):
        raise ValueError(f"'{kind}' cannot be asked of step {step} of {unit}")
    table = trace.table
    if unit is Unit.CELL:
        i, j = trace.cell(step)
        cell = tr("row {row} ({a}), column {col} ({b})", row=i, col=j, a=table.a[i - 1], b=table.b[j - 1])
        found = table.candidates(i, j)
        if kind is Kind.VALUE:
            text = tr("What is written in {cell}?", cell=cell)
            accepts = {str(int(table.values[i, j]))}
        elif kind is Kind.READS:
            text = tr("Which cells does {cell} need?", cell=cell)
            accepts = {f"{one.row},{one.col}" for one in found}
        else:
            text = tr("Where does {cell} come from: the diagonal, above or the left?", cell=cell)
            accepts = {ARROWS[one.arrow] for one in found if one.wins}
    elif kind is Kind.WRITES:
        text = tr("Which cells can be computed in the next step?")
        accepts = {f"{i},{j}" for i, j in trace.new_cells(unit, step).tolist()}
    else:
        words = trace.words(unit, step)
        name, word = words.rows[-1] if words else ("", "")
        text = tr_n(
            "What is {name} after letter {b}? {n} bit, row 1 first.",
            "What is {name} after letter {b}? {n} bits, row 1 first.",
            len(word),
            name=name,
            b=table.b[step - 1],
        )
        accepts = {word}
    return Question(kind, unit, step, text, frozenset(accepts), kind is not Kind.ARROW, trace.say(unit, step))


def mark(question: Question, answer: set[str]) -> Marked:
    """Return what of ``answer``, in the terms of ``Question.accepts``, is right.

    >>> from core.teach.trace import table_trace
    >>> mark(ask(table_trace("edit", "kitten", "sitting"), Unit.CELL, 33, Kind.VALUE), {"2"}).is_right
    True
    """
    given = frozenset(answer)
    right = given & question.accepts
    missing = question.accepts - given if question.needs_all or not right else frozenset[str]()
    return Marked(right, given - question.accepts, missing, question.why)
