"""The keys at a glance, and what the program is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui.buttons import Standard, button_box
from app.window.actions import MENUS, SPECS, VIEW_KEYS, plain, shown_keys
from core.version import VERSION


def sheet_rows() -> dict[str, list[tuple[str, str]]]:
    """Return title -> (keys, what they do); the menus from the table of actions, then the views."""
    rows = {
        plain(menu): [(shown_keys(s), plain(s.text).rstrip("…")) for s in SPECS if s.menu == menu and s.keys]
        for menu in MENUS
    }
    return {**rows, **{title: list(keys) for title, keys in VIEW_KEYS.items()}}


class ShortcutSheet(QDialog):
    """All keys of the program, in two columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        groups = list(sheet_rows().items())
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
        buttons = button_box(self, Standard.Close)
        layout = QVBoxLayout(self)
        layout.addLayout(columns)
        layout.addWidget(buttons)

    def _group(self, title: str, rows: list[tuple[str, str]]) -> QGridLayout:
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
                label = QLabel(text, self)
                label.setTextFormat(Qt.TextFormat.PlainText)
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
            "Shows how two sequences differ, and the computation that finds it:\n"
            "bit-parallel, block by block along the anti-diagonals of the matrix.",
            self,
        )
        buttons = button_box(self, Standard.Close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 14)
        layout.setSpacing(10)
        for each in (name, what, buttons):
            layout.addWidget(each)
