"""Tables that are read: their model, their view, and what paints their cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from wavediff.app.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex


class Table(QAbstractTableModel):
    """Answers for all but what a cell shows: ``cell`` is a table's own.

    Attributes:
        rows: what is shown; a table of very many, or of those in sight, has a ``height`` of its own and no ``rows``.
        columns: headings.
        tips: of headings, by column.
        left: columns of words; the others have figures, which keep to the right.
        greatest_first: columns whose greatest values the first click on the heading brings up.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    tips: ClassVar[Mapping[int, str]] = {}
    left: ClassVar[frozenset[int]] = frozenset({0})
    greatest_first: ClassVar[frozenset[int]] = frozenset()
    rows: tuple[Any, ...] = ()

    def set_rows(self, rows: Iterable[Any]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def height(self) -> int:
        return len(self.rows)

    def cell(self, row: int, column: int, role: int) -> Any:
        """Return what a cell has for ``role``, None where it has nothing."""
        raise NotImplementedError

    def heading(self, column: int) -> str:
        return self.columns[column]

    def tip(self, column: int) -> str:
        return self.tips.get(column, "")

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.height()

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heading(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        if role == Qt.ItemDataRole.InitialSortOrderRole and section in self.greatest_first:
            return Qt.SortOrder.DescendingOrder
        return self.tip(section) or None if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        return self.cell(index.row(), index.column(), role)

    def _side(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignLeft if column in self.left else Qt.AlignmentFlag.AlignRight
        return int(side | Qt.AlignmentFlag.AlignVCenter)


BARS_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # what the bars of a cell show


class ThemedDelegate(QStyledItemDelegate):
    """Paints in the colours of ``theme``, as they are when it does.

    A model answers None to whatever it fails at (``wavediff.app.ui.reported``), so ask for a role with
    ``index.data(role) or ...``.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme


class BarDelegate(ThemedDelegate):
    """Bars in a cell.

    Args:
        draw: paints what the model has for ``BARS_ROLE`` into a box.
    """

    def __init__(self, theme: Theme, parent: QWidget, draw: Callable[[QPainter, QRectF, Theme, Any], object]) -> None:
        super().__init__(theme, parent)
        self._draw = draw

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if (bars := index.data(BARS_ROLE)) is not None:
            self._draw(painter, QRectF(option.rect).adjusted(6, 4, -6, -4), self._theme, bars)


ROW_PX, ROW_GAP_PX = 24, 6  # pixels of a row, unless its font needs more, and those between two


class TableView(QTableView):
    """Rows are selected as a whole; Tab goes on to the next control, and the arrow keys move among the cells.

    Args:
        name: what the table holds, for screen readers.
        striped: every second row is shaded.
    """

    def __init__(
        self, model: QAbstractItemModel, name: str, parent: QWidget | None = None, *, striped: bool = False
    ) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)  # Qt has it on: Tab then goes from cell to cell for ever
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(striped)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.horizontalHeader().setHighlightSections(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # a million rows are not measured one by one
        rows.setDefaultSectionSize(max(ROW_PX, self.fontMetrics().height() + ROW_GAP_PX))

    def sizeHintForRow(self, row: int) -> int:
        return super().sizeHintForRow(row) + ROW_GAP_PX
