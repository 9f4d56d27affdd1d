"""The list of differences as a picture."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.differences_model import DifferencesTable, shown_of
from wavediff.app.compare.differences_order import Listing, arranged
from wavediff.app.compare.differences_rows import dress, fit_columns
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.picture_sheet import Pictured, light, pair_title
from wavediff.app.ui.table_picture import table_picture
from wavediff.core.export.recipe import Recipe
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.difference_index import Kinds, usual_kinds

USUAL = Listing()


def differences_picture(
    model: AlignmentModel,
    recipe: Recipe | None,
    answer: str,
    *,
    asked: Listing = USUAL,
    listed: ListedDifferences | None = None,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the rows that are asked for.

    Args:
        answer: stands above. listed: these rows, where they were sorted before. size: pixels; None: as suits it.
    """
    theme, view = light(), QWidget()
    rows = DifferencesTable(theme, view)
    table = LongTableView(rows, "List of differences")
    dress(table, rows, theme)
    fit_columns(table.rows, model)
    table.bar.hide()
    table.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    line = ElidedLabel(parent=view)
    in_column(line, (table, 1), on=view, margin=0)
    kinds = asked.kinds if asked.kinds != Kinds.COUNTED else usual_kinds(model.index)
    found = listed or _arranged(ListedDifferences(model.a, model.b, model.index, kinds), asked)
    line.set_text(f"{answer} · {shown_of(found)}")
    rows.show_sorted(asked.column, asked.descending)
    rows.show(found)
    title = pair_title(model, "Differences")
    shows = {"view": str(View.DIFFERENCES), **asked.words}
    pictured = table_picture(theme, title, view, table.rows, len(found), recipe, shows, size)
    table.fit()
    top = max(0, rows.row_of(asked.first - 1)) if asked.first else 0
    rows.look(min(top, max(0, len(found) - table.height_in_rows())), table.height_in_rows())
    return pictured


def _arranged(listed: ListedDifferences, asked: Listing) -> ListedDifferences:
    return replace(listed, order=arranged(listed, asked.column, asked.descending, asked.least))
