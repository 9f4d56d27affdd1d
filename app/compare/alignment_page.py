"""Rendering of the visible alignment into one pixel array."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from wavediff.app.compare.alignment_layout import AlignmentLayout, LineMetrics
from wavediff.app.compare.alignment_model import AlignmentModel, AlignmentRows, Codes, Sights
from wavediff.app.compare.cell_styles import (
    BLANK,
    MATCH_BLANK,
    MATCH_DIFFERS,
    N_MATCH_CODES,
    CellStyles,
    Colouring,
    letter_codes,
    match_codes,
    n_letter_codes,
)
from wavediff.app.compare.tracks.codons import N_CODES
from wavediff.app.ui.glyphs import CellStyle, GlyphAtlas, Pixels, Ruler, advance, letter_font, pixel
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.sequences.sequence import Alphabet

_Number = TypeVar("_Number", np.int32, np.int64)
Look = Callable[[int], CellStyle]  # of a code
MIN_GLYPH_PX = 5  # device pixels of width; below it letters are blurs, and filled cells show more


@dataclass(frozen=True, slots=True)
class Page:
    """Pixels of some lines.

    Attributes:
        pixels: uint32, shape (lines * pitch, columns * cell width).
        rows: data of the page's columns.
        col0, columns: first column, and columns per line.
        first_line: number of the page's first line.
        codons: those in the page's columns.
    """

    pixels: Pixels
    rows: AlignmentRows
    col0: int
    columns: int
    first_line: int
    codons: Sights


@dataclass(frozen=True, slots=True)
class _Lines:
    """Codes and numbers of the cells of some lines; arrays of shape (lines, columns).

    Attributes:
        a, match, b: codes of looks. a_numbers, b_numbers: of the rulers; 0: no letter.
        codons, codon_codes: of the rows of A and B.
    """

    rows: AlignmentRows
    col0: int
    first_line: int
    a: Codes
    match: Codes
    b: Codes
    a_numbers: npt.NDArray[np.int64]
    b_numbers: npt.NDArray[np.int64]
    codons: Sights
    codon_codes: dict[Side, list[Codes]]
    differs: Codes | None
    theirs: Codes | None


def cells_for(
    pixel_size: int, compact: bool = False, b_ruler: bool = False, wide: bool = False,
    codons: tuple[int, int] = (0, 0), both: bool = False,
) -> LineMetrics:  # fmt: skip
    """Return the line metrics for a font of ``pixel_size`` device pixels; at 15 a cell has 10 x 20.

    Args:
        wide: cells as wide as two letters.
        codons: with rows of codons above A and below B. both: a second row of B.
        compact: no ruler, and minimum distance of lines; at 15 a cell has 9 x 16.
    """
    ruler = 0 if compact else round(pixel_size * 16 / 15)
    room = 0.6 if compact else 2 / 3
    gap = round(pixel_size * (0.55 if compact else 0.8))
    width = max(2, round(pixel_size * room), round(advance(letter_font(pixel_size))))
    return LineMetrics(
        width=2 * width if wide else width,
        height=max(3, round(pixel_size * (16 / 15 if compact else 4 / 3))),
        match_height=max(2, gap),
        ruler_height=ruler,
        spacing=gap,
        b_ruler_height=ruler if b_ruler else 0,
        codon_height=round(pixel_size * 16 / 15),
        codons=codons,
        both=both,
    )


def ruler_size(pixel_size: int) -> int:
    """Return the font size of rulers in pixels: smaller than letters, but readable."""
    return max(min(pixel_size, 8), round(pixel_size * 0.72))


class PageComposer:
    """Renderer for one theme, colouring, alphabet, character table and font size (device pixels).

    Args:
        cells: metrics of a line; None: those of ``cells_for``, with a ruler of A only.
    """

    def __init__(
        self,
        theme: Theme,
        colouring: Colouring,
        alphabet: Alphabet,
        characters: str,
        pixel_size: int,
        cells: LineMetrics | None = None,
    ) -> None:
        cells = self.cells = cells or cells_for(pixel_size)
        if cells.width < MIN_GLYPH_PX and colouring is Colouring.LETTERS:
            colouring = Colouring.CELLS
        looks = CellStyles(
            theme, colouring, alphabet, characters, pixel_size, (cells.width, cells.height, cells.match_height),
            cells.codon_height,
        )  # fmt: skip
        self._letters = GlyphAtlas(cells.width, cells.height, n_letter_codes(characters), looks.letter)
        self._marks = GlyphAtlas(cells.width, cells.match_height, N_MATCH_CODES, looks.match)
        self._codons = GlyphAtlas(cells.width, max(1, cells.codon_height), N_CODES, looks.codon)
        ruler = max(1, cells.ruler_height)
        self._ruler = Ruler(cells.width, ruler_size(pixel_size), ruler, theme.dim, theme.control, looks.paper)
        self._paper = pixel(looks.paper)
        self._looks, self._ground = looks, looks.paper
        self._styles: dict[tuple[object, int], CellStyle] = {}  # that were painted, by their looks
        self._spare: Pixels = np.empty(0, np.uint32)

    def compose(
        self,
        model: AlignmentModel,
        layout: AlignmentLayout,
        position: int,
        selection: tuple[int, int],
        side: Side | None = None,
    ) -> Page:
        """Render the lines visible at ``position``, overwriting the last page; ``selection``: first and end of the
        selected columns, in ``side`` only if given."""
        cells, in_sight = layout.cells, _lines_at(model, layout, position, selection, side)
        n_lines, columns = in_sight.a.shape
        pixels = self._surface(n_lines * cells.pitch, columns * cells.width)
        lines = pixels.reshape(n_lines, cells.pitch, columns * cells.width)
        for blank in (slice(0, cells.a_top), slice(cells.b_end, cells.pitch)):
            lines[:, blank] = self._paper
        if cells.ruler_height:
            self._ruler.draw(in_sight.a_numbers, lines[:, : cells.ruler_height], below=False)
        for top, codes, (atlas, _, high) in self._rows(cells, in_sight):
            atlas.draw(codes, lines[:, top : top + high])
        if cells.b_ruler_height:
            self._ruler.draw(in_sight.b_numbers, lines[:, cells.b_ruler_top : cells.block], below=True)
        return Page(pixels, in_sight.rows, in_sight.col0, columns, in_sight.first_line, in_sight.codons)

    def paint(
        self,
        painter: QPainter,
        model: AlignmentModel,
        layout: AlignmentLayout,
        position: int,
        selection: tuple[int, int],
        side: Side | None = None,
    ) -> None:
        """Paint the lines with letters as text, for pictures of any resolution; incomplete lines are left out."""
        cells, in_sight = layout.cells, _lines_at(model, layout, position, selection, side)
        left = 0 if layout.wrapped else in_sight.col0 * cells.width - position
        for i in layout.whole_lines(in_sight.first_line, range(in_sight.a.shape[0]), position):
            top = layout.line_top(in_sight.first_line + i, position)
            for y, codes, (_, look, high) in self._rows(cells, in_sight):
                self._paint_row(painter, codes[i], look, QRectF(left, top + y, cells.width, high))
            if cells.ruler_height:
                self._ruler.paint(painter, in_sight.a_numbers[i], QPointF(left, top), False, in_sight.a_numbers)
            if cells.b_ruler_height:
                at = QPointF(left, top + cells.b_ruler_top)
                self._ruler.paint(painter, in_sight.b_numbers[i], at, True, in_sight.b_numbers)

    def _rows(self, cells: LineMetrics, in_sight: _Lines) -> Iterator[tuple[int, Codes, tuple[GlyphAtlas, Look, int]]]:
        """Yield top, codes and renderer (pixels, text, height) of each row of cells."""
        looks = self._looks
        letters, marks = (self._letters, looks.letter, cells.height), (self._marks, looks.match, cells.match_height)
        yield cells.a_top, in_sight.a, letters
        yield cells.match_top, in_sight.match, marks
        yield cells.b_top, in_sight.b, letters
        if in_sight.theirs is not None and in_sight.differs is not None:
            yield cells.theirs_top - cells.match_height, in_sight.differs, marks
            yield cells.theirs_top, in_sight.theirs, letters
        for side, n in zip(Side, cells.codons, strict=True):
            for k, codes in enumerate(in_sight.codon_codes.get(side, [])[:n]):
                yield cells.codon_top(side is Side.A, k), codes, (self._codons, looks.codon, cells.codon_height)

    def _paint_row(self, painter: QPainter, codes: Codes, look: Look, cell: QRectF) -> None:
        """Paint a row of cells from ``cell``: backgrounds, underlines, glyphs."""
        every: list[int] = codes.tolist()
        width = cell.width()
        for code in set(every):
            if (look, code) not in self._styles:
                self._styles[look, code] = look(code)
        styles = [self._styles[look, code] for code in every]
        for first, end, colour in _runs([style.paper for style in styles]):
            if colour != self._ground:
                painter.fillRect(
                    QRectF(cell.left() + first * width, cell.top(), (end - first) * width, cell.height()), colour
                )
        for first, end, foot in _runs([style.foot for style in styles]):
            if foot is not None:
                colour, high = foot
                box = QRectF(cell.left() + first * width, cell.bottom() - high, (end - first) * width, high)
                painter.fillRect(box, colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)  # a thin line of a picture made smaller is seen
        for code in sorted(set(every)):  # all of one colour after each other
            style = self._styles[look, code]
            if style.glyph is None:
                continue
            painter.setPen(style.ink)
            painter.setBrush(style.ink)
            for column, one in enumerate(every):
                if one == code:
                    style.glyph(painter, cell.translated(column * width, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # papers have no seams

    def _surface(self, height: int, width: int) -> Pixels:
        if self._spare.size < height * width:
            self._spare = np.empty(height * width, np.uint32)
        return self._spare[: height * width].reshape(height, width)


def _lines_at(
    model: AlignmentModel, layout: AlignmentLayout, position: int, selection: tuple[int, int], side: Side | None
) -> _Lines:
    """Return the visible lines at ``position``; see ``PageComposer.compose``."""
    col0, col1 = layout.columns_at(position)
    first, last = layout.lines_at(position)
    columns = layout.columns_per_line if layout.wrapped else col1 - col0
    rows = model.rows(col0, col1)
    chosen = np.zeros(rows.op.size, np.bool_)
    chosen[max(0, selection[0] - col0) : max(0, selection[1] - col0)] = True
    of_a, of_b, of_both = (chosen & (side in some) for some in ((None, Side.A), (None, Side.B), (None,)))
    n_lines = last - first
    codons, codes = model.codons(col0, col1)
    ruled = rows.a_place if model.aligned else np.where(rows.a_place, rows.a_place, rows.b_place)
    return _Lines(
        rows=rows,
        col0=col0,
        first_line=first,
        a=_lines(letter_codes(rows.a, rows.op, of_a, model.a.characters), n_lines, columns, BLANK),
        match=_lines(match_codes(rows.op, of_both), n_lines, columns, MATCH_BLANK),
        b=_lines(letter_codes(rows.b, rows.op, of_b, model.a.characters), n_lines, columns, BLANK),
        a_numbers=_lines(ruled, n_lines, columns, 0),
        b_numbers=_lines(rows.b_place if rows.theirs is None else rows.theirs_place, n_lines, columns, 0),
        codons=codons,
        theirs=None
        if rows.theirs is None
        else _lines(letter_codes(rows.theirs, rows.theirs_op, of_b, model.a.characters), n_lines, columns, BLANK),
        differs=None
        if rows.theirs is None
        else _lines(np.where(rows.differs, MATCH_DIFFERS, MATCH_BLANK).astype(np.int32), n_lines, columns, MATCH_BLANK),
        codon_codes={side: [_lines(each, n_lines, columns, 0) for each in some] for side, some in codes.items()},
    )


_Value = TypeVar("_Value")


def _runs(values: list[_Value]) -> Iterator[tuple[int, int, _Value]]:
    first = 0
    for value, same in groupby(values):
        end = first + sum(1 for _ in same)
        yield first, end, value
        first = end


def _lines(values: npt.NDArray[_Number], n_lines: int, columns: int, fill: int) -> npt.NDArray[_Number]:
    """Reshape ``values`` to ``n_lines`` rows of ``columns``, padded with ``fill``."""
    out = np.full(n_lines * columns, fill, values.dtype)
    out[: values.size] = values
    return out.reshape(n_lines, columns)
