"""Panel of the lessons: a table or the words of its columns, stepped, played and asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.teach.lesson_canvas import LessonCanvas
from app.teach.question_row import QuestionRow
from app.ui.chooser import Chooser
from app.ui.flow_layout import FlowLayout, as_one_widget
from app.ui.labels import SentenceLabel
from app.ui.notices import Notice, Severity
from app.ui.pair import Pair
from app.ui.panel_view import PanelView
from app.ui.save_dialog import ask_save
from app.ui.theme import Theme
from app.ui.transport import Transport
from core.errors import InputError, WavediffError
from core.export.atomic import write_atomic
from core.export.registry import Format
from core.sequences.characters import decoded
from core.teach.lesson import Lesson, check_lesson, lessons, read_lesson
from core.teach.optimal_paths import Cell
from core.teach.page import lesson_page
from core.teach.player import Player
from core.teach.questions import Kind, Question
from core.teach.table import MAX_TABLE_LETTERS
from core.teach.unit import UNIT_NAMES, Unit
from core.translate import tr, tr_noop

LESSON_ENDING = ".toml"  # of a file that is a lesson
FRAME_MS = 16  # between two looks at the clock while a lesson plays
SENTENCE_LINES = 2
MAX_PLAYED_SECONDS = 0.25  # that a late timer may catch up
PAGE = Format("html", tr_noop("Page that plays"), (".html",), "", "")


class LessonView(PanelView):
    """A lesson of the list, of a file, or of the pair that is open."""

    keys = (
        (tr_noop("Space"), tr_noop("Play or pause")),
        ("→ · ←", tr_noop("Step, step back")),
        (tr_noop("Home · End"), tr_noop("To the start, to the end")),
        (tr_noop("Page Down · Page Up"), tr_noop("Next scene, scene before")),
        (tr_noop("F · S · ↑ · ↓"), tr_noop("Faster, slower")),
        ("U", tr_noop("Step by the next unit")),
        (tr_noop("Tab"), tr_noop("At the end: the next optimal path")),
        (tr_noop("Enter · Esc"), tr_noop("Answer a question; be told the answer")),
    )

    def __init__(self, pair: Pair, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pair = pair
        self._lesson: Lesson | None = None
        self.player: Player | None = None
        self._paths: Iterator[list[Cell]] | None = None
        self.lessons = Chooser[Lesson](self)
        self.units = Chooser[Unit | None](self)
        self.asks = QCheckBox(tr("Ask me"), self)
        self.take_button = QPushButton(tr("Use A and B"), self)
        self.open_button = QPushButton(tr("Open lesson…"), self)
        self.save_button = QPushButton(tr("Save page…"), self)
        self.canvas = LessonCanvas(theme, self)
        self.sentence = SentenceLabel(SENTENCE_LINES, self)
        self.sentence.setFont(theme.title_font)
        self.question = QuestionRow(self)
        self.transport = Transport(self)
        self._timer, self._since = QTimer(self), 0.0
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._tick)
        self._build()
        self._connect()
        self._sides_changed()

    def _build(self) -> None:
        self.lessons.setAccessibleName(tr("Lesson"))
        self.units.setAccessibleName(tr("Step by"))
        self.asks.setChecked(True)
        self.asks.setToolTip(tr("Ask before the step is shown, where a scene has a question"))
        self.save_button.setToolTip(tr("Save the lesson as one HTML file that plays in a browser, without a network"))
        self.open_button.setToolTip(tr("Open a lesson of one's own, a file in TOML"))
        for box in (self.lessons, self.units):  # which are filled later, and in each language by other words
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        top, layout = FlowLayout(), QVBoxLayout(self)
        units = as_one_widget(QLabel(tr("Step by"), self), self.units)
        for widget in (self.lessons, units, self.asks):
            top.addWidget(widget)
        top.stretch_here()
        for button in (self.take_button, self.open_button, self.save_button):
            top.addWidget(button)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.sentence)
        layout.addWidget(self.question)
        layout.addWidget(self.transport)

    def _connect(self) -> None:
        self.lessons.activated.connect(self._choose)
        self.units.activated.connect(self._choose_unit)
        self.asks.toggled.connect(self._toggle_asking)
        self.take_button.clicked.connect(self._use_pair)
        self.open_button.clicked.connect(self._ask_file)
        self.save_button.clicked.connect(self._ask_page)
        self.canvas.clicked.connect(self._pick)
        self.question.answered.connect(self._answer)
        self.question.checked.connect(self._check)
        self.question.tell_button.clicked.connect(self._tell)
        self.transport.wanted.connect(self._move)
        self.transport.sought.connect(self._seek)
        self._pair.changed.connect(self._sides_changed)

    # Which lesson

    def opened(self) -> None:
        self._ensure()
        self.canvas.setFocus()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._ensure()

    def hideEvent(self, event: object) -> None:
        self._play(False)
        super().hideEvent(event)  # type: ignore[arg-type]

    def _ensure(self) -> None:
        """Read the lessons when they are first looked at."""
        if self.lessons.count() == 0:
            for each in lessons():
                self.lessons.add(each, tr(each.title), each.source)
            self.show_lesson(self.lessons.value)

    def show_lesson(self, lesson: Lesson) -> None:
        """Begin a lesson."""
        self._lesson, self.player = lesson, Player(lesson)
        self.player.asking = self.asks.isChecked()
        self._paths = None
        self._show()

    def open_lesson(self, path: Path) -> None:
        """Begin the lesson of a file; what is wrong with it is said."""
        self._ensure()
        try:
            lesson = read_lesson(path)
            check_lesson(lesson, str(path))
        except InputError as error:
            self.noticed.emit(Notice(Severity.ERROR, str(error)))
            return
        self.lessons.add(lesson, lesson.title, str(path))
        self.lessons.choose(lesson)
        self.show_lesson(lesson)

    @Slot()
    def _choose(self) -> None:
        self.show_lesson(self.lessons.value)  # the focus stays: keys may go on to the next one

    @Slot()
    def _sides_changed(self) -> None:
        both = self._pair.complete
        fits = both is not None and all(1 <= len(each) <= MAX_TABLE_LETTERS for each in both)
        self.take_button.setEnabled(fits)
        tip = tr("Step the pair that is open by this lesson's method")
        if not fits:
            tip = tr("For pairs of up to {n} letters each", n=MAX_TABLE_LETTERS)
        self.take_button.setToolTip(tip)

    @Slot()
    def _use_pair(self) -> None:
        both = self._pair.complete
        if both is None or self._lesson is None:
            return
        a, b = (decoded(each.letters.tobytes(), each.characters) for each in both)
        self.show_lesson(self._lesson.with_inputs({"a": a, "b": b}))
        self.canvas.setFocus()

    @Slot()
    def _ask_file(self) -> None:
        dialog = QFileDialog(self, tr("Open a lesson"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"{tr('Lessons')} (*{LESSON_ENDING})"])
        dialog.fileSelected.connect(self._file_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _file_chosen(self, name: str) -> None:
        self.open_lesson(Path(name))

    @Slot()
    def _ask_page(self) -> None:
        if self._lesson is not None:
            ask_save(self, tr("Save the lesson as a page"), (PAGE,), self._lesson.id, self._save_page)

    def _save_page(self, path: Path, _kind: Format) -> None:
        assert self._lesson is not None
        try:
            write_atomic(path, lesson_page(self._lesson).encode())
        except WavediffError as error:
            self.noticed.emit(Notice(Severity.ERROR, str(error)))
        else:
            self.noticed.emit(Notice(Severity.INFO, tr("Saved {file}", file=path.name)))

    # Where it is

    def _show(self) -> None:
        player = self.player
        if player is None:
            return
        self.canvas.show_frame(player.frame, asked=player.question is not None)
        self.canvas.setAccessibleName(self.canvas.describe())
        self._say(player.sentence)
        self._show_place(player)
        self._show_units(player)
        self._show_question(player.question)
        if player.playing != self._timer.isActive():
            self._since = perf_counter()
            if player.playing:
                self._timer.start()
            else:
                self._timer.stop()

    def _show_place(self, player: Player) -> None:
        last = player.n_frames - 1
        place, widest = (tr("{step} of {total}", step=step, total=last) for step in (player.at, last))
        waits = player.question is not None
        self.transport.show_place(player.at, last, place, widest, playing=player.playing, waits=waits)
        self.transport.show_speed(tr("{speed:g}×", speed=player.speed), tr("{speed:g}×", speed=0.25))

    def _say(self, text: str) -> None:
        self.sentence.set_text(text)
        self.canvas.setAccessibleDescription(text)

    def _show_units(self, player: Player) -> None:
        units = player.frame.part.units
        if self.units.values[1:] != tuple(units):
            self.units.clear()
            self.units.add(None, tr("lesson"), tr("The scenes of the lesson"))
            for each in units:
                self.units.add(each, tr(UNIT_NAMES[each]))
        self.units.choose(player.unit)

    def _show_question(self, question: Question | None) -> None:
        if question is None:
            self.canvas.picked.clear()
            if self.question.isAncestorOf(self.focusWidget() or self):
                self.canvas.setFocus()  # before the controls go, which would hand the focus on to the next one
        if self.question.show_question(question) and self.isVisible():
            self.question.answer_field.setFocus()

    @Slot(str)
    def _move(self, where: str) -> None:
        player = self.player
        if player is None:
            return
        self.canvas.path, self._paths = [], None
        moves: dict[str, Callable[[], None]] = {
            "start": partial(player.seek, 0),
            "back": player.back,
            "on": player.step,
            "end": partial(player.seek, player.n_frames - 1),
        }
        if where == "play":
            self._play(not player.playing)
            return
        moves[where]()
        self._show()

    @Slot(int)
    def _seek(self, at: int) -> None:
        if self.player is not None:
            self.canvas.path, self._paths = [], None
            self.player.seek(at)
            self._show()

    def _play(self, on: bool) -> None:
        if self.player is not None and self.player.playing != on:
            self.player.play(on)
            self._show()

    @Slot()
    def _tick(self) -> None:
        now = perf_counter()
        seconds, self._since = min(now - self._since, MAX_PLAYED_SECONDS), now
        if self.player is not None and (self.player.tick(seconds) or not self.player.playing):
            self._show()

    @Slot()
    def _choose_unit(self) -> None:
        if self.player is not None:
            self.player.choose_unit(self.units.value)
            self._show()

    @Slot(bool)
    def _toggle_asking(self, on: bool) -> None:
        if self.player is not None:
            self.player.asking = on
            if not on and self.player.question is not None:
                self.player.tell()
            self._show()

    # Questions

    @Slot(object)
    def _pick(self, cell: Cell) -> None:
        question = None if self.player is None else self.player.question
        if question is not None and question.kind in (Kind.READS, Kind.WRITES):
            self.canvas.picked ^= {cell}
            self.canvas.update()

    @Slot()
    def _check(self) -> None:
        """Mark the cells that were clicked."""
        self._answer(frozenset(f"{row},{col}" for row, col in self.canvas.picked))

    @Slot(object)
    def _answer(self, given: frozenset[str]) -> None:
        player = self.player
        if player is None or player.question is None:
            return
        text = player.question.text
        marked = player.answer(set(given))
        self._show()
        if marked.is_right:
            self._say(tr("Right. {why}", why=marked.why))
        else:
            self._say(tr("Not yet. {question}", question=text))

    @Slot()
    def _tell(self) -> None:
        if self.player is not None and self.player.question is not None:
            why = self.player.question.why
            self.player.tell()
            self._show()
            self._say(why)

    # Keys

    def focusNextPrevChild(self, on: bool) -> bool:
        """Let Tab show the optimal paths once the whole table is known, and leave after the last one."""
        if on and self.canvas.hasFocus() and self.canvas.ended and self._next_path():
            return True
        return super().focusNextPrevChild(on)

    def _next_path(self) -> bool:
        player = self.player
        if player is None:
            return False
        frame = player.frame
        grid = frame.part.trace.scene(frame.unit, frame.step).grid
        if grid is None or grid.arrows is None:
            return False
        self._paths = self._paths or grid.arrows.paths()
        self.canvas.path = next(self._paths, [])
        self.canvas.update()
        if not self.canvas.path:
            self._paths = None
        return bool(self.canvas.path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        player, key = self.player, event.key()
        if (
            player is None
            or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        ):
            super().keyPressEvent(event)
            return
        moves = {
            Qt.Key.Key_Space: "play", Qt.Key.Key_P: "play", Qt.Key.Key_Right: "on", Qt.Key.Key_Left: "back",
            Qt.Key.Key_Home: "start", Qt.Key.Key_End: "end", Qt.Key.Key_Q: "end",
        }  # fmt: skip
        speeds = {
            Qt.Key.Key_F: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Plus: 1,
            Qt.Key.Key_S: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Minus: -1,
        }  # fmt: skip
        if key in moves:
            self._move(moves[Qt.Key(key)])
        elif key in speeds:
            player.change_speed(speeds[Qt.Key(key)])
            self._show()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            player.jump(1 if key == Qt.Key.Key_PageDown else -1)
            self._show()
        elif key == Qt.Key.Key_U:
            units = [None, *player.frame.part.units]
            player.choose_unit(units[(units.index(player.unit) + 1) % len(units)])
            self._show()
        elif key == Qt.Key.Key_Escape and player.question is not None:
            self._tell()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and player.question is not None:
            self.question.check()
        else:
            super().keyPressEvent(event)
