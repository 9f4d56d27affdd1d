"""Drawings: what a view shows as rectangles, texts, lines, shapes and cells, for a ``QPainter`` and for SVG alike.

A view calls a ``Drawing`` from a pure function of its size and state. Colours are names; the end that draws knows the
theme.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from wavediff.app.draw.colours import Ink

Codes = npt.NDArray[np.int64]
Shades = npt.NDArray[np.int64] | npt.NDArray[np.uint8]


class Point(NamedTuple):
    """A place, in logical pixels."""

    x: float
    y: float


class Size(NamedTuple):
    """Width and height, in logical pixels."""

    wide: float
    high: float

    def fits(self, room: Size) -> bool:
        return self.wide <= room.wide and self.high <= room.high


class Box(NamedTuple):
    """A rectangle, in logical pixels."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def right(self) -> float:
        return self.x + self.wide

    @property
    def foot(self) -> float:
        return self.y + self.high

    @property
    def middle(self) -> Point:
        return Point(self.x + self.wide / 2, self.y + self.high / 2)

    def moved(self, by: Point) -> Box:
        return Box(self.x + by.x, self.y + by.y, self.wide, self.high)

    def inset(self, left: float, top: float, right: float, foot: float) -> Box:
        """Return the box without a margin at each side."""
        return Box(self.x + left, self.y + top, self.wide - left - right, self.high - top - foot)

    def has(self, x: float, y: float) -> bool:
        return self.x <= x <= self.right and self.y <= y <= self.foot


class Align(NamedTuple):
    """Place of a text in its box: 0 is left or top, 1 the middle, 2 right."""

    across: int
    down: int = 1


class Pen(NamedTuple):
    """Looks of lines; ``thick``: logical pixels. ``flat``: none is longer than from end to end."""

    ink: Ink
    thick: float = 1.0
    dashed: bool = False
    opacity: float = 1.0
    flat: bool = False


class Font(NamedTuple):
    """Letters of the program's font, or of that of fixed width, of ``px`` logical pixels."""

    px: float
    bold: bool = False
    mono: bool = False


LEFT, MIDDLE, RIGHT = Align(0), Align(1), Align(2)
TOP_LEFT, TOP_RIGHT = Align(0, 0), Align(2, 0)
Points = Sequence[tuple[float, float]]
Mix = tuple[Ink, Ink, float]  # a colour between two; the share of the second


class Look(Protocol):
    """Looks of the cells of a table; equal ones draw equal cells."""

    def draw(self, drawing: Drawing, box: Box, code: int) -> None:
        """Draw the cell that looks as ``code`` says."""
        ...

    def __hash__(self) -> int: ...


class Drawing(Protocol):
    """Receiver of primitives; each of them lies on those before it."""

    def rect(self, box: Box, fill: Ink | None = None, pen: Pen | None = None, rounded: float = 0.0) -> None:
        """Draw a rectangle; the middle of the pen is on the edge. ``rounded``: radius of the corners."""
        ...

    def text(self, box: Box, text: str, font: Font, ink: Ink = Ink.TEXT, align: Align = MIDDLE) -> None:
        """Draw one line of text, which a box that is too small does not clip."""
        ...

    def lines(self, lines: Iterable[Points], pen: Pen) -> None: ...

    def shape(self, points: Points, fill: Ink) -> None: ...

    def cells(self, at: Point, cell: float, codes: Codes, look: Look) -> None:
        """Draw a table of square cells, ``codes``: shape (rows, cols)."""
        ...

    def pixels(self, at: Point, cell: float, colours: Shades, palette: Sequence[Mix]) -> None:
        """Draw a table of cells of one colour each, places in ``palette``: shape (rows, cols)."""
        ...


def arrow_head(before: tuple[float, float], tip: tuple[float, float], length: float) -> Points:
    """Return the two strokes of an arrow's head, as one line through its tip."""
    angle = math.atan2(before[1] - tip[1], before[0] - tip[0])
    one, other = (
        (tip[0] + length * math.cos(angle + side), tip[1] + length * math.sin(angle + side))
        for side in (math.radians(25), -math.radians(25))
    )
    return (one, tip, other)


def hatch(box: Box, step: float) -> list[Points]:
    """Return strokes that rise to the right, ``step`` apart, cut at the edges of a box."""
    strokes: list[Points] = []
    for k in range(-int(box.high / step) - 1, int(box.wide / step) + 1):
        left = k * step  # where the stroke leaves the foot, from the box's left edge
        low, high = max(0.0, -left), min(box.high, box.wide - left)
        if high - low > 1e-9:  # else a point at a corner
            strokes.append(((box.x + left + low, box.foot - low), (box.x + left + high, box.foot - high)))
    return strokes
