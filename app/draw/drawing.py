"""Drawing primitives independent of Qt: boxes, fonts, colours, and the interface of renderers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt


class Ink(StrEnum):
    """Colour names in drawings, see ``named_colours``."""

    BASE = "base"
    RAISED = "raised"
    TEXT = "text"
    EQUAL_INK = "equal_ink"
    DIM = "dim"
    CONTROL = "control"
    GRID = "grid"
    ACCENT = "accent"
    TINT = "tint"
    WAITING = "waiting"
    DONE = "done"
    OUTSIDE = "outside"
    HATCH = "hatch"
    BAND = "band"
    MISMATCH_PALE = "mismatch_pale"
    INSERTION_PALE = "insertion_pale"
    DELETION_PALE = "deletion_pale"
    SWAP_PALE = "swap_pale"
    APART_PALE = "apart_pale"
    MISMATCH_STRONG = "mismatch_strong"
    INSERTION_STRONG = "insertion_strong"
    DELETION_STRONG = "deletion_strong"
    SWAP_STRONG = "swap_strong"
    APART_STRONG = "apart_strong"
    MISMATCH_INK = "mismatch_ink"
    INSERTION_INK = "insertion_ink"
    DELETION_INK = "deletion_ink"
    SWAP_INK = "swap_ink"
    APART_INK = "apart_ink"
    CODING = "coding"
    CODING_EDGE = "coding_edge"
    RNA = "rna"
    RNA_EDGE = "rna_edge"
    SITE = "site"
    SITE_EDGE = "site_edge"
    OTHER = "other"
    OTHER_EDGE = "other_edge"
    KEYWORD = "keyword"
    STRING = "string"


# Okabe and Ito's set, which colour-blind eyes tell apart; on light deletions are a dark olive, since a thin line of the
# yellow looks like the surface. Pale fills and inks need not differ for all eyes: mark, gap and match row do.
# By kind: (strong, pale, ink), light and dark.
KIND_COLOURS: dict[bool, dict[str, tuple[str, str, str]]] = {
    False: {
        "mismatch": ("#d55e00", "#fce3d3", "#8a3c00"),
        "insertion": ("#0072b2", "#d8eaf6", "#00507d"),
        "deletion": ("#4d4800", "#f9f3ba", "#4d4800"),
        "swap": ("#cc79a7", "#f6e1ec", "#83345f"),
        "apart": ("#7a8695", "#eceff3", "#56616d"),
    },
    True: {
        "mismatch": ("#f07a26", "#4a2a14", "#ffbe94"),
        "insertion": ("#4fa8e0", "#12384f", "#9ad4f7"),
        "deletion": ("#f0e442", "#423f12", "#f5ec7d"),
        "swap": ("#dd94bc", "#48293a", "#f3bbd7"),
        "apart": ("#758395", "#29313a", "#a6b2c0"),
    },
}
# Mismatch, insertion and deletion are the strong colours of ``KIND_COLOURS``; what each is for, ``Theme`` says.
# States of a block differ in brightness too (waiting < done < running < path, away from the background).
LIGHT = dict(  # noqa: C408
    window="#eef1f5", base="#ffffff", raised="#f7f9fb", text="#18202a", dim="#4d5967", equal_ink="#3d4854",
    mark="#5f6b79", control="#7a8695", grid="#d5dbe3", accent="#1d5bbf", on_accent="#ffffff", tint="#dce8fa",
    equal="#bbbbbb", mismatch="#d55e00", insertion="#0072b2", deletion="#f0e442",
    warn="#8a4b00", warn_fill="#fff3dd", warning="#fff3d1", error="#fde2dd", error_ink="#9c1c10",
    waiting="#e6eaef", running="#1d5bbf", done="#a2c2ee", path="#18202a", failed="#c0281b",
    outside="#f3f4f6", hatch="#aab2bd", band="#a3206e",
)  # fmt: skip
DARK = dict(  # noqa: C408
    window="#12161b", base="#191f26", raised="#212932", text="#e8ecf1", dim="#a6b2c0", equal_ink="#c3ccd6",
    mark="#8b98a7", control="#758395", grid="#323d49", accent="#79aeff", on_accent="#0a1626", tint="#1f3350",
    equal="#6d737b", mismatch="#f07a26", insertion="#4fa8e0", deletion="#f0e442",
    warn="#ffc46b", warn_fill="#3a2b10", warning="#4a3c12", error="#55211b", error_ink="#ff9d90",
    waiting="#262e38", running="#79aeff", done="#2b4a75", path="#e8ecf1", failed="#ff6a59",
    outside="#1b1e23", hatch="#59616c", band="#ff7ac0",
)  # fmt: skip
# Accent and a green, of each 60 % in the colour of letters.
SYNTAX_COLOURS = {False: {"keyword": "#1b4383", "string": "#104d3d"}, True: {"keyword": "#a5c7f9", "string": "#96ddc3"}}
# Fill and edge of features.
FEATURE_COLOURS = {
    False: {
        "coding": "#c4d8f3", "coding_edge": "#1d5bbf", "rna": "#cfe8d5", "rna_edge": "#2b7a46",
        "site": "#f3dfc1", "site_edge": "#8a5a00", "other": "#e3e6eb", "other_edge": "#5f6b79",
    },
    True: {
        "coding": "#2b4a75", "coding_edge": "#79aeff", "rna": "#1f4a33", "rna_edge": "#6fce95",
        "site": "#4d3d1c", "site_edge": "#e0b261", "other": "#38424d", "other_edge": "#a6b2c0",
    },
}  # fmt: skip


def named_colours(dark: bool) -> dict[str, str]:
    """Return the named colours of a scheme as ``#rrggbb``, including those of kinds, features and syntax."""
    parts = ("strong", "pale", "ink")
    kinds = {
        f"{kind}_{part}": colour
        for kind, colours in KIND_COLOURS[dark].items()
        for part, colour in zip(parts, colours, strict=True)
    }
    return (DARK if dark else LIGHT) | kinds | FEATURE_COLOURS[dark] | SYNTAX_COLOURS[dark]


Codes = npt.NDArray[np.int64]
Shades = npt.NDArray[np.int64] | npt.NDArray[np.uint8]


class Point(NamedTuple):
    """A point in logical pixels."""

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
        return Box(self.x + left, self.y + top, self.wide - left - right, self.high - top - foot)

    def has(self, x: float, y: float) -> bool:
        return self.x <= x <= self.right and self.y <= y <= self.foot


class Align(NamedTuple):
    """Alignment of a text in its box: 0 left or top, 1 middle, 2 right."""

    across: int
    down: int = 1


class Pen(NamedTuple):
    """Line style; ``thick``: logical pixels. ``flat``: no line caps."""

    ink: Ink
    thick: float = 1.0
    dashed: bool = False
    opacity: float = 1.0
    flat: bool = False


class Font(NamedTuple):
    """Proportional or fixed-width font of ``px`` logical pixels."""

    px: float
    bold: bool = False
    mono: bool = False


LEFT, MIDDLE, RIGHT = Align(0), Align(1), Align(2)
TOP_LEFT, TOP_RIGHT = Align(0, 0), Align(2, 0)
Points = Sequence[tuple[float, float]]
Mix = tuple[Ink, Ink, float]  # a colour between two; the share of the second


class Look(Protocol):
    """Renderer of table cells; equal objects draw equal cells."""

    def draw(self, drawing: Drawing, box: Box, code: int) -> None: ...

    def __hash__(self) -> int: ...


class Drawing(Protocol):
    """Receiver of drawing primitives, in painting order."""

    def rect(self, box: Box, fill: Ink | None = None, pen: Pen | None = None, rounded: float = 0.0) -> None:
        """Draw a rectangle; the pen is centred on its edge. ``rounded``: corner radius."""

    def text(self, box: Box, text: str, font: Font, ink: Ink = Ink.TEXT, align: Align = MIDDLE) -> None:
        """Draw one line of text, not clipped to the box."""

    def lines(self, lines: Iterable[Points], pen: Pen) -> None: ...

    def shape(self, points: Points, fill: Ink, opacity: float = 1.0) -> None: ...

    def cells(self, at: Point, cell: float, codes: Codes, look: Look) -> None:
        """Draw a table of square cells, ``codes``: shape (rows, cols)."""

    def pixels(self, at: Point, cell: float, colours: Shades, palette: Sequence[Mix]) -> None:
        """Draw a table of single-colour cells, indices of ``palette``: shape (rows, cols)."""


def arrow_head(before: tuple[float, float], tip: tuple[float, float], length: float) -> Points:
    """Return an arrow head as one polyline through its tip."""
    angle = math.atan2(before[1] - tip[1], before[0] - tip[0])
    one, other = (
        (tip[0] + length * math.cos(angle + side), tip[1] + length * math.sin(angle + side))
        for side in (math.radians(25), -math.radians(25))
    )
    return (one, tip, other)


def hatch(box: Box, step: float) -> list[Points]:
    """Return hatch lines rising to the right, ``step`` apart, clipped to a box."""
    strokes: list[Points] = []
    for k in range(-int(box.high / step) - 1, int(box.wide / step) + 1):
        left = k * step  # where the stroke leaves the foot, from the box's left edge
        low, high = max(0.0, -left), min(box.high, box.wide - left)
        if high - low > 1e-9:  # else a point at a corner
            strokes.append(((box.x + left + low, box.foot - low), (box.x + left + high, box.foot - high)))
    return strokes
