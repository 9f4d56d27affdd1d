"""Visible part of the lines, and parsing of typed places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.shown_rows import Entry
from wavediff.app.draw.drawing import Size
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number, plain_number, position
from wavediff.core.jobs.line_result import LineRows

TRY = "120, B:120, 50% or #4"
HELP = "120 or A 120 line of A · B 120 line of B · 50% · #4 hunk"
_PLACE = re.compile(r"(?:([ab])\s*[: ]?)?\s*(\d.*)", re.IGNORECASE)


def parse_line(text: str, rows: LineRows) -> tuple[Side, int]:
    """Parse a line (0-based), see ``HELP``.

    Raises:
        ValueError: invalid; the message names valid forms.
    """
    text = text.strip()
    totals = {Side.A: rows.starts_a.size - 1, Side.B: rows.starts_b.size - 1}
    if text.startswith("#") and rows.n_hunks and text[1:].strip().isdecimal():
        hunk = int(text[1:])
        if not 1 <= hunk <= rows.n_hunks:
            raise ValueError(f"there is no hunk {number(hunk)}, only 1 to {number(rows.n_hunks)}")
        row = int(rows.first_rows[hunk - 1])
        return (Side.A, int(rows.a[row])) if rows.a[row] >= 0 else (Side.B, int(rows.b[row]))
    try:
        if text.endswith("%") and 0 <= (share := float(plain_number(text[:-1].strip()))) <= 100:
            return Side.A, min(totals[Side.A] - 1, int(totals[Side.A] * share / 100))
        match = _PLACE.fullmatch(text)
        side, line = Side((match[1] or "A").upper() if match else "A"), position(match[2] if match else text)
    except ValueError:
        raise ValueError(f"“{text[:12]}” is no line: try {TRY}" if text else f"try {TRY}") from None
    if not 1 <= line <= totals[side]:
        raise ValueError(f"{side} has no line {number(line)}, only 1 to {number(totals[side])}")
    return side, line - 1


FONT_PX, ROW_PX, SMALL_PX = 13, 17, 11  # of letters; of their row; of numbers and folds
NUMBER_PX, MARK_PX, TEXT_PX = 44, 4, 56  # width of a column of numbers, of the mark next to it; left of the text
CHANNEL_PX, SIGN_PX = 32, 24  # between the columns; of the sign of an inline row


@dataclass(frozen=True)
class Sight:
    """Visible part of the rows in logical pixels.

    Attributes:
        px: font size. cell: width of a cell. digits: number of digits of the largest line number.
        top: scroll position, pixels. column: first visible cell. wrapped: whether long lines are wrapped.
        free: pixels at the right that wrapped lines leave free for a scroll bar.
    """

    size: Size
    px: float = FONT_PX
    cell: float = FONT_PX * 0.6
    digits: int = 4
    inline: bool = False
    top: float = 0
    column: int = 0
    wrapped: bool = False
    free: int = 0

    @cached_property
    def scale(self) -> float:
        return self.px / FONT_PX

    @cached_property
    def row(self) -> int:
        return round(ROW_PX * self.scale)

    @cached_property
    def small(self) -> float:
        return SMALL_PX * self.scale

    @cached_property
    def number(self) -> float:
        return max(NUMBER_PX, 6 + (self.digits * 0.64 + 0.6) * SMALL_PX) * self.scale

    @cached_property
    def channel(self) -> float:
        return CHANNEL_PX if self.size.wide >= 900 else CHANNEL_PX / 2

    @cached_property
    def left(self) -> dict[Side, float]:
        return {Side.A: 0.0, Side.B: self.number if self.inline else self.right[Side.A] + self.channel}

    @cached_property
    def right(self) -> dict[Side, float]:
        wide = self.size.wide
        return {Side.A: wide if self.inline else (wide - self.channel) // 2, Side.B: wide}

    @cached_property
    def mark(self) -> dict[Side, float]:
        return {side: self.left[Side.B if self.inline else side] + self.number for side in Side}

    @cached_property
    def text(self) -> dict[Side, float]:
        extra = TEXT_PX - NUMBER_PX + (SIGN_PX if self.inline else 0)
        return {side: self.mark[side] + extra * self.scale for side in Side}

    @cached_property
    def columns(self) -> int:
        """Complete cells visible per line."""
        free = (self.free if self.inline else self.free / 2) if self.wrapped else 0
        return max(1, int((self.right[Side.A] - self.text[Side.A] - 4 - free) / self.cell))

    @property
    def places(self) -> tuple[int, int]:
        """First entry at least partly visible, and the end."""
        return int(self.top // self.row), int(-(-(self.top + self.size.high) // self.row))

    def y(self, place: int) -> float:
        return place * self.row - self.top


@dataclass(frozen=True, slots=True)
class Marked:
    """Marks in addition to the differences.

    Attributes:
        hunk: number of the current one. frames: its rows ``[first, end)``. letters: ranges of A and B that it changes
            inside lines.
        place: index of the current entry. selection: letters ``[first, end)`` of a text.
        moved: see ``LineResult``. aligned: False before the answer. same: the answer has no hunks.
    """

    hunk: int = 0
    frames: tuple[tuple[int, int], ...] = ()
    letters: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    place: int = -1
    selection: tuple[Side, int, int] = (Side.A, 0, 0)
    moved: Counts = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    aligned: bool = True
    same: bool = False


def sides_of(entry: Entry, cells: LineCells) -> Iterator[tuple[Side, int]]:
    """Yield each text with a line in an entry, and the line."""
    for side, lines in cells.lines.items():
        if entry.side in (None, side) and lines[entry.row] >= 0:
            yield side, int(lines[entry.row])
