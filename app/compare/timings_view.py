"""Per-kernel timings: a table with bars, copied as TSV and saved as JSON."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QBrush, QPainter
from PySide6.QtWidgets import QHeaderView

from wavediff.app.compare.timings_model import BAR_COLUMN, TimingsModel
from wavediff.app.ui.delegate import BarDelegate
from wavediff.app.ui.figures_table import FiguresTable
from wavediff.app.ui.save_dialog import ask_save
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.export.json import Timings
from wavediff.core.export.registry import TIMINGS, Format


def paint_times(painter: QPainter, box: QRectF, theme: Theme, shares: tuple[float, float]) -> None:
    """Paint a bar as long as the kernel ran, and below it a thin hatched one for compiling, on a scale of its own."""
    (run, compiling), thin = shares, 5.0
    painter.fillRect(QRectF(box.left(), box.top(), max(2.0, box.width() * run), box.height() - thin - 1), theme.accent)
    if compiling > 0:
        rest = QRectF(box.left(), box.bottom() - thin, max(2.0, box.width() * compiling), thin)
        painter.fillRect(rest, QBrush(theme.dim, Qt.BrushStyle.BDiagPattern))


class TimingsView(FiguresTable):
    """The table, its bars, and a button that saves it."""

    def __init__(self, model: TimingsModel, theme: Theme) -> None:
        super().__init__(model, "Timings of the kernels", BAR_COLUMN, theme)
        self._timings = model
        self._letters: dict[int, int] = {}  # the longest text that each column was made wide enough for
        self.table.setItemDelegateForColumn(BAR_COLUMN, BarDelegate(theme, self.table, paint_times))
        header = self.table.horizontalHeader()
        for column in range(BAR_COLUMN):  # not the bars: they take what is left
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.table.resizeColumnToContents(column)
        self.add_button("Save…", "Save as JSON (Ctrl+S)", "save", self.ask_and_save)
        model.modelReset.connect(self._widen_all)
        model.rowsInserted.connect(self._added)
        model.dataChanged.connect(self._changed)
        self._widen_all()

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, "Save timings", (TIMINGS,), "timings.json", self.save)

    def save(self, path: Path, kind: Format = TIMINGS) -> None:
        self.write(kind, path, Timings(self._timings.rows), f"Timings saved in {printable(str(path))}")

    @Slot(QModelIndex, QModelIndex)
    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._widen(range(first.row(), last.row() + 1), range(first.column(), last.column() + 1))

    @Slot(QModelIndex, int, int)
    def _added(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._widen(range(first, last + 1), range(BAR_COLUMN))

    @Slot()
    def _widen_all(self) -> None:
        self._widen(range(self._timings.height()), range(BAR_COLUMN))

    def _widen(self, rows: range, columns: range) -> None:
        """Make room for what has grown; Qt's own ResizeToContents measures every cell again at every change."""
        for column in columns:
            cells = [self._timings.index(row, column) for row in rows] if column < BAR_COLUMN else []
            longest = max(cells, key=lambda cell: len(cell.data()), default=None)
            if longest is None or len(longest.data()) <= self._letters.get(column, 0):
                continue
            self._letters[column] = len(longest.data())
            wanted = self.table.sizeHintForIndex(longest).width()
            if wanted > self.table.columnWidth(column):
                self.table.setColumnWidth(column, wanted + wanted // 8)
