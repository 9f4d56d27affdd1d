"""A table of which Qt sees only the rows in sight; the scroll bar beside it moves through all of them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QScrollBar, QWidget

from app.search.hits_model import CONTEXT, HitsTable
from app.ui.number_text import grouped
from app.ui.table_view import TableView

_WHEEL_UNITS_PER_ROW = 40  # eighths of a degree a row
_COLUMN_MARGIN_PX = 14  # pixels of a column beside its text
_MEASURED_NAMES = 200  # patterns whose names are looked at for a width
_FAR_PX = 1 << 16  # pixels
_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
}


class _Rows(TableView):
    """Hands on what would scroll."""

    def __init__(self, parent: HitsTableView) -> None:
        super().__init__(parent)
        self._owner = parent

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._owner.scroll_by(-event.angleDelta().y() / _WHEEL_UNITS_PER_ROW)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._owner.take_key(event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._owner.fit()


class HitsTableView(QWidget):
    """Signals:
    chosen: a row (of all) was clicked, or Enter was pressed on it.
    """

    chosen = Signal(object)

    def __init__(self, model: HitsTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._current = -1  # row of all
        self._rest = 0.0  # of a wheel that turned by less than a row
        self._refreshing = False
        self.rows = _Rows(self)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        rows = self.rows
        rows.setModel(model)
        rows.setAccessibleName("Hits")
        rows.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        rows.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows.setShowGrid(False)
        rows.setAlternatingRowColors(True)
        rows.setWordWrap(False)
        rows.verticalHeader().hide()
        rows.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        header = rows.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(30)
        header.setStretchLastSection(True)
        self.fit_columns()
        header.setSectionResizeMode(CONTEXT, QHeaderView.ResizeMode.Stretch)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(rows, 1)
        layout.addWidget(self.bar)
        self.setFocusProxy(rows)
        self.bar.valueChanged.connect(self._moved)
        model.modelReset.connect(self._refresh)
        rows.clicked.connect(self._clicked)
        self.fit()

    @property
    def current(self) -> int:
        """The row (of all) that is selected, -1 for none."""
        return self._current

    def height_in_rows(self) -> int:
        return max(1, self.rows.viewport().height() // self.rows.verticalHeader().defaultSectionSize())

    def fit(self) -> None:
        """Ask for as many rows as there is room for."""
        self._model.look(self._model.top, self.height_in_rows())

    def fit_columns(self) -> None:
        """Give the columns the room that the names and places of this search need, the rest to the context."""
        searched, metrics = self._model.searched, self.fontMetrics()
        names = [one.name for one in searched.wish.patterns[:_MEASURED_NAMES]] if searched is not None else []
        longest = max(map(metrics.horizontalAdvance, ["Pattern", *names])) if names else _FAR_PX
        place = grouped(max(map(len, searched.sequences))) if searched is not None else "999,999,999"
        name = min(longest, metrics.horizontalAdvance("a long name"))
        for column, text in enumerate(("", "±", "In", place, place, "Mism.")):
            least = metrics.horizontalAdvance(self._model.heading(column)) if column else name
            self.rows.setColumnWidth(column, max(least, metrics.horizontalAdvance(text)) + _COLUMN_MARGIN_PX)

    def select(self, row: int) -> None:
        """Select a row of all and bring it into sight."""
        total = self._model.n_rows
        self._current = max(0, min(row, total - 1)) if total else -1
        height = self.height_in_rows()
        if self._current >= 0 and not self._model.top <= self._current < self._model.top + height:
            self._model.look(max(0, self._current - height // 2), height)
        self._mark()

    def scroll_by(self, rows: float) -> None:
        self._rest += rows
        whole = int(self._rest)
        self._rest -= whole
        self.bar.setValue(self.bar.value() + whole)

    def take_key(self, event: QKeyEvent) -> bool:
        """Move the selection through all rows; False for keys that do not."""
        height, key = self.height_in_rows(), event.key()
        steps = {**_STEPS, Qt.Key.Key_PageUp: -height, Qt.Key.Key_PageDown: height}
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._current >= 0:
                self.chosen.emit(self._current)
            return True
        if key == Qt.Key.Key_Home:
            self.select(0)
        elif key == Qt.Key.Key_End:
            self.select(self._model.n_rows - 1)
        elif key in steps:
            self.select(max(0, self._current + steps[Qt.Key(key)]))
        else:
            return False
        return True

    @Slot(int)
    def _moved(self, top: int) -> None:
        if not self._refreshing:
            self._model.look(top, self.height_in_rows())

    @Slot()
    def _refresh(self) -> None:
        self._refreshing = True
        height = self.height_in_rows()
        self.bar.setRange(0, max(0, self._model.n_rows - height))
        self.bar.setPageStep(height)
        self.bar.setValue(self._model.top)
        self._refreshing = False
        if self._current >= self._model.n_rows:
            self._current = -1
        self._mark()

    def _mark(self) -> None:
        """Show the selected row as selected, where it is in sight."""
        row = self._current - self._model.top
        if self._current >= 0 and 0 <= row < self._model.rowCount():
            self.rows.setCurrentIndex(self._model.index(row, max(0, self.rows.currentIndex().column())))
        else:
            self.rows.clearSelection()

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        self._current = self._model.top + index.row()
        self.chosen.emit(self._current)
