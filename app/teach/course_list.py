"""List of all lessons over the stage, by topics with their minutes: where a lecture goes on, chosen by keys."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from wavediff.core.base.numbers import number
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
        """Show what is below it again."""
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
