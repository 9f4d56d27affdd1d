"""The list of differences, or of hunks, as a picture."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.difference_list import Listed
from wavediff.app.compare.differences_model import DifferencesTable, kind_of
from wavediff.app.compare.differences_order import Listing
from wavediff.app.compare.differences_rows import dress, fit_columns, show_effects
from wavediff.app.compare.letters_picture import letters_of
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.picture_sheet import Pictured, light, pair_title
from wavediff.app.ui.table_picture import table_picture
from wavediff.core.export.hunks import all_hunks
from wavediff.core.export.recipe import Recipe
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.features.effects import effects_of
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.difference_index import Kinds, usual_kinds
from wavediff.core.jobs.word_view import line_view

USUAL = Listing()


def differences_picture(
    listed: Listed,
    recipe: Recipe | None,
    answer: str,
    *,
    asked: Listing = USUAL,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the rows that are asked for.

    Args:
        listed: in the order of ``asked``. answer: stands above. size: pixels; None: as suits it.
    """
    theme, view = light(), QWidget()
    rows, kind = DifferencesTable(view), kind_of(listed)
    table = LongTableView(rows, f"List of {kind.words[1]}")
    dress(table, rows, theme)
    fit_columns(table.rows, listed)
    table.bar.hide()
    table.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    line = ElidedLabel(parent=view)
    in_column(line, (table, 1), on=view, margin=0)
    line.set_text(f"{answer} · {kind.shown(listed)}")
    rows.show_sorted(asked.column, asked.descending)
    rows.show(listed)
    show_effects(table.rows, listed)
    title = pair_title(listed, kind.words[1].capitalize())
    shows = {"view": str(View.DIFFERENCES), **asked.words}
    pictured = table_picture(theme, title, view, table.rows, len(listed), recipe, shows, size)
    table.fit()
    top = max(0, rows.row_of(asked.first - 1)) if asked.first else 0
    rows.look(min(top, max(0, len(listed) - table.height_in_rows())), table.height_in_rows())
    return pictured


def listed_of(outcome: Comparison, asked: Listing) -> Listed:
    """Return the differences, or the hunks, of a comparison as they are asked for.

    Raises:
        ValueError: there are no such ones.
    """
    listed: Listed
    if not outcome.method.of_letters:
        if asked.kinds != Kinds.COUNTED:
            raise ValueError("--kinds are of letters, and hunks have lines of several kinds")
        listed = all_hunks(line_view(outcome.result, outcome.a, outcome.b))
    else:
        model = letters_of(outcome)
        kinds = asked.kinds if asked.kinds != Kinds.COUNTED else usual_kinds(model.index)
        listed = ListedDifferences(
            model.a, model.b, model.index, kinds, effects=effects_of(model.a, model.b, model.index)
        )
    found: Listed = kind_of(listed).arranged(listed, asked)
    return found
