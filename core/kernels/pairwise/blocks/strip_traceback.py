"""Traceback through the strips of a matrix, by recomputed or logged blocks."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Ops
from wavediff.core.jit.bits import GROUP_COLUMNS, pack_rows
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import record_row
from wavediff.core.kernels.pairwise.blocks.block_recompute import recompute_buffers, trace_strips
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.block_worker import Planes, column_ones
from wavediff.core.kernels.pairwise.blocks.diagonal_trace import StripBorders, TopBorder, cost_along, trace_by_diagonals
from wavediff.core.kernels.pairwise.blocks.matrix_plan import (
    CARRY_WORDS,
    ONLY_BEGINNINGS,
    MatrixPlan,
    MatrixState,
    mark_path,
    padded,
    strip_rows,
)
from wavediff.core.kernels.traceback.left_align import normalized_but_end

REPORT_SECONDS = 0.016
MAX_FAILED_DIAGONAL_TRACES = 4  # tries of a shortcut; from the second one on the next is twice as many strips away
SKEWED_STEPS_PER_ROW = 4  # steps for each row of a lane that are remembered in addition to those of a block
REPORT_CELLS = 1 << 31  # computed again before a report
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


class StripTraceback:
    """Traceback of one matrix.

    Args:
        common: equal letters at the front, which it need not cross.
        planes: see ``wavediff.core.kernels.pairwise.blocks.block_worker``.
        apart: compute lanes in their own columns, see ``wavediff.core.kernels.pairwise.blocks.block_recompute``; needs
            marks.
    """

    def __init__(
        self,
        plan: MatrixPlan,
        state: MatrixState,
        shape: BlockShapePlan,
        planes: Planes,
        common: int,
        *,
        apart: bool = False,
    ) -> None:
        self._plan, self._state, self._shape = plan, state, shape
        self._planes, self._common, self._apart = planes, common, True if apart else None

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]], shortcuts: bool) -> Generator[Event, None, None]:
        """Trace back, appending runs (last column first) to ``pieces``; needs stored states.

        Args:
            shortcuts: trace by diagonals if likely faster.
        """
        self.make_room()
        end = int(self._plan.rows.size), self._plan.n_cols
        pieces.append(self.rest(*(yield from self.through(step, pieces, shortcuts, end, 0))))

    def through(
        self, step: Step, pieces: list[tuple[Ops, Counts]], shortcuts: bool, at: tuple[int, int], until: int,
        known: int = -1,
    ) -> Generator[Event, None, tuple[int, int]]:  # fmt: skip
        """Trace strip by strip from node ``at`` to row ``until``, the first of a strip; return the end.

        Args:
            known: first logged step of the last strip; -1: none.
        """
        plan, alone, height = self._plan, known >= 0, strip_rows(self._plan.depth)
        (i, j), until = at, max(until, self._common)
        since, calls, cells = perf_counter(), int(alone), 0
        try_at, vain = self._plan.lo.size, 0  # strip at which a shortcut is tried again; tries without effect before
        while i > until and j > self._common:
            s = (i - 1) // height
            top, low, high = s * height, int(plan.lo[s]) * GROUP_COLUMNS, int(plan.hi[s]) * GROUP_COLUMNS
            whole = i == top + height or i == plan.rows.size
            if shortcuts and whole and low < j <= high and top >= self._common and s <= try_at:
                before, state = i, self._state
                borders = StripBorders(
                    state.border, plan.border_at, plan.border_words, state.marks, plan.marks_at, plan.lo, plan.hi
                )
                board = state.block_map, plan.board_rows, plan.steps * GROUP_COLUMNS * plan.board_cols
                there = borders, plan.depth, until, i, j, self._cost(s, j), *board
                i, j, ops, lengths = trace_by_diagonals(plan.delta_bits, plan.rows, plan.letters, *there)
                if ops.size:
                    pieces.append((ops, lengths))
                if i < before and i % height == 0:
                    continue
                s = (i - 1) // height
                top = s * height
                vain = 0 if i < min(before, top + height) else min(vain + 1, MAX_FAILED_DIAGONAL_TRACES)
                try_at = s - (1 << max(0, vain - 1))
            if i > max(top, until) and j > self._common:
                upto = until // height
                if shortcuts:
                    upto = max(try_at + 1, upto) if s > try_at else s
                i, j, more, of_them = self._walk(s, upto, i, j, pieces, known)
                calls, cells, known = calls + more, cells + of_them, -1
            if perf_counter() - since > REPORT_SECONDS:
                yield step.done("traceback", since, calls, cells)
                since, calls, cells = perf_counter(), 0, 0
        if alone and i < height:
            mark_path(plan, self._state.block_map, 0, 0, j)
        yield step.done("traceback", since, calls, cells)
        return i, j

    @staticmethod
    def rest(i: int, j: int) -> tuple[Ops, Counts]:
        """Return the runs from node (i, j) along the edge."""
        return np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Compute a whole matrix strip by strip, logging the last one, and trace back.

        For short inputs: a second pass over a single strip would double the work. Other strips are recomputed when the
        traceback reaches them.
        """
        plan, state = self._plan._replace(keep=ONLY_BEGINNINGS), self._state
        self._plan = plan
        n, m, height, last = int(plan.rows.size), plan.n_cols, strip_rows(plan.depth), plan.lo.size - 1
        sign = plan.depth * LANES
        size, carries = len(plan.delta_bits) * sign, len(plan.delta_bits) * CARRY_WORDS
        planes = plan.n_planes * sign
        self._make_room_for(int(plan.hi[0]) + BITS - 1)
        start = perf_counter()
        for s in range(last + 1):
            since, bottom = perf_counter(), min(n, (s + 1) * height)
            at, packed = int(plan.saved_at[s]), s * padded(planes)
            state.saved[at : at + sign] = ~np.uint64(0)
            state.saved[at + sign : at + size + carries] = 0
            pack_rows(plan.rows, s * height, plan.depth, plan.n_planes, state.row_planes[packed : packed + planes])
            trace_strips(plan, state, s, s, bottom, m, 0, *self._planes, None, self._memory, -1, 0, *self._runs)
            state.final[s] = state.work[:size]
            state.block_map[s // plan.board_rows] = BlockState.DONE
            record_row(state.began, state.ended, s // plan.board_rows, since - start, perf_counter() - start)
            yield step.done("blocks", since, int(plan.last[s]), (bottom - s * height) * m)
        pieces.append(self.rest(*(yield from self.through(step, pieces, False, (n, m), 0, known=0))))

    def rehearse(self) -> None:
        """Compile the functions of ``trace``."""
        self.make_room()
        rest = *self._planes, self._apart, self._memory, -1, REPORT_CELLS, *self._runs
        trace_strips(self._plan, self._state, 0, 0, 0, 0, 0, *rest)

    def make_room(self) -> None:
        shape = self._shape
        aside = SKEWED_STEPS_PER_ROW * WORD * shape.depth if self._apart else 0
        self._make_room_for(shape.keep * shape.steps + aside, self._plan.n_planes if self._apart else 0)

    def _make_room_for(self, n_steps: int, planes: int = 0) -> None:
        """Allocate the log for ``n_steps`` recomputed steps."""
        self._memory = recompute_buffers(
            len(self._plan.delta_bits), self._plan.depth, n_steps, self._plan.n_planes, planes
        )
        most = 2 * self._memory.met.size + 2
        self._runs = np.empty(most, np.uint8), np.empty(most, np.int64)

    def _walk(
        self, s: int, upto: int, i: int, j: int, pieces: list[tuple[Ops, Counts]], known: int
    ) -> tuple[int, int, int, int]:
        """Trace through strips s to ``upto`` in limited time, recomputing steps before ``known``."""
        plan, (ops, lengths) = self._plan, self._runs
        top, low = s * strip_rows(plan.depth), int(plan.lo[s]) * GROUP_COLUMNS
        high = min(int(plan.hi[s]) * GROUP_COLUMNS, plan.n_cols)
        if j > high:  # nothing was computed here: the strip above ended further left
            pieces.append((np.array([INSERTION], np.uint8), np.array([j - high], np.int64)))
            j = high
        if j <= low:
            pieces.append((np.array([DELETION], np.uint8), np.array([i - top], np.int64)))
            return top, j, 0, 0
        before = i, j
        rest = self._common, *self._planes, self._apart, self._memory, known, REPORT_CELLS, ops, lengths
        i, j, runs, calls, cells = (int(x) for x in trace_strips(plan, self._state, s, upto, i, j, *rest))
        pieces += normalized_but_end((ops[:runs].copy(), lengths[:runs].copy()), before, (i, j))
        return i, j, calls, cells

    def _row(self, s: int) -> TopBorder:
        """Return the border above strip s, and its computed columns."""
        plan, state = self._plan, self._state
        at = int(plan.border_at[s])
        words = state.border[at : at + int(plan.border_words[s]) * GROUP_COLUMNS * len(plan.delta_bits)]
        first, end = (int(plan.lo[s - 1]), int(plan.hi[s - 1]) * GROUP_COLUMNS) if s else (0, plan.n_cols)
        return TopBorder(words, state.marks[:0], 0, first, min(end, plan.n_cols))

    def _cost(self, s: int, j: int) -> int:
        """Return the cost below strip s after ``j`` columns, relative to the strip's upper left corner."""
        plan, final = self._plan, self._state.final[s:]
        low, height = int(plan.lo[s]) * GROUP_COLUMNS, strip_rows(plan.depth)
        rows = min(int(plan.rows.size) - s * height, height)
        if s + 1 < plan.lo.size:
            return rows + int(cost_along(plan.delta_bits, self._row(s + 1), low, j))
        size = plan.depth * LANES  # the last strip may be filled up with rows that there are not
        ones = [int(column_ones(plan.depth, rows, final, k * size)) for k in range(len(plan.delta_bits))]
        down = ones[0] - ones[1] if len(ones) > 1 else 2 * ones[0] - rows
        return int(cost_along(plan.delta_bits, self._row(s), low, j)) + down
