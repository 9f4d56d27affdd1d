"""Rows of two texts as a picture, by the drawing of the window."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QPainter

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_drawing import draw_lines
from wavediff.app.compare.lines.shown_rows import ShownRows
from wavediff.app.compare.lines.sight import FONT_PX, Marked, Sight, sides_of
from wavediff.app.compare.lines.syntax import Highlighter
from wavediff.app.draw.colours import Ink
from wavediff.app.draw.drawing import LEFT, Box, Drawing, Font, Point, Size
from wavediff.app.draw.painter import QtDrawing, em_width, measured
from wavediff.app.draw.paragraph import draw_paragraph, paragraph_height
from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_sheet import MARGIN_PX, Pictured, light, pair_title
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.line_result import LineResult
from wavediff.core.jobs.line_view import LineView
from wavediff.core.methods.base import LINE

SIZE = (1280, 1000)  # pixels, at most
TITLE, WORDS = Font(17, bold=True), Font(13)
PLACE = re.compile(r"(?:([AB]):)?([\d,]+)|#(\d+)")


class LinesPaper:
    """Rows from a place on, as many as there is room for; ``size``: pixels, None: as they need."""

    def __init__(self, outcome: Comparison, answer: str, at: str, inline: bool, size: tuple[int, int] | None) -> None:
        self._asked, size = size, size or SIZE
        self.heading, self._style, self._answer = pair_title(outcome, "Lines"), measured(Preset.PAPER), answer
        result: LineResult = outcome.result
        self._cells = LineCells(outcome.a, outcome.b, result.rows, LineView(result, outcome.a, outcome.b).marks)
        self._shown = ShownRows(result.rows, inline)
        place = place_of(at, self._shown)
        wide = size[0] - 2 * MARGIN_PX
        self._head = paragraph_height(self.heading, TITLE, wide, self._style) + MARGIN_PX
        self._foot = paragraph_height(answer, WORDS, wide, self._style) + MARGIN_PX
        lines = max(result.rows.starts_a.size, result.rows.starts_b.size) - 1
        cell = em_width("0" * 64, mono=True) / 64 * FONT_PX
        sight = Sight(Size(wide, 0), cell=cell, digits=len(number(lines)), inline=inline)
        room = max(1, int(size[1] - self._head - self._foot - 2 * MARGIN_PX) // sight.row)
        n = min(self._shown.n - place, room)
        equal = 3 * sight.row if not self._shown.n_hunks else 0
        corner = Point(MARGIN_PX, MARGIN_PX + self._head)
        self._sight = replace(sight, size=Size(wide, n * sight.row + equal), top=place * sight.row, at=corner)
        self._marked = Marked(moved=result.moved)
        keeper = QObject()
        colours = {side: Highlighter(self._cells, side, keeper) for side in Side}
        self._tokens = {
            one: colours[one[0]].now(one[1])
            for entry in self._shown.entries(*self._sight.places)
            if not entry.is_fold
            for one in sides_of(entry, self._cells)
        }

    def size(self) -> QSize:
        if self._asked is not None:
            return QSize(*self._asked)
        wide, high = self._sight.size
        return QSize(round(wide + 2 * MARGIN_PX), round(high + self._head + self._foot + 2 * MARGIN_PX))

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        self.draw(QtDrawing(painter, light()))

    def draw(self, drawing: Drawing) -> None:
        (wide, high), sight = self.size().toTuple(), self._sight
        drawing.rect(Box(0, 0, wide, high), Ink.BASE)
        title = Box(MARGIN_PX, MARGIN_PX, sight.size.wide, self._head)
        draw_paragraph(drawing, title, self.heading, TITLE, self._style)
        draw_lines(drawing, self._cells, self._shown, sight, self._marked, lambda *one: self._tokens.get(one, []))
        answer = Box(MARGIN_PX, sight.at.y + sight.size.high + MARGIN_PX, sight.size.wide, self._foot)
        draw_paragraph(drawing, answer, self._answer, WORDS, self._style, LEFT)


def place_of(text: str, shown: ShownRows) -> int:
    """Return the entry of a line of A (``150``, ``A:150``) or B (``B:163``) or of a hunk (``#4``), or the first one.

    Raises:
        WavediffError: there is no such line or hunk.
    """
    if not text:
        return 0
    found = PLACE.fullmatch(text.strip())
    if found is None:
        raise WavediffError(f"--at {text}: A:150 or B:163 is a line, #4 a hunk")
    if found[3]:
        hunk = int(found[3])
        if not 0 < hunk <= shown.n_hunks:
            raise WavediffError(f"--at {text}: there are {number(shown.n_hunks)} hunks")
        return shown.place(int(np.argmax(shown.rows.hunk == hunk)))
    side, line = Side(found[1] or "A"), int(found[2].replace(",", ""))
    if not 0 < line <= shown.row_of[side].size:
        raise WavediffError(f"--at {text}: {side} has {number(shown.row_of[side].size)} lines")
    return shown.place(int(shown.row_of[side][line - 1]), side)


def lines_picture(
    outcome: Comparison,
    recipe: Recipe | None,
    answer: str,
    *,
    at: str = "",
    layout: str = "side",
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the rows from a place on.

    Args:
        at: see ``place_of``. layout: ``side`` or ``inline``. answer: stands below. size: pixels, at most.

    Raises:
        WavediffError: there is no such place, or this is no comparison by lines.
    """
    if outcome.method.unit != LINE:
        raise WavediffError("--view lines needs --method lines")
    paper = LinesPaper(outcome, answer, at, layout == "inline", size)
    shows = {"view": str(View.LINES)}
    shows |= {"at": at} if at else {}
    shows |= {"layout": layout} if layout != "side" else {}
    return Pictured(paper, recipe, None, [], shows)
