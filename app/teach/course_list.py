"""Lessons by topic, and the dialog of their inputs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QKeyEvent
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

from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.core.base.numbers import number
from wavediff.core.teach.counted_trace import input_text
from wavediff.core.teach.lesson import headings

PATH_ROLE = int(Qt.ItemDataRole.UserRole)


class CourseList(QTreeWidget):
    """Covers its parent until a lesson is chosen, or Esc or L is pressed.

    Signals:
        chosen: the file of a lesson. left: it is closed.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
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
        for topic, of_topic in groupby(headings(), lambda heading: heading.topic):
            lessons = list(of_topic)
            group = QTreeWidgetItem(self, [topic, "", _minutes(sum(lesson.minutes for lesson in lessons))])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for lesson in lessons:
                item = QTreeWidgetItem(group, [lesson.title, lesson.source, _minutes(lesson.minutes)])
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
        for row in range(self.topLevelItemCount()):
            group = self.topLevelItem(row)
            assert group is not None
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
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_L):
            self.leave()
        else:
            super().keyPressEvent(event)


def _minutes(minutes: int) -> str:
    return f"{number(minutes)} min"


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
    "height": "Rows of a word",
    "record": "File of a record",
    "workers": "Workers",
    "rules": "Rules: queue, calls, strips, alone",
    "q": "Patterns",
    "m": "Letters of a pattern",
    "letters": "Letters of a key",
}


class InputsDialog(QDialog):
    """A field for each input; it stays open until they are taken or it is left.

    Signals:
        typed: the texts of all fields that were changed, by the names of the inputs.
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
        """Hand on what was typed; whoever takes it closes the dialog, or says what is wrong."""
        texts = {name: field.text() for name, field in self.fields.items()}
        self.typed.emit({name: text for name, text in texts.items() if text != self._before[name]})

    def refuse(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.setAccessibleName(text)
