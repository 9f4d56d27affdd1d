"""LCS by the kernel of Kawanami and Fujimoto (``cuda/kawanami.cu``), for comparison.

Blocks of 1024 x 1024 cells, one launch per anti-diagonal of blocks: ceil(n / 1024) + ceil(m / 1024) - 1 launches.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap, Counts, Letters
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import MAX_BOARD, BlockGrid, BlockState
from wavediff.core.jobs.run_record import Span
from wavediff.gpu.card.cuda import Card, CudaKernel, Launch
from wavediff.gpu.card.place_times import (
    LAUNCHES,
    PLACE_BYTES,
    PlaceTimes,
    card_record,
    launch_name,
    multiprocessor_lanes,
)
from wavediff.gpu.pairwise.strips.reference_steps import Rows, fresh, replay
from wavediff.gpu.pairwise.strips.spot_check import TimeBudget, differs, integers
from wavediff.gpu.pairwise.strips.strip_layout import LANES, DeltaBits

UNIT = "kawanami.cu"
BLOCK = 32 * LANES  # rows and columns
EVENT_SECONDS = 0.03  # seconds of launches between two events
# Blocks of one launch: long anti-diagonals are split, to stay under 50 ms on a slow card.
BLOCKS_PER_PROCESSOR = 1024


class Strings:
    """Both sequences on the card, uploaded once (Kawanami and Fujimoto, section 3.5).

    Args:
        a, b: dense codes, uint8: rows and columns.
        n_codes: upper bound (exclusive) of the codes.
    """

    def __init__(self, card: Card, a: Letters, b: Letters, n_codes: int) -> None:
        self.card, self.a, self.b, self.n_codes = card, a, b, n_codes
        self.on_card: tuple[Any, Any] | None = None

    def upload(self, step: Step) -> Generator[Event, None, tuple[Any, Any]]:
        if self.on_card is None:
            start = perf_counter()
            self.on_card = self.card.upload(self.a), self.card.upload(self.b)
            yield step.done("upload", start)
        return self.on_card


LetterRange = tuple[np.int64, np.int32, np.int64]  # position of the first letter, 1 or -1, letters


class KawanamiMatrix:
    """The matrix of two non-empty ranges of ``strings``.

    Args:
        rows, cols: (start, end) in A and in B; None for all.
        backwards: read both from their ends (the paper's ``llcs'``).
        event_seconds: launch time between two events.
    """

    def __init__(
        self,
        strings: Strings,
        rows: tuple[int, int] | None = None,
        cols: tuple[int, int] | None = None,
        *,
        backwards: bool = False,
        event_seconds: float = EVENT_SECONDS,
    ) -> None:
        self.card, self.strings = strings.card, strings
        a0, a1 = rows or (0, int(strings.a.size))
        b0, b1 = cols or (0, int(strings.b.size))
        self._rows, self._columns = _stretch(a0, a1, backwards), _stretch(b0, b1, backwards)
        self.grid = BlockGrid(a1 - a0, b1 - b0, BLOCK, BLOCK)
        self._event_seconds = event_seconds
        n_rows, n_cols = self.grid.shape
        self._last_row, self._last_col = _last_blocks(n_rows), _last_blocks(n_cols)
        self.block_map: BlockMap = np.zeros((self._last_row.size, self._last_col.size), np.uint8)
        self._marked = np.zeros(self._last_row.size, np.int64)
        self.record = card_record(self.block_map.shape, multiprocessor_lanes(self.card.processors))
        self.v: Any = None
        self.carries: Any = None

    @property
    def n_cells(self) -> int:
        return self.grid.n_cells

    @property
    def bytes_needed(self) -> int:
        """Memory on the card in bytes, including both sequences."""
        rows, cols = self.grid.shape
        vectors = (self.strings.n_codes + 1) * rows + cols
        places = (self.block_map.size + self.grid.n_diagonals) * PLACE_BYTES
        return vectors * LANES * 4 + int(self.strings.a.size) + int(self.strings.b.size) + places

    def compute(self, step: Step) -> Generator[Event, None, None]:
        """Compute every block, one launch per anti-diagonal; yields a ``StepDone`` about every ``event_seconds``.

        Raises:
            NotEnoughMemory: the card has less memory than ``bytes_needed``.
        """
        card = self.card
        spare = card.free() + (0 if self.strings.on_card is None else self.strings.a.size + self.strings.b.size)
        if self.bytes_needed > spare:
            raise NotEnoughMemory(
                f"the kernel of Kawanami 2011 needs {self.bytes_needed / 1e9:,.2f} GB on {card.name}, "
                f"{spare / 1e9:,.2f} GB are free; the default kernel needs less, and the CPU is there"
            )
        a, b = yield from self.strings.upload(step)
        match = yield from self._match(step, a)
        kernel = card.kernel(UNIT, "step_blocks")
        if kernel.seconds:
            yield step.compiled("blocks", kernel.seconds)
        n_rows, n_cols = self.grid.shape
        self.v = card.zeros(n_rows * LANES, np.uint32)
        self.carries = card.zeros(n_cols * LANES, np.uint32)
        first, stride, n_columns = self._columns
        each_row, each_col = (-(-side // MAX_BOARD) for side in self.grid.shape)
        places = PlaceTimes(card, (self._last_row.size, self._last_col.size), each_row, each_col, self.n_cells)
        calls = PlaceTimes(card, (1, self.grid.n_diagonals), 1, 1, self.n_cells)
        shared = (
            *(b, first, stride, n_columns, match, np.int64(n_rows * LANES), self.v, self.carries),
            *(places.struct, calls.struct),
        )
        with places.kept_in(self.record):
            yield from self._calls(step, kernel, shared, calls)

    def _calls(
        self, step: Step, kernel: CudaKernel, shared: tuple[Any, ...], calls: PlaceTimes
    ) -> Generator[Event, None, None]:
        """Launch all anti-diagonals; ``shared``: common arguments."""
        done, together = 0, 1
        sampler = BlockSampler(self)
        while done < self.grid.n_diagonals:
            end = done + 1 if sampler.begin(done) else min(done + together, self.grid.n_diagonals)
            launches = [launch for d in range(done, end) for launch in self._launches(d, shared)]
            self._mark(end, BlockState.RUNNING)
            seconds = self.card.launch_each(kernel, LANES, 0, launches)
            self._mark(end, BlockState.DONE)
            cells = [self._cells(d) for d in range(done, end)]
            times = zip(range(done, end), *calls.row_seconds(done, end), cells, strict=True)
            spans = tuple(Span(launch_name(d + 1), LAUNCHES, began, ended, 1, n) for d, began, ended, n in times)
            yield step.took("blocks", seconds, len(launches), sum(cells), spans)
            each = seconds / (end - done)
            done, together = end, min(2 * together, max(1, int(self._event_seconds / max(each, 1e-9))))
            yield from sampler.end(step, seconds)

    def _match(self, step: Step, a: Any) -> Generator[Event, None, Any]:
        n_words, n_codes = self.grid.shape[0] * LANES, self.strings.n_codes
        kernel = self.card.kernel(UNIT, "match_vectors")
        if kernel.seconds:
            yield step.compiled("pack", kernel.seconds)
        match = self.card.zeros(n_codes * n_words, np.uint32)
        first, stride, n_rows = self._rows
        seconds = self.card.launch(
            kernel, -(-n_words // 128), 128, 0, a, first, stride, n_rows, np.int32(n_codes), np.int64(n_words), match
        )
        yield step.took("pack", seconds)
        return match

    def span(self, diagonal: int) -> tuple[int, int]:
        """Return the block row range of an anti-diagonal."""
        n_rows, n_cols = self.grid.shape
        return max(0, diagonal - n_cols + 1), min(n_rows, diagonal + 1)

    def _launches(self, diagonal: int, shared: tuple[Any, ...]) -> list[Launch]:
        first, last = self.span(diagonal)
        most = BLOCKS_PER_PROCESSOR * self.card.processors
        return [
            (min(most, last - top), (*shared, np.int64(diagonal), np.int64(top))) for top in range(first, last, most)
        ]

    def _cells(self, diagonal: int) -> int:
        first, last = self.span(diagonal)
        rows = np.arange(first, last, dtype=np.int64)
        cols = diagonal - rows
        heights = np.minimum(self.grid.n_rows - rows * BLOCK, BLOCK)
        widths = np.minimum(self.grid.n_cols - cols * BLOCK, BLOCK)
        return int(heights @ widths)

    def block(self, row: int, column: int) -> tuple[Letters, Letters]:
        """Return the codes of a block's rows and columns, in reading direction."""
        out = []
        for (first, step, n), codes, at in (
            (self._rows, self.strings.a, row * BLOCK),
            (self._columns, self.strings.b, column * BLOCK),
        ):
            places = int(first) + int(step) * np.arange(at, min(at + BLOCK, int(n)))
            out.append(codes[places])
        return out[0], out[1]

    def _mark(self, diagonals: int, state: BlockState) -> None:
        """Mark the blocks completed by the first ``diagonals`` anti-diagonals."""
        until = np.searchsorted(self._last_col, diagonals - self._last_row)
        new = until - self._marked
        rows = np.repeat(np.arange(new.size), new)
        cols = np.arange(rows.size) - np.repeat(np.cumsum(new) - until, new)
        self.block_map[rows, cols] = state
        if state is BlockState.DONE:
            self._marked = until

    def profile(self) -> Counts:
        """Return the LCS length of each row prefix with all columns, int64, shape (rows + 1,)."""
        words = ~self.card.download(self.v)
        grows = np.unpackbits(words.view(np.uint8), count=self.grid.n_rows, bitorder="little")
        out = np.zeros(self.grid.n_rows + 1, np.int64)
        np.cumsum(grows, dtype=np.int64, out=out[1:])
        return out

    def length(self) -> int:
        words = self.card.download(self.v)
        return int(32 * words.size - np.bitwise_count(words).sum(dtype=np.int64))  # rows past the end stay ones


def _stretch(start: int, end: int, backwards: bool) -> LetterRange:
    return np.int64(end - 1 if backwards else start), np.int32(-1 if backwards else 1), np.int64(end - start)


def _last_blocks(n: int) -> npt.NDArray[np.int64]:
    """Return the last block that each map entry represents."""
    each = -(-n // MAX_BOARD)
    return np.minimum(np.arange(each, n + each, each, dtype=np.int64), n) - 1


class BlockSampler:
    """Sampled block whose anti-diagonal is launched separately, so its borders can be read."""

    def __init__(self, matrix: KawanamiMatrix) -> None:
        self._matrix = matrix
        self._allowance = TimeBudget()
        self._chosen: tuple[int, int, Rows, Letters] | None = None
        self._begun = 0.0
        # Even the shortest run checks the first block from here.
        self._sure: int | None = int(self._allowance.rng.integers(matrix.grid.n_diagonals))

    def begin(self, diagonal: int) -> bool:
        """Select a block of the next ``diagonal`` if a sample is due; return whether it is."""
        sure = self._sure is not None and diagonal >= self._sure
        if not sure and not self._allowance.is_due:
            return False
        start, matrix = perf_counter(), self._matrix
        first, last = matrix.span(diagonal)
        last = min(last, matrix.grid.n_rows // BLOCK)  # the output of rows past the end is undefined
        if first >= last:
            return False
        self._sure = None
        row = int(self._allowance.rng.integers(first, last))
        column = diagonal - row
        above = self._carries(column) if row else np.zeros((1, BLOCK), np.uint8)
        self._chosen = row, column, self._rows(row) if column else fresh(DeltaBits.LCS, BLOCK), above
        self._begun = perf_counter() - start
        return True

    def end(self, step: Step, seconds: float) -> Generator[Event, None, None]:
        """Check the selected block; ``seconds``: time of the following launches.

        Raises:
            SelfCheckFailed: card and CPU have different results.
        """
        self._allowance.earn(seconds)
        if self._chosen is None:
            return
        start, matrix = perf_counter(), self._matrix
        row, column, rows, above = self._chosen
        self._chosen = None
        a, b = matrix.block(row, column)
        again = replay(DeltaBits.LCS, BLOCK, a, b, matrix.strings.n_codes, rows, above[:, : b.size])
        below = self._carries(column)[:, : b.size]
        if again.rows != self._rows(row) or not np.array_equal(again.below, below):
            left = column * BLOCK
            raise differs((row * BLOCK, (row + 1) * BLOCK), (left, left + int(b.size)))
        spent = self._begun + perf_counter() - start
        self._allowance.spend(spent)
        yield step.took("spot-check", spent)

    def _rows(self, row: int) -> Rows:
        words = self._matrix.card.download(self._matrix.v[row * LANES : (row + 1) * LANES])
        return integers(words[None])

    def _carries(self, column: int) -> Letters:
        words = self._matrix.card.download(self._matrix.carries[column * LANES : (column + 1) * LANES])
        return np.unpackbits(words.view(np.uint8), bitorder="little")[None]
