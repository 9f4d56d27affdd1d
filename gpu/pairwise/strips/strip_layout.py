"""Strips and tickets of one or more rectangles for ``cuda/strips.cu``. Arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts

GPU_GROUP_COLUMNS = 8  # of a group: its carries are a byte
LANES = 32
WARPS_PER_BLOCK = 4  # of a block of threads: one for each scheduler of a multiprocessor
PADDING_GROUPS = 2  # groups that a warp reads ahead
PANEL_GROUPS = 1 << 17  # groups of a ticket; bounds the mailboxes
TICKET = np.dtype([(name, np.int32) for name in ("strip", "first", "last", "above", "columns")])
DeltaBits = IntEnum("DeltaBits", {"LCS": 1, "EDIT": 2})  # and how many words a word of rows takes


@dataclass(frozen=True, slots=True)
class TileSpacing:
    """Spacing of stored data for a traceback: rows every few groups, carries every few lanes.

    Both are powers of two: the kernels ask at every step whether it is one that is kept.
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

    Groups of all rectangles are counted through; each has ``PADDING_GROUPS`` of its own behind it.

    Args:
        sizes: (rows, columns) of each rectangle, none 0.
        words: 32-bit words of rows that a lane has.
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
        unit: strips begin at a multiple of so many groups.
        panel: most groups of a ticket.
        entered: whether something comes to the first strip from above, from another card.

    Attributes:
        part: rectangle of each strip. top: its first row there.
        lo, hi: its groups. base: first group of each rectangle. first_strip: first strip of each, and their number.
        tickets: in the order in which they are taken; ``TICKET``.
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
        """Groups of the widest strip."""
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
        """Return the cells of each strip up to group ``reached``, without padding."""
        rows, columns = np.array(self.sizes, np.int64)[self.part].T
        base = self.base[self.part] * GPU_GROUP_COLUMNS
        height = np.minimum(rows - self.top, self.height)
        return np.asarray(
            height * (np.minimum(reached * GPU_GROUP_COLUMNS - base, columns) - (self.lo * GPU_GROUP_COLUMNS - base))
        )
