"""A lesson in a hall: its stage alone on the whole screen, and the notes for who teaches."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.style import style_sheet
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.base.numbers import number
from wavediff.core.teach.lesson import Lesson
from wavediff.core.teach.player import Player

LINES_OF_PRESET = 1080  # of a screen, for which the sizes of ``Preset.PROJECTOR`` are given
MARGIN_PX = 16


class ProjectorWindow(QWidget):
    """Shows a stage in large letters, light unless the person chose dark; gives it back when it is closed.

    Of two screens it takes the one that the program is not on.

    Signals:
        closed: the stage can be taken back.
    """

    closed = Signal()

    def __init__(self, stage: LessonStage, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Lesson")
        light = Theme(Scheme.DARK if theme.scheme is Scheme.DARK else Scheme.LIGHT, self)
        self.setStyleSheet(style_sheet(light))
        self.setPalette(light.palette())
        in_column(stage, on=self, margin=MARGIN_PX)
        # The screen that the program is not on, where there is one: notes stay on the other.
        others = [screen for screen in QGuiApplication.screens() if screen is not parent.screen()]
        self._place = others[0] if others else parent.screen()
        scale = self._place.size().height() / LINES_OF_PRESET
        stage.set_style(light, Preset.PROJECTOR, scale)
        self._stage = stage
        parent.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End with the program's window."""
        if event.type() is QEvent.Type.Hide and watched is not self:
            self.close()
        return super().eventFilter(watched, event)

    def open(self) -> None:
        self.setScreen(self._place)
        self.setGeometry(self._place.geometry())
        self.showFullScreen()
        self.activateWindow()
        self._stage.canvas.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


CLOCK_MS = 5_000


class LectureNotes(QLabel):
    """Stands in the window, where the hall does not see it when it has a screen of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAccessibleName("Notes")
        self._lesson: Lesson | None = None
        self._coming, self._since = "", 0.0
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self._show)

    def show_lesson(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._show()

    def lecture(self, on: bool) -> None:
        """Begin or end the time in a hall."""
        self._since = monotonic()
        if on:
            self._clock.start()
        else:
            self._clock.stop()
        self._show()

    def follow(self, player: Player) -> None:
        """Take note of what comes after the scene that is seen."""
        self._coming = player.coming
        if self._clock.isActive():
            self._show()

    @Slot()
    def _show(self) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        lines = [lesson.notes]
        if self._clock.isActive():
            minutes = int((monotonic() - self._since) / 60)
            text = f"In the hall for {number(minutes)} min · {lesson.title} is meant for {number(lesson.minutes)} min"
            coming = self._coming or "the next lesson"
            lines = [text, f"Page Down shows: {coming}", "", *lines]
        self.setText("\n".join(lines))
