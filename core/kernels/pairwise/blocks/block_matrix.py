"""Rectangle of a matrix computed in blocks, with traceback; shared by all methods."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, LetterType, Ops
from wavediff.core.jit import background_compile
from wavediff.core.jit.bits import GROUP_COLUMNS, dense_code
from wavediff.core.jit.simd import LANES
from wavediff.core.jit.warmup import is_compiled, kernel_name, variant, warm_up
from wavediff.core.jit.warmup_job import ONE_STRIP_ROWS, PLANES, WarmupJob, letters
from wavediff.core.jobs.events import REHEARSAL, Event, Step
from wavediff.core.jobs.grid import BlockState, SkippedBlocks
from wavediff.core.jobs.run_record import ROW_TICK_SECONDS, RunRecord, thread_lanes
from wavediff.core.kernels.block_threads import compute_blocks, stop
from wavediff.core.kernels.pairwise.blocks import block_worker as _advance
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, matrix_check
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.block_worker import column_ones, planes_of
from wavediff.core.kernels.pairwise.blocks.kept_blocks import KeptBlocks
from wavediff.core.kernels.pairwise.blocks.matrix_plan import (
    MatrixPlan,
    MatrixState,
    block_cells,
    n_cells,
    plan_matrix,
)
from wavediff.core.kernels.pairwise.blocks.packed_pair import PackedPair, blank, no_codes
from wavediff.core.kernels.pairwise.blocks.pieces import Pieces, cheapest_column
from wavediff.core.kernels.pairwise.blocks.strip_traceback import StripTraceback
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob

KEEP_ALL_CELLS = 1 << 28  # times signs; up to here all that a walk needs is kept in the only pass
COMPILE_WORTH_CELLS = 1 << 31  # times signs; more take as long as to compile a faster way
AGAIN_BLOCKS = 1 << 8  # of a piece, between two reports
QUICK_COUNT_LETTERS = 1 << 20  # letters; in 3 ms
DIAGONAL_TRACE_STRIPS = 3  # strips from which it is worth while to compile the way over diagonals


class BlockMatrix:
    """The matrix of two sequences, or a band of it; subclasses define the method.

    Attributes:
        n_delta_bits: of the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        method: name of the method in kernel names.

    Args:
        band: (low, high) diagonals ``column - row`` that must be inside; None for all.
        monotone: copy monotone borders through a block instead of computing it.
        common: equal letters at the front, not traced back.
        free_rows, free_columns: see ``plan_matrix``. course: for a band in pieces, see ``Pieces``.
    """

    n_delta_bits: ClassVar[int]
    method: ClassVar[str]

    def __init__(
        self,
        packed: PackedPair,
        shape: BlockShapePlan,
        band: tuple[int, int] | None = None,
        *,
        monotone: bool = False,
        common: int = 0,
        free_rows: bool = False,
        free_columns: bool = False,
        course: tuple[Counts, Counts] | None = None,
    ) -> None:
        self.shape, self.common, self._whole = shape, common, band is None
        self._free_columns = free_columns
        self._padding = True  # the rows that fill up the last strip are computed
        self._codes = packed.n_planes, packed.n_codes
        self.planes, course = planes_of(*self._codes), course if shape.warm_up else None
        self.plan, self.state, self.grid = plan_matrix(
            packed,
            depth=shape.depth,
            steps=shape.steps,
            threads=shape.threads,
            keep=shape.keep,
            n_delta_bits=self.n_delta_bits,
            band=band,
            monotone=monotone,
            marks=shape.marks,
            free_rows=free_rows,
            free_columns=free_columns,
            spare=0 if course is None else shape.threads,
        )
        state = self.state
        self._pieces = None if course is None else Pieces(self.plan, state, shape.warm_up, course)
        self.record = RunRecord(state.began, state.ended, state.by, thread_lanes(shape.threads))
        ready = partial(self.make_ready, planes=packed.n_planes, n_codes=packed.n_codes, path=True)
        self.kept = KeptBlocks(self.plan, state, self.planes, ready) if shape.kept else None

    @property
    def n_cells(self) -> int:
        return n_cells(self.plan)

    @property
    def share(self) -> float:
        return self.n_cells / self.grid.n_cells

    @property
    def block_map(self) -> BlockMap:
        return self.state.block_map

    def value(self) -> int:
        """Return the result inside the band after all blocks are computed."""
        raise NotImplementedError

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return a note if blocks do not have the requested size, or an empty string."""
        return self.shape.rounding(block_rows, block_cols)

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; return whether the traceback (requested by ``pieces``) is done too."""
        if pieces is not None and self._whole and self._needs_no_blocks():
            yield from self.make_ready(step, *self._codes, path=True)
            self.record.start, self.record.seconds_per_tick = perf_counter(), ROW_TICK_SECONDS
            self.record.interpolated = True
            self._padding = False
            yield from self._back().solve(step, pieces)
            if self.kept is not None:
                self.kept.only_beginnings()
            return True
        yield from self.compute(step)
        return False

    def _needs_no_blocks(self) -> bool:
        """Return whether the traceback kernel computes the matrix too: for one strip, and for small matrices while the
        block kernel is not compiled yet."""
        cells = self.n_cells * len(self.plan.delta_bits)
        if self.plan.lo.size == 1:
            return cells <= KEEP_ALL_CELLS
        return cells <= COMPILE_WORTH_CELLS and not self.plan.monotone and not self.is_ready(*self._codes, path=False)

    def skipped_blocks(self) -> SkippedBlocks:
        plan, block_map = self.plan, self.state.block_map
        unit = plan.board_rows * plan.board_cols
        outside = int(np.count_nonzero(block_map == BlockState.OUTSIDE_BAND)) * unit
        if unit > 1 or not plan.monotone:  # a place of several blocks, of which some may have been handed through
            return SkippedBlocks(outside, 0, self.n_skipped)
        strips, places = np.divmod(np.flatnonzero(block_map == BlockState.MONOTONE), block_map.shape[1])
        return SkippedBlocks(outside, strips.size, block_cells(plan, strips, places))

    def compute(self, step: Step, kernel: str = "blocks") -> Generator[Event, None, None]:
        """Compute every block; yields a ``StepDone`` every few milliseconds."""
        yield from self.make_ready(step, *self._codes, path=False)
        yield from self._compute(step, kernel)

    def _compute(self, step: Step, kernel: str) -> Generator[Event, None, None]:
        plan, state = self.plan, self.state

        def advance(me: int, budget: int) -> int:
            return int(_advance.advance(plan, state, *self.planes, me, budget))

        def finished(me: int) -> bool:
            return bool(state.strip[me] >= plan.lo.size)

        common, pieces = (step, kernel, self.record, state.shared, state.cells, self.n_cells), self._pieces
        if pieces is None:
            yield from compute_blocks(*common, advance, finished)
            return

        def of_piece(me: int, budget: int) -> int:
            return pieces.advance(
                lambda *place: int(_advance.advance(*place[:2], *self.planes, *place[2:])), me, budget
            )

        yield from compute_blocks(*common, of_piece, pieces.finished, pieces.stop)
        before = int(state.cells.sum())
        for k in pieces.wrong():
            while not pieces.finished(k):
                since = perf_counter()
                yield step.done(kernel, since, of_piece(k, AGAIN_BLOCKS))
        yield step.took(kernel, 0.0, 0, int(state.cells.sum()) - before)

    @property
    def n_skipped(self) -> int:
        """Number of cells in blocks skipped so far, whose borders were copied."""
        return int(self.state.skipped.sum())

    def ones(self, sign: int) -> int:
        """Return how many rows have the bit of ``sign`` set after their last column."""
        plan = self.plan
        return int(column_ones(plan.depth, plan.rows.size, self.state.final, sign * plan.depth * LANES))

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck]:
        """See ``wavediff.core.kernels.pairwise.matrix.DpMatrix``."""
        states = self._padding and self.shape.keep > 0
        there = self.plan, self.state
        return (yield from matrix_check.recheck(step, *there, original, seconds, self._padding, states))

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Trace back, appending runs (last column first) to ``pieces``; needs stored states."""
        several = self.plan.lo.size >= DIAGONAL_TRACE_STRIPS
        apart = several and self.shape.marks and self._has_apart(*self._codes)
        yield from (self.compile_skewed_trace if apart else partial(self.make_ready, path=True))(step, *self._codes)
        several = several and self.shape.alike and diagonal_trace.is_worthwhile(self.plan.delta_bits, self.n_cells)
        if several:
            yield from diagonal_trace.make_ready(step, self.plan.delta_bits, self.plan.rows.dtype.type)
        with nullcontext() if self.kept is None else self.kept.lock:
            if self._pieces is None:
                yield from self._back(apart).trace(step, pieces, several)
            else:
                yield from self._pieces.trace(step, pieces, partial(self._back, apart), several)

    def _back(
        self, apart: bool = False, plan: MatrixPlan | None = None, state: MatrixState | None = None
    ) -> StripTraceback:
        there = plan or self.plan, state or self.state
        return StripTraceback(*there, self.shape, self.planes, self.common, apart=apart)

    @classmethod
    def make_ready(cls, step: Step, planes: int, n_codes: int, *, path: bool) -> Generator[Event, None, None]:
        """Compile (or load) the kernels for ``n_codes`` codes: block computation, or traceback.

        They are separate because a matrix of one strip needs the traceback kernel only.
        """

        def rehearse() -> None:
            """Compile every function by a call with a tiny matrix."""
            matrix = cls(blank(n_codes, planes), BlockShapePlan(1, 512, 1, 1))
            list(matrix._back().solve(REHEARSAL, []) if path else matrix._compute(REHEARSAL, ""))
            matrix.ones(0)
            matrix_check.second_value(matrix.plan, matrix.state, True)
            if not path:
                cheapest_column(np.zeros((GROUP_COLUMNS, 1), np.uint64), 0)
                stop(matrix.state.shared)

        yield from warm_up(step, *cls._key(planes, n_codes, path=path), rehearse)

    @classmethod
    def compile_skewed_trace(cls, step: Step, planes: int, n_codes: int) -> Generator[Event, None, None]:
        """Compile (or load) the traceback through many strips, see
        ``wavediff.core.kernels.pairwise.blocks.block_recompute``.

        It is separate because it takes twice as long to compile; until then other tracebacks work without it.
        """

        def rehearse() -> None:
            cls(blank(n_codes, planes), BlockShapePlan(1, 512, 1, 1, True))._back(apart=True).rehearse()

        yield from warm_up(step, *cls._apart_key(planes, n_codes), rehearse)

    @classmethod
    def _apart_key(cls, planes: int, n_codes: int) -> tuple[str, Hashable]:
        key = (*planes_of(planes, n_codes), f"{cls.method} apart".strip())
        return "traceback", variant(key, no_codes(planes))

    @classmethod
    def _has_apart(cls, planes: int, n_codes: int) -> bool:
        return background_compile.is_available(kernel_name(*cls._apart_key(planes, n_codes)))

    @classmethod
    def is_ready(cls, planes: int, n_codes: int, *, path: bool) -> bool:
        """Return whether the kernels of ``make_ready`` are compiled."""
        return is_compiled(kernel_name(*cls._key(planes, n_codes, path=path)))

    @classmethod
    def request_trace_kernels(cls, planes: int, n_codes: int) -> None:
        """Request background compilation of the traceback kernels."""
        background_compile.is_available(kernel_name(*cls._key(planes, n_codes, path=True)))

    @classmethod
    def request_trace_kernels_early(cls, job: LcsJob | EditJob, small: int) -> None:
        """Request the traceback kernels before ``job`` starts, if its letters need no compiled code first.

        Args:
            small: cells up to which there are no blocks.
        """
        n, m = job.a.size, job.b.size
        if (
            n * m > small
            and max(n, m) <= QUICK_COUNT_LETTERS
            and job.path is TracebackMethod.BLOCKS
            and background_compile.has_children()
        ):
            size = 1 + int(max(255, job.a.max(), job.b.max()))
            counts_a, counts_b = (np.bincount(one, minlength=size) for one in (job.a, job.b))
            code = dense_code(counts_a, counts_b, job.fold_case and job.a.dtype == np.uint8)
            cls.request_trace_kernels(code.planes, code.n_codes)

    @classmethod
    def _key(cls, planes: int, n_codes: int, *, path: bool) -> tuple[str, Hashable]:
        """Return the key of kernel and variant, see ``warm_up``."""
        key, codes = planes_of(planes, n_codes), no_codes(planes)
        if path:
            return "traceback", variant((*key, f"{cls.method} path".strip()), codes)
        return "blocks", variant((*key, cls.method) if cls.method else key, codes)

    @classmethod
    def warmup_jobs(cls, codes: LetterType, job: Any, ranks: tuple[int, int, int]) -> Iterator[WarmupJob]:
        """Yield warm-up jobs of blocks, traceback and skewed traceback for codes of a type, DNA first.

        Args:
            job: computes every cell on one thread, without a path. ranks: of the DNA jobs.
        """
        for k, (planes, n_codes) in enumerate(PLANES[codes].items()):
            blocks, path, skewed = (4 + k,) * 3 if k else ranks
            some = replace(job, a=letters(n_codes, 1), b=letters(n_codes, 2), block_rows=ONE_STRIP_ROWS)
            yield WarmupJob(blocks, (kernel_name(*cls._key(planes, n_codes, path=False)),), some)
            traced = partial(cls.make_ready, REHEARSAL, planes, n_codes, path=True)
            yield WarmupJob(path, (kernel_name(*cls._key(planes, n_codes, path=True)),), None, traced)
            apart = partial(cls.compile_skewed_trace, REHEARSAL, planes, n_codes)
            yield WarmupJob(skewed, (kernel_name(*cls._apart_key(planes, n_codes)),), None, apart)
