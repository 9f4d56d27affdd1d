"""The keys at a glance, and what the program is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from wavediff.app.ui.buttons import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.app.window.frame.actions import MENUS, VIEW_KEYS, ActionSpec, plain, shown_keys
from wavediff.core.system.version import VERSION

FRAME_PX = 60  # of the window manager, around a dialog as high as the screen
Rows = tuple[tuple[str, str], ...]


def sheet_rows(specs: Iterable[ActionSpec], of_panels: Mapping[str, Rows]) -> dict[str, Rows]:
    """Return title -> (keys, what they do): the menus, the views, and panels by their titles, those alike together."""
    rows = {
        plain(menu): tuple((shown_keys(s), plain(s.text).rstrip("…")) for s in specs if s.menu == menu and s.keys)
        for menu in MENUS
    }
    titles: dict[Rows, list[str]] = {}
    for title, keys in of_panels.items():
        titles.setdefault(keys, []).append(title)
    return {**rows, **VIEW_KEYS, **{" · ".join(alike): keys for keys, alike in titles.items() if keys}}


class ShortcutSheet(QDialog):
    """All keys of the program, in two columns where they fit beside each other."""

    def __init__(self, rows_by_title: Mapping[str, Rows], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        groups = list(rows_by_title.items())
        total = sum(len(rows) + 2 for _, rows in groups)
        columns = QHBoxLayout()
        columns.setSpacing(36)
        column, used = QVBoxLayout(), 0
        for title, rows in groups:
            column.addLayout(self._group(title, rows))
            column.addSpacing(10)
            used += len(rows) + 2
            if used >= total / 2:
                column.addStretch(1)
                columns.addLayout(column)
                column, used = QVBoxLayout(), -total
        column.addStretch(1)
        columns.addLayout(column)
        keys, area = QWidget(self), QScrollArea(self)
        keys.setLayout(columns)
        area.setWidget(keys)
        area.setFrameShape(QFrame.Shape.NoFrame)
        buttons = button_box(self, Standard.Close)
        in_column((area, 1), buttons, on=self)
        # As large as the keys need, and no larger than the screen.
        room, bar = self.screen().availableSize(), area.verticalScrollBar().sizeHint().width()
        margins = self.sizeHint() - area.sizeHint()
        more = margins + QSize(bar, 0)
        if (keys.sizeHint() + more).width() > room.width():
            columns.setDirection(QHBoxLayout.Direction.TopToBottom)
            keys.adjustSize()
        self.resize((keys.sizeHint() + more).boundedTo(room - QSize(0, FRAME_PX)))

    def _group(self, title: str, rows: Rows) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnMinimumWidth(0, 150)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        head = QLabel(title, self)
        font = QFont(head.font())
        font.setBold(True)
        head.setFont(font)
        grid.addWidget(head, 0, 0, 1, 2)
        for at, (keys, what) in enumerate(rows, 1):
            for place, text in enumerate((keys, what)):
                label = QLabel(text, self, textFormat=Qt.TextFormat.PlainText)
                grid.addWidget(label, at, place)
        return grid


class AboutDialog(QDialog):
    """Name, version, what it does, on what it runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Wavediff")
        name = QLabel(f"Wavediff {VERSION}", self)
        font = QFont(name.font())
        font.setPointSizeF(font.pointSizeF() * 1.5)
        font.setBold(True)
        name.setFont(font)
        what = QLabel(
            "Shows how two sequences differ, and the computation that finds it:\nbit-parallel, block by block "
            "along the antidiagonals of the matrix.",
            self,
        )
        buttons = button_box(self, Standard.Close)
        in_column(name, what, buttons, on=self, margin=(24, 20, 24, 14), gap=10)
