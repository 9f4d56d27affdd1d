"""Table of a backward search: the interval after every letter, and a list of positions that grows to a million."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.bwt.indexed_text import IndexedText
from app.ui.number_text import grouped
from app.ui.reported import reported
from core.jobs.bwt_index import FindResult
from core.translate import tr, tr_noop

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
HEADS = tr_noop("Pattern"), tr_noop("First row"), tr_noop("Last row"), tr_noop("Count")


class TraceModel(QAbstractTableModel):
    """A line for each letter of the pattern from its end, and the rows that begin with what was read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[str, int, int]] = []

    def show(self, pattern: bytes, result: FindResult | None) -> None:
        self.beginResetModel()
        trace = result.traces[0].tolist() if result is not None and result.traces else []
        letters = pattern.decode("latin-1")
        self._lines = [(letters[len(letters) - k :] if k else tr("(nothing)"), *trace[k]) for k in range(len(trace))]
        self.endResetModel()

    def rowCount(self, _parent: Index | None = None) -> int:
        return len(self._lines)

    def columnCount(self, _parent: Index | None = None) -> int:
        return len(HEADS)

    @reported
    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        text, low, high = self._lines[index.row()]
        if role == ROLE.TextAlignmentRole and index.column():
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role != ROLE.DisplayRole:
            return None
        none = high <= low
        return (text, "–" if none else grouped(low), "–" if none else grouped(high - 1), grouped(max(0, high - low)))[
            index.column()
        ]

    @reported
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        return tr(HEADS[section]) if role == ROLE.DisplayRole and orientation is Qt.Orientation.Horizontal else None


class PositionsModel(QAbstractListModel):
    """Places of the pattern, as a person counts them; made into text only where they are seen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._result: FindResult | None = None
        self._shown: IndexedText | None = None

    def show(self, shown: IndexedText | None, result: FindResult | None) -> None:
        self.beginResetModel()
        self._shown, self._result = shown, result
        self.endResetModel()

    def rowCount(self, _parent: Index | None = None) -> int:
        return 0 if self._result is None else int(self._result.positions.size)

    def position(self, row: int) -> int:
        """Return the 0-based place in the text of line ``row``."""
        assert self._result is not None
        return int(self._result.positions[row])

    @reported
    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if role != ROLE.DisplayRole or self._shown is None:
            return None
        position = self.position(index.row())
        a0, b0 = self._shown.place(position)
        if a0 is None and b0 is None:
            return grouped(position + 1)
        return f"A {grouped(a0 + 1)}" if a0 is not None else f"B {grouped(b0 + 1)}"  # type: ignore[operator]
