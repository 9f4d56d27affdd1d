"""An alignment in letters as a picture: as many whole lines as there is room for, the kinds of differences below."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.compare.alignment_canvas import AlignmentCanvas
from wavediff.app.compare.alignment_goto import PlaceError, parse_place
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.feature_drawing import FREE_PX
from wavediff.app.compare.stacked_model import StackedModel
from wavediff.app.compare.stepper import counted_kinds
from wavediff.app.compare.strip_drawing import StripDrawing
from wavediff.app.compare.tracks import find_tracks
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.kind_swatch import SWATCH_PX, paint_swatch
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.legend import Legend, Sign
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light, pair_title
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View

COLOURS = {"differences": Colouring.PLAIN, "letters": Colouring.LETTERS, "cells": Colouring.CELLS}  # as typed
SIZE = (1000, 1000)  # pixels, at most
LEAST_WIDTH_PX = 420  # of a picture of a few letters, so that its title has room


def kind_legend(index: AlignmentIndex | None, theme: Theme) -> Legend:
    """Return the signs of the kinds of differences there are, how many letters each."""
    legend = Legend("Differences", theme, height=SWATCH_PX)
    kinds = [] if index is None else counted_kinds(index)
    legend.set_signs([Sign(partial(paint_swatch, op=op, theme=theme), text, SWATCH_PX) for op, text in kinds])
    return legend


def letters_picture(
    model: AlignmentModel,
    recipe: Recipe | None,
    answer: str,
    *,
    at: str = "1",
    colours: Colouring = Colouring.PLAIN,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the letters from a place on.

    Args:
        model: of an alignment, or of letters that only stand over each other. answer: stands below.
        at: as in the field of the window, see ``alignment_goto``. size: pixels; None: no more than the letters need.

    Raises:
        WavediffError: there is no such place.
    """
    try:
        col = parse_place(at, model).col0
    except PlaceError as error:
        raise WavediffError(f"--at {at}: {error}") from error
    theme = light()
    canvas = AlignmentCanvas(theme)
    canvas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    title = pair_title(model, "Letters")
    legend = kind_legend(model.index if model.aligned else None, theme)
    content, strip = QWidget(), StripDrawing(theme)
    in_column(strip, (canvas, 1), on=content, margin=0, gap=FREE_PX)
    sheet = Sheet(theme, title, content, (legend,), QSize(*(size or SIZE)))
    canvas.set_colouring(colours)
    canvas.set_b_ruler(True)
    if model.aligned and not model.tracks.kinds:
        model.tracks = find_tracks(model.index, model.a, model.b, {}, frozenset(), CancelToken())
    canvas.set_model(model)
    strip.set_index(model.index)
    strip.set_tracks(model.tracks)
    strip.setVisible(bool(model.tracks.bars))
    sheet.text.setText(answer + "\n")
    sheet.settle()
    if size is None and canvas.surface is not None:
        spare = canvas.size() - canvas.needed
        sheet.fit((max(0, spare.width()), max(0, spare.height())), LEAST_WIDTH_PX)
    canvas.begin_at(col)
    first, last = canvas.whole_columns
    strip.levels.follow(first, last)
    seen = f"Columns {number(first + 1)} to {number(last)} of {number(model.n_columns)}"
    sheet.text.setText(f"{answer}\n{seen}" if last - first < model.n_columns else answer)
    typed = next(name for name, one in COLOURS.items() if one is colours)
    shows = {"view": str(View.LETTERS)}
    shows |= {"at": str(first + 1)} if first else {}
    shows |= {"colours": typed} if colours is not Colouring.PLAIN else {}
    return Pictured(sheet, recipe, None, [theme], shows)


def letters_of(outcome: Comparison) -> AlignmentModel:
    """Return the alignment of an answer, ready to be drawn.

    Raises:
        WavediffError: it has none.
    """
    result, swaps = outcome.result, getattr(outcome.result, "swaps", None)
    if result.alignment is None:
        raise WavediffError("--view letters needs the alignment, which was not computed; --view map does without it")
    index = index_alignment(result.shown, swaps, result.apart_at)
    pair = outcome.a, outcome.b
    if outcome.given is not None:
        return StackedModel(*pair, index, outcome.given, outcome.fold_case, swaps)
    return AlignmentModel(*pair, index, outcome.fold_case, swaps)
