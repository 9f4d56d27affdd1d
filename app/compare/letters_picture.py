"""Pictures of the letters of an alignment and of the list of differences."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.compare.alignment_canvas import AlignmentCanvas
from wavediff.app.compare.alignment_goto import PlaceError, parse_place
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.differences_model import DifferencesTable, Listed, dress, fit_columns, kind_of, show_effects
from wavediff.app.compare.other_models import StackedModel
from wavediff.app.compare.stepper import counted_kinds
from wavediff.app.compare.strip_drawing import StripDrawing
from wavediff.app.compare.strip_words import FREE_PX
from wavediff.app.compare.tracks import find_tracks
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.legend import KIND_PX, Legend, Sign, paint_swatch
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light, pair_title, table_picture
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.hunks import all_hunks
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import Kinds, usual_kinds
from wavediff.core.jobs.features.effects import effects_of
from wavediff.core.jobs.line_view import line_view

COLOURS = {"differences": Colouring.PLAIN, "letters": Colouring.LETTERS, "cells": Colouring.CELLS}  # as typed
SIZE = (1000, 1000)  # pixels, at most
LEAST_WIDTH_PX = 420  # of a picture of a few letters, so that its title has room


def kind_legend(index: AlignmentIndex | None, theme: Theme) -> Legend:
    legend = Legend("Differences", theme, height=KIND_PX)
    kinds = [] if index is None else counted_kinds(index)
    legend.set_signs([Sign(partial(paint_swatch, op=op, theme=theme), text, KIND_PX) for op, text in kinds])
    return legend


def letters_picture(
    model: AlignmentModel,
    answer: str,
    *,
    at: str = "1",
    colours: Colouring = Colouring.PLAIN,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of the letters of an alignment from a position on.

    Args:
        model: of an alignment, or of unaligned letters. answer: text below the letters.
        at: see ``alignment_goto``. size: pixels; None: automatic.

    Raises:
        WavediffError: no such place.
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
    return Pictured(sheet)


def letters_of(outcome: Comparison) -> AlignmentModel:
    """Return the alignment model of an answer; WavediffError: no alignment."""
    result, swaps = outcome.result, getattr(outcome.result, "swaps", None)
    if result.alignment is None:
        raise WavediffError("--view letters needs an alignment, but none was computed; use --view map")
    index = index_alignment(result.shown, swaps, result.apart_at)
    pair = outcome.a, outcome.b
    if outcome.given is not None:
        return StackedModel(*pair, index, outcome.given, outcome.fold_case, swaps)
    return AlignmentModel(*pair, index, outcome.fold_case, swaps)


USUAL = Listing()


def differences_picture(
    listed: Listed, answer: str, *, asked: Listing = USUAL, size: tuple[int, int] | None = None
) -> Pictured:
    """Return the picture of the list of differences from row ``asked.first`` on.

    Args:
        listed: in the order of ``asked``. answer: text above. size: pixels; None: automatic.
    """
    theme, view = light(), QWidget()
    rows, kind = DifferencesTable(), kind_of(listed)
    table = LongTableView(rows, f"List of {kind.words[1]}")
    dress(table, rows, theme)
    fit_columns(table.rows, listed)
    table.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    line = ElidedLabel(parent=view)
    in_column(line, (table, 1), on=view, margin=0)
    line.set_text(f"{answer} · {kind.shown(listed)}")
    rows.show_sorted(asked.column, asked.descending)
    rows.show(listed)
    show_effects(table.rows, listed)
    title = pair_title(listed, kind.words[1].capitalize())
    pictured = table_picture(theme, title, view, table.rows, len(listed), size)
    table.fit()
    top = max(0, rows.row_of(asked.first - 1)) if asked.first else 0
    rows.look(min(top, max(0, len(listed) - table.height_in_rows())), table.height_in_rows())
    table.bar.hide()
    return pictured


def listed_of(outcome: Comparison, asked: Listing) -> Listed:
    """Return the differences or hunks of a comparison, filtered and sorted.

    Raises:
        ValueError: no such differences.
    """
    listed: Listed
    if not outcome.method.of_letters:
        if asked.kinds != Kinds.COUNTED:
            raise ValueError("--kinds applies to letters; a hunk has lines of several kinds")
        listed = all_hunks(line_view(outcome.result, outcome.a, outcome.b))
    else:
        model = letters_of(outcome)
        kinds = asked.kinds if asked.kinds != Kinds.COUNTED else usual_kinds(model.index)
        listed = ListedDifferences(
            model.a, model.b, model.index, kinds, effects=effects_of(model.a, model.b, model.index)
        )
    rows: Listed = kind_of(listed).arranged(listed, asked)
    return rows
