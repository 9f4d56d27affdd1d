"""Sortable and filterable table of distances, up to millions of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt

from wavediff.app.ui.number_text import grouped, plain_tip, shared_start
from wavediff.app.ui.table_view import Table
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.export.batch import BatchAnswer, shares_of, tsv, values_of
from wavediff.core.jobs.choices import Pairing

NUMBER_A, NAME_A, NUMBER_B, NAME_B, LENGTH_A, LENGTH_B, VALUE, SHARE = range(8)
MAX_PAIRS = 1 << 20  # more would not be sorted in a moment; they can be saved
SHOWN_CHARACTERS = 400  # characters of a name; a header may have a million
MEASURED = 1_000  # names of each file that say how long names are, and how all begin
EVERY_LETTER = "; without an alignment N and other codes count as letters"
_HALF = 1 << 16


class BatchTable(Table):
    """One row per pair, initially in file order.

    Attributes:
        too_many: more than ``MAX_PAIRS``, so no pair is shown.
        longest: the longest name. shortened: names are shown without their common prefix.
    """

    columns = (
        "#", "A", "#", "B", "Length A", "Length B", "Distance", "Identity by distance",
    )  # fmt: skip
    left = frozenset({NAME_A, NAME_B})

    def __init__(self) -> None:
        super().__init__()
        self.outcome: BatchAnswer | None = None
        none = np.empty(0, np.int32)
        self._a: npt.NDArray[np.int32] = none
        self._b: npt.NDArray[np.int32] = none
        self._values: Counts | npt.NDArray[np.float64] = none.astype(np.int64)
        self._rows: Counts = none.astype(np.int64)  # pairs in the order shown
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)
        self._needle = ""
        self.too_many = self.shortened = False
        self.longest = self._begin = ""

    @property
    def n_pairs(self) -> int:
        """Number of all pairs, including filtered ones."""
        return int(self._a.size)

    def show(self, outcome: BatchAnswer | None) -> None:
        self.beginResetModel()
        self.outcome = outcome
        self._a = self._b = np.empty(0, np.int32)
        self.too_many = outcome is not None and outcome.result.n_pairs > MAX_PAIRS
        self.longest = self._begin = ""
        if outcome is not None and not self.too_many:
            result = outcome.result
            loads = ((load, min(load.n_records, MEASURED)) for load in (outcome.a, outcome.b))
            names = list(chain.from_iterable(map(load.name, range(n)) for load, n in loads))
            self.longest, self._begin = max(names, key=len, default=""), shared_start(names)
            if result.pairs is Pairing.ONE_TO_ONE:
                self._a = self._b = np.arange(result.values.size, dtype=np.int32)
            else:
                n_a, n_b = result.values.shape
                if result.own:
                    a, b = np.triu_indices(n_a, 1)
                else:
                    a, b = np.repeat(np.arange(n_a), n_b), np.tile(np.arange(n_b), n_a)
                self._a, self._b = a.astype(np.int32), b.astype(np.int32)
            self._values = values_of(result, self._a.astype(np.int64), self._b.astype(np.int64))
        self._order()
        self.endResetModel()

    def pair(self, row: int) -> tuple[int, int]:
        k = self._rows[row]
        return int(self._a[k]), int(self._b[k])

    def tsv(self, rows: Iterable[int] | None = None) -> str:
        if self.outcome is None:
            return ""
        k = self._rows if rows is None else self._rows[[*rows]]
        listed = self._a[k].astype(np.int64), self._b[k].astype(np.int64)
        return b"".join(tsv(replace(self.outcome, listed=listed))).decode("utf-8", "surrogateescape")

    @property
    def listed(self) -> tuple[Counts, Counts] | None:
        """Records (0-based) of A and B of the filtered pairs in display order; None without a filter."""
        if self._rows.size == self._a.size:
            return None
        return self._a[self._rows].astype(np.int64), self._b[self._rows].astype(np.int64)

    def widest(self) -> tuple[str, ...]:
        """Return the widest text of each numeric column; empty for names."""
        outcome = self.outcome
        if outcome is None:
            return ("999", "", "999", "", "9,999", "9,999", "9,999", "100.00 %")
        most = [int(load.lengths.max(initial=0)) for load in (outcome.a, outcome.b)]
        first, second, *others = map(grouped, (outcome.a.n_records, outcome.b.n_records, *most))
        ends = (grouped(end) for end in (self._values.min(initial=0).item(), self._values.max(initial=0).item()))
        others.append(max(ends, key=len) + (".99" if self._values.dtype.kind == "f" else ""))
        return (first, "", second, "", *others, "100.00 %")

    def shorten(self, on: bool) -> None:
        """Remove or restore the common prefix of names."""
        if on != self.shortened:
            self.shortened = on
            if self.rowCount():
                self.dataChanged.emit(self.index(0, NAME_A), self.index(self.rowCount() - 1, NAME_B))

    def set_filter(self, text: str) -> None:
        """Show pairs with ``text`` in a header, ignoring ASCII case."""
        if text != self._needle:
            self.beginResetModel()
            self._needle = text
            self._order()
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._sorted = column, order
        self._order()
        self.endResetModel()

    def _order(self) -> None:
        rows = np.arange(self._a.size)
        outcome = self.outcome
        if outcome is not None and self._needle:
            keep_a, keep_b = (np.zeros(load.n_records, np.bool_) for load in (outcome.a, outcome.b))
            keep_a[outcome.a.find(self._needle)] = True
            keep_b[outcome.b.find(self._needle)] = True
            rows = rows[keep_a[self._a] | keep_b[self._b]]
        column, order = self._sorted
        if outcome is not None and column >= 0:
            keys = self._keys(column, rows)
            rows = rows[ordered(keys.max(initial=0) - keys if order is Qt.SortOrder.DescendingOrder else keys)]
        self._rows = rows

    def _keys(self, column: int, rows: Counts) -> Counts:
        outcome = self.outcome
        assert outcome is not None
        a, b = self._a[rows], self._b[rows]
        if column in (NUMBER_A, NUMBER_B):
            return (a if column == NUMBER_A else b).astype(np.int64)
        if column in (NAME_A, NAME_B):
            load, which = (outcome.a, a) if column == NAME_A else (outcome.b, b)
            names = sorted(range(load.n_records), key=lambda k: load.name(k).casefold())
            rank = np.empty(load.n_records, np.int64)
            rank[names] = np.arange(load.n_records)
            return rank[which]
        if column in (LENGTH_A, LENGTH_B):
            return outcome.a.lengths[a] if column == LENGTH_A else outcome.b.lengths[b]
        if column == VALUE:
            least, fine = self._values.min(initial=0), 1 if self._values.dtype.kind == "i" else 100
            keys: Counts = np.rint(fine * (self._values[rows] - least)).astype(np.int64)
            return keys
        return (self._shares(rows) * ((1 << 32) - 1)).astype(np.int64)

    def _shares(self, rows: Counts) -> npt.NDArray[np.float64]:
        outcome = self.outcome
        assert outcome is not None
        a, b = self._a[rows].astype(np.int64), self._b[rows].astype(np.int64)
        return shares_of(outcome.result, a, b, outcome.a.lengths[a], outcome.b.lengths[b])

    def height(self) -> int:
        return int(self._rows.size)

    def heading(self, column: int) -> str:
        batch = None if self.outcome is None else self.outcome.result.method.batch
        if batch is not None and column in (VALUE, SHARE):
            return batch.heading if column == VALUE else batch.share
        return super().heading(column)

    def tip(self, column: int) -> str:
        batch = None if self.outcome is None else self.outcome.result.method.batch
        if batch is None or column not in (VALUE, SHARE):
            return ""
        return f"{batch.share_definition if column == SHARE else batch.name}{EVERY_LETTER}"

    def cell(self, row: int, column: int, role: int) -> Any:
        if self.outcome is None:
            return None
        if role == Qt.ItemDataRole.ToolTipRole and column in (NAME_A, NAME_B):  # a narrow column shows a part
            return plain_tip(self._name(row, column))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        k = int(self._rows[row])
        a, b = int(self._a[k]), int(self._b[k])
        match column:
            case 0 | 2:
                return grouped((a if column == NUMBER_A else b) + 1)
            case 1 | 3:
                name = self._name(row, column)
                cut = self.shortened and self._begin and name.startswith(self._begin)
                return f"…{name.removeprefix(self._begin)}" if cut else name
            case 4 | 5:
                return grouped(int(self.outcome.a.lengths[a] if column == LENGTH_A else self.outcome.b.lengths[b]))
            case 6:
                return grouped(self._values[k].item())
            case _:
                return f"{number(100 * float(self._shares(np.array([k]))[0]), 2)} %"

    def _name(self, row: int, column: int) -> str:
        assert self.outcome is not None
        k = int(self._rows[row])
        load, record = (self.outcome.a, self._a[k]) if column == NAME_A else (self.outcome.b, self._b[k])
        return printable(load.name(int(record)), SHOWN_CHARACTERS)


def ordered(keys: Counts) -> Counts:
    """Return the stable sort order of ``keys`` (int64, 0 to 2^32 - 1), by NumPy's radix sort of 16 bits."""
    order: Counts = np.argsort((keys % _HALF).astype(np.uint16), kind="stable")
    if keys.max(initial=0) >= _HALF:
        order = order[np.argsort((keys[order] // _HALF).astype(np.uint16), kind="stable")]
    return order
