"""A table as a picture: its rows and headings, without what is there to be clicked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QTableView,
    QWidget,
)

from wavediff.app.ui.picture_sheet import Pictured, Sheet
from wavediff.app.ui.theme import Theme
from wavediff.core.export.recipe import Recipe

WIDTH_PX = 1_000
MAX_ROWS = 60  # of a picture, unless it is asked to be larger
CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


def without_controls(view: QWidget) -> QWidget:
    for kind in CONTROLS:
        for child in view.findChildren(kind):
            child.hide()
    for area in view.findChildren(QAbstractScrollArea):
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view


def table_picture(
    theme: Theme,
    title: str,
    view: QWidget,
    table: QTableView,
    n_rows: int,
    recipe: Recipe | None,
    shows: Mapping[str, str],
    size: tuple[int, int] | None = None,
    keep: tuple[object, ...] = (),
) -> Pictured:
    """Return the picture of a view with a table in it, as high as its rows need.

    Args:
        view: made for this picture in the light colours of ``theme``; the sheet keeps it.
        n_rows: that there are. size: pixels; None: as suits it. keep: what must live as long as the picture.
    """
    sheet = Sheet(theme, title, without_controls(view), (), QSize(*(size or (WIDTH_PX, WIDTH_PX))))
    sheet.text.hide()
    sheet.settle()
    if size is None:
        row, head = table.verticalHeader().defaultSectionSize(), table.horizontalHeader().height()
        needed = head + max(1, min(n_rows, MAX_ROWS)) * row + 2 * table.frameWidth()
        sheet.resize(sheet.width(), sheet.height() - table.height() + needed)
        sheet.settle()
    return Pictured(sheet, recipe, None, [theme, *keep], shows, by_command=bool(shows))
