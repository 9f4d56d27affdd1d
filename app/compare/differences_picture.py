"""The list of differences as a picture."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.compare.alignment_model import AlignmentModel
from app.compare.differences_model import DifferencesTable
from app.compare.differences_rows import dress, fit_columns
from app.ui.labels import ElidedLabel
from app.ui.long_table import LongTableView
from app.ui.picture_sheet import Pictured, light
from app.ui.table_picture import table_picture
from core.base.translate import tr, tr_n
from core.export.differences import ListedDifferences
from core.jobs.choices import View
from core.jobs.difference_index import Kinds
from core.reading.recipe import Recipe


def differences_picture(
    model: AlignmentModel,
    recipe: Recipe | None,
    answer: str,
    *,
    listed: ListedDifferences | None = None,
    top: int = 0,
    sorted_by: tuple[int, bool] = (0, False),
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the rows from ``top`` on.

    Args:
        answer: stands above. listed: in which order; None: all, from the first.
        sorted_by: column, and whether the greatest come first. size: pixels; None: as suits it.
    """
    theme, view = light(), QWidget()
    rows = DifferencesTable(theme, view)
    table = LongTableView(rows, tr("List of differences"), view)
    dress(table, rows, theme)
    fit_columns(table.rows, model)
    table.bar.hide()
    table.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    line = ElidedLabel(parent=view)
    column = QVBoxLayout(view)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(line)
    column.addWidget(table, 1)
    found = listed or ListedDifferences(model.a, model.b, model.index, Kinds.ANY)
    listing = tr_n("{n} difference", "{n} differences", len(found))
    line.set_text(f"{answer} · {listing}")
    rows.show_sorted(*sorted_by)
    rows.show(found)
    title = tr("{a} – {b}: {part}", a=model.a.name, b=model.b.name, part=tr("Differences"))
    shows = {"view": str(View.DIFFERENCES)}
    pictured = table_picture(theme, title, view, table.rows, len(found), recipe, shows, size)
    table.fit()
    rows.look(min(top, max(0, len(found) - table.height_in_rows())), table.height_in_rows())
    return pictured
