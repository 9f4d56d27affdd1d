"""Lessons by topic, input dialog, and projector window."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QFont, QFontDatabase, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from wavediff.app.draw.page import minutes_text
from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.dialogs import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.theme import Scheme, Theme, style_sheet
from wavediff.core.base.numbers import number
from wavediff.core.teach.counted_trace import input_text
from wavediff.core.teach.lesson import Lesson, headings, translations
from wavediff.core.teach.player import Player

PATH_ROLE = int(Qt.ItemDataRole.UserRole)


class CourseList(QTreeWidget):
    """List of lessons over the stage, until one is chosen or Esc is pressed; typed letters find a title.

    Signals:
        chosen: the file of a lesson. left: the list was closed.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: LessonStage) -> None:
        super().__init__(parent)
        self._over = parent
        parent.resized.connect(self.resize)
        self._items: dict[Path, QTreeWidgetItem] = {}
        self.setAccessibleName("All lessons")
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        for column, mode in enumerate((QHeaderView.ResizeMode.ResizeToContents, QHeaderView.ResizeMode.Stretch,
                                       QHeaderView.ResizeMode.ResizeToContents)):  # fmt: skip
            header.setSectionResizeMode(column, mode)
        for topic, of_topic in groupby((*headings(), *translations()), lambda heading: heading.topic):
            lessons = list(of_topic)
            group = QTreeWidgetItem(self, [topic, "", minutes_text(sum(lesson.minutes for lesson in lessons))])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for lesson in lessons:
                item = QTreeWidgetItem(group, [lesson.title, lesson.source, minutes_text(lesson.minutes)])
                item.setData(0, PATH_ROLE, lesson.path)
                self._items[lesson.path] = item
        self.expandAll()
        self.itemActivated.connect(self._activated)
        self.itemClicked.connect(self._activated)
        self.hide()

    def open(self, now: Path, font: QFont) -> None:
        bold = QFont(font)
        bold.setBold(True)
        self.setFont(font)
        for group in self.findItems("", Qt.MatchFlag.MatchContains):
            for column in range(self.columnCount()):
                group.setFont(column, bold)
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()
        if now in self._items:
            self.setCurrentItem(self._items[now])
            self.scrollToItem(self._items[now], QTreeWidget.ScrollHint.PositionAtCenter)
        self.setFocus()

    def leave(self) -> None:
        self.hide()
        self.left.emit()

    @Slot(QTreeWidgetItem)
    def _activated(self, item: QTreeWidgetItem) -> None:
        path = item.data(0, PATH_ROLE)
        if path is not None:
            self.leave()
            self.chosen.emit(path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)


FIELD_LETTERS = 40  # that a field has room for
INPUT_NAMES = {
    "a": "A",
    "b": "B",
    "block": "Rows and columns of a block",
    "rows": "Rows",
    "cols": "Columns",
    "first": "First rows at the top or at the bottom",
    "width": "Bits of a part",
    "cut": "Halved: rows or columns",
    "height": "Rows per machine word",
    "record": "Record file of a run",
    "measured": "Measurements file",
    "workers": "Workers",
    "threads": "Threads",
    "blocks": "Blocks",
    "pairs": "Pairs",
    "segment": "Values of a memory segment",
    "rules": "Scheduling rules: queue, calls, strips, alone",
    "q": "Patterns",
    "m": "Letters of a pattern",
    "letters": "Letters of a key",
    "k": "Letters of a k-mer",
    "strands": "Strands: 1 or 2",
    "by": "Tokens: line, word or letter",
    "mismatch": "Cost of a mismatch",
    "opening": "Cost of a gap's first letter",
    "extension": "Cost of each further letter",
    "gap": "Maximum letters between two matches of a chain",
    "least": "Minimum score of a chain",
}


class InputsDialog(QDialog):
    """Dialog with a field per input; stays open until accepted or cancelled.

    Signals:
        typed: texts of all changed fields, by input name.
    """

    typed = Signal(object)

    def __init__(self, inputs: Mapping[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Other inputs")
        self._before = {name: input_text(value) for name, value in inputs.items()}
        self.fields = {name: self._field(name, text) for name, text in self._before.items()}
        self.fault = QLabel(self, wordWrap=True)
        form = QFormLayout()
        for name, field in self.fields.items():
            form.addRow(INPUT_NAMES.get(name, name), field)
        in_column(form, self.fault, button_box(self, Standard.Ok | Standard.Cancel), on=self)

    def _field(self, name: str, text: str) -> QLineEdit:
        field = QLineEdit(text, self)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setMinimumWidth(FIELD_LETTERS * field.fontMetrics().averageCharWidth())
        field.setAccessibleName(INPUT_NAMES.get(name, name))
        field.setCursorPosition(0)
        return field

    def accept(self) -> None:
        """Emit the typed inputs; the receiver closes the dialog or reports the error."""
        texts = {name: field.text() for name, field in self.fields.items()}
        self.typed.emit({name: text for name, text in texts.items() if text != self._before[name]})

    def refuse(self, text: str) -> None:
        name = text.split("'")[1] if text.startswith("'") else ""
        text = text.replace(name, INPUT_NAMES.get(name, name).partition(":")[0], 1)  # as the field is called
        self.fault.setText(text)
        self.fault.setAccessibleName(text)


LINES_OF_PRESET = 1080  # of a screen, for which the sizes of ``Preset.PROJECTOR`` are given
MARGIN_PX = 16


class ProjectorWindow(QWidget):
    """Full-screen stage in large letters, light unless dark was chosen; on closing the stage returns to its view.

    It opens on the other screen, if there are two.

    Signals:
        closed: the stage is back in its view.
    """

    closed = Signal()

    def __init__(self, stage: LessonStage, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Lesson")
        light = Theme(Scheme.DARK if theme.scheme is Scheme.DARK else Scheme.LIGHT)
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
        """Close together with the main window."""
        if event.type() is QEvent.Type.Hide and watched is not self:
            self.close()
        return super().eventFilter(watched, event)

    def open(self) -> None:
        self.setScreen(self._place)
        self.setGeometry(self._place.geometry())
        self.showFullScreen()
        self.activateWindow()
        self._stage.take_focus()

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
    """Speaker notes in the main window, not visible on the projector."""

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
        """Start or stop the lecture timer."""
        self._since = monotonic()
        if on:
            self._clock.start()
        else:
            self._clock.stop()
        self._show()

    def follow(self, player: Player) -> None:
        """Update the notes for the next scene."""
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
            text = f"Lecture: {number(minutes)} min so far · {lesson.title} is planned for {number(lesson.minutes)} min"
            coming = self._coming or "the next lesson"
            lines = [text, f"Page Down shows: {coming}", "", *lines]
        self.setText("\n".join(lines))
