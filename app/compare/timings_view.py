"""Per-kernel timings: a table with bars, copied as TSV and saved as JSON."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QBrush, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.compare.timings_model import BAR_COLUMN, SHARE_ROLE, TimingsModel
from app.ui.delegate import ThemedDelegate
from app.ui.icons import icon
from app.ui.notices import Notice, Severity
from app.ui.panel_view import PanelView
from app.ui.reported import reported
from app.ui.save_dialog import ask_save
from app.ui.table_view import TableView
from app.ui.theme import Theme
from core.errors import ExportError, printable
from core.export.json import Timings
from core.export.registry import TIMINGS, Format
from core.export.save import save
from core.translate import tr, tr_n, tr_noop


class BarDelegate(ThemedDelegate):
    """A bar as long as the kernel ran, and below it a thin hatched one for compiling, on a scale of its own."""

    @reported
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        run, compiling = index.data(SHARE_ROLE) or (0.0, 0.0)
        box = QRectF(option.rect).adjusted(6, 5, -6, -5)
        thin = 5.0
        high = box.height() - thin - 1
        painter.fillRect(QRectF(box.left(), box.top(), max(2.0, box.width() * run), high), self._theme.accent)
        if compiling > 0:
            rest = QRectF(box.left(), box.bottom() - thin, max(2.0, box.width() * compiling), thin)
            painter.fillRect(rest, QBrush(self._theme.dim, Qt.BrushStyle.BDiagPattern))


class TimingsView(PanelView):
    """The table, and the two buttons at its side."""

    keys = (("Ctrl+C", tr_noop("Copy the table as TSV")),)

    def __init__(self, model: TimingsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self.table = TableView(self)
        self.table.setModel(model)
        self.table.setAccessibleName(tr("Timings of the kernels"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setItemDelegateForColumn(BAR_COLUMN, BarDelegate(theme, self.table))
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(BAR_COLUMN, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(48)
        self._letters: dict[int, int] = {}  # the longest text that each column was made wide enough for
        self._copy, self._save = QToolButton(self), QToolButton(self)
        for button, text, tip, slot in (
            (self._copy, tr("Copy"), tr("Copy the table as TSV (Ctrl+C)"), self.copy),
            (self._save, tr("Save…"), tr("Save as JSON (Ctrl+S)"), self.ask_and_save),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(slot)
        side = QVBoxLayout()
        side.setSpacing(4)
        for button in (self._copy, self._save):
            button.setMinimumWidth(76)
            side.addWidget(button)
        side.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.table, 1)
        layout.addLayout(side)
        self.setFocusProxy(self.table)
        theme.changed.connect(self._restyle)
        model.modelReset.connect(self._replaced)
        model.rowsInserted.connect(self._added)
        model.dataChanged.connect(self._changed)
        self._restyle()
        for column in range(BAR_COLUMN):  # not the bars: they take what is left
            self.table.resizeColumnToContents(column)
        self._replaced()

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._model.tsv())
        n = len(self._model.rows)
        text = tr_n("Timings of {n} kernel copied as TSV", "Timings of {n} kernels copied as TSV", n)
        self.noticed.emit(Notice(Severity.INFO, text))

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, tr("Save timings"), (TIMINGS,), "timings.json", self.save)

    def save(self, path: Path, kind: Format = TIMINGS) -> None:
        """Write the rows as JSON, whole or not at all; the outcome is said by ``noticed``."""
        try:
            save(kind, path, Timings(self._model.rows))
        except ExportError as error:
            self.noticed.emit(Notice(Severity.ERROR, str(error)))
        else:
            self.noticed.emit(Notice(Severity.INFO, tr("Timings saved in {file}", file=printable(str(path)))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._model.rows:
            self.copy()
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._widen(range(first.row(), last.row() + 1), range(first.column(), last.column() + 1))

    @Slot(QModelIndex, int, int)
    def _added(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._enable()
        self._widen(range(first, last + 1), range(BAR_COLUMN))

    @Slot()
    def _replaced(self) -> None:
        self._enable()
        self._widen(range(self._model.height()), range(BAR_COLUMN))

    def _widen(self, rows: range, columns: range) -> None:
        """Make room for what has grown; Qt's own ResizeToContents measures every cell again at every change."""
        for column in columns:
            cells = [self._model.index(row, column) for row in rows] if column < BAR_COLUMN else []
            longest = max(cells, key=lambda cell: len(cell.data()), default=None)
            if longest is None or len(longest.data()) <= self._letters.get(column, 0):
                continue
            self._letters[column] = len(longest.data())
            wanted = self.table.sizeHintForIndex(longest).width()
            if wanted > self.table.columnWidth(column):
                self.table.setColumnWidth(column, wanted + wanted // 8)

    def _enable(self) -> None:
        for button in (self._copy, self._save):
            button.setEnabled(bool(self._model.rows))

    @Slot()
    def _restyle(self) -> None:
        self._copy.setIcon(icon("copy", self._theme))
        self._save.setIcon(icon("save", self._theme))
        self.table.viewport().update()
