"""One rectangle of a matrix computed by blocks, and its path walked back: what every way of every method shares."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from core.arrays import Counts, Letters
from core.bits import COLUMNS, pack_columns, pack_rows, rare_before
from core.events import Event, StepDone
from core.grid import BlockState
from core.kernels.blocks import advance as _advance
from core.kernels.blocks.advance import planes_of, row_ones
from core.kernels.blocks.memory import Memory, replay_block
from core.kernels.blocks.plan import CARRIES, n_cells, plan, row, strip_rows
from core.kernels.blocks.shape import Shape
from core.kernels.pipeline import drive
from core.results.alignment import Op
from core.simd import BITS, LANES, WORD
from core.traceback.runs import Ops

REPORT = 0.016
PIECE = 1 << 22  # groups packed between two reports
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)
Walk = Callable[..., Any]  # (plan, strip, first step, i, j, remembered..., ops, lengths) -> (i, j, runs)


class Matrix:
    """The matrix of two sequences of codes, or a band of it.

    Args:
        a, b: uint8 codes, neither empty, of ``n_codes`` codes in ``planes`` bit planes.
        n_signs, walk: those of the method, see ``core.kernels.blocks.method``.
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
        monotone: hand borders through where they allow it.
    """

    def __init__(
        self,
        a: Letters,
        b: Letters,
        n_codes: int,
        planes: int,
        shape: Shape,
        *,
        n_signs: int,
        walk: Walk,
        band: tuple[int, int] | None = None,
        monotone: bool = False,
    ) -> None:
        self.shape, self._walk = shape, walk
        self.planes = planes_of(planes, n_codes)
        self.plan, self.state, self.grid = plan(
            a,
            b,
            n_codes,
            planes,
            depth=shape.depth,
            steps=shape.steps,
            threads=shape.threads,
            keep=shape.keep,
            n_signs=n_signs,
            band=band,
            monotone=monotone,
        )

    @property
    def n_cells(self) -> int:
        return n_cells(self.plan)

    def _pack(self, job_id: int) -> Generator[Event, None, None]:
        """Lay B out in bit planes and count rare letters, in pieces; once."""
        plan = self.plan
        groups = -(-plan.n_cols // COLUMNS)
        start = perf_counter()
        for first in range(0, groups, PIECE):
            pack_columns(plan.letters, plan.n_planes, plan.words, plan.columns, first, min(first + PIECE, groups))
            yield StepDone(job_id, "encode", 1, 0, perf_counter() - start)
            start = perf_counter()
        for letters, out in ((plan.rows, plan.rare_a), (plan.letters, plan.rare_b)):
            for first in range(0, out.size - 1, PIECE // WORD):
                rare_before(letters, out, first, min(first + PIECE // WORD, out.size - 1))
                yield StepDone(job_id, "encode", 1, 0, perf_counter() - start)
                start = perf_counter()

    def compute(self, job_id: int, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        yield from self._pack(job_id)
        plan, state = self.plan, self.state
        n_strips = plan.lo.size

        def advance(me: int, budget: int) -> int:
            return int(_advance.advance(plan, state, *self.planes, me, budget))

        since, cells = perf_counter(), 0
        steps = drive(
            advance, lambda me: bool(state.strip[me] >= n_strips), partial(_advance.stop, state), self.shape.threads
        )
        for calls in steps:
            now, total = perf_counter(), int(state.cells.sum())
            yield StepDone(job_id, kernel, calls, total - cells, now - since)
            # While the caller is busy the threads work on, but one thread is the caller's own.
            since, cells = now if self.shape.threads > 1 else perf_counter(), total

    @property
    def n_skipped(self) -> int:
        """Cells that were handed through instead of computed, so far."""
        return int(self.state.skipped.sum())

    def ones(self, sign: int) -> int:
        """Return how many rows have the bit of ``sign`` set after their last column, once every block is done."""
        plan, height, size = self.plan, strip_rows(self.plan.depth), self.plan.depth * LANES
        return sum(
            int(row_ones(plan.depth, min(plan.rows.size - s * height, height), self.state.final[s, sign * size :]))
            for s in range(plan.lo.size)
        )

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Walk back from the end, appending runs (last column first) to ``pieces``; needs kept states."""
        plan, state, shape = self.plan, self.state, self.shape
        height = shape.depth * BITS
        longest = shape.keep * shape.steps
        memory = Memory(len(plan.signs), shape.depth, longest)
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
            i, j, runs = self._walk(plan, s, t0, i, j, memory.v, memory.h, memory.masks, memory.words, ops, lengths)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            self._mark_path(s, j, right)
            if perf_counter() - since > REPORT:
                yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)
                since, calls, cells = perf_counter(), 0, 0
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)

    def trace_alone(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Compute a matrix of one strip while remembering all of it, and walk back.

        For short inputs: a second pass over the only strip would double the work.
        """
        yield from self._pack(job_id)
        plan, state, shape = self.plan, self.state, self.shape
        since = perf_counter()
        steps = int(plan.hi[0]) + BITS - 1
        sign = shape.depth * LANES
        size, carries = len(plan.signs) * sign, len(plan.signs) * CARRIES
        memory = Memory(len(plan.signs), shape.depth, steps)
        state.saved[:sign] = ~np.uint64(0)
        state.saved[sign : size + carries] = 0
        pack_rows(plan.rows, 0, shape.depth, plan.n_planes, row(state.row_planes, 0, plan.n_planes * sign))
        replay_block(plan, state, 0, 0, steps, self.planes, memory)
        state.final[0] = row(state.v, 0, size)
        state.board[:] = BlockState.DONE
        yield StepDone(job_id, "blocks", int(plan.last[0]), self.n_cells, perf_counter() - since)
        since = perf_counter()
        ops = np.empty(plan.rows.size + plan.n_cols + 2, np.uint8)
        lengths = np.empty(ops.size, np.int64)
        n, m = int(plan.rows.size), plan.n_cols
        i, j, runs = self._walk(plan, 0, 0, n, m, memory.v, memory.h, memory.masks, memory.words, ops, lengths)
        pieces.append((ops[:runs], lengths[:runs]))
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        state.board[:] = BlockState.PATH
        yield StepDone(job_id, "traceback", 1, 0, perf_counter() - since)

    def rehearse(self, path: bool) -> None:
        """Call every compiled function once, so that none is compiled while it is timed; for a tiny matrix."""
        list(self.compute(0))
        self.ones(0)
        _advance.stop(self.state)
        if path:
            list(self.trace(0, []))
            list(self.trace_alone(0, []))

    def _mark_path(self, strip: int, j0: int, j1: int) -> None:
        board, plan = self.state.board, self.plan
        unit = plan.steps * COLUMNS * plan.board_cols
        row = board[strip // plan.board_rows, min(j0 // unit, board.shape[1] - 1) : (max(j1, 1) - 1) // unit + 1]
        row[row != BlockState.OUTSIDE_BAND] = BlockState.PATH
