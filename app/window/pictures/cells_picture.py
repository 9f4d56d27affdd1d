"""The cells of a comparison, or its machine words, as a picture of one step, and as the film of all."""

from __future__ import annotations

from collections.abc import Sequence

from wavediff.app.compare.cell_session import Area, WindowCells, path_cells, table_trace
from wavediff.app.compare.run_picture import run_title
from wavediff.app.teach.lesson_film import DEFAULT_SIZE as FILM_SIZE
from wavediff.app.teach.lesson_film import LessonFilm
from wavediff.app.teach.lesson_pictures import DEFAULT_SIZE, ScenePaper
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.picture_sheet import Pictured
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, View
from wavediff.core.jobs.events import Recorded
from wavediff.core.methods.window_job import WINDOW_LETTERS, WindowJob
from wavediff.core.run.runner import run_job
from wavediff.core.teach.lesson import trace_lesson
from wavediff.core.teach.optimal_paths import Cell
from wavediff.core.teach.player import Frame
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
    recipe: Recipe | None = None,
    shows: dict[str, str] | None = None,
    moves: bool = False,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of one step of a trace.

    Args:
        shows: options that make it again; None: there are none. moves: with the film of all steps of ``unit``.
        size: pixels; None: as suits it.

    Raises:
        ExportError: the film has too many steps.
    """
    lesson = trace_lesson(trace, title)
    frame = Frame(lesson.parts[0], None, unit, step)
    paper = ScenePaper(frame, title, trace.say(unit, step), size or DEFAULT_SIZE, path, exact=size is not None)
    frames = LessonFilm(lesson, size or FILM_SIZE, unit=unit, path=path, exact=size is not None) if moves else None
    return Pictured(paper, recipe, None, [lesson], shows or {}, frames, by_command=shows is not None)


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
    """Return the picture of the whole table of a small pair, or of a window of any table, as cells or as words.

    Args:
        recorded: its run, which says where the kernel's matrix begins.
        corner: first row and column of the window, from 1, as typed; None: the whole table, or the first ones.
        unit, step: as typed; None: cells, or rows of many of them, or columns of words, and the last step.

    Raises:
        WavediffError: there is no table that can be shown, or no such step of it.
    """
    area = None if corner is None and view is View.CELLS else _area(outcome, corner or "1,1")
    run = recorded if unit == Unit.WORD else None
    trace = table_trace(outcome) if area is None else _window(outcome, area, run, cancel)
    if trace is None:
        most = MAX_TABLE_LETTERS
        raise WavediffError(
            f"--view cells: the cells of pairs of up to {most} letters are shown, with usual choices; of longer ones "
            "those from --corner ROW,COLUMN on"
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
        recipe=outcome.recipe,
        shows=shown_cells(view, wanted, at, area),
        moves=moves,
        size=size,
    )


def _area(outcome: Comparison, corner: str) -> Area:
    """Return the window that begins with a row and a column, as typed."""
    n, m = int(outcome.job.a.size), int(outcome.job.b.size)
    row, col = (int(one) - 1 for one in corner.split(","))
    if not (0 <= row < n and 0 <= col < m):
        raise WavediffError(f"--corner {corner}: the cells go from 1,1 to {n},{m}")
    return Area(row, col, min(WINDOW_LETTERS, n - row), min(WINDOW_LETTERS, m - col))


def _window(outcome: Comparison, area: Area, run: Recorded | None, cancel: CancelToken) -> Trace:
    """Return the trace of a window, which is computed; ``run``: in the words of its kernel, None: by columns."""
    if not outcome.method.table_of(outcome.job):
        raise WavediffError(f"--view cells, words: there are none of the method {outcome.method.id} with these choices")
    job = WindowJob(pair=outcome.job, row=area.row, col=area.col, n_rows=area.n_rows, n_cols=area.n_cols)
    found = run_job(job, device=Device.CPU, report=lambda _event: None, cancel=cancel)
    # Equal ends are no part of the kernel's matrix.
    grid = run.attempts[-1].grid if run is not None and run.attempts else None
    before = grid.row0 if grid is not None and grid.row0 == grid.col0 else found.before
    cells = WindowCells(outcome, area, found.values, found.words, found.layout, before)
    return cells.by_columns if run is None else cells.in_kernel


def shown_cells(view: View, unit: Unit, step: int, area: Area | None) -> dict[str, str]:
    """Return the options of a picture of cells or words; ``area``: the window, None: the whole table."""
    where = {} if area is None else {"corner": f"{area.row + 1},{area.col + 1}"}
    return {"view": str(view), **where, "unit": str(unit), "step": str(step)}
