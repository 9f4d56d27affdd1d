"""Styles of alignment cells: text colour, background and glyph by letter, operation and selection.

A difference has five marks, so that none depends on colour: a semi-bold letter, a filled cell, a mark under the letter,
no bar in the match row, and a dash in a gap. A cross joins the letters of a swap.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from wavediff.app.compare.alignment_model import GAP, NOTHING, OVERHANG, UNALIGNED, Codes
from wavediff.app.compare.tracks.codons import Look
from wavediff.app.draw.painter import mix
from wavediff.app.ui.glyphs import CellStyle, Draw, drawn_mask, letter_font, text_glyph
from wavediff.app.ui.theme import KindColours, Theme, contrast
from wavediff.core.jobs.alignment import APART, SWAP, Op
from wavediff.core.jobs.difference_index import OP_OF_KIND
from wavediff.core.sequences.characters import FIRST_CODE, n_codes
from wavediff.core.sequences.letter_text import glyph, is_dash
from wavediff.core.sequences.sequence import Alphabet

BLANK = 0  # code of a cell behind the last column
_N_OPS, _MATCH_SELECTED = 8, 8  # what a column can be (``AlignmentRows.op``), and a bit above that
N_MATCH_CODES = 18
MATCH_BLANK, MATCH_DIFFERS = 16, 17  # the latter between two alignments that have other letters
FOOT_SHARE = 0.2  # of the letters' pixel size: the mark under a letter that differs is 3 px high at 15 px
GAP_SHARE = 0.09  # of it, or a pixel: between a letter and its mark, or a T would be an I
RAISED_SHARE = 0.08  # of it: how much higher than others words stand, above their marks
CODON_SHARE = 0.8  # of it: the letters of amino acids
MIN_CONTRAST = 4.5  # WCAG AA for text of any size


class Colouring(StrEnum):
    """Parts of a cell coloured by base; values are stored in settings and shown in the menu."""

    LETTERS = "Coloured letters"
    CELLS = "Coloured cells"
    PLAIN = "Differences only"


def readable(ink: QColor, paper: QColor) -> QColor:
    """Return ``ink`` with the smallest change of lightness that makes it readable on ``paper``."""
    black, white = QColor(0, 0, 0), QColor(255, 255, 255)
    target = black if contrast(black, paper) > contrast(white, paper) else white
    for percent in range(0, 101, 5):
        candidate = mix(ink, target, percent / 100)
        if contrast(candidate, paper) >= MIN_CONTRAST:
            return candidate
    return target


class CellStyles:
    """Cell styles of one theme, colouring and font size.

    Args:
        characters: of the sequences, see ``wavediff.core.sequences.characters``.
        pixel_size: of the font, device pixels.
        size: width and height of a cell, and height of a cell in the match row, device pixels.
        codon_height: of a codon cell, device pixels.
    """

    def __init__(
        self,
        theme: Theme,
        colouring: Colouring,
        alphabet: Alphabet,
        characters: str,
        pixel_size: int,
        size: tuple[int, int, int],
        codon_height: int = 0,
    ) -> None:
        self._codon_height = codon_height
        self._codon_fonts = tuple(
            letter_font(max(1, round(pixel_size * CODON_SHARE)), bold=bold) for bold in (False, True)
        )
        self._width, self._height, self._match_height = size
        self._fonts = letter_font(pixel_size), letter_font(pixel_size, bold=True)
        words = alphabet is Alphabet.TEXT  # whose g and y go below the line
        metrics = QFontMetricsF(self._fonts[0])
        below = (self._height - metrics.ascent() + metrics.descent()) / 2  # the base line
        room = int(below) - max(1, round(GAP_SHARE * pixel_size))
        self._foot = max(1, min(round(pixel_size * FOOT_SHARE * (0.5 if words else 1)), room))
        spare = max(0.0, self._height - metrics.height()) / 2
        self._raised = spare + RAISED_SHARE * pixel_size if words else 0.0
        self._colouring = colouring if alphabet.is_nucleotide else Colouring.PLAIN
        self._theme, self._characters = theme, characters
        self.paper = QColor(theme.base)
        self._accent = QColor(theme.accent)
        self._kinds: dict[int, KindColours] = {op: theme.kind(op) for op in OP_OF_KIND.values()}

    def letter(self, code: int) -> CellStyle:
        column, letter = divmod(code - 1, _n_shown(self._characters))
        letter, op, selected = letter + NOTHING, column % _N_OPS, column >= _N_OPS
        if code == BLANK or letter == NOTHING:
            return self._style(None, self.paper, self.paper)
        if letter == GAP and op == UNALIGNED:
            return self._style(_dash, self._theme.dim, self._chosen(self.paper, selected))
        if letter == GAP:
            paper = self._chosen(self._kinds[op].pale, selected)
            return self._style(_dash, readable(self._kinds[op].ink, paper), paper)
        if op == OVERHANG:
            paper = self._chosen(self._theme.window, selected)
            return self._style(self._glyph(letter, self._fonts[0]), readable(self._theme.dim, paper), paper)
        if op in (Op.EQUAL, UNALIGNED):
            ink, paper = self._equal(chr(letter) if letter < FIRST_CODE else "")
            paper = self._chosen(paper, selected)
            return self._style(self._glyph(letter, self._fonts[0]), readable(ink, paper), paper)
        colours = self._kinds[op]
        paper = self._chosen(colours.pale, selected)
        if op == APART:  # quiet: no difference is known
            return self._style(self._glyph(letter, self._fonts[0]), readable(colours.ink, paper), paper)
        mark, drawn = (colours.strong, self._foot), self._glyph(letter, self._fonts[1], differs=True)
        if is_dash(letter, self._characters):
            drawn = _framed(drawn)
        return self._style(drawn, readable(colours.ink, paper), paper, mark)

    def match(self, code: int) -> CellStyle:
        if code == MATCH_DIFFERS:
            return self._style(None, self._accent, self._accent, height=self._match_height)
        op, selected = code & 7, bool(code & _MATCH_SELECTED)
        paper = self.paper if code == MATCH_BLANK else self._chosen(self.paper, selected)
        height = self._match_height
        if code != MATCH_BLANK and op == Op.EQUAL:
            return self._style(_bar, self._theme.mark, paper, height=height)
        if code != MATCH_BLANK and op == Op.MISMATCH:
            return self._style(_dot, readable(self._kinds[op].ink, paper), paper, height=height)
        if code != MATCH_BLANK and op == SWAP:
            # The cross is drawn over it, from letter to letter: see ``alignment_gutter``.
            paper = self._chosen(self._kinds[op].pale, selected)
        return self._style(None, paper, paper, height=height)

    def codon(self, code: int) -> CellStyle:
        """Return the style of a codon cell, see ``wavediff.app.compare.tracks.codons.looks``."""
        if code == BLANK:
            return self._style(None, self.paper, self.paper, height=self._codon_height)
        look, letter = divmod(code - 1, 128)
        kind, projected = Look(look // 2), bool(look % 2)
        ops = {Look.OTHER: Op.MISMATCH, Look.ONLY_A: Op.DELETION, Look.ONLY_B: Op.INSERTION}
        colours = self._kinds[ops[kind]] if kind in ops else None
        plain = self._theme.raised if kind is Look.EVEN else mix(self._theme.raised, self._theme.grid, 0.45)
        paper = colours.pale if colours else plain
        ink = colours.ink if colours else self._theme.dim if projected else self._theme.text
        drawn = text_glyph(chr(letter), self._codon_fonts[colours is not None]) if letter else None
        foot = (colours.strong, max(1, self._foot // 2)) if colours else None
        return self._style(drawn, readable(ink, paper), paper, foot, self._codon_height)

    def _style(
        self, glyph: Draw | None, ink: QColor, paper: QColor, foot: tuple[QColor, int] | None = None, height: int = 0
    ) -> CellStyle:
        mask = drawn_mask(glyph or (lambda *_: None), self._width, height or self._height)
        return CellStyle(mask, ink, paper, foot, glyph)

    def _equal(self, letter: str) -> tuple[QColor, QColor]:
        if self._colouring is Colouring.PLAIN:
            return self._theme.equal_ink, self.paper
        color = self._theme.base_color(letter)
        if self._colouring is Colouring.LETTERS:
            return color, self.paper
        return self._theme.text, mix(self.paper, color, 0.35)

    def _chosen(self, paper: QColor, selected: bool) -> QColor:
        return mix(paper, self._accent, 0.38) if selected else paper

    def _glyph(self, code: int, font: QFont, *, differs: bool = False) -> Draw:
        draw, raised = text_glyph(glyph(code, self._characters, differs=differs), font, fit=True), self._raised
        return (lambda painter, cell: draw(painter, cell.translated(0, -raised))) if raised else draw


def _n_shown(characters: str) -> int:
    return n_codes(characters) - NOTHING  # letters, ``GAP`` and ``NOTHING``


def n_letter_codes(characters: str) -> int:
    """Return the number of style codes: those of ``letter_codes``, and ``BLANK``."""
    return 2 * _N_OPS * _n_shown(characters) + 1


def letter_codes(letters: Codes, ops: npt.NDArray[np.uint8], selected: npt.NDArray[np.bool_], characters: str) -> Codes:
    """Return a style code per cell, from letter (or ``GAP``), operation and selection."""
    column = ops + _N_OPS * selected.astype(np.int32)
    codes: Codes = column * np.int32(_n_shown(characters)) + (letters - NOTHING + 1)
    return codes


def match_codes(ops: npt.NDArray[np.uint8], selected: npt.NDArray[np.bool_]) -> Codes:
    return ops.astype(np.int32) + selected.astype(np.int32) * _MATCH_SELECTED


def _bar(painter: QPainter, cell: QRectF) -> None:
    width = max(1, int(cell.width() / 10))
    left, top = cell.left() + int((cell.width() - width) // 2), cell.top() + round(cell.height() * 0.17)
    painter.fillRect(QRectF(left, top, width, round(cell.height() * 0.66)), painter.brush())


def _dot(painter: QPainter, cell: QRectF) -> None:
    radius = max(1.0, cell.width() / 6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(cell.center(), radius, radius)


def _framed(draw: Draw) -> Draw:
    """Draw a dash with a frame if it is a letter, not a gap."""

    def draw_framed(painter: QPainter, cell: QRectF) -> None:
        draw(painter, cell)
        brush = painter.brush()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        aside = cell.width() * 0.1
        painter.drawRect(cell.adjusted(aside, cell.height() * 0.22, -aside, -cell.height() * 0.3))
        painter.setBrush(brush)

    return draw_framed


def _dash(painter: QPainter, cell: QRectF) -> None:
    height = max(1, round(cell.height() / 14))
    width = max(1, round(cell.width() * 0.6))
    left = cell.left() + int((cell.width() - width) // 2)
    top = cell.top() + int((cell.height() - height) // 2)
    painter.fillRect(QRectF(left, top, width, height), painter.brush())
