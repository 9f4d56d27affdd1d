"""The matrix of one pair with swaps: block computation, distance, traceback."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, LetterType, Ops
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import MAX_BOARD, BlockGrid, BlockState
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.run_record import RunRecord, thread_lanes
from wavediff.core.kernels.block_threads import compute_blocks
from wavediff.core.kernels.swap_edit import strips
from wavediff.core.kernels.swap_edit.kept_swaps import KeptSwaps
from wavediff.core.kernels.swap_edit.strip_part import StripPart
from wavediff.core.kernels.swap_edit.strips import (
    LOG_VECTORS,
    NOTHING_KEPT,
    PAD,
    SLAB_STEPS,
    STATE_VECTORS,
    SwapPlan,
    SwapState,
    mask_words,
    n_slabs,
    n_strips,
)
from wavediff.core.kernels.swap_edit.swap_traceback import COLUMN, ROW, SWAPS, next_cell, trace_swaps
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.system.machine import available_memory

UNCHECKED_BYTES = 1 << 28  # bytes no one need be asked for
REPORT_SECONDS = 0.016
BORDER_ROWS = 512  # rows from a kept border to the next, at least
PLANES = (3, 5, 9)  # bit planes that code is compiled for
WIDE_PLANES = (13, 17, 21)  # the same of more codes than there are bytes
# For codes of each type, but for uint32: these planes, and a number of codes that needs them.
REHEARSED: dict[LetterType, dict[int, int]] = {
    np.uint8: {3: 7, 5: 31, 9: 256},
    np.uint16: {9: 257, 13: 512, 17: 8192},
}


def planes_for(n_codes: int) -> int:
    """Return the number of bit planes for the codes plus padding."""
    return next(p for p in (*PLANES, *WIDE_PLANES) if n_codes < 1 << p)


class KeptEvery(NamedTuple):
    """Intervals of stored borders (strips) and stored states (slabs)."""

    strips: int
    slabs: int


# The same memory for each vector width: narrow strips between two kept borders are computed again.
FINEST = KeptEvery(max(1, BORDER_ROWS // BITS), 1)
NOTHING = KeptEvery(NOTHING_KEPT, NOTHING_KEPT)


def memory(n: int, m: int, *, kept: KeptEvery, threads: int) -> int:
    """Return the memory in bytes of an ``n`` by ``m`` matrix."""
    # What ``strips`` has compiled is not called: this is asked before anything is.
    n_strips_, _ = _blocks(n, m)
    masks = threads * PLANES[-1] * (SLAB_STEPS + LANES * (n_strips_ + 1)) * 8
    return sum(_kept_bytes(n, m, kept)) + masks + n_strips_ * PLANES[-1] * LANES * 8


def _blocks(n: int, m: int) -> tuple[int, int]:
    n_strips_ = -(-n // BITS)
    return n_strips_, -(-(LANES * (n_strips_ - 1) + m + LANES - 1) // SLAB_STEPS)


def _kept_bytes(n: int, m: int, kept: KeptEvery) -> tuple[int, int]:
    n_strips_, n_slabs_ = _blocks(n, m)
    rows, states = (-(-count // step) + 1 for count, step in zip((n_strips_, n_slabs_), kept, strict=True))
    return rows * (m + 2 * PAD), n_strips_ * states * STATE_VECTORS * LANES * 8


def what_fits(n: int, m: int, most: int) -> KeptEvery:
    """Return the storage intervals that keep ``n`` by ``m`` letters within ``most`` bytes, if possible.

    Other borders and states are recomputed; the larger of the two is thinned first.
    """
    kept, (n_strips_, n_slabs_) = FINEST, _blocks(n, m)
    most -= n + m + n_strips_ * PLANES[-1] * LANES * 8
    while sum(sizes := _kept_bytes(n, m, kept)) > most:
        borders, states = sizes
        if borders > states and kept.strips < n_strips_:
            kept = kept._replace(strips=2 * kept.strips)
        elif kept.slabs < n_slabs_:
            kept = kept._replace(slabs=2 * kept.slabs)
        else:
            break
    return kept


def lay_board(n: int, m: int) -> tuple[BlockGrid, BlockMap, tuple[int, int]]:
    """Return the block grid of ``n`` by ``m`` letters, its map, and the blocks per map entry."""
    cell = -(-int(n_strips(n)) // MAX_BOARD), -(-int(n_slabs(n, m)) // MAX_BOARD)
    grid = BlockGrid(n, m, BITS, SLAB_STEPS)
    shape = -(-grid.shape[0] // cell[0]), -(-grid.shape[1] // cell[1])
    return grid, np.zeros(shape, np.uint8), cell


class SwapMatrixProtocol(Protocol):
    """Protocol of a matrix with swaps."""

    grid: BlockGrid
    block_map: BlockMap

    @property
    def kept(self) -> KeptMatrix | None:
        """Stored parts that reproduce cells after computation, or None."""

    @property
    def record(self) -> RunRecord | None:
        """Block times, or None if not recorded."""

    def compute(self, step: Step, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""

    def distance(self) -> int:
        """Return the distance, once every block is done."""

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]], swaps: list[Counts]) -> Generator[Event, None, None]:
        """Trace back, appending runs (last column first) to ``pieces`` and swaps to ``swaps``."""


class SwapMatrix:
    """The matrix of two non-empty code sequences on the CPU.

    Args:
        a, b: codes below ``n_codes``.
        kept: stored borders and states for a traceback, or ``NOTHING``.
        swaps: False for the plain edit distance.

    Raises:
        NotEnoughMemory: the traceback data exceed memory; nothing has been allocated.
    """

    def __init__(self, a: Letters, b: Letters, n_codes: int, *, kept: KeptEvery, swaps: bool, threads: int) -> None:
        n, m = int(a.size), int(b.size)
        strips_, slabs = int(n_strips(n)), int(n_slabs(n, m))
        self.threads = max(1, min(threads, strips_, slabs))
        need = memory(n, m, kept=kept, threads=self.threads)
        if need > UNCHECKED_BYTES and need > (free := available_memory()) * 3 // 4:
            raise NotEnoughMemory(
                f"the alignment of {n:,} and {m:,} letters needs {need / 1e9:.1f} GB and {free / 1e9:.1f} GB are free; "
                "only the distance ('--traceback none') needs next to nothing",
                traceback=TracebackMethod.NONE,
            )
        planes = planes_for(n_codes)
        self.every = (0,) * planes
        self.grid, self.block_map, self.cell = lay_board(n, m)
        self.plan = SwapPlan(a, b, n_codes, planes, *kept, ~np.uint64(0) if swaps else np.uint64(0), *self.cell)
        borders, states = _kept_bytes(n, m, kept)
        self.state = SwapState(
            # Left as it comes: gigabytes that no poll interrupts. Each strip begins with what it reads of it.
            border=np.empty(borders, np.uint8),
            saved=np.empty(states // 8, np.uint64),
            rises=np.zeros(strips_, np.int64),
            block_map=self.block_map,
            shared=np.zeros(4, np.int64),
            progress=np.zeros(slabs, np.int64),
            slab=np.full(self.threads, -1, np.int64),
            strip=np.zeros(self.threads, np.int64),
            cells=np.zeros(self.threads, np.int64),
            masks=np.empty(self.threads * planes * int(mask_words(n)), np.uint64),
            planes=np.empty(strips_ * planes * LANES, np.uint64),
            began=np.zeros(self.block_map.shape, np.uint32),
            ended=np.zeros(self.block_map.shape, np.uint32),
            by=np.zeros(self.block_map.shape, np.uint8),
        )
        self.kept = KeptSwaps(self.plan, self.state, self.every) if kept != NOTHING else None
        times = self.state.began, self.state.ended, self.state.by
        self.record = RunRecord(*times, thread_lanes(self.threads))

    def compute(self, step: Step, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        plan, state = self.plan, self.state

        def advance(me: int, budget: int) -> int:
            return int(strips.advance(plan, state, self.every, me, budget))

        def finished(me: int) -> bool:
            return bool(state.slab[me] >= state.progress.size)

        n_cells = int(plan.rows.size) * int(plan.cols.size)
        yield from compute_blocks(step, kernel, self.record, state.shared, state.cells, n_cells, advance, finished)

    def distance(self) -> int:
        """Return the distance after all blocks are computed: along the top row, then down the right column."""
        return int(self.plan.cols.size) + int(self.state.rises.sum())

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]], swaps: list[Counts]) -> Generator[Event, None, None]:
        """Trace back, appending runs (last column first) to ``pieces`` and swaps to ``swaps``.

        Raises:
            SelfCheckFailed: the bits of the matrix are inconsistent.
        """
        plan, state = self.plan, self.state
        n, m = int(plan.rows.size), int(plan.cols.size)
        seen = np.empty(SLAB_STEPS * LOG_VECTORS * LANES, np.uint64)
        thrown = np.empty(STATE_VECTORS * LANES, np.uint64)
        ops, lengths = np.empty(4 * (BITS + SLAB_STEPS), np.uint8), np.empty(4 * (BITS + SLAB_STEPS), np.int64)
        swapped = np.empty((BITS + SLAB_STEPS, 4), np.int64)
        place = np.array([n, m, 0, 0, 0], np.int64)
        part = None
        since, calls, cells = perf_counter(), 0, 0

        def report() -> Iterator[Event]:
            nonlocal since, calls, cells
            if perf_counter() - since > REPORT_SECONDS:
                yield step.done("traceback", since, calls, cells)
                since, calls, cells = perf_counter(), 0, 0

        while place[ROW] > 0 and place[COLUMN] > 0:
            row, column = next_cell(place)
            word = (row - 1) // WORD
            s, t = word // LANES, column - 1 + word
            c = t // SLAB_STEPS
            if part is None or not part.has(s, c):
                part = StripPart(plan, state, self.every, s, s, c, c)
                for more in part.compute():
                    calls, cells = calls + 1, cells + more
                    yield from report()
            t0 = max(c * SLAB_STEPS, LANES * s)
            part.run(s, c, t0, t + 1, part.before(s, c), thrown, seen)
            place[SWAPS] = 0
            runs = trace_swaps(plan.rows, plan.cols, s, t0, seen, place, ops, lengths, swapped)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            swaps.append(swapped[: place[SWAPS]].copy())
            self._mark_path(s, int(place[COLUMN]), int(column))
            calls, cells = calls + 1, cells + (t + 1 - t0) * min(BITS, n - s * BITS)
            yield from report()
        if place[ROW] < 0:
            raise SelfCheckFailed(f"a swap of {n:,} and {m:,} letters has no second end; the result was discarded")
        pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), place[:2].copy()))
        yield step.done("traceback", since, calls, cells)

    def _mark_path(self, strip: int, j0: int, j1: int) -> None:
        unit = SLAB_STEPS * self.plan.board_cols
        self.state.block_map[strip // self.plan.board_rows, j0 // unit : (j1 - 1) // unit + 1] = BlockState.PATH
