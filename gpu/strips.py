"""Drive ``cuda/strips.cu``: lay strips and tickets over a matrix, launch slice after slice, read what comes out."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from math import isqrt
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Board, Letters
from core.events import Compiled, Event, StepDone
from core.grid import BlockGrid, BlockState
from gpu.card import Card

COLUMNS = 8  # of a group: a byte of carries
LANES = 32
WARPS = 4  # of a block of threads: one for each scheduler of a multiprocessor
SLICE = 0.04  # seconds of one launch: stop, progress and the display all wait for its end
PANEL = 1 << 17  # groups of a ticket; bounds the mailboxes
ONE_TABLE = 8  # rows of match words up to which a code has one of its own
MAX_BOARD = 1024
Signs = IntEnum("Signs", {"LCS": 1, "EDIT": 2})

_POINTERS = ("tables", "columns", "tickets", "mail", "v", "link", "done", "step", "begun", "counter", "kept_v", "kept_h", "lo")
_STRUCT = np.dtype(
    [(name, np.uint64) for name in _POINTERS]
    + [("kept_v_stride", np.int64), ("kept_h_stride", np.int64)]
    + [
        (name, np.int32)
        for name in ("kept_width", "n_tickets", "n_columns", "table_rows", "ring", "mail_groups")
        + ("batch", "keep_groups", "keep_lanes")
    ]
    + [("slice", np.uint64)],
    align=True,
)
_TICKET = np.dtype([("strip", np.int32), ("first", np.int32), ("last", np.int32), ("above", np.int32)])


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """How codes become rows of match words: of one table, or of two whose AND is the match.

    Attributes:
        low, high: uint8, shape (256,): table rows of each code; NO_ROW for letters that the other sequence lacks.
        null_row: the row of zeros.
        n_rows: rows of a strip's table.
        tables: 1 or 2.
    """

    low: Letters
    high: Letters
    null_row: int
    n_rows: int
    tables: int


NO_ROW = 0xFF


def split_codes(n_shared: int) -> Split:
    """Return the tables for ``n_shared`` codes that occur in both sequences; the others match nothing."""
    low, high = np.full(256, NO_ROW, np.uint8), np.full(256, NO_ROW, np.uint8)
    codes = np.arange(n_shared)
    if n_shared < ONE_TABLE:
        low[:n_shared] = codes
        return Split(low, high, n_shared, n_shared + 1, 1)
    width = isqrt(n_shared - 1) + 1
    low[:n_shared] = codes % width
    high[:n_shared] = width + 1 + codes // width
    return Split(low, high, width, width + 1 + -(-n_shared // width), 2)


def choose_words(n: int, table_rows: int, card: Card) -> int:
    """Return the words of a lane: as many as leave every scheduler two warps, and as the tables leave room for."""
    words = 1
    while words < 16 and n >= 2 * words * LANES * 32 * card.processors * 6:
        words *= 2
    while words > 1 and WARPS * table_rows * words * LANES * 4 > card.shared_bytes:
        words //= 2
    return words


@dataclass(frozen=True, slots=True)
class Tiles:
    """What is kept for the walk back: rows before every so many groups, carries after every so many lanes."""

    groups: int
    lanes: int


class StripMatrix:
    """One matrix, or one band of it, on the card.

    Args:
        a, b: dense codes, uint8, neither empty: rows and columns.
        n_shared: codes below this occur in both.
        signs: which method.
        band: (low, high): diagonals ``column - row`` that must be inside; None for all.
        tiles: what to keep; None for nothing.
        words: of a lane, 0 = chosen.
        warps: that may run at once, 0 = what the card holds.
    """

    def __init__(
        self,
        card: Card,
        a: Letters,
        b: Letters,
        n_shared: int,
        signs: Signs,
        *,
        band: tuple[int, int] | None = None,
        tiles: Tiles | None = None,
        words: int = 0,
        warps: int = 0,
        panel: int = PANEL,
        slice_seconds: float = SLICE, batch: int = 4, flag: int = -1, per: int = 0,
    ) -> None:
        self.card, self.a, self.b, self.signs, self.band, self.tiles = card, a, b, signs, band, tiles
        self.split = split_codes(n_shared)
        self.words = words or choose_words(int(a.size), self.split.n_rows, card)
        self.height = self.words * LANES * 32
        self.n_strips = -(-int(a.size) // self.height)
        self.groups = -(-int(b.size) // COLUMNS)
        self.lo, self.hi = self._ranges()
        self.tickets = self._tickets(panel)
        self._wanted_warps, self._slice, self._batch = warps, slice_seconds, batch
        self.flag = int(self.words > 2) if flag < 0 else flag
        self.per = per
        self.board: Board = np.zeros(self._grid_shape(), np.uint8)

    def _ranges(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        if self.band is None:
            return np.zeros(self.n_strips, np.int64), np.full(self.n_strips, self.groups, np.int64)
        low, high = self.band
        unit = self.tiles.groups if self.tiles else 1
        top = np.arange(self.n_strips, dtype=np.int64) * self.height
        bottom = np.minimum(top + self.height, self.a.size)
        lo = np.clip((top + low) // (COLUMNS * unit) * unit, 0, (self.groups - 1) // unit * unit)
        hi = np.clip((bottom + high) // COLUMNS + 1, lo + 1, self.groups)
        hi[-1] = self.groups
        return lo, hi

    def _tickets(self, panel: int) -> npt.NDArray[Any]:
        parts = []
        for start in range(0, self.groups, panel):
            first, last = np.maximum(self.lo, start), np.minimum(self.hi, start + panel)
            strip = np.flatnonzero(first < last)
            part = np.zeros(strip.size, _TICKET)
            part["strip"], part["first"], part["last"] = strip, first[strip], last[strip]
            follows = np.zeros(strip.size, bool)
            follows[1:] = strip[1:] == strip[:-1] + 1
            above = np.where(follows, np.roll(part["last"], 1), 0)
            part["above"] = np.clip(above, part["first"], part["last"])
            parts.append(part)
        return np.concatenate(parts)

    def _grid_shape(self) -> tuple[int, int]:
        rows = min(self.n_strips, MAX_BOARD)
        return rows, max(1, min(self.groups // LANES, MAX_BOARD))

    @property
    def grid(self) -> BlockGrid:
        """The blocks that are shown."""
        rows, cols = self.board.shape
        return BlockGrid(
            int(self.a.size),
            int(self.b.size),
            -(-self.n_strips // rows) * self.height,
            -(-self.groups // cols) * COLUMNS,
        )

    @property
    def n_cells(self) -> int:
        """Cells inside the strips' ranges, those past the last row or column not counted."""
        return int(self._cells(self.hi - self.lo).sum())

    def _cells(self, groups: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        rows = np.minimum(self.a.size - np.arange(self.n_strips) * self.height, self.height)
        columns = np.minimum((self.lo + groups) * COLUMNS, self.b.size) - self.lo * COLUMNS
        cells: npt.NDArray[np.int64] = rows * columns
        return cells

    def compute(self, job_id: int) -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` at least every ``SLICE``."""
        yield from self._upload(job_id)
        card, split = self.card, self.split
        macros = {
            "METHOD": int(self.signs),
            "WORDS": self.words,
            "COLUMNS": COLUMNS,
            "TABLES": split.tables,
            "KEEP": int(self.tiles is not None),
            "FLAG": self.flag,
            "WARPS": WARPS,
        }
        kernel = card.kernel("strips.cu", "strips", **macros)
        if kernel.seconds:
            yield Compiled(job_id, "blocks", kernel.seconds)
        shared = WARPS * split.n_rows * self.words * LANES * 4
        if self.per: shared = max(shared, (233472 // self.per - 1024) // 128 * 128)
        most = min(self.n_strips, self.tickets.size, self._wanted_warps or self.n_strips)
        blocks = max(1, min(card.resident(kernel, WARPS * LANES, shared), -(-most // WARPS)))
        self._allocate(blocks * WARPS)
        done = np.zeros(self.n_strips, np.int64)
        cells = 0
        while (done < self.hi).any():
            finished = done[self.tickets["strip"]] >= self.tickets["last"]
            self._counter[:] = int(np.argmin(finished))
            self._begun[:] = -1
            seconds = card.launch(kernel, blocks, WARPS * LANES, shared, self._struct)
            done = np.maximum(card.download(self._done).astype(np.int64), self.lo)
            steps = card.download(self._step)
            reached = np.minimum(done + np.maximum(steps - LANES, 0), self.hi)
            now = int(self._cells(reached - self.lo).sum())
            self._mark(reached)
            yield StepDone(job_id, "blocks", 1, now - cells, seconds)
            cells = now

    def _upload(self, job_id: int) -> Generator[Event, None, None]:
        card, split = self.card, self.split
        start = perf_counter()
        a, b, low, high = (card.upload(x) for x in (self.a, self.b, split.low, split.high))
        yield StepDone(job_id, "upload", 1, 0, perf_counter() - start)
        n_words = self.n_strips * self.words * LANES
        self._tables = card.zeros(n_words * split.n_rows, np.uint32)
        n_columns = (self.groups + 2) * COLUMNS
        self._columns = card.zeros(n_columns * split.tables, np.uint16)
        rows, columns = (card.kernel("pack.cu", name) for name in ("pack_rows", "pack_columns"))
        if rows.seconds or columns.seconds:
            yield Compiled(job_id, "pack", rows.seconds + columns.seconds)
        seconds = card.launch(
            rows, -(-n_words // 128), 128, 0,
            a, np.int64(self.a.size), low, high, np.int32(split.n_rows), np.int32(self.words), np.int64(n_words),
            self._tables,
        )  # fmt: skip
        seconds += card.launch(
            columns, -(-n_columns // 128), 128, 0,
            b, np.int64(self.b.size), low, high, np.int32(split.null_row), np.int32(split.tables == 2),
            np.int32(self.words * LANES * 4 // 16), np.int64(n_columns), self._columns,
        )  # fmt: skip
        yield StepDone(job_id, "pack", 2, 0, seconds)

    def _allocate(self, warps: int) -> None:
        card, tiles = self.card, self.tiles
        width = int((self.hi - self.lo).max())
        ring = min(warps + 2, self.tickets.size + 1)
        mail_groups = int((self.tickets["last"] - self.tickets["first"]).max())
        state = self.n_strips * self.words * LANES
        self._mail = card.zeros(ring * mail_groups, np.uint32)
        self._v = card.zeros(self.signs * state, np.uint32)
        self._link = card.zeros(self.n_strips * LANES, np.uint32)
        self._done = card.upload(self.lo.astype(np.int32))
        self._step = card.zeros(self.n_strips, np.int32)
        self._begun = card.zeros(self.tickets.size, np.int32)
        self._counter = card.zeros(1, np.int32)
        self._lo = card.upload(self.lo.astype(np.int32))
        self._ticket_list = card.upload(self.tickets)
        kept_columns = -(-width // tiles.groups) if tiles else 0
        kept_lanes = LANES // tiles.lanes if tiles else 0
        self.kept_v = card.zeros((self.n_strips, kept_columns, self.signs, LANES * self.words), np.uint32)
        self.kept_h = card.zeros((self.n_strips, kept_lanes, self.signs, width if tiles else 0), np.uint8)
        struct = np.zeros((), _STRUCT)
        arrays = {
            "tables": self._tables,
            "columns": self._columns,
            "tickets": self._ticket_list,
            "mail": self._mail,
            "v": self._v,
            "link": self._link,
            "done": self._done,
            "step": self._step,
            "begun": self._begun,
            "counter": self._counter,
            "kept_v": self.kept_v,
            "kept_h": self.kept_h,
            "lo": self._lo,
        }
        for name, array in arrays.items():
            struct[name] = card.address(array)
        struct["kept_v_stride"] = kept_columns * self.signs * LANES * self.words
        struct["kept_h_stride"] = kept_lanes * self.signs * width
        struct["kept_width"] = width
        struct["n_tickets"], struct["n_columns"] = self.tickets.size, self.b.size
        struct["table_rows"], struct["ring"], struct["mail_groups"] = self.split.n_rows, ring, mail_groups
        struct["keep_groups"], struct["keep_lanes"] = (tiles.groups, tiles.lanes) if tiles else (1, 1)
        struct["batch"] = self._batch
        struct["slice"] = int(self._slice * card.cycles_per_second)
        self._struct = struct[()]

    def _mark(self, reached: npt.NDArray[np.int64]) -> None:
        rows, cols = self.board.shape
        starts = np.arange(0, self.n_strips, -(-self.n_strips // rows))
        per_col = -(-self.groups // cols)
        edge = np.arange(1, cols + 1) * per_col
        first = np.minimum.reduceat(self.lo, starts)[:, None]
        last = np.maximum.reduceat(self.hi, starts)[:, None]
        at = np.minimum.reduceat(reached, starts)[:, None]
        shown = self.board[: starts.size]
        shown[np.minimum(edge, last) <= at] = BlockState.DONE
        shown[(edge <= first) | (edge - per_col >= last)] = BlockState.OUTSIDE_BAND

    def ones(self, sign: int) -> int:
        """Return how many rows have the bit of ``sign`` set after their last column, once every block is done."""
        total = self.card.zeros(1, np.uint64)
        kernel = self.card.kernel("pack.cu", "count_rows")
        self.card.launch(
            kernel, min(1024, -(-self.a.size // 4096)), 128, 0,
            self._v, np.int64(self.a.size), np.int32(self.words), np.int32(self.signs), np.int32(sign),
            np.int64(self.n_strips * self.words * LANES), total,
        )  # fmt: skip
        return int(self.card.download(total)[0])

    def length(self) -> int:
        """Return the length of the LCS (inside the band): the rows where it grows."""
        return int(self.a.size) - self.ones(0)

    def distance(self) -> int:
        """Return the edit distance (inside the band): along the top, then down the right edge."""
        return int(self.b.size) + self.ones(0) - self.ones(1)
