"""Opening of the comparison shown in a dropped picture, with its options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot

from wavediff.app.bwt.indexed_text import Source
from wavediff.app.commands.compare_options import named_kernels
from wavediff.app.commands.lesson import typed_texts
from wavediff.app.commands.method_options import BATCH_OPTIONS, method_options
from wavediff.app.commands.view_options import range_of
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.dots.dot_drawing import RAMP
from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.compare.replay import N_STEPS
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.dialogs import Box, ask_first
from wavediff.app.ui.notices import Notifier, Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.samples import SAMPLES
from wavediff.app.window.panels.panels import COMPUTATION
from wavediff.app.window.panels.shell import Shell
from wavediff.app.window.pictures.picture_command import (
    Picture,
    find_inputs,
    items_of,
    pair_of,
    read_picture,
    state_of,
)
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.choices import Pairing, TreeMethod, View
from wavediff.core.methods import method
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.teach.lesson import headings
from wavediff.core.teach.unit import Unit


class PictureOpener(Notifier):
    """Reads a picture in the background, asks, and opens.

    Until the user agrees, it opens no file but the picture, and searches no folder but that of the picture.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.frame)
        self._shell = shell
        self._once: Callable[[], object] | None = None  # as soon as what is wanted is read
        self._task = BackgroundTask("read-picture", self, self._ask, self._fail)
        self._finder = BackgroundTask("find-inputs", self, self._found, self._fail)
        self._place = ""  # in the letters, to be seen as soon as they are there
        self._shown: argparse.Namespace | None = None  # of a computation or a race, as soon as the pair is compared
        shell.session.opened.connect(self._opened)
        shell.session.compared.connect(self._compared, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def open(self, path: Path) -> None:
        """Read the command of a picture; this cancels a pending read."""
        self._finder.stop()
        self._task.start(partial(read_picture, path, self._known()))

    def open_typed(self, arguments: argparse.Namespace) -> None:
        self._open(pair_of(arguments))

    def _known(self) -> dict[str, str]:
        samples = [str(path) for sample in SAMPLES for path in sample.paths]
        recent = [str(one.path) for pair in reversed(self._shell.session.recent.pairs) for one in (pair.b, pair.a)]
        shown = [one.source for side in Side if (one := self._shell.session.pair[side]) is not None]
        paths = [*samples, *recent, *shown]
        return {os.path.basename(path): path for path in paths if os.path.isabs(path)}

    def close(self) -> None:
        self._task.stop()
        self._finder.stop()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The picture could not be read")

    @Slot(object)
    def _ask(self, picture: Picture) -> None:
        texts, find = (picture.path.name, picture.question), partial(self._finder.start, partial(find_inputs, picture))
        ask_first(self._shell.frame, "picture_box", texts, Box.Open, Box.Cancel, find)

    @Slot()
    def _opened(self) -> None:
        once, self._once, self._shown, self._place = self._once, None, None, ""
        if once is not None:
            once()

    @Slot(object)
    def show_place(self, shown: object) -> None:
        """Go to a picture's pending position once letters, lines or blocks (``shown``) are visible; None: none are."""
        if shown is not None and self._place:
            place, self._place = self._place, ""
            self._shell.alignment.steps.go_to(place)

    @Slot(object)
    def _found(self, picture: Picture) -> None:
        for text in picture.changed:
            self.notice(Severity.WARNING, text)
        self._open(picture.arguments)

    def _open(self, arguments: argparse.Namespace) -> None:
        shell, session, items = self._shell, self._shell.session, [*items_of(arguments)]
        match arguments.command:
            case "lesson":
                shipped = {one.id: one.path for one in headings(arguments.language)}
                path = shipped.get(arguments.name) or Path(arguments.name)
                unit = None if arguments.unit is None else Unit(arguments.unit)
                shell.bring_up("lessons")
                shell.view(LessonView).open_at(path, typed_texts(arguments), unit, arguments.step, arguments.scene)
            case "batch":
                by, letters = method(arguments.method), UracilRule(arguments.letters)
                shell.bring_up("batch")
                session.many.choose(
                    method=by, letters=letters, pairs=arguments.pairs and Pairing(arguments.pairs),
                    **method_options(arguments, by, BATCH_OPTIONS),
                )  # fmt: skip
                session.many.choose_tree(arguments.tree and TreeMethod(arguments.tree))
                session.many.open([one.path for one in items if one.path is not None])
            case "open":
                shell.bring_up(COMPUTATION)
                session.records.load(Path(arguments.paths[0]))
            case _:
                self._once = partial(self._set_up_pair, arguments)
                session.loader.open(items, state_of(arguments, session.start))

    def _set_up_pair(self, arguments: argparse.Namespace) -> None:
        session = self._shell.session
        strand, circular = self._orientation(arguments)
        if (strand, circular) != (Strand.PLUS, False):
            session.orient(strand, circular=circular, opens=True)
        if arguments.command == "race":
            race = session.race
            race.set_up(method=method(arguments.method), path=arguments.alignment, rounds=arguments.rounds)
            for id_ in race.race_kernels:
                race.choose(id_, on=False)
            for id_ in named_kernels(race.method, arguments.kernels):
                race.choose(id_, on=True)
            self._shell.bring_up("race")
            self._shown = arguments
        elif arguments.command == "bwt":
            self._shell.bring_up("bwt")
            session.transform.source = Source.A if arguments.second is None else Source.BOTH
            session.transform.run()
        elif arguments.command == "compare":
            self._view(arguments)

    def _view(self, arguments: argparse.Namespace) -> None:
        shell, view = self._shell, arguments.view
        if arguments.at and view not in (View.DIFFERENCES, View.DOTS):
            self._place = arguments.at
        if arguments.layout:
            shell.alignment.lines.set_inline(arguments.layout == "inline")
        if view in (View.MAP, View.BAND, View.CELLS, View.WORDS, View.DOTS):
            shell.bring_up(COMPUTATION)
            self._shown = arguments
        elif view is not None and view not in (View.LETTERS, View.LINES, View.BLOCKS):
            shell.bring_up(view)

    @Slot()
    def _compared(self) -> None:
        seen, now = self._shown, self._shell.session.pair.orientation
        strand, circular = (None, False) if seen is None else self._orientation(seen)
        if seen is not None and strand in (None, now.strand) and circular == now.circular:
            self._shown = None
            self._shell.turns.put(partial(self._show, seen))

    def _show(self, seen: argparse.Namespace) -> None:
        view = self._shell.view(ComputationView)
        if seen.command == "race":
            self._shell.session.race.run_when_free()
        elif seen.view in (View.CELLS, View.WORDS):
            row, column = map(int, (seen.corner or "1,1").split(","))
            self._shell.session.cells.move(row - 1, column - 1)
            view.choose_view(View(seen.view))
            view.cell_pages[view.view].show_step(None if seen.unit is None else Unit(seen.unit), seen.step)
        elif seen.view == View.DOTS:
            self._shell.session.dots.choose_k(seen.seed_letters or self._shell.session.dots.k)
            view.choose_view(View.DOTS)
            self._shell.session.dots.choose_unique(bool(seen.unique))
            if view.dots is not None:
                frame = view.dots.canvas.frame
                view.dots.ramp.setValue(round(100 * (RAMP if seen.opacity is None else seen.opacity)))
                with suppress(WavediffError):  # without a valid place all is seen
                    view.dots.canvas.look_at(LetterRange(*range_of(seen.at or "", frame.n, frame.m)))
        elif seen.view == View.MAP:
            view.choose_view(View.MAP)
            view.replay.seek(round((1.0 if seen.moment is None else seen.moment) * N_STEPS))

    def _orientation(self, arguments: argparse.Namespace) -> tuple[Strand | None, bool]:
        if "orient" not in arguments:
            return Strand.PLUS, False
        by_file = arguments.topology != Topology.LINEAR and self._shell.session.pair.circular_by_file
        circular = by_file or arguments.topology == Topology.CIRCULAR
        return None if arguments.orient == "auto" else Strand(arguments.orient), circular
