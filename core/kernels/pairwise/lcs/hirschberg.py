"""Hirschberg's recursion, whatever computes its halves: linear memory, about twice the cells.

Kawanami and Fujimoto, section 3.1: the columns are halved; a forward run gives the LCS of every prefix of A with the
left half, a backward run (both sequences reversed) that of every suffix with the right half; where the
sum is greatest the path crosses. Below ``SMALL_CELLS`` the part is solved directly. The halves may be computed
by another device; the recursion is the CPU's, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from core.arrays import BlockMap, Counts, Letters
from core.jit.decorators import jit
from core.jit.warmup import warm_up
from core.jobs.alignment import Op
from core.jobs.event_streams import run_to_end
from core.jobs.events import Event, StepDone
from core.jobs.grid import BlockGrid, BlockState
from core.kernels.pairwise.blocks.block_shape import BlockShapePlan, choose_shape
from core.kernels.pairwise.blocks.packed_pair import pack
from core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from core.kernels.pairwise.lcs.small_pairs import small_path, small_profile
from core.kernels.pairwise.problem import PairProblem, ScoreSteps
from core.methods.lcs import LcsJob

SMALL_CELLS = 1 << 20
MAP_BLOCKS = 256  # blocks a side of the board: the recursion has no grid of its own


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


Show = Callable[[BlockMap], None]  # takes the board of the matrix at work, when it has changed
# Computes (part, whether both are read from their ends, show) and returns the LCS of every prefix of the part's rows
# with all of its columns, int64, shape (rows + 1,).
Half = Callable[[SubMatrix, bool, Show], Generator[Event, None, Counts]]


def solve(problem: PairProblem[LcsJob], reason: str, half: Half | None = None) -> ScoreSteps:
    """Find the path of ``problem`` and append it to its pieces; returns its length.

    Args:
        half: what computes the halves of large parts; the CPU in blocks unless given.
    """
    half = half or partial(block_half, problem)
    n, m = int(problem.a.size), int(problem.b.size)
    yield from warm_up(problem.job.id, "split", "hirschberg", partial(_make_ready, problem.n_codes, problem.planes))
    picture = _Picture(n, m)
    yield problem.planned("hirschberg", reason, picture.block_map, picture.grid, 2 * n * m)
    length = 0
    todo = [SubMatrix(0, n, 0, m)]
    since, calls, cells = perf_counter(), 0, 0
    while todo:  # the part on the right first: pieces are kept last column first
        part = todo.pop()
        if part.n_cells <= SMALL_CELLS or part.n_cols < 2:
            ops, lengths, _ = small_path(problem.a[part.a0 : part.a1], problem.b[part.b0 : part.b1])
            problem.pieces.append((ops, lengths))
            length += int(lengths[ops == Op.EQUAL].sum())
            picture.paint(part, BlockState.PATH)
            calls, cells = calls + 1, cells + part.n_cells
            if perf_counter() - since > 0.016:
                yield StepDone(problem.job.id, "small", calls, cells, perf_counter() - since)
                since, calls, cells = perf_counter(), 0, 0
            continue
        if calls:
            yield StepDone(problem.job.id, "small", calls, cells, perf_counter() - since)
        middle = (part.b0 + part.b1) // 2
        left, right = part._replace(b1=middle), part._replace(b0=middle)
        forward = yield from half(left, False, picture.progress_painter(left, False))
        backward = yield from half(right, True, picture.progress_painter(right, True))
        split = part.a0 + int(best_split(forward, backward))
        todo.append(left._replace(a1=split))
        todo.append(right._replace(a0=split))
        since, calls, cells = perf_counter(), 0, 0
    if calls:
        yield StepDone(problem.job.id, "small", calls, cells, perf_counter() - since)
    return length


def _make_ready(n_codes: int, planes: int) -> None:
    """Compile (or load) what only the recursion needs."""
    few = np.zeros(2, np.uint8)
    packed = run_to_end(pack(0, few, few, n_codes, planes))
    ends = LcsMatrix(packed, BlockShapePlan(1, 512, 0, 1)).profile()
    best_split(ends, small_profile(few, few))
    small_path(few, few)


def block_half(
    problem: PairProblem[LcsJob], part: SubMatrix, backwards: bool, show: Show
) -> Generator[Event, None, Counts]:
    """See ``Half``: in blocks, on all threads."""
    a, b = _letters(problem, part, backwards)
    shape = choose_shape(
        a.size, b.size, threads=problem.threads, block_rows=problem.job.block_rows, block_cols=problem.job.block_cols
    )
    assert shape is not None  # nothing is kept
    packed = yield from pack(problem.job.id, a, b, problem.n_codes, problem.planes)
    matrix = LcsMatrix(packed, shape)
    for event in matrix.compute(problem.job.id):
        show(matrix.state.block_map)
        yield event
    return matrix.profile()


def word_half(problem: PairProblem[LcsJob], part: SubMatrix, backwards: bool) -> Generator[Event, None, Counts]:
    """See ``Half``: at once and a word of rows after the other, for small parts."""
    start = perf_counter()
    profile: Counts = small_profile(*_letters(problem, part, backwards))
    yield StepDone(problem.job.id, "small", 1, part.n_cells, perf_counter() - start)
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
    """The recursion on one board: each part in the place of its cells."""

    def __init__(self, n: int, m: int) -> None:
        self.grid = BlockGrid(n, m, max(1, -(-n // MAP_BLOCKS)), max(1, -(-m // MAP_BLOCKS)))
        self.block_map: BlockMap = np.zeros(self.grid.shape, np.uint8)

    def _area(self, part: SubMatrix) -> BlockMap:
        rows, cols = self.grid.block_rows, self.grid.block_cols
        return self.block_map[part.a0 // rows : -(-part.a1 // rows), part.b0 // cols : -(-part.b1 // cols)]

    def paint(self, part: SubMatrix, state: BlockState) -> None:
        self._area(part)[:] = state

    def progress_painter(self, part: SubMatrix, backwards: bool) -> Show:
        """Return what draws the board of a half at work, stretched to its part, over what is not path yet."""
        area = self._area(part)

        def show(block_map: BlockMap) -> None:
            if not area.size or not block_map.size:
                return
            source = block_map[::-1, ::-1] if backwards else block_map
            rows = np.arange(area.shape[0]) * block_map.shape[0] // area.shape[0]
            cols = np.arange(area.shape[1]) * block_map.shape[1] // area.shape[1]
            new = source[rows[:, None], cols[None, :]]
            np.copyto(area, new, where=area != BlockState.PATH)

        return show
