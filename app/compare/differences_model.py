"""Table model and delegate of the list of differences."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem, QTableView

from wavediff.app.compare.blocks.block_rows import BlockList, ListedBlocks
from wavediff.app.compare.difference_list import CHANGE, EFFECT, KIND, LENGTH, NUMBER, DifferenceList
from wavediff.app.compare.lines.hunk_steps import HunkList
from wavediff.app.ui.glyphs import advance, letter_font
from wavediff.app.ui.legend import KIND_PX, paint_swatch
from wavediff.app.ui.long_table import LongTable, LongTableView
from wavediff.app.ui.table_view import ThemedDelegate
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.line_view import LineView, WordView

EDGE_PX = 3
STALE_OPACITY = 0.4  # of rows that belong to an answer of before
_CELL_PADDING_PX = 8
HIDDEN_ARROWS = "QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }"  # a text tells


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
        if column == NUMBER and self._table.top + index.row() == self._view.current:
            painter.fillRect(QRectF(area.left(), area.top(), EDGE_PX, area.height()), self._theme.accent)
        area.adjust(_CELL_PADDING_PX, 0, -_CELL_PADDING_PX, 0)
        ops = index.data(OP_ROLE) if column == KIND else None
        for op in (ops,) if isinstance(ops, int) else ops or ():
            swatch = QRectF(area.left(), area.center().y() - KIND_PX / 2, KIND_PX, KIND_PX)
            paint_swatch(painter, swatch, op, self._theme)
            area.setLeft(swatch.right() + _CELL_PADDING_PX)
        painter.setFont(change_font(option.font) if column == CHANGE else option.font)
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
    header.setSectionResizeMode(CHANGE, QHeaderView.ResizeMode.Stretch)
    letter = advance(change_font(rows.font()))

    def show_room(column: int, _before: int, width: int) -> None:
        if column == CHANGE:
            model.show_room(int((width - 2 * _CELL_PADDING_PX) / letter))

    header.sectionResized.connect(show_room)


def show_effects(rows: QTableView, listed: Listed) -> None:
    """Show the column of effects if known; blocks have a different one."""
    rows.setColumnHidden(EFFECT, getattr(listed, "effects", None) is None and kind_of(listed) is not BLOCKS)


def fit_columns(rows: QTableView, listed: Listed) -> None:
    """Fit each column to its widest text and heading; the change takes the rest."""
    kind = kind_of(listed)
    signs = 1 if kind in (DIFFERENCES, BLOCKS) else 2
    beside = {NUMBER: EDGE_PX, KIND: signs * (KIND_PX + _CELL_PADDING_PX)}
    for column, texts in kind.widest(listed).items():
        heading = f"{kind.columns[column]} ▼"
        width = max(rows.fontMetrics().horizontalAdvance(text) for text in (*texts, heading)) + 1  # it rounds down
        rows.setColumnWidth(column, width + beside.get(column, 0) + 2 * _CELL_PADDING_PX)


OP_ROLE = int(Qt.ItemDataRole.UserRole)
_SEARCHED_ROWS = 1 << 20  # rows in which a number is searched for at a time
DIFFERENCES, BLOCKS = DifferenceList(), BlockList()
Listed = ListedDifferences | ListedHunks | ListedBlocks
HUNKS = {units: HunkList(*units) for units in (LineView.units, WordView.units)}


def kind_of(listed: Listed | None) -> DifferenceList:
    if isinstance(listed, ListedBlocks):
        return BLOCKS
    return HUNKS[listed.index.units] if isinstance(listed, ListedHunks) else DIFFERENCES


class DifferencesTable(LongTable):
    left = frozenset({KIND, CHANGE, EFFECT})
    greatest_first = frozenset({LENGTH})

    def __init__(self) -> None:
        super().__init__()
        self.listed: Listed | None = None
        self._rows: Any = None
        self._texts: dict[int, tuple[str, ...]] = {}  # of rows in sight that were painted: each cell is asked for often
        self._sorted = NUMBER, False
        self._room = 0  # characters that the column of changes holds

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return kind_of(self.listed).columns

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
        self.refresh()

    def read(self) -> None:
        self._rows = None
        self._texts.clear()
        if self.listed is not None and self.height():
            self._rows = self.rows_of(range(self.top, self.top + self.height()))

    def rows_of(self, some: range) -> Any:
        return kind_of(self.listed).read(self.listed, self.numbers(some))

    def numbers(self, some: range) -> Counts:
        """Return the numbers (0-based) of rows."""
        assert self.listed is not None
        order = self.listed.order
        return np.arange(some.start, some.stop) if order is None else order[some.start : some.stop].astype(np.int64)

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
        """Mark the sorted column in the header."""
        self._sorted = column, descending
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, NUMBER, EFFECT)

    def heading(self, column: int) -> str:
        mark = (" ▼" if self._sorted[1] else " ▲") if column == self._sorted[0] else ""
        return self.columns[column] + mark

    def cell(self, row: int, column: int, role: int) -> Any:
        if self._rows is None or row >= self.height():
            return None
        kind, place = kind_of(self.listed), (self.listed, self._rows, row)
        if role == OP_ROLE:
            return kind.op(self._rows, row)
        if role == Qt.ItemDataRole.DisplayRole:
            if row not in self._texts:
                self._texts[row] = kind.texts(*place, self._room)
            return self._texts[row][column]
        if role == Qt.ItemDataRole.ToolTipRole and column == CHANGE:
            return kind.around(*place)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NUMBER:
            return kind.sentence(*place)
        return None
