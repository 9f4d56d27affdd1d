"""Lesson panel: selection, unit, inputs, files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QMenu, QPushButton, QVBoxLayout

from wavediff.app.draw.scene_style import Preset
from wavediff.app.teach.course_list import CourseList, InputsDialog, LectureNotes, ProjectorWindow
from wavediff.app.teach.lesson_inputs import compared, plays_last, taken, with_letters, with_letters_of, with_run
from wavediff.app.teach.lesson_pictures import lesson_picture
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.dialogs import open_dialog
from wavediff.app.ui.layouts import FlowLayout, as_one_widget, in_column
from wavediff.app.ui.notices import Notice, Severity
from wavediff.app.ui.pair import Pair
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.picture_files import PICTURES, unwatched
from wavediff.app.ui.save_dialog import Folder, ask_save
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import LESSON, Format, of_id
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import run_to_end
from wavediff.core.record.run_file import StoredRun
from wavediff.core.sequences.common_characters import keeps_uracil
from wavediff.core.teach.lesson import Lesson, Part, headings, read_lesson, translations
from wavediff.core.teach.player import Player
from wavediff.core.teach.table import MAX_TABLE_LETTERS
from wavediff.core.teach.unit import UNIT_NAMES, Unit

LESSON_ENDING = ".toml"  # of a file that is a lesson
PAGE = of_id(LESSON, "html")
OF_LESSONS = "lesson"  # what a notice of a lesson that cannot be shown is about
EVERY_STEPS = 4  # of which one is asked for
ASKED = (  # every so many steps, 0 where scenes ask; None: never
    (None, "never", "Show each step without a question"),
    (0, "in scenes", "Ask the questions of the scenes, before the step is shown"),
    (EVERY_STEPS, "often", f"Ask the questions of the scenes, and one every {EVERY_STEPS} steps"),
)
LEVELS = ("numbers and arrows", "also cells and words", "also paths")  # of ``wavediff.core.teach.questions.LEVELS``


class LessonView(PanelView):
    """Lesson from the list, from a file, or of the open pair.

    Args:
        last_run: returns the run of the shown answer, or None.

    Signals:
        dealt_with: a lesson is shown, so errors of earlier lessons are outdated, see ``Notice.about``.
    """

    dealt_with = Signal(object)

    is_scene = True
    keys = (
        ("Space", "Play or pause"),
        ("→ · ←", "Step, step back"),
        ("Home · End", "To the start, to the end"),
        ("Page Down · Page Up", "Next, previous scene and question; at the ends, lessons"),
        ("Ctrl+Page Down · Ctrl+Page Up", "Next, previous lesson"),
        ("L", "All lessons"),
        ("F · S · ↑ · ↓", "Faster, slower"),
        ("U", "Step by the next unit"),
        ("Digits, Enter", "Go to a step"),
        ("Tab", "At the last step: show the next optimal path"),
        ("Enter · Esc", "Answer a question; show the answer"),
        ("Arrows · Space", "In a question about cells: go to a cell, mark it"),
        ("A", "Ask about a random step"),
        ("F11", "The lesson alone on the whole screen, in large letters"),
        ("B · .", "Black screen"),
        ("N", "Notes for teachers"),
        ("Ctrl+E", "Save the view as a picture"),
    )

    def __init__(self, pair: Pair, last_run: Callable[[], StoredRun | None], theme: Theme) -> None:
        super().__init__()
        self._pair, self._last_run, self._theme = pair, last_run, theme
        self._lesson: Lesson | None = None
        self._read: dict[Path, Lesson] = {}
        self._own: Part | None = None  # with the user's letters, also for other lessons
        self._run_played = 0  # id of the job whose run the lesson plays; 0: none of the window
        self.stage = LessonStage(theme)
        self.lessons = Chooser[Path]("Lesson", self)
        self.units = Chooser[Unit | None]("Step by", self)
        self.asks = Chooser[int | None]("Ask", self)
        for every, text, tip in ASKED:
            self.asks.add(every, text, tip)
        self.levels = Chooser[int]("Level", self)
        for level, text in enumerate(LEVELS, 1):
            self.levels.add(level, str(level), f"Level of frequent and random questions: {text}")
        self.shows_notes = QCheckBox("Notes", self)
        whole, change = "The lesson alone on the whole screen, in large letters", "Use other letters or numbers"
        self.hall_button = self._button("Projector", whole, self._toggle_projector)
        self.ask_button = self._button("Question", "Ask about a step at random (A)", self.stage.ask_fresh)
        self.take_button = self._button("Use A and B", "", self._use_pair)
        self.inputs_button = self._button("Inputs…", f"{change} in this part of the lesson", self._ask_inputs)
        page = "Save the lesson as one HTML file that plays in a browser, without a network"
        self.files = QMenu(self, toolTipsVisible=True)
        for text, tip, action in (
            ("Open lesson…", "Open your own lesson, a TOML file", self._ask_file),
            ("Save picture…", "Save the view as PNG, SVG or PDF (Ctrl+E)", self._ask_picture),
            ("Save page…", page, self._ask_page),
        ):
            self.files.addAction(text, action).setToolTip(tip)
        self.files_button = QPushButton("Files", self)
        self.files_button.setMenu(self.files)
        self.notes = LectureNotes()
        self._step: tuple[int, int | None] | None = None  # that the next lesson shall begin with, and its scene
        self._projector: ProjectorWindow | None = None
        self._checks = BackgroundTask("lesson", self)
        self._build()
        self._connect()
        self._offer_pair()

    @property
    def player(self) -> Player | None:
        return self.stage.player

    def _button(self, text: str, tip: str, action: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        button.clicked.connect(action)
        return button

    def _build(self) -> None:
        self.asks.choose(0)
        self.levels.choose(len(LEVELS))
        self.shows_notes.setToolTip("Notes and frequent questions for teachers (N)")
        self.notes.hide()
        units = as_one_widget(QLabel("Step by", self), self.units)
        buttons = (self.ask_button, self.hall_button, self.take_button, self.inputs_button, self.files_button)
        asks = as_one_widget(QLabel("Ask", self), self.asks)
        levels = as_one_widget(QLabel("Level", self), self.levels)
        top = FlowLayout(self.lessons, asks, units, levels, self.shows_notes, last=buttons)
        in_column(top, (self.stage, 1), self.notes, on=self, margin=(8, 6, 8, 6), gap=6)

    def _connect(self) -> None:
        self.lessons.activated.connect(self._choose_fresh)
        self.units.activated.connect(self._choose_unit)
        self.asks.activated.connect(self._choose_asking)
        self.levels.activated.connect(self._choose_asking)
        self.shows_notes.toggled.connect(self._show_notes)
        for signal in (self.stage.shown, self.stage.resized):
            signal.connect(self._follow)
        self.stage.projector_wanted.connect(self._toggle_projector)
        self.stage.lesson_wanted.connect(self._turn_to)
        self.stage.course_wanted.connect(self._list_course)
        self._pair.changed.connect(self._offer_pair)
        self._checks.finished.connect(self._begin_own)
        self._checks.failed.connect(self._report)

    @Slot(bool)
    def _show_notes(self, on: bool) -> None:
        self.notes.setVisible(on)
        if on:
            self.scroll_to(self.notes)

    # Which lesson

    def opened(self) -> None:
        self._ensure()
        self.stage.canvas.setFocus()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._ensure()

    def hideEvent(self, event: object) -> None:
        if self._projector is None:
            self.stage.play(False)
        super().hideEvent(event)  # type: ignore[arg-type]

    def _ensure(self) -> None:
        """Read the headings on first display; lessons are read when chosen."""
        if self.lessons.count() == 0:
            for each in (*headings(), *translations()):
                self.lessons.add(each.path, each.title, each.source)
            self._choose()
        else:
            self.follow_answer()

    @Slot()
    def follow_answer(self) -> None:
        """Play the run of the current answer, in a lesson that plays such a run."""
        if self._lesson is not None and plays_last(self._lesson):
            run = self._last_run()
            if (0 if run is None else run.recorded.job_id) != self._run_played:
                self._choose()

    def show_lesson(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._own = next((part for part in lesson.parts if part.own), self._own)
        self.notes.show_lesson(lesson)
        self.stage.show_lesson(lesson, asking=self.asks.value is not None, every=self.asks.value or 0)
        if self.player is not None:
            self.player.level = self.levels.value
        self._offer_pair()
        self.dealt_with.emit(frozenset({OF_LESSONS}))

    def open_lesson(self, path: Path) -> None:
        """Open a lesson file in the background, and show its errors."""
        self._ensure()
        self._checks.start(partial(_checked, path))

    def open_at(
        self, path: Path, texts: Mapping[str, str], unit: Unit | None, step: int | None, scene: int | None = None
    ) -> None:
        """Open a lesson file with typed inputs at a step, and show its errors; ``scene``: its scene, counted from 1."""
        self._ensure()
        if path not in self.lessons.values:
            self.lessons.add(path, path.stem, str(path))
        self.lessons.choose(path)
        self._step = None if step is None else (step, scene)
        self._checks.start(partial(_made_again, path, texts, unit))

    @Slot(object)
    def _begin_own(self, own: tuple[Path | None, Lesson]) -> None:
        path, lesson = own
        if path is None:  # one of the list with other letters
            self.show_lesson(lesson)
            step, self._step = self._step, None
            if step is not None and self.player is not None:
                self.player.seek_step(*step)
                self.stage.refresh()
            return
        if path not in self._read:
            self.lessons.add(path, lesson.title, str(path))
        self._read[path] = lesson
        self.lessons.choose(path)
        self.lessons.setItemText(self.lessons.currentIndex(), lesson.title)
        self.show_lesson(lesson)

    @Slot(object)
    def _report(self, error: BaseException) -> None:
        if not isinstance(error, WavediffError):
            raise error
        self.noticed.emit(Notice(Severity.ERROR, str(error), frozenset({OF_LESSONS})))

    @Slot()
    def _choose_fresh(self) -> None:
        self._own = None
        self._choose()

    def _choose(self) -> None:
        path = self.lessons.value
        if path not in self._read:
            self._read[path] = read_lesson(path)
        lesson = self._read[path]
        run = self._last_run() if plays_last(lesson) else None
        self._run_played = 0 if run is None else run.recorded.job_id
        if run is not None:
            lesson = with_run(lesson, run)
        elif self._own is not None:
            lesson = with_letters_of(lesson, self._own)
        self.show_lesson(lesson)  # the focus stays: keys may go on to the next one

    @Slot(int)
    def _turn_to(self, by: int) -> None:
        here, row = self.lessons.value, self.lessons.currentIndex() + by
        if 0 <= row < self.lessons.count() and self.lessons.values[row].parent == here.parent:  # of one language
            self._choose_path(self.lessons.values[row])

    @Slot(object)
    def _choose_path(self, path: Path) -> None:
        self.lessons.choose(path)
        self._choose()
        self.stage.canvas.setFocus()

    @Slot()
    def _list_course(self) -> None:
        self.stage.play(False)
        course = CourseList(self.stage)
        course.chosen.connect(self._choose_path)
        course.left.connect(self.stage.canvas.setFocus)
        course.left.connect(course.deleteLater)
        course.open(self.lessons.value, self.stage.font())

    @Slot()
    def _offer_pair(self) -> None:
        both = self._pair.complete
        fits = both is not None and all(1 <= len(each) <= MAX_TABLE_LETTERS for each in both)
        takes = self._lesson is None or bool(taken(self._lesson))
        self.take_button.setEnabled(fits and takes)
        tip = "Show the open pair step by step with this lesson's method"
        if not takes:
            tip = "This lesson has no sequences"
        elif not fits:
            tip = f"For pairs of up to {number(MAX_TABLE_LETTERS)} letters each"
        self.take_button.setToolTip(tip)

    @Slot()
    def _use_pair(self) -> None:
        both = self._pair.complete
        if both is None or self._lesson is None:
            return
        u_is_t = both[0].u_is_t and keeps_uracil(*both)
        a, b = (compared(each, own=each.u_is_t and not u_is_t) for each in both)
        self._checks.start(partial(with_letters, self._lesson, a, b))
        if u_is_t:
            self.noticed.emit(Notice(Severity.INFO, "The lesson writes U as T, as the pair is compared"))
        self.stage.canvas.setFocus()

    @Slot()
    def _ask_inputs(self) -> None:
        if self.player is None or self._lesson is None:
            return
        part = self.player.frame.part
        dialog = InputsDialog(part.trace.inputs, self)
        dialog.typed.connect(partial(self._take_inputs, dialog, self._lesson, part))
        open_dialog(dialog)

    def _take_inputs(self, dialog: InputsDialog, lesson: Lesson, part: Part, texts: dict[str, str]) -> None:
        try:
            other = lesson.with_typed(texts, part=part) if texts else lesson
        except WavediffError as error:
            dialog.refuse(str(error))
            return
        dialog.done(InputsDialog.DialogCode.Accepted)
        self.show_lesson(other)
        self.stage.canvas.setFocus()

    # Files

    @Slot()
    def _ask_file(self) -> None:
        dialog = QFileDialog(self, "Open a lesson", Folder.now(), fileMode=QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"Lessons (*{LESSON_ENDING})"])
        dialog.fileSelected.connect(self._file_chosen)
        open_dialog(dialog)

    @Slot(str)
    def _file_chosen(self, name: str) -> None:
        Folder.use(Path(name))
        self.open_lesson(Path(name))

    @Slot()
    def _ask_page(self) -> None:
        if self._lesson is not None:
            ask_save(self, "Save the lesson as a page", (PAGE,), self._lesson.id, self._save_page)

    def _save_page(self, path: Path, kind: Format) -> None:
        self.write(kind, path, self._lesson, f"Saved {path.name}")

    @Slot()
    def _ask_picture(self) -> None:
        if self._lesson is not None:
            ask_save(self, "Save the view as a picture", tuple(PICTURES.values()), self._lesson.id, self._save_picture)

    def _save_picture(self, path: Path, kind: Format) -> None:
        assert self._lesson is not None
        assert self.player is not None
        try:
            make = run_to_end(lesson_picture(self._lesson, self.player.frame).saved(kind))
        except WavediffError as error:
            self.tell(str(error), Severity.ERROR)
        else:
            self.write_by(lambda _cancel: write_atomic(path, make(unwatched)), f"Saved {path.name}")

    # Choices

    @Slot()
    def _follow(self) -> None:
        """Show the units of the current part, and update the notes."""
        player = self.player
        if player is None:
            return
        for part in (self.stage.transport, self.stage.sentence):  # the latter is in view also in a low panel
            self.scroll_to(part)
        self.notes.follow(player)
        units = player.frame.part.units
        if self.units.values[1:] != tuple(units):
            self.units.clear()
            self.units.add(None, "lesson", "The scenes of the lesson")
            for each in units:
                self.units.add(each, UNIT_NAMES[each])
        self.units.choose(player.unit)

    @Slot()
    def _choose_unit(self) -> None:
        if self.player is not None:
            self.player.choose_unit(self.units.value)
            self.stage.refresh()

    @Slot()
    def _choose_asking(self) -> None:
        every = self.asks.value
        if self.player is not None:
            self.player.asking, self.player.every, self.player.level = every is not None, every or 0, self.levels.value
            if every is None and self.player.question is not None:
                self.player.tell()
            self.stage.refresh()

    @Slot()
    def _toggle_projector(self) -> None:
        if self._projector is not None:
            self._projector.close()
            return
        self._projector = ProjectorWindow(self.stage, self._theme, self)
        self._projector.closed.connect(self._take_back)
        self._projector.open()
        self.notes.lecture(True)
        self.notes.show()

    @Slot()
    def _take_back(self) -> None:
        projector, self._projector = self._projector, None
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        self.stage.cover.setParent(self.stage)
        layout.insertWidget(1, self.stage, 1)
        self.stage.show()
        self.notes.lecture(False)
        self.notes.setVisible(self.shows_notes.isChecked())
        self.stage.set_style(self._theme, Preset.DESK)
        self.window().activateWindow()
        self.stage.take_focus()
        if projector is not None:
            projector.deleteLater()

    # Keys

    def event(self, event: QEvent) -> bool:
        """Handle Ctrl+E, F11 and N before the window, which uses them otherwise."""
        keys = isinstance(event, QKeyEvent) and (_saves(event) or event.key() in (Qt.Key.Key_F11, Qt.Key.Key_N))
        if keys and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _saves(event):
            self._ask_picture()
        elif event.key() == Qt.Key.Key_F11:
            self._toggle_projector()
        elif event.key() == Qt.Key.Key_N and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.shows_notes.toggle()
        else:
            super().keyPressEvent(event)


def _saves(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_E and event.modifiers() == Qt.KeyboardModifier.ControlModifier


def _checked(path: Path, _cancel: CancelToken) -> tuple[Path, Lesson]:
    """Read a lesson in a thread; foreign ones compute their expectations."""
    return path, read_lesson(path)


def _made_again(path: Path, texts: Mapping[str, str], unit: Unit | None, cancel: CancelToken) -> tuple[None, Lesson]:
    _, lesson = _checked(path, cancel)
    return None, lesson.with_typed(texts, unit) if texts or unit is not None else lesson
