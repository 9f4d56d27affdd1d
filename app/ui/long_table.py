"""Table for millions of rows: Qt holds only the visible ones; a separate scroll bar moves through all.

Qt stores some bytes per row of a model and takes a second to lay out ten million. So the model has the visible rows
only, from ``LongTable.top``.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QScrollBar, QWidget

from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.table_view import CELL_PX, Table, TableView

_WHEEL_UNITS_PER_ROW = 40  # eighths of a degree a row


class LongTable(Table):
    """Model of the visible rows; absolute rows count from 0, Qt's rows from ``top``."""

    top = 0
    _in_sight = 1

    def look(self, top: int, height: int) -> None:
        """Show ``height`` rows from row ``top``."""
        height = max(1, height)
        if (top, height) != (self.top, self._in_sight):
            self.top, self._in_sight = top, height
            self.refresh()

    def refresh(self) -> None:
        """Reload the visible rows."""
        self.top = max(0, min(self.top, self.n_rows - self._in_sight))
        self.beginResetModel()
        self.read()
        self.endResetModel()

    def read(self) -> None:
        """Prepare the visible rows, if that is more than array access."""

    def height(self) -> int:
        return max(0, min(self._in_sight, self.n_rows - self.top))


class _Rows(TableView):
    """Intercepts events that would scroll or select."""

    def __init__(self, model: LongTable, name: str, parent: LongTableView) -> None:
        super().__init__(model, name, parent)
        self._owner = parent

    @property
    def selected(self) -> range:
        return self._owner.selected

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._owner.scroll_by(-event.angleDelta().y() / _WHEEL_UNITS_PER_ROW)
        event.accept()

    def heading_px(self, column: int) -> int:
        """Width of a heading: its arrow is in the text."""
        text = str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")
        return self.fontMetrics().horizontalAdvance(text) + CELL_PX

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._owner.take_key(event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(int(event.position().y()))
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._owner.take_click(row, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(int(event.position().y()))
        if event.buttons() & Qt.MouseButton.LeftButton and row >= 0:
            self._owner.take_drag(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.rowAt(int(event.position().y())) >= 0:
            self._owner.take_double_click()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._owner.fit()


class LongTableView(QWidget):
    """Args: several: allow selection of several rows by Shift or dragging.

    Signals:
        clicked: a row (of all) was clicked.
        moved: the current row (of all) changed by a key or drag.
        chosen: Enter or double click on a row (of all).
    """

    clicked = Signal(object)
    moved = Signal(object)
    chosen = Signal(object)

    def __init__(self, model: LongTable, name: str, *, several: bool = False) -> None:
        super().__init__()
        self._model, self._several = model, several
        self.current = self._anchor = -1  # rows of all
        self._rest = 0.0  # of a wheel that turned by less than a row
        self._refreshing = False
        self.rows = _Rows(model, name, self)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        rows = self.rows
        rows.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)  # it is ours: of rows out of sight too
        rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = rows.horizontalHeader()
        header.setMinimumSectionSize(30)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        in_row((rows, 1), self.bar, on=self, margin=0, gap=0)
        self.setFocusProxy(rows)
        self.bar.valueChanged.connect(self._scrolled)
        model.modelReset.connect(self._refresh)
        self.fit()

    @property
    def selected(self) -> range:
        """Selected rows (absolute), including the current one."""
        low, high = sorted((self._anchor, self.current))
        return range(low, high + 1) if self.current >= 0 else range(0)

    def height_in_rows(self) -> int:
        return max(1, self.rows.viewport().height() // self.rows.verticalHeader().defaultSectionSize())

    def fit(self) -> None:
        """Set the number of rows to the available height; a visible current row stays visible."""
        before, top, height = self._model.height(), self._model.top, self.height_in_rows()
        if top <= self.current < top + before:
            top = max(top, self.current - height + 1)
        self._model.look(top, height)

    def select(self, row: int, *, extend: bool = False) -> None:
        """Make an absolute row current and scroll to it; ``extend``: select from the anchor."""
        total = self._model.n_rows
        self.current = max(0, min(row, total - 1)) if total else -1
        if not (extend and self._several) or self._anchor < 0:
            self._anchor = self.current
        height = self.height_in_rows()
        if self.current >= 0 and not self._model.top <= self.current < self._model.top + height:
            near = self.current in (self._model.top - 1, self._model.top + height)
            step = self.current - self._model.top if self.current < self._model.top else self.current - height + 1
            top = self._model.top + step if step < 0 else step
            self._model.look(max(0, top if near else self.current - height // 2), height)
        self._mark()

    def show_current(self, row: int, place: int) -> None:
        """Make an absolute row (-1: none) current, as visible row number ``place``."""
        self.current = self._anchor = row if row < self._model.n_rows else -1
        if self.current >= 0:
            self._model.look(
                max(0, min(row - place, self._model.n_rows - self.height_in_rows())), self.height_in_rows()
            )
        self._mark()

    def scroll_by(self, rows: float) -> None:
        self._rest += rows
        whole = int(self._rest)
        self._rest -= whole
        self.bar.setValue(self.bar.value() + whole)

    def take_key(self, event: QKeyEvent) -> bool:
        """Handle navigation keys; return False for others."""
        height, key = self.height_in_rows(), Qt.Key(event.key())
        last = self._model.n_rows - 1
        targets = {
            Qt.Key.Key_Up: self.current - 1,
            Qt.Key.Key_Down: self.current + 1,
            Qt.Key.Key_PageUp: self.current - height,
            Qt.Key.Key_PageDown: self.current + height,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier):
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.current >= 0:
                self.chosen.emit(self.current)
        elif key in targets and last >= 0:
            self._move(targets[key], bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            return key in targets
        return True

    def take_click(self, row: int, extend: bool) -> None:
        self.select(self._model.top + row, extend=extend)
        self.clicked.emit(self.current)

    def take_drag(self, row: int) -> None:
        if self._several and self._model.top + row != self.current:
            self._move(self._model.top + row, True)

    def take_double_click(self) -> None:
        if self.current >= 0:
            self.chosen.emit(self.current)

    def _move(self, row: int, extend: bool) -> None:
        self.select(max(0, row), extend=extend)
        self.moved.emit(self.current)

    @Slot(int)
    def _scrolled(self, top: int) -> None:
        if not self._refreshing:
            self._model.look(top, self.height_in_rows())

    @Slot()
    def _refresh(self) -> None:
        self._refreshing = True
        height = self.height_in_rows()
        self.bar.setRange(0, max(0, self._model.n_rows - height))
        self.bar.setVisible(self.bar.maximum() > 0)
        self.bar.setPageStep(height)
        self.bar.setValue(self._model.top)
        self._refreshing = False
        if self.current >= self._model.n_rows:
            self.current = self._anchor = -1
        self._mark()

    def _mark(self) -> None:
        model, marks, kind = self._model, self.rows.selectionModel(), QItemSelectionModel.SelectionFlag
        first = max(self.selected.start, model.top) - model.top
        last = min(self.selected.stop, model.top + model.rowCount()) - 1 - model.top
        if self.current < 0 or first > last:
            marks.clear()
            return
        end = model.columnCount() - 1
        marks.select(QItemSelection(model.index(first, 0), model.index(last, end)), kind.ClearAndSelect)
        here = self.current - model.top
        if 0 <= here < model.rowCount():
            marks.setCurrentIndex(model.index(here, max(0, self.rows.currentIndex().column())), kind.NoUpdate)
