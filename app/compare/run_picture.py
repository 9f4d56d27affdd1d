"""Pictures and films of maps: a run, and a band that widens until it proves the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.ui.block_map.band_attempts import SLIDER_CELLS, can_slide, verdict
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.block_map_frame import MatrixPath
from wavediff.app.ui.block_map.map_legend import MapLegend
from wavediff.app.ui.block_map.matrix_canvas import MatrixCanvas
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.picture_sheet import END_MS, Moments, Pictured, Sheet, even, light, pair_title
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, duration
from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Recorded
from wavediff.core.run.runner import run_job

SIZE = (780, 880)  # pixels
LEAST_WIDTH_PX = 560  # of the picture of a small matrix, so that its title and legend have room
N_FRAMES, FRAME_MS = 80, 100  # of a film: as long as a replay at normal speed


def run_title(outcome: Comparison) -> str:
    return pair_title(outcome, outcome.method.long_name)


def map_of(outcome: Comparison, recorded: Recorded) -> BlockMapModel:
    return BlockMapModel.of(len(outcome.a), len(outcome.b), *recorded.attempts, recorded)


def map_picture(
    model: BlockMapModel,
    outcome: Comparison | None,
    title: str,
    answer: str,
    *,
    moment: float = 1.0,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of a run, and its film.

    Args:
        model: made for this picture. outcome: has the path and the letters; None: unknown.
        answer: text below the map. moment: shown time, a share of the run. size: pixels; None: automatic.
    """
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
    show(round(moment * N_FRAMES))
    film = Moments(sheet, show, (*[FRAME_MS] * N_FRAMES, END_MS)) if model.playback is not None else None
    return Pictured(sheet, film)


def fit_map(sheet: Sheet, canvas: MatrixCanvas) -> None:
    sheet.settle()
    spare = canvas.frame.room.bottomRight() - canvas.frame.box(canvas.frame.matrix).bottomRight()
    sheet.fit((spare.x() - 2, spare.y() - 2), LEAST_WIDTH_PX)


MAX_BANDS = 60  # of a film; of more edits some are left out
BAND_MS, MIN_BAND_MS, FILM_MS = 1_000, 200, 12_000  # that a band is seen, at most and at least; all of them, about


@dataclass(frozen=True, slots=True, eq=False)
class BandRun:
    """Run with a band for ``threshold`` edits."""

    threshold: int
    result: Any
    recorded: Recorded


def is_banded(outcome: Comparison) -> bool:
    option = outcome.method.option("threshold")
    return option is not None and option.only_with is not None


def band_runs(outcome: Comparison, cancel: CancelToken, *, widening: bool) -> list[BandRun]:
    """Repeat the comparison in the chosen band, or in the narrowest that proves the answer.

    Args:
        widening: repeat it in narrower bands first, at most ``MAX_BANDS`` in all.

    Raises:
        WavediffError: the method has no band, or the matrix is too large for repeated computation.
    """
    option, job = outcome.method.option("threshold"), outcome.job
    if option is None or option.only_with is None:
        raise WavediffError(f"--view band: the method {outcome.method.id} has no band; edit has one")
    if not can_slide(len(job.a), len(job.b)):
        cells = len(job.a) * len(job.b)
        raise WavediffError(f"--view band: {cells:,} cells are not computed band by band; 1 to {SLIDER_CELLS:,} are")
    band, fixed = option.only_with
    last = int(outcome.method.value(outcome.result)) if job.threshold is None else job.threshold
    first = max(0, min(last, abs(len(job.a) - len(job.b)) - 1))  # from there on each edit widens it
    n = min(last - first, MAX_BANDS - 1)
    wanted = [first + round(k * (last - first) / n) for k in range(n + 1)] if widening and n else [last]
    runs = []
    for k in wanted:
        events: list[Event] = []
        one = replace(job, id=next_job_id(), **{band: fixed, option.id: k})
        result = run_job(one, device=Device.CPU, report=events.append, cancel=cancel)
        recorded = next(each for each in reversed(events) if isinstance(each, Recorded))
        runs.append(BandRun(k, result, recorded))
    return runs


def band_picture(outcome: Comparison, runs: Sequence[BandRun], size: tuple[int, int] | None = None) -> Pictured:
    theme = light()
    models = [map_of(outcome, run.recorded) for run in runs]
    canvas = BlockMapCanvas(models[-1], theme, letters=lambda: (outcome.a, outcome.b), is_veiled=True)
    legend = MapLegend(theme)
    title = pair_title(outcome, "Band")
    sheet = Sheet(theme, title, canvas, (legend,), even(size or SIZE))

    def show(step: int) -> None:
        run, model = runs[step], models[step]
        alignment = run.result.alignment
        canvas.show_model(model)
        canvas.show_path(MatrixPath.of(alignment))
        legend.show_map(model, canvas.frame.scale, has_path=alignment is not None, ended=True)
        allowed = f"Room for {count(run.threshold, 'edit', 'edits')}"
        band = model.band
        width = "" if band is None else count(band.n_diagonals, "diagonal", "diagonals")
        width_text = " · ".join(filter(None, (allowed, width)))
        sheet.text.setText(f"{width_text}\n{verdict(run.result, run.threshold)}")

    show(len(runs) - 1)
    if size is None:
        fit_map(sheet, canvas)
    each = max(MIN_BAND_MS, min(BAND_MS, FILM_MS // len(runs)))
    moments = Moments(sheet, show, (*[each] * (len(runs) - 1), END_MS)) if len(runs) > 1 else None
    return Pictured(sheet, moments)
