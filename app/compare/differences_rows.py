"""Looks of the rows of the list of differences: the sign of each kind, texts under their headings, the widths."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem, QTableView

from wavediff.app.compare.difference_list import Listed
from wavediff.app.compare.differences_model import DIFFERENCES, OP_ROLE, DifferencesTable, kind_of
from wavediff.app.compare.differences_order import CHANGE, EFFECT, KIND, NUMBER
from wavediff.app.ui.delegate import ThemedDelegate
from wavediff.app.ui.glyphs import advance, letter_font
from wavediff.app.ui.kind_swatch import SWATCH_PX, paint_swatch
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.theme import Theme

EDGE_PX = 3
STALE_OPACITY = 0.4  # of rows that belong to an answer of before
_CELL_PADDING_PX = 8


class RowDelegate(ThemedDelegate):
    """Paints the edge of the current row, the sign of each kind, and texts under their headings."""

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
            swatch = QRectF(area.left(), area.center().y() - SWATCH_PX / 2, SWATCH_PX, SWATCH_PX)
            paint_swatch(painter, swatch, op, self._theme)
            area.setLeft(swatch.right() + _CELL_PADDING_PX)
        painter.setFont(change_font(option.font) if column == CHANGE else option.font)
        painter.setPen(self._theme.text)
        text = painter.fontMetrics().elidedText(index.data() or "", Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, int(index.data(Qt.ItemDataRole.TextAlignmentRole) or 0), text)
        painter.restore()


def change_font(font: QFont) -> QFont:
    """Return the font of the letters of a change beside texts in ``font``."""
    return letter_font(font.pixelSize() if font.pixelSize() > 0 else 13)


def dress(table: LongTableView, model: DifferencesTable, theme: Theme) -> None:
    """Let a table look like the list of differences, sorted by their numbers."""
    rows, header = table.rows, table.rows.horizontalHeader()
    rows.setItemDelegate(RowDelegate(table, model, theme))
    header.setFixedHeight(rows.verticalHeader().defaultSectionSize())
    header.setStyleSheet("QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }")
    header.setSortIndicator(NUMBER, Qt.SortOrder.AscendingOrder)
    header.setSectionResizeMode(CHANGE, QHeaderView.ResizeMode.Stretch)
    letter = advance(change_font(rows.font()))

    def show_room(column: int, _before: int, width: int) -> None:
        if column == CHANGE:
            model.show_room(int((width - 2 * _CELL_PADDING_PX) / letter))

    header.sectionResized.connect(show_room)


def show_effects(rows: QTableView, listed: Listed) -> None:
    """Show the column of effects where they are known."""
    rows.setColumnHidden(EFFECT, getattr(listed, "effects", None) is None)


def fit_columns(rows: QTableView, listed: Listed) -> None:
    """Give each column what its widest text and heading can need; the change has the rest."""
    kind = kind_of(listed)
    signs = 1 if kind is DIFFERENCES else 2
    beside = {NUMBER: EDGE_PX, KIND: signs * (SWATCH_PX + _CELL_PADDING_PX)}
    for column, texts in kind.widest(listed).items():
        heading = f"{kind.columns[column]} ▼"
        width = max(rows.fontMetrics().horizontalAdvance(text) for text in (*texts, heading)) + 1  # it rounds down
        rows.setColumnWidth(column, width + beside.get(column, 0) + 2 * _CELL_PADDING_PX)
