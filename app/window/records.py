"""The records of a file as a table that can be filtered, also when there are a million."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal, Slot

from app.ui.number_text import grouped
from app.ui.table_model import Table
from core.base.arrays import Counts
from core.base.errors import printable
from core.base.translate import tr, tr_noop

SLICE_SECONDS = 0.006  # filtering gives the window back this often
SHOWN_CHARACTERS = 400  # characters of a header in a cell; a header may have a million


class RecordSource(Protocol):
    """Protocol of ``core.reading.Load``, as far as the table needs it."""

    @property
    def n_records(self) -> int: ...
    @property
    def lengths(self) -> Counts: ...
    def name(self, k: int, /) -> str: ...
    def description(self, k: int, /) -> str: ...


class RecordsModel(Table):
    """Rows are the records whose name, description or number holds the filter, in file order.

    Signals:
        filtered: the filter went through all records.
    """

    columns = ("#", tr_noop("Name"), tr_noop("Length"), tr_noop("Description"))
    left = frozenset({1, 3})
    filtered = Signal()

    def __init__(self, records: RecordSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records = records
        self._lengths = np.asarray(records.lengths)
        self._visible: list[int] | None = None  # None = all
        self._needle = ""
        self._next = records.n_records
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._filter_on)

    def record(self, row: int) -> int:
        """Return the 0-based number of the record in ``row``."""
        return row if self._visible is None else self._visible[row]

    def set_filter(self, text: str) -> None:
        """Keep the records that hold ``text``, whatever its case; done in slices, ``filtered`` follows."""
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
        end, found = perf_counter() + SLICE_SECONDS, []
        k, total = self._next, self._records.n_records
        while k < total and perf_counter() < end:
            stop = min(total, k + 100)
            found += [each for each in range(k, stop) if self._matches(each)]
            k = stop
        self._next = k
        if found:
            old = len(self._visible)
            self.beginInsertRows(QModelIndex(), old, old + len(found) - 1)
            self._visible += found
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

    def cell(self, row: int, column: int, role: int) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        k = self.record(row)
        match column:
            case 0:
                return grouped(k + 1)
            case 1:
                return printable(self._records.name(k), SHOWN_CHARACTERS) or tr("(no name)")
            case 2:
                return grouped(int(self._lengths[k]))
            case _:
                return printable(self._records.description(k), SHOWN_CHARACTERS)
