"""A run as a picture or a film: the map of the computation with its axes, its legend, a clock and the answer."""

from __future__ import annotations

from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.ui.block_map.alignment_path import MatrixPath
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.map_legend import MapLegend
from wavediff.app.ui.block_map.matrix_canvas import MatrixCanvas
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.picture_sheet import END_MS, Moments, Pictured, Sheet, even, light, pair_title
from wavediff.core.base.numbers import duration
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import Recorded

SIZE = (780, 880)  # pixels
LEAST_WIDTH_PX = 560  # of the picture of a small matrix, so that its title and legend have room
N_FRAMES, FRAME_MS = 80, 100  # of a film: as long as a replay at normal speed


def run_picture(
    outcome: Comparison,
    recorded: Recorded,
    answer: str,
    *,
    moment: float = 1.0,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of a run that was recorded, and its film.

    Args:
        answer: stands below. moment: that the picture shows, a share of the run's time. size: pixels; None:
            no more than the map needs.
    """
    model = BlockMapModel.of(len(outcome.a), len(outcome.b), *recorded.attempts, recorded)
    return _pictured(model, outcome, run_title(outcome), answer, outcome.recipe, size, moment)


def run_title(outcome: Comparison) -> str:
    return pair_title(outcome, outcome.method.long_name)


def shown_picture(
    model: BlockMapModel, outcome: Comparison | None, title: str, answer: str, *, share: float = 1.0
) -> Pictured:
    """Return the same of a run that a map shows, which stays as it is.

    Args:
        outcome: whose path the map shows; None where the letters are not there. share: 0 to 1, how far it is replayed.
    """
    copy = BlockMapModel.of(model.n, model.m, *model.told)
    if model.colours is not None:
        copy.colour_by(model.colours.by)
    return _pictured(copy, outcome, title, answer, None, None, share)


def _pictured(
    model: BlockMapModel,
    outcome: Comparison | None,
    title: str,
    answer: str,
    recipe: Recipe | None,
    size: tuple[int, int] | None,
    share: float = 1.0,
) -> Pictured:
    theme = light()
    letters = (None, None) if outcome is None else (outcome.a, outcome.b)
    canvas, legend = BlockMapCanvas(model, theme, letters=lambda: letters), MapLegend(theme)
    path = None if outcome is None else MatrixPath.of(outcome.result.alignment, model.axes, outcome.result)
    sheet = Sheet(theme, title, canvas, (legend,), even(size or SIZE))
    total = model.recorded_seconds

    def show(step: int) -> None:
        at_end = step >= N_FRAMES or model.playback is None
        model.show_moment(None if at_end else step / N_FRAMES)
        canvas.show_path(path if at_end else None)
        known = path if at_end else None
        has_moved = known is not None and len(known.moved) > 0
        legend.show_map(model, canvas.frame.scale, has_path=known is not None, ended=at_end, has_moved=has_moved)
        clock = f"{duration(total * step / N_FRAMES)} of {duration(total)}"
        how = computed_text(model, outcome)
        sheet.text.setText("\n".join((answer, " · ".join(filter(None, (clock if total else "", how))))))

    show(N_FRAMES)
    if size is None:
        fit_map(sheet, canvas)
    seen = round(share * N_FRAMES)
    show(seen)
    moments = Moments(show, (*[FRAME_MS] * N_FRAMES, END_MS)) if model.playback is not None else None
    moment = {"moment": f"{round(100 * seen / N_FRAMES)}%"} if seen < N_FRAMES and model.playback is not None else {}
    return Pictured(sheet, recipe, moments, [theme, model], {"view": str(View.MAP), **moment})


def fit_map(sheet: Sheet, canvas: MatrixCanvas) -> None:
    """Make a sheet no larger than its map needs."""
    sheet.settle()
    spare = canvas.frame.room.bottomRight() - canvas.frame.box(canvas.frame.matrix).bottomRight()
    sheet.fit((spare.x() - 2, spare.y() - 2), LEAST_WIDTH_PX)
