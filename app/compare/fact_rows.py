"""Figures of a computation, a row each."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from wavediff.app.compare.computation_facts import Fact
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.theme import Theme

LINES_MARGIN_PX = 6  # above and below a figure of several lines
ROW_PX, FACT_NAME_PX = 24, 96


class FactRows(QWidget):
    """Figures, a row each; their text can be selected and copied."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setSpacing(0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._facts: list[Fact] = []
        self._theme = theme
        theme.changed.connect(self._restyle)

    @property
    def facts(self) -> list[Fact]:
        return list(self._facts)

    def show_facts(self, facts: list[Fact]) -> None:
        """Show ``facts``; what has not changed is not laid out again."""
        if [each.name for each in facts] != [each.name for each in self._facts]:
            while len(self._rows) < len(facts):
                self._add_row()
            for k, row in enumerate(self._rows):
                self._form.setRowVisible(k, k < len(facts))
                if k < len(facts):
                    row[0].setText(facts[k].name)
        for (_, value), fact in zip(self._rows, facts, strict=False):
            value.setToolTip(plain_tip(fact.tip))
            if value.text() != fact.value:
                value.setText(fact.value)
                value.setAccessibleName(f"{fact.name}: {fact.value}")
        self._facts = facts
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give each row the height of its lines: the layout leaves room for two, however many there are."""
        room, wrap = QRect(0, 0, max(1, self.width() - FACT_NAME_PX), 1 << 16), int(Qt.TextFlag.TextWordWrap)
        for _, value in self._rows:
            lines = value.fontMetrics().boundingRect(room, wrap, value.text()).height()
            height = max(ROW_PX, lines + LINES_MARGIN_PX)
            if value.height() != height:
                value.setFixedHeight(height)

    def _add_row(self) -> None:
        name, value = QLabel(self), QLabel(self)
        for label in (name, value):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setMinimumHeight(ROW_PX)
            label.setProperty("fact", True)  # a line above it
            label.setFont(self._theme.small_font)
        name.setFixedWidth(FACT_NAME_PX)
        value.setWordWrap(True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._form.addRow(name, value)
        self._rows.append((name, value))
        self._restyle()

    @Slot()
    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.dim)
        for name, _ in self._rows:
            name.setPalette(palette)
