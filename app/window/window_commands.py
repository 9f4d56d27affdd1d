"""Actions of the window: ask what must be asked, then tell the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QPlainTextEdit

from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.timings_view import TimingsView
from wavediff.app.teach.lesson_view import LESSON_ENDING, LessonView
from wavediff.app.ui import drop_data
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.save_dialog import file_filters
from wavediff.app.ui.theme import Scheme
from wavediff.app.window.actions import SPECS
from wavediff.app.window.alignment_export import AlignmentExport
from wavediff.app.window.help_dialogs import AboutDialog, ShortcutSheet, sheet_rows
from wavediff.app.window.panel_pictures import PictureDialog
from wavediff.app.window.panels import COMPUTATION, ENTRIES, PANELS
from wavediff.app.window.paste_dialog import PasteDialog
from wavediff.app.window.pictured_parts import parts_of
from wavediff.app.window.preferences import Preferences
from wavediff.app.window.record_picker import FilePicker, RecordPicker
from wavediff.app.window.settings import config_folder
from wavediff.core.methods.base import Method, TracebackMethod
from wavediff.core.reading.recipe import ENDINGS

if TYPE_CHECKING:
    from wavediff.app.window.main_window import MainWindow

SEQUENCE_FILES = "*.fa *.fasta *.fna *.ffn *.faa *.frn *.fas *.fq *.fastq *.txt *.gz *.bgz *.zst *.xz *.bz2 *.json"
PICTURE_FILES = " ".join(f"*{ending}" for ending in ENDINGS)


class WindowActions(QObject):
    """Deeds of the actions and panels of a window that take more than one call of the session or of a view."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._picker: tuple[int, RecordPicker] | None = None
        self._folder = ""
        self.exporter = AlignmentExport(window.session, window)

    def slots(self) -> dict[str, Callable[..., object]]:
        """Return what each action does, by its id; views are looked up then: there are none before."""
        window, session = self._window, self._window.session
        return {
            **{spec.id: partial(window.show_panel, spec.id) for spec in ENTRIES},
            "open": lambda: self.open_for(None),
            "open_a": lambda: self.open_for(Side.A),
            "open_b": lambda: self.open_for(Side.B),
            "paste": self.paste,
            "demo": lambda: session.open_sample(),
            "export": self.exporter.ask,
            "picture": self.picture,
            "copy_timings": lambda: window.view(TimingsView).copy(),
            "save_timings": lambda: window.view(TimingsView).ask_and_save(),
            "preferences": self.preferences,
            "quit": window.close,
            "undo": lambda: window.history.undo(),
            "redo": lambda: window.history.redo(),
            "show_a": lambda: window.header.open_a(),
            "show_b": lambda: window.header.open_b(),
            "run": session.run,
            "stop": session.stop,
            "options": lambda: window.header.open_options(),
            "swap": session.swap,
            "reverse_b": session.reverse_b,
            "orient_b": lambda: session.orient(circular=True),  # the strand and, B being a circle, the origin that fit
            "next_part": lambda: window.go_round(1),
            "previous_part": lambda: window.go_round(-1),
            "zoom_in": lambda: window.alignment.canvas.zoom(1),
            "zoom_out": lambda: window.alignment.canvas.zoom(-1),
            "fit": self.fit,
            "full_screen": self.full_screen,
            "reset_layout": lambda: window.arrangement.reset(),
            "toggle_theme": self.toggle_theme,
            "follow_system": self.follow_system,
            "shortcuts": self.shortcuts,
            "about": lambda: self._show(AboutDialog(window)),
        }

    # Files and text

    @Slot(object)
    def open_for(self, side: Side | None) -> None:
        """Ask for a file for ``side``; None: for one file, or for two as A and B."""
        title = f"Open {side!s}" if side else "Open one file, or two as A and B"
        ask = QFileDialog.getOpenFileNames if side is None else QFileDialog.getOpenFileName
        found, _ = ask(self._window, title, self._folder, file_filters(f"{SEQUENCE_FILES} {PICTURE_FILES}"))
        names = [found] if isinstance(found, str) else list(found)
        paths = [Path(name) for name in names if name]
        if paths:
            self._folder = str(paths[0].parent)
            self.open_paths(paths, side)

    def open_paths(self, paths: Sequence[Path], side: Side | None = None) -> None:
        """Open one file or two; of more the user chooses two."""
        if len(paths) <= 2:
            self._window.session.open_paths(paths, side)
            return
        picker = FilePicker(paths, self._window)
        picker.picked.connect(lambda chosen: self._window.session.open_paths([paths[chosen[each]] for each in Side]))
        self._show(picker)

    @Slot()
    def paste(self) -> None:
        focus = QGuiApplication.focusObject()
        if isinstance(focus, QLineEdit | QPlainTextEdit):
            focus.paste()
            return
        self.paste_for(self._window.header.focused())

    @Slot(object)
    def paste_for(self, side: Side | None) -> None:
        """Take what the clipboard has for ``side``; None: for the first one that is empty."""
        mime = QGuiApplication.clipboard().mimeData()
        dropped = drop_data.parse_drop(mime) if mime is not None else drop_data.DropData()
        if dropped.paths:
            self.take(dropped, side)
            return
        side = side or self._window.session.pair.first_empty or Side.B
        dialog = PasteDialog(dropped.text, side, self._window)
        dialog.taken.connect(self._take_text)
        self._show(dialog)

    @Slot(str, object)
    def _take_text(self, text: str, side: Side) -> None:
        self._window.session.open_text(text, side)

    def take(self, dropped: drop_data.DropData, side: Side | None) -> None:
        """Hand on what was dropped; each thing that cannot be used is said."""
        for why in dropped.refused:
            self._window.session.notice(Severity.ERROR, why, *([side] if side else Side))
        if len(dropped.paths) == 1 and dropped.paths[0].suffix.lower() == LESSON_ENDING:
            self._window.show_panel("lessons")
            self._window.view(LessonView).open_lesson(dropped.paths[0])
        elif dropped.paths:
            self.open_paths(dropped.paths, side)
        elif dropped.text:
            self._window.session.open_text(dropped.text, side)

    @Slot(int, object, object)
    def ask_record(self, number: int, side: Side, load: Any) -> None:
        """Show the picker for a file with several records."""
        if self._picker is not None:  # its request was replaced by this one
            self._picker[1].close()
        picker = RecordPicker(load, side, self._window)
        self._picker = number, picker
        picker.picked.connect(self._picked)
        picker.rejected.connect(self._declined)
        self._show(picker)

    @Slot(object)
    def _picked(self, records: dict[Side, int]) -> None:
        if self._picker is not None:
            number, self._picker = self._picker[0], None
            self._window.session.loader.choose(number, records)

    @Slot()
    def _declined(self) -> None:
        if self._picker is not None:
            number, self._picker = self._picker[0], None
            self._window.session.loader.decline(number)

    @Slot()
    def picture(self) -> None:
        """Offer a picture of the part of the window that has the focus."""
        window = self._window
        seen = parts_of(window)
        focus = window.focusWidget()
        first = next((name for name, part in seen.items() if focus is not None and part.area.isAncestorOf(focus)), "")
        session = window.session
        dialog = PictureDialog(seen, first or next(iter(seen)), session.notice, window)
        dialog.open()

    @Slot()
    def preferences(self) -> None:
        window = self._window
        replay = window.view(ComputationView).replay
        self._show(Preferences(window.theme, window.session, replay, config_folder(), window))

    # The comparison

    @Slot(object, object, object)
    def show_place(self, side: Side, start: int, end: int) -> None:
        """Go to letters ``start`` to ``end`` (0-based) of the file of one sequence, and select them."""
        sequence = self._window.session.pair.shown(side)
        if sequence is not None:
            first, last = sorted((sequence.index(start), sequence.index(end - 1)))
            if last - first != end - 1 - start:  # B begins inside them: they are at both ends
                first = last = sequence.index(start)
            self._window.alignment.go_to_letters(side, first, last + 1)

    @Slot(object, object)
    def show_letter(self, a0: int | None, b0: int | None) -> None:
        """Point at a letter of A or of B (0-based), and show it among the letters."""
        self._window.pointer.move(a0, b0)
        self._window.alignment.go_to_letter(a0, b0)

    @Slot(object, int, object, int, object)
    def show_pair(self, a: Any, i: int, b: Any, j: int, method: Method) -> None:
        """Compare two records and show their alignment."""
        session = self._window.session
        session.open_records(a, i, b, j, session.start.changed(method=method.id, traceback=TracebackMethod.BLOCKS))

    # What is seen

    @Slot()
    def fit(self) -> None:
        self._window.arrangement.show_panel(COMPUTATION)
        self._window.view(ComputationView).fit()

    @Slot()
    def full_screen(self) -> None:
        on = not self._window.isFullScreen()
        self._window.showFullScreen() if on else self._window.showNormal()
        self._window.actions_by_id["full_screen"].setChecked(on)

    @Slot()
    def toggle_theme(self) -> None:
        self._window.theme.toggle()
        self._window.actions_by_id["follow_system"].setChecked(False)

    @Slot(bool)
    def follow_system(self, follow: bool) -> None:
        theme = self._window.theme
        theme.set_scheme(Scheme.SYSTEM if follow else Scheme.DARK if theme.dark else Scheme.LIGHT)

    @Slot()
    def shortcuts(self) -> None:
        views = self._window.views
        rows = sheet_rows((*SPECS, *ENTRIES), {each.title: views[each.id].keys for each in PANELS})
        self._show(ShortcutSheet(rows, self._window))

    def _show(self, dialog: QDialog) -> None:
        """Open without a loop of its own: jobs, timers and signals go on as before."""
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
