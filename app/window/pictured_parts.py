"""The one list of what the window can picture: its parts, what each is made from, and what moves in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.batch.batch_view import BatchView
from app.batch.heat_picture import heat_recipe
from app.bwt.bwt_view import BwtView
from app.bwt.indexed_text import Source
from app.bwt.rows_picture import rows_picture, rows_recipe
from app.compare.run_picture import shown_picture
from app.race.race_picture import of_again, race_picture, race_recipe
from app.teach.lesson_film import LessonFilm
from app.teach.lesson_pictures import frame_options, lesson_recipe
from app.teach.lesson_view import LessonView
from app.ui.film_maker import Film
from app.ui.pair import Side
from app.window.answer_text import answer_text
from app.window.panels import COMPUTATION
from core.base.errors import printable
from core.base.translate import tr
from core.jobs.choices import Pairing
from core.reading.recipe import Recipe

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

MakeFilm = Callable[[Recipe | None], Film]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the window.

    Attributes:
        area: that is clicked and has the focus. widget: that is painted as it is seen.
        title: stands above; empty = that of the pair. keep: what the widget needs, as long as it does.
        recipe: finds what it is made from, on any thread: that takes long for long sequences.
        film: makes what moves in it, on the window's thread; None where nothing does.
    """

    area: QWidget
    widget: QWidget
    recipe: Callable[[], Recipe | None]
    film: MakeFilm | None = None
    title: str = ""
    keep: object = None


def parts_of(window: MainWindow) -> dict[str, Part]:
    """Return the parts that are seen, by their names."""
    outcome, lower = window.session.outcome, window.tabs.current
    of_pair = partial(_recipe_of, outcome)
    centre = window.centralWidget() or window
    letters, panel, map_ = window.alignment, window.areas[lower.id], window.areas[COMPUTATION]
    own = _OF_PANELS.get(lower.id)
    found = {
        tr("Letters"): Part(letters, letters, of_pair),
        tr(lower.title): (own and own(window, panel)) or Part(panel, panel, of_pair),
        tr("Computation"): Part(map_, map_, of_pair, _run_film(window)),
        tr("Window"): Part(centre, centre, of_pair),
    }
    return {name: part for name, part in found.items() if part.area.isVisible()}


def _recipe_of(outcome: object) -> Recipe | None:
    found: Recipe | None = getattr(outcome, "recipe", None)
    return found


def _run_film(window: MainWindow) -> MakeFilm | None:
    session = window.session
    outcome, model = session.outcome, session.wavefront
    if outcome is None or not model.can_replay or model.job_id != outcome.job.id:
        return None
    answer = answer_text(session, 0.0).sentence
    return lambda recipe: shown_picture(outcome, model, answer, recipe)


def _race(window: MainWindow, area: QWidget) -> Part | None:
    race = window.session.race
    outcome, lanes = race.outcome, race.lanes[: race.n_lanes]
    if outcome is None:
        return None
    moves = any(lane.map.can_replay for lane in lanes)
    laid = race_picture(outcome, of_again(lanes), None)  # without its choosers, and with all of its table
    laid.sheet.title.hide()

    def film(recipe: Recipe | None) -> Film:
        return race_picture(outcome, of_again(lanes), recipe)

    recipe = partial(race_recipe, outcome, alignment=race.path)
    return Part(area, laid.sheet, recipe, film if moves else None, keep=laid)


def _many(window: MainWindow, area: QWidget) -> Part | None:
    many, heat = window.session.many, window.view(BatchView).map
    outcome = many.outcome
    if outcome is None or outcome.result.pairs is not Pairing.ALL_TO_ALL:
        return None
    names = " × ".join(dict.fromkeys(printable(one.source) for one in (outcome.a, outcome.b)))
    title = tr("{name}: {part}", name=names, part=tr("Many pairs"))
    return Part(area, heat, partial(heat_recipe, outcome, dict(many.values)), title=title)


def _transform(window: MainWindow, area: QWidget) -> Part | None:
    shown, view, pair = window.session.transform.current, window.view(BwtView), window.session.pair
    if shown is None:
        return None
    sides = {Source.A: (Side.A,), Source.B: (Side.B,), Source.BOTH: tuple(Side)}.get(shown.source, ())
    inputs = [one for side in sides if (one := pair.original(side)) is not None]
    recipe: Callable[[], Recipe | None] = partial(rows_recipe, inputs, fold_case=shown.index.fold_case)
    film = partial(rows_picture, shown) if shown.small is not None else None
    title = tr("{name}: {part}", name=shown.name, part=tr("Burrows-Wheeler transform"))
    return Part(area, view.canvas, recipe if inputs else lambda: None, film, title)


def _lesson(window: MainWindow, area: QWidget) -> Part | None:
    view = window.view(LessonView)
    player = view.player
    if player is None:
        return None
    lesson = player.lesson
    recipe = partial(lesson_recipe, lesson, *frame_options(lesson, player.frame))
    return Part(area, view.stage, recipe, lambda _recipe: LessonFilm(lesson), lesson.title)


_OF_PANELS: dict[str, Callable[[MainWindow, QWidget], Part | None]] = {
    "race": _race,
    "batch": _many,
    "bwt": _transform,
    "lessons": _lesson,
}
