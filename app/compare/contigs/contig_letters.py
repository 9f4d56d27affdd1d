"""Letters of a contig below those of A: at the first difference, else at the start."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.compare.blocks.border_letters import (
    BORDER_PX,
    CELL_PX,
    GUTTER_PX,
    HEADING_PX,
    MATCH_PX,
    ROW_PX,
    SMALL_PX,
    TAIL_PX,
    Stretch,
    draw_stretch,
    shown_columns,
    stretch_of,
)
from wavediff.app.draw.drawing import LEFT, RIGHT, Box, Font, Ink
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.ui.canvas import Canvas
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.alignment import APART, Op
from wavediff.core.jobs.rearranged import CollinearBlock

BEFORE_SHARE = 3  # of the columns, a third lies before the first difference


def first_difference(blocks: tuple[CollinearBlock, ...]) -> tuple[CollinearBlock, int]:
    """Return the first block along A with a difference, and the column of the difference; else the first block, 0."""
    order = sorted(blocks, key=lambda block: block.a[0].at)
    for block in order:
        alignment, unknown = shown_columns(block)
        if alignment is not None:
            ends, unknown = np.cumsum(alignment.lengths), np.vstack([[[-1, 0]], unknown])
            starts = ends - alignment.lengths
            starts = np.maximum(starts, unknown[np.searchsorted(unknown[:, 0], starts, "right") - 1, 1])
            if (differs := starts[(alignment.ops != Op.EQUAL) & (starts < ends)]).size:
                return block, int(differs[0])
    return order[0], 0


class ContigLetters(Canvas):
    """Attributes:
    answer: the shown answer, or None. contig: index along A of the current contig; -1: none.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Letters of the contig")
        self.answer: ContigsAnswer | None = None
        self.contig = -1
        self.setFixedHeight(BORDER_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sequence = lru_cache(maxsize=1)(lambda answer, at: answer.contigs.sequence(at))

    def show_contig(self, answer: ContigsAnswer | None, contig: int) -> None:
        self.answer, self.contig = answer, contig
        self.setAccessibleDescription("" if self.stretch is None else f"A {self.stretch.a}, B {self.stretch.b}")
        self.update()

    @property
    def _of(self) -> tuple[CollinearBlock, int] | None:
        placed = () if self.answer is None else self.answer.result.placed
        return first_difference(placed[self.contig].blocks) if 0 <= self.contig < len(placed) else None

    @property
    def stretch(self) -> Stretch | None:
        """The visible columns."""
        columns, of = int((self.width() - GUTTER_PX - TAIL_PX) / CELL_PX), self._of
        if self.answer is None or of is None or columns < 1:
            return None
        b = self._sequence(self.answer, self.answer.result.order[self.contig])
        return stretch_of(self.answer.a, b, of[0], max(0, of[1] - columns // BEFORE_SHARE), columns)

    def paint(self, painter: QPainter) -> None:
        stretch, of = self.stretch, self._of
        if stretch is None or of is None:
            return
        drawing, rows = QtDrawing(painter, self._theme), (HEADING_PX, HEADING_PX + ROW_PX + MATCH_PX)
        differ = bool(np.setdiff1d(stretch.ops, (Op.EQUAL, APART)).size)
        text = "First letters that differ" if differ else "First letters: none differ"
        drawing.text(Box(GUTTER_PX, 0, self.width() - GUTTER_PX, HEADING_PX), text, Font(SMALL_PX), Ink.DIM, LEFT)
        draw_stretch(drawing, stretch, of[0], GUTTER_PX, rows)
        end = GUTTER_PX + stretch.ops.size * CELL_PX
        for y, name, first, last in zip(rows, "AB", *stretch.ends, strict=True):
            drawing.text(Box(8, y, 20, ROW_PX), name, Font(13, bold=True), align=LEFT)
            before, behind = Box(28, y, GUTTER_PX - 36, ROW_PX), Box(end + 8, y, TAIL_PX - 8, ROW_PX)
            for at, box, side in ((first, before, RIGHT), (last, behind, LEFT)):
                if at is not None:
                    drawing.text(box, number(at + 1), Font(SMALL_PX), Ink.DIM, side)
