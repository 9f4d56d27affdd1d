"""A picture that was dropped or opened: what it shows is looked for, and offered to be opened with its options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMessageBox

from wavediff.app.bwt.indexed_text import Source
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.computation_view import View as Page
from wavediff.app.compare.replay import N_STEPS
from wavediff.app.compare.run_picture import share_of
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.notices import Notifier, Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.samples import SAMPLES
from wavediff.app.window.pair_state import PairState
from wavediff.app.window.panels import COMPUTATION
from wavediff.app.window.picture_options import PictureOptions, picture_options, with_files
from wavediff.app.window.sequence_loader import ReadItem
from wavediff.app.window.shell import Shell
from wavediff.core.base.errors import InputError, printable
from wavediff.core.export.json import digest
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.read import ReadJob
from wavediff.core.reading.files import file_digest
from wavediff.core.reading.recipe import Ingredient, Recipe, Shown, read_recipe
from wavediff.core.record import run_file
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.normalization import Form, normalized
from wavediff.core.sequences.orientation import Strand
from wavediff.core.teach import lesson
from wavediff.core.teach.lesson import headings

MAX_FILE_BYTES = {Shown.LESSON: lesson.MAX_FILE_BYTES, Shown.OPEN: run_file.MAX_FILE_BYTES}


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture that was read: nothing that it names was looked for.

    Attributes:
        known: paths of samples, of files in this window and of the recent pairs, by their names.
    """

    path: Path
    recipe: Recipe
    how: PictureOptions
    known: Mapping[str, str]

    def places(self, path: str) -> list[str]:
        """Return where a file of the picture may be, the likeliest first."""
        name = os.path.basename(path)
        found = [path] if os.path.isabs(path) else []
        return [*found, str(self.path.parent / name), *([self.known[name]] if name in self.known else [])]


@dataclass(frozen=True, slots=True)
class _Found:
    """A recipe, its files where they are now, and what is not as it was."""

    recipe: Recipe
    how: PictureOptions
    changed: tuple[str, ...] = ()


class PictureOpener(Notifier):
    """Reads a picture beside the window's thread, asks, and opens.

    Until the user agrees, no file is looked for, opened or read but the picture itself.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.frame)
        self._shell = shell
        self._name = ""
        self._once: Callable[[], object] | None = None  # as soon as what is wanted is read
        self._task = BackgroundTask("read-picture", self)
        self._task.finished.connect(self._ask)
        self._task.failed.connect(self._fail)
        self._finder = BackgroundTask("find-inputs", self)
        self._finder.finished.connect(self._open)
        self._finder.failed.connect(self._fail)
        self._place = ""  # in the letters, to be seen as soon as they are there
        self._seen: PictureOptions | None = None  # of the computation, to be seen as soon as it is over
        shell.session.opened.connect(self._opened)

    @Slot(object)
    def open(self, path: Path) -> None:
        """Read what a picture is made from; one that is being read is forgotten."""
        self._name = path.name
        self._finder.stop()
        self._task.start(partial(_read, path, self._known()))

    def _known(self) -> dict[str, str]:
        """Return the paths of samples and of files that were open before, by their names: the last one of a name."""
        samples = [str(path) for one in SAMPLES for path in one.paths]
        recent = [one.path for pair in reversed(self._shell.session.recent.pairs) for one in (pair.b, pair.a)]
        shown = [one.source for side in Side if (one := self._shell.session.pair[side]) is not None]
        paths = [*samples, *recent, *shown]
        return {os.path.basename(path): path for path in paths if os.path.isabs(path)}

    def close(self) -> None:
        """Wait for no file any more."""
        self._task.stop()
        self._finder.stop()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The picture could not be read")

    @Slot(object)
    def _ask(self, picture: _Picture) -> None:
        text = "\n".join((f"{_said(picture.recipe, picture.how)} {_question(picture.recipe)}", *_files(picture)))
        buttons = QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel
        box = QMessageBox(QMessageBox.Icon.Question, self._name, text, buttons, self._shell.frame)
        box.setObjectName("picture_box")
        box.setDefaultButton(QMessageBox.StandardButton.Open)

        def answered(button: int) -> None:
            box.deleteLater()
            if button == QMessageBox.StandardButton.Open:
                self._finder.start(partial(_find, picture))

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
            self._shell.alignment.model_changed.disconnect(self._aligned)
            self._shell.alignment.navigation.go_to(place)

    @Slot(object)
    def _open(self, found: _Found) -> None:
        recipe, how, shell, session = found.recipe, found.how, self._shell, self._shell.session
        for text in found.changed:
            self.notice(Severity.WARNING, text)
        if recipe.shown is Shown.LESSON:
            shell.bring_up("lessons")
            shell.view(LessonView).open_at(how.lesson, how.inputs, how.unit, how.step, how.scene)
        elif recipe.shown is Shown.BATCH:
            shell.bring_up("batch")
            session.many.choose(method=how.method, pairs=how.pairs, letters=how.letters, **how.options)
            session.many.open([Path(one.path) for one in recipe.inputs])
        elif recipe.shown is Shown.OPEN:
            shell.bring_up(COMPUTATION)
            session.records.load(Path(recipe.inputs[0].path))
        else:
            items = [
                ReadItem(
                    side,
                    Path(one.path) if one.path else None,
                    one.letters,
                    one.record,
                    read_as,
                    encoding=encoding,
                    form=how.form,
                )
                for side, one, read_as, encoding in zip(Side, recipe.inputs, how.read_as, how.encodings, strict=False)
            ]
            asked = {} if recipe.shown is Shown.BWT else {"method": how.method.id, "ambiguity": how.ambiguity}
            job = session.start.changed(**asked, fold_case=how.fold_case, letters=how.letters, **how.options)
            self._once = partial(self._go_on, found)
            session.loader.open(items, PairState(job, listing=how.listing))

    def _go_on(self, found: _Found) -> None:
        """Choose what belongs to the pair, which is there now, before it is compared."""
        recipe, how, session = found.recipe, found.how, self._shell.session
        if how.strand is not Strand.PLUS or how.circular:
            session.orient(how.strand, circular=how.circular)
        if recipe.shown is Shown.RACE:
            race = session.race
            race.set_up(method=how.method, path=how.path, rounds=how.rounds)
            for id_ in race.race_kernels:
                race.choose(id_, on=False)
            for id_ in how.kernels:
                race.choose(id_, on=True)
            self._shell.bring_up("race")
        elif recipe.shown is Shown.COMPARE:
            self._view(how)
        elif recipe.shown is Shown.BWT:
            self._shell.bring_up("bwt")
            session.transform.source = Source.A if len(recipe.inputs) == 1 else Source.BOTH
            session.transform.run()

    def _view(self, how: PictureOptions) -> None:
        """Bring the part of a comparison to the front that the picture shows, as it shows it."""
        shell, view, at = self._shell, how.view, how.seen.get("at", "")
        if at and view is not View.DIFFERENCES:
            if not self._place:
                shell.alignment.model_changed.connect(self._aligned)
            self._place = at
        if view in (View.MAP, View.BAND, View.CELLS, View.WORDS):
            shell.bring_up(COMPUTATION)
            if self._seen is None:  # behind those who were told of answers before, and show them in turns too
                shell.session.compared.connect(self._compared_soon, Qt.ConnectionType.SingleShotConnection)
            self._seen = how
        elif view is not None and view is not View.LETTERS:
            shell.bring_up(view)

    @Slot()
    def _compared_soon(self) -> None:
        self._shell.turns.put(self._compared)

    @Slot()
    def _compared(self) -> None:
        """Go to the moment or the cells of a picture, behind all that shows the answer itself."""
        how, self._seen = self._seen, None
        if how is None:
            return
        view = self._shell.view(ComputationView)
        if how.view in (View.CELLS, View.WORDS):
            self._shell.session.cells.move(*how.corner)
            view.choose_view(Page(how.view))
            view.pages[view.view].show_step(how.unit, how.step)
        elif how.view is View.MAP:
            view.choose_view(Page.MAP)
            view.replay.seek(round(share_of(how.seen.get("moment", "100%")) * N_STEPS))


N_INPUTS = {
    Shown.COMPARE: (2,),
    Shown.RACE: (2,),
    Shown.BATCH: (1, 2),
    Shown.BWT: (1, 2),
    Shown.LESSON: (0, 1),
    Shown.OPEN: (1,),
}


def _read(path: Path, known: Mapping[str, str], _cancel: CancelToken) -> _Picture:
    recipe, source = read_recipe(path), str(path)
    if len(recipe.inputs) not in N_INPUTS[recipe.shown]:
        raise InputError(source, "what this picture is made from does not fit: 'inputs'")
    try:
        how = picture_options(recipe)
    except (ValueError, KeyError) as error:
        raise InputError(source, f"this program cannot make what this picture shows: {error}") from error
    for one in recipe.inputs:
        if not one.path and not one.letters:
            raise InputError(source, f"{_said(recipe, how)} {one.name}: it was in no file")
    return _Picture(path, recipe, how, known)


def _find(picture: _Picture, cancel: CancelToken) -> _Found:
    """Look for the files of a picture where they were, then beside it, and compare them with what it was made from."""
    recipe, how, source = picture.recipe, picture.how, str(picture.path)
    inputs, changed = [], []
    for one, read_as, encoding in zip(recipe.inputs, how.read_as, how.encodings, strict=False):
        kept = replace(one, path=_place(one.path, picture)) if one.path else one
        job = ReadJob(path=kept.path, read_as=read_as, encoding=encoding)
        if kept.path and not _is_same(kept, job, how.form, recipe.shown, cancel):
            changed.append(f"{os.path.basename(one.path)} has changed since the picture was made.")
        inputs.append(kept)
    if recipe.shown is Shown.LESSON and inputs:
        how = replace(how, lesson=Path(inputs[0].path))
    try:
        how = with_files(how, {name: _place(path, picture) for name, path in how.files.items()})
    except ValueError as error:
        raise InputError(source, f"this program cannot make what this picture shows: {error}") from error
    return _Found(replace(recipe, inputs=tuple(inputs)), how, tuple(changed))


def _place(path: str, picture: _Picture) -> str:
    """Return where a file of a picture is now.

    Raises:
        InputError: it is not there.
    """
    found = next((one for one in picture.places(path) if os.path.isfile(one)), None)
    if found is None:
        where = f"{path} is not there any more, nor" if os.path.isabs(path) else f"{path} is not"
        raise InputError(str(picture.path), f"{where} beside the picture", "put the file there and open it again")
    return found


def _is_same(one: Ingredient, job: ReadJob, form: Form | None, shown: Shown, cancel: CancelToken) -> bool:
    """Return whether the letters are those that the picture was made from."""
    if shown in MAX_FILE_BYTES:
        return file_digest(one.path, MAX_FILE_BYTES[shown], cancel)[1] == one.sha256
    try:
        load = run_job(job, report=lambda _event: None, cancel=cancel)
    except InputError:
        return False
    if one.record == 0:
        return sha256(load.letters.data).hexdigest() == one.sha256
    if one.record > load.n_records:
        return False
    record = load.sequence(one.record - 1)
    return digest(record if form is None else normalized(record, form)) == one.sha256


def _files(picture: _Picture) -> list[str]:
    """Return the files that are opened when the user agrees, one a line, with the places where each is looked for."""
    paths = dict.fromkeys([*(one.path for one in picture.recipe.inputs if one.path), *picture.how.files.values()])
    beside = str(picture.path.parent)
    lines = []
    for path in paths:
        places = (
            f"{os.path.basename(one)} beside the picture" if os.path.dirname(one) == beside else one
            for one in dict.fromkeys(picture.places(path))
        )
        lines.append(" or ".join(map(printable, places)))
    return ["", "This opens:", *lines] if lines else []


def _said(recipe: Recipe, how: PictureOptions) -> str:
    names = [one.name for one in recipe.inputs]
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
            method = how.method.long_name
            text = f"This picture shows {names[0]} × {names[1]} by {method}."
    return text


def _question(recipe: Recipe) -> str:
    return "Open it?" if recipe.shown in (Shown.LESSON, Shown.BWT, Shown.OPEN) else "Open these?"
