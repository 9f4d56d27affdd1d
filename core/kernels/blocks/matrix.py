"""One rectangle of a matrix computed by blocks, and its path walked back: what every way of every method shares."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from functools import partial
from time import perf_counter
from typing import ClassVar

import numpy as np

from core import compile_ahead
from core.arrays import Board, Counts
from core.bits import COLUMNS, pack_rows
from core.events import Event, StepDone
from core.grid import BlockState
from core.kernels.blocks import advance as _advance
from core.kernels.blocks import shortcut
from core.kernels.blocks.advance import planes_of, row_ones
from core.kernels.blocks.memory import memory, walk_back
from core.kernels.blocks.packed import Packed, pack
from core.kernels.blocks.plan import CARRIES, n_cells, plan, strip_rows
from core.kernels.blocks.shape import Shape
from core.kernels.blocks.shortcut import Row, cost_along, through_strip
from core.kernels.pipeline import drive
from core.kernels.steps import returned
from core.kernels.warm import kernel_name, warm_up
from core.results.alignment import Alignment, Op
from core.simd import BITS, LANES
from core.traceback.runs import Ops

REPORT = 0.016
ONE_STRIP_CELLS = 1 << 28  # for each sign; up to here all that a walk needs is kept in the only pass
CELLS = 1 << 32  # computed again before a report
SEVERAL = 3  # strips from which it is worth while to compile the way over diagonals
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


class Matrix:
    """The matrix of two sequences, or a band of it; of what method says the subclass.

    Attributes:
        n_signs: those of the method, see ``core.kernels.blocks.method``.
        method: its name in those of kernels.

    Args:
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
        monotone: hand borders through where they allow it.
        common: letters at the front that a walk back need not cross, as they are equal.
    """

    n_signs: ClassVar[int]
    method: ClassVar[str]

    def __init__(
        self,
        packed: Packed,
        shape: Shape,
        *,
        band: tuple[int, int] | None = None,
        monotone: bool = False,
        common: int = 0,
    ) -> None:
        self.shape, self.common, self._whole = shape, common, band is None
        self._codes = packed.n_planes, packed.n_codes
        self.planes = planes_of(*self._codes)
        self.plan, self.state, self.grid = plan(
            packed,
            depth=shape.depth,
            steps=shape.steps,
            threads=shape.threads,
            keep=shape.keep,
            n_signs=self.n_signs,
            band=band,
            monotone=monotone,
            marks=shape.marks,
        )

    @property
    def n_cells(self) -> int:
        return n_cells(self.plan)

    @property
    def board(self) -> Board:
        return self.state.board

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return what to add to a reason: that blocks are not of the size asked for, or nothing."""
        return self.shape.rounding(block_rows, block_cols)

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; return whether the walk back, wanted where there are ``pieces``, came along with it."""
        one_strip = self._whole and self.plan.lo.size == 1
        if pieces is not None and one_strip and self.n_cells * len(self.plan.signs) <= ONE_STRIP_CELLS:
            yield from self.make_ready(job_id, *self._codes, path=True)
            yield from self._trace_alone(job_id, pieces)
            return True
        yield from self.compute(job_id)
        return False

    def skipped_blocks(self) -> tuple[int, int]:
        """Return the blocks outside the band, and those handed through; before a path is drawn over them."""
        plan, board = self.plan, self.state.board
        unit = plan.board_rows * plan.board_cols
        outside = int(np.count_nonzero(board == BlockState.OUTSIDE_BAND)) * unit
        return outside, int(np.count_nonzero(board == BlockState.MONOTONE)) * unit

    def compute(self, job_id: int, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        yield from self.make_ready(job_id, *self._codes, path=False)
        yield from self._compute(job_id, kernel)

    def _compute(self, job_id: int, kernel: str) -> Generator[Event, None, None]:
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
        yield from self.make_ready(job_id, *self._codes, path=True)
        several = self.plan.lo.size >= SEVERAL and shortcut.worth_while(self.plan.signs, self.n_cells)
        if several:
            yield from shortcut.make_ready(job_id, self.plan.signs)
        plan, shape = self.plan, self.shape
        height = shape.depth * BITS
        self._make_room(shape.keep * shape.steps)
        i, j = int(plan.rows.size), plan.n_cols
        since, calls, cells = perf_counter(), 0, 0
        while i > self.common and j > self.common:
            s, right = (i - 1) // height, j
            top, low, high = s * height, int(plan.lo[s]) * COLUMNS, int(plan.hi[s]) * COLUMNS
            whole = i == top + height or i == plan.rows.size
            if several and whole and low < j <= high and top >= self.common:
                cost = self._cost(s, j)
                i, j, ops, lengths = through_strip(
                    plan.signs, plan.rows, plan.letters, self._row(s), self._marks(s), shape.depth, top, i, j, cost
                )
                if ops.size:
                    pieces.append((ops, lengths))
            if i > max(top, self.common) and j > self.common:
                i, j, more, of_them = self._walk(s, i, j, pieces)
                calls, cells = calls + more, cells + of_them
            self._mark_path(s, j, right)
            if perf_counter() - since > REPORT:
                yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)
                since, calls, cells = perf_counter(), 0, 0
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        yield StepDone(job_id, "traceback", calls, cells, perf_counter() - since)

    def _make_room(self, n_steps: int) -> None:
        """Allocate what a walk through ``n_steps`` steps that were computed again needs."""
        self._memory = memory(len(self.plan.signs), self.plan.depth, n_steps)
        most = 2 * self._memory.met.size + 2
        self._runs = np.empty(most, np.uint8), np.empty(most, np.int64)

    def _walk(
        self, s: int, i: int, j: int, pieces: list[tuple[Ops, Counts]], known: int = -1
    ) -> tuple[int, int, int, int]:
        """Walk through strip s, computing again what was not remembered from step ``known`` on, or as much of it as
        takes no long time."""
        plan, (ops, lengths) = self.plan, self._runs
        low, high = int(plan.lo[s]) * COLUMNS, min(int(plan.hi[s]) * COLUMNS, plan.n_cols)
        if j > high:  # nothing was computed here: the strip above ended further left
            pieces.append((np.array([INSERTION], np.uint8), np.array([j - high], np.int64)))
            j = high
        rest = self.common, *self.planes, self._memory, known, CELLS, ops, lengths
        i, j, runs, calls, cells = (int(x) for x in walk_back(plan, self.state, s, i, j, *rest))
        pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
        top = s * strip_rows(plan.depth)
        if i > max(top, self.common) and self.common < j <= low:
            pieces.append((np.array([DELETION], np.uint8), np.array([i - top], np.int64)))
            i = top
        return i, j, calls, cells

    def _row(self, s: int) -> Row:
        """Return the border above strip s, with the columns that were computed in the strip that wrote it."""
        plan, state = self.plan, self.state
        at = int(plan.border_at[s])
        words = state.border[at : at + int(plan.border_words[s]) * COLUMNS * len(plan.signs)]
        first, end = (int(plan.lo[s - 1]), int(plan.hi[s - 1]) * COLUMNS) if s else (0, plan.n_cols)
        return Row(words, state.marks[:0], 0, first, min(end, plan.n_cols))

    def _marks(self, s: int) -> Row:
        """Return the borders between the lanes of strip s, empty where none were kept."""
        plan, state = self.plan, self.state
        marks = state.marks[plan.marks_at[s] : plan.marks_at[s + 1]]
        return Row(state.border[:0], marks, 0, int(plan.lo[s]), min(int(plan.hi[s]) * COLUMNS, plan.n_cols))

    def _cost(self, s: int, j: int) -> int:
        """Return what the node below strip s behind ``j`` columns costs more than the strip's upper left corner."""
        plan = self.plan
        low, height = int(plan.lo[s]) * COLUMNS, strip_rows(plan.depth)
        rows = min(int(plan.rows.size) - s * height, height)
        if s + 1 < plan.lo.size:
            return rows + int(cost_along(plan.signs, self._row(s + 1), low, j))
        size = plan.depth * LANES  # the last strip may be filled up with rows that there are not
        ones = [int(row_ones(plan.depth, rows, self.state.final[s, k * size :])) for k in range(len(plan.signs))]
        down = ones[0] - ones[1] if len(ones) > 1 else 2 * ones[0] - rows
        return int(cost_along(plan.signs, self._row(s), low, j)) + down

    def _trace_alone(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Compute a matrix of one strip while remembering all of it, and walk back.

        For short inputs: a second pass over the only strip would double the work.
        """
        plan, state = self.plan._replace(keep=1 << 40), self.state  # only its beginning is kept
        since = perf_counter()
        steps = int(plan.hi[0]) + BITS - 1
        sign = plan.depth * LANES
        size, carries = len(plan.signs) * sign, len(plan.signs) * CARRIES
        self._make_room(steps)
        state.saved[:sign] = ~np.uint64(0)
        state.saved[sign : size + carries] = 0
        pack_rows(plan.rows, 0, plan.depth, plan.n_planes, state.row_planes[: plan.n_planes * sign])
        n, m = int(plan.rows.size), plan.n_cols
        walk_back(plan, state, 0, n, m, 0, *self.planes, self._memory, -1, 0, *self._runs)
        state.final[0] = state.v[:size]
        state.board[:] = BlockState.DONE
        yield StepDone(job_id, "blocks", int(plan.last[0]), self.n_cells, perf_counter() - since)
        since = perf_counter()
        i, j, _, _ = self._walk(0, n, m, pieces, known=0)
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))
        state.board[:] = BlockState.PATH
        yield StepDone(job_id, "traceback", 1, 0, perf_counter() - since)

    @classmethod
    def make_ready(cls, job_id: int, planes: int, n_codes: int, *, path: bool) -> Generator[Event, None, None]:
        """Compile (or load) what a matrix of such codes needs: to compute its blocks, or to walk back.

        Apart, as a matrix of one strip is computed by its walk back, and needs nothing of blocks.
        """

        def rehearse() -> None:
            """Call every compiled function once, for a tiny matrix."""
            tiny = pack(job_id, np.zeros(3, np.uint8), np.ones(3, np.uint8), n_codes, planes)
            matrix = cls(returned(tiny), Shape(1, 512, 1, 1))
            list(matrix._trace_alone(0, []) if path else matrix._compute(0, ""))
            matrix.ones(0)
            if not path:
                _advance.stop(matrix.state)

        yield from warm_up(job_id, *cls._key(planes, n_codes, path=path), rehearse)

    @classmethod
    def expect_walk(cls, planes: int, n_codes: int) -> None:
        """Have what walks back compiled elsewhere by the time that it is needed, if that can be."""
        compile_ahead.at_hand(kernel_name(*cls._key(planes, n_codes, path=True)))

    @classmethod
    def _key(cls, planes: int, n_codes: int, *, path: bool) -> tuple[str, Hashable]:
        """Return kernel and variant, see ``warm_up``."""
        key = planes_of(planes, n_codes)
        if path:
            return "traceback", (*key, f"{cls.method} path".strip())
        return "blocks", (*key, cls.method) if cls.method else key

    def mark_front(self, alignment: Alignment) -> None:
        """Mark the blocks that an alignment of both sequences crosses until it has left the common letters."""
        height, i, j = strip_rows(self.plan.depth), 0, 0
        for op, n in zip(alignment.ops.tolist(), alignment.lengths.tolist(), strict=True):
            if min(i, j) >= self.common:
                break
            down, right = op != INSERTION, op != DELETION
            below = i + n * down
            for s in range(min(i, self.plan.rows.size - 1) // height, (max(below, i + 1, 1) - 1) // height + 1):
                first, last = max(i, s * height) - i, min(below, (s + 1) * height) - i
                self._mark_path(s, j + first * right, j + (last if down else n) * right)
            i, j = below, j + n * right

    def _mark_path(self, strip: int, j0: int, j1: int) -> None:
        board, plan = self.state.board, self.plan
        unit = plan.steps * COLUMNS * plan.board_cols
        row = board[strip // plan.board_rows, min(j0 // unit, board.shape[1] - 1) : (max(j1, 1) - 1) // unit + 1]
        row[row != BlockState.OUTSIDE_BAND] = BlockState.PATH
