"""Base of the tables: columns with a heading, a tip and a side to which their texts keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

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
        """Show ``rows`` and none of those before."""
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
