"""Rows as staggered words with match words in shared memory (``cuda/staggered.cuh``).

A match table has one row per code, or two rows whose AND is the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Step
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.pairwise.strips.strip_layout import (
    GPU_GROUP_COLUMNS,
    LANES,
    WARPS_PER_BLOCK,
    CardPairs,
    DeltaBits,
    Packing,
    Pairs,
    StripLayout,
)

NO_ROW = 0xFF
MAX_OWN_TABLE_ROWS = 8  # maximum rows with one row per code


@dataclass(frozen=True, slots=True, eq=False)
class MatchTables:
    """Table row of each code.

    Attributes:
        low, high: uint8, shape (256,): rows of each code; NO_ROW for letters that the other sequence lacks. ``high`` is
            NO_ROW throughout for a single table.
        null_row: the row of zeros.
        n_rows: rows of a strip's table.
        tables: 1 or 2.
    """

    low: Letters
    high: Letters
    null_row: int
    n_rows: int
    tables: int


def split_codes(n_shared: int) -> MatchTables:
    """Return the tables for ``n_shared`` common codes; other codes match nothing.

    Many codes are split into two halves: 256 codes then need 33 rows of shared memory instead of 257.
    """
    low, high = np.full(256, NO_ROW, np.uint8), np.full(256, NO_ROW, np.uint8)
    codes = np.arange(n_shared)
    if n_shared < MAX_OWN_TABLE_ROWS:
        low[:n_shared] = codes
        return MatchTables(low, high, n_shared, n_shared + 1, 1)
    width = isqrt(n_shared - 1) + 1
    low[:n_shared] = codes % width
    high[:n_shared] = width + 1 + codes // width
    return MatchTables(low, high, width, width + 1 + -(-n_shared // width), 2)


MIN_WORDS = {
    DeltaBits.LCS: 2,
    DeltaBits.EDIT: 1,
}  # fewer words hardly shorten a step, and more strips wait for each other
TALL_RATIO = 0.75  # columns per row; with fewer, strips wait longer than they compute
MIN_TALL_WORDS = 2
MAX_TABLE_BYTES = 1 << 16  # bytes of match words: range of an offset
MAX_WORDS = {DeltaBits.LCS: 32, DeltaBits.EDIT: 16}  # code that exceeds the instruction cache is slower


def choose_words(n: int, ratio: float, delta_bits: DeltaBits, table_rows: int, card: Card) -> int:
    """Return the words per lane for ``n`` rows: the fewest that leave one warp per scheduler, if they fit.

    Args:
        ratio: columns to rows of one rectangle.
    """
    words = max(MIN_WORDS[delta_bits], MIN_TALL_WORDS if ratio < TALL_RATIO else 1)
    while words < MAX_WORDS[delta_bits] and n > words * LANES * 32 * card.processors * WARPS_PER_BLOCK:
        words *= 2
    while words > 1 and table_rows * words * LANES * 4 > min(MAX_TABLE_BYTES, card.shared_bytes // WARPS_PER_BLOCK):
        words //= 2
    return words


class StaggeredRows:
    """See ``wavediff.gpu.pairwise.strips.strip_layout.RowLayout``.

    Args:
        n_shared: codes below this are common to both sequences.
        words: of a lane.
    """

    span, flight, unit, padded = LANES, 1, 1, True

    @classmethod
    def chosen(cls, n_shared: int, n: int, ratio: float, delta_bits: DeltaBits, card: Card) -> StaggeredRows:
        """Return the layout for ``n`` concurrent rows; see ``choose_words``."""
        return cls(n_shared, choose_words(n, ratio, delta_bits, split_codes(n_shared).n_rows, card))

    def __init__(self, n_shared: int, words: int) -> None:
        self.n_shared, self.words = n_shared, words
        self._split: MatchTables = split_codes(n_shared)
        self.macros = {"SLICED": 0, "TABLES": self._split.tables}
        self.table_rows = self._split.n_rows

    def fits(self, delta_bits: DeltaBits, card: Card) -> bool:
        """Return whether there is a kernel for this size, and shared memory for its match words."""
        return (self.words in (1, 2) or self.words % 4 == 0) and (
            self.words <= MAX_WORDS[delta_bits] and self.shared <= min(MAX_TABLE_BYTES, card.shared_bytes)
        )

    @property
    def shared(self) -> int:
        return self.table_rows * self.words * LANES * 4

    def pack(self, card: Card, layout: StripLayout, pairs: Pairs, on_card: CardPairs, step: Step) -> Packing:
        split, per_strip = self._split, self.words * LANES
        tables = card.zeros(layout.n_strips * per_strip * split.n_rows, np.uint32)
        offsets = card.zeros(int(layout.base[-1]) * GPU_GROUP_COLUMNS * split.tables, np.uint16)
        rows, columns = (card.kernel("pack.cu", name) for name in ("pack_rows", "pack_columns"))
        if rows.seconds or columns.seconds:
            yield step.compiled("pack", rows.seconds + columns.seconds)
        low, high = card.upload(split.low), card.upload(split.high)
        for part, ((a, b), (rows_there, columns_there)) in enumerate(zip(pairs, on_card, strict=True)):
            first, last = (int(x) * per_strip for x in layout.first_strip[part : part + 2])
            seconds = card.launch(
                rows, -(-(last - first) // 128), 128, 0,
                rows_there, np.int64(a.size), low, high, np.int32(split.n_rows), np.int32(self.words),
                np.int64(last - first), tables[first * split.n_rows :],
            )  # fmt: skip
            first, last = (int(x) * GPU_GROUP_COLUMNS for x in layout.base[part : part + 2])
            seconds += card.launch(
                columns, -(-(last - first) // 128), 128, 0,
                columns_there, np.int64(b.size), low, high, np.int32(split.null_row), np.int32(split.tables == 2),
                np.int32(self.words * LANES * 4), np.int64(last - first), offsets[first * split.tables :],
            )  # fmt: skip
            yield step.took("pack", seconds, 2)
        return tables, offsets

    def kept(self, delta_bits: DeltaBits) -> int:
        return delta_bits * LANES * self.words

    def in_rows(self, card: Card, v: Any) -> Any:  # noqa: ARG002
        return v

    def kept_in_rows(
        self, card: Card, kept_v: Any, matrix: Any, panel: int, first: int, starts: Any, n_tiles: int,  # noqa: ARG002
    ) -> Any:  # fmt: skip
        n_strips, words = int(starts.size), int(kept_v.shape[2])
        out = card.empty((n_strips, n_tiles, words), np.uint32)
        card.begin(
            card.kernel("kept.cu", "rows_before"), n_strips * n_tiles, 128, 0,
            kept_v, np.int64(kept_v.shape[1] * words), np.int32(words), np.int32(first), starts, np.int32(n_tiles), out,
        )  # fmt: skip
        return out
