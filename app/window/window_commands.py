"""Actions of the window that need dialogs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.timings_model import TimingsView
from wavediff.app.teach.lesson_view import LESSON_ENDING, LessonView
from wavediff.app.ui import save_dialog
from wavediff.app.ui.dialogs import open_dialog
from wavediff.app.ui.input_dialogs import FilePicker, PasteDialog, RecordPicker
from wavediff.app.ui.manual import ManualDialog
from wavediff.app.ui.notices import Action, Notice, Severity
from wavediff.app.ui.pair import GivenFile, Side
from wavediff.app.ui.save_dialog import ask_files
from wavediff.app.ui.theme import Scheme
from wavediff.app.window.frame.actions import SPECS
from wavediff.app.window.frame.dialogs import AboutDialog, Preferences, ShortcutSheet, sheet_rows
from wavediff.app.window.panels.panels import ENTRIES, PANELS, Panel
from wavediff.app.window.panels.shell import Shell
from wavediff.app.window.pictures.panel_pictures import AlignmentExport, PictureDialog
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.app.window.settings import config_folder
from wavediff.core.jobs.cancel import CancelToken, heeding
from wavediff.core.reading.alignments import is_alignment, is_read
from wavediff.core.reading.annotations import is_annotation
from wavediff.core.reading.files import begins_with

GIVEN = "given"  # what a notice on an alignment made elsewhere is about
MAX_FILES = 10_000  # of a folder that was dropped


class WindowCommands(QObject):
    """Actions with more than one call of a session or view."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.frame)
        self._shell, self._session = shell, shell.session
        self._picker: tuple[int, RecordPicker] | None = None
        self._paths: list[tuple[Sequence[Path], Side | None]] = []
        self._session.loader.recognized.connect(self._open_sorted)
        self.exporter = AlignmentExport(shell.session, shell.frame)
        self._session.given_changed.connect(self._given_changed)

    def slots(self) -> dict[str, Callable[..., object]]:
        """Return the slots by action id, except those of the frame; called before views exist."""
        shell, session = self._shell, self._session
        return {
            **{spec.id: partial(shell.show_panel, spec.id) for spec in ENTRIES},
            "open": lambda: self.open_for(None),
            "open_a": lambda: self.open_for(Side.A),
            "open_b": lambda: self.open_for(Side.B),
            "demo": lambda: session.open_sample(),
            "export": self.exporter.ask,
            "copy_timings": lambda: shell.view(TimingsView).copy(),
            "save_timings": lambda: shell.view(TimingsView).ask_and_save(),
            "preferences": self.preferences,
            "run": self.run,
            "stop": session.stop,
            "swap": session.swap,
            "reverse_b": session.reverse_b,
            "back_to_whole": session.back_to_whole,
            "orient_b": lambda: session.orient(circular=True),  # the strand and, B being a circle, the origin that fit
            "in_order": lambda: session.arrange(None),
            "rearranged": lambda: session.arrange(),
            "contigs": lambda: session.arrange(None, contigs=True),
            "zoom_in": lambda: shell.alignment.zoom(1),
            "zoom_out": lambda: shell.alignment.zoom(-1),
            "fit": self.fit,
            "toggle_theme": shell.theme.toggle,
            "follow_system": self.follow_system,
            "manual": lambda: open_dialog(ManualDialog(shell.frame)),
            "shortcuts": self.shortcuts,
            "about": lambda: open_dialog(AboutDialog(shell.frame)),
        }

    @Slot()
    def run(self) -> None:
        """Compare the pair, its blocks or its contigs, even if the result is known already."""
        for each in (self._session.blocks, self._session.contigs):
            each.drop()
        self._session.run()

    @Slot()
    def _given_changed(self) -> None:
        if self._session.state.given is None:
            self._session.replaced.emit(frozenset((GIVEN,)))

    # Files and text

    @Slot(object)
    def open_for(self, side: Side | None) -> None:
        """Ask for a file for ``side``; None: for one or two files as A and B.

        The dialog lists all files, because Qt silently drops typed names that a filter hides.
        """
        title = f"Open {side!s}" if side else "Open one file, or two as A and B"
        if paths := ask_files(self._shell.frame, title, several=side is None):
            self.open_paths(paths, side)

    def open_paths(self, paths: Sequence[Path], side: Side | None = None) -> None:
        """Open one or two files with features and an alignment, or a lesson; for more the user chooses two."""
        if len(paths) == 1 and paths[0].suffix.lower() == LESSON_ENDING:
            self._shell.show_panel("lessons")
            self._shell.view(LessonView).open_lesson(paths[0])
            return
        loader = self._session.loader
        waiting = self._paths if loader.recognizes else []  # else they were stopped
        self._paths = [*waiting, (paths, side)]  # not opened yet: another drop may come meanwhile
        loader.recognize(partial(_sorted, tuple(self._paths)))

    @Slot(object)
    def _open_sorted(self, found: list[tuple[list[Path], list[Path], Side | None]]) -> None:
        self._paths.clear()
        for each in found:
            self._open_files(*each)

    def _open_files(self, every: list[Path], aligned: list[Path], side: Side | None) -> None:
        features = [path for path in every if is_annotation(path)]
        given = GivenFile(os.path.abspath(aligned[0])) if len(aligned) == 1 else None
        files = [path for path in every if path not in features and (given is None or path not in aligned)]
        open_files, session = self._session.open_paths, self._session
        if len(files) > 2:
            picker = FilePicker(files, [*features, *(aligned if given else [])], self._shell.frame)
            picker.picked.connect(lambda of: open_files([*(files[of[each]] for each in Side), *features], given=given))
            picker.many_wanted.connect(lambda chosen: self._many_pairs([files[k] for k in chosen]))
            open_dialog(picker)
        elif given is None or files:
            open_files([*files, *features], side, given)
        else:
            self._shell.show_panel("given")
            session.give(given)
            if begins_with(given.path, b">"):
                text, action = f"{aligned[0].name} is shown as an alignment", partial(open_files, aligned, side)
                about = frozenset((*Side, GIVEN))
                session.noticed.emit(Notice(Severity.INFO, text, about, Action("Open its sequences", action)))

    def paste(self, side: Side | None) -> None:
        """Paste into the focused text field, else as a sequence."""
        focus = QGuiApplication.focusObject()
        if isinstance(focus, QLineEdit | QPlainTextEdit) and not focus.isReadOnly():
            focus.paste()
        else:
            self.paste_for(side)

    @Slot(object)
    def paste_for(self, side: Side | None) -> None:
        """Paste the clipboard into ``side``; None: the first empty one."""
        mime = QGuiApplication.clipboard().mimeData()
        dropped = save_dialog.parse_drop(mime) if mime is not None else save_dialog.DropData()
        if dropped.paths:
            self.take(dropped, side)
            return
        side = side or self._session.pair.first_empty or Side.B
        dialog = PasteDialog(dropped.text, side, self._shell.frame)
        dialog.taken.connect(self._session.open_text)
        open_dialog(dialog)

    def take(self, dropped: save_dialog.DropData, side: Side | None) -> None:
        """Process a drop, completely or not at all."""
        for why in dropped.refused:
            self._session.notice(Severity.ERROR, why, *([side] if side else Side))
        if dropped.refused:
            return
        if dropped.paths:
            self.open_paths(dropped.paths, side)
        elif dropped.text:
            self._session.open_text(dropped.text, side)

    @Slot(int, object, object)
    def ask_record(self, number: int, side: Side, load: Any) -> None:
        """Show the record picker for a file with several records."""
        if self._picker is not None:  # its request was replaced by this one
            self._picker[1].close()
        there = "—" if self._session.pair[side.other] is None else "unchanged"
        other = "the file opened with it" if side.other in self._session.loader.busy else there
        picker = RecordPicker(load, side, self._shell.frame, other=other)
        self._picker = number, picker
        picker.picked.connect(self._picked)
        picker.many_wanted.connect(self._many_records)
        picker.contigs_wanted.connect(self._place_contigs)
        picker.rejected.connect(self._declined)
        open_dialog(picker)

    @Slot(object)
    def _many_records(self, records: list[int]) -> None:
        files = self._session.loader.files(records)
        self._declined()
        self._many_pairs(files)

    def _many_pairs(self, files: list[Any]) -> None:
        self._session.many.open(files)
        self._shell.show_panel("batch")

    def _end_picker(self, answer: Callable[[int], object]) -> None:
        if self._picker is not None:
            number, self._picker = self._picker[0], None
            answer(number)

    @Slot(object)
    def _picked(self, records: dict[Side, int]) -> None:
        self._end_picker(lambda number: self._session.loader.choose(number, records))

    @Slot()
    def _place_contigs(self) -> None:
        self._end_picker(self._session.choose_contigs)

    @Slot()
    def _declined(self) -> None:
        self._end_picker(self._session.loader.decline)

    def picture(self, lower: Panel, centre: QWidget) -> None:
        """Export a picture of the focused part of the window; see ``parts_of``."""
        find, focus = partial(parts_of, self._shell, lower, centre), self._shell.frame.focusWidget()
        first = next((name for name, part in find().items() if focus is not None and part.area.isAncestorOf(focus)), "")
        dialog = PictureDialog(find, first, self._session.notice, self._shell.frame)
        for signal in (self._session.phase_changed, self._session.compared, self._shell.alignment.model_changed):
            signal.connect(dialog.renew, Qt.ConnectionType.QueuedConnection)
        open_dialog(dialog)

    @Slot()
    def preferences(self) -> None:
        shell, replay = self._shell, self._shell.view(ComputationView).replay
        open_dialog(Preferences(shell.theme, shell.session, replay, config_folder(), shell.frame))

    @Slot()
    def fit(self) -> None:
        self._shell.alignment.zoom(0)
        self._shell.view(ComputationView).fit()

    @Slot(bool)
    def follow_system(self, follow: bool) -> None:
        theme = self._shell.theme
        theme.set_scheme(Scheme.SYSTEM if follow else Scheme.DARK if theme.dark else Scheme.LIGHT)

    @Slot()
    def shortcuts(self) -> None:
        views = self._shell.views
        rows = sheet_rows((*SPECS, *ENTRIES), {each.title: views[each.id].keys for each in PANELS})
        open_dialog(ShortcutSheet(rows, self._shell.frame))


def _sorted(
    dropped: Iterable[tuple[Sequence[Path], Side | None]], cancel: CancelToken
) -> list[tuple[list[Path], list[Path], Side | None]]:
    """Return the files of each drop, its alignments (no more than two, as no third one matters), and its side."""
    every = [([file for path in paths for file in files_of(path)], side) for paths, side in dropped]
    return [(files, _aligned(files, cancel), side) for files, side in every]


def _aligned(files: list[Path], cancel: CancelToken) -> list[Path]:
    """Return the first two alignments; one that cannot be read is the sequence that the only other file lacks."""
    found = [*islice(filter(is_alignment, heeding(cancel, files)), 2)]
    lone = len(found) == 1 and sum(not is_annotation(path) for path in files) == 2
    return found if not lone or is_read(found[0]) else []


def files_of(path: Path) -> list[Path]:
    """Return the visible files of a folder; a file or an empty folder is returned itself."""
    names = sorted(next(os.walk(path), ("", [], []))[2])  # none in a folder that cannot be listed
    return [path / one for one in names if one[0] != "." and os.path.isfile(path / one)][:MAX_FILES] or [path]
