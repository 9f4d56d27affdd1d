"""Notes of a lesson for who teaches; while it is in a hall also what comes next, and how long it has been there."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel

from wavediff.core.base.numbers import number
from wavediff.core.teach.lesson import Lesson
from wavediff.core.teach.player import Player

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
