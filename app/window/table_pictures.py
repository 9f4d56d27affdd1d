"""Pictures of the panels that are tables: figures, timings, skipped work, hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.compare.skipped_work_view import LedgerView
from app.compare.timings_view import TimingsView
from app.search.hits_view import HitsTableView
from app.search.search_view import SearchView
from app.ui.figures_table import FiguresTable
from app.ui.labels import ElidedLabel
from app.ui.picture_sheet import Pictured, light
from app.ui.table_picture import table_picture
from app.ui.table_view import TableView
from app.ui.theme import Theme
from core.base.translate import tr

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class TablePicture:
    """Way in which a panel with a table is pictured.

    Attributes:
        n_rows: rows that it has; make: returns the picture of them, in the light colours.
    """

    n_rows: Callable[[MainWindow], int]
    make: Callable[[MainWindow], Pictured]


def _title(window: MainWindow, part: str) -> str:
    outcome = window.session.outcome
    if outcome is None:
        return tr("{part} – Wavediff", part=part)
    return tr("{a} – {b}: {part}", a=outcome.a.name, b=outcome.b.name, part=part)


def _figures(window: MainWindow, part: str, make: Callable[[Theme], FiguresTable]) -> Pictured:
    theme = light()
    view = make(theme)
    view.line.setVisible(bool(view.line.text))
    model = view.table.model()
    return table_picture(theme, _title(window, part), view, view.table, model.rowCount(), None, {})


def _statistics(window: MainWindow) -> Pictured:
    model = window.session.statistics
    return _figures(window, tr("Statistics"), lambda theme: FiguresTable(model, tr("Statistics"), 2, theme))


def _timings(window: MainWindow) -> Pictured:
    return _figures(window, tr("Timings"), lambda theme: TimingsView(window.session.timings, theme))


def _skipped(window: MainWindow) -> Pictured:
    session = window.session
    return _figures(window, tr("Skipped work"), lambda theme: LedgerView(session.ledger, session.wavefront, theme))


def _search(window: MainWindow) -> Pictured:
    """Return the strip of the hits, how many of each pattern, and those that are in sight."""
    seen, theme, view = window.view(SearchView), light(), QWidget()
    strip = seen.strip.again(theme)
    counts = TableView(seen.patterns, seen.counts.accessibleName(), view, striped=True)
    hits = HitsTableView.in_sight(seen.model, view)
    status = ElidedLabel(parent=view)
    status.set_text(seen.status.text)
    column = QVBoxLayout(view)
    column.setContentsMargins(0, 0, 0, 0)
    for widget in (status, strip, counts):
        column.addWidget(widget)
    column.addWidget(hits, 1)
    row = counts.verticalHeader().defaultSectionSize()
    shown = min(seen.patterns.rowCount(), MAX_PATTERNS)
    counts.setFixedHeight(counts.horizontalHeader().sizeHint().height() + shown * row + 4)
    counts.horizontalHeader().setSectionResizeMode(0, counts.horizontalHeader().ResizeMode.Stretch)
    return table_picture(theme, _title(window, tr("Search")), view, hits, seen.model.rowCount(), None, {})


MAX_PATTERNS = 12  # whose counts are seen
TABLES = {
    "statistics": TablePicture(lambda window: window.session.statistics.height(), _statistics),
    "timings": TablePicture(lambda window: window.session.timings.height(), _timings),
    "skipped": TablePicture(lambda window: window.session.ledger.height(), _skipped),
    "search": TablePicture(lambda window: window.view(SearchView).model.n_rows, _search),
}
