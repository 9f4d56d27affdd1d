"""Player of a lesson: canvas, sentence, question and transport, in a panel or full screen."""

from __future__ import annotations

from collections.abc import Iterator
from random import randrange
from time import perf_counter

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from wavediff.app.draw.painter import measured, sized
from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.canvas import ARROWS
from wavediff.app.ui.labels import ElidedLabel, SentenceLabel, announce
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.panel_view import area_of
from wavediff.app.ui.stage.lesson_canvas import LessonCanvas
from wavediff.app.ui.stage.question_row import QuestionRow
from wavediff.app.ui.theme import Theme
from wavediff.app.ui.transport import Transport
from wavediff.core.base.numbers import localized, number
from wavediff.core.teach.language import in_language
from wavediff.core.teach.lesson import MAX_SENTENCE_LETTERS, Lesson, Part
from wavediff.core.teach.player import SPEEDS, Player, path_sentence
from wavediff.core.teach.questions import CLICKED, Cell, Kind, Question
from wavediff.core.teach.unit import Unit

FRAME_MS = 16  # between two looks at the clock while a lesson plays
SENTENCE_LINES, NARROW_SENTENCE_LINES = 2, 3
MAX_PLAYED_SECONDS = 0.25  # that a late timer may catch up
SENTENCE_RATIO = 1.3  # size of a sentence in a hall, of the other texts'
MAX_STEP_DIGITS = 7  # of a step that is gone to
TITLE_GAP_PX = 24
MAX_SEED = 1 << 30  # of a question at random
BESIDE_PX, LOW_PX = 640, 360  # from this width on, and below this height, the sentence stands next to the scene
CELLS_BESIDE_PX = 520  # from this width on next to cells, which have no listing
SCENE_PX = 160  # of height, that a scene has of a low panel
SCENE_SHARE, WORDS_SHARE = 3, 2  # of the width, where the sentence stands next to the scene


class LessonStage(QWidget):
    """Plays a lesson by keyboard, mouse and timer.

    Args:
        hall: whether F11 shows the stage alone on a screen. narrow: the slider has its own row.

    Attributes:
        player: the player of the open lesson, or None.

    Signals:
        shown: frame or unit changed.
        projector_wanted: show the stage alone on a screen, or end that.
        lesson_wanted: number of lessons forward. course_wanted: show the list of lessons. resized: new size.
    """

    shown = Signal()
    projector_wanted = Signal()
    lesson_wanted = Signal(int)
    course_wanted = Signal()
    resized = Signal(QSize)

    def __init__(self, theme: Theme, *, hall: bool = True, narrow: bool = False) -> None:
        super().__init__()
        self._theme, self._hall = theme, hall
        self.player: Player | None = None
        self._paths: Iterator[tuple[int, list[Cell]]] | None = None
        self._placed: tuple[Part, Unit] | None = None  # for which the sentence is placed
        self._typed = ""  # digits of the step to go to
        self._announced = ""
        self.canvas, self.listing = LessonCanvas(theme), LessonCanvas(theme, listing=True)
        lines, letters = NARROW_SENTENCE_LINES if narrow else SENTENCE_LINES, MAX_SENTENCE_LETTERS if hall else 0
        self.sentence = SentenceLabel(lines, letters)
        self.question = QuestionRow()
        self.transport = Transport(narrow=narrow)
        self.title = ElidedLabel(whole=True, parent=self)  # a hall sees nothing else that says it
        self.cover = Cover(self)
        self._timer, self._since = QTimer(self, interval=FRAME_MS), 0.0
        self._timer.timeout.connect(self._tick)
        foot = in_row(self.title, (self.transport, 1), gap=TITLE_GAP_PX)
        words = in_column((self.sentence, 1), self.question, (self.listing, 2), 0, gap=6)
        self._scene = in_column((self.canvas, SCENE_SHARE), (words, 0), gap=6)
        in_column((self._scene, 1), foot, on=self, margin=0, gap=6)
        self.setFocusProxy(self.canvas)
        self.canvas.clicked.connect(self._pick)
        self.canvas.row_clicked.connect(self._pick_row)
        self.canvas.listed.connect(self._show_listing)
        self.question.answered.connect(self._answer)
        self.question.checked.connect(
            lambda: self._answer(frozenset(f"{row},{col}" for row, col in self.canvas.picked))
        )
        self.question.tell_button.clicked.connect(self._reveal_answer)
        self.transport.wanted.connect(self._move)
        self.transport.sought.connect(self._seek)
        self.transport.speed_wanted.connect(self._set_speed)
        self.set_style(theme, Preset.DESK)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit(event.size())
        self._place_sentence()

    def _place_sentence(self) -> None:
        """Place the sentence next to the scene, if that is whole there, in a low, wide panel; else use its lines."""
        low, frame = self.height() < LOW_PX, None if self.player is None else self.player.frame
        is_wide = self.width() >= (BESIDE_PX if self._hall else CELLS_BESIDE_PX) and low
        if is_wide and self._hall and frame is not None:
            share, gap = SCENE_SHARE / (SCENE_SHARE + WORDS_SHARE), self._scene.spacing()
            high = self.height() - self.transport.sizeHint().height() - gap
            if (area := area_of(self)) is not None:  # without what is scrolled, else this depends on its own result
                high += area.viewport().height() - area.viewport().childrenRect().height()
            is_wide = self.canvas.is_whole(frame, int(share * (self.width() - gap)), max(SCENE_PX, high))
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if direction != self._scene.direction():
            self._scene.setDirection(direction)
            self._scene.setStretch(1, WORDS_SHARE if is_wide else 0)
        self.sentence.let_shrink(low if self._hall else is_wide)
        self.canvas.setMinimumHeight(SCENE_PX if low and self._hall else 0)
        self._show_listing()

    @Slot()
    def _show_listing(self) -> None:
        """Show the listing below a sentence that stands next to the scene, where the scene has no room for it."""
        frame = None if self.player is None else self.player.frame
        beside = self._hall and self._scene.direction() == QBoxLayout.Direction.LeftToRight
        if shows := frame is not None and beside and not self.canvas.has_listing:
            assert frame is not None
            shows = bool(frame.part.listing.scene(frame.unit, frame.step).parts)
            self.listing.show_frame(frame, asked=False)
        self.listing.setVisible(shows)

    def set_style(self, theme: Theme, preset: Preset, scale: float = 1.0) -> None:
        hall, text_px = preset is Preset.PROJECTOR, measured(preset, scale).text_px
        for canvas in (self.canvas, self.listing):
            canvas.set_style(theme, preset, scale)
        self.setFont(sized(text_px) if hall else QFont())
        self.sentence.setFont(sized(SENTENCE_RATIO * text_px, bold=True) if hall else self._theme.title_font)
        self.setPalette(theme.palette() if hall else QPalette())
        self.setAutoFillBackground(hall)
        self.title.setVisible(hall)
        self.title.setFont(self.font())
        for widget in (self.transport, self.question):
            widget.setFont(self.font())
            for child in widget.findChildren(QWidget):
                child.setFont(self.font())
        self.transport.fit_font()
        self.question.fit_font()
        self.refresh()  # whose room is of the font

    def show_lesson(self, lesson: Lesson, *, asking: bool, every: int = 0) -> None:
        self.player = Player(lesson)
        self.player.asking, self.player.every = asking, every
        if self._hall:
            self.title.set_text(lesson.title)
        self._forget_path()
        self.refresh()

    def play(self, on: bool) -> None:
        if self.player is not None and self.player.playing != on:
            self.player.play(on)
            self.refresh()

    def refresh(self) -> None:
        player = self.player
        if player is None:
            return
        if self._placed != (of := (player.frame.part, player.frame.unit)):
            self._placed = of
            self._place_sentence()
        self.canvas.show_frame(player.frame, asked=player.question is not None)
        self.canvas.taken = () if player.marked is None else player.marked.cells
        self.canvas.setAccessibleName(self.canvas.describe())
        self._show_listing()
        self.say(player.sentence)
        self._show_question(player.question)
        self._show_place(player)
        if player.playing != self._timer.isActive():
            self._since = perf_counter()
            if player.playing:
                self._timer.start()
            else:
                self._timer.stop()
        self.shown.emit()

    def _show_place(self, player: Player) -> None:
        at, last = player.shown_at, player.n_frames - 1
        place, widest = (f"{number(step)} of {number(last)}" for step in (at, last))
        if self._typed:
            place = f"to {number(int(self._typed))} …"
        waits = player.question is not None
        self.transport.show_place(at, last, place, widest, playing=player.playing, waits=waits)
        texts = [f"{localized(f'{speed:g}')}×" for speed in SPEEDS]
        self.transport.show_speeds(texts, SPEEDS.index(player.speed), "")

    @Slot(int)
    def _set_speed(self, at: int) -> None:
        if self.player is not None:
            self.player.change_speed(at - SPEEDS.index(self.player.speed))
            self.refresh()

    def say(self, english: str) -> None:
        """Show a sentence, given in English, in the language of the lesson."""
        text = english if self.player is None else in_language(self.player.frame.part.language, english)
        self.sentence.set_text(text)
        self.canvas.setAccessibleDescription(text)
        if self.isVisible() and text != self._announced and self.player is not None and not self.player.playing:
            self._announced = text
            announce(self.canvas, text)

    # Where it is

    @Slot(str)
    def _move(self, where: str) -> None:
        player = self.player
        if player is None:
            return
        self._forget_path()
        if where == "play":
            self.play(not player.playing)
            return
        moves = {"back": player.back, "on": player.step if player.question is None else player.tell}
        if where in moves:
            moves[where]()
        else:
            player.seek(0 if where == "start" else player.n_frames - 1)
        self.refresh()

    @Slot(int)
    def _seek(self, at: int) -> None:
        if self.player is not None:
            self._forget_path()
            self.player.seek(at)
            self.refresh()

    @Slot()
    def _tick(self) -> None:
        now = perf_counter()
        seconds, self._since = min(now - self._since, MAX_PLAYED_SECONDS), now
        if self.player is not None and (self.player.tick(seconds) or not self.player.playing):
            self.refresh()

    # Questions

    def _show_question(self, question: Question | None) -> None:
        if is_new := question is not self.question.shown:
            self._typed = ""  # Enter answers now
            self.canvas.picked.clear()
            self.canvas.picked_row = self.canvas.current = None
            if self.question.isAncestorOf(self.focusWidget() or self):
                self.canvas.setFocus()  # before the controls go, which would hand the focus on to the next one
        if self.question.show_question(question) and self.isVisible():
            self.question.answer_field.setFocus()
        elif is_new and question is not None and question.kind in CLICKED:
            self.canvas.move_cursor()
            self._tell_cell()
            if self.isVisible():
                self.canvas.setFocus()

    def _tell_cell(self) -> None:
        """Describe the cell at the cursor, before the question, for screen readers."""
        assert self.player is not None
        cell = in_language(self.player.frame.part.language, self.canvas.describe_cursor())
        self.canvas.setAccessibleDescription(f"{cell}. {self.sentence.text}")
        announce(self.canvas, cell)

    def take_focus(self) -> None:
        """Focus the answer field of a question, else the scene."""
        field = self.question.answer_field
        (self.canvas if field.isHidden() else field).setFocus()

    @Slot(object)
    def _pick(self, cell: Cell) -> None:
        question = None if self.player is None else self.player.question
        if question is not None and question.kind in CLICKED:
            self.canvas.picked ^= {cell}
            self.canvas.current = cell
            self._tell_cell()
            self.canvas.update()
        elif question is None and (text := self.canvas.tip(cell)):
            self.play(False)
            self.say(text.replace("\n", ": ", 1))

    @Slot(int)
    def _pick_row(self, row: int) -> None:
        question = None if self.player is None else self.player.question
        if question is not None and question.kind is Kind.NEXT:
            self.canvas.picked_row = row
            self.canvas.update()
            self.question.answer_field.setText(self.canvas.row_name(row))

    @Slot(object)
    def _answer(self, given: frozenset[str]) -> None:
        player = self.player
        if player is None or player.question is None:
            return
        marked = player.answer(set(given))
        self.refresh()
        if marked.is_right:
            self.say(f"Right. {marked.why}")
        self.question.answer_field.selectAll()  # so that the next answer takes the place of a wrong one

    def ask_fresh(self) -> None:
        """Ask a question about a random step."""
        if self.player is not None:
            self._forget_path()
            asked = self.player.ask_fresh(randrange(MAX_SEED))
            self.refresh()
            if not asked:
                self.say("This part has no questions.")

    @Slot()
    def _reveal_answer(self) -> None:
        if self.player is not None and self.player.question is not None:
            self.player.tell()
            self.refresh()

    # Paths

    def focusNextPrevChild(self, on: bool) -> bool:
        """Let Tab cycle through the optimal paths after the last step, then leave."""
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
        self._paths = self._paths or enumerate(grid.arrows.paths(), 1)
        number, self.canvas.path = next(self._paths, (0, []))
        self.canvas.update()
        if number:
            self.say(path_sentence(frame.part.trace, grid.arrows, number))
        else:
            self._paths = None
            self.say(player.sentence)
        return bool(number)

    def _forget_path(self) -> None:
        self.canvas.path, self._paths = [], None

    # Keys

    def event(self, event: QEvent) -> bool:
        """Handle F11 and Ctrl+L before the window, which uses them otherwise."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if (self._hall and event.key() == Qt.Key.Key_F11) or (control and event.key() == Qt.Key.Key_L):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        player, key = self.player, event.key()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if player is not None and self.cover.isVisible():
            self.cover.hide()
        elif player is not None and control and self._hall and key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.lesson_wanted.emit(1 if key == Qt.Key.Key_PageDown else -1)
        elif player is not None and player.question is None and control and key == Qt.Key.Key_L:
            self.say("Type the number of a step, then Enter.")
        elif player is None or not plain or not self._take_key(player, event):
            super().keyPressEvent(event)

    def _take_cell_key(self, question: Question, key: int) -> bool:
        """Move the cell cursor of a question about cells, or mark its cell; False for other keys."""
        if question.kind in CLICKED and key == Qt.Key.Key_Space and self.canvas.current is not None:
            self._pick(self.canvas.current)
        elif question.kind in CLICKED and key in ARROWS:
            self.canvas.move_cursor(*ARROWS[Qt.Key(key)])
            self._tell_cell()
        else:
            return False
        return True

    def _take_key(self, player: Player, event: QKeyEvent) -> bool:
        key, asked = event.key(), player.question
        if asked is not None and (event.text().isdecimal() or self._take_cell_key(asked, key)):
            return True  # a digit is no step while a question waits
        moves = {
            Qt.Key.Key_Space: "play", Qt.Key.Key_P: "play", Qt.Key.Key_Right: "on", Qt.Key.Key_Left: "back",
            Qt.Key.Key_Home: "start", Qt.Key.Key_End: "end", Qt.Key.Key_Q: "end",
        }  # fmt: skip
        speeds = {
            Qt.Key.Key_F: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Plus: 1,
            Qt.Key.Key_S: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Minus: -1,
        }  # fmt: skip
        if event.text().isdecimal():
            self._typed = (self._typed + str(int(event.text())))[-MAX_STEP_DIGITS:]
            self._show_place(player)
            return True
        typed, self._typed = self._typed, ""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and int(typed or 0) >= player.n_frames:
            self._show_place(player)
            self.say(f"There is no step {number(int(typed))}: the last one is {number(player.n_frames - 1)}.")
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and typed:
            self._seek(int(typed))
        elif key == Qt.Key.Key_Escape and typed:
            self._show_place(player)
        elif key in moves:
            self._move(moves[Qt.Key(key)])
        elif key in speeds:
            player.change_speed(speeds[Qt.Key(key)])
            self.refresh()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._forget_path()
            by = 1 if key == Qt.Key.Key_PageDown else -1
            if player.jump(by):
                self.refresh()
            elif self._hall:
                self.lesson_wanted.emit(by)
                if by < 0 and self.player is not None and self.player is not player:
                    self._move("end")  # of the lesson before
        elif key == Qt.Key.Key_U:
            units = [None, *player.frame.part.units]
            player.choose_unit(units[(units.index(player.unit) + 1) % len(units)])
            self.refresh()
        elif key == Qt.Key.Key_A:
            self.ask_fresh()
        elif self._hall and key == Qt.Key.Key_F11:
            self.projector_wanted.emit()
        elif self._hall and key == Qt.Key.Key_L:
            self.course_wanted.emit()
        elif key in (Qt.Key.Key_B, Qt.Key.Key_Period):
            self.play(False)
            self.cover.lay(self.window() if self.canvas.preset is Preset.PROJECTOR else self)
        elif key == Qt.Key.Key_Escape and player.question is not None:
            self._reveal_answer()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and player.question is not None:
            self.question.check()
        else:
            return False
        return True


class Cover(QWidget):
    """Black cover over the stage, for a pause of the lecture."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()

    def lay(self, over: QWidget) -> None:
        self.setParent(over)
        self.setGeometry(over.rect())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor("black"))
