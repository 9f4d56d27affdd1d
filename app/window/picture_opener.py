"""A picture that was dropped or opened: what it shows is looked for, and offered to be opened with its options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMessageBox

from wavediff.app.bwt.indexed_text import Source
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.computation_view import View as Page
from wavediff.app.compare.differences_order import Listing
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.replay import N_STEPS
from wavediff.app.compare.run_picture import share_of
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.notices import Notifier
from wavediff.app.ui.pair import Side
from wavediff.app.window.panels import COMPUTATION
from wavediff.app.window.sequence_loader import ReadItem
from wavediff.core.base.errors import InputError
from wavediff.core.export.json import digest
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Pairing, View
from wavediff.core.jobs.read import ReadJob
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Option, parsed
from wavediff.core.methods.race_job import MAX_KERNELS, MAX_ROUNDS, race_kernels
from wavediff.core.reading.recipe import Ingredient, Recipe, Shown, read_recipe
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.teach.lesson import headings
from wavediff.core.teach.unit import Unit

if TYPE_CHECKING:
    from wavediff.app.window.main_window import MainWindow

SEEN = ("at", "colours", "sort", "least", "kinds", "moment", "corner", "unit", "step")


@dataclass(frozen=True, slots=True)
class _Found:
    """A recipe, its files where they are now, and what is not as it was."""

    recipe: Recipe
    how: _How
    changed: tuple[str, ...] = ()


class PictureOpener(Notifier):
    """Reads a picture beside the window's thread, asks, and opens; nothing is opened that was not agreed to."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._name = ""
        self._once: Callable[[], object] | None = None  # as soon as what is wanted is read
        self._task = BackgroundTask("read-picture", self)
        self._task.finished.connect(self._ask)
        self._task.failed.connect(self._fail)
        self._place = ""  # in the letters, to be seen as soon as they are there
        self._seen: _How | None = None  # of the computation, to be seen as soon as it is over
        window.session.opened.connect(self._opened)

    @Slot(object)
    def open(self, path: Path) -> None:
        """Read what a picture is made from; one that is being read is forgotten."""
        self._name = path.name
        self._task.start(partial(_find, path))

    def close(self) -> None:
        """Wait for no file any more."""
        self._task.stop()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The picture could not be read")

    @Slot(object)
    def _ask(self, found: _Found) -> None:
        text = "\n".join((f"{_said(found)} {_question(found.recipe)}", *found.changed))
        buttons = QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel
        box = QMessageBox(QMessageBox.Icon.Question, self._name, text, buttons, self._window)
        box.setObjectName("picture_box")
        box.setDefaultButton(QMessageBox.StandardButton.Open)

        def answered(button: int) -> None:
            box.deleteLater()
            if button == QMessageBox.StandardButton.Open:
                self._open(found)

        box.finished.connect(answered)
        box.open()

    @Slot()
    def _opened(self) -> None:
        once, self._once = self._once, None
        if once is not None:
            once()

    @Slot(object)
    def _aligned(self, model: AlignmentModel | None) -> None:
        if model is not None and self._place:
            place, self._place = self._place, ""
            self._window.alignment.model_changed.disconnect(self._aligned)
            self._window.alignment.navigation.go_to(place)

    def _open(self, found: _Found) -> None:
        recipe, how, window, session = found.recipe, found.how, self._window, self._window.session
        if recipe.shown is Shown.LESSON:
            window.arrangement.show_panel("lessons")
            window.view(LessonView).open_at(how.lesson, how.inputs, how.unit, how.step, how.scene)
        elif recipe.shown is Shown.BATCH:
            window.arrangement.show_panel("batch")
            session.many.choose(method=how.method, pairs=how.pairs, **how.options)
            session.many.open([Path(one.path) for one in recipe.inputs])
        elif recipe.shown is Shown.OPEN:
            window.take_record(Path(recipe.inputs[0].path))
        else:
            items = [
                ReadItem(side, Path(one.path) if one.path else None, one.letters, one.record, read_as)
                for side, one, read_as in zip(Side, recipe.inputs, how.read_as, strict=False)
            ]
            if recipe.shown is not Shown.BWT:
                session.choose(method=how.method.id, follow=False, ambiguity=how.ambiguity, **how.options)
            self._once = partial(self._go_on, found)
            session.loader.open(items)

    def _go_on(self, found: _Found) -> None:
        """Choose what belongs to the pair, which is there now, before it is compared."""
        recipe, how, session = found.recipe, found.how, self._window.session
        if how.fold_case is not None:
            session.choose(follow=False, fold_case=how.fold_case)
        if how.strand is not Strand.PLUS or how.circular:
            session.orient(how.strand, circular=how.circular)
        if recipe.shown is Shown.RACE:
            race = session.race
            race.set_up(method=how.method, path=how.path, rounds=how.rounds)
            for id_ in race.race_kernels:
                race.choose(id_, on=False)
            for id_ in how.kernels:
                race.choose(id_, on=True)
            self._window.arrangement.show_panel("race")
        elif recipe.shown is Shown.COMPARE:
            self._view(how)
        elif recipe.shown is Shown.BWT:
            self._window.arrangement.show_panel("bwt")
            session.transform.source = Source.A if len(recipe.inputs) == 1 else Source.BOTH
            session.transform.run()

    def _view(self, how: _How) -> None:
        """Bring the part of a comparison to the front that the picture shows, as it shows it."""
        window, view, at = self._window, how.view, how.seen.get("at", "")
        if view is View.DIFFERENCES:
            window.view(DifferencesView).want(Listing.of(how.seen))
        elif at:
            if not self._place:
                window.alignment.model_changed.connect(self._aligned)
            self._place = at
        if view in (View.MAP, View.BAND, View.CELLS, View.WORDS):
            window.arrangement.show_panel(COMPUTATION)
            if self._seen is None:  # behind those who were told of answers before, and show them in turns too
                window.session.compared.connect(self._compared_soon, Qt.ConnectionType.SingleShotConnection)
            self._seen = how
        elif view is not None and view is not View.LETTERS:
            window.arrangement.show_panel(view)

    @Slot()
    def _compared_soon(self) -> None:
        self._window.turns.put(self._compared)

    @Slot()
    def _compared(self) -> None:
        """Go to the moment or the cells of a picture, behind all that shows the answer itself."""
        how, self._seen = self._seen, None
        if how is None:
            return
        view, seen = self._window.view(ComputationView), how.seen
        if how.view in (View.CELLS, View.WORDS):
            row, col = (int(one) - 1 for one in seen.get("corner", "1,1").split(","))
            unit = Unit(seen["unit"]) if "unit" in seen else None
            self._window.session.cells.move(row, col)
            view.choose_view(Page(how.view))
            view.pages[view.view].show_step(unit, int(seen["step"]) if "step" in seen else None)
        elif how.view is View.MAP:
            view.choose_view(Page.MAP)
            view.replay.seek(round(share_of(seen.get("moment", "100%")) * N_STEPS))


@dataclass(frozen=True, slots=True)
class _How:
    """The options of a recipe, each checked.

    Attributes:
        lesson: its file. inputs: of a lesson, as typed.
        view: part of a comparison; None: all of it. seen: options that say what is seen of it, as typed.
    """

    method: Method = METHODS[0]
    options: dict[str, Any] | Any = None
    fold_case: bool | None = None
    ambiguity: Ambiguity = Ambiguity.MISSING
    strand: Strand = Strand.PLUS
    circular: bool = False
    read_as: tuple[ReadAs, ReadAs] = (ReadAs.AUTO, ReadAs.AUTO)
    pairs: Pairing | None = None
    kernels: tuple[str, ...] = ()
    path: bool = True
    rounds: int = 1
    lesson: Path = Path()
    inputs: Any = None
    unit: Unit | None = None
    step: int | None = None
    scene: int | None = None
    view: View | None = None
    seen: Mapping[str, str] = field(default_factory=dict)


N_INPUTS = {
    Shown.COMPARE: (2,),
    Shown.RACE: (2,),
    Shown.BATCH: (1, 2),
    Shown.BWT: (1, 2),
    Shown.LESSON: (0, 1),
    Shown.OPEN: (1,),
}


def _find(path: Path, cancel: CancelToken) -> _Found:
    """Read a picture, check its options, and look for its files: where they were, then beside the picture."""
    recipe, source = read_recipe(path), str(path)
    if len(recipe.inputs) not in N_INPUTS[recipe.shown]:
        raise InputError(source, "what this picture is made from does not fit: 'inputs'")
    try:
        how = _how(recipe)
    except (ValueError, KeyError) as error:
        raise InputError(source, f"this program cannot make what this picture shows: {error}") from error
    inputs, changed = [], []
    for one, read_as in zip(recipe.inputs, how.read_as, strict=False):
        near = path.parent / os.path.basename(one.path)
        places = [place for place in (one.path, str(near)) if one.path and os.path.isfile(place)]
        if not places and not one.letters:
            lacks = f"{one.path} is not there any more" if one.path else "it was in no file"
            raise InputError(source, f"{_said(_Found(recipe, how))} {one.name}: {lacks}")
        kept = replace(one, path=places[0] if places else "")
        if kept.path and not _is_same(kept, read_as, recipe.shown, cancel):
            changed.append(f"{os.path.basename(one.path)} has changed since the picture was made.")
        inputs.append(kept)
    if recipe.shown is Shown.LESSON and inputs:
        how = replace(how, lesson=Path(inputs[0].path))
    return _Found(replace(recipe, inputs=tuple(inputs)), how, tuple(changed))


def _is_same(one: Ingredient, read_as: ReadAs, shown: Shown, cancel: CancelToken) -> bool:
    """Return whether the letters are those that the picture was made from."""
    if shown in (Shown.LESSON, Shown.OPEN):
        return sha256(Path(one.path).read_bytes()).hexdigest() == one.sha256
    try:
        load = run_job(ReadJob(path=one.path, read_as=read_as), report=lambda _event: None, cancel=cancel)
    except InputError:
        return False
    if one.record == 0:
        return sha256(load.letters.data).hexdigest() == one.sha256
    return one.record <= load.n_records and digest(load.sequence(one.record - 1)) == one.sha256


def _how(recipe: Recipe) -> _How:
    """Return the options of a recipe.

    Raises:
        ValueError, KeyError: there is no such option, or it has no such value.
    """
    options = dict(recipe.options)
    if recipe.shown is Shown.LESSON:
        return _lesson_how(recipe)
    method = {one.id: one for one in METHODS}[options.pop("method", METHODS[0].id)]
    for name in ("record", "record-a", "record-b", "separator"):
        options.pop(name, None)
    case = CaseRule(options.pop("case", CaseRule.AUTO))
    read_as = ReadAs(options.pop("format", ReadAs.AUTO))
    found = _How(
        method,
        fold_case=None if case is CaseRule.AUTO else case is CaseRule.FOLD,
        ambiguity=Ambiguity(options.pop("ambiguity", Ambiguity.MISSING)),
        strand=Strand(options.pop("orient", Strand.PLUS)),
        circular=options.pop("topology", "linear") == "circular",
        read_as=(read_as, ReadAs(options.pop("format-b", read_as))),
    )
    offered: tuple[Option, ...] = ()
    if recipe.shown is Shown.COMPARE:
        offered = method.options
        view = options.pop("view", "")
        seen = {name: options.pop(name) for name in SEEN if name in options}
        Listing.of({} if view != View.DIFFERENCES else seen)
        share_of(seen.get("moment", "100%"))
        found = replace(found, view=View(view) if view else None, seen=seen)
    elif recipe.shown is Shown.BATCH:
        pairs = Pairing(options.pop("pairs"))
        offered = () if method.batch is None else method.batch.options
        found = replace(found, pairs=pairs)
    elif recipe.shown is Shown.RACE:
        kernels = tuple(options.pop("kernels").split(","))
        rounds = int(options.pop("rounds", "1"))
        path = {"yes": True, "no": False}[options.pop("alignment", "yes")]
        if not set(kernels) <= set(race_kernels(method)) or len(kernels) > MAX_KERNELS:
            raise ValueError(f"kernels {', '.join(kernels)}")
        if not 1 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"{rounds} rounds")
        found = replace(found, kernels=kernels, rounds=rounds, path=path)
    return replace(found, options=parsed(offered, {name.replace("-", "_"): text for name, text in options.items()}))


def _lesson_how(recipe: Recipe) -> _How:
    inputs: dict[str, str] = {}
    unit, step, scene, path = None, None, None, Path()
    if recipe.lesson:
        path = {one.id: one.path for one in headings()}[recipe.lesson]
    for name, text in recipe.options:
        if name == "unit":
            unit = Unit(text)
        elif name == "step":
            step = int(text)
        elif name == "scene":
            scene = int(text)
        elif name == "set":
            key, _, value = text.partition("=")
            inputs[key] = value
        else:
            inputs[name] = text
    return _How(lesson=path, inputs=inputs, unit=unit, step=step, scene=scene)


def _said(found: _Found) -> str:
    """Return in a sentence what a picture shows."""
    recipe, names = found.recipe, [one.name for one in found.recipe.inputs]
    match recipe.shown:
        case Shown.LESSON:
            title = next((one.title for one in headings() if one.id == recipe.lesson), *names[:1] or ("",))
            text = f"This picture shows the lesson “{title}”."
        case Shown.OPEN:
            text = f"This picture shows the stored run {names[0]}."
        case Shown.BATCH:
            text = f"This picture shows all pairs of {' × '.join(names)}."
        case Shown.BWT:
            text = f"This picture shows the transform of {' + '.join(names)}."
        case Shown.RACE:
            text = f"This picture shows a race of kernels over {names[0]} × {names[1]}."
        case _:
            method = found.how.method.long_name
            text = f"This picture shows {names[0]} × {names[1]} by {method}."
    return text


def _question(recipe: Recipe) -> str:
    return "Open it?" if recipe.shown in (Shown.LESSON, Shown.BWT, Shown.OPEN) else "Open these?"
