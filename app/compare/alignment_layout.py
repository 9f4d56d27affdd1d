"""Layout of alignment columns, wrapped or on one line, and the scroll range.

All lengths are whole device pixels as Python integers: 10^9 columns in lines of 100 px exceed the 2^31 of Qt's scroll
bar.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_SCROLLBAR_VALUE = 1 << 30


@dataclass(frozen=True, slots=True)
class LineMetrics:
    """Heights of the parts of an alignment line in device pixels, top to bottom.

    Attributes:
        codons: number of codon rows, of ``codon_height`` each, above A and below B.
        both: whether B has a second row, from an alignment of another program.
    """

    width: int
    height: int
    match_height: int
    ruler_height: int
    spacing: int
    b_ruler_height: int = 0
    codon_height: int = 0
    codons: tuple[int, int] = (0, 0)
    both: bool = False

    @property
    def block(self) -> int:
        """Height of a line: ruler, codons of A, A, match row, B, codons of B, ruler of B."""
        return self.b_ruler_top + self.b_ruler_height

    @property
    def pitch(self) -> int:
        return self.block + self.spacing

    @property
    def a_top(self) -> int:
        return self.ruler_height + self.codons[0] * self.codon_height

    def codon_top(self, of_a: bool, row: int) -> int:
        """Return the y offset of a codon row; row 0 is next to the letters."""
        return self.a_top - (row + 1) * self.codon_height if of_a else self.b_end + row * self.codon_height

    @property
    def match_top(self) -> int:
        return self.a_top + self.height

    @property
    def b_top(self) -> int:
        return self.match_top + self.match_height

    @property
    def theirs_top(self) -> int:
        return self.b_top + self.height + self.match_height

    @property
    def b_end(self) -> int:
        return (self.theirs_top if self.both else self.b_top) + self.height

    @property
    def b_ruler_top(self) -> int:
        return self.b_end + self.codons[1] * self.codon_height


@dataclass(frozen=True, slots=True)
class AlignmentLayout:
    """Alignment columns on an area of ``width`` x ``height`` device pixels.

    ``margin`` is empty space above the first and below the last line. A position is the scroll offset in pixels:
    vertical if ``wrapped``, else horizontal.
    """

    n_columns: int
    cells: LineMetrics
    width: int
    height: int
    wrapped: bool
    margin: int = 0

    @property
    def columns_per_line(self) -> int:
        """Number of columns per line, at least 1; a multiple of ten from ten on."""
        if not self.wrapped:
            return max(1, self.n_columns)
        fit = max(1, self.width // self.cells.width)
        return fit - fit % 10 if fit >= 10 else fit

    @property
    def n_lines(self) -> int:
        return -(-self.n_columns // self.columns_per_line)

    @property
    def extent(self) -> int:
        """Scrollable length of the whole alignment."""
        if self.wrapped:
            return self.n_lines * self.cells.pitch + 2 * self.margin if self.n_columns else 0
        return self.n_columns * self.cells.width

    @property
    def page(self) -> int:
        return max(1, self.height if self.wrapped else self.width)

    @property
    def last_position(self) -> int:
        return max(0, self._ending_at(self.extent))

    def _ending_at(self, end: int) -> int:
        """Return the scroll position with ``end`` at the bottom (or right) and a complete line at the top."""
        step = self.cells.pitch if self.wrapped else 1
        return -((self.page - end) // step) * step

    def clamp(self, position: int) -> int:
        return min(max(0, position), self.last_position)

    def lines_at(self, position: int) -> tuple[int, int]:
        """Return the lines ``[first, last)`` drawn at ``position``; the bottom line is complete if any is."""
        if not self.wrapped or not self.n_lines:
            return 0, min(1, self.n_lines)
        first = min(max(0, (position - self.margin) // self.cells.pitch), self.n_lines - 1)
        end = position + self.height - self.margin
        last = (end + self.cells.spacing) // self.cells.pitch
        if (last - 1) * self.cells.pitch < position - self.margin:
            last = -(-end // self.cells.pitch)
        return first, min(max(first + 1, last), self.n_lines)

    def line_top(self, line: int, position: int) -> int:
        """Return the y offset of ``line``, perhaps outside of the area."""
        return self.margin + (line * self.cells.pitch - position if self.wrapped else 0)

    def whole_lines(self, first_line: int, lines: range, position: int) -> range:
        """Return those of ``lines`` (from ``first_line``) that are completely visible at ``position``."""
        tops = [self.line_top(first_line + i, position) for i in lines]
        whole = [i for i, top in zip(lines, tops, strict=True) if top >= 0 and top + self.cells.block <= self.height]
        return range(whole[0], whole[-1] + 1) if whole else range(0)

    def columns_at(self, position: int) -> tuple[int, int]:
        """Return the columns ``[col0, col1)`` visible at ``position``, at least in part."""
        if not self.n_columns:
            return 0, 0
        if self.wrapped:
            first, last = self.lines_at(position)
            return first * self.columns_per_line, min(self.n_columns, last * self.columns_per_line)
        last_px = -(-(position + self.width) // self.cells.width)
        return position // self.cells.width, min(self.n_columns, last_px)

    @property
    def n_whole_columns(self) -> int:
        """Number of completely visible columns; at least those of one line if wrapped, else at least one."""
        if self.wrapped:
            return max(1, self.height // self.cells.pitch) * self.columns_per_line
        return max(1, self.width // self.cells.width)

    def column_at(self, x: int, y: int, position: int) -> int | None:
        """Return the column under a point; None outside the letters."""
        line, top = 0, self.margin
        if self.wrapped:
            line = (y + position - self.margin) // self.cells.pitch
            top = self.line_top(line, position)
        if not top <= y < top + self.cells.block or x < 0 or line >= self.lines_at(position)[1]:
            return None
        return self._column(line, x // self.cells.width if self.wrapped else (x + position) // self.cells.width)

    def nearest_column(self, x: int, y: int, position: int) -> int:
        """Return the column boundary, 0 to ``n_columns``, nearest to a point."""
        half = self.cells.width // 2
        if not self.wrapped:
            return min(max(0, (x + position + half) // self.cells.width), self.n_columns)
        line = min(max(0, (y + position - self.margin) // self.cells.pitch), max(0, self.n_lines - 1))
        inside = min(max(0, (x + half) // self.cells.width), self.columns_per_line)
        return min(line * self.columns_per_line + inside, self.n_columns)

    def place(self, col: int, position: int) -> tuple[int, int]:
        """Return the upper left corner (x, y) of column ``col``."""
        if not self.wrapped:
            return col * self.cells.width - position, self.margin
        line, inside = divmod(col, self.columns_per_line)
        return inside * self.cells.width, self.line_top(line, position)

    def centred(self, col: int) -> int:
        """Return the scroll position that centres column ``col``; if wrapped, its line is at most the third."""
        x, y = self.place(col, 0)
        if not self.wrapped:
            return self.clamp(x + self.cells.width // 2 - self.page // 2)
        above = min(2, max(0, self.page // self.cells.pitch - 1) // 2)
        return self.clamp(y - self.margin - above * self.cells.pitch)

    def revealed(self, col: int, position: int) -> int:
        """Return the scroll position nearest to ``position`` that shows column ``col`` completely."""
        x, y = self.place(col, 0)
        context = self.cells.width if self.page >= 4 * self.cells.width else 0  # one neighbour
        start = y - self.margin if self.wrapped else x - context
        end = y + self.cells.pitch + self.margin if self.wrapped else x + self.cells.width + context
        return self.clamp(min(max(position, self._ending_at(end)), start))

    def top_column(self, position: int) -> int:
        """Return the first completely visible column, which layout changes preserve."""
        if not self.wrapped:
            return min(-(-position // self.cells.width), max(0, self.n_columns - 1))
        line = -(-(position - self.margin) // self.cells.pitch)
        return min(max(0, line), max(0, self.n_lines - 1)) * self.columns_per_line

    def position_of_top(self, col: int) -> int:
        x, y = self.place(col, 0)
        return self.clamp(y - self.margin if self.wrapped else x)

    def _column(self, line: int, inside: int) -> int | None:
        col = line * self.columns_per_line + inside
        return col if line >= 0 and inside < self.columns_per_line and col < self.n_columns else None


@dataclass(frozen=True, slots=True)
class BarScale:
    """Conversion between scroll positions of any size and the 32-bit values of a scroll bar."""

    last_position: int

    @property
    def maximum(self) -> int:
        return min(self.last_position, MAX_SCROLLBAR_VALUE)

    def to_bar(self, position: int) -> int:
        if self.last_position <= MAX_SCROLLBAR_VALUE:
            return position
        return (position * MAX_SCROLLBAR_VALUE + self.last_position // 2) // self.last_position

    def from_bar(self, value: int) -> int:
        if self.last_position <= MAX_SCROLLBAR_VALUE:
            return value
        return (value * self.last_position + MAX_SCROLLBAR_VALUE // 2) // MAX_SCROLLBAR_VALUE

    def page(self, page: int) -> int:
        """Return the page step of the scroll bar, which determines the handle's length."""
        return max(1, self.to_bar(page)) if self.last_position else max(1, page)
