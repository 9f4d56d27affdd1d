"""One rectangle of the LCS matrix computed by blocks, and its path walked back: what every way of the job shares."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np

from core.arrays import Counts, Letters
from core.bits import COLUMNS, pack_rows
from core.events import Event, StepDone
from core.grid import BlockState
from core.kernels.lcs import blocks
from core.kernels.lcs.plan import STATE, n_cells, plan, row
from core.kernels.lcs.trace import DELETION, INSERTION, MAX_DEPTH, Memory, replay_block, walk
from core.kernels.pipeline import drive
from core.kernels.warm import warm_up
from core.machine import available_memory
from core.simd import BITS, LANES, WORD
from core.traceback.runs import Ops

REPORT = 0.016
MODEST = 1 << 28  # bytes nobody need be asked for


@dataclass(frozen=True, slots=True)
class Shape:
    """How a rectangle is cut: rows of a stripe, steps of a block, kept states, threads."""

    depth: int
    steps: int
    keep: int
    threads: int


class Matrix:
    """The LCS matrix of two sequences of codes, or a band of it.

    Args:
        a, b: uint8 codes, neither empty, of ``n_codes`` codes in ``planes`` bit planes.
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
    """

    def __init__(
        self, a: Letters, b: Letters, n_codes: int, planes: int, shape: Shape, band: tuple[int, int] | None = None
    ) -> None:
        self.shape = shape
        self.planes = blocks.planes_of(planes, n_codes)
        self.plan, self.state, self.grid = plan(
            a,
            b,
            n_codes,
            planes,
            depth=shape.depth,
            steps=shape.steps,
            threads=shape.threads,
            keep=shape.keep,
            band=band,
        )

    @property
    def n_cells(self) -> int:
        return n_cells(self.plan)

    def compute(self, job_id: int, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        plan, state = self.plan, self.state
        n_strips = plan.lo.size

        def advance(me: int, budget: int) -> int:
            return int(blocks.advance(plan, state, *self.planes, me, budget))

        since, cells = perf_counter(), 0
        steps = drive(
            advance, lambda me: bool(state.strip[me] >= n_strips), partial(blocks.stop, state), self.shape.threads
        )
        for calls in steps:
            now, total = perf_counter(), int(state.cells.sum())
            yield StepDone(job_id, kernel, calls, total - cells, now - since)
            # While the caller is busy the threads work on, but one thread is the caller's own.
            since, cells = now if self.shape.threads > 1 else perf_counter(), total

    def length(self) -> int:
        return blocks.length(self.plan, self.state)

    def profile(self) -> Counts:
        """Return the LCS of the first i rows with all columns, int64, shape (rows + 1,)."""
        return blocks.profile(self.plan, self.state)

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Walk back from the end, appending runs (last column first) to ``pieces``; needs kept states."""
        plan, state, shape = self.plan, self.state, self.shape
        height = shape.depth * BITS
        longest = shape.keep * shape.steps
        memory = Memory(shape.depth, longest)
        i, j = int(plan.rows.size), plan.n_cols
        since, calls, cells = perf_counter(), 0, 0
        while i > 0 and j > 0:
            s = (i - 1) // height
            top, low, high = s * height, int(plan.lo[s]) * COLUMNS, int(plan.hi[s]) * COLUMNS
            t0 = 0
            if j > low:
                step = (min(j, high) - 1) // COLUMNS + (i - 1 - top) // shape.depth
                kept = (step // shape.steps - int(plan.first[s])) // shape.keep
                t0 = replay_block(plan, state, s, kept, step + 1, self.planes, memory)
                calls, cells = calls + 1, cells + (step + 1 - t0) * COLUMNS * min(height, plan.rows.size - top)
            ops = np.empty(i - top + COLUMNS * longest + 4, np.uint8)
            lengths = np.empty(ops.size, np.int64)
            right = j
            i, j, runs = walk(plan, s, t0, i, j, memory.v, memory.h, memory.masks, memory.words, ops, lengths)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            self._mark_path(s, j, right)
            if perf_counter() - since > REPORT:
                yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)
                since, calls, cells = perf_counter(), 0, 0
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)

    def trace_alone(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, int]:
        """Compute a matrix of one strip while remembering all of it, walk back, and return the length.

        For short inputs: a second pass over the only strip would double the work.
        """
        plan, state, shape = self.plan, self.state, self.shape
        since = perf_counter()
        steps = int(plan.hi[0]) + BITS - 1
        size = shape.depth * LANES
        memory = Memory(shape.depth, steps)
        state.saved[:size] = ~np.uint64(0)
        state.saved[size : size + STATE] = 0
        pack_rows(plan.rows, 0, shape.depth, plan.n_planes, row(state.row_planes, 0, plan.n_planes * size))
        replay_block(plan, state, 0, 0, steps, self.planes, memory)
        state.final[0] = row(state.v, 0, size)
        state.board[:] = BlockState.DONE
        yield StepDone(job_id, "blocks", int(plan.last[0]), self.n_cells, perf_counter() - since)
        since = perf_counter()
        ops = np.empty(plan.rows.size + plan.n_cols + 2, np.uint8)
        lengths = np.empty(ops.size, np.int64)
        n, m = int(plan.rows.size), plan.n_cols
        i, j, runs = walk(plan, 0, 0, n, m, memory.v, memory.h, memory.masks, memory.words, ops, lengths)
        pieces.append((ops[:runs], lengths[:runs]))
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        state.board[:] = BlockState.PATH
        yield StepDone(job_id, "traceback", 1, 0, perf_counter() - since)
        return self.length()

    def _mark_path(self, strip: int, j0: int, j1: int) -> None:
        board, plan = self.state.board, self.plan
        unit = plan.steps * COLUMNS * plan.board_cols
        row = board[strip // plan.board_rows, min(j0 // unit, board.shape[1] - 1) : (max(j1, 1) - 1) // unit + 1]
        row[row != BlockState.OUTSIDE_BAND] = BlockState.PATH


def choose_shape(
    n: int,
    m: int,
    *,
    threads: int,
    block_rows: int = 0,
    block_cols: int = 0,
    path: bool = False,
    width: int | None = None,
) -> Shape | None:
    """Return how to cut ``n`` rows by ``m`` columns, or None when the kept borders would not fit in memory.

    Args:
        width: diagonals of the band; None for the whole matrix.
    """
    if block_rows:
        depth = -(-block_rows // BITS)
    elif width is not None:  # strips no taller than the band asks for: what sticks out of it is wasted
        depth = min(max(width // (4 * BITS), 8), 32)
    else:  # many strips feed the threads and make the walk back cheap; deep ones make the steps cheap
        deepest = 32 if n < 1 << 22 else MAX_DEPTH
        strips = max(-(-n // (BITS * deepest)), min(8, n * m >> 29), 1)
        depth = -(-n // (BITS * strips))
    depth = min(depth, MAX_DEPTH, -(-n // BITS))
    reach = m if width is None else min(m, width + BITS * depth)
    if block_cols:
        steps = -(-block_cols // (WORD * COLUMNS)) * WORD
    else:
        steps = min(max(8, reach // (COLUMNS * 32 * WORD)) * WORD, 2048 if m < 1 << 24 else 8192)
    n_strips = -(-n // (BITS * depth))
    threads = min(threads, n_strips)
    if not path:
        return Shape(depth, steps, 0, threads)
    borders = n_strips * (reach // 8 + WORD)
    states = (-(-reach // (steps * COLUMNS)) + 1) * (n // 8 + n_strips * COLUMNS * LANES * 8)
    keep, budget = 1, MODEST
    if borders + states > MODEST:
        budget = max(MODEST, available_memory() // 3)
    while borders + states // keep > budget and keep * steps < 1 << 16:
        keep *= 2
    if borders + states // keep > budget:
        return None
    return Shape(depth, steps, keep, threads)


def make_ready(job_id: int, n_codes: int, planes: int, path: bool) -> Generator[Event, None, None]:
    """Compile (or load) what a matrix of such codes needs."""
    key = blocks.planes_of(planes, n_codes)
    tiny = Matrix(np.zeros(3, np.uint8), np.ones(3, np.uint8), n_codes, planes, Shape(1, 512, 1, 1))
    yield from warm_up(job_id, "blocks", key, lambda: list(tiny.compute(job_id)))
    if path:
        yield from warm_up(job_id, "traceback", (*key, "path"), lambda: list(tiny.trace(job_id, [])))
