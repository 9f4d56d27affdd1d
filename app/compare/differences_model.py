"""The list of differences as a table: the rows in sight, of ten million, in any order."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from wavediff.app.compare.alignment_model import gap_text, kind_text
from wavediff.app.compare.differences_order import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER, Order
from wavediff.app.ui.long_table import LongTable
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count, number
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, rows_of
from wavediff.core.sequences.letter_text import glyph, glyph_or_code, isolated
from wavediff.core.sequences.sequence import Sequence

OP_ROLE = int(Qt.ItemDataRole.UserRole)
SHOWN_LETTERS = 10  # of each side of a change, at least
CONTEXT_LETTERS = 12  # on each side of a change, in its tip
_SEARCHED_ROWS = 1 << 20  # rows in which a number is looked for at a time


class DifferencesTable(LongTable):
    """A row is one difference; its number is the one that the stepper says."""

    columns = ("#", "Kind", "A", "B", "Length", "Change")
    left = frozenset({KIND, CHANGE})
    greatest_first = frozenset({LENGTH})

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._listed: ListedDifferences | None = None
        self._rows: DifferenceRows | None = None
        self._texts: dict[int, tuple[str, ...]] = {}  # of rows in sight that were painted: each cell is asked for often
        self._sorted = NUMBER, False
        self._room = 0  # characters that the column of changes holds

    @property
    def listed(self) -> ListedDifferences | None:
        return self._listed

    @property
    def n_rows(self) -> int:
        return len(self._listed) if self._listed is not None else 0

    def show_room(self, characters: int) -> None:
        """Show as many letters of a change as fit into so many characters."""
        if characters != self._room:
            self._room = characters
            self._texts.clear()

    def show(self, listed: ListedDifferences | None) -> None:
        """Show other differences, or the same ones in another order."""
        self._listed = listed
        self.refresh()

    def read(self) -> None:
        self._rows = None
        self._texts.clear()
        if self._listed is not None and self.height():
            self._rows = self.rows_of(range(self.top, self.top + self.height()))

    def rows_of(self, some: range) -> DifferenceRows:
        assert self._listed is not None
        order, numbers = self._listed.order, np.arange(some.start, some.stop)
        wanted = numbers if order is None else order[some.start : some.stop].astype(np.int64)
        return rows_of(self._listed.index, wanted, self._listed.kinds)

    def row_of(self, wanted: int) -> int:
        """Return the row (of all) of difference ``wanted`` (from 0), -1 where it is left out."""
        if self._listed is None:
            return -1
        order: Order | None = self._listed.order
        if order is None:
            return wanted
        for first in range(0, order.size, _SEARCHED_ROWS):
            found = np.flatnonzero(order[first : first + _SEARCHED_ROWS] == wanted)
            if found.size:
                return first + int(found[0])
        return -1

    def show_sorted(self, column: int, descending: bool) -> None:
        """Say in its heading by which column the rows are sorted."""
        self._sorted = column, descending
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, NUMBER, CHANGE)

    def heading(self, column: int) -> str:
        mark = (" ▼" if self._sorted[1] else " ▲") if column == self._sorted[0] else ""
        return self.columns[column] + mark

    def cell(self, row: int, column: int, role: int) -> Any:
        if self._rows is None or self._listed is None or row >= len(self._rows):
            return None
        if role == OP_ROLE:
            return int(self._rows.op[row])
        if role == Qt.ItemDataRole.DisplayRole:
            if row not in self._texts:
                self._texts[row] = row_texts(self._listed, self._rows, row, self._room)
            return self._texts[row][column]
        if role == Qt.ItemDataRole.ToolTipRole and column == CHANGE:
            return around(self._listed, self._rows, row)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NUMBER:
            return sentence(self._listed, self._rows, row)
        return None


def shown_of(listed: ListedDifferences) -> str:
    """Return how many differences are listed, and of how many where that is not all."""
    shown, total = len(listed), listed.index.n_differences(listed.kinds)
    if shown < total:
        return f"{number(shown)} of {number(total)} differences"
    apart = listed.index.n_differences(listed.kinds & Kinds.APART)
    counted = count(total - apart, "difference", "differences")
    return f"{counted}, {number(apart)} unknown" if apart else counted


def row_texts(listed: ListedDifferences, rows: DifferenceRows, k: int, room: int = 0) -> tuple[str, ...]:
    """Return what the columns of the ``k``-th of ``rows`` say; ``room``: characters that the change has."""
    texts = dict.fromkeys(range(6), "")
    texts[NUMBER] = number(int(rows.number[k]) + 1)
    texts[KIND] = _kind(listed, rows, k)
    texts[IN_A], texts[IN_B] = (
        place_text(listed.a, rows.a0[k], rows.a1[k]),
        place_text(listed.b, rows.b0[k], rows.b1[k]),
    )
    texts[LENGTH] = number(int(rows.columns[k]))
    texts[CHANGE] = change_text(listed, rows, k, room)
    return tuple(texts.values())


def _kind(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    a0, a1, b0, b1 = (int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))
    return kind_text(listed.a, listed.b, int(rows.op[k]), slice(a0, a1), slice(b0, b1))


def place_text(sequence: Sequence, start: int, end: int) -> str:
    """Return the first letter's place in its file, or after which letter a gap lies; 1-based."""
    return number(sequence.place(int(start)) + 1) if end > start else gap_text(sequence, int(start))


def change_text(listed: ListedDifferences, rows: DifferenceRows, k: int, room: int = 0) -> str:
    """Return e.g. ``T → C``, ``+ CCCTTTTTTT…`` or ``− TAA``, in ``room`` characters or a few letters a side."""
    a0, a1, b0, b1 = (int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))
    signs = len(" → ……") if a1 > a0 and b1 > b0 else len("+ …")
    each = max(SHOWN_LETTERS, (room - signs) // (2 if a1 > a0 and b1 > b0 else 1))
    sides = (listed.a, a0, a1, each), (listed.b, b0, b1, each)
    before, after = (_shown(*side) for side in sides)
    if before == after:  # by signs that several characters share
        before, after = (_shown(*side, by_code=True) for side in sides)
    before, after = isolated(before), isolated(after)
    return f"{before} → {after}" if before and after else f"+ {after}" if after else f"− {before}"


def around(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    """Return the letters of both sides with some of their neighbours, the change in brackets."""
    lines = []
    for name, sequence, start, end in (
        ("A", listed.a, int(rows.a0[k]), int(rows.a1[k])),
        ("B", listed.b, int(rows.b0[k]), int(rows.b1[k])),
    ):
        before = text_of(sequence.letters[max(0, start - CONTEXT_LETTERS) : start], sequence.characters)
        after = text_of(sequence.letters[end : end + CONTEXT_LETTERS], sequence.characters)
        shown = _shown(sequence, start, end, 4 * SHOWN_LETTERS) or "–"
        lines.append(f"{name}  {isolated(before)}[{isolated(shown)}]{isolated(after)}")
    return "\n".join(lines)


def sentence(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    a, b = place_text(listed.a, rows.a0[k], rows.a1[k]), place_text(listed.b, rows.b0[k], rows.b1[k])
    return (
        f"difference {number(int(rows.number[k]) + 1)}: {_kind(listed, rows, k)}, "
        f"{count(int(rows.columns[k]), 'letter', 'letters')}, A {a}, B {b}, {change_text(listed, rows, k)}"
    )


def text_of(letters: Letters, characters: str) -> str:
    return "".join(glyph(code, characters) for code in letters.tolist())


def _shown(sequence: Sequence, start: int, end: int, most: int, *, by_code: bool = False) -> str:
    of_each = glyph_or_code if by_code else partial(glyph, differs=True)
    letters = sequence.letters[start : min(end, start + most)].tolist()
    return "".join(of_each(code, sequence.characters) for code in letters) + ("…" if end - start > most else "")
