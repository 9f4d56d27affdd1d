"""The matrix of one pair: block computation, score, traceback.

Ties, from the end: first two letters in one column, then an insertion, then a deletion; a gap is as short as possible.
So no gap can move left at the same score, and the alignment depends on letters and scores only.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Ops, Runs, aligned_words
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jit.decorators import jit_callee, jit_with
from wavediff.core.jit.simd import BITS
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import MAX_BOARD, BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord, thread_lanes
from wavediff.core.kernels.affine import blocks
from wavediff.core.kernels.affine.blocks import INSERTION as INSERTED
from wavediff.core.kernels.affine.blocks import OPENS_DELETION, OPENS_INSERTION, PAIR, Plan, State
from wavediff.core.kernels.block_threads import compute_blocks
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.scoring.matrix import MAX_LETTERS
from wavediff.core.sequences.scoring.scheme import ScoringScheme
from wavediff.core.system.machine import available_memory

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
ROW, COLUMN, GAP = range(3)  # of a place: letters of A and of B that are left; the gap that is open there
CLOSED, IN_INSERTION, IN_DELETION = range(3)
ALWAYS_GRANTED_BYTES = 1 << 28  # what no one need be asked for
REPORT_SECONDS = 0.016
MIN_SIDE, MAX_SIDE = 512, 8192  # letters of a block
LARGE_LETTERS = 1 << 14  # longer sequences have larger blocks: an eighth of a block of the least size is not used
BORDER_BYTES = 1 << 28  # of kept borders, above which blocks are made larger
CELL_TIME = 32  # times that of a cell of the LCS, about
PROFILE_STRIPS = 1 << 10  # strips of the query profile between two reports


def lanes_of(scoring: ScoringScheme) -> int:
    """Return the number of cells per vector."""
    return BITS // (8 * width_of(scoring))


def width_of(scoring: ScoringScheme) -> int:
    """Return the bytes per difference."""
    return 1 if scoring.fits_bytes else 2


def stages_of(lanes: int) -> tuple[int, ...]:
    """Return a tuple whose length is the bit width of a lane number (a compile-time constant)."""
    return (0,) * (lanes.bit_length() - 1)


def block_side(n: int, m: int, width: int) -> int:
    side = MIN_SIDE if max(n, m) <= LARGE_LETTERS else 2 * MIN_SIDE
    while side < MAX_SIDE and 4 * n * m * width // side > BORDER_BYTES:
        side *= 2
    return side


def block_grid(scoring: ScoringScheme, n: int, m: int, rows: int = 0, cols: int = 0) -> BlockGrid:
    """Return the blocks of a matrix: of ``rows`` and ``cols`` letters, 0 = automatic; rows fill the lanes."""
    side, lanes = block_side(n, m, width_of(scoring)), lanes_of(scoring)
    return BlockGrid(n, m, -(-(rows or side) // lanes) * lanes, cols or side)


def memory(grid: BlockGrid, scoring: ScoringScheme, *, kept: bool, n_codes: int) -> int:
    """Return the memory in bytes of the matrix of ``grid``."""
    n, m, rows, cols = grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols
    width, lanes, shape = width_of(scoring), lanes_of(scoring), grid.shape
    borders = 2 * width * ((kept * shape[0] + 1) * (m + lanes) + (kept * shape[1] + 1) * (n + lanes))
    traced = width * min(rows, n + lanes) * (min(cols, m) + lanes) if kept else 0
    return borders + traced + width * n_codes * (n + lanes) + n + m + lanes


class AffineMatrix:
    """The matrix of two non-empty sequences on the CPU.

    Args:
        a, b: codes of ``scoring.matrix``, uint8.
        grid: its blocks, see ``block_grid``.
        kept: store the borders for a traceback.

    Raises:
        NotEnoughMemory: it does not fit; nothing has been allocated.
    """

    def __init__(
        self, a: Letters, b: Letters, scoring: ScoringScheme, grid: BlockGrid, *, kept: bool, threads: int
    ) -> None:
        n, m, rows, cols = grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols
        lanes, kind = lanes_of(scoring), np.dtype(np.int8 if scoring.fits_bytes else np.int16)
        (occurring,) = np.bincount(b, minlength=MAX_LETTERS).nonzero()
        need = memory(grid, scoring, kept=kept, n_codes=occurring.size)
        if need > ALWAYS_GRANTED_BYTES and need > (free := available_memory()) * 3 // 4:
            raise NotEnoughMemory(
                f"the {'alignment' if kept else 'score'} of {n:,} and {m:,} letters needs {need / 1e9:.1f} GB and "
                f"{free / 1e9:.1f} GB are free" + ("; only the score ('--traceback none') needs less" if kept else ""),
                **({"traceback": TracebackMethod.NONE} if kept else {}),
            )
        self.grid, shape = grid, grid.shape
        self.threads = max(1, min(threads, *shape))
        places = -(-shape[0] // MAX_BOARD), -(-shape[1] // MAX_BOARD)
        self.block_map: BlockMap = np.zeros((-(-shape[0] // places[0]), -(-shape[1] // places[1])), np.uint8)
        self.stages = stages_of(lanes)
        self._scores, self._rows, self.lanes = scoring.scores.take(occurring, 1), a, lanes
        dense = np.zeros(MAX_LETTERS, np.uint8)
        dense[occurring] = np.arange(occurring.size)
        codes = np.zeros(m + lanes, np.uint8)
        np.take(dense, b, out=codes[:m])
        n_padded = -(-n // lanes) * lanes
        n_rings = self.threads * lanes * lanes  # these, and so what is behind them, in no two cache lines each
        space = aligned_words((n_rings + n_padded * occurring.size) * kind.itemsize // 8).view(kind)
        self.plan = Plan(
            codes, space[n_rings:], n, m, int(occurring.size), (scoring.open, scoring.extend),
            rows, cols, kept, *places,
        )  # fmt: skip
        self.state = State(
            # Left as it comes: nothing is read of it but what was written, and lanes that no cell depends on.
            u=np.empty((shape[0] + 1 if kept else 1) * (m + lanes), kind),
            y=np.empty((shape[0] + 1 if kept else 1) * (m + lanes), kind),
            v=np.empty((shape[1] + 1 if kept else 1) * n_padded, kind),
            x=np.empty((shape[1] + 1 if kept else 1) * n_padded, kind),
            block_map=self.block_map,
            shared=np.zeros(4, np.int64),
            progress=np.zeros(shape[1], np.int64),
            column=np.array([-1] * self.threads, np.int64),
            row=np.zeros(self.threads, np.int64),
            cells=np.zeros(self.threads, np.int64),
            rings=space[:n_rings],
            began=np.zeros(self.block_map.shape, np.uint32),
            ended=np.zeros(self.block_map.shape, np.uint32),
            by=np.zeros(self.block_map.shape, np.uint8),
        )
        self.record = RunRecord(self.state.began, self.state.ended, self.state.by, thread_lanes(self.threads))
        for along, across, size in ((self.state.u, self.state.y, m + lanes), (self.state.v, self.state.x, n_padded)):
            along[:size], across[:size] = -scoring.extend, -scoring.open
            along[0] = -scoring.open

    def prepare(self, step: Step) -> Generator[Event, None, None]:
        """Fill the query profile."""
        strips = -(-self.plan.n // self.lanes)
        for first in range(0, strips, PROFILE_STRIPS):
            start, last = perf_counter(), min(first + PROFILE_STRIPS, strips)
            blocks.fill_profile(self.plan.profile, self._rows, self._scores, self.lanes, first, last)
            yield step.done("profile", start)

    def compute(self, step: Step) -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        plan, state = self.plan, self.state
        yield from compute_blocks(
            step, "blocks", self.record, state.shared, state.cells, CELL_TIME * plan.n * plan.m,
            lambda me, budget: int(blocks.advance(plan, state, self.stages, me, budget)),
            lambda me: bool(state.column[me] >= state.progress.size),
        )  # fmt: skip

    def score(self) -> int:
        """Return the scaled score after all blocks are computed: along the top row, then down the right column."""
        plan = self.plan
        right = self.state.v[-(-(-plan.n // self.lanes) * self.lanes) :][: plan.n]
        return -plan.costs[0] - (plan.m - 1) * plan.costs[1] + int(right.sum(dtype=np.int64))

    def trace(self, step: Step, a: Letters, b: Letters) -> Generator[Event, None, Runs]:
        """Return the runs of the alignment in column order.

        Args:
            a, b: letters; case folded if the comparison ignores case.
        """
        plan, state, lanes = self.plan, self.state, self.lanes
        rows, cols = min(plan.block_rows, plan.n + lanes), min(plan.block_cols, plan.m)
        kind = plan.profile.dtype
        seen = np.empty(rows * (cols + lanes), kind)
        u, y, v, x = (np.empty(size + lanes, kind) for size in (cols, cols, rows, rows))
        ops, lengths = np.empty(rows + cols, np.uint8), np.empty(rows + cols, np.int64)
        place = np.array([plan.n, plan.m, 0], np.int64)
        pieces: list[tuple[Ops, Counts]] = []
        since, calls, cells = perf_counter(), 0, 0
        while place[ROW] > 0 and place[COLUMN] > 0:
            row1, col1 = int(place[ROW]), int(place[COLUMN])
            r, c = (row1 - 1) // plan.block_rows, (col1 - 1) // plan.block_cols
            row0, col0 = r * plan.block_rows, c * plan.block_cols
            blocks.trace_block(plan, state, r, c, row1, col1, u, y, v, x, state.rings, seen, self.stages)
            steps = col1 - col0 + lanes - 1
            runs = follow_block(a, b, row0, col0, steps, lanes, seen, place, ops, lengths)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            self.block_map[r // plan.board_rows, c // plan.board_cols] = BlockState.PATH
            calls, cells = calls + 1, cells + (row1 - row0) * (col1 - col0)
            if perf_counter() - since > REPORT_SECONDS:
                yield step.done("traceback", since, calls, cells)
                since, calls, cells = perf_counter(), 0, 0
        path = joined(pieces, place)
        yield step.done("traceback", since, calls, cells)
        return path


def joined(pieces: list[tuple[Ops, Counts]], place: Counts) -> Runs:
    """Join traceback pieces (last column first) and the rest at ``place``, in column order; adjacent runs differ."""
    pieces.append((np.array([Op.INSERTION, Op.DELETION], np.uint8), place[[COLUMN, ROW]]))
    ops: npt.NDArray[Any] = np.concatenate([ops for ops, _ in pieces])[::-1]
    lengths = np.concatenate([lengths for _, lengths in pieces])[::-1]
    ops, lengths = ops[lengths > 0], lengths[lengths > 0]
    if not ops.size:
        return ops, lengths
    first = np.flatnonzero(np.concatenate([[True], ops[1:] != ops[:-1]]))
    return ops[first], np.add.reduceat(lengths, first)


@jit_callee
def _add(ops, lengths, runs, op):  # type: ignore[no-untyped-def]
    if runs and ops[runs - 1] == op:
        lengths[runs - 1] += 1
        return runs
    ops[runs], lengths[runs] = op, 1
    return runs + 1


@jit_with(error_model="numpy")
def follow_block(a, b, row0, col0, steps, lanes, seen, place, ops, lengths):  # type: ignore[no-untyped-def]
    """Trace back from ``place`` to an edge of the block.

    Args:
        a, b: letters; case folded if the comparison ignores case.
        row0, col0: letters before the block. steps, lanes: shape of a strip's flags in ``seen``.
        place: int64, see above; updated. ops, lengths: output of the runs, last column first.

    Returns:
        Runs written.
    """
    runs = 0
    i, j, gap = place[ROW], place[COLUMN], place[GAP]
    while i > row0 and j > col0:
        strip, lane = (i - row0 - 1) // lanes, (i - row0 - 1) % lanes
        flags = seen[(strip * steps + j - col0 - 1 + lane) * lanes + lane]
        if gap == CLOSED and flags & PAIR:
            runs = _add(ops, lengths, runs, EQUAL if a[i - 1] == b[j - 1] else MISMATCH)
            i, j = i - 1, j - 1
        elif (gap == CLOSED and flags & INSERTED) or (gap == IN_INSERTION and not flags & OPENS_INSERTION):
            runs = _add(ops, lengths, runs, INSERTION)
            j, gap = j - 1, IN_INSERTION
        elif gap == CLOSED or (gap == IN_DELETION and not flags & OPENS_DELETION):
            runs = _add(ops, lengths, runs, DELETION)
            i, gap = i - 1, IN_DELETION
        else:
            gap = CLOSED
    place[ROW], place[COLUMN], place[GAP] = i, j, gap
    return runs
