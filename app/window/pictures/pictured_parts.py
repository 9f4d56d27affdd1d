"""Table of the parts of the window that can be exported as pictures: inputs and animation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from PySide6.QtWidgets import QWidget

from wavediff.app.batch.batch_view import BatchView
from wavediff.app.batch.heat_map import heat_picture, heat_recipe
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.bwt.indexed_text import Source
from wavediff.app.bwt.row_steps import located_rows, rows_picture
from wavediff.app.compare.blocks.blocks_view import blocks_picture
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.contigs.contigs_view import contigs_picture
from wavediff.app.compare.difference_list import ListedParts
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.dots.dots_picture import dots_picture, fine_tiles, seen_dots
from wavediff.app.compare.given_view import GivenView, given_picture
from wavediff.app.compare.letters_picture import COLOURS, differences_picture, letters_picture
from wavediff.app.compare.lines.lines_view import CLOSED, lines_picture
from wavediff.app.compare.replay import N_STEPS
from wavediff.app.compare.run_picture import band_picture, band_runs, is_banded, map_picture, run_title
from wavediff.app.race.race_view import race_picture, race_recipe
from wavediff.app.search.search_view import SearchView
from wavediff.app.teach.lesson_pictures import filmed, frame_options, lesson_picture, lesson_recipe
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.block_map.band_attempts import can_slide
from wavediff.app.ui.pair import Comparison, Side
from wavediff.app.ui.picture_sheet import Pictured, SeenPaper, pair_title
from wavediff.app.ui.table_view import FiguresTable
from wavediff.app.window.panels.panels import COMPUTATION, Panel
from wavediff.app.window.panels.shell import Shell
from wavediff.app.window.pictures.view_pictures import (
    FIGURES,
    figures_picture,
    hits_picture,
    shown_cells,
    trace_picture,
)
from wavediff.app.window.session import Session
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.recipe import Recipe, file_input, recipe_of
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Pairing, View
from wavediff.core.sequences.letter_rules import CaseRule


@dataclass(frozen=True, slots=True)
class Part:
    """Exportable part of the window.

    Attributes:
        area: the clicked widget, with the focus.
        make: returns the picture, from the result of ``prepare`` if any; on the window's thread.
        recipe: returns its recipe, on any thread, as it is slow for long sequences.
        film: returns the film; its recipe, if None, is that of the picture. None: ``make`` returns the film too.
        prepare: computes further data of the picture, on any thread; None: nothing.
        name: of the view, if the part has several views; used in file names.
        why_not: text that it shows instead of content, so that it is no figure; empty: it has content.
    """

    area: QWidget
    make: Callable[..., Pictured]
    recipe: Callable[[], Recipe | None]
    film: Callable[[], Pictured] | None = None
    prepare: Callable[[CancelToken], object] | None = None
    name: str = ""
    why_not: str = ""

    def made(self, prepared: object) -> Pictured:
        return self.make() if self.prepare is None else self.make(prepared)


def parts_of(shell: Shell, lower: Panel, centre: QWidget) -> dict[str, Part]:
    """Return the visible parts by name.

    Args:
        lower: the current lower panel. centre: all but menus and status bar.
    """
    letters, below = shell.alignment, shell.areas[COMPUTATION]
    computation = "Dots" if shell.view(ComputationView).view is View.DOTS else "Computation"
    titles = {COMPUTATION: computation, "differences": letters.steps.words[1].capitalize()}
    made_by = {
        letters.front_name: (_FRONT[letters.front_name], letters),
        titles.get(lower.id, lower.title): (_OF_PANELS.get(lower.id), shell.areas[lower.id]),
        computation: (_computation, below),
    }
    found = {name: (make and make(shell, area)) or _seen(shell, area, name) for name, (make, area) in made_by.items()}
    for name, id_ in ((computation, COMPUTATION), (titles.get(lower.id, lower.title), lower.id)):
        found[name] = replace(found[name], why_not=shell.views[id_].message)
    found |= {"Band": band} if (band := _band(shell, below)) else {}
    found["Window"] = _window(shell, centre)
    return {name: part for name, part in found.items() if part.area.isVisible()}


def _asked(session: Session) -> Comparison | None:
    """Return the outcome, or the pending comparison without a result; None if no run is possible."""
    both, choices = session.pair.complete, session.choices
    if both is None or session.placing or (session.outcome is not None and not session.rearranged):
        return session.outcome
    typed, k = choices.typed, session.state.seed_letters
    typed |= {"rearranged": ""} if session.rearranged else {}
    typed |= {"seed_letters": str(k)} if session.rearranged and k else {}
    with suppress(WavediffError):
        fold_case, file, rule = session.fold_case, session.state.given, choices.ambiguity
        job = choices.job(*both, fold_case=fold_case)
        return Comparison(job, *both, fold_case, None, typed, file=file, ambiguity=rule)
    return None


def _made_by(of: Comparison | None, draws: bool = True, /, **words: object) -> Callable[[], Recipe | None]:
    """Return the recipe of a part: by ``open`` if it is no view, or if the command line ``draws`` it otherwise."""
    command = "compare" if draws and "view" in words else "open"

    def recipe() -> Recipe | None:
        made = None if of is None else of.recipe.with_options(words)
        return made and replace(made, words=(command, *made.words[1:]))

    return recipe


def _seen(shell: Shell, area: QWidget, name: str) -> Part:
    paper = SeenPaper(area, pair_title(shell.session.outcome, name), shell.theme)
    return Part(area, partial(Pictured, paper), _made_by(_asked(shell.session)))


def _window(shell: Shell, area: QWidget) -> Part:
    canvas, words = shell.alignment.canvas, dict[str, str]()
    if shell.alignment.of_letters and canvas.model is not None and canvas.model.n_columns:
        at, words = canvas.columns[0] + 1, shell.session.state.listing.words
        words |= {"at": str(at)} if at > 1 else {}
    return replace(_seen(shell, area, "Window"), recipe=_made_by(_asked(shell.session), **words))


def _letters(shell: Shell, area: QWidget) -> Part | None:
    canvas, outcome = shell.alignment.canvas, shell.session.outcome
    model = canvas.model
    if model is None or not model.n_columns:
        return None
    whose = outcome if outcome is not None and model.is_of(outcome.a, outcome.b) and model.aligned else None
    at, colours = str(canvas.columns[0] + 1), canvas.colouring
    named = next(name for name, one in COLOURS.items() if one is colours)
    words = {name: word for name, word in (("at", at), ("colours", named)) if word not in ("1", "differences")}
    make = partial(letters_picture, model, "" if whose is None else whose.full_text, at=at, colours=colours)
    words |= {"view": View.LETTERS} if whose else {}
    return Part(area, make, _made_by(whose or _asked(shell.session), **words))


def _ribbons(shell: Shell, area: QWidget) -> Part | None:
    canvas, answer = shell.alignment.ribbons.canvas, shell.alignment.blocks.answer
    if answer is None:
        return None
    current = f"#{canvas.current}" if canvas.current else None
    recipe = _made_by(_asked(shell.session), False, view=View.BLOCKS, at=current)
    return Part(area, partial(blocks_picture, canvas, answer), recipe)


def _tracks(shell: Shell, area: QWidget) -> Part | None:
    canvas, answer = shell.alignment.tracks.canvas, shell.session.contigs.answer
    if answer is None or canvas.tracks is None:
        return None
    inputs, on = (answer.a, answer.contigs), {"topology": shell.session.state.on}
    return Part(area, partial(contigs_picture, canvas, answer), partial(recipe_of, "contigs", inputs, on))


def _lines(shell: Shell, area: QWidget) -> Part | None:
    view, outcome, top = shell.alignment.lines, shell.session.outcome, shell.alignment.lines.canvas.top_line
    if outcome is None or view.result is not outcome.result:
        return None
    asked: dict[str, Any] = {"at": f"{top[0]}:{top[1] + 1}"} if top else {}
    asked |= {"layout": "inline"} if view.inline else {}
    make = partial(lines_picture, outcome, **asked, folding=view.canvas.folding)
    closed = view.canvas.folding == CLOSED  # the command line opens no folds
    return Part(area, make, _made_by(outcome, closed, view=View.LINES, **asked))


def _differences(shell: Shell, area: QWidget) -> Part | None:
    session, view = shell.session, shell.view(DifferencesView)
    listed, outcome = view.model.listed, session.outcome
    if isinstance(listed, ListedParts | None) or outcome is None or not len(listed):
        return None
    make = partial(differences_picture, listed, outcome.full_text, asked=view.asked)
    return Part(area, make, _made_by(outcome, view=View.DIFFERENCES, **view.asked.words))


def _figures(view: View, shell: Shell, area: QWidget) -> Part | None:
    session, panel = shell.session, cast(FiguresTable, shell.views[view])
    if not panel.table.model().rowCount():
        return None
    make = partial(figures_picture, view, session, session.outcome)
    return Part(area, make, _made_by(session.outcome, view=view))


def _search(shell: Shell, area: QWidget) -> Part | None:
    view = shell.view(SearchView)
    if not view.model.n_rows:
        return None
    return Part(area, partial(hits_picture, view, shell.session.outcome), _made_by(_asked(shell.session)))


def _computation(shell: Shell, area: QWidget) -> Part | None:
    return {View.DOTS: _dots, View.MAP: _map}.get(shell.view(ComputationView).view, _cells)(shell, area)


def _map(shell: Shell, area: QWidget) -> Part | None:
    view = shell.view(ComputationView)
    seen, model, file, outcome = view.seen, view.seen.model, view.seen.file, view.seen.of
    if not model.n_cells or model.grid is None:
        return None
    asked = outcome or (None if seen.title else shell.session.last_run)
    title = run_title(asked) if asked is not None else seen.title.split("\n")[0]
    said, share = seen.title or ("" if outcome is None else outcome.full_text), view.replay.at / N_STEPS
    moment = {"moment": share} if share < 1 and model.playback is not None else {}
    make = lambda: map_picture(model.copy(), outcome, title, said, moment=share)  # noqa: E731
    if file is not None:
        return Part(area, make, lambda: Recipe.of("open", [file_input(file)], []), name="Map")
    return Part(area, make, _made_by(asked, view=View.MAP, **moment), name="Map")


def _dots(shell: Shell, area: QWidget) -> Part | None:
    page = shell.view(ComputationView).dots
    if page is None or page.session.tiles is None:
        return None
    prepare = partial(fine_tiles, page.session.tiles, page.canvas.frame)
    at = None if page.canvas.frame.fits else page.canvas.range_in_sight.word
    shown = {"view": View.DOTS, "at": at, "seed_letters": page.session.k, **seen_dots(page.session, page.canvas)}
    recipe = _made_by(_asked(shell.session), False, **shown)
    if page.session.pair_among_records is not None:
        both, shown = page.session.letters or (), {"all_records": "", **shown}
        recipe = partial(recipe_of, "compare", both, shown)
    return Part(area, partial(dots_picture, page.canvas, page.session), recipe, None, prepare, name="Dots")


def _cells(shell: Shell, area: QWidget) -> Part | None:
    view, session, outcome = shell.view(ComputationView), shell.session.cells, shell.session.outcome
    page = view.cell_pages[view.view]
    player, trace = page.stage.player, page.stage.trace
    if page.share is None or player is None or trace is None:  # nothing is shown
        return None
    if outcome is None or outcome.result is None:  # which is still computed
        return None
    unit, step, path = player.frame.unit, player.frame.step, tuple(page.stage.stage.canvas.path)
    name = "Cells" if view.view is View.CELLS else "Machine words"
    make = partial(trace_picture, trace, run_title(outcome), unit, step, path=path)
    words = shown_cells(view.view, unit, step, None if trace is session.whole else session.area)
    return Part(area, make, _made_by(outcome, **words), partial(make, moves=True), name=name)


def _band(shell: Shell, area: QWidget) -> Part | None:
    outcome = shell.session.outcome
    if outcome is None or not is_banded(outcome) or not can_slide(len(outcome.job.a), len(outcome.job.b)):
        return None
    prepare, recipe = partial(band_runs, outcome, widening=True), _made_by(outcome, view=View.BAND)
    return Part(area, partial(band_picture, outcome), recipe, None, prepare)


def _race(shell: Shell, area: QWidget) -> Part | None:
    outcome = shell.session.race.outcome
    return None if outcome is None else Part(area, partial(race_picture, outcome), partial(race_recipe, outcome))


def _many(shell: Shell, area: QWidget) -> Part | None:
    many, heat = shell.session.many, shell.view(BatchView).map
    outcome = many.outcome
    if outcome is None or outcome.result.pairs is not Pairing.ALL_TO_ALL or heat.message:
        return None
    outcome = replace(outcome, tree=many.tree_method if heat.tree else None)
    return Part(area, partial(heat_picture, outcome, tree=heat.tree), partial(heat_recipe, outcome))


def _transform(shell: Shell, area: QWidget) -> Part | None:
    shown, view, pair = shell.session.transform.current, shell.view(BwtView), shell.session.pair
    if shown is None:
        return None
    sides = {Source.A: (Side.A,), Source.B: (Side.B,), Source.BOTH: tuple(Side)}.get(shown.source, ())
    inputs = [one for side in sides if (one := pair.original(side)) is not None]
    case = {"case": CaseRule.of(shown.index.fold_case)}
    recipe = partial(recipe_of, "bwt", inputs, case) if inputs else lambda: None
    top, step = view.canvas.top, view.steps.seen
    make, prepare = partial(rows_picture, shown, top=top, step=step), partial(located_rows, shown, top)
    return Part(area, make, recipe, None, prepare)


def _lesson(shell: Shell, area: QWidget) -> Part | None:
    player = shell.view(LessonView).player
    if player is None:
        return None
    lesson, frame = player.lesson, player.frame
    recipe = partial(lesson_recipe, lesson, *frame_options(lesson, frame))
    return Part(area, partial(lesson_picture, lesson, frame), recipe, partial(filmed, lesson))


def _given(shell: Shell, area: QWidget) -> Part:
    make = partial(given_picture, shell.view(GivenView).text, shell.session.outcome)
    return Part(area, make, _made_by(_asked(shell.session)))


_FRONT = {"Letters": _letters, "Lines": _lines, "Ribbons": _ribbons, "Tracks": _tracks}
_OF_PANELS: dict[str, Callable[[Shell, QWidget], Part | None]] = {
    "differences": _differences,
    COMPUTATION: _computation,
    "race": _race,
    "batch": _many,
    "bwt": _transform,
    "given": _given,
    "lessons": _lesson,
    "search": _search,
    **{str(view): partial(_figures, view) for view in FIGURES},
}
