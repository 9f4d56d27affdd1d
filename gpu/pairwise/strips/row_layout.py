"""Protocol of a row layout: staggered words or bit slices."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, StripLayout

Pairs = list[tuple[Letters, Letters]]
CardPairs = list[tuple[Any, Any]]
Packing = Generator[Event, None, tuple[Any, Any]]


class RowLayout(Protocol):
    """Layout of rows in the lanes of a strip.

    Attributes:
        n_shared: codes below this occur in both sequences.
        padded: rows past the last one match nothing.
        words: of a lane. span: steps until what enters a strip leaves it. flight: words of a lane, besides its rows,
            that go from launch to launch. unit: strips begin at a multiple of so many groups.
        macros: of the kernel. table_rows: of a strip. shared: bytes of shared memory a warp.
    """

    n_shared: int
    padded: bool
    words: int
    macros: dict[str, int]

    @property
    def span(self) -> int: ...
    @property
    def flight(self) -> int: ...
    @property
    def unit(self) -> int: ...
    @property
    def table_rows(self) -> int: ...
    @property
    def shared(self) -> int: ...

    def kept(self, delta_bits: DeltaBits) -> int:
        """Return the stored words of a strip per tile."""
        ...

    def pack(self, card: Card, layout: StripLayout, pairs: Pairs, on_card: CardPairs, step: Step) -> Packing:
        """Pack codes (also ``on_card``) as the kernel's tables and columns."""
        ...

    def in_rows(self, card: Card, v: Any) -> Any:
        """Return the rows after the last column, uint32, shape (strips, signs, lanes * words), in row order."""
        ...

    def kept_in_rows(
        self, card: Card, kept_v: Any, matrix: Any, panel: int, first: int, starts: Any, n_tiles: int
    ) -> Any:
        """Return the rows before some tiles, uint32, shape (strips, tiles, words), by sign, in row order.

        Args:
            matrix: as the kernels have it. panel: of its layout.
            first: strip. starts: int32 on the card, the first of ``n_tiles`` tiles of each strip from there on.
        """
        ...
