"""Model of the rows of a transform: a window at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.app.bwt.indexed_text import IndexedText
from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.bwt_result import RowsResult, SortLevel, TernaryPart
from wavediff.core.sequences.characters import FIRST_CODE

DOLLAR = -1
BASES = frozenset(b"ACGTUNacgtun#")
UNKNOWN = -1  # position or row that was not asked for yet
MAX_RUN_LETTERS = 1 << 16  # maximum letters to follow a run each way
FIRST_POINT = 1 << 16  # code of a letter that is a character of UTF-8: its code point and this
CONTINUED = FIRST_POINT - 1  # code of a byte of UTF-8 that is not the first of its character, or of one not known
Numbers = npt.NDArray[np.int64]


def code_points(text: Letters, positions: Numbers) -> Numbers:
    """Return the letter at each of ``positions`` of UTF-8: ASCII, ``FIRST_POINT`` + code point, or ``CONTINUED``."""
    padded = np.minimum(positions[:, None] + np.arange(4), text.size - 1)
    first, second, third, fourth = text[padded].astype(np.int64).T
    second, third, fourth = second & 63, third & 63, fourth & 63
    two, three = (first & 31) << 6 | second, (first & 15) << 12 | second << 6 | third
    four = (first & 7) << 18 | second << 12 | third << 6 | fourth
    kinds = [first < FIRST_CODE, first < 0xC0, first < 0xE0, first < 0xF0]
    return np.select(kinds, [first, CONTINUED, two + FIRST_POINT, three + FIRST_POINT], four + FIRST_POINT)


@dataclass(frozen=True, slots=True, eq=False)
class RowWindow:
    """Rows ``start`` to ``start + len``: int64 arrays of that length.

    Attributes:
        positions, before: text position of each row, and the row one letter earlier; ``UNKNOWN`` if unknown.
        firsts, lasts: letters, ``DOLLAR`` for ``$``; ``*_ranks``: rank among equal letters, from 1; 0: unknown.
        runs: length of the run in the last column; ``capped``: it may be longer.
    """

    start: int
    positions: Numbers
    before: Numbers
    firsts: Numbers
    lasts: Numbers
    first_ranks: Numbers
    last_ranks: Numbers
    runs: Numbers
    capped: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return int(self.positions.size)


class BwtRows:
    """Rows of an ``IndexedText``: sorted, or after a level of the ternary quicksort."""

    def __init__(self, indexed: IndexedText) -> None:
        self.shown = indexed
        self.n_rows = indexed.index.length + 1
        self._order: Numbers | None = None
        self._window: RowsResult | None = None
        self._place: dict[int, int] = {}
        self.level: SortLevel | None = None
        if indexed.small is not None and indexed.small.suffixes is not None:
            self._sorted = indexed.small.suffixes.astype(np.int64)
            self._order = self._sorted
            self._rows = np.empty(self.n_rows, np.int64)
            self._rows[self._sorted] = np.arange(self.n_rows)

    @property
    def is_small(self) -> bool:
        return self._order is not None

    @property
    def has_bases(self) -> bool:
        return set(self.shown.index.letters.tolist()) <= BASES

    @property
    def n_levels(self) -> int:
        return len(self.shown.small.levels) if self.shown.small is not None else 0

    @property
    def is_sorted(self) -> bool:
        return self.level is None and (self._order is None or self._order is self._sorted)

    def show_level(self, number: int) -> None:
        """Show the rows after ``number`` levels; after the last one they are sorted."""
        small = self.shown.small
        if small is None or small.suffixes is None:
            return
        self.level = small.levels[number - 1] if 0 < number <= len(small.levels) else None
        if number == 0 and small.levels:
            self._order = np.arange(self.n_rows)
        else:
            self._order = self._sorted if self.level is None else self.level.order.astype(np.int64)

    @property
    def located(self) -> RowsResult | None:
        """The last requested rows with their positions."""
        return self._window

    def take(self, located: RowsResult) -> None:
        self._window = located
        self._place = {int(row): k for k, row in enumerate(located.rows)}

    def unknown(self, start: int, count: int) -> Counts | None:
        """Return the rows of this window with unknown positions, or None."""
        rows = np.arange(start, min(start + count, self.n_rows))
        if self.is_small or all(int(row) in self._place for row in rows):
            return None
        return rows

    def window(self, start: int, count: int) -> RowWindow:
        rows = np.arange(max(0, start), min(start + count, self.n_rows))
        positions, before = self._known(rows)
        if self.is_sorted:
            firsts, first_ranks = self._firsts(rows)
            lasts, last_ranks = self._lasts(rows, before)
            runs, capped = self._runs(rows)
        else:  # known from the rotation alone
            firsts, lasts = self._letters(positions), self._letters(positions - 1)
            first_ranks = last_ranks = runs = np.zeros(rows.size, np.int64)
            capped = np.zeros(rows.size, bool)
        if self.shown.begins is not None:  # bytes of UTF-8 are shown as what they are part of
            firsts = self._characters(firsts, positions, positions)
            lasts = self._characters(lasts, positions - 1, positions)
        start = int(rows[0]) if rows.size else 0
        return RowWindow(start, positions, before, firsts, lasts, first_ranks, last_ranks, runs, capped)

    def rotation(self, position: int, start: int, count: int) -> Numbers:
        """Return ``count`` letters of the rotation at ``position``, from offset ``start``."""
        return self._letters((position + start + np.arange(count)) % self.n_rows)

    def part_of(self, row: int) -> tuple[TernaryPart, int, int] | None:
        """Return part, depth and pivot of the segment with ``row``, see ``SortLevel``; None outside of segments."""
        if self.level is None:
            return None
        at = int(np.searchsorted(self.level.starts, row, side="right")) - 1
        if at < 0 or row >= self.level.ends[at]:
            return None
        return TernaryPart(int(self.level.parts[at])), int(self.level.depths[at]), int(self.level.pivots[at])

    def row_of(self, position: int) -> int:
        """Return the sorted row that begins at ``position``; ``UNKNOWN`` for long texts."""
        return int(self._rows[position]) if self.is_small and 0 <= position < self.n_rows else UNKNOWN

    def _known(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        if self._order is not None:
            positions = self._order[rows]
            return positions, self._rows[(positions - 1) % self.n_rows]
        positions, before = np.full(rows.size, UNKNOWN), np.full(rows.size, UNKNOWN)
        if self._window is not None:
            for k, row in enumerate(rows.tolist()):
                at = self._place.get(row)
                if at is not None:
                    positions[k], before[k] = self._window.positions[at], self._window.before[at]
        return positions, before

    def _letters(self, positions: Numbers) -> Numbers:
        text = self.shown.text
        positions = positions % self.n_rows
        out = np.full(positions.size, DOLLAR, np.int64)
        inside = positions < text.size
        out[inside] = text[positions[inside]] if self.shown.begins is None else code_points(text, positions[inside])
        return out

    def _characters(self, codes: Numbers, places: Numbers, positions: Numbers) -> Numbers:
        """Decode bytes of UTF-8 at ``places`` to characters, if the row's position is known."""
        characters = np.where(positions == UNKNOWN, CONTINUED, self._letters(places))
        return np.where(codes >= FIRST_CODE, characters, codes)

    def _firsts(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        index = self.shown.index
        code = np.searchsorted(index.first, rows, side="right") - 1
        firsts, ranks = np.full(rows.size, DOLLAR), np.ones(rows.size, np.int64)
        known = code >= 0
        firsts[known] = index.letters[code[known]]
        ranks[known] = rows[known] - index.first[code[known]] + 1
        return firsts, ranks

    def _lasts(self, rows: Numbers, before: Numbers) -> tuple[Numbers, Numbers]:
        index = self.shown.index
        lasts = np.full(rows.size, DOLLAR)
        stored = rows != index.primary
        places = (rows - (rows > index.primary))[stored]
        lasts[stored] = index.last[places]
        ranks = np.ones(rows.size, np.int64)
        known = stored & (before > 0)
        code = np.searchsorted(index.letters, lasts[known])
        ranks[known] = before[known] - index.first[code] + 1
        ranks[stored & (before <= 0)] = 0
        return lasts, ranks

    def _runs(self, rows: Numbers) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        index = self.shown.index
        runs, capped = np.zeros(rows.size, np.int64), np.zeros(rows.size, bool)
        if not rows.size or not index.length:
            return runs, capped
        lo = max(0, int(rows[0]) - MAX_RUN_LETTERS)
        hi = min(index.length, int(rows[-1]) + 1 + MAX_RUN_LETTERS)
        part = index.last[lo:hi]
        starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
        ends = np.append(starts[1:], part.size)
        stored = rows != index.primary
        places = (rows - (rows > index.primary))[stored] - lo
        at = np.searchsorted(starts, places, side="right") - 1
        runs[stored] = ends[at] - starts[at]
        capped[stored] = ((starts[at] == 0) & (lo > 0)) | ((ends[at] == part.size) & (hi < index.length))
        return runs, capped
