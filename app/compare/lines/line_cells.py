"""Lines of two texts in fixed-width cells: tabs, wide and invisible characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from wavediff.app.compare.lines.shown_rows import Heights
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineRows
from wavediff.core.jobs.line_view import Spans
from wavediff.core.sequences.characters import alphabet_of, decoded
from wavediff.core.sequences.letter_text import glyph, is_wide
from wavediff.core.sequences.sequence import Sequence

LONG_LETTERS = 1 << 13  # of a line; in a longer one each letter has one cell, and none but those in sight is decoded
TAB = ord("\t")
FOLD_LETTERS, FOLD_NAMES = 1 << 13, 8  # of a fold that are looked through; names that it shows
_NAME = re.compile(
    r"^(?:(?:(?:async|export|public|private|static|const|final|pub) +)*"
    r"(?:def|class|fn|func|function|struct|enum|interface|trait|impl|module|type) +(\w+)|"
    r"([A-Z][A-Z0-9_]+) *=|#+ +(\S.{,40}))",
    re.MULTILINE,
)


class CellLine(NamedTuple):
    """Part of a line.

    Attributes:
        first: index of its first letter. glyphs: one per letter.
        columns: int64, shape (n + 1,): first cell of each letter, then the number of cells.
        even: whether each letter has one cell.
    """

    first: int
    glyphs: str | list[str]
    columns: Counts
    even: bool = False

    def letter(self, column: float) -> int:
        """Return the letter whose left edge is nearest to a cell boundary."""
        middles = (self.columns[1:] + self.columns[:-1]) / 2
        return self.first + int(np.searchsorted(middles, column))

    def column(self, letter: int) -> int:
        return int(self.columns[min(max(letter - self.first, 0), len(self.glyphs))])


class LineCells:
    """Lines of A and of B.

    Args:
        marks: returns the marked letters of a row, of A and of B.

    Attributes:
        columns: current wrap width.
        lines: by side: line in each row, -1 for none. starts: by side: first letter of each line, then their number.
    """

    def __init__(
        self, a: Sequence | None, b: Sequence | None, rows: LineRows, marks: Callable[[int], tuple[Spans, Spans]]
    ) -> None:
        self.rows, self.marks = rows, lru_cache(1 << 10)(marks)
        self.sequences = {Side.A: a, Side.B: b}
        self.lines = {Side.A: rows.a, Side.B: rows.b}
        self.starts = {Side.A: rows.starts_a, Side.B: rows.starts_b}
        self.tab_width = 4
        self.columns, self._heights = -1, Heights.of(rows)
        self.line = lru_cache(1 << 10)(self._line)
        self.names = lru_cache(1 << 8)(self._names)

    def set_tab_width(self, cells: int) -> None:
        if cells != self.tab_width:
            self.tab_width = cells
            self.line.cache_clear()
            self.columns = -1
            self.__dict__.pop("widths", None)

    def ends(self, side: Side, line: int) -> tuple[int, int]:
        starts = self.starts[side]
        first, end = int(starts[line]), int(starts[line + 1])
        return first, end - (line + 2 < starts.size)

    def length(self, side: Side, line: int) -> int:
        first, end = self.ends(side, line)
        return end - first

    def text(self, side: Side, first: int, end: int) -> str:
        sequence = self.sequences[side]
        assert sequence is not None
        letters = sequence.letters[first:end]
        return decoded(letters, sequence.characters) if sequence.characters else letters.tobytes().decode("latin-1")

    def width(self, side: Side, line: int) -> int:
        first, end = self.ends(side, line)
        return end - first if end - first > LONG_LETTERS else int(self.line(side, line, 0).columns[-1])

    def column(self, side: Side, line: int, letter: int) -> int:
        return self.part(side, line, letter).column(letter)

    @cached_property
    def widths(self) -> dict[Side, Counts]:
        """Width of each line in cells; more for tabs after letters, and for combining marks."""
        by_side = {}
        for side, starts in self.starts.items():
            by_side[side] = widths = np.diff(starts)
            widths[:-1] -= 1  # its line end
            if (sequence := self.sequences[side]) is None:
                continue
            more = np.array([is_wide(one) for one in alphabet_of(sequence.characters)], np.int64)
            more[TAB] = self.tab_width - 1
            if sequence.counts[: more.size][more > 0].any():
                places = np.flatnonzero(more[sequence.letters])
                lines = np.searchsorted(starts, places, "right") - 1
                cells = np.bincount(lines, more[sequence.letters[places]], widths.size).astype(np.int64)
                widths += np.where(widths > LONG_LETTERS, 0, cells)
        return by_side

    def heights(self, columns: int) -> Heights:
        """Return row heights for lines wrapped after ``columns`` cells; 0: no wrapping."""
        if self.columns != columns:
            self.columns, self._heights = columns, Heights.of(self.rows, self.widths if columns else None, columns)
        return self._heights

    def part(self, side: Side, line: int, column: int) -> CellLine:
        """Return a line; of a long one at least ``LONG_LETTERS`` cells from ``column``."""
        first, end = self.ends(side, line)
        if end - first <= LONG_LETTERS:
            return self.line(side, line, 0)
        block = column // LONG_LETTERS
        return self.line(side, line, block * LONG_LETTERS)

    def _line(self, side: Side, line: int, skipped: int) -> CellLine:
        first, end = self.ends(side, line)
        long, sequence = end - first > LONG_LETTERS, self.sequences[side]
        assert sequence is not None
        first += skipped
        end = min(end, first + 2 * LONG_LETTERS)
        text = self.text(side, first, end)
        if text.isascii() and text.isprintable():
            return CellLine(skipped, text, np.arange(skipped, skipped + len(text) + 1), even=True)
        glyphs, widths, at = [], [], 0
        for letter, code in zip(text, sequence.letters[first:end].tolist(), strict=True):
            wide, drawn = 1, letter
            if letter == "\t":
                wide = 1 if long else self.tab_width - at % self.tab_width
                drawn = " " * wide
            elif unicodedata.combining(letter) and at:
                wide = 0
            elif not letter.isprintable() or (code > 126 and not sequence.characters):
                drawn = glyph(code, sequence.characters)
            elif is_wide(letter) and not long:
                wide = 2
            glyphs.append(drawn)
            widths.append(wide)
            at += wide
        return CellLine(skipped, glyphs, skipped + np.append(0, np.cumsum(widths, dtype=np.int64)))

    def _names(self, row: int, end: int) -> str:
        """Return the definition around rows ``[row, end)``, by unindented lines."""
        side = Side.A if self.sequences[Side.A] is not None else Side.B
        there = self.lines[side][row:end]
        there = there[there >= 0]
        if not there.size:
            return ""
        first, last = self.ends(side, int(there[0]))[0], self.ends(side, int(there[-1]))[1]
        names = _NAME.finditer(self.text(side, first, min(last, first + FOLD_LETTERS)))
        called = [next(filter(None, match.groups())) for match in islice(names, FOLD_NAMES + 1)]
        return ", ".join(called[:FOLD_NAMES]) + (" …" if len(called) > FOLD_NAMES else "")


def unaligned_cells(a: Sequence | None, b: Sequence | None) -> LineCells:
    """Return cells for uncompared texts: lines with the same number are in one row, as if they were equal."""
    ours, theirs = (
        np.concatenate(([0], np.flatnonzero(each.letters == 10) + 1, [len(each)])) if each else np.array([0])
        for each in (a, b)
    )
    n = max(ours.size, theirs.size) - 1
    one, other = (np.where(np.arange(n) < each.size - 1, np.arange(n), -1) for each in (ours, theirs))
    none = np.zeros(n, np.int64)
    rows = LineRows(none.astype(np.uint8), one, other, none, none.astype(bool), none - 1, ours, theirs)
    return LineCells(a, b, rows, lambda _row: ([], []))
