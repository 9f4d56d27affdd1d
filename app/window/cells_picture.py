"""The cells of a comparison, or its machine words, as a picture of one step, and as the film of all."""

from __future__ import annotations

from collections.abc import Sequence

from app.compare.cell_session import path_cells, table_trace
from app.teach.lesson_film import DEFAULT_SIZE as FILM_SIZE
from app.teach.lesson_film import LessonFilm
from app.teach.lesson_pictures import DEFAULT_SIZE, ScenePaper
from app.ui.comparison import Comparison
from app.ui.picture_sheet import Pictured
from core.base.errors import WavediffError
from core.base.translate import tr
from core.jobs.choices import View
from core.reading.recipe import Recipe
from core.teach.lesson import trace_lesson
from core.teach.optimal_paths import Cell
from core.teach.player import Frame
from core.teach.scene import Trace
from core.teach.table import MAX_TABLE_LETTERS
from core.teach.unit import Unit

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


def cells_title(outcome: Comparison) -> str:
    """Return the title of a picture of cells."""
    return tr("{a} – {b}: {part}", a=outcome.a.name, b=outcome.b.name, part=tr(outcome.method.long_name))


def cells_picture(
    outcome: Comparison, *, unit: str | None, step: int | None, moves: bool, size: tuple[int, int] | None = None
) -> Pictured:
    """Return the picture of the whole table of a small pair.

    Args:
        unit, step: as typed; None: cells, or rows of many of them, and the last step.

    Raises:
        WavediffError: there is no table that can be shown, or no such step of it.
    """
    trace = table_trace(outcome)
    if trace is None:
        most = MAX_TABLE_LETTERS
        raise WavediffError(f"--view cells: the cells of pairs of up to {most} letters are shown, with usual choices")
    n_cells = len(outcome.a) * len(outcome.b)
    usual = Unit.CELL if not moves or n_cells <= CELLS_ONE_BY_ONE else Unit.ROW
    wanted = Unit(unit) if unit else usual
    if wanted not in trace.units:
        raise WavediffError(f"--unit {wanted}: the cells are stepped by {', '.join(trace.units)}")
    last = trace.steps(wanted)
    at = last if step is None else step
    if at > last:
        raise WavediffError(f"--step {at}: the steps go from 0 to {last}")
    return trace_picture(
        trace,
        cells_title(outcome),
        wanted,
        at,
        path=path_cells(outcome.result),
        recipe=outcome.recipe,
        shows=shown_cells(wanted, at),
        moves=moves,
        size=size,
    )


def shown_cells(unit: Unit, step: int) -> dict[str, str]:
    """Return the options of a picture of cells."""
    return {"view": str(View.CELLS), "unit": str(unit), "step": str(step)}
