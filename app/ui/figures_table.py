"""A table of figures with a line above it and a button that copies it: the frame of two panels."""

from __future__ import annotations

from typing import ClassVar, Protocol

from PySide6.QtCore import QAbstractItemModel, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QToolButton, QVBoxLayout, QWidget

from app.ui.icons import icon
from app.ui.labels import ElidedLabel
from app.ui.notices import Notice, Severity
from app.ui.panel_view import PanelView
from app.ui.table_view import TableView
from app.ui.theme import Theme
from core.translate import tr, tr_noop


class HasTsv(Protocol):
    def tsv(self) -> str:
        """Return the whole table, a header first, tab-separated."""


class FiguresTable(PanelView):
    """Args:
    name: what the table holds, for the clipboard's message and for screen readers.
    stretch: the column that takes the room that is left.
    """

    keys: ClassVar[tuple[tuple[str, str], ...]] = (("Ctrl+C", tr_noop("Copy the table as TSV")),)

    def __init__(
        self, model: QAbstractItemModel, source: HasTsv, name: str, stretch: int, theme: Theme, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._rows, self._source, self._name, self._theme = model, source, name, theme
        self._stale = self._said = ""
        self.line = ElidedLabel(parent=self)
        self.table = TableView(self)
        self.table.setModel(model)
        self.table.setAccessibleName(name)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(48)
        self.copy_button = QToolButton(self)
        self.copy_button.setText(tr("Copy"))
        self.copy_button.setToolTip(tr("Copy the table as TSV (Ctrl+C)"))
        self.copy_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.copy_button.clicked.connect(self.copy)
        top = QHBoxLayout()
        top.addWidget(self.line, 1)
        top.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        theme.changed.connect(self._restyle)
        model.modelReset.connect(self._enable)
        self._restyle()
        self._enable()

    def set_stale(self, text: str) -> None:
        """Grey the figures and say ``text`` before what is said of them; nothing for an empty one."""
        if text != self._stale:
            self._stale = text
            self.say(self._said)
            self._restyle()

    def say(self, text: str) -> None:
        """Show a line above the table."""
        self._said = text
        self.line.set_text(" · ".join(filter(None, (self._stale, text))))

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._source.tsv())
        self.noticed.emit(Notice(Severity.INFO, tr("{table} copied as TSV", table=self._name)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._rows.rowCount():
            self.copy()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _enable(self) -> None:
        self.copy_button.setEnabled(self._rows.rowCount() > 0)

    @Slot()
    def _restyle(self) -> None:
        self.copy_button.setIcon(icon("copy", self._theme))
        palette = self.palette()
        if self._stale:
            palette.setColor(QPalette.ColorRole.Text, self._theme.dim)
        self.table.setPalette(palette)
        self.table.viewport().update()
