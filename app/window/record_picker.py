"""Dialog that asks for one record of several: a table with a filter, for a million records as for two."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.buttons import Standard, button_box
from app.ui.labels import ElidedLabel
from app.ui.pair import Side
from app.ui.table_view import TableView
from app.window.records import RecordsModel
from core.base.errors import printable
from core.base.translate import tr


class RecordPicker(QDialog):
    """Asks for a record for ``side``; another one for the other side may be taken from the same file.

    Signals:
        picked: dict of ``Side`` to the 0-based record; once, before the dialog closes.
    """

    picked = Signal(object)

    def __init__(self, load: Any, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Choose a record"))
        self._load, self._side = load, side
        self._chosen: dict[Side, int] = {}
        self.model = RecordsModel(load, self)
        name = printable(tr(load.source) if load.source.startswith("<") else load.source)
        what = tr("{file} has {n} records. Choose one for {side}", file=name, n=load.n_records, side=str(side))
        self._filter = QLineEdit(self)
        self._filter.setPlaceholderText(tr("Filter by name, description or number"))
        self._filter.setClearButtonEnabled(True)
        self._filter.setAccessibleName(tr("Filter of the records"))
        self._count = QLabel(self)
        self.table = TableView(self.model, tr("Records"), self, striped=True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setStretchLastSection(True)
        for column, width in enumerate((80, 200, 110)):
            self.table.setColumnWidth(column, width)
        self._marks = {each: ElidedLabel(parent=self) for each in Side}
        marks = QHBoxLayout()
        for each in Side:
            button = QPushButton(tr("Use as {side}", side=each.value), self)
            button.setAutoDefault(False)
            button.clicked.connect(self._use_a if each is Side.A else self._use_b)
            marks.addWidget(button)
            marks.addWidget(self._marks[each], 1)
        self._buttons = button_box(self, Standard.Ok | Standard.Cancel)
        top = QHBoxLayout()
        top.addWidget(self._filter, 1)
        top.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.addWidget(ElidedLabel(what, middle=True, parent=self))
        layout.addLayout(top)
        layout.addWidget(self.table, 1)
        layout.addLayout(marks)
        layout.addWidget(self._buttons)
        self.resize(680, 440)
        self._filter.textChanged.connect(self.model.set_filter)
        self.model.filtered.connect(self._show_count)
        self.model.rowsInserted.connect(self._show_count)
        self.model.modelReset.connect(self._show_count)
        self.table.doubleClicked.connect(self._take_row)
        self.table.selectRow(0)
        self._show_count()
        self._show_marks()

    def accept(self) -> None:
        """Hand on what was chosen; nothing chosen means the marked row for the side that was asked."""
        if not self._chosen:
            row = self.table.currentIndex().row()
            if row < 0:
                return
            self._chosen[self._side] = self.model.record(row)
        self.picked.emit(dict(self._chosen))
        super().accept()

    @Slot(QModelIndex)
    def _take_row(self, index: QModelIndex) -> None:
        self._chosen[self._side] = self.model.record(index.row())
        self.accept()

    @Slot()
    def _use_a(self) -> None:
        self._use(Side.A)

    @Slot()
    def _use_b(self) -> None:
        self._use(Side.B)

    def _use(self, side: Side) -> None:
        row = self.table.currentIndex().row()
        if row >= 0:
            self._chosen[side] = self.model.record(row)
            self._show_marks()

    def _show_marks(self) -> None:
        for side, label in self._marks.items():
            k = self._chosen.get(side)
            if k is None:
                label.set_text("—" if side is self._side else tr("unchanged"))
            else:
                label.set_text(self._load.name(k) or tr("record {number}", number=k + 1))

    @Slot()
    def _show_count(self) -> None:
        rows = self.model.rowCount()
        self._count.setText(tr("{n} of {total}", n=rows, total=self._load.n_records))
        if rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._buttons.button(Standard.Ok).setEnabled(bool(rows))
