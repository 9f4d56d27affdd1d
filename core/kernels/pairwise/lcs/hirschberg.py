"""Hirschberg's recursion with exchangeable kernels for its halves: linear memory, about twice the cells.

Kawanami and Fujimoto, section 3.1: the columns are halved. A forward run gives the LCS of every prefix of A with the
left half; a backward run (both sequences reversed) that of every suffix with the right half. The path crosses at the
greatest sum. Parts below ``SMALL_CELLS`` are solved directly. Another device may compute the halves; the recursion runs
on the CPU, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap, Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import REHEARSAL, Event, Step, run_to_end
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import (
    COARSE_TICK_SECONDS,
    Box,
    RunRecord,
    Span,
    Ticks,
    blank_record,
    coarse_ticks,
    thread_lanes,
)
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan, choose_shape
from wavediff.core.kernels.pairwise.blocks.packed_pair import no_codes, pack
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_path, small_profile
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.kernels.pairwise.problem import PairProblem, ScoreSteps
from wavediff.core.methods.lcs import LcsJob

T = TypeVar("T", bound=np.generic)
SMALL_CELLS = 1 << 20
NOT_SPLIT = -1
MAP_BLOCKS = 256  # blocks a side of the map: the recursion has no grid
PARTS = "parts"  # lane of the recursion in a record


class SubMatrix(NamedTuple):
    """Rows ``a0`` to ``a1`` of A against columns ``b0`` to ``b1`` of B."""

    a0: int
    a1: int
    b0: int
    b1: int

    @property
    def n_rows(self) -> int:
        return self.a1 - self.a0

    @property
    def n_cols(self) -> int:
        return self.b1 - self.b0

    @property
    def n_cells(self) -> int:
        return self.n_rows * self.n_cols


class Show(Protocol):
    """Callback that displays a half being computed."""

    record: RunRecord | None  # of the matrix at work, where it has one

    def __call__(self, block_map: BlockMap) -> None:
        """Show the block map of the current matrix if it changed."""


# Computes (part, whether both are read from their ends, show) and returns the LCS of every prefix of the part's rows
# with all of its columns, int64, shape (rows + 1,).
Half = Callable[[SubMatrix, bool, Show], Generator[Event, None, Counts]]


def solve(problem: PairProblem[LcsJob], reason: str, half: Half | None = None) -> ScoreSteps:
    """Find the path of ``problem`` and append it to its pieces; return its length.

    Args:
        half: computes the halves of large parts; default: the CPU in blocks.
    """
    if half is None:  # compiled before its time is recorded
        yield from LcsMatrix.make_ready(problem.step, problem.planes, problem.n_codes, path=False)
        half = partial(block_half, problem)
    n, m = int(problem.a.size), int(problem.b.size)
    key = variant("hirschberg", problem.a)
    yield from warm_up(problem.step, "split", key, partial(_make_ready, problem.n_codes, problem.planes))
    picture = _Picture(n, m, problem.threads)
    yield problem.planned("hirschberg", reason, picture.block_map, picture.grid, 2 * n * m, record=picture.record)
    length, longest = 0, NOT_SPLIT
    todo = [SubMatrix(0, n, 0, m)]
    since, calls, cells = perf_counter(), 0, 0
    picture.begin()
    parts: list[Span] = []

    def tell(name: str, part: SubMatrix, began: float) -> None:
        box = Box(*(k + problem.prefix for k in (part.a0, part.b0, part.a1, part.b1)))
        parts.append(Span(name, PARTS, began, perf_counter(), 1, part.n_cells, box))

    def spans() -> tuple[Span, ...]:
        taken = tuple(parts)
        parts.clear()
        return taken

    while todo:  # the part on the right first: pieces are kept last column first
        part = todo.pop()
        if part.n_cells <= SMALL_CELLS or part.n_cols < 2:
            began = perf_counter()
            ops, lengths, _ = small_path(problem.a[part.a0 : part.a1], problem.b[part.b0 : part.b1])
            problem.pieces.append((ops, lengths))
            length += int(lengths[ops == Op.EQUAL].sum())
            picture.paint(part, BlockState.PATH)
            picture.time(part, began, perf_counter())
            tell("small", part, began)
            calls, cells = calls + 1, cells + part.n_cells
            if perf_counter() - since > 0.016:
                yield problem.step.done("small", since, calls, cells, spans())
                since, calls, cells = perf_counter(), 0, 0
            continue
        if calls:
            yield problem.step.done("small", since, calls, cells, spans())
        middle = (part.b0 + part.b1) // 2
        left, right = part._replace(b1=middle), part._replace(b0=middle)
        profiles = []
        for one, backwards, name in ((left, False, "forward half"), (right, True, "backward half")):
            began, painter = perf_counter(), _HalfPainter(picture, one, backwards)
            try:
                profiles.append((yield from half(one, backwards, painter)))
            finally:
                painter.finish(began)
            tell(name, one, began)
        since = perf_counter()
        if longest == NOT_SPLIT:
            longest = int((profiles[0] + profiles[1][::-1]).max())
        split = part.a0 + int(best_split(*profiles))
        yield problem.step.done("split", since, 1, 0, spans())
        todo.append(left._replace(a1=split))
        todo.append(right._replace(a0=split))
        since, calls, cells = perf_counter(), 0, 0
    if calls:
        yield problem.step.done("small", since, calls, cells, spans())
    if longest != NOT_SPLIT:
        problem.look_again = partial(_look_again, longest)
    return length


def _look_again(longest: int, _step: Step, _original: Original, _seconds: float) -> Generator[Event, None, Recheck]:
    """Return the length found by the first two halves, to verify the recursion."""
    yield from ()
    return Recheck(longest, 0.0)


def _make_ready(n_codes: int, planes: int) -> None:
    few = np.zeros(2, no_codes(planes).dtype)
    packed = run_to_end(pack(REHEARSAL, few, few, n_codes, planes))
    ends = LcsMatrix(packed, BlockShapePlan(1, 512, 0, 1)).profile()
    best_split(ends, small_profile(few, few))
    small_path(few, few)


def block_half(
    problem: PairProblem[LcsJob], part: SubMatrix, backwards: bool, show: Show
) -> Generator[Event, None, Counts]:
    """See ``Half``: blocks on all threads."""
    a, b = _letters(problem, part, backwards)
    shape = choose_shape(
        a.size, b.size, threads=problem.threads, block_rows=problem.job.block_rows, block_cols=problem.job.block_cols
    )
    assert shape is not None  # nothing is kept
    packed = yield from pack(problem.step, a, b, problem.n_codes, problem.planes)
    matrix = LcsMatrix(packed, shape)
    show.record = matrix.record
    for event in matrix.compute(problem.step):
        show(matrix.state.block_map)
        yield event
    return matrix.profile()


def word_half(problem: PairProblem[LcsJob], part: SubMatrix, backwards: bool) -> Generator[Event, None, Counts]:
    """See ``Half``: word by word in one call, for small parts."""
    start = perf_counter()
    profile: Counts = small_profile(*_letters(problem, part, backwards))
    yield problem.step.done("small", start, 1, part.n_cells)
    return profile


def _letters(problem: PairProblem[LcsJob], part: SubMatrix, backwards: bool) -> tuple[Letters, Letters]:
    a, b = problem.a[part.a0 : part.a1], problem.b[part.b0 : part.b1]
    return (a[::-1].copy(), b[::-1].copy()) if backwards else (a, b)


@jit
def best_split(forward: Counts, backward: Counts) -> int:
    """Return the first i with the greatest ``forward[i] + backward[rows - i]``."""
    best, where = np.int64(-1), 0
    for i in range(forward.size):
        total = forward[i] + backward[forward.size - 1 - i]
        if total > best:
            best, where = total, i
    return where


class _Picture:
    """Block map of the recursion: each part has an area of its own."""

    def __init__(self, n: int, m: int, threads: int) -> None:
        self.grid = BlockGrid(n, m, max(1, -(-n // MAP_BLOCKS)), max(1, -(-m // MAP_BLOCKS)))
        self.block_map: BlockMap = np.zeros(self.grid.shape, np.uint8)
        self.record = blank_record(self.grid.shape, thread_lanes(threads))

    def begin(self) -> None:
        """Start the record; the map is finer than most blocks."""
        self.record.interpolated = True
        self.record.start, self.record.seconds_per_tick = perf_counter(), COARSE_TICK_SECONDS

    def area(self, part: SubMatrix) -> tuple[slice, slice]:
        """Return the map area of a part."""
        rows, cols = self.grid.block_rows, self.grid.block_cols
        return slice(part.a0 // rows, -(-part.a1 // rows)), slice(part.b0 // cols, -(-part.b1 // cols))

    def paint(self, part: SubMatrix, state: BlockState) -> None:
        self.block_map[self.area(part)] = state

    def ticks(self, times: npt.ArrayLike) -> Ticks:
        """Convert times of ``time.perf_counter`` to ticks of the record."""
        return coarse_ticks(np.asarray(times) - self.record.start)

    def time(self, part: SubMatrix, began: float, ended: float) -> None:
        """Record the time of a part computed in one call, replacing earlier times."""
        area = self.area(part)
        self.record.began[area], self.record.ended[area] = self.ticks((began, ended))
        self.record.by[area] = 0


class _HalfPainter:
    """Draws the map of a half, scaled to its part, outside the path; adds its times when the half is finished."""

    def __init__(self, picture: _Picture, part: SubMatrix, backwards: bool) -> None:
        self.record: RunRecord | None = None
        self._picture, self._part, self._backwards = picture, part, backwards
        self._area = picture.area(part)
        self._open = picture.block_map[self._area] != BlockState.PATH

    def __call__(self, block_map: BlockMap) -> None:
        if self._open.size and block_map.size:
            np.copyto(self._picture.block_map[self._area], self._stretched(block_map), where=self._open)

    def finish(self, began: float) -> None:
        """Record the times of a finished or cancelled half."""
        picture, record, open_ = self._picture.record, self.record, self._open
        if record is None:
            began_ticks, ended_ticks = self._picture.ticks((began, perf_counter()))
            np.copyto(picture.began[self._area], began_ticks, where=open_)
            np.copyto(picture.ended[self._area], ended_ticks, where=open_)
            return
        for name in ("began", "ended"):
            ticks = self._stretched(getattr(record, name))
            times = self._picture.ticks(record.start + ticks * record.seconds_per_tick)
            np.copyto(getattr(picture, name)[self._area], np.where(ticks > 0, times, np.uint32(0)), where=open_)
        np.copyto(picture.by[self._area], self._stretched(record.by), where=open_)

    def _stretched(self, places: npt.NDArray[T]) -> npt.NDArray[T]:
        """Scale the map of the half to the area of the part."""
        source = places[::-1, ::-1] if self._backwards else places
        n_rows, n_cols = self._open.shape
        rows = np.arange(n_rows) * places.shape[0] // n_rows
        cols = np.arange(n_cols) * places.shape[1] // n_cols
        stretched: npt.NDArray[T] = source[rows[:, None], cols[None, :]]
        return stretched
