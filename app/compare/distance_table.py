"""Kim, Na and Sim's table H of a small pair, with DX and DY for one cell (its Fig. 1); for looking at, not for
speed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.ui.comparison import Comparison
from app.ui.letter_text import letter_name
from app.ui.reported import reported
from core.arrays import Counts, Letters
from core.jobs.alignment import Op
from core.jobs.swap_result import SwapEditResult
from core.methods.swap import SWAP
from core.translate import tr

Index = QModelIndex | QPersistentModelIndex
MAX_TABLE_LETTERS = 60  # letters a side
EMPTY = "Δ"  # the paper's name of no letter


class CellRole(Enum):
    """Relation of a cell to the one that is looked at."""

    NONE = 0
    CELL = 1
    BESIDE = 2  # above, to the left, or both: insertion, deletion, exchange
    SWAP = 3  # where a swap starts from: H[p-1, q-1]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Values that the recurrence looks up for cell (i, j), from 1.

    Attributes:
        dx: last row before i of each letter of X and Y, 0 for none.
        dy: last column before j whose letter is x_i, 0 for none: q.
        p: last row before i whose letter is y_j, 0 for none.
    """

    dx: dict[int, int]
    dy: int
    p: int


class DistanceTable:
    """The table of two sequences of codes; shape (n + 1, m + 1)."""

    def __init__(self, x: Letters, y: Letters) -> None:
        self.x, self.y = x.tolist(), y.tolist()
        n, m = len(self.x), len(self.y)
        self.h: Counts = np.zeros((n + 1, m + 1), np.int64)
        self.h[:, 0], self.h[0] = np.arange(n + 1), np.arange(m + 1)
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                self.h[i, j] = min(value for _, value in self.candidates(i, j))

    def look_up(self, i: int, j: int) -> Lookup:
        before = self.x[: i - 1]
        dx = {
            letter: max((k + 1 for k, one in enumerate(before) if one == letter), default=0)
            for letter in sorted({*self.x, *self.y})
        }
        dy = max((k + 1 for k, one in enumerate(self.y[: j - 1]) if one == self.x[i - 1]), default=0)
        return Lookup(dx, dy, dx[self.y[j - 1]])

    def candidates(self, i: int, j: int) -> list[tuple[str, int]]:
        """Return what the minimum of cell (i, j) is taken of: its term, with numbers, and its value."""
        h, differs = self.h, self.x[i - 1] != self.y[j - 1]
        found = [
            (f"H[{i},{j - 1}] + 1", int(h[i, j - 1]) + 1),
            (f"H[{i - 1},{j}] + 1", int(h[i - 1, j]) + 1),
            (f"H[{i - 1},{j - 1}] + {int(differs)}", int(h[i - 1, j - 1]) + differs),
        ]
        seen = self.look_up(i, j)
        if seen.p and seen.dy:
            p, q = seen.p, seen.dy
            term = f"s = H[{p - 1},{q - 1}] + {i - p - 1} + {j - q - 1} + 1"
            found.append((term, int(h[p - 1, q - 1]) + (i - p - 1) + (j - q - 1) + 1))
        return found


class SwapTableModel(QAbstractTableModel):
    """Rows are the prefixes of A (X in the paper), columns those of B (Y).

    Signals:
        looked: another cell is looked at, or another pair.
    """

    looked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table: DistanceTable | None = None
        self.cell: tuple[int, int] | None = None
        self.message = ""
        self._names: tuple[list[str], list[str]] = ([], [])
        self._characters = ""
        self._path: set[tuple[int, int]] = set()
        self.show(None)

    def show(self, outcome: Comparison | None) -> None:
        """Show the table of ``outcome``, or say why there is none."""
        self.beginResetModel()
        self.table, self.cell, self._path = None, None, set()
        if outcome is None or not hasattr(outcome.result, "swaps"):
            self.message = tr("Compare by “{method}” to see the table of distances", method=tr(SWAP.name))
        elif max(len(outcome.a), len(outcome.b)) > MAX_TABLE_LETTERS:
            self.message = tr("The table is shown for pairs of up to {n} letters", n=MAX_TABLE_LETTERS)
        else:
            self.message = ""
            x, y = (one.comparable(outcome.fold_case) for one in (outcome.a, outcome.b))
            x, y = (_folded(each) if outcome.fold_case else each for each in (x, y))
            self.table = DistanceTable(x, y)
            self._characters = outcome.a.characters
            names = ([letter_name(code, self._characters) for code in letters.tolist()] for letters in (x, y))
            self._names = next(names), next(names)
            self._path = path_of(outcome.result)
            self.cell = (x.size, y.size) if x.size and y.size else None
        self.endResetModel()
        self.looked.emit()

    def look_at(self, i: int, j: int) -> None:
        """Look at cell (i, j); the first row and column have nothing to look up."""
        if self.table is None or not (0 < i < self.table.h.shape[0] and 0 < j < self.table.h.shape[1]):
            return
        if (i, j) != self.cell:
            self.cell = i, j
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            self.looked.emit()

    def part(self, i: int, j: int) -> CellRole:
        if self.table is None or self.cell is None:
            return CellRole.NONE
        if (i, j) == self.cell:
            return CellRole.CELL
        seen = self.table.look_up(*self.cell)
        if seen.p and seen.dy and (i, j) == (seen.p - 1, seen.dy - 1):
            return CellRole.SWAP
        below, right = self.cell[0] - i, self.cell[1] - j
        return CellRole.BESIDE if below in (0, 1) and right in (0, 1) else CellRole.NONE

    def on_path(self, i: int, j: int) -> bool:
        """Return whether the script that is shown goes through this cell."""
        return (i, j) in self._path

    def explain(self) -> tuple[str, str]:
        """Return two lines: DX and DY of the cell looked at, and how its value comes about."""
        if self.table is None or self.cell is None:
            return "", ""
        i, j = self.cell
        seen = self.table.look_up(i, j)
        dx = ", ".join(f"{letter_name(letter, self._characters)} {row}" for letter, row in seen.dx.items())
        where = f"p = {seen.p}, q = {seen.dy}" if seen.p and seen.dy else tr("no swap ends here")
        first = (
            f"X[{i}] = {self._names[0][i - 1]}, Y[{j}] = {self._names[1][j - 1]} · DX: {dx} · DY: {seen.dy} · {where}"
        )
        terms = "; ".join(f"{term} = {value}" for term, value in self.table.candidates(i, j))
        return first, f"H[{i},{j}] = min({terms}) = {int(self.table.h[i, j])}"

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.table is None else int(self.table.h.shape[0])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.table is None else int(self.table.h.shape[1])

    @reported
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        names = self._names[1 if orientation is Qt.Orientation.Horizontal else 0]
        return names[section - 1] if section else EMPTY

    @reported
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.table is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(int(self.table.h[index.row(), index.column()]))
        return int(Qt.AlignmentFlag.AlignCenter) if role == Qt.ItemDataRole.TextAlignmentRole else None


def path_of(result: SwapEditResult) -> set[tuple[int, int]]:
    """Return the cells that the script goes through; a swap is one step from its first corner to its last."""
    if result.alignment is None or result.swaps is None:
        return set()
    steps = np.repeat(result.alignment.ops, result.alignment.lengths).tolist()
    cells, i, j = {(0, 0)}, 0, 0
    for op in steps:
        i, j = i + (op != Op.INSERTION), j + (op != Op.DELETION)
        cells.add((i, j))
    for a0, a1, b0, b1 in result.swaps.rows():
        cells -= {(i, j) for i, j in cells if a0 < i <= a1 and b0 < j <= b1 + 1 and (i, j) != (a1 + 1, b1 + 1)}
    return cells


def _folded(letters: Letters) -> Letters:
    lower = (letters >= ord("a")) & (letters <= ord("z"))
    return np.where(lower, letters - (ord("a") - ord("A")), letters).astype(np.uint8)
