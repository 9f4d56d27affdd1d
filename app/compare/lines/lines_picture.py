"""Rows of two texts as a picture: as many as there is room for, with the answer below."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_canvas import LinesCanvas
from wavediff.app.compare.lines.shown_rows import ShownRows
from wavediff.app.compare.lines.sight import Marked
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light, pair_title
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.line_view import LineView
from wavediff.core.methods.base import LINE

SIZE = (1280, 1000)  # pixels, at most
PLACE = re.compile(r"(?:([AB]):)?([\d,]+)|#(\d+)")


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
        at: see ``place_of``. layout: ``side`` or ``inline``. answer: stands below. size: pixels; None: as they need.

    Raises:
        WavediffError: there is no such place, or this is no comparison by lines.
    """
    if outcome.method.unit != LINE:
        raise WavediffError("--view lines needs --method lines")
    theme, a, b, result = light(), outcome.a, outcome.b, outcome.result
    canvas = LinesCanvas(theme)
    canvas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    for bars in (canvas.setVerticalScrollBarPolicy, canvas.setHorizontalScrollBarPolicy):
        bars(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    sheet = Sheet(theme, pair_title(outcome, "Lines"), canvas, (), QSize(*(size or SIZE)))
    sheet.text.setText(answer)
    sheet.settle()
    canvas.look(inline=layout == "inline")
    canvas.show_lines(LineCells(a, b, result.rows, LineView(result, a, b).marks), Marked(moved=result.moved))
    assert canvas.shown is not None
    place = place_of(at, canvas.shown)
    canvas.mark(place=-1)
    needed = (canvas.shown.n - place) * canvas.sight.row + (0 if canvas.shown.n_hunks else 3 * canvas.sight.row)
    spare = canvas.height() - min(needed, canvas.height() // canvas.sight.row * canvas.sight.row)
    if size is None:
        sheet.fit((0, spare))
    canvas.verticalScrollBar().setMaximum(place * canvas.sight.row)
    canvas.scroll_to_place(place)
    canvas.find_colours()
    shows = {"view": str(View.LINES)}
    shows |= {"at": at} if at else {}
    shows |= {"layout": layout} if layout != "side" else {}
    return Pictured(sheet, recipe, None, [theme], shows)
