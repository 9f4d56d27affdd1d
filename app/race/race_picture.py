"""A race as a picture or a film: maps and clocks side by side, the times by stage, the verdict."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from wavediff.app.race.race_lane_view import LaneView, RaceLane
from wavediff.app.race.race_table import RaceTable, stage_legend
from wavediff.app.race.race_view import race_table_view
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.picture_sheet import END_MS, Moments, Pictured, Sheet, even, light, pair_title
from wavediff.core.export.race import RaceAnswer
from wavediff.core.export.recipe import Recipe, pair_recipe
from wavediff.core.methods import method
from wavediff.core.methods.base import RaceKernel
from wavediff.core.methods.race_job import race_kernels
from wavediff.core.methods.race_result import RaceEntryResult
from wavediff.core.sequences.read_as import ReadAs

SIZE = (1000, 620)  # pixels
N_FRAMES, FRAME_MS = 80, 100


def _lane(result: RaceEntryResult, kernel: RaceKernel, answer: RaceAnswer) -> RaceLane:
    lane, recorded = RaceLane(), result.recorded
    assert recorded is not None
    lane.assign(kernel, answer.result.n, answer.result.m)
    lane.begin(recorded.job_id, 0)
    for attempt in recorded.attempts:
        lane.apply(attempt)
    lane.end(result)
    return lane


def race_recipe(answer: RaceAnswer, *, alignment: bool, read_as: tuple[ReadAs, ...] = ()) -> Recipe:
    """Return the recipe of its picture; takes long for long sequences."""
    kernels = ",".join(leg.id for leg in answer.result.legs)
    words = "--kernels", kernels, "--rounds", str(answer.result.rounds), *([] if alignment else ["--no-alignment"])
    by = method(answer.result.method)
    return pair_recipe("race", answer.a, answer.b, by, words, fold_case=answer.fold_case, read_as=read_as)


def race_picture(answer: RaceAnswer, recipe: Recipe | None, size: tuple[int, int] = SIZE) -> Pictured:
    theme, result = light(), answer.result
    kernels = race_kernels(method(result.method))
    lanes = [_lane(leg, kernels[leg.id], answer) for leg in result.legs]
    track, table = RaceTable(), QWidget()
    views = [LaneView(lane, theme) for lane in lanes]
    in_row(*((view, 1) for view in views), on=table, margin=0)
    times = race_table_view(track, theme)
    track.set_rows(result.legs)
    title = pair_title(answer, "Race")
    sheet = Sheet(theme, title, table, (times, stage_legend(theme)), even(size))
    for column in range(track.columnCount() - 1):
        times.resizeColumnToContents(column)  # in the fonts of the sheet
    sheet.text.setText(result.verdict())
    longest = max((lane.map.recorded_seconds for lane in lanes), default=0.0)

    def show(step: int) -> None:
        for lane, view in zip(lanes, views, strict=True):
            at, total = longest * step / N_FRAMES, lane.map.recorded_seconds
            lane.map.show_moment(None if step >= N_FRAMES or at >= total else at / total)
            lane.show_clock(None if step >= N_FRAMES else at)
            view.show_clock()
            view.canvas.refresh()

    moments = Moments(show, (*[FRAME_MS] * N_FRAMES, END_MS)) if longest else None
    return Pictured(sheet, recipe, moments, [theme, track, *lanes])
