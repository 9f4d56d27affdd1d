"""Strips and tickets of one or more rectangles for ``cuda/strips.cu``; arithmetic only, and row layouts."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.gpu.card.cuda import Card

GPU_GROUP_COLUMNS = 8  # columns of a group: its carries are a byte
LANES = 32
WARPS_PER_BLOCK = 4  # warps of a thread block: one per scheduler of a multiprocessor
PADDING_GROUPS = 2  # groups prefetched by a warp
PANEL_GROUPS = 1 << 17  # groups of a ticket; limits the mailboxes
TICKET = np.dtype([(name, np.int32) for name in ("strip", "first", "last", "above", "columns")])
DeltaBits = IntEnum("DeltaBits", {"LCS": 1, "EDIT": 2})  # value: words per word of rows


@dataclass(frozen=True, slots=True)
class TileSpacing:
    """Spacing of stored data for a traceback: rows every few groups, carries every few lanes.

    Both are powers of two, which is fast to test at every step of the kernels.
    """

    groups: int
    lanes: int

    def __post_init__(self) -> None:
        if self.groups & (self.groups - 1) or self.lanes & (self.lanes - 1):
            raise ValueError(f"tiles of {self.groups} groups and {self.lanes} lanes, which are not powers of two")

    def coarser(self, width: int) -> TileSpacing | None:
        """Return tiles with at most a quarter of the stored borders; None if ``width`` allows none."""
        if self.lanes == LANES and self.groups >= width:
            return None
        return TileSpacing(4 * self.groups, min(LANES, 4 * self.lanes))


@dataclass(frozen=True, slots=True, eq=False)
class StripLayout:
    """Strips of ``height`` rows over consecutive independent rectangles.

    Groups are numbered through all rectangles, with ``PADDING_GROUPS`` after each rectangle.

    Args:
        sizes: (rows, columns) of each rectangle, none 0.
        words: 32-bit words of rows per lane.
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
        unit: strips start at multiples of this many groups.
        panel: maximum groups of a ticket.
        entered: whether the first strip has input from another card.

    Attributes:
        part: rectangle of each strip. top: first row of the strip in it.
        lo, hi: groups of each strip. base: first group of each rectangle. first_strip: first strip of each, then their
            total.
        tickets: in processing order; ``TICKET``.
    """

    sizes: tuple[tuple[int, int], ...]
    words: int
    band: tuple[int, int] | None = None
    unit: int = 1
    panel: int = PANEL_GROUPS
    entered: bool = False
    part: Counts = field(init=False)
    top: Counts = field(init=False)
    lo: Counts = field(init=False)
    hi: Counts = field(init=False)
    base: Counts = field(init=False)
    first_strip: Counts = field(init=False)
    tickets: npt.NDArray[Any] = field(init=False)

    def __post_init__(self) -> None:
        rows, columns = np.array(self.sizes, np.int64).T
        strips, groups = -(-rows // self.height), -(-columns // GPU_GROUP_COLUMNS)
        room = -(-(groups + PADDING_GROUPS) // self.unit) * self.unit
        part = np.repeat(np.arange(rows.size), strips)
        first_strip = np.concatenate([[0], np.cumsum(strips)])
        top = (np.arange(part.size) - first_strip[part]) * self.height
        base = np.concatenate([[0], np.cumsum(room)])
        lo, hi = np.zeros(part.size, np.int64), groups[part]
        if self.band is not None:
            low, high = self.band
            bottom = np.minimum(top + self.height, rows[part])
            lo = (top + low) // (GPU_GROUP_COLUMNS * self.unit) * self.unit
            lo = np.clip(lo, 0, (groups[part] - 1) // self.unit * self.unit)
            hi = np.clip((bottom + high) // GPU_GROUP_COLUMNS + 1, lo + 1, groups[part])
            hi[first_strip[1:] - 1] = groups
        values = {"part": part, "top": top, "base": base, "first_strip": first_strip}
        for name, value in {**values, "lo": lo + base[part], "hi": hi + base[part]}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "tickets", self._tickets(base[:-1] * GPU_GROUP_COLUMNS + columns))

    @property
    def height(self) -> int:
        return self.words * LANES * 32

    @property
    def n_strips(self) -> int:
        return int(self.part.size)

    @property
    def width(self) -> int:
        return int((self.hi - self.lo).max())

    @property
    def n_active(self) -> int:
        """Number of concurrently active strips; further warps would slow them down."""
        if self.band is None:
            return self.n_strips
        return min(self.n_strips, self.width * GPU_GROUP_COLUMNS // self.height + 8)

    def _tickets(self, last_column: Counts) -> npt.NDArray[Any]:
        """Order of tickets: panels of a strip; each depends on the strip above and its predecessor."""
        start = self.lo - self.lo % self.panel
        taken = []
        while (start < self.hi).any():
            at = int(start.min())
            first, last = np.maximum(self.lo, at), np.minimum(self.hi, at + self.panel)
            strip = np.flatnonzero(first < last)
            some = np.zeros(strip.size, TICKET)
            some["strip"], some["first"], some["last"] = strip, first[strip], last[strip]
            some["columns"] = last_column[self.part[strip]]
            follows = np.zeros(strip.size, bool)
            follows[1:] = (strip[1:] == strip[:-1] + 1) & (self.part[strip[1:]] == self.part[strip[:-1]])
            above = np.where(follows, np.roll(some["last"], 1), 0)
            if self.entered:
                above[strip == 0] = some["last"][strip == 0]
            some["above"] = np.clip(above, some["first"], some["last"])
            taken.append(some)
            start = np.where(self.hi <= at + self.panel, self.hi, np.maximum(start, at + self.panel))
            start = np.where(start >= self.hi, np.iinfo(np.int64).max, start)
        return np.concatenate(taken)

    def cells(self, reached: Counts) -> Counts:
        """Return the number of cells of each strip up to group ``reached``, without padding."""
        rows, columns = np.array(self.sizes, np.int64)[self.part].T
        base = self.base[self.part] * GPU_GROUP_COLUMNS
        height = np.minimum(rows - self.top, self.height)
        return np.asarray(
            height * (np.minimum(reached * GPU_GROUP_COLUMNS - base, columns) - (self.lo * GPU_GROUP_COLUMNS - base))
        )


Pairs = list[tuple[Letters, Letters]]
CardPairs = list[tuple[Any, Any]]
Packing = Generator[Event, None, tuple[Any, Any]]


class RowLayout(Protocol):
    """Layout of rows in the lanes of a strip.

    Attributes:
        n_shared: codes below this are common to both sequences.
        padded: rows past the last one match nothing.
        words: of a lane. span: steps from input to output of a strip. flight: words of a lane, besides its rows, passed
            between launches. unit: strips start at multiples of this many groups.
        macros: of the kernel. table_rows: of a strip. shared: bytes of shared memory per warp.
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

    def pack(self, card: Card, layout: StripLayout, pairs: Pairs, on_card: CardPairs, step: Step) -> Packing:
        """Pack codes (also ``on_card``) as the kernel's tables and columns."""

    def in_rows(self, card: Card, v: Any) -> Any:
        """Return the rows after the last column, uint32, shape (strips, signs, lanes * words), in row order."""

    def kept_in_rows(
        self, card: Card, kept_v: Any, matrix: Any, panel: int, first: int, starts: Any, n_tiles: int
    ) -> Any:
        """Return the rows before some tiles, uint32, shape (strips, tiles, words), by sign, in row order.

        Args:
            matrix: kernel struct. panel: of its layout.
            first: first strip. starts: int32 on the card, the first of ``n_tiles`` tiles of each strip.
        """
