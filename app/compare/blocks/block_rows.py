"""Blocks as rows of the list of differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wavediff.app.compare.difference_list import (
    CHANGE,
    EFFECT,
    IN_A,
    IN_B,
    KIND,
    LENGTH,
    NUMBER,
    DifferenceList,
    ListedParts,
)
from wavediff.app.ui.legend import DUPLICATED, MINUS, MOVED, PLUS
from wavediff.app.ui.number_text import as_wide_as
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import capitalized
from wavediff.core.base.numbers import count, identity, number
from wavediff.core.export.rearranged import RearrangedAnswer, place, table, tsv_lines
from wavediff.core.export.registry import REARRANGED
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock
from wavediff.core.methods.edit import EDIT
from wavediff.core.sequences.sequence import Sequence

SIGNS = {
    BlockKind.COLLINEAR: PLUS,
    BlockKind.INVERTED: MINUS,
    BlockKind.MOVED: MOVED,
    BlockKind.DUPLICATED: DUPLICATED,
    BlockKind.ONLY_A: int(Op.DELETION),
    BlockKind.ONLY_B: int(Op.INSERTION),
}
STRANDS = {"+": "+", "-": "−", None: ""}
_KINDS = list(BlockKind)


@dataclass(frozen=True, eq=False)
class ListedBlocks(ListedParts):
    """Blocks of two sequences."""

    index: RearrangedAnswer

    @property
    def b(self) -> Sequence:
        return self.index.b

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        return list(table(self.index))


class BlockList(DifferenceList):
    """List with one row per block."""

    columns = ("#", "Kind", "In A", "In B, strand", "Letters", "Edits", "Identity")
    words = "block", "blocks"
    tip = "Hide blocks with fewer letters"
    formats = REARRANGED

    def read(self, listed: ListedBlocks, numbers: Counts) -> list[dict[str, Any]]:
        return [listed.rows[k] for k in numbers.tolist()]

    def op(self, rows: Any, k: int) -> int:
        return SIGNS[BlockKind(rows[k]["kind"])]

    def texts(self, listed: ListedBlocks, rows: Any, k: int, _room: int = 0) -> tuple[str, ...]:
        row = rows[k]
        block = listed.index.blocks[row["block"] - 1]
        edits, share = row["differences"], identity_of(block)
        return (
            number(row["block"]),
            block.kind_text,
            place(row, "a"),
            f"{place(row, 'b')} {STRANDS[row['strand']]}".rstrip(),
            number(max(block.size)),
            "" if edits is None else number(edits),
            "" if share is None else identity(share),
        )

    def around(self, listed: ListedBlocks, rows: Any, k: int) -> str:
        return self.sentence(listed, rows, k)

    def sentence(self, listed: ListedBlocks, rows: Any, k: int) -> str:
        (which, kind, a, b, letters, _, share), n = self.texts(listed, rows, k), rows[k]["differences"]
        inside = [] if n is None else [f"{count(n, 'edit', 'edits')} inside", f"{share} identical"]
        return ", ".join([f"block {which}: {kind}", f"A {a}", f"B {b}", f"{letters} letters", *inside])

    def order(
        self, listed: ListedBlocks, column: int, descending: bool, least: int, _cancel: CancelToken | None
    ) -> Counts:
        blocks = listed.index.blocks
        letters = np.array([max(block.size) for block in blocks], np.int64)
        keys: dict[int, Callable[[], list[float]]] = {
            KIND: lambda: [_KINDS.index(block.kind) for block in blocks],
            IN_A: lambda: [row["a_start"] for row in listed.rows],
            IN_B: lambda: [row["b_start"] for row in listed.rows],
            LENGTH: letters.tolist,
            CHANGE: lambda: [-1 if row["differences"] is None else row["differences"] for row in listed.rows],
            EFFECT: lambda: [-1.0 if (share := identity_of(block)) is None else share for block in blocks],
        }
        key = np.array(keys.get(column, lambda: list(range(len(blocks))))(), np.float64)
        order = listed.order[letters[listed.order] >= least]
        sorted_rows: Counts = order[np.argsort(-key[order] if descending else key[order], kind="stable")]
        return sorted_rows

    def shown(self, listed: ListedBlocks) -> str:
        return self.some_of(listed, len(listed.index.blocks))

    def none(self, listed: ListedBlocks) -> str:
        if not listed.index.blocks:
            return "There is no block: A and B have no letters."
        said = listed.index.result.text
        return "" if any(block.result for block in listed.index.blocks) else capitalized(said)

    def longest(self, listed: ListedBlocks) -> int:
        return max(len(listed.a), len(listed.b))

    def widest(self, listed: ListedBlocks) -> dict[int, list[str]]:
        a, b = (number(as_wide_as(len(one))) for one in (listed.a, listed.b))
        return {
            NUMBER: [number(as_wide_as(len(listed.index.blocks)))],
            KIND: [*{block.kind_text for block in listed.index.blocks}],
            IN_A: [f"{a}–{a}"],
            IN_B: [f"{b}–{b} −"],
            LENGTH: [number(as_wide_as(self.longest(listed)))],
            EFFECT: [identity(0.888)],
        }

    def tsv(self, listed: ListedBlocks) -> bytes:
        header, *lines = tsv_lines(listed.index)
        return header + b"".join(lines[k] for k in listed.order.tolist())


def identity_of(block: CollinearBlock) -> float | None:
    """Return the identity that *Edit distance* shows; None for a block of one sequence."""
    return None if block.result is None else EDIT.shown_identity(block.result, *block.size)
