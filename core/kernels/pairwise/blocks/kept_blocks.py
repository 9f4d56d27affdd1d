"""Recomputation of matrix cells from stored row borders and block states.

The strips of the cells are recomputed from stored states before them, logging each stripe's carries and, at intervals,
its rows (``wavediff.core.kernels.pairwise.blocks.block_recompute``). These are differences. Absolute values are their
sums along the border above the strip, then down its staggered stripes, each one column group behind the one above (Sudo
and Shinohara).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Words, aligned_words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.simd import BITS, LANES
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.kept_matrix import KernelLayout, Values, WordBits, edit_cells, fill_cells, lcs_cells
from wavediff.core.kernels.pairwise.blocks.block_recompute import RecomputeBuffers, recompute_buffers, trace_strips
from wavediff.core.kernels.pairwise.blocks.block_worker import Planes
from wavediff.core.kernels.pairwise.blocks.border_values import border_value
from wavediff.core.kernels.pairwise.blocks.matrix_plan import (
    CARRY_WORDS,
    ONLY_BEGINNINGS,
    MatrixPlan,
    MatrixState,
    padded,
    strip_rows,
)
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.blocks.row_borders import ROW_LOG_STEPS

LOCK_SECONDS = 0.02  # a walk back is waited for, looking whether the job was stopped
Differences = npt.NDArray[np.int64]


class StripCells(NamedTuple):
    """Values left of (from the row above) and above (from the left) some cells of a strip."""

    left: Values
    above: Values


class KeptBlocks:
    """Stored matrix of an LCS or an edit distance; see ``wavediff.core.jobs.kept_matrix.KeptMatrix``.

    Args:
        plan, state: of a computed matrix; the marks between lanes are freed.
        planes: see ``wavediff.core.kernels.pairwise.blocks.block_worker``.
        make_ready: compiles the traceback for a job.
    """

    def __init__(
        self,
        plan: MatrixPlan,
        state: MatrixState,
        planes: Planes,
        make_ready: Callable[[Step], Generator[Event, None, None]],
    ) -> None:
        self._plan, self._planes, self._make_ready = plan, planes, make_ready
        # The run goes on with its own room for a strip at work.
        signs, rows = len(plan.delta_bits), plan.depth * LANES
        work = aligned_words(padded(signs * (rows + CARRY_WORDS) + plan.n_planes * rows))
        self._state = state._replace(marks=state.marks[:0].copy(), work=work)
        self.lock = Lock()  # held by the walk back, which writes borders again, and by who reads them
        self._signs, self._is_lcs = len(plan.delta_bits), len(plan.delta_bits) == LCS_SIGNS

    def only_beginnings(self) -> None:
        """Note that everything is computed, but only the first state of each strip is stored."""
        self._plan = self._plan._replace(keep=ONLY_BEGINNINGS)
        self._state.progress[:] = self._plan.last

    @property
    def n_bytes(self) -> int:
        plan, state = self._plan, self._state
        arrays = plan.rows, plan.letters, plan.columns, state.border, state.saved, state.final, state.row_planes
        return sum(one.nbytes for one in arrays)

    @property
    def layout(self) -> KernelLayout:
        return KernelLayout(self._plan.depth, BITS, GROUP_COLUMNS)

    @property
    def computed_again(self) -> tuple[int, int]:
        plan = self._plan
        columns = plan.keep * plan.steps * GROUP_COLUMNS
        return min(strip_rows(plan.depth), int(plan.rows.size)), min(columns, plan.n_cols)

    def columns(self, row: int, n_rows: int) -> tuple[int, int]:
        """Return the columns ``[first, end)`` computed in all of ``n_rows`` rows."""
        plan, height = self._plan, strip_rows(self._plan.depth)
        if row + n_rows > plan.rows.size:
            return 0, 0
        last, inside = divmod(row + n_rows - 1, height)
        strips = slice(row // height, last + 1)
        first, end = int(plan.lo[strips].max()), int(plan.hi[strips].min())
        done = int(self._state.progress[last])
        if done < plan.last[last]:  # as far as the lowest stripe has come; those above are further
            end = max(first, min(end, done * plan.steps - inside // plan.depth))
        return first * GROUP_COLUMNS, min(end * GROUP_COLUMNS, plan.n_cols)

    def values(self, step: Step, row: int, col: int, n_rows: int, n_cols: int) -> Generator[Event, None, Values]:
        """See ``wavediff.core.jobs.kept_matrix.KeptMatrix``."""
        yield from self._make_ready(step)
        while not self.lock.acquire(timeout=LOCK_SECONDS):
            yield step.took("window", LOCK_SECONDS, 0)
        try:
            return (yield from self._values(step, row, col, n_rows, n_cols))
        finally:
            self.lock.release()

    def _values(self, step: Step, row: int, col: int, n_rows: int, n_cols: int) -> Generator[Event, None, Values]:
        height, left, above = strip_rows(self._plan.depth), [np.zeros(0, np.int64)], np.zeros(0, np.int64)
        at = row
        while at < row + n_rows:
            start, s = perf_counter(), at // height
            upto = min(row + n_rows, (s + 1) * height)
            strip, cells = self._strip(s, at, upto, col, col + n_cols)
            if at == row:
                above = strip.above
            left.append(strip.left[at > row :])
            yield step.done("window", start, 1, cells)
            at = upto
        return fill_cells(
            lcs_cells if self._is_lcs else edit_cells,
            self._plan.rows[row : row + n_rows, None] == self._plan.letters[None, col : col + n_cols],
            np.concatenate(left),
            above,
        )

    def words(self, row: int, col: int, n_rows: int, n_cols: int) -> WordBits:  # noqa: ARG002
        """Return an empty dictionary, as words follow from the values."""
        return {}

    def _strip(self, s: int, r0: int, r1: int, c0: int, c1: int) -> tuple[StripCells, int]:
        """Return the border values of rows r0 to r1, columns c0 to c1 of strip s, and the recomputed cells."""
        plan, depth = self._plan, self._plan.depth
        top = s * strip_rows(depth)
        b0, b1 = (r0 - top) // depth, (r1 - 1 - top) // depth
        g0, g1 = c0 // GROUP_COLUMNS, (c1 - 1) // GROUP_COLUMNS
        lo, end = int(plan.lo[s]) * GROUP_COLUMNS, min(int(plan.hi[s]) * GROUP_COLUMNS, plan.n_cols)
        log = _StripLog(self, s, (b0, b1), (g0, g1))
        left: list[Differences] = []
        above = np.zeros(0, np.int64)
        corner = 0
        for b in range(b0, b1 + 1):
            first = top + b * depth
            rows = slice(first, min(first + depth, plan.rows.size))
            rise, group = log.rows_of(b, g0)
            begin = max(group * GROUP_COLUMNS, lo)
            if b == b0:
                corner = self._value_at(s, log, b, group, lo, end)
                upto = c1
            else:
                upto = c0
            entering = log.entering(b, begin, upto)
            table = fill_cells(
                lcs_cells if self._is_lcs else edit_cells,
                plan.rows[rows, None] == plan.letters[None, begin:upto],
                corner + np.concatenate([[0], np.cumsum(rise[: rows.stop - rows.start])]),
                corner + np.concatenate([[0], np.cumsum(entering)]),
            )
            column = table[:, c0 - begin]
            if b == b0:
                above = table[r0 - first, c0 - begin :].copy()
                left.append(above[:1])
            left.append(left[-1][-1] + column[1:] - column[0] if b > b0 else column[r0 - first + 1 :])
        values = np.concatenate(left)[: r1 - r0 + 1]
        return StripCells(values, above), log.cells

    def _value_at(self, s: int, log: _StripLog, stripe: int, group: int, lo: int, end: int) -> int:
        """Return the value of the node above a stripe of strip s and left of ``group``.

        Sum along the border above the strip to the column of its first stripe at that step; then down the stripes, each
        one group further left.

        Args:
            log: includes that step. lo, end: the strip's column range.
        """
        step = group + stripe
        down, carries = log.all_stripes(step)
        columns = np.clip((step - np.arange(BITS))[:, None] * GROUP_COLUMNS + np.arange(GROUP_COLUMNS), -1, end)
        inside = (columns >= lo) & (columns < end)
        inside[0] = False  # the border above the first stripe is added up to there
        start = min(max(step * GROUP_COLUMNS, lo), end)
        before = slice(0, stripe + 1)
        there = border_value(self._plan, self._state.border, s, start)
        return there + int(down[:stripe].sum() - (carries[before] * inside[before]).sum())

    def replay(self, s: int, i: int, j: int, memory: RecomputeBuffers) -> int:
        """Recompute strip s up to cell (i, j) from the preceding stored state; return the number of cells.

        The row border below is written to a copy, as another thread may be using the original.
        """
        plan, border = self._plan, self._state.border
        first = int(plan.border_at[s])
        end = int(plan.border_at[s + 2]) if s + 2 < plan.border_at.size else border.size
        there = plan._replace(border_at=plan.border_at - first)
        state = self._state._replace(border=border[first:end].copy())
        runs = np.empty(2 * memory.met.size + 2, np.uint8), np.empty(2 * memory.met.size + 2, np.int64)
        rest = 0, *self._planes, None, memory, -1, 0, *runs
        return int(trace_strips(there, state, s, s, i, j, *rest)[4])

    @property
    def plan(self) -> MatrixPlan:
        return self._plan


class _StripLog:
    """Recomputed carries and rows of some stripes in some column groups.

    Args:
        stripes, groups: first and last.
    """

    def __init__(self, kept: KeptBlocks, s: int, stripes: tuple[int, int], groups: tuple[int, int]) -> None:
        plan = kept.plan
        self._depth, self._is_lcs = plan.depth, len(plan.delta_bits) == LCS_SIGNS
        self._top = s * strip_rows(plan.depth)
        blocks = min(plan.keep, int(plan.last[s] - plan.first[s]))
        self._length, self._first = blocks * plan.steps, int(plan.first[s]) * plan.steps
        self._pieces: dict[int, tuple[Words, Words]] = {}  # number of a kept state -> rows and carries logged from it
        self.cells = 0
        (b0, b1), (g0, g1) = stripes, groups
        n_signs, last = len(plan.delta_bits), g1 + b1
        for number in range((g0 + b0 - self._first) // self._length, (last - self._first) // self._length + 1):
            step = min(last, self._first + (number + 1) * self._length - 1)
            stripe = max(b0, min(b1, step - g0))
            i, j = self._top + stripe * plan.depth + 1, (step - stripe) * GROUP_COLUMNS + 1
            memory = recompute_buffers(n_signs, plan.depth, self._length, plan.n_planes)
            self.cells += kept.replay(s, i, j, memory)
            self._pieces[number] = (
                memory.v.reshape(-1, n_signs, plan.depth, LANES),
                memory.h.reshape(-1, n_signs, GROUP_COLUMNS, LANES),
            )

    def _place(self, step: int) -> tuple[int, int]:
        return divmod(step - self._first, self._length)

    def rows_of(self, stripe: int, group: int) -> tuple[Differences, int]:
        """Return the row differences of a stripe, and the group before which they are valid.

        Args:
            group: the result is at this group or just before it.
        """
        number, since = self._place(group + stripe)
        since -= since % ROW_LOG_STEPS
        rows, _ = self._pieces[number]
        words = rows[since // ROW_LOG_STEPS, :, :, stripe // 64]
        return self._rises(words >> np.uint64(stripe % 64) & np.uint64(1)), (
            self._first + number * self._length + since - stripe
        )  # fmt: skip

    def entering(self, stripe: int, begin: int, end: int) -> Differences:
        """Return the column differences above a stripe in columns ``begin`` to ``end``."""
        differences = np.empty(end - begin, np.int64)
        for k, col in enumerate(range(begin, end)):
            number, since = self._place(col // GROUP_COLUMNS + stripe)
            words = self._pieces[number][1][since, :, col % GROUP_COLUMNS, stripe // 64]
            bits = (words >> np.uint64(stripe % 64) & np.uint64(1)).astype(np.int64)
            differences[k] = bits[0] - (0 if self._is_lcs else bits[1])
        return differences

    def all_stripes(self, step: int) -> tuple[Differences, Differences]:
        """Return the height difference of each stripe before a logged step, and its incoming carries.

        Returns:
            int64, shapes (BITS,) and (BITS, GROUP_COLUMNS).
        """
        number, since = self._place(step)
        rows, carries = self._pieces[number]
        down = self._rises(_bits(rows[since // ROW_LOG_STEPS])).sum(axis=0)
        bits = _bits(carries[since])
        return down, (bits[0] - (0 if self._is_lcs else bits[1])).T

    def _rises(self, bits: npt.NDArray[np.generic]) -> Differences:
        """Convert sign bits to differences."""
        signs = bits.astype(np.int64)
        rises: Differences = 1 - signs[0] if self._is_lcs else signs[0] - signs[1]
        return rises


def _bits(words: Words) -> Differences:
    """Unpack vectors (..., LANES) to bits, int64, shape (..., BITS)."""
    flat = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(flat, axis=-1, bitorder="little").astype(np.int64)
