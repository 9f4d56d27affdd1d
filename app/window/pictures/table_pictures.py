"""Pictures of a comparison by view, and of the panels that are tables: figures, timings, skipped work, hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from wavediff.app.compare.band_picture import band_picture, band_runs
from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.compare.differences_order import Listing
from wavediff.app.compare.differences_picture import differences_picture, listed_of
from wavediff.app.compare.letters_picture import COLOURS, letters_of, letters_picture
from wavediff.app.compare.lines.lines_picture import lines_picture
from wavediff.app.compare.run_picture import run_picture
from wavediff.app.compare.skipped_work import SkippedWorkModel
from wavediff.app.compare.skipped_work_view import LedgerView
from wavediff.app.compare.statistics_model import StatisticsModel
from wavediff.app.compare.timings_model import TimingsModel
from wavediff.app.compare.timings_view import TimingsView
from wavediff.app.search.hits_view import HitsTableView
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.figures_table import FiguresTable
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.picture_sheet import Pictured, light, pair_title
from wavediff.app.ui.table_picture import table_picture
from wavediff.app.ui.table_view import TableView
from wavediff.app.ui.theme import Theme
from wavediff.app.window.pictures.cells_picture import cells_picture
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import KernelTiming, Recorded


def view_picture(
    view: View,
    outcome: Comparison,
    recorded: Recorded,
    timings: Iterable[KernelTiming],
    cancel: CancelToken,
    *,
    moves: bool,
    asked: Mapping[str, Any],
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of one part of a comparison, and its film where it moves.

    Args:
        recorded, timings: its run. moves: a film is wanted. size: pixels; None: as suits it.
        asked: options that say which part of the view is seen; only those of this view.

    Raises:
        WavediffError: there is no such part of this comparison.
    """
    try:
        recipe, answer = outcome.recipe, outcome.told
        match view:
            case View.LETTERS:
                colours = COLOURS[asked.get("colours", "differences")]
                at = asked.get("at", "1")
                return letters_picture(letters_of(outcome), recipe, answer, at=at, colours=colours, size=size)
            case View.LINES:
                return lines_picture(outcome, recipe, answer, **asked, size=size)
            case View.DIFFERENCES:
                listing = Listing.of(asked)
                return differences_picture(listed_of(outcome, listing), recipe, answer, asked=listing, size=size)
            case View.BAND:
                return band_picture(outcome, band_runs(outcome, cancel, widening=moves), recipe, size)
            case View.CELLS | View.WORDS:
                return cells_picture(outcome, view, recorded, cancel, **asked, moves=moves, size=size)
            case View.MAP:
                return run_picture(outcome, recorded, answer, **asked, size=size)
        return figures_picture(view, FiguresOfRun.of(outcome, recorded, timings), outcome, recipe, size)
    except ValueError as error:
        raise WavediffError(f"--view {view}: {error}") from error


class Figures(Protocol):
    """Figures of a comparison: those of the window, or of a run on the command line."""

    @property
    def statistics(self) -> StatisticsModel: ...
    @property
    def timings(self) -> TimingsModel: ...
    @property
    def ledger(self) -> SkippedWorkModel: ...
    @property
    def wavefront(self) -> BlockMapModel: ...


@dataclass(frozen=True, slots=True)
class FiguresOfRun:
    """Figures of a run that is over."""

    statistics: StatisticsModel
    timings: TimingsModel
    ledger: SkippedWorkModel
    wavefront: BlockMapModel

    @classmethod
    def of(cls, outcome: Comparison, recorded: Recorded, timings: Iterable[KernelTiming]) -> FiguresOfRun:
        found = cls(
            StatisticsModel(), TimingsModel(), SkippedWorkModel(),
            BlockMapModel.of(len(outcome.a), len(outcome.b), *recorded.attempts, recorded),
        )  # fmt: skip
        found.statistics.show_now(outcome)
        found.timings.start(recorded.job_id, recorded.device)
        for each in timings:
            found.timings.apply(each._replace(job_id=recorded.job_id))
        found.timings.flush()
        found.ledger.show(outcome, found.wavefront.grid, computed_text(found.wavefront, outcome))
        return found


@dataclass(frozen=True, slots=True)
class _Table:
    """Part of a comparison whose picture is a table; ``make``: its panel, in the colours of a theme."""

    title: str
    make: Callable[[Figures, Theme], FiguresTable]


def figures_picture(
    view: View,
    figures: Figures,
    outcome: Comparison | None,
    recipe: Recipe | None = None,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of a table of ``FIGURES``; ``size``: pixels, None: as its rows need."""
    theme, table = light(), FIGURES[view]
    panel = table.make(figures, theme)
    panel.line.setVisible(bool(panel.line.text))
    shows = {} if outcome is None else {"view": str(view)}
    n_rows = panel.table.model().rowCount()
    pictured = table_picture(
        theme, pair_title(outcome, table.title), panel, panel.table, n_rows, recipe, shows, size, keep=(figures,)
    )
    panel.table.resizeColumnsToContents()  # in the fonts of the sheet
    return pictured


def hits_picture(seen: SearchView, outcome: Comparison | None) -> Pictured:
    """Return the strip of the hits, how many of each pattern, and those that are in sight."""
    theme, view = light(), QWidget()
    strip = seen.strip.again(theme)
    counts = TableView(seen.patterns, seen.counts.accessibleName(), view, striped=True)
    hits = HitsTableView.in_sight(seen.model, view)
    status = ElidedLabel(parent=view)
    status.set_text(seen.status.text)
    in_column(status, strip, counts, (hits, 1), on=view, margin=0)
    row = counts.verticalHeader().defaultSectionSize()
    shown = min(seen.patterns.rowCount(), MAX_PATTERNS)
    counts.setFixedHeight(counts.horizontalHeader().sizeHint().height() + shown * row + 4)
    counts.horizontalHeader().setSectionResizeMode(0, counts.horizontalHeader().ResizeMode.Stretch)
    return table_picture(theme, pair_title(outcome, "Search"), view, hits, seen.model.rowCount(), None, {})


MAX_PATTERNS = 12  # whose counts are seen
FIGURES = {
    View.STATISTICS: _Table(
        "Statistics", lambda figures, theme: FiguresTable(figures.statistics, "Statistics", 2, theme)
    ),
    View.TIMINGS: _Table("Timings", lambda figures, theme: TimingsView(figures.timings, theme)),
    View.SKIPPED: _Table("Skipped work", lambda figures, theme: LedgerView(figures.ledger, figures.wavefront, theme)),
}
