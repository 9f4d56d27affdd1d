"""Table model and delegate of the list of differences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem, QTableView

from wavediff.app.compare.blocks.block_rows import BlockList, ListedBlocks
from wavediff.app.compare.contigs.contig_rows import ContigList, ListedContigs
from wavediff.app.compare.difference_list import CHANGE, EFFECT, KIND, NUMBER, DifferenceList
from wavediff.app.compare.lines.hunk_steps import HunkList
from wavediff.app.ui.glyphs import advance, letter_font
from wavediff.app.ui.legend import KIND_PX, paint_swatch
from wavediff.app.ui.long_table import LongTable, LongTableView
from wavediff.app.ui.table_view import TableView, ThemedDelegate
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.line_view import LineView, WordView

EDGE_PX = 3
STALE_OPACITY = 0.4  # of rows that belong to an answer of before
_CELL_PADDING_PX = 7
HIDDEN_ARROWS = "QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }"


class RowDelegate(ThemedDelegate):
    """Paints the marker of the current row, kind symbols, and cells aligned with their headings."""

    def __init__(self, view: LongTableView, table: DifferencesTable, theme: Theme) -> None:
        super().__init__(theme, view.rows)
        self._view, self._table = view, table

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # painted below: Qt's own margin is narrower than that of the headings

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        area, column = QRectF(option.rect), index.column()
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(STALE_OPACITY)
        kind = self._table.kind
        if column == NUMBER and self._table.top + index.row() == self._view.current:
            painter.fillRect(QRectF(area.left(), area.top(), EDGE_PX, area.height()), self._theme.accent)
        area.adjust(_CELL_PADDING_PX, 0, -_CELL_PADDING_PX, 0)
        ops = index.data(OP_ROLE) if column == KIND and kind.signs else None
        for op in (ops,) if isinstance(ops, int) else ops or ():
            swatch = QRectF(area.left(), area.center().y() - KIND_PX / 2, KIND_PX, KIND_PX)
            paint_swatch(painter, swatch, op, self._theme)
            area.setLeft(swatch.right() + _CELL_PADDING_PX)
        painter.setFont(change_font(option.font) if column == CHANGE == kind.stretched else option.font)
        painter.setPen(self._theme.text)
        text = painter.fontMetrics().elidedText(index.data() or "", Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, int(index.data(Qt.ItemDataRole.TextAlignmentRole) or 0), text)
        painter.restore()


def change_font(font: QFont) -> QFont:
    return letter_font(font.pixelSize() if font.pixelSize() > 0 else 13)


def dress(table: LongTableView, model: DifferencesTable, theme: Theme) -> None:
    """Style a table as a list of differences, sorted by number."""
    rows, header = table.rows, table.rows.horizontalHeader()
    rows.setItemDelegate(RowDelegate(table, model, theme))
    header.setFixedHeight(rows.verticalHeader().defaultSectionSize())
    header.setStyleSheet(HIDDEN_ARROWS)
    header.setSortIndicator(NUMBER, Qt.SortOrder.AscendingOrder)
    letter = advance(change_font(rows.font()))

    def show_room(column: int, _before: int, width: int) -> None:
        if column == CHANGE:
            model.show_room(int((width - 2 * _CELL_PADDING_PX) / letter))

    header.sectionResized.connect(show_room)


def show_effects(rows: QTableView, listed: Listed) -> None:
    """Show the column of effects if the effects are known; lists of other items may have another column there."""
    rows.setColumnHidden(EFFECT, not kind_of(listed).columns[EFFECT] or getattr(listed, "effects", True) is None)


def fit_columns(rows: TableView, listed: Listed) -> None:
    """Fit each column to its widest text and heading; one takes the rest."""
    kind = kind_of(listed)
    rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    extra = {NUMBER: EDGE_PX, KIND: kind.signs * (KIND_PX + _CELL_PADDING_PX)}
    for column, texts in kind.widest(listed).items():
        heading = f"{kind.columns[column]} ▼"
        width = max(rows.fontMetrics().horizontalAdvance(text) for text in (*texts, heading)) + 1  # it rounds down
        rows.setColumnWidth(column, width + extra.get(column, 0) + 2 * _CELL_PADDING_PX)
    rows.stretch(kind.stretched, contents=False)


OP_ROLE = int(Qt.ItemDataRole.UserRole)
_SEARCHED_ROWS = 1 << 20  # rows in which a number is searched for at a time
DIFFERENCES, BLOCKS, CONTIGS = DifferenceList(), BlockList(), ContigList()
Listed = ListedDifferences | ListedHunks | ListedBlocks | ListedContigs
HUNKS = {units: HunkList(*units) for units in (LineView.units, WordView.units)}


def kind_of(listed: Listed | None) -> DifferenceList:
    if isinstance(listed, ListedBlocks):
        return BLOCKS
    if isinstance(listed, ListedContigs):
        return CONTIGS
    return HUNKS[listed.index.units] if isinstance(listed, ListedHunks) else DIFFERENCES


class DifferencesTable(LongTable):
    columns, left, greatest_first = DIFFERENCES.columns, DIFFERENCES.left, DIFFERENCES.greatest_first
    kind: DifferenceList = DIFFERENCES

    def __init__(self) -> None:
        super().__init__()
        self.listed: Listed | None = None
        self._rows: Any = None
        self._texts: dict[int, tuple[str, ...]] = {}  # of rows in sight that were painted: each cell is asked for often
        self._sorted = NUMBER, False
        self._room = 0  # characters that the column of changes holds

    @property
    def n_rows(self) -> int:
        return len(self.listed) if self.listed is not None else 0

    def show_room(self, characters: int) -> None:
        """Limit the letters of a change to ``characters``."""
        if characters != self._room:
            self._room = characters
            self._texts.clear()

    def show(self, listed: Listed | None) -> None:
        self.listed = listed
        if listed is not None and self.kind is not kind_of(listed):
            self.kind = kind_of(listed)
            for name in ("columns", "tips", "left", "greatest_first"):
                setattr(self, name, getattr(self.kind, name))
        self.refresh()

    def read(self) -> None:
        self._rows = None
        self._texts.clear()
        if self.listed is not None and self.height():
            self._rows = self.rows_of(range(self.top, self.top + self.height()))

    def rows_of(self, some: range) -> Any:
        return self.kind.read(self.listed, self.numbers(some))

    def numbers(self, some: range) -> Counts:
        """Return the numbers (0-based) of the items in a range of rows."""
        assert self.listed is not None
        order = self.listed.order
        return np.arange(some.start, some.stop) if order is None else order[some.start : some.stop].astype(np.int64)

    def tsv(self, rows: Any = None) -> str:
        listed: Any = self.listed
        some = range(self.n_rows) if rows is None else rows
        return "" if listed is None else self.kind.tsv(replace(listed, order=self.numbers(some))).decode("utf-8")

    def row_of(self, wanted: int) -> int:
        """Return the row of difference ``wanted`` (0-based), -1 if filtered out."""
        if self.listed is None:
            return -1
        order = self.listed.order
        if order is None:
            return wanted
        for first in range(0, order.size, _SEARCHED_ROWS):
            rows = np.flatnonzero(order[first : first + _SEARCHED_ROWS] == wanted)
            if rows.size:
                return first + int(rows[0])
        return -1

    def show_sorted(self, column: int, descending: bool) -> None:
        self._sorted = column, descending
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, NUMBER, len(self.columns) - 1)

    def heading(self, column: int) -> str:
        mark = (" ▼" if self._sorted[1] else " ▲") if column == self._sorted[0] else ""
        return self.columns[column] + mark

    def cell(self, row: int, column: int, role: int) -> Any:
        if self._rows is None or row >= self.height():
            return None
        kind, place = self.kind, (self.listed, self._rows, row)
        if role == OP_ROLE:
            return kind.op(self._rows, row)
        if role == Qt.ItemDataRole.DisplayRole:
            if row not in self._texts:
                self._texts[row] = kind.texts(*place, self._room)
            return self._texts[row][column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return kind.tip_of(column, *place)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NUMBER:
            return kind.sentence(*place)
        return None
