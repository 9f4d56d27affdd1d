"""Table models of hits (up to ten million rows) and of hits per pattern."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt

from wavediff.app.search.search_session import SearchScope
from wavediff.app.ui.long_table import LongTable
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.table_view import Table
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.export.hits import STRAND, FoundHits, context_letters, hits_tsv, last_of
from wavediff.core.jobs.hits import Hits
from wavediff.core.sequences.letter_text import glyph, isolated
from wavediff.core.sequences.pattern_list import Pattern

PATTERN, STRAND_, PLACE, START, END, COST, CONTEXT = range(7)
SHOWN_CHARACTERS = 60  # characters of a name
OVERLAPPING_HITS = 64  # that are looked at for those that cover a letter


class HitsTable(LongTable):
    """Hits of one search, also while they arrive."""

    columns = ("Pattern", "±", "In", "Start", "End", "Mism.", "Context")
    left = frozenset({PATTERN, STRAND_, PLACE, CONTEXT})

    def __init__(self) -> None:
        super().__init__()
        self.searched: SearchScope | None = None
        self._parts: list[Hits] = []
        self._begins: list[int] = []  # rows before each part
        self._n = 0
        self._order: Counts | None = None

    @property
    def n_hits(self) -> int:
        return self._n

    @property
    def n_rows(self) -> int:
        return self._n if self._order is None else int(self._order.size)

    @property
    def parts(self) -> tuple[Hits, ...]:
        return tuple(self._parts)

    @property
    def hits(self) -> Hits:
        if len(self._parts) != 1:
            self._parts, self._begins = [Hits.joined(self._parts)], [0]
        return self._parts[0]

    def clear(self, searched: SearchScope | None) -> None:
        """Remove all hits; later ones belong to ``searched``."""
        self.beginResetModel()
        self.searched, self._parts, self._begins, self._n, self._order, self.top = searched, [], [], 0, None, 0
        self.endResetModel()

    def add(self, hits: Hits) -> None:
        self._parts.append(hits)
        self._begins.append(self._n)
        self._n += len(hits)
        self.refresh()

    def replace(self, parts: Iterable[Hits]) -> None:
        """Replace all hits by those of ``parts``."""
        self._parts, self._order = list(parts), None
        *self._begins, self._n = accumulate(map(len, self._parts), initial=0)
        self.refresh()

    def arrange(self, hits: Hits, order: Counts | None) -> None:
        """Show the complete ``hits`` in the order ``order``; None: text order."""
        self._parts, self._begins, self._order, self.top = [hits], [0], order, 0
        self.refresh()

    def hit(self, row: int) -> tuple[Hits, int]:
        """Return the hit in an absolute row: the ``Hits`` with it, and its index there."""
        k = row if self._order is None else int(self._order[row])
        part = bisect_right(self._begins, k) - 1
        return self._parts[part], k - self._begins[part]

    def place(self, row: int) -> tuple[int, int, int]:
        """Return record, start and end (0-based) of the hit in an absolute row."""
        assert self.searched is not None
        hits, k = self.hit(row)
        start, length = int(hits.start[k]), int(hits.length[k])
        starts = self.searched.records.starts
        record = int(np.searchsorted(starts, start, "right")) - 1
        return record, start - int(starts[record]), start - int(starts[record]) + length

    def row_at(self, position: int) -> int:
        """Return the row with the hit nearest to ``position`` of the text."""
        starts = self.hits.start
        if self._order is None:
            return min(int(np.searchsorted(starts, position)), max(0, self._n - 1))
        return int(np.abs(starts[self._order] - position).argmin()) if self._order.size else 0

    def row_over(self, position: int, current: int) -> int | None:
        """Return a row whose hit covers ``position`` of the text, preferably ``current``, or None."""
        hits, rows = self.hits, range(self.n_rows)
        end = int(np.searchsorted(hits.start, position, "right"))
        first = max(0, end - OVERLAPPING_HITS)
        over = first + np.flatnonzero(hits.start[first:end] + hits.length[first:end] > position)
        if current in rows and (current if self._order is None else self._order[current]) in over:
            return current
        if self._order is None:
            return int(over[-1]) if over.size else None
        over_rows = np.flatnonzero(np.isin(self._order, over)) if over.size else over
        return int(over_rows[0]) if over_rows.size else None

    def tsv(self, rows: Iterable[int] | None = None) -> str:
        if self.searched is None:
            return ""
        some = np.arange(self.n_rows) if rows is None else np.array(rows, np.int64)
        hits = self.hits.take(some if self._order is None else self._order[some])
        return b"".join(hits_tsv(found(self.searched, hits))).decode("utf-8", "surrogateescape")

    def heading(self, column: int) -> str:
        edits = self.searched is not None and self.searched.wish.edits
        return "Edits" if edits and column == COST else super().heading(column)

    def text(self, row: int, column: int) -> str | None:
        if self.searched is None:
            return None
        row += self.top
        hits, k = self.hit(row)
        match column:
            case 0:
                return printable(self.searched.wish.patterns[int(hits.pattern[k])].name, SHOWN_CHARACTERS)
            case 1:
                return STRAND[int(hits.strand[k])]
            case 5:
                return str(int(hits.cost[k]))
        record, start, end = self.place(row)
        match column:
            case 2:
                return str(self.searched.sides[record])
            case 3:
                return grouped(start + 1)
            case 4:
                return grouped(last_of(end, len(self.searched.sequences[record])))
            case _:
                letters, common = self.searched.sequences[record].letters, self.searched.records.characters
                letters = letters if end <= letters.size else np.resize(letters, 2 * letters.size)
                before, hit, after = (
                    "…".join("".join(glyph(code, common) for code in each.tolist()) for each in part)
                    for part in context_letters(letters, start, end)
                )
                return f"{isolated(before)}[{isolated(hit)}]{isolated(after)}"


def found(searched: SearchScope, hits: Hits) -> FoundHits:
    """Return ``hits`` with what a file says of them."""
    return FoundHits(hits, searched.wish.patterns, searched.records, searched.wish.edits)


def arranged(
    parts: Iterable[Hits],
    column: int,
    descending: bool,
    patterns: npt.NDArray[np.bool_] | None,
    ranks: Callable[[], Counts],
) -> tuple[Hits, Counts | None]:
    """Return the concatenated ``parts`` and their display order (None: text order); slow for millions.

    Args:
        column: to sort by; -1: text order, also for ties.
        patterns: shown patterns; None: all.
        ranks: returns the rank of each pattern by name; called only if needed.
    """
    hits = Hits.joined(parts)
    if patterns is None and column in (-1, START, PLACE, CONTEXT) and not descending:
        return hits, None
    rows = np.arange(len(hits)) if patterns is None else np.flatnonzero(patterns[hits.pattern])
    if column in (-1, CONTEXT):
        return hits, rows
    if column in (START, PLACE):
        return hits, rows[::-1] if descending else rows
    if column == PATTERN:
        keys = ranks()[hits.pattern[rows]]
    elif column == END:
        keys = hits.start[rows] + hits.length[rows]
    else:
        keys = (hits.strand if column == STRAND_ else hits.cost)[rows].astype(np.int64)
    order: Counts = rows[np.argsort(-keys if descending else keys, kind="stable")]
    return hits, order


NAME, LENGTH, HITS = range(3)


class PatternCounts(Table):
    """One row per pattern, in input order or sorted by a column; ``complete``: a count of 0 is final."""

    columns = ("Pattern", "Letters", "Hits")
    complete = False
    counts: Counts = np.zeros(0, np.int64)
    _patterns: tuple[Pattern, ...] = ()
    _rows: Counts = np.zeros(0, np.int64)  # patterns in the order shown

    def show(self, patterns: tuple[Pattern, ...]) -> None:
        self.beginResetModel()
        self._patterns, self.counts, self.complete = patterns, np.zeros(len(patterns), np.int64), False
        self._rows = np.arange(len(patterns))
        self.endResetModel()

    def add(self, hits: Hits) -> None:
        self.counts = self.counts + hits.counts(self.counts.size)
        self._tell()

    def finish(self) -> None:
        self.complete = True
        self._tell()

    def _tell(self) -> None:
        if self._rows.size:
            self.dataChanged.emit(self.index(0, HITS), self.index(self._rows.size - 1, HITS))

    def pattern(self, row: int) -> int:
        return int(self._rows[row])

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        lengths = np.array([pattern.n_letters for pattern in self._patterns], np.int64)
        keys = (ranks(self._patterns), lengths, self.counts, np.arange(lengths.size))[column]
        self._rows = np.argsort(-keys if order is Qt.SortOrder.DescendingOrder else keys, kind="stable")
        self.endResetModel()

    def height(self) -> int:
        return int(self._rows.size)

    def text(self, row: int, column: int) -> str:
        k = int(self._rows[row])
        if column == NAME:
            return printable(self._patterns[k].name, SHOWN_CHARACTERS)
        n = self._patterns[k].n_letters if column == LENGTH else int(self.counts[k])
        return grouped(n) if n or self.complete else ""


def ranks(patterns: tuple[Pattern, ...]) -> Counts:
    """Return the rank of each pattern by name."""
    places = np.empty(len(patterns), np.int64)
    places[sorted(range(len(patterns)), key=lambda k: patterns[k].name.casefold())] = np.arange(len(patterns))
    return places
