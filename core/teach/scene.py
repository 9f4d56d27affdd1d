"""Interfaces of stepped computations: a trace gives a scene per step, a scene has parts.

Players, painters, exports and questions use these classes only, no method. Scenes are stateless: steps back, steps
forward and jumps cost the same, and equal arguments give equal scenes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from wavediff.core.teach.questions import Arrows, Candidate, Kind, Question
from wavediff.core.teach.unit import Unit

Values = npt.NDArray[np.int32]
Times = npt.NDArray[np.float64]
NEVER = 2**31 - 1  # rank of a cell that no step computes


class Cited(NamedTuple):
    """A cell that a step reads; ``wins``: it attains the optimum."""

    row: int
    col: int
    wins: bool


Spot = tuple[int, int, int]  # a part by its place, row and column


class Mark(IntEnum):
    """State of a cell, line or bar; shown by a symbol too, not by colour alone."""

    PLAIN = 0
    NEW = 1
    CITED = 2
    WINNER = 3
    SKIPPED = 4  # hatched
    RISING = 5
    FALLING = 6
    ON = 7  # reached, equal, on a path
    FAINT = 8


@dataclass(frozen=True, slots=True)
class Box:
    """Framed rectangle of cells: a subproblem, word or block."""

    row: int
    col: int
    rows: int
    cols: int
    label: str = ""
    mark: Mark = Mark.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """Line over a table; ``points``: (row, column), integers are corners; ``kind``: edge, path or carry."""

    points: tuple[tuple[float, float], ...]
    kind: str = "path"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Table of numbers.

    Attributes:
        name: of a cell in formulas, or empty. values, rank: int32, shape (r, c): cell (i, j) is known in step k if
            ``rank[i, j] <= k``, and new if they are equal; ``NEVER``: never known.
        left, top: labels of rows and columns; none for row 0 and column 0.
        marks: uint8, shape (r, c): ``Mark`` of each known cell; None: only new cells are marked, by ``rank``.
        block: distance of heavier lines in rows and columns, from the first labelled one.
        boxes, lines: drawn over the cells. arrows: predecessors of the cells, which define the optimal paths.
    """

    name: str
    values: Values
    rank: Values
    left: str | tuple[str, ...] = ""
    top: str | tuple[str, ...] = ""
    marks: npt.NDArray[np.uint8] | None = None
    block: tuple[int, int] | None = None
    boxes: tuple[Box, ...] = ()
    lines: tuple[Line, ...] = ()
    arrows: Arrows | None = None


@dataclass(frozen=True, slots=True)
class Bits:
    """Machine words.

    Attributes:
        rows: name and bits of each, row 1 first: "0", "1", or " " if unknown yet.
        down: vertical, bit i next to row i of the first ``Grid``; else horizontal, one word per line.
        groups: bits between gaps; 0: none. heads: names of the bits (horizontal only).
        marks: for each row, a letter per bit: "." nothing, "n" new, "d" a dummy; empty: the last row is new.
    """

    rows: tuple[tuple[str, str], ...]
    down: bool = True
    groups: int = 0
    heads: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Table of short texts: rotations, counts, states, indented trees, lists.

    Attributes:
        marks: like ``rows``, or empty.
        rules: rows with a heavy line above.
        mono: fixed-width letters.
        tells: the sheet shows the answer to its step's question, so it is hidden while the question is open.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: tuple[tuple[Mark, ...], ...] = ()
    rules: tuple[int, ...] = ()
    mono: bool = False
    tells: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """Time spans in lanes, or growing bars.

    Attributes:
        began, ended: float64, shape (n,), in ``unit``.
        lane: int, shape (n,).
        label: of each bar, or empty.
        kind: ``Mark`` of each bar, uint8, shape (n,), or None.
        now: end of the visible time.
        total: end of the axis.
        unit: "s" or "steps".
    """

    names: tuple[str, ...]
    began: Times
    ended: Times
    lane: npt.NDArray[np.int64]
    label: tuple[str, ...] = ()
    kind: npt.NDArray[np.uint8] | None = None
    now: float = 0.0
    total: float = 1.0
    unit: str = "steps"


Part = Grid | Bits | Sheet | Lanes


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Parts shown after a step; ``cited``: cells of the first ``Grid`` read by the step.

    All scenes of a unit have the same kinds of parts in the same order, so that nothing moves between steps.

    Attributes:
        asked: the cell of a ``Sheet`` filled by the next step, marked while it is asked about.
    """

    parts: tuple[Part, ...]
    cited: tuple[Cited, ...] = ()
    asked: Spot | None = None

    @property
    def grid(self) -> Grid | None:
        """The first ``Grid``: target of citations, clicks and questions."""
        return next((part for part in self.parts if isinstance(part, Grid)), None)

    @property
    def taken(self) -> Grid | Sheet | None:
        """Part that shows where a wrong answer comes from: the first table of numbers or texts."""
        return next((part for part in self.parts if isinstance(part, Grid | Sheet)), None)


class Shown(Protocol):
    """Scenes by step."""

    def steps(self, unit: Unit) -> int:
        """Return the number of the last step; in step 0 nothing is computed."""

    def scene(self, unit: Unit, k: int) -> Scene:
        """Return the scene after step ``k``; deterministic."""


class Trace(Shown, Protocol):
    """A computation in steps.

    Attributes:
        units: available units, the initial one first.
        inputs: its inputs by name, which the user may change.
    """

    units: tuple[Unit, ...]
    inputs: Mapping[str, Any]

    def say(self, unit: Unit, k: int) -> str:
        """Return one or two sentences about step ``k``."""

    def same(self, unit: Unit, k: int, other: Unit) -> int:
        """Return the last step in ``other`` that shows no more than step ``k`` in ``unit``."""

    def value_of(self, name: str) -> Any:
        """Return a value for sentences and expectations; KeyError: unknown."""

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        """Return the named steps of ``unit``, for scenes, listings and questions."""

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        """Return the kinds of questions about steps of ``unit``."""

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return a question of one of ``kinds`` answered by step ``k`` (from 1)."""


@runtime_checkable
class CellTrace(Protocol):
    """Trace that explains each cell of its first ``Grid``."""

    def candidates(self, row: int, col: int) -> Sequence[Candidate]:
        """Return the possible predecessors of (row, col); empty for a cell given from the start."""

    def explain(self, row: int, col: int) -> str:
        """Explain the computation of (row, col) in one or two sentences."""
