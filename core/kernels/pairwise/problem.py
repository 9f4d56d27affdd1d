"""State of a pairwise job shared by all strategies, with encoding, path assembly and verification."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from threading import Event as Flag
from time import perf_counter
from typing import Any, Generic, TypeVar

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Ops, as_writable
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit import bits
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Alignment, Op, Swaps
from wavediff.core.jobs.events import Event, Planned, Step, run_to_end
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.kept_matrix import MAX_KEPT_BYTES, KeptMatrix
from wavediff.core.jobs.results import TieBreak
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.blocks.packed_pair import PackedPair, pack
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, LookAgain, Original, Recheck, budget
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.fewest_gaps import fewest_gaps
from wavediff.core.kernels.traceback.left_align import NOTHING, normalize_stretch
from wavediff.core.kernels.traceback.parallel import map_ranges
from wavediff.core.kernels.traceback.path_windows import Runs
from wavediff.core.kernels.traceback.tie_rules import Settled
from wavediff.core.kernels.traceback.verify import verify_alignment
from wavediff.core.kernels.traceback.window_runs import survey_path
from wavediff.core.kernels.traceback.window_solver import COMPILED
from wavediff.core.methods.base import PairJob, Ties, TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.sequences.characters import folding_of
from wavediff.core.system.machine import cores

J = TypeVar("J", bound=PairJob)
B = TypeVar("B", bound=LcsJob | EditJob)  # jobs that are computed in blocks, or in bands of them
T = TypeVar("T")
ScoreSteps = Generator[Event, None, int]  # returns the LCS length, or the edits, of the stripped problem
COMPARE_REPORT_LETTERS = 1 << 22  # compared between two reports
SHORT_LETTERS = 1 << 16  # encoded in one call
CHECKED_LETTERS, CHECKED_LETTER_SECONDS = 1 << 16, 1.5e-9  # compared again at a time, and how long one takes
THREAD_TASK_LETTERS = 1 << 18  # that a thread encodes, or looks for seeds in, at a time


@dataclass(slots=True)
class PairProblem(Generic[J]):
    """Two sequences without common ends, and the partial results of their alignment.

    Attributes:
        whole_a, whole_b: the whole sequences, compared letters, after ``encode`` codes; a, b: without the stripped
            ends.
        n_codes, n_shared, planes: of the codes; 0 before ``encode``.
        common: letters in common at the start; prefix, suffix: letters stripped at the start and at the end.
        pieces: runs of the path, last column first.
        look_again: verifies the source of the answer; None: not possible.
        course: rows and diagonals of seeds that occur once in B; None: not searched.
        mark_prefix: marks the blocks on an alignment within the common letters, if these are not stripped.
    """

    job: J
    step: Step
    whole_a: Letters
    whole_b: Letters
    common: int
    prefix: int
    suffix: int
    n_codes: int = 0
    n_shared: int = 0
    planes: int = 0
    strategy: str = ""
    reason: str = ""
    pieces: list[tuple[Ops, Counts]] = field(default_factory=list)
    a: Letters = field(init=False)
    b: Letters = field(init=False)
    look_again: LookAgain | None = None
    course: tuple[Counts, Counts] | None = None
    mark_prefix: Callable[[Alignment], None] | None = None
    threads: int = 1
    _packed: PackedPair | None = None
    _only_block: BlockMap | None = None

    def __post_init__(self) -> None:
        self.threads = self.job.threads or cores()
        self._cut_ends()

    def _cut_ends(self) -> None:
        self.a = self.whole_a[self.prefix : self.whole_a.size - self.suffix]
        self.b = self.whole_b[self.prefix : self.whole_b.size - self.suffix]

    def encode(self) -> Generator[Event, None, None]:
        """Encode letters as dense codes for matrices and seeds."""
        if self.n_codes:
            return
        watch, a, b = _Watch(self.step, "encode"), self.whole_a, self.whole_b
        if a.dtype == np.uint8 and max(a.size, b.size) <= SHORT_LETTERS:
            self.whole_a, self.whole_b = np.empty(a.size, np.uint8), np.empty(b.size, np.uint8)
            table, counts = np.zeros(256, np.uint8), np.zeros((9, 256), np.int64)
            self.n_codes, self.n_shared = bits.encode_pair(a, b, self.whole_a, self.whole_b, table, counts)
            self.planes = bits.planes_for(self.n_codes)
        elif a.dtype != np.uint8:
            size = 1 + max((int(one.max()) for one in (a, b) if one.size), default=0)
            code = bits.dense_code(np.bincount(a, minlength=size), np.bincount(b, minlength=size), False)
            self.whole_a, self.whole_b = code.table[a], code.table[b]
            self.n_codes, self.n_shared, self.planes = code.n_codes, code.n_shared, code.planes
        else:
            counts_a = yield from _count(a, watch, self.threads)
            counts_b = yield from _count(b, watch, self.threads)
            code = bits.dense_code(counts_a, counts_b, False)
            self.whole_a = yield from _codes(a, code.table, watch, self.threads)
            self.whole_b = yield from _codes(b, code.table, watch, self.threads)
            self.n_codes, self.n_shared, self.planes = code.n_codes, code.n_shared, code.planes
        self._cut_ends()
        yield from watch.report(last=True)

    def packed(self) -> Generator[Event, None, PackedPair]:
        """Return both sequences in vector layout, cached for all attempts."""
        if self._packed is None:
            self._packed = yield from pack(self.step, self.a, self.b, self.n_codes, self.planes, self.threads)
        return self._packed

    @property
    def wants_path(self) -> bool:
        return self.job.path is not TracebackMethod.NONE

    @property
    def n_cells(self) -> int:
        return int(self.a.size) * int(self.b.size)

    def planned(
        self,
        strategy: str,
        reason: str,
        block_map: BlockMap,
        grid: BlockGrid,
        cells: int,
        *,
        band: tuple[int, int] | None = None,
        threshold: int | None = None,
        record: RunRecord | None = None,
        kept: KeptMatrix | None = None,
    ) -> Planned:
        """Return the event of this attempt, and record its strategy and reason for the result."""
        self.strategy, self.reason = strategy, reason
        if self.prefix:
            grid = BlockGrid(grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols, self.prefix, self.prefix)
        watched = block_map.view()
        watched.setflags(write=False)
        low, high = band or (None, None)
        if kept is not None and kept.n_bytes > MAX_KEPT_BYTES:
            kept = None
        return Planned(self.job.id, grid, watched, strategy, reason, cells, low, high, threshold, record, kept)

    def one_block(self) -> tuple[BlockGrid, BlockMap]:
        """Return a grid of one block for strategies without blocks; ``finish`` adds the path."""
        n, m = int(self.a.size), int(self.b.size)
        self._only_block = np.array([[BlockState.WAITING]], np.uint8)[:n, :m]
        return BlockGrid(n, m, max(n, 1), max(m, 1)), self._only_block

    def finish(self, *, path: bool) -> None:
        """Mark the block of ``one_block`` (if any) as done, or as crossed by the path."""
        if self._only_block is not None:
            self._only_block[:] = BlockState.PATH if path else BlockState.DONE


def align_without_matrix(problem: PairProblem[J], *, substitute: bool) -> ScoreSteps:
    """Align an empty sequence, or two without common letters, without a matrix; return the edits.

    Args:
        substitute: whether substitutions are allowed.
    """
    n, m = int(problem.a.size), int(problem.b.size)
    both = min(n, m) if substitute else 0
    ops = np.array([Op.MISMATCH, Op.DELETION, Op.INSERTION], np.uint8)
    problem.pieces.append((ops, np.array([both, n - both, m - both], np.int64)))
    strategy, reason = "common-ends", "one is the other with a single gap" if n or m else "identical"
    if n and m:
        strategy, reason = "disjoint", "no letter occurs in both"
    problem.look_again = partial(_premise, problem, both + abs(n - m) if substitute else 0)
    grid, block_map = problem.one_block()
    yield problem.planned(strategy, reason, block_map, grid, 0)
    return n + m - both


def _premise(
    problem: PairProblem[Any], value: int, step: Step, original: Original, seconds: float
) -> Generator[Event, None, Recheck]:
    """Return the verification that common ends are equal and the middle has no common letter."""
    job, start = problem.job, perf_counter()
    table, left = folding_of(job.fold_case, job.a, job.b), int(budget(seconds, FULL_SECONDS) / CHECKED_LETTER_SECONDS)
    starts = [
        *((at, at, min(problem.prefix - at, CHECKED_LETTERS)) for at in range(0, problem.prefix, CHECKED_LETTERS)),
        *((-at, -at, min(at, CHECKED_LETTERS)) for at in range(problem.suffix, 0, -CHECKED_LETTERS)),
    ]
    between = int(original.a.size + original.b.size) if original.a.size and original.b.size else 0
    done, total = 0, problem.prefix + problem.suffix + between
    for x in np.random.default_rng(total).permutation(len(starts)).tolist():
        i, j, n = starts[x]
        if done + n > left:
            break
        i, j = i % max(job.a.size, 1), j % max(job.b.size, 1)
        if not np.array_equal(table[job.a[i : i + n]], table[job.b[j : j + n]]):
            return Recheck(value, 0.0, f"the letters of A from {i + 1:,} on")
        done += n
    if 0 < between <= left - done:
        counts = [np.bincount(table[one], minlength=table.size) > 0 for one in (original.a, original.b)]
        if (counts[0] & counts[1]).any():
            return Recheck(value, 0.0, "the letters that both have")
        done += between
    yield step.done("verify", start)
    return Recheck(value, done / total if total else 1.0)


def make_ready(job: J) -> Generator[Event, None, None]:
    """Compile (or load) the kernels of every job's first steps."""

    def encode_nothing() -> None:
        frozen, codes = job.a[:0], np.zeros(0, job.a.dtype)
        bits.common_prefix(codes, codes)
        bits.common_suffix(codes, codes)
        if job.a.dtype != np.uint8:
            return
        bits.fold_letters(frozen, codes)
        table, counts = np.zeros(256, np.uint8), np.zeros((9, 256), np.int64)
        bits.count_bytes(codes)
        bits.encode(codes, table, codes)
        bits.encode_pair(codes, codes, codes, codes, table, counts)

    yield from warm_up(Step(job.id), "encode", variant("encode", job.a), encode_nothing)


def prepare(job: J, strip: bool) -> Generator[Event, None, PairProblem[J]]:
    """Strip common ends if ``strip``; the letters are not encoded."""
    step = Step(job.id)
    watch = _Watch(step, "encode")
    if job.fold_case and job.a.dtype == np.uint8:
        a, b = (yield from _folded(job.a, watch, job.threads)), (yield from _folded(job.b, watch, job.threads))
    else:
        a, b = as_writable(job.a), as_writable(job.b)
    common = yield from _common(a, b, 0, watch)
    suffix = (yield from _common(a, b, common, watch, ends=True)) if strip else 0
    yield from watch.report(last=True)
    return PairProblem(job, step, a, b, common, common if strip else 0, suffix)


def encode(job: J, strip: bool = True) -> Generator[Event, None, PairProblem[J]]:
    """Encode letters and strip common ends: short pairs in one call, others in pieces."""
    problem = yield from prepare(job, strip)
    yield from problem.encode()
    return problem


class _Watch:
    """Timer for reports at intervals of 10 ms."""

    def __init__(self, step: Step, kernel: str) -> None:
        self._step, self._kernel, self._since = step, kernel, perf_counter()

    def report(self, last: bool = False) -> Generator[Event, None, None]:
        seconds = perf_counter() - self._since
        if last or seconds > 0.01:
            yield self._step.took(self._kernel, seconds)
            self._since = perf_counter()

    def in_pieces(self, task: Callable[[int, int], T], size: int, threads: int) -> Generator[Event, None, list[T]]:
        """Run ``task`` for pieces of ``size`` letters; few per event, as events cost time."""
        if size <= 4 * THREAD_TASK_LETTERS:  # to share fewer takes as long as these
            return [task(0, size)]
        yield from self.report(last=True)
        done = yield from map_ranges(self._step, self._kernel, task, size, THREAD_TASK_LETTERS, threads)
        self._since = perf_counter()
        return done


def _count(letters: Letters, watch: _Watch, threads: int) -> Generator[Event, None, Counts]:
    some = yield from watch.in_pieces(lambda at, end: bits.count_bytes(letters[at:end]), letters.size, threads)
    return sum(some[1:], start=some[0])


def _codes(letters: Letters, table: Letters, watch: _Watch, threads: int) -> Generator[Event, None, Letters]:
    out = np.empty(letters.size, np.uint8)
    yield from watch.in_pieces(lambda at, end: bits.encode(letters[at:end], table, out[at:end]), letters.size, threads)
    return out


def _folded(letters: Letters, watch: _Watch, threads: int) -> Generator[Event, None, Letters]:
    out = np.empty(letters.size, np.uint8)
    yield from watch.in_pieces(
        lambda at, end: bits.fold_letters(letters[at:end], out[at:end]), letters.size, threads or cores()
    )
    return out


def _common(a: Letters, b: Letters, past: int, watch: _Watch, *, ends: bool = False) -> Generator[Event, None, int]:
    """Return the length of the common prefix of ``a`` and ``b``, or of the common suffix after the first ``past``."""
    n, m = a.size, b.size
    most, common = min(n, m) - past, 0
    while common < most:
        piece = min(COMPARE_REPORT_LETTERS, most - common)
        if ends:
            here = int(bits.common_suffix(a[n - common - piece : n - common], b[m - common - piece : m - common]))
        else:
            here = int(bits.common_prefix(a[common : common + piece], b[common : common + piece]))
        common += here
        if here < piece:
            break
        yield from watch.report()
    return common


def make_alignment_ready(problem: PairProblem[J]) -> Generator[Event, None, None]:
    """Compile (or load) the path kernels, while another process compiles the search kernels."""

    frozen, codes = problem.job.a[:0], np.zeros(0, problem.whole_a.dtype)

    def check_nothing() -> None:
        normalize_stretch(codes, codes, 0, NOTHING, (0, 0, 0, 0), Flag())
        nothing = run_to_end(assemble_alignment(problem.step, [], codes, codes, 0, 0))
        run_to_end(verify_alignment(problem.step, frozen, frozen, False, nothing))
        survey_path(codes, codes, nothing.ops, nothing.lengths, 0.0, np.zeros((2, 256), np.int64))
        Runs.of(nothing, None).windows(False, 0)

    yield from warm_up(problem.step, "verify", variant("verify", frozen, codes), check_nothing)


def align(
    problem: PairProblem[J], ties: Ties, *, paired: bool = False, exact: bool = True, swaps: Swaps | None = None
) -> Generator[Event, None, Settled]:
    """Return the alignment from the traceback runs, with ties resolved as requested.

    Args:
        paired: a D and an I of one gap form a substitution. exact: the cost is proven minimal. swaps: columns to keep.
    """
    yield from make_alignment_ready(problem)
    aligned = yield from assemble_alignment(
        problem.step,
        problem.pieces,
        problem.whole_a,
        problem.whole_b,
        problem.common,
        problem.suffix,
        problem.threads,
    )
    if problem.mark_prefix is not None:
        problem.mark_prefix(aligned)
    if ties is not Ties.FEWEST_GAPS or not exact:
        return Settled(aligned, TieBreak(ties, bound=not exact))
    kept = None if swaps is None else swaps.columns
    return (
        yield from fewest_gaps(
            problem.step, aligned, problem.whole_a, problem.whole_b, problem.common, COMPILED, paired=paired, kept=kept,
            threads=problem.threads,
        )
    )  # fmt: skip


def check(
    problem: PairProblem[J], alignment: Alignment, fits: Callable[[Counts], bool]
) -> Generator[Event, None, None]:
    """Raise an error unless the alignment fits the letters, and its columns fit the claimed cost.

    Args:
        fits: checks the column counts of each operation, int64, shape (4,).
    """
    job = problem.job
    checked = yield from verify_alignment(problem.step, job.a, job.b, job.fold_case, alignment, problem.threads)
    claimed = fits(checked.columns)
    if not checked.right or not claimed:
        fault = (
            f"failed at run {checked.run + 1:,} of {alignment.ops.size:,}"
            if claimed
            else "does not cost what was claimed"
        )
        raise SelfCheckFailed(
            f"the alignment of {job.a.size:,} and {job.b.size:,} letters {fault}; the result was discarded"
        )
