"""Pictures of a comparison by view: maps, cells, words and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from PySide6.QtWidgets import QWidget

from wavediff.app.compare.cell_session import Area, WindowCells, path_cells, table_trace
from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.letters_picture import COLOURS, differences_picture, letters_of, letters_picture, listed_of
from wavediff.app.compare.lines.lines_view import lines_picture
from wavediff.app.compare.run_picture import band_picture, band_runs, map_of, map_picture, run_title
from wavediff.app.compare.skipped_work import LedgerView, SkippedWorkModel
from wavediff.app.compare.statistics_model import StatisticsModel
from wavediff.app.compare.timings_model import TimingsModel, TimingsView
from wavediff.app.search.hits_view import HitsTableView
from wavediff.app.search.search_view import SearchView
from wavediff.app.teach.lesson_pictures import DEFAULT_SIZE, FILM_SIZE, LessonFilm, ScenePaper
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.picture_sheet import Pictured, light, pair_title, table_picture
from wavediff.app.ui.table_view import FiguresTable, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, View
from wavediff.core.jobs.events import KernelTiming, Recorded
from wavediff.core.methods.window_job import WINDOW_LETTERS, WindowJob
from wavediff.core.run.runner import run_job
from wavediff.core.teach.film import moments
from wavediff.core.teach.lesson import trace_lesson
from wavediff.core.teach.player import Frame
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.table import MAX_TABLE_LETTERS
from wavediff.core.teach.unit import Unit

CELLS_ONE_BY_ONE = 400  # of a table whose film goes cell by cell; of a larger one row by row


def trace_picture(
    trace: Trace,
    title: str,
    unit: Unit,
    step: int,
    *,
    path: Sequence[Cell] = (),
    moves: bool = False,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of one step of a trace.

    Args:
        moves: make also a film of all steps of ``unit``. size: pixels; None: automatic.

    Raises:
        ExportError: the film has too many steps.
    """
    lesson = trace_lesson(trace, title)
    frame = Frame(lesson.parts[0], None, unit, step)
    paper = ScenePaper(frame, title, trace.say(unit, step), size or DEFAULT_SIZE, path, exact=size is not None)
    frames = LessonFilm(moments(lesson, unit), size or FILM_SIZE, path=path) if moves else None
    return Pictured(paper, frames)


def cells_picture(
    outcome: Comparison,
    view: View,
    recorded: Recorded,
    cancel: CancelToken,
    *,
    corner: str | None = None,
    unit: str | None = None,
    step: int | None = None,
    moves: bool = False,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of the full table of a small pair, or of a window, as cells or words.

    Args:
        recorded: its run, for the start of the kernel's matrix.
        corner: first row and column of the window, 1-based, as typed; None: the whole table, or the first window.
        unit, step: as typed; None: cells (rows for many cells, columns for words), and the last step.

    Raises:
        WavediffError: no table with these options or of these sequences, or no such step.
    """
    if not outcome.method.table_of(outcome.job):
        raise WavediffError(f"--view cells, words: the method {outcome.method.id} has none with these options")
    area = None if corner is None and view is View.CELLS else _area(outcome, corner or "1,1")
    run = recorded if unit == Unit.WORD else None
    trace = table_trace(outcome) if area is None else _window(outcome, area, run, cancel)
    if trace is None and not (len(outcome.a) and len(outcome.b)):
        raise WavediffError("--view cells: a sequence is empty, so there are no cells")
    if trace is None:
        raise WavediffError(
            f"--view cells: a pair of more than {MAX_TABLE_LETTERS} letters needs --corner ROW,COLUMN, its first cell"
        )
    usual = Unit.COLUMN
    if view is View.CELLS:
        usual = Unit.CELL if not moves or len(outcome.a) * len(outcome.b) <= CELLS_ONE_BY_ONE else Unit.ROW
    wanted = Unit(unit) if unit else usual
    if wanted not in trace.units:
        raise WavediffError(f"--unit {wanted}: {view} are stepped by {', '.join(trace.units)}")
    last = trace.steps(wanted)
    at = last if step is None else step
    if at > last:
        raise WavediffError(f"--step {at}: the steps go from 0 to {last}")
    return trace_picture(
        trace,
        run_title(outcome),
        wanted,
        at,
        path=path_cells(outcome.result) if area is None else (),
        moves=moves,
        size=size,
    ).by(outcome.recipe.with_options(shown_cells(view, wanted, at, area)))


def _area(outcome: Comparison, corner: str) -> Area:
    n, m = int(outcome.job.a.size), int(outcome.job.b.size)
    row, col = (int(one) - 1 for one in corner.split(","))
    if not (0 <= row < n and 0 <= col < m):
        raise WavediffError(f"--corner {corner}: the cells go from 1,1 to {n},{m}")
    return Area(row, col, min(WINDOW_LETTERS, n - row), min(WINDOW_LETTERS, m - col))


def _window(outcome: Comparison, area: Area, run: Recorded | None, cancel: CancelToken) -> Trace:
    """Return the computed trace of a window; ``run``: in the kernel's words, None: by columns."""
    job = WindowJob(pair=outcome.job, row=area.row, col=area.col, n_rows=area.n_rows, n_cols=area.n_cols)
    found = run_job(job, device=Device.CPU, report=lambda _event: None, cancel=cancel)
    # Equal ends are no part of the kernel's matrix.
    grid = run.attempts[-1].grid if run is not None and run.attempts else None
    before = grid.row0 if grid is not None and grid.row0 == grid.col0 else found.before
    cells = WindowCells(outcome, area, found.values, found.words, found.layout, before)
    return cells.by_columns if run is None else cells.in_kernel


def shown_cells(view: View, unit: Unit, step: int, area: Area | None) -> dict[str, str]:
    """Return the options of a picture of cells or words; ``area``: the window, None: full table."""
    where = {} if area is None else {"corner": f"{area.row + 1},{area.col + 1}"}
    return {"view": str(view), **where, "unit": str(unit), "step": str(step)}


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
    """Return the picture of one part of a comparison, and its film if animated.

    Args:
        recorded, timings: its run. moves: make a film. size: pixels; None: automatic.
        asked: options of this view that select its part.

    Raises:
        WavediffError: the comparison has no such part.
    """
    try:
        match view:
            case View.CELLS | View.WORDS:
                return cells_picture(outcome, view, recorded, cancel, **asked, moves=moves, size=size)
            case View.LETTERS:
                colours = COLOURS[asked.get("colours", "differences")]
                at = asked.get("at", "1")
                made = letters_picture(letters_of(outcome), outcome.full_text, at=at, colours=colours, size=size)
            case View.LINES:
                made = lines_picture(outcome, **asked, size=size)
            case View.DIFFERENCES:
                listing = Listing.of(asked)
                made = differences_picture(listed_of(outcome, listing), outcome.full_text, asked=listing, size=size)
            case View.BAND:
                made = band_picture(outcome, band_runs(outcome, cancel, widening=moves), size)
            case View.MAP:
                model = map_of(outcome, recorded)
                made = map_picture(model, outcome, run_title(outcome), outcome.full_text, **asked, size=size)
            case _:
                made = figures_picture(view, figures_of(outcome, recorded, timings), outcome, size)
        return made.by(outcome.recipe.with_options({"view": view, **asked}))
    except ValueError as error:
        raise WavediffError(f"--view {view}: {error}") from error


def figures_of(outcome: Comparison, recorded: Recorded, timings: Iterable[KernelTiming]) -> SimpleNamespace:
    """Return the data for the tables of a run, with the attribute names of a session."""
    wavefront = map_of(outcome, recorded)
    found = SimpleNamespace(
        statistics=StatisticsModel(), timings=TimingsModel(), ledger=SkippedWorkModel(), wavefront=wavefront
    )
    found.statistics.show_now(outcome)
    found.timings.start(recorded.job_id, recorded.device)
    for each in timings:
        found.timings.apply(each._replace(job_id=recorded.job_id))
    found.timings.flush()
    found.ledger.show(outcome, wavefront.grid, computed_text(wavefront, outcome))
    return found


def figures_picture(
    view: View, figures: Any, outcome: Comparison | None, size: tuple[int, int] | None = None
) -> Pictured:
    """Return the picture of a table of ``FIGURES``.

    Args:
        figures: a session, or ``figures_of`` a run. size: pixels; None: automatic.
    """
    theme, (title, make) = light(), FIGURES[view]
    panel = make(figures, theme)
    panel.line.setVisible(bool(panel.line.text))
    n_rows = panel.table.model().rowCount()
    return table_picture(theme, pair_title(outcome, title), panel, panel.table, n_rows, size)


def hits_picture(seen: SearchView, outcome: Comparison | None) -> Pictured:
    """Return the picture of a search: overview strip, hits per pattern, and visible rows of the table of hits."""
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
    return table_picture(theme, pair_title(outcome, "Search"), view, hits, seen.model.rowCount())


MAX_PATTERNS = 12  # whose counts are seen
FIGURES: dict[View, tuple[str, Callable[[Any, Theme], FiguresTable]]] = {
    View.STATISTICS: ("Statistics", lambda of, theme: FiguresTable(of.statistics, "Statistics", 2, theme)),
    View.TIMINGS: ("Timings", lambda of, theme: TimingsView(of.timings, theme)),
    View.SKIPPED: ("Skipped work", lambda of, theme: LedgerView(of.ledger, of.wavefront, theme)),
}
