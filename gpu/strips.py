"""Drive ``cuda/strips.cu``: fill the card's memory, launch slice after slice, read what comes out."""

from __future__ import annotations

from collections.abc import Generator
from enum import IntEnum
from time import perf_counter
from typing import Any

import numpy as np

from core.arrays import Board, Counts, Letters
from core.events import Compiled, Event, StepDone
from core.grid import BlockGrid, BlockState
from gpu.card import Card
from gpu.layout import COLUMNS, LANES, PANEL, Layout, Tiles
from gpu.split import Split, split_codes

WARPS = 4  # of a block of threads: one for each scheduler of a multiprocessor
SLICE = 0.04  # seconds of one launch: stop, progress and the display all wait for its end
BATCH = 4  # steps that are worth a look into the mailbox
Signs = IntEnum("Signs", {"LCS": 1, "EDIT": 2})
MOST_WORDS = {Signs.LCS: 32, Signs.EDIT: 16}  # longer code than an instruction cache holds is slower
MOST_REUSES = 0xFFF0  # of a mailbox: their number is in each packet
MAX_BOARD = 1024  # rows and columns of blocks that are told of

_POINTERS = ("tables", "columns", "tickets", "mail", "v", "link", "done", "step", "begun", "counter")
_KEPT = ("kept_v", "kept_h", "lo")
_NUMBERS = ("kept_width", "n_tickets", "table_rows", "ring", "mail_groups", "batch", "keep_groups", "keep_lanes")
STRUCT = np.dtype(
    [(name, np.uint64) for name in _POINTERS + _KEPT]
    + [("kept_v_stride", np.int64), ("kept_h_stride", np.int64)]
    + [(name, np.int32) for name in _NUMBERS]
    + [("slice", np.uint64)],
    align=True,
)


def choose_words(n: int, signs: Signs, table_rows: int, card: Card) -> int:
    """Return the words of a lane for ``n`` rows in all: as few as leave one warp to a scheduler, if they have room."""
    words = 1 if signs is Signs.EDIT else 2  # one costs the LCS as many cycles as two
    while words < MOST_WORDS[signs] and n > words * LANES * 32 * card.processors * WARPS:
        words *= 2
    while words > 1 and WARPS * table_rows * words * LANES * 4 > card.shared_bytes:
        words //= 2
    return words


class StripMatrix:
    """Matrices that do not depend on each other, or a band of one, on the card.

    Args:
        pairs: dense codes of rows and of columns, uint8, none empty.
        n_shared: codes below this occur in both.
        signs: which method.
        band: (low, high): diagonals ``column - row`` that must be inside; None for all.
        tiles: what to keep; None for nothing.
        words: of a lane, 0 = chosen. warps: that may run at once, 0 = what the card holds.
        panel, slice_seconds: as the constants; tests make them small.
    """

    def __init__(
        self,
        card: Card,
        pairs: list[tuple[Letters, Letters]],
        n_shared: int,
        signs: Signs,
        *,
        band: tuple[int, int] | None = None,
        tiles: Tiles | None = None,
        words: int = 0,
        warps: int = 0,
        panel: int = PANEL,
        slice_seconds: float = SLICE,
    ) -> None:
        self.card, self.pairs, self.signs, self.tiles = card, pairs, signs, tiles
        self.split: Split = split_codes(n_shared)
        n = sum(int(a.size) for a, _ in pairs)
        self.words = words or choose_words(n, signs, self.split.n_rows, card)
        sizes = tuple((int(a.size), int(b.size)) for a, b in pairs)
        self.layout = Layout(sizes, self.words, band, tiles.groups if tiles else 1, panel)
        self._most_warps, self._slice = warps, slice_seconds
        self._reached = self.layout.lo
        self._groups = int(self.layout.hi.max())
        self.board: Board = np.zeros(
            (min(self.layout.n_strips, MAX_BOARD), max(1, min(self._groups // LANES, MAX_BOARD))), np.uint8
        )

    @property
    def grid(self) -> BlockGrid:
        """The blocks that are shown, of a single matrix."""
        (n, m), (rows, cols) = self.layout.sizes[0], self.board.shape
        return BlockGrid(
            n, m, -(-self.layout.n_strips // rows) * self.layout.height, -(-self._groups // cols) * COLUMNS
        )

    @property
    def n_cells(self) -> int:
        """Cells inside the strips' ranges."""
        return int(self.layout.cells(self.layout.hi).sum())

    def compute(self, job_id: int) -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` at least every ``SLICE``."""
        yield from self._upload(job_id)
        card, layout = self.card, self.layout
        macros = {
            "METHOD": int(self.signs),
            "WORDS": self.words,
            "COLUMNS": COLUMNS,
            "TABLES": self.split.tables,
            "KEEP": int(self.tiles is not None),
            "FLAG": int(self.words > 1),
            "WARPS": WARPS,
        }
        kernel = card.kernel("strips.cu", "strips", **macros)
        if kernel.seconds:
            yield Compiled(job_id, "blocks", kernel.seconds)
        shared = WARPS * self.split.n_rows * self.words * LANES * 4
        most = min(layout.at_work, self._most_warps or layout.n_strips)
        blocks = max(1, min(card.resident(kernel, WARPS * LANES, shared), -(-most // WARPS)))
        self._allocate(blocks * WARPS)
        done, cells = layout.lo, 0
        while (done < layout.hi).any():
            finished = done[layout.tickets["strip"]] >= layout.tickets["last"]
            self._counter[:] = int(np.argmin(finished))
            self._begun[:] = -1
            seconds = card.launch(kernel, blocks, WARPS * LANES, shared, self._struct)
            done = card.download(self._done).astype(np.int64)
            steps = card.download(self._step)
            reached = np.minimum(done + np.maximum(steps - LANES, 0), layout.hi)
            self._reached = reached
            now = int(layout.cells(reached).sum())
            self._mark(reached)
            yield StepDone(job_id, "blocks", 1, now - cells, seconds)
            cells = now

    def _upload(self, job_id: int) -> Generator[Event, None, None]:
        """Bring the codes to the card and turn them into match words and offsets."""
        card, split, layout = self.card, self.split, self.layout
        per_strip = self.words * LANES
        self._tables = card.zeros(layout.n_strips * per_strip * split.n_rows, np.uint32)
        self._columns = card.zeros(int(layout.base[-1]) * COLUMNS * split.tables, np.uint16)
        rows, columns = (card.kernel("pack.cu", name) for name in ("pack_rows", "pack_columns"))
        if rows.seconds or columns.seconds:
            yield Compiled(job_id, "pack", rows.seconds + columns.seconds)
        low, high = card.upload(split.low), card.upload(split.high)
        for part, (a, b) in enumerate(self.pairs):
            start = perf_counter()
            on_card = card.upload(a), card.upload(b)
            yield StepDone(job_id, "upload", 1, 0, perf_counter() - start)
            first, last = (int(x) * per_strip for x in layout.first_strip[part : part + 2])
            seconds = card.launch(
                rows, -(-(last - first) // 128), 128, 0,
                on_card[0], np.int64(a.size), low, high, np.int32(split.n_rows), np.int32(self.words),
                np.int64(last - first), self._tables[first * split.n_rows :],
            )  # fmt: skip
            first, last = (int(x) * COLUMNS for x in layout.base[part : part + 2])
            seconds += card.launch(
                columns, -(-(last - first) // 128), 128, 0,
                on_card[1], np.int64(b.size), low, high, np.int32(split.null_row), np.int32(split.tables == 2),
                np.int32(self.words * LANES * 4 // 16), np.int64(last - first), self._columns[first * split.tables :],
            )  # fmt: skip
            yield StepDone(job_id, "pack", 2, 0, seconds)

    def _allocate(self, warps: int) -> None:
        card, tiles, layout = self.card, self.tiles, self.layout
        tickets, n, width = layout.tickets, layout.n_strips, layout.width
        ring = max(min(warps + 2, tickets.size + 1), tickets.size // MOST_REUSES + 1)
        mail_groups = int((tickets["last"] - tickets["first"]).max())
        kept_columns = -(-width // tiles.groups) if tiles else 0
        kept_lanes = LANES // tiles.lanes if tiles else 0
        self.v = card.zeros((n, self.signs, LANES * self.words), np.uint32)
        self.kept_v = card.zeros((n, kept_columns, self.signs, LANES * self.words), np.uint32)
        self.kept_h = card.zeros((n, kept_lanes, self.signs, width if tiles else 0), np.uint8)
        self._done = card.upload(layout.lo.astype(np.int32))
        self._step = card.zeros(n, np.int32)
        self._begun = card.zeros(tickets.size, np.int32)
        self._counter = card.zeros(1, np.int32)
        mail, link = card.zeros(ring * mail_groups, np.uint32), card.zeros(n * LANES, np.uint32)
        lo, taken = card.upload(layout.lo.astype(np.int32)), card.upload(tickets.view(np.int32))
        self._hold = mail, link, lo, taken
        state = mail, self.v, link, self._done, self._step, self._begun, self._counter
        arrays = (self._tables, self._columns, taken, *state, self.kept_v, self.kept_h, lo)
        struct: Any = np.zeros((), STRUCT)
        for name, array in zip(_POINTERS + _KEPT, arrays, strict=True):
            struct[name] = card.address(array)
        struct["kept_v_stride"] = kept_columns * self.signs * LANES * self.words
        struct["kept_h_stride"] = kept_lanes * self.signs * width
        keep = (tiles.groups, tiles.lanes) if tiles else (1, 1)
        numbers = (width, tickets.size, self.split.n_rows, ring, mail_groups, BATCH, *keep)
        for name, number in zip(_NUMBERS, numbers, strict=True):
            struct[name] = number
        struct["slice"] = int(self._slice * card.cycles_per_second)
        self._struct = struct[()]

    def _mark(self, reached: Counts) -> None:
        layout, (rows, cols) = self.layout, self.board.shape
        starts = np.arange(0, layout.n_strips, -(-layout.n_strips // rows))
        per_col = -(-self._groups // cols)
        edge = np.arange(1, cols + 1) * per_col
        first = np.minimum.reduceat(layout.lo, starts)[:, None]
        last = np.maximum.reduceat(layout.hi, starts)[:, None]
        at = np.minimum.reduceat(reached, starts)[:, None]
        shown = self.board[: starts.size]
        shown[np.minimum(edge, last) <= at] = BlockState.DONE
        shown[(edge <= first) | (edge - per_col >= last)] = BlockState.OUTSIDE_BAND

    def ones(self, part: int, sign: int) -> int:
        """Return how many rows have the bit of ``sign`` set after their last column, once every block is done."""
        total, n = self.card.zeros(1, np.uint64), self.layout.sizes[part][0]
        first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
        kernel = self.card.kernel("pack.cu", "count_rows")
        self.card.launch(
            kernel, min(1024, -(-n // 4096)), 128, 0,
            self.v[first:last], np.int64(n), np.int32(self.words), np.int32(self.signs), np.int32(sign),
            np.int64((last - first) * self.words * LANES), total,
        )  # fmt: skip
        return int(self.card.download(total)[0])

    def profile(self, part: int) -> Counts:
        """Return what the first i rows of a rectangle cost with all its columns, int64, shape (rows + 1,).

        That is the length of their LCS, or their edit distance.
        """
        n, m = self.layout.sizes[part]
        first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
        rows = self.card.download(self.v[first:last])
        bits = [np.unpackbits(rows[:, k].reshape(-1).view(np.uint8), bitorder="little")[:n] for k in range(self.signs)]
        out = np.empty(n + 1, np.int64)
        out[0] = 0 if self.signs is Signs.LCS else m
        steps = 1 - bits[0] if self.signs is Signs.LCS else bits[0].astype(np.int8) - bits[1].astype(np.int8)
        np.cumsum(steps, out=out[1:])
        out[1:] += out[0]
        return out

    def shares(self) -> list[tuple[float, float]]:
        """Return for each rectangle how far down it has been begun, and how far to the right there on average."""
        out = []
        for part in range(len(self.pairs)):
            first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
            lo, hi, reached = (x[first:last] for x in (self.layout.lo, self.layout.hi, self._reached))
            begun = reached > lo
            across = float(((reached - lo) / (hi - lo))[begun].mean()) if begun.any() else 0.0
            out.append((float(begun.mean()), across))
        return out

    def length(self, part: int = 0) -> int:
        """Return the length of the LCS (inside the band): the rows where it grows."""
        return self.layout.sizes[part][0] - self.ones(part, 0)

    def distance(self, part: int = 0) -> int:
        """Return the edit distance (inside the band): along the top, then down the right edge."""
        return self.layout.sizes[part][1] + self.ones(part, 0) - self.ones(part, 1)
