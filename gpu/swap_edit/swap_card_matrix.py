"""The matrix of one pair with swaps on the card (``cuda/swaps.cu``); the traceback runs on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jit.simd import BITS, LANES
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import COARSE_TICK_SECONDS, Span, blank_record, coarse_ticks
from wavediff.core.kernels.swap_edit import strips
from wavediff.core.kernels.swap_edit.strips import PAD, SLAB_STEPS, STATE_VECTORS
from wavediff.core.kernels.swap_edit.swap_matrix import BORDER_ROWS, FINEST, SwapMatrix, lay_board
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.card.card_records import READ_LETTERS, bytes_needed, upload
from wavediff.gpu.card.cuda import Card, Launch
from wavediff.gpu.card.place_times import LAUNCHES, launch_name

UNIT = "swaps.cu"
SWAP_METHOD = 3
STRIP_ROWS = 1024  # rows of a warp
WARP = 32
TABLE_BYTES = 128 * 32
BLOCK_STEPS = 64  # groups of columns per block: fewer add launches, more make warps wait
EVENT_SECONDS = 0.03  # seconds of launches between two events
CHECKPOINT_WORDS = max(BORDER_ROWS, BITS) // 32  # words of rows between stored borders of the CPU

_POINTERS = ("planes", "letters", "state", "border", "kept_rows", "kept_words")
_PLACES = ("n_rows", "n_columns", "kept_stride")
_NUMBERS = ("kept_times", "kept_every", "steps")
STRUCT = np.dtype(
    [(name, np.uint64) for name in _POINTERS]
    + [(name, np.int64) for name in _PLACES]
    + [(name, np.int32) for name in _NUMBERS]
    + [("allow", np.uint32)],
    align=True,
)


class CardSwapMatrix:
    """See ``wavediff.core.kernels.swap_edit.swap_matrix.SwapMatrixProtocol``.

    Args:
        a, b: uint8 codes below ``n_codes``, neither empty.
        kept: store the borders for a traceback.
        swaps: False for the plain edit distance.
        steps: of a block; few in tests.

    Attributes:
        record: see the protocol; only launches are timed.
    """

    kept = None

    def __init__(
        self, card: Card, a: Letters, b: Letters, n_codes: int, *, kept: bool, swaps: bool, steps: int = BLOCK_STEPS
    ) -> None:
        self.card, self._a, self._b, self._swaps, self._steps = card, a, b, swaps, steps
        n, m = int(a.size), int(b.size)
        self._strips, self._groups = -(-n // STRIP_ROWS), -(-m // READ_LETTERS)
        self._slabs = -(-(self._groups + WARP * self._strips - 1) // steps)
        # Read by the CPU's traceback; filled from the card.
        self._host = SwapMatrix(a, b, n_codes, kept=FINEST, swaps=swaps, threads=1) if kept else None
        if self._host is not None:
            self.grid, self.block_map, self._cell = self._host.grid, self._host.block_map, self._host.cell
        else:
            self.grid, self.block_map, self._cell = lay_board(n, m)
        self._ends = self._last_launches()
        self.record = blank_record((self.block_map.shape[0], self.block_map.shape[1]), (LAUNCHES,))
        self.record.interpolated = True

    def compute(self, step: Step, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block, one launch per anti-diagonal; yields a ``StepDone`` about every ``EVENT_SECONDS``.

        Raises:
            DeviceOutOfMemory: too little memory on the card; nothing has been allocated.
        """
        card, kept = self.card, self._host is not None
        both = SequencePool.of([self._a, self._b])
        needed = (
            bytes_needed(both, planes=True)
            + 4 * (self._groups + self._strips * STATE_VECTORS * WARP)
            + self._kept_bytes()
        )
        if needed > (free := card.free()):
            raise DeviceOutOfMemory(f"{needed / 1e9:,.2f} GB are needed, {free / 1e9:,.2f} GB are free")
        records = yield from upload(card, step, both, fold_case=False, planes=True)
        blocks = card.kernel(UNIT, "swap_blocks", METHOD=SWAP_METHOD, WORDS=1, KEEP=int(kept))
        if blocks.seconds:
            yield step.compiled(kernel, blocks.seconds)
        self._allocate(records)
        done, together, cells = 0, 1, 0
        n_diagonals = self._strips + self._slabs - 1
        self.record.start, self.record.seconds_per_tick, before = perf_counter(), COARSE_TICK_SECONDS, 0.0
        while done < n_diagonals:
            end = min(done + together, n_diagonals)
            seconds = card.launch_each(blocks, WARP, TABLE_BYTES, [self._launch(d) for d in range(done, end)])
            ended = perf_counter()
            now = self._cells((end - np.arange(self._strips)) * self._steps - WARP * np.arange(self._strips))
            self._mark(done, end, before, ended - self.record.start)
            span = Span(launch_name(done + 1), LAUNCHES, ended - seconds, ended, end - done, now - cells)
            yield step.took(kernel, seconds, end - done, now - cells, (span,))
            cells, done, before = now, end, ended - self.record.start
            together = min(2 * together, max(1, int(together * EVENT_SECONDS / max(seconds, 1e-9))))
        if self._host is not None:
            yield from self._fetch(step, self._host)

    def _kept_shape(self) -> tuple[int, int, int, int]:
        """Return the CPU layout: number of strips, slabs, words of rows, and stored border rows."""
        n, m = int(self._a.size), int(self._b.size)
        cpu_strips, slabs = int(strips.n_strips(n)), int(strips.n_slabs(n, m))
        return cpu_strips, slabs, cpu_strips * (BITS // 32), self._strips * WARP // CHECKPOINT_WORDS + 1

    def _kept_bytes(self) -> int:
        if self._host is None:
            return 0
        _, slabs, words, rows = self._kept_shape()
        return 4 * (rows * self._groups + (slabs + 1) * STATE_VECTORS * words)

    def _allocate(self, records: Any) -> None:
        card, n = self.card, int(self._a.size)
        _, slabs, words, rows = self._kept_shape() if self._host is not None else (0, -1, 0, 0)
        self._state = card.zeros((self._strips, STATE_VECTORS, WARP), np.uint32)
        border = card.zeros(self._groups, np.uint32)
        self._kept_rows = card.zeros((rows, self._groups), np.uint32)
        self._kept_words = card.zeros((slabs + 1, STATE_VECTORS, words), np.uint32)
        first_group = -(-n // READ_LETTERS)
        letters = records.letters[first_group:]
        self._hold = records, border, letters
        struct: Any = np.zeros((), STRUCT)
        arrays = records.planes, letters, self._state, border, self._kept_rows, self._kept_words
        for name, array in zip(_POINTERS, arrays, strict=True):
            struct[name] = card.address(array)
        struct["n_rows"], struct["n_columns"], struct["kept_stride"] = n, self._b.size, words
        struct["kept_times"], struct["kept_every"], struct["steps"] = slabs + 1, CHECKPOINT_WORDS, self._steps
        struct["allow"] = 0xFFFFFFFF if self._swaps else 0
        self._struct = struct[()]

    def _launch(self, diagonal: int) -> Launch:
        first, last = max(0, diagonal - self._slabs + 1), min(self._strips, diagonal + 1)
        return last - first, (self._struct, np.int64(diagonal), np.int64(first))

    def _cells(self, steps: Counts) -> int:
        heights = np.minimum(self._a.size - np.arange(self._strips) * STRIP_ROWS, STRIP_ROWS)
        return int(heights @ np.clip(steps * READ_LETTERS, 0, self._b.size))

    def _last_launches(self) -> Counts:
        """Return the launch that completes each map entry."""
        rows, cols = self.block_map.shape
        height, width = self._cell[0] * BITS, self._cell[1] * SLAB_STEPS
        last = np.minimum(((np.arange(rows) + 1) * height - 1) // STRIP_ROWS, self._strips - 1)[:, None]
        columns = np.minimum((np.arange(cols) + 1) * width, self._b.size)
        steps = -(-columns // READ_LETTERS) + WARP - 1 + WARP * last
        return np.asarray(last - (-steps // self._steps), np.int64)

    def _mark(self, done: int, end: int, before: float, now: float) -> None:
        """Mark the entries completed by launches ``done`` to ``end``, with interpolated times from ``before`` to
        ``now``."""
        new = (self._ends > done) & (self._ends <= end)
        self.block_map[new] = BlockState.DONE
        ticks = coarse_ticks(np.linspace(before, now, end - done + 1))
        nth = self._ends[new] - done
        self.record.began[new], self.record.ended[new] = ticks[nth - 1], ticks[nth]

    def _fetch(self, step: Step, host: SwapMatrix) -> Generator[Event, None, None]:
        """Download the stored data for the traceback."""
        start = perf_counter()
        cpu_strips, slabs, _, _ = self._kept_shape()
        m = int(self._b.size)
        borders = -(-cpu_strips // FINEST.strips)
        rows = self.card.download(self._kept_rows)[1:borders]
        yield step.done("download", start)
        border = host.state.border.reshape(borders + 1, m + 2 * PAD)
        for first in range(0, len(rows), 64):
            start = perf_counter()
            part = rows[first : first + 64]
            columns = np.empty((*part.shape, READ_LETTERS), np.uint8)
            for c in range(READ_LETTERS):
                columns[:, :, c] = part >> np.uint32(5 * (READ_LETTERS - 1 - c)) & np.uint32(31)
            border[1 + first : 1 + first + len(part), PAD : PAD + m] = columns.reshape(len(part), -1)[:, :m]
            yield step.done("download", start, 0)
        start = perf_counter()
        words = (
            self.card.download(self._kept_words).view(np.uint64).reshape(slabs + 1, STATE_VECTORS, cpu_strips, LANES)
        )
        saved = host.state.saved.reshape(cpu_strips, slabs + 1, STATE_VECTORS, LANES)
        saved[:] = words.transpose(2, 0, 1, 3)
        saved[:, :, STATE_VECTORS - 1] >>= np.uint64(32)  # a word passes on the output of the lower of its two halves
        time, word = np.arange(slabs + 1) * SLAB_STEPS, np.arange(cpu_strips * LANES).reshape(cpu_strips, LANES)
        fresh = time[:, None] <= word[:, None, :]  # (strips, slabs + 1, lanes): before the first column
        saved[:, :, 0][fresh] = ~np.uint64(0)
        for s in range(cpu_strips):
            strips.pack_planes(host.plan, host.state, s)
            strips.begin_border(host.plan, host.state, s)
        yield step.done("download", start)

    def distance(self) -> int:
        """Return the distance: along the top row, then down the right column."""
        words = self.card.download(self._state)
        n = int(self._a.size)
        counts = []
        for k in range(2):
            rows = np.ascontiguousarray(words[:, k]).reshape(-1)[: -(-n // 32)]
            if n % 32:
                rows[-1] &= np.uint32((1 << n % 32) - 1)
            counts.append(int(np.bitwise_count(rows).sum(dtype=np.int64)))
        return int(self._b.size) + counts[0] - counts[1]

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]], swaps: list[Counts]) -> Generator[Event, None, None]:
        """See ``wavediff.core.kernels.swap_edit.swap_matrix.SwapMatrix.trace``."""
        assert self._host is not None, "nothing was kept"
        yield from self._host.trace(step, pieces, swaps)
