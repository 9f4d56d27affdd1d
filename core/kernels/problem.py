"""What the ways of one job hand to each other, and what every method does before and after them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from threading import Event as Flag
from time import perf_counter
from typing import Generic, TypeVar

import numpy as np

from core import bits
from core.arrays import Board, Counts, Letters
from core.errors import SelfCheckFailed
from core.events import Event, Planned, StepDone
from core.grid import BlockGrid, BlockState
from core.jobs import EditJob, LcsJob, PathMethod, SwapEditJob
from core.kernels import second
from core.kernels.blocks.packed import Packed, pack
from core.kernels.blocks.shape import Shape, choose_shape
from core.kernels.rectangle import Rectangle
from core.kernels.similarity import Changed, Seeds, seed_length
from core.kernels.steps import returned
from core.kernels.warm import warm_up
from core.machine import cores
from core.results.alignment import Alignment
from core.traceback.abreast import in_pieces
from core.traceback.follow import follow
from core.traceback.order import NOTHING, put_in_order
from core.traceback.runs import Ops
from core.traceback.whole import from_walk

J = TypeVar("J", LcsJob, EditJob, SwapEditJob)
T = TypeVar("T")
Steps = Generator[Event, None, int]  # returns the length of the LCS, or the edit distance, of the core
PIECE = 1 << 22  # letters compared between two reports
SHARE = 1 << 18  # letters that a thread encodes, or looks for seeds in, at a time


@dataclass(slots=True)
class Core(Generic[J]):
    """What is left to compare once equal ends are stripped, and what has been found so far.

    Attributes:
        whole_a, whole_b: codes of the whole sequences; a, b: without the stripped ends.
        common: letters in common at the front; prefix, suffix: letters stripped there and at the end.
        pieces: runs of the path, last column first.
        matrix: the last one computed whose front is not stripped: the path is drawn there once it is known.
    """

    job: J
    whole_a: Letters
    whole_b: Letters
    n_codes: int
    n_shared: int
    planes: int
    common: int
    prefix: int
    suffix: int
    way: str = ""
    reason: str = ""
    pieces: list[tuple[Ops, Counts]] = field(default_factory=list)
    a: Letters = field(init=False)
    b: Letters = field(init=False)
    matrix: Rectangle | None = None
    _packed: Packed | None = None

    def __post_init__(self) -> None:
        self.a = self.whole_a[self.prefix : self.whole_a.size - self.suffix]
        self.b = self.whole_b[self.prefix : self.whole_b.size - self.suffix]

    def packed(self) -> Generator[Event, None, Packed]:
        """Return both laid out for the vectors; done once for all attempts."""
        if self._packed is None:
            self._packed = yield from pack(self.job.id, self.a, self.b, self.n_codes, self.planes)
        return self._packed

    @property
    def wants_path(self) -> bool:
        return self.job.path is not PathMethod.NONE

    @property
    def threads(self) -> int:
        return self.job.threads or cores()

    @property
    def n_cells(self) -> int:
        return int(self.a.size) * int(self.b.size)

    def planned(
        self,
        way: str,
        reason: str,
        board: Board,
        grid: BlockGrid,
        cells: int,
        *,
        band: tuple[int, int] | None = None,
        threshold: int | None = None,
    ) -> Planned:
        """Return the event that tells of this attempt, and take its way and reason for the result's."""
        self.way, self.reason = way, reason
        placed = BlockGrid(grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols, self.prefix, self.prefix)
        watched = board.view()
        watched.setflags(write=False)
        low, high = band or (None, None)
        return Planned(self.job.id, placed, watched, way, reason, cells, low, high, threshold)

    def one_block(self) -> tuple[BlockGrid, Board]:
        """Return a grid of one block for ways that have none, on whose board the path is drawn already."""
        n, m = int(self.a.size), int(self.b.size)
        grid = BlockGrid(n, m, max(n, 1), max(m, 1))
        return grid, np.full(grid.shape, BlockState.PATH if self.wants_path else BlockState.DONE, np.uint8)


def shape_for(
    core: Core[LcsJob] | Core[EditJob], n_signs: int, band: tuple[int, int] | None, edits: int
) -> Shape | None:
    """Return how to cut the matrix of ``core`` for the CPU; None where the kept borders do not fit in memory."""
    return choose_shape(
        int(core.a.size),
        int(core.b.size),
        threads=core.threads,
        block_rows=core.job.block_rows,
        block_cols=core.job.block_cols,
        path=core.wants_path,
        n_signs=n_signs,
        width=None if band is None else band[1] - band[0],
        edits=edits,
    )


def make_ready(job: J) -> Generator[Event, None, None]:
    """Compile (or load) what every job needs to begin with."""
    frozen, codes = job.a[:0], np.zeros(0, np.uint8)

    def encode_nothing() -> None:
        bits.count_bytes(frozen)
        bits.encode(frozen, np.zeros(256, np.uint8), codes)
        bits.common_prefix(codes, codes)
        bits.common_suffix(codes, codes)
        second.rehearse()

    yield from warm_up(job.id, "encode", "encode", encode_nothing)


def encode(job: J, strip: bool = True) -> Generator[Event, None, Core[J]]:
    """Turn letters into dense codes and strip equal ends, in pieces."""
    threads, watch = job.threads or cores(), _Watch(job.id, "encode")
    counts_a = yield from _count(job.a, watch, threads)
    counts_b = yield from _count(job.b, watch, threads)
    code = bits.dense_code(counts_a, counts_b, job.fold_case)
    a = yield from _codes(job.a, code.table, watch, threads)
    b = yield from _codes(job.b, code.table, watch, threads)
    common = yield from _common(a, b, 0, watch)
    prefix = suffix = 0
    if strip:
        prefix, suffix = common, (yield from _common(a, b, common, watch, ends=True))
    yield from watch.report(last=True)
    return Core(job, a, b, code.n_codes, code.n_shared, code.planes, common, prefix, suffix)


class _Watch:
    """Time since the last report, of which there is one a hundredth of a second."""

    def __init__(self, job_id: int, kernel: str) -> None:
        self._job_id, self._kernel, self._since = job_id, kernel, perf_counter()

    def report(self, last: bool = False) -> Generator[Event, None, None]:
        seconds = perf_counter() - self._since
        if last or seconds > 0.01:
            yield StepDone(self._job_id, self._kernel, 1, 0, seconds)
            self._since = perf_counter()

    def in_pieces(self, task: Callable[[int, int], T], size: int, threads: int) -> Generator[Event, None, list[T]]:
        """Do ``task`` for every piece of ``size`` letters; few are done at once, as it takes as long to tell of it."""
        if size <= SHARE:
            return [task(0, size)]
        yield from self.report(last=True)
        done = yield from in_pieces(self._job_id, self._kernel, task, size, SHARE, threads)
        self._since = perf_counter()
        return done


def _count(letters: Letters, watch: _Watch, threads: int) -> Generator[Event, None, Counts]:
    some = yield from watch.in_pieces(lambda at, end: bits.count_bytes(letters[at:end]), letters.size, threads)
    return sum(some[1:], start=some[0])


def _codes(letters: Letters, table: Letters, watch: _Watch, threads: int) -> Generator[Event, None, Letters]:
    out = np.empty(letters.size, np.uint8)
    yield from watch.in_pieces(lambda at, end: bits.encode(letters[at:end], table, out[at:end]), letters.size, threads)
    return out


def _common(a: Letters, b: Letters, past: int, watch: _Watch, *, ends: bool = False) -> Generator[Event, None, int]:
    """Return how many letters ``a`` and ``b`` share at their front, or at their ends behind the first ``past``."""
    n, m = a.size, b.size
    most, found = min(n, m) - past, 0
    while found < most:
        piece = min(PIECE, most - found)
        if ends:
            here = int(bits.common_suffix(a[n - found - piece : n - found], b[m - found - piece : m - found]))
        else:
            here = int(bits.common_prefix(a[found : found + piece], b[found : found + piece]))
        found += here
        if here < piece:
            break
        yield from watch.report()
    return found


def look_for_seeds(core: Core[J]) -> Generator[Event, None, Changed | None]:
    """Return about which share of the letters is changed, None when the two look unrelated."""
    tiny = core.a[:1]
    yield from warm_up(core.job.id, "seeds", "seeds", lambda: Seeds(tiny, 1, 2).meet(tiny, 0, 1))
    seeds = Seeds(core.a, seed_length(max(core.a.size, core.b.size), core.n_codes), core.n_codes)
    yield from in_pieces(
        core.job.id, "seeds", lambda at, end: seeds.meet(core.b, at, end), int(core.b.size), SHARE, core.threads
    )
    return seeds.changed()


def make_alignment_ready(core: Core[J]) -> Generator[Event, None, None]:
    """Compile (or load) what is done with a path; while somebody else compiles what finds it, that costs no time."""
    frozen, codes = core.job.a[:0], np.zeros(0, np.uint8)

    def check_nothing() -> None:
        put_in_order(codes, codes, 0, NOTHING, (0, 0, 0, 0), Flag())
        nothing = returned(from_walk(core.job.id, [], codes, codes, 0, 0))
        returned(follow(core.job.id, frozen, frozen, False, nothing))

    yield from warm_up(core.job.id, "check", "check", check_nothing)


def align(core: Core[J]) -> Generator[Event, None, Alignment]:
    """Return the alignment that the pieces of the walk make."""
    yield from make_alignment_ready(core)
    found = yield from from_walk(
        core.job.id, core.pieces, core.whole_a, core.whole_b, core.common, core.suffix, core.threads
    )
    if core.matrix is not None and core.common > core.prefix:
        core.matrix.mark_front(found)
    return found


def check(core: Core[J], alignment: Alignment, fits: Callable[[Counts], bool]) -> Generator[Event, None, None]:
    """Raise unless the alignment is one of the letters themselves, and its columns fit the cost that was claimed.

    Args:
        fits: whether so many columns of each operation, int64, shape (4,), do.
    """
    job = core.job
    found = yield from follow(job.id, job.a, job.b, job.fold_case, alignment, core.threads)
    claimed = fits(found.columns)
    if not found.right or not claimed:
        fault = (
            f"failed at run {found.run + 1:,} of {alignment.ops.size:,}"
            if claimed
            else "does not cost what was claimed"
        )
        raise SelfCheckFailed(
            f"the alignment of {job.a.size:,} and {job.b.size:,} letters {fault}; the result was thrown away"
        )
