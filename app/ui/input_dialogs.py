"""Input dialogs: pasted text, record of a file, two of several files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontDatabase, QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from wavediff.app.ui.dialogs import Standard, button_box
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import Side
from wavediff.app.ui.table_view import Table, TableView
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number

MAX_EDITABLE_LETTERS = 200_000  # letters; a text editor is no place for a chromosome
PREVIEW_LETTERS = 4_000


class PasteDialog(QDialog):
    """Signals:
    taken: the text and its ``Side``.
    """

    taken = Signal(str, object)

    def __init__(self, text: str, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Paste a sequence")
        self._whole = text if len(text) > MAX_EDITABLE_LETTERS else None
        self._edit = QPlainTextEdit(self, placeholderText="Letters, or FASTA with its '>' line", tabChangesFocus=True)
        self._edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._edit.setAccessibleName("Text of the sequence")
        self._edit.setPlainText(text if self._whole is None else text[:PREVIEW_LETTERS])
        self._edit.setReadOnly(self._whole is not None)
        self._edit.moveCursor(QTextCursor.MoveOperation.End)
        self._note = QLabel(self)
        self._sides = {each: QRadioButton(f"as &{each.value}", self) for each in Side}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        for each, button in self._sides.items():
            group.addButton(button)
            button.setChecked(each is side)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._note)
        self._buttons = button_box(self, Standard.Ok | Standard.Cancel)
        in_column((self._edit, 1), row, self._buttons, on=self)
        self.resize(620, 360)
        self._edit.textChanged.connect(self._count)
        self._count()
        taken = self._buttons.button(Standard.Ok)
        taken.setToolTip("Compare it (Ctrl+Enter)")
        for keys in ("Ctrl+Return", "Ctrl+Enter"):  # Enter alone begins a line
            QShortcut(QKeySequence(keys), self).activated.connect(taken.click)
        (self._edit if self._whole is None else taken).setFocus()

    @property
    def text(self) -> str:
        return self._edit.toPlainText() if self._whole is None else self._whole

    @property
    def side(self) -> Side:
        return next(side for side, button in self._sides.items() if button.isChecked())

    def accept(self) -> None:
        self.taken.emit(self.text, self.side)
        super().accept()

    @Slot()
    def _count(self) -> None:
        length = len(self.text)
        text = count(length, "character", "characters")
        if self._whole is not None:
            text = f"{number(length)} characters, the first {number(PREVIEW_LETTERS)} shown"
        self._note.setText(text)
        self._buttons.button(Standard.Ok).setEnabled(length > 0)


SLICE_SECONDS = 0.006  # filtering gives the window back this often
SHOWN_CHARACTERS = 400  # characters of a header in a cell; a header may have a million
MEASURED, MOST_NAME_PX = 1_000, 400  # names that say how wide their column is, and its width at most


class RecordSource(Protocol):
    """Attributes of ``wavediff.core.reading.Load`` that the table of records uses."""

    @property
    def n_records(self) -> int: ...
    @property
    def lengths(self) -> Counts: ...
    def name(self, k: int, /) -> str: ...
    def description(self, k: int, /) -> str: ...


class RecordsModel(Table):
    """Records whose name, description or number matches the filter, in file order.

    Signals:
        filtered: all records were filtered.
    """

    columns = ("#", "Name", "Length", "Description")
    left = frozenset({1, 3})
    filtered = Signal()

    def __init__(self, records: RecordSource) -> None:
        super().__init__()
        self._records = records
        self._lengths = np.asarray(records.lengths)
        self._visible: list[int] | None = None  # None = all
        self._needle = ""
        self._next = records.n_records
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._filter_on)

    def record(self, row: int) -> int:
        return row if self._visible is None else self._visible[row]

    def set_filter(self, text: str) -> None:
        """Filter records by ``text``, ignoring case; in slices, ``filtered`` follows."""
        self._timer.stop()
        self._needle = text.strip().casefold()
        self.beginResetModel()
        self._visible = [] if self._needle else None
        self.endResetModel()
        if self._needle:
            self._next = 0
            self._timer.start()
        else:
            self.filtered.emit()

    @Slot()
    def _filter_on(self) -> None:
        if self._visible is None:
            return
        end, matching = perf_counter() + SLICE_SECONDS, []
        k, total = self._next, self._records.n_records
        while k < total and perf_counter() < end:
            stop = min(total, k + 100)
            matching += [each for each in range(k, stop) if self._matches(each)]
            k = stop
        self._next = k
        if matching:
            old = len(self._visible)
            self.beginInsertRows(QModelIndex(), old, old + len(matching) - 1)
            self._visible += matching
            self.endInsertRows()
        if k == total:
            self._timer.stop()
            self.filtered.emit()

    def _matches(self, k: int) -> bool:
        return (
            self._needle in self._records.name(k).casefold()
            or self._needle in self._records.description(k).casefold()
            or self._needle == str(k + 1)
        )

    def height(self) -> int:
        return self._records.n_records if self._visible is None else len(self._visible)

    def text(self, row: int, column: int) -> str:
        k = self.record(row)
        match column:
            case 0:
                return grouped(k + 1)
            case 1:
                return printable(self._records.name(k), SHOWN_CHARACTERS) or "(no name)"
            case 2:
                return grouped(int(self._lengths[k]))
            case _:
                return printable(self._records.description(k), SHOWN_CHARACTERS)


class RecordPicker(QDialog):
    """Dialog that selects a record for ``side``, optionally also for the other side, or several for many pairs.
    ``other``: text for the current record of the other side.

    Signals:
        picked: dict of ``Side`` to the 0-based record; once, before the dialog closes.
        many_wanted: list of the 0-based records to compare with each other; once, before the dialog closes.
        contigs_wanted: place all records on A; once, before the dialog closes.
    """

    picked = Signal(object)
    many_wanted = Signal(object)
    contigs_wanted = Signal()

    def __init__(self, load: Any, side: Side, parent: QWidget | None = None, *, other: str = "unchanged") -> None:
        super().__init__(parent)
        self.setWindowTitle("Choose a record")
        self._load, self._side, self._other = load, side, other
        self._chosen: dict[Side, int] = {}
        self.model = RecordsModel(load)
        name = printable(load.source)
        what = f"{name} has {number(load.n_records)} records. Choose one for {side!s}"
        self._filter = QLineEdit(self, placeholderText="Filter by name, description or number", clearButtonEnabled=True)
        self._filter.setAccessibleName("Filter of the records")
        self._count = QLabel(self)
        self.table = TableView(self.model, "Records", self, striped=True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of one family differ at their ends
        names = (self.model.index(row, 1).data() for row in range(min(self.model.rowCount(), MEASURED)))
        widest = max(map(self.fontMetrics().horizontalAdvance, names), default=0) + 24
        for column, width in enumerate((60, max(200, min(widest, MOST_NAME_PX)), 110)):
            self.table.setColumnWidth(column, width)
        self._marks = {each: ElidedLabel(middle=True, parent=self) for each in Side}
        marks = QHBoxLayout()
        for each in Side:
            button = QPushButton(f"Use as {each.value}", self, autoDefault=False)
            button.clicked.connect(partial(self._use, each))
            marks.addWidget(button)
            marks.addWidget(self._marks[each], 1)
        self._many = QPushButton("Many pairs", self, autoDefault=False)
        self._many.setToolTip("Compare the selected records with each other; if one is selected, all listed records")
        self._many.clicked.connect(self._use_many)
        self._contigs = QPushButton("Contigs on A", self, autoDefault=False)
        self._contigs.setToolTip("Take all records as B, and place each of them on A")
        self._contigs.setHidden(side is not Side.B)
        self._contigs.clicked.connect(self._use_contigs)
        for button in (self._many, self._contigs):
            marks.addWidget(button)
        self._buttons = button_box(self, Standard.Ok | Standard.Cancel)
        self._what = ElidedLabel(what, middle=True, parent=self)
        top = in_row((self._filter, 1), self._count)
        in_column(self._what, top, (self.table, 1), marks, self._buttons, on=self)
        self.resize(680, 440)
        self._filter.textChanged.connect(self.model.set_filter)
        self.model.filtered.connect(self._show_count)
        self.model.rowsInserted.connect(self._show_count)
        self.model.modelReset.connect(self._show_count)
        self.table.doubleClicked.connect(self._take_row)
        self.table.selectRow(0)
        self._show_count()
        self._show_marks()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through the records by non-text keys (Up, Down) in the filter field."""
        if not event.text() and self._filter.hasFocus():
            self.table.keyPressEvent(event)  # not sent: what a table ignores would come back
        else:
            super().keyPressEvent(event)

    def accept(self) -> None:
        """Apply the selection; without one the current row for ``side``."""
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
    def _use_many(self) -> None:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        self.many_wanted.emit([*map(self.model.record, rows if len(rows) > 1 else range(self.model.height()))])
        self.reject()

    @Slot()
    def _use_contigs(self) -> None:
        self.contigs_wanted.emit()
        self.reject()

    def _use(self, side: Side) -> None:
        row = self.table.currentIndex().row()
        if row >= 0:
            self._chosen[side] = self.model.record(row)
            self._show_marks()

    def _show_marks(self) -> None:
        for side, label in self._marks.items():
            k = self._chosen.get(side)
            none = "—" if side is self._side else self._other
            label.set_text(none if k is None else self._load.name(k) or f"record {number(k + 1)}")

    @Slot()
    def _show_count(self) -> None:
        rows = self.model.rowCount()
        self._count.setText(f"{number(rows)} of {number(self._load.n_records)}")
        if rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._buttons.button(Standard.Ok).setEnabled(bool(rows))
        self._many.setEnabled(rows > 1)


class FilePicker(RecordPicker):
    """Dialog that selects A and B among several files (default: the first two), or many pairs.

    Args:
        companions: feature and alignment files to open with A and B.
    """

    def __init__(self, paths: Sequence[Path], companions: Sequence[Path] = (), parent: QWidget | None = None) -> None:
        super().__init__(_Files(paths), Side.A, parent)
        self.setWindowTitle("Choose files")
        more = f". A and B are opened with: {', '.join(one.name for one in companions)}" if companions else ""
        self._what.set_text(f"{number(len(paths))} files. Choose one for A and one for B, or many pairs{more}")
        self.table.setColumnHidden(self.model.columns.index("Length"), True)
        self._chosen = {Side.A: 0, Side.B: 1}
        self._show_marks()


class _Files:
    """Files as a ``RecordSource``; lengths are unknown."""

    source = ""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.n_records, self.lengths = len(paths), np.zeros(len(paths), np.int64)
        self._paths = paths

    def name(self, k: int) -> str:
        return self._paths[k].name

    def description(self, k: int) -> str:
        return f"in {self._paths[k].parent}"
