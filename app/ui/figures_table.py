"""A table of figures with a line above it and a button that copies it: the frame of three panels."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QToolButton

from wavediff.app.ui.icons import icon
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.table_view import Table, TableView
from wavediff.app.ui.theme import Theme


class Figures(Table):
    """A table that can be copied.

    Attributes:
        note: one line on what the figures are of.
    """

    note = ""

    def tsv(self) -> str:
        raise NotImplementedError


LEAST_STRETCHED_PX = 150


class FiguresTable(PanelView):
    """Args:
    name: what the table holds, for the clipboard's message and for screen readers.
    stretch: the column that takes the room that is left.
    """

    keys: ClassVar[tuple[tuple[str, str], ...]] = (("Ctrl+C", "Copy the table as TSV"),)

    def __init__(self, model: Figures, name: str, stretch: int, theme: Theme) -> None:
        super().__init__()
        self._model, self._name, self._theme = model, name, theme
        self._stale, self._stretched = "", stretch
        self.line = ElidedLabel(parent=self)
        self.table = TableView(model, name, self, striped=True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        rows = self.table.verticalHeader()
        rows.setMinimumSectionSize(rows.defaultSectionSize())
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)  # a few dozen rows at most
        self.table.setWordWrap(True)
        self._top = in_row((self.line, 1))
        self._icons: dict[QToolButton, str] = {}
        self.copy_button = self.add_button("Copy", "Copy the table as TSV (Ctrl+C)", "copy", self.copy)
        in_column(self._top, (self.table, 1), on=self, margin=4, gap=4)
        self.setFocusProxy(self.table)
        theme.changed.connect(self._restyle)
        for signal in (model.modelReset, model.rowsInserted):
            signal.connect(self._show_model)
            signal.connect(self._fit)
        self._restyle()
        self._show_model()

    def add_button(self, text: str, tip: str, sign: str, slot: Callable[[], object]) -> QToolButton:
        """Return a new button beside the line, for tables that are not empty."""
        button = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setText(text)
        button.setToolTip(tip)
        button.setIcon(icon(sign, self._theme))
        button.setEnabled(self._model.height() > 0)
        button.clicked.connect(slot)
        self._icons[button] = sign
        self._top.addWidget(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Give the stretched column what is left, but no less than it can be read in: then the table is scrolled."""
        header, stretched = self.table.horizontalHeader(), self._stretched
        wide = (max(self.table.sizeHintForColumn(k), header.sectionSizeHint(k)) for k in range(header.count()))
        others = sum(each for k, each in enumerate(wide) if k != stretched)
        index, metrics = self._model.index, self.table.fontMetrics()
        texts = (str(index(row, stretched).data() or "") for row in range(self._model.height()))
        least = min(max(map(metrics.horizontalAdvance, texts), default=0) + 16, LEAST_STRETCHED_PX)
        least = max(least, header.sectionSizeHint(stretched))
        fits = self.table.viewport().width() - others >= least
        mode = QHeaderView.ResizeMode.Stretch if fits else QHeaderView.ResizeMode.Fixed
        header.setSectionResizeMode(stretched, mode)
        if not fits:
            header.resizeSection(stretched, least)

    def set_stale(self, text: str) -> None:
        """Grey the figures and say ``text`` before what is said of them; nothing for an empty one."""
        if text != self._stale:
            self._stale = text
            self._show_model()
            self._restyle()

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._model.tsv())
        self.tell(f"{self._name} copied as TSV")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._model.height():
            self.copy()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _show_model(self) -> None:
        rows = self._model.height()
        note = self._model.note or ("" if rows else "Nothing compared yet")
        self.line.set_text(" · ".join(filter(None, (self._stale, note))))
        for button in self._icons:
            button.setEnabled(rows > 0)

    @Slot()
    def _restyle(self) -> None:
        for button, sign in self._icons.items():
            button.setIcon(icon(sign, self._theme))
        palette = self.palette()
        if self._stale:
            palette.setColor(QPalette.ColorRole.Text, self._theme.dim)
        self.table.setPalette(palette)
        self.table.viewport().update()
