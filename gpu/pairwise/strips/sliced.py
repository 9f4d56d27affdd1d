"""Edit distance in bit slices (``cuda/sliced.cuh``), for long sequences over few letters."""

from __future__ import annotations

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

MAX_PLANES = 3  # with more, staggered words are as fast
MAX_WORDS = 32  # registers
MIN_WORDS = 16  # with fewer, staggered words are as fast
WORDS_STEP = 8  # each number of words is compiled separately
UNIT = 32 // GPU_GROUP_COLUMNS
IN_FLIGHT = 2  # stored words of a lane besides its rows


def planes_of(n_shared: int, a: Letters, b: Letters) -> int:
    """Return the number of bits that distinguish the codes of ``a`` and ``b``."""
    n_codes = n_shared + int(a.max() >= n_shared) + int(b.max() >= n_shared)
    return max(1, (n_codes - 1).bit_length())


def choose_words(n: int, card: Card) -> int:
    """Return the words per lane for ``n`` rows, 0 if slices would leave the card too idle."""
    words = -(-n // (LANES * 32 * card.processors * WARPS_PER_BLOCK * WORDS_STEP)) * WORDS_STEP
    return 0 if words < MIN_WORDS else min(MAX_WORDS, words)


class BitSlicedRows:
    """See ``wavediff.gpu.pairwise.strips.strip_layout.RowLayout``.

    Args:
        n_shared: codes below this are common to both sequences.
        words: rows of a stripe.
        planes: see ``planes_of``.
    """

    span, flight, unit, padded = 160, 5, UNIT, False
    table_rows = shared = 0

    def __init__(self, n_shared: int, words: int, planes: int) -> None:
        self.words, self._planes, self.n_shared = words, planes, n_shared
        self.macros = {"SLICED": 1, "PLANES": planes}

    def pack(self, card: Card, layout: StripLayout, pairs: Pairs, on_card: CardPairs, step: Step) -> Packing:
        per_strip, planes = self.words * LANES, self._planes
        tables = card.zeros(layout.n_strips * per_strip * planes, np.uint32)
        slices = card.zeros((int(layout.base[-1]) // UNIT + 1) * planes, np.uint32)
        rows, columns = (card.kernel("pack.cu", name) for name in ("slice_rows", "slice_columns"))
        if rows.seconds or columns.seconds:
            yield step.compiled("pack", rows.seconds + columns.seconds)
        for part, ((a, b), (rows_there, columns_there)) in enumerate(zip(pairs, on_card, strict=True)):
            # Letters of only one sequence: one code in the rows, another in the columns.
            of_rows = np.minimum(np.arange(256), self.n_shared).astype(np.uint8)
            of_columns = of_rows + (of_rows == self.n_shared) * np.uint8(a.max() >= self.n_shared)
            codes = card.upload(of_rows), card.upload(of_columns)
            first, last = (int(x) * per_strip for x in layout.first_strip[part : part + 2])
            seconds = card.launch(
                rows, -(-(last - first) // 128), 128, 0,
                rows_there, np.int64(a.size), codes[0], np.int32(planes), np.int32(self.words),
                np.int64(last - first), tables[first * planes :],
            )  # fmt: skip
            first, last = (int(x) // UNIT for x in layout.base[part : part + 2])
            seconds += card.launch(
                columns, -(-(last - first) // 128), 128, 0,
                columns_there, np.int64(b.size), codes[1], np.int32(planes),
                np.int64(last - first), slices[(first + 1) * planes :],
            )  # fmt: skip
            yield step.took("pack", seconds, 2)
        return tables, slices

    def kept(self, delta_bits: DeltaBits) -> int:
        return (delta_bits * self.words + IN_FLIGHT) * LANES

    def in_rows(self, card: Card, v: Any) -> Any:
        out = card.empty(v.shape, np.uint32)
        n_lanes = int(v.shape[0]) * int(v.shape[1]) * LANES
        kernel = card.kernel("pack.cu", "unslice")
        card.begin(kernel, -(-n_lanes // 128), 128, 0, v, np.int32(self.words), np.int64(n_lanes), out)
        return out

    def kept_in_rows(
        self, card: Card, kept_v: Any, matrix: Any, panel: int, first: int, starts: Any, n_tiles: int,  # noqa: ARG002
    ) -> Any:  # fmt: skip
        n_strips = int(starts.size)
        aligned = card.empty((n_strips * n_tiles, int(DeltaBits.EDIT), LANES * self.words), np.uint32)
        macros = {"METHOD": int(DeltaBits.EDIT), "WORDS": self.words, "COLUMNS": GPU_GROUP_COLUMNS, "KEEP": 1}
        card.begin(
            card.kernel("align.cu", "align", **macros, **self.macros), n_strips * n_tiles, LANES, 0,
            matrix, np.int32(first), starts, np.int32(n_tiles), np.int32(panel), aligned,
        )  # fmt: skip
        return self.in_rows(card, aligned).reshape(n_strips, n_tiles, -1)
