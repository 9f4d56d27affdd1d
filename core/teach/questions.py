"""Optimal paths through tables, and questions of lessons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.unit import Unit

Cell = tuple[int, int]
DIAGONAL, UP, LEFT, SWAP = 1, 2, 4, 8  # bits of ``Arrows.bits``


class Candidate(NamedTuple):
    """Possible predecessor of a cell.

    Attributes:
        row, col: of the predecessor. value: of the cell if reached from there. arrow: DIAGONAL, UP, LEFT or SWAP. wins:
            ``value`` is optimal, perhaps as that of other candidates.
    """

    row: int
    col: int
    value: int
    arrow: int
    wins: bool


class Arrows:
    """All optimal steps through a table (or several side by side), backwards from the last cell.

    Args:
        bits: uint8, shape of the table: DIAGONAL | UP | LEFT | SWAP of a cell; 0 at the ends of paths.
        jumps: for each cell with SWAP, its further predecessors.
        ends: cells at which paths end; empty: the last cell. tables: names of tables side by side, of equal widths.
    """

    def __init__(
        self,
        bits: npt.NDArray[np.uint8],
        jumps: Mapping[Cell, Sequence[Cell]] | None = None,
        ends: Sequence[Cell] = (),
        tables: Sequence[str] = ("",),
    ) -> None:
        self.bits, self.jumps, self._tables = bits, jumps or {}, tables
        self.ends = ends or [(bits.shape[0] - 1, bits.shape[1] - 1)]
        self._width: int = bits.shape[1] // len(tables)

    def named(self, cell: Cell) -> str:
        """Return the name of a cell: table (if several), row and column."""
        table, col = divmod(cell[1], self._width)
        return f"{self._tables[table]}({cell[0]}, {col})"

    def order(self, cell: Cell) -> int:
        """Return a number that decreases along every path."""
        return cell[0] + cell[1] % self._width

    def sources(self, cell: Cell) -> list[Cell]:
        """Return the predecessors of a cell: diagonal, up, left, then distant ones."""
        (row, col), bits = cell, int(self.bits[cell])
        near = ((DIAGONAL, (row - 1, col - 1)), (UP, (row - 1, col)), (LEFT, (row, col - 1)))
        spots = [spot for bit, spot in near if bits & bit]
        return [*spots, *self.jumps[cell]] if bits & SWAP else spots

    def columns(self, path: Sequence[Cell]) -> list[Cell]:
        """Return the alignment columns of a path (given from its end) as pairs of row and column; 0 for a gap."""
        width = self._width
        both = pairwise(reversed(path))
        return [(i if i > p else 0, j % width if j % width > q % width else 0) for (p, q), (i, j) in both]

    def paths(self) -> Iterator[list[Cell]]:
        """Yield the cells of each path, from its end."""
        for end in self.ends:
            path = [(end, self.sources(end))]
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
        """Number of paths, possibly a huge integer."""
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
                    count += sum(counts[i][j] for i, j in self.jumps[row, col])
                counts[row].append(count)
        return sum(counts[row][col] for row, col in self.ends)

    @cached_property
    def on_path(self) -> npt.NDArray[np.bool_]:
        """Cells on any path, in the shape of the table."""
        on_path = np.zeros(self.bits.shape, np.bool_)
        all_bits, here = self.bits.tolist(), on_path.tolist()
        for row, col in self.ends:
            here[row][col] = True
        for row in range(len(all_bits) - 1, -1, -1):  # arrows lead to what stands before
            for col in range(len(all_bits[row]) - 1, -1, -1):
                bits = all_bits[row][col] if here[row][col] else 0
                if bits & DIAGONAL:
                    here[row - 1][col - 1] = True
                if bits & UP:
                    here[row - 1][col] = True
                if bits & LEFT:
                    here[row][col - 1] = True
                for i, j in self.jumps[row, col] if bits & SWAP else ():
                    here[i][j] = True
        on_path[:] = here
        return on_path


if TYPE_CHECKING:
    from wavediff.core.teach.scene import Trace

ARROWS = {DIAGONAL: "diagonal", UP: "up", LEFT: "left", SWAP: "swap"}
ARROW_NAMES = {"diagonal": "Diagonal", "up": "Above", "left": "Left", "swap": "Swap"}
MAX_TRIES = 2  # after which a question is answered
MAX_NAMED = 3  # bits or cells that a hint names
_CELL = re.compile(r"(\d{1,6}),(\d{1,6})")


class Kind(StrEnum):
    READS = "reads"  # the cells that a cell needs
    VALUE = "value"  # what is written in it
    ARROW = "arrow"  # where it comes from; any that attains the optimum is right
    WRITES = "writes"  # the cells that the next step can compute
    BITS = "bits"  # the last word of a column
    NEXT = "next"  # the next row of a sheet, or what follows: typed, or a row that is clicked
    CHOICE = "choice"  # one of a few reasons
    PATH = "path"  # the cells of an optimal path; any of them is right


CLICKED = (Kind.READS, Kind.WRITES, Kind.PATH)  # answered by cells of the first grid
TYPED = (Kind.VALUE, Kind.BITS, Kind.NEXT)
LEVELS = {  # of difficulty
    1: (Kind.VALUE, Kind.ARROW, Kind.NEXT, Kind.CHOICE),
    2: (Kind.READS, Kind.WRITES, Kind.BITS),
    3: (Kind.PATH,),
}


class Slip(NamedTuple):
    """Wrong answer from a common misconception; ``cells``: the cells of ``Scene.taken`` that lead to it."""

    answer: frozenset[str]
    text: str
    cells: tuple[Cell, ...] = ()


def slip(answer: object, text: str, *cells: Cell) -> Slip:
    """Return the ``Slip`` that explains a wrong answer, or a set of equally wrong ones."""
    return Slip(frozenset(map(str, answer)) if isinstance(answer, set) else frozenset({str(answer)}), text, cells)


class Asked(NamedTuple):
    """Text, answers and slips of a question; see ``Question``."""

    text: str
    accepts: Iterable[str]
    slips: Iterable[Slip] = ()
    options: tuple[tuple[str, str], ...] = ()
    among: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        unit, step: of the step that shows the answer.
        text: of the question. accepts: correct answers: a number, a word of bits, ids of ``options``, a row of the
            first sheet from 0, or cells of the first grid as ``row,column``; for a path, the cells of an optimal path.
        needs_all: all accepted values are required, e.g. all cells. why: the sentence of the step.
        options: id and text of each choice; empty for typed or clicked answers.
        slips: wrong answers with their misconceptions. path: the arrows of a path.
        either: text between several correct answers. among: number of rows or places to choose from; 0: unlimited.
    """

    kind: Kind
    unit: Unit
    step: int
    text: str
    accepts: frozenset[str]
    needs_all: bool
    why: str
    options: tuple[tuple[str, str], ...] = ()
    slips: tuple[Slip, ...] = ()
    path: Arrows | None = None
    either: str = " or "
    among: int = 0

    @property
    def shown(self) -> int:
        """The step shown with the question."""
        return self.step - (self.kind is not Kind.PATH)

    @property
    def answer(self) -> str:
        """The answer (unless contained in the reason), and the reason."""
        answer = self.either.join(sorted(dict(self.options).get(each, each) for each in self.accepts))
        end = r"(?!\w)" if self.options else r"\W*$"  # a number stands for other things too
        is_said = re.search(rf"(?<!\w){re.escape(answer)}{end}", self.why)
        return self.why if self.kind in CLICKED or is_said else f"{answer}. {self.why}"

    def is_try(self, given: Iterable[str]) -> bool:
        """Return whether ``given`` is an answer at all, and of the expected kind, e.g. a number."""
        return any(given) and (all(map(str.isdecimal, given)) or not all(map(str.isdecimal, self.accepts)))


def new_question(kind: Kind, unit: Unit, step: int, asked: Asked, why: str, *, path: Arrows | None = None) -> Question:
    """Create a question without slips that are repeated or correct."""
    accepts, needs_all, slips = frozenset(asked.accepts), kind in CLICKED, dict[frozenset[str], Slip]()
    for each in asked.slips:
        is_right = each.answer == accepts or (not needs_all and each.answer <= accepts)
        if not is_right:
            slips.setdefault(each.answer, each)
    some = asked.options, tuple(slips.values())
    return Question(kind, unit, step, asked.text, accepts, needs_all, why, *some, path, among=asked.among)


@dataclass(frozen=True, slots=True)
class Marked:
    """Marked answer: correct, wrong and missing parts; ``why``: see ``Question``.

    Attributes:
        hint: sentence about the mistake that does not reveal the answer. cells: from which the wrong answer results.
    """

    right: frozenset[str]
    wrong: frozenset[str]
    missing: frozenset[str]
    why: str
    hint: str = ""
    cells: tuple[Cell, ...] = ()

    @property
    def is_right(self) -> bool:
        return bool(self.right) and not self.wrong and not self.missing


def can_ask(trace: Trace, unit: Unit, step: int, kind: Kind) -> bool:
    """Return whether ``step`` answers a question of ``kind``."""
    steps = trace.steps(unit)
    return kind in trace.kinds(unit) and 1 <= step <= steps and (kind is not Kind.PATH or step == steps)


def ask(trace: Trace, unit: Unit, step: int, kind: Kind) -> Question:
    """Return the question of ``kind`` answered by ``step``.

    Raises:
        ValueError: the step has no question of this kind.
    """
    if not can_ask(trace, unit, step, kind):
        raise ValueError(f"'{kind}' cannot be asked of step {step} of {unit}")
    return trace.ask(unit, step, kind)


def kinds_of(level: int) -> set[Kind]:
    return {kind for each, some in LEVELS.items() if each <= level for kind in some}


def fresh_question(trace: Trace, units: Sequence[Unit], seed: int, level: int = len(LEVELS)) -> Question | None:
    """Return a question about a random step; None if the trace has no questions.

    Args:
        units: allowed units. level: highest level of the question, see ``LEVELS``.
    """
    rng, kinds = Random(seed), dict[Kind, list[Unit]]()
    for unit in units:
        for kind in trace.kinds(unit) if trace.steps(unit) else ():
            if kind in kinds_of(level):
                kinds.setdefault(kind, []).append(unit)
    if not kinds:
        return None
    kind = rng.choice(sorted(kinds))
    unit = rng.choice(kinds[kind])
    if kind is Kind.PATH:
        return trace.ask(unit, trace.steps(unit), kind)
    groups = sorted(steps for steps in map(list, trace.moments(unit).values()) if steps)
    steps = rng.choice(groups) if groups else range(1, trace.steps(unit) + 1)
    return trace.ask(unit, rng.choice(steps), kind)


def mark(question: Question, answer: set[str]) -> Marked:
    """Compare ``answer`` with ``Question.accepts``; return its correct, wrong and missing parts, and a hint.

    >>> question = Question(Kind.VALUE, Unit.CELL, 1, "What is 1 + 1?", frozenset({"2"}), True, "It is 2.")
    >>> mark(question, {"2"}).is_right, mark(question, {"3"}).hint
    (True, '3 is too large.')
    """
    given = frozenset(answer)
    if question.path is not None:
        return _mark_path(question, question.path, given)
    right = given & question.accepts
    missing = question.accepts - given if question.needs_all or not right else frozenset[str]()
    marked = Marked(right, given - question.accepts, missing, question.why)
    if marked.is_right:
        return marked
    taken = next((each for each in question.slips if each.answer == given), None)
    hint, cells = _hint(question, marked) if taken is None else taken[1:]
    return replace(marked, hint=hint, cells=cells)


def cell_name(cell: Cell) -> str:
    return f"row {number(cell[0])}, column {number(cell[1])}"


def _cells(names: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(sorted((int(match[1]), int(match[2])) for name in names if (match := _CELL.fullmatch(name))))


def _hint(question: Question, marked: Marked) -> tuple[str, tuple[Cell, ...]]:
    given, wanted = next(iter(marked.wrong), ""), next(iter(question.accepts), "")
    if question.kind in CLICKED:
        if not marked.right and not marked.wrong:
            return "No cell is marked.", ()
        cells = _cells(marked.wrong)
        named = f"{cell_name(cells[0])} is wrong" if cells else ""
        missing = f"{count(len(marked.missing), 'cell is', 'cells are')} missing" if marked.missing else ""
        counted = f"{count(len(marked.right), 'cell is', 'cells are')} right"
        return f"{', '.join(filter(None, (counted, missing, named)))}.", cells
    if question.kind is Kind.BITS:
        if len(given) != len(wanted) or set(given) - {"0", "1"}:
            return f"A word of {count(len(wanted), 'bit', 'bits')} is wanted: zeros and ones.", ()
        wrong = [at for at, (one, other) in enumerate(zip(given, wanted, strict=True), 1) if one != other]
        named = ", ".join(map(number, wrong[:MAX_NAMED])) + (", ..." if len(wrong) > MAX_NAMED else "")
        return f"{count(len(wrong), 'bit is', 'bits are')} wrong, counted from the left: {named}.", ()
    if question.options:
        return "That is another case.", ()
    if not (given.isdecimal() and wanted.isdecimal()):
        return "A number is wanted." if wanted.isdecimal() else f"{given[:MAX_NAMED]} is not it.", ()
    if 0 < question.among <= int(given):
        return f"There is no {number(int(given))}: 0 to {number(question.among - 1)} are possible.", ()
    return f"{given} is too {'large' if int(given) > int(wanted) else 'small'}.", ()


def _mark_path(question: Question, arrows: Arrows, given: frozenset[str]) -> Marked:
    """Mark the cells of a path from the last cell, up to the first without an arrow."""
    chosen = sorted(_cells(given), key=arrows.order, reverse=True)
    wrong, hint, cells = frozenset(given), "", tuple[Cell, ...]()
    if not chosen or chosen[0] not in arrows.ends:
        ends = " or ".join(map(arrows.named, arrows.ends))
        hint, cells = f"A path begins in the last cell: {ends}.", tuple(arrows.ends)
    for here, before in pairwise(chosen):
        if arrows.bits[here] and before not in arrows.sources(here):
            hint = hint or f"No arrow leads from {arrows.named(here)} to {arrows.named(before)}."
            cells = cells or (here, before)
    if not hint and arrows.bits[chosen[-1]]:
        hint, cells = f"The path goes on from {arrows.named(chosen[-1])}: an arrow leads out of it.", (chosen[-1],)
    if hint:
        return Marked(frozenset(), wrong, frozenset(), question.why, hint, cells)
    return Marked(given, frozenset(), frozenset(), question.why)
