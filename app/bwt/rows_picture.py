"""The rows of a transform as a picture; how they are sorted, and how the text is read back, as a film."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from wavediff.app.bwt.bwt_rows_model import BwtRows
from wavediff.app.bwt.bwt_rows_view import RowsCanvas
from wavediff.app.bwt.indexed_text import IndexedText
from wavediff.app.bwt.row_steps import RowSteps
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, END_MS, Moments, Pictured, Sheet, even, light
from wavediff.core.base.numbers import count, number
from wavediff.core.export.recipe import Recipe, formats, forms, sequence_input, words_of
from wavediff.core.jobs.bwt import LocateRowsJob
from wavediff.core.jobs.bwt_index import RowsResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence as Letters
from wavediff.core.teach.questions import Unit

LEVEL_MS, LETTER_MS = 1_000, 400
LEAST_WIDTH_PX = 560  # of a picture, so that title and sentences have room
N_ROWS = 512  # that a picture has room for
MAX_WALK_LETTERS = 64  # that a film reads back


def rows_recipe(inputs: Sequence[Letters], *, fold_case: bool, read_as: tuple[ReadAs, ...] = ()) -> Recipe:
    case = CaseRule.FOLD if fold_case else CaseRule.EXACT
    records = {f"record{'-b' * k}": str(source.record) for k, source in enumerate(inputs)}
    encodings = [source.encoding for source in inputs]
    options = {**records, "case": str(case), **forms(inputs), **formats(read_as, encodings)}
    return Recipe.of("bwt", map(sequence_input, inputs), words_of(options))


def located_rows(indexed: IndexedText, top: int, cancel: CancelToken) -> RowsResult | None:
    """Return where the rows from ``top`` on begin; None where that is known without."""
    if indexed.small is not None:
        return None
    rows = np.arange(top, min(top + N_ROWS, indexed.index.length + 1))
    found: RowsResult = run_job(LocateRowsJob(index=indexed.index, rows=rows), cancel=cancel)
    return found


def rows_picture(
    indexed: IndexedText,
    recipe: Recipe | None,
    located: RowsResult | None = None,
    size: tuple[int, int] | None = None,
    *,
    top: int = 0,
    step: tuple[Unit, int] | None = None,
) -> Pictured:
    """Return rows of a transform, sorted; the film begins with the first as they stand in the text.

    Args:
        located: where the rows begin, which is known of a short text without it. top: the first row.
        size: pixels; None: no more than the rows need. step: that is seen of a short text; None: all are sorted.
    """
    theme, rows = light(), BwtRows(indexed)
    canvas, steps = RowsCanvas(theme), RowSteps()
    if located is not None:
        rows.take(located)
    canvas.setFrameShape(QFrame.Shape.NoFrame)
    canvas.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    canvas.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    steps.show_rows(rows)
    canvas.show_rows(rows)
    title = f"{indexed.name}: Burrows-Wheeler transform"
    sheet = Sheet(theme, title, canvas, (), even(size or DEFAULT_SIZE))
    length, n_levels = indexed.index.length, rows.n_levels
    n_read = min(length, MAX_WALK_LETTERS) if rows.is_small else 0
    summary = (
        f"{count(indexed.n_letters, 'letter', 'letters')}, primary row {number(indexed.index.primary)}, "
        f"{count(indexed.index.n_runs, 'run', 'runs')}"
    )

    def show(step: int) -> None:
        sorting = step < n_levels
        steps.units.choose(Unit.LEVEL if sorting else Unit.LETTER)
        steps.seek(step if sorting else step - n_levels)
        if sorting:
            canvas.show_rows(rows)  # none is chosen
        else:
            rows.show_level(n_levels + 1)
            canvas.go_to(steps.row)
        canvas.refresh()
        sheet.text.setText(f"{summary}\n{steps.said}")

    milliseconds = (*[LEVEL_MS] * n_levels, *[LETTER_MS] * n_read, END_MS)
    canvas.show_rows(rows)
    sheet.text.setText(f"{summary}\n" if rows.is_small else summary)
    if size is None:
        sheet.settle()
        spare = max(0, canvas.width() - canvas.needed_width), max(0, canvas.height() - canvas.needed_height)
        sheet.fit(spare, LEAST_WIDTH_PX)
    if step is not None and rows.is_small and step != (Unit.LEVEL, n_levels) and step != (Unit.LETTER, 0):
        unit, at = step
        show(at if unit is Unit.LEVEL else at + n_levels)
    elif top:
        canvas.verticalScrollBar().setValue(top)
    moments = Moments(show, milliseconds) if rows.is_small else None
    return Pictured(sheet, recipe, moments, [theme, rows, steps])
