"""Sortable table of contigs: positions, or why they are not placed."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QWidget

from wavediff.app.compare.differences_model import HIDDEN_ARROWS
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.number_text import grouped, plain_tip
from wavediff.app.ui.table_view import Table, TableView
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, identity, number
from wavediff.core.export.contigs import ContigsAnswer, remarks
from wavediff.core.jobs.contigs import ContigsResult, NextKind, Placement

NUMBER, NAME, LENGTH, STRAND, PLACE, DIFFERENCES, IDENTITY, NEXT, REMARKS = range(9)
SHOWN_CHARACTERS = 400  # of a name; a header may have a million
MARKS = {Qt.SortOrder.AscendingOrder: "▲", Qt.SortOrder.DescendingOrder: "▼"}
FIELDS = {
    NUMBER: "number", LENGTH: "letters", STRAND: "minus", DIFFERENCES: "differences", IDENTITY: "identity",
    REMARKS: "elsewhere",
}  # fmt: skip
OF_ALL = frozenset({NUMBER, NAME, LENGTH})  # columns that contigs without a place have too
LAST = 1 << 62  # of contigs without a place, in each order


class ContigTable(Table):
    """Table with one row per contig; initially the placed ones along A.

    Attributes:
        rows: indices into the placements, in the order shown.
    """

    columns = ("#", "Contig", "Length", "Strand", "A from–to", "Differences", "Identical", "To the next", "Remarks")
    left = frozenset({NAME, NEXT, REMARKS})
    greatest_first = frozenset({LENGTH, DIFFERENCES, REMARKS})
    tips: ClassVar = {
        NUMBER: "Number in the file of the assembly",
        DIFFERENCES: "Substitutions, insertions and deletions inside the aligned blocks of its place",
        NEXT: "Gap or overlap before the next contig along A that is not inside another one",
        REMARKS: "Rearranged blocks, parts or copies elsewhere in A, equal contigs; or why the contig is not placed",
    }

    def __init__(self) -> None:
        super().__init__()
        self.result: ContigsResult | None = None
        self._keys: dict[int, npt.NDArray[Any]] = {}  # of columns by which it was sorted
        self._ranks = self._row_of = np.zeros(0, np.int64)  # along A, LAST: without a place; row of each placement
        self._sorted = PLACE, Qt.SortOrder.AscendingOrder

    def show(self, result: ContigsResult | None) -> None:
        self.result, self._keys = result, {}
        self._ranks = np.full(0 if result is None else len(result.placements), LAST)
        if result is not None:
            self._ranks[list(result.order)] = np.arange(len(result.order))
        self.sort(*self._sorted)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = column, order
        key = self._key(column)
        turned = -key if order is Qt.SortOrder.DescendingOrder else key
        last = self._ranks == LAST if column not in OF_ALL else np.zeros(key.size, np.bool_)
        rows = np.lexsort((np.arange(key.size), self._ranks, turned, last))
        self._row_of = np.argsort(rows)
        self.set_rows(rows.tolist())

    def heading(self, column: int) -> str:
        by, order = self._sorted
        return self.columns[column] + (f" {MARKS[order]}" if column == by else "")

    def _key(self, column: int) -> npt.NDArray[Any]:
        if self.result is None or column == PLACE:
            return self._ranks
        if column not in self._keys:
            placements = self.result.placements
            if column == NEXT:
                factors = {NextKind.CONTAINED: -LAST, NextKind.OVERLAP: -1}
                self._keys[column] = key = np.zeros(len(placements), np.int64)
                key[list(self.result.order)] = [
                    max(-LAST, factors.get(one.kind, 1) * one.letters) for one in self.result.next_to
                ]
            elif column == NAME:
                names = sorted(range(len(placements)), key=lambda at: placements[at].name.casefold())
                self._keys[column] = np.argsort(names)
            else:
                self._keys[column] = np.array([getattr(one, FIELDS[column]) for one in placements]) * 1
        return self._keys[column]

    def contig(self, row: int) -> int:
        """Return the index along A of the contig in ``row``; -1: not placed."""
        rank = int(self._ranks[self.rows[row]])
        return -1 if rank == LAST else rank

    def row_of(self, contig: int) -> int:
        """Return the row of the contig with this index along A, or -1."""
        if self.result is None or not 0 <= contig < len(self.result.order):
            return -1
        return int(self._row_of[self.result.order[contig]])

    def cell(self, row: int, column: int, role: int) -> Any:
        if self.result is None:
            return None
        at = self.rows[row]
        one = self.result.placements[at]
        if role == Qt.ItemDataRole.ToolTipRole and column in (NAME, NEXT, REMARKS):
            return plain_tip(self.cell(row, column, Qt.ItemDataRole.DisplayRole))
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NUMBER:
            return sentence(one, self.result.n)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match column:
            case 0:
                return grouped(one.number)
            case 1:
                return printable(one.name, SHOWN_CHARACTERS)
            case 2:
                return grouped(one.letters)
            case 7:
                rank = self.contig(row)
                return self.result.next_to[rank].text if rank >= 0 else "not placed"
            case 8:
                return remarks(one) if one.placed else one.reason
            case _ if not one.placed:
                return ""
            case 3:
                return "−" if one.minus else "+"
            case 4:
                return place_text(one, self.result.n)
            case 5:
                return grouped(one.differences)
            case _:
                return identity(one.identity)


def place_text(one: Placement, n: int) -> str:
    """Return first and last letter on A (length ``n``), 1-based; across the origin the last is smaller."""
    return f"{number(one.a[0].at + 1)}–{number((one.a[-1].at - 1) % n + 1)}"


def sentence(one: Placement, n: int) -> str:
    """Return e.g. ``contig 6: 2,524 letters on −, A 14,133–16,656, 4 differences``."""
    letters = count(one.letters, "letter", "letters")
    if not one.placed:
        return f"contig {number(one.number)}: {letters}, not placed: {one.reason}"
    strand, differences = "−" if one.minus else "+", count(one.differences, "difference", "differences")
    told = f"contig {number(one.number)}: {letters} on {strand}, A {place_text(one, n)}, {differences}"
    return "; ".join(filter(None, (told, remarks(one))))


WIDEST = (
    "9,999",
    "",
    "99,999,999",
    "Strand",
    "99,999,999–99,999,999",
    "Differences",
    "100.00 %",
    "contained in 999",
    "chimeric: 99,999 letters elsewhere",
)
PADDING_PX = 24  # next to the text of a cell, the arrow of its heading included


class ContigList(QWidget):
    """Signals:
    chosen, opened: the index along A of the contig in a row that was clicked, or by Enter or two clicks.
    save_wanted: the button was pressed.
    """

    chosen = Signal(int)
    opened = Signal(int)
    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.answer: ContigsAnswer | None = None
        self.model = ContigTable()
        self.status = ElidedLabel(parent=self)
        self.save_button = QPushButton("Save placement…", self)
        self.save_button.setToolTip("Save the places of the contigs as PAF, AGP, TSV or JSON, or the contigs in order")
        self.table = table = TableView(self.model, "List of contigs", self)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = table.horizontalHeader()
        for column, text in enumerate(WIDEST):
            texts = text, self.model.columns[column]
            table.setColumnWidth(column, max(map(self.fontMetrics().horizontalAdvance, texts)) + PADDING_PX)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        header.setStyleSheet(HIDDEN_ARROWS)
        table.setSortingEnabled(True)
        header.setSortIndicator(PLACE, Qt.SortOrder.AscendingOrder)
        in_column(
            in_row((self.status, 1), self.save_button, margin=(8, 2, 8, 2), gap=8), (table, 1), on=self, margin=0, gap=0
        )
        self.setFocusProxy(table)
        self._follows, self._contig = False, -1
        self.model.modelReset.connect(self._mark)
        table.selectionModel().currentRowChanged.connect(self._chosen)
        table.doubleClicked.connect(self._opened)
        self.save_button.clicked.connect(self.save_wanted)

    def show_answer(self, answer: ContigsAnswer | None) -> None:
        if answer is self.answer:
            return
        self.answer, result = answer, None if answer is None else answer.result
        self._follows = True
        self.model.show(result)
        self._follows = False
        total, left = (0, 0) if result is None else (len(result.placements), len(result.unplaced))
        waiting = result is not None and result.waiting > 0
        self.save_button.setEnabled(not waiting)
        parts = [count(total, "contig", "contigs") + " so far" * waiting] + [f"{number(left)} not placed"] * bool(left)
        self.status.set_text(" · ".join(parts))

    def show_current(self, contig: int) -> None:
        """Select the row of the contig with this index along A."""
        self._contig = contig
        self._mark()

    @Slot()
    def _mark(self) -> None:
        row = self.model.row_of(self._contig)
        if row >= 0 and row != self.table.currentIndex().row():
            self._follows = True
            self.table.selectRow(row)
            self._follows = False

    @Slot(QModelIndex)
    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and not self._follows:
            self.chosen.emit(self.model.contig(index.row()))

    @Slot(QModelIndex)
    def _opened(self, index: QModelIndex) -> None:
        if index.isValid() and (contig := self.model.contig(index.row())) >= 0:
            self.opened.emit(contig)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # the table leaves it
            self._opened(self.table.currentIndex())
        else:
            super().keyPressEvent(event)
