"""Rows of two texts as a picture: as many as there is room for, with the answer below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_canvas import LinesCanvas
from wavediff.app.compare.lines.shown_rows import Folding
from wavediff.app.compare.lines.sight import Marked, parse_line
from wavediff.app.ui.pair import Comparison, Side
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light, pair_title
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.word_view import line_view

CLOSED = Folding()
SIZE = (1280, 1000)  # pixels, at most


def lines_picture(
    outcome: Comparison,
    recipe: Recipe | None,
    answer: str,
    *,
    at: str = "",
    layout: str = "side",
    folding: Folding = CLOSED,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the rows from a place on.

    Args:
        at: see ``parse_line``; empty: the first row. layout: ``side`` or ``inline``. folding: which folds are open.
        answer: stands below. size: pixels; None: as they need.

    Raises:
        WavediffError: there is no such place, or this is no comparison by lines or words.
    """
    if outcome.method.of_letters:
        raise WavediffError("--view lines needs --method lines or words")
    theme, a, b, result = light(), outcome.a, outcome.b, outcome.result
    view = line_view(result, a, b)
    canvas = LinesCanvas(theme)
    canvas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    for bars in (canvas.setVerticalScrollBarPolicy, canvas.setHorizontalScrollBarPolicy):
        bars(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    sheet = Sheet(theme, pair_title(outcome, "Lines"), canvas, (), QSize(*(size or SIZE)))
    sheet.text.setText(answer)
    sheet.settle()
    canvas.show_lines(LineCells(a, b, result.rows, view.marks), Marked(moved=result.moved, same=not view.n_hunks))
    canvas.look(inline=layout == "inline", folding=folding)
    assert canvas.shown is not None
    try:
        side, line = parse_line(at, result.rows) if at else (Side.A, -1)
    except ValueError as error:
        raise WavediffError(f"--at {at}: {error}") from error
    place = canvas.shown.place(int(canvas.shown.row_of[side][line]), side) if at else 0
    canvas.mark(place=-1)
    needed = (canvas.shown.n - place) * canvas.sight.row + (0 if view.n_hunks else 3 * canvas.sight.row)
    spare = canvas.height() - min(needed, canvas.height() // canvas.sight.row * canvas.sight.row)
    if size is None:
        sheet.fit((0, spare))
    canvas.verticalScrollBar().setMaximum(place * canvas.sight.row)
    canvas.scroll_to_place(place)
    canvas.find_colours()
    shows = {"view": str(View.LINES)}
    shows |= {"at": at} if at else {}
    shows |= {"layout": layout} if layout != "side" else {}
    return Pictured(sheet, recipe, None, [theme], shows, by_command=folding == CLOSED)
