"""Narrow band in pieces, computed and traced in parallel: each starts from a guess that is verified afterwards.

A strip passes down differences of neighbouring nodes. After some strips these no longer depend on the first row, as the
best paths to all nodes have merged: rank convergence (Maleki, Musuvathi and Mytkowicz 2014). So a piece starts some
strips early, as if all paths came along the diagonal of the seeds there, and discards these strips. If its first row
differs from the last row of the piece above, it is recomputed from that. Likewise a traceback starts some strips below,
at the node of least cost, and is repeated if the one below ends elsewhere. So borders and path equal those of a single
piece.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Event as Flag
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Ops, Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.clock import BITS_PER_TICK, SINCE
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.simd import WORD
from wavediff.core.jobs.events import Event, Step, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.block_threads import stop
from wavediff.core.kernels.pairwise.blocks.matrix_plan import (
    ACTIVE_STRIPS_PER_THREAD_MIN,
    MatrixPlan,
    MatrixState,
    borders,
    starts,
    strip_rows,
)
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.blocks.strip_traceback import StripTraceback
from wavediff.core.kernels.traceback.parallel import run_parallel

LEAST_BLOCKS = 1 << 6  # of a call: to make it takes as long as some of them
NEIGHBOURS = 8  # seeds whose diagonals tell where a path comes along
WALK_ROWS = 1 << 18  # rows of a walk, at least: shorter ones wait for each other between their calls
ONE = np.uint64(1)
Advance = Callable[[MatrixPlan, MatrixState, int, int], int]
Part = tuple[MatrixPlan, MatrixState]


class Pieces:
    """Pieces of a matrix, one per thread.

    Args:
        warm_up: discarded strips above a piece. course: rows of seed matches, and their diagonals.

    state: has extra borders for the start of each piece.
    """

    def __init__(self, plan: MatrixPlan, state: MatrixState, warm_up: int, course: tuple[Counts, Counts]) -> None:
        n, unit, self._n = plan.lo.size, plan.board_rows, state.cells.size
        cuts = [n * k // self._n // unit * unit for k in range(self._n)]
        self._ranges, self._warm_up = list(zip(cuts, [*cuts[1:], n], strict=True)), warm_up
        self._course, self._begin = course, state.final[0].copy()
        self._streams = len(plan.delta_bits) * GROUP_COLUMNS
        largest = int(plan.border_words[1:].max()) * self._streams
        self._guess_at = [state.border.size - k * largest for k in range(self._n, 0, -1)]
        self._plan, self.state = plan, state
        self._work = state.work.size // (self._n * ACTIVE_STRIPS_PER_THREAD_MIN)
        self._now: list[Part | None] = [None] * self._n
        self._warm = [k > 0 for k in range(self._n)]

    def advance(self, advance: Advance, me: int, budget: int) -> int:
        """Compute up to ``budget`` blocks of a piece in thread ``me``; return their number (at least one)."""
        plan, state = self._now[me] = self._now[me] or (self._begun(me) if me else self._piece(me))
        state.shared[SINCE : BITS_PER_TICK + 1] = self.state.shared[SINCE : BITS_PER_TICK + 1]
        done = advance(plan, state, me, max(budget, LEAST_BLOCKS))
        if self._warm[me] and state.strip[me] >= plan.lo.size:
            at = self._guess_at[me]
            last = state.border[int(plan.border_at[-1]) :]
            self.state.border[at : at + last.size] = last
            self._now[me], self._warm[me] = self._piece(me), False
        return max(done, 1)

    def finished(self, me: int) -> bool:
        part = self._now[me]
        return part is not None and not self._warm[me] and bool(part[1].strip[me] >= part[0].lo.size)

    def stop(self) -> None:
        for _, state in filter(None, self._now):
            stop(state.shared)
        stop(self.state.shared)

    def wrong(self) -> Generator[int, None, None]:
        """Yield each piece whose guessed row differs from the end of the piece above, ready for recomputation."""
        for k in range(1, self._n):
            s, guess = self._ranges[k][0], self._guess_at[k]
            at, n = int(self._plan.border_at[s]), int(self._plan.border_words[s]) * self._streams
            if not np.array_equal(self.state.border[at : at + n], self.state.border[guess : guess + n]):
                self.state.border[guess : guess + n] = self.state.border[at : at + n]
                first, end = self._ranges[k]
                self.state.progress[first:end] = self._plan.first[first:end]
                self.state.final[first:end] = self._begin
                self.state.cells[k] = self.state.skipped[k] = 0
                self._now[k] = self._piece(k)
                yield k

    def _piece(self, k: int) -> Part:
        first, end = self._ranges[k]
        plan, state = self._cut(k, first, end)
        if k:
            at = plan.border_at.copy()
            at[0] = self._guess_at[k]
            plan = plan._replace(border_at=at)
        unit, planes = plan.board_rows, self.state.row_planes.size // self._plan.lo.size
        places = slice(first // unit, -(-end // unit))
        return plan, state._replace(
            progress=self.state.progress[first:end],
            final=self.state.final[first:end],
            row_planes=self.state.row_planes[first * planes :],
            **{name: getattr(self.state, name)[places] for name in ("block_map", "began", "ended", "by")},
        )

    def _begun(self, k: int) -> Part:
        """Return the warm-up strips above a piece, which are discarded."""
        end = self._ranges[k][0]
        first, whole = end - self._warm_up, self._plan
        plan, state = self._cut(k, first, end)
        at = starts(plan.border_words * self._streams)
        border = borders(int(at[-1]), at[:-1], plan.border_words, len(whole.delta_bits), free_columns=False)
        row, (rows, diagonals) = first * strip_rows(plan.depth), self._course
        near = max(0, int(np.searchsorted(rows, row)) - NEIGHBOURS // 2)
        around = sorted(diagonals[near : near + NEIGHBOURS].tolist()) or [0]
        column = row + around[len(around) // 2]
        group = column // GROUP_COLUMNS - int(plan.above_lo[0])
        top = border[: at[1]].reshape(-1, GROUP_COLUMNS, int(plan.border_words[0]))
        left = np.packbits(np.arange(top.shape[-1] * WORD) < group, bitorder="little").view(np.uint64)
        if len(whole.delta_bits) != LCS_SIGNS:
            top[0] &= ~left
        top[-1] |= left
        nothing = np.zeros(end - first + 1, np.int64)
        plan = plan._replace(border_at=at[:-1].copy(), saved_at=nothing, marks_at=nothing, keep=0)
        places = (-(-(end - first) // plan.board_rows), self.state.block_map.shape[1])
        return plan, state._replace(
            border=border,
            saved=state.saved[:0],
            marks=state.marks[:0],
            row_planes=state.row_planes[:0],
            progress=plan.first.copy(),
            final=np.tile(self._begin, (end - first, 1)),
            cells=np.zeros_like(state.cells),
            skipped=np.zeros_like(state.cells),
            **{name: np.zeros(places, getattr(state, name).dtype) for name in ("block_map", "began", "ended", "by")},
        )

    def _cut(self, k: int, first: int, end: int) -> Part:
        plan, state, top = self._plan, self.state, first * strip_rows(self._plan.depth)
        each = {name: getattr(plan, name)[first:end] for name in ("lo", "hi", "first", "last", "above_lo")}
        behind = {
            name: getattr(plan, name)[first : end + 1] for name in ("border_at", "border_words", "saved_at", "marks_at")
        }
        return (
            plan._replace(rows=plan.rows[top:], rare_a=plan.rare_a[top // WORD :], **each, **behind),
            state._replace(
                shared=np.zeros_like(state.shared),
                owner=np.zeros(end - first, np.int64),
                strip=np.full_like(state.strip, -1),
                work=state.work[k * self._work : (k + 1) * self._work],
            ),
        )

    def trace(
        self, step: Step, runs: list[tuple[Ops, Counts]], back: Callable[[Any, Any], StripTraceback], shortcuts: bool
    ) -> Generator[Event, None, None]:
        """Trace back, appending runs (last column first) to ``runs``.

        Args:
            back: creates a traceback from a plan and a state. shortcuts: see ``StripTraceback.trace``.
        """
        plan, height = self._plan, strip_rows(self._plan.depth)
        end = int(plan.rows.size), plan.n_cols
        self._join(max(1, end[0] // WALK_ROWS))

        def walk(k: int) -> Callable[[Flag], _Walk]:
            def steps(flag: Flag) -> _Walk:
                one, (first, last), at = _Walk(back, *self._own(k), step, shortcuts), self._ranges[k], end
                if k + 1 < self._n:
                    s = min(last + self._warm_up, self._ranges[k + 1][1] - 1)
                    at = one.go((s * height, self._least(s)), last * height, flag)
                one.go(at, first * height, flag)
                return one

            return steps

        walks = yield from run_parallel(step, "traceback", [walk(k) for k in range(self._n)])
        at = end
        for k in range(self._n - 1, -1, -1):
            one = walks[k]
            if one.begin != at:
                one.state.block_map[:] = 0
                one.go(at, self._ranges[k][0] * height, Flag())
            at = one.end
            runs += one.found
            rows = slice(self._ranges[k][0] // plan.board_rows, -(-self._ranges[k][1] // plan.board_rows))
            there = self.state.block_map[rows]
            there[(one.state.block_map[rows] == BlockState.PATH) & (there != BlockState.OUTSIDE_BAND)] = BlockState.PATH
            yield step.took("traceback", 0.0, one.calls, one.cells)
        runs.append(walks[0].rest())

    def _join(self, most: int) -> None:
        """Merge computed pieces to at most ``most``."""
        n = min(most, self._n)
        firsts = [self._ranges[k * self._n // n][0] for k in range(n)]
        self._ranges = list(zip(firsts, [*firsts[1:], self._plan.lo.size], strict=True))
        self._n = n

    def _own(self, k: int) -> Part:
        """Return the plan and the state with copies of the borders, for use by one traceback only."""
        first, last = self._ranges[k]
        plan, end = self._plan, min(last + self._warm_up + 1, self._plan.lo.size)
        base = int(plan.border_at[first])
        words: Words = self.state.border[base : int(plan.border_at[end] + plan.border_words[end] * self._streams)]
        return plan._replace(border_at=plan.border_at - base), self.state._replace(
            border=words.copy(),
            block_map=np.zeros_like(self.state.block_map),
            work=self.state.work[k * self._work : (k + 1) * self._work],
        )

    def _least(self, s: int) -> int:
        """Return the number of letters of B before the cheapest node above strip s."""
        plan = self._plan
        at, n, low = int(plan.border_at[s]), int(plan.border_words[s]), int(plan.lo[s - 1]) * GROUP_COLUMNS
        columns = min(int(plan.hi[s - 1]) * GROUP_COLUMNS, plan.n_cols) - low
        return low + int(cheapest_column(self.state.border[at : at + n * self._streams].reshape(-1, n), columns))


@jit_no_nrt
def cheapest_column(border: Words, columns: int) -> int:
    """Return the first of ``columns`` columns after which the nodes of a row border cost least, counted from 1."""
    best, cost, least = np.int64(1), np.int64(0), np.int64(columns + 1)
    for column in range(columns):
        group, parity = column // GROUP_COLUMNS, column % GROUP_COLUMNS
        word, bit = group // WORD, np.uint64(group % WORD)
        grown = np.int64(border[parity, word] >> bit & ONE)
        if border.shape[0] == GROUP_COLUMNS:
            cost += 1 - 2 * grown
        else:
            cost += grown - np.int64(border[GROUP_COLUMNS + parity, word] >> bit & ONE)
        if cost < least:
            best, least = np.int64(column + 1), cost
    return int(best)


class _Walk:
    """Traceback through one piece: start, end, runs, recomputed blocks and cells."""

    def __init__(
        self, back: Callable[[Any, Any], StripTraceback], plan: MatrixPlan, state: MatrixState, step: Step,
        shortcuts: bool,
    ) -> None:  # fmt: skip
        self._back, self._step, self._shortcuts = back(plan, state), step, shortcuts
        self.state = state
        self._back.make_room()

    def go(self, at: tuple[int, int], until: int, flag: Flag) -> tuple[int, int]:
        """Trace from node ``at`` to row ``until``, discarding earlier results; return the end."""
        self.begin, self.end, self.calls, self.cells = at, at, 0, 0
        self.found: list[tuple[Ops, Counts]] = []
        steps = self._back.through(self._step, self.found, self._shortcuts, at, until)
        while not flag.is_set():
            try:
                event = next(steps)
            except StopIteration as ended:
                self.end = int(ended.value[0]), int(ended.value[1])
                break
            if isinstance(event, StepDone):
                self.calls, self.cells = self.calls + event.calls, self.cells + event.cells
        return self.end

    def rest(self) -> tuple[Ops, Counts]:
        return self._back.rest(*self.end)
