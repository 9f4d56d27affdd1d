"""Index of dot plot runs by position and length, and their rendering to tiles."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from time import perf_counter

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, as_writable
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.jobs.events import Event, Step, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches

KEY = "dot plot"
TILE = 256  # cells of a side
SHADES = 31  # of a strand, from few dots to all that a diagonal has
OVERVIEW_LEVELS = 3  # levels of precomputed tiles; the last has 1,024 cells per side
MAX_LEVELS = 6  # of bins; 1,024 a side on the last one
RUNS_AT_ONCE = 1 << 16  # runs between two checks for cancellation
MAX_SOUGHT = 1 << 16  # candidates among which single runs are found
A_START, B_START, LENGTH, FLAGS = range(4)
MINUS, UNIQUE = 1, 2  # flags

Runs = npt.NDArray[np.uint32]
Codes = npt.NDArray[np.uint8]
Place = tuple[int, int, int]  # level, row and column of a tile


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DotIndexJob(Job):
    """Request for the index of exact matches."""

    modules = KernelModules("wavediff.core.screening.dot_index")

    matches: ExactMatches


@dataclass(frozen=True, slots=True, eq=False)
class DotIndex:
    """Quadtree of runs in square bins: each run is on the finest level with bins not shorter than it.

    Attributes:
        n, m, k: see ``ExactMatches``.
        runs: uint32, shape (runs, 4): first letters in A and B, length, flags; bin after bin, row after row.
        widths: letters of a bin's side, by level.
        ends: int64, shape (bins + 1,): the number of runs before each bin, then the total.
        overview: tiles of all runs by level, row and column, for the level with a single tile and the levels below.
    """

    n: int
    m: int
    k: int
    runs: Runs
    widths: tuple[int, ...]
    ends: Counts
    overview: Mapping[Place, Codes]

    def __len__(self) -> int:
        return len(self.runs)

    def found(self, rows: tuple[int, int], cols: tuple[int, int], most: int, *, unique: bool) -> Runs | None:
        """Return the runs that overlap ranges of A and B; None if more than ``most``.

        Args:
            unique: only runs with a k-mer that occurs once in A and once in B.
        """
        lows, highs = self._slices(rows, cols)
        if int((highs - lows).sum()) > MAX_SOUGHT:
            return None
        empty = np.empty((0, 4), np.uint32)
        slices = zip(lows.tolist(), highs.tolist(), strict=True)
        runs = np.concatenate([empty, *(self.runs[low:high] for low, high in slices)])
        a, b, length, flags = runs.T.astype(np.int64)
        seen = (a < rows[1]) & (a + length > rows[0]) & (b < cols[1]) & (b + length > cols[0])
        runs = runs[seen & ((flags & UNIQUE > 0) | (not unique))]
        return runs if len(runs) <= most else None

    def tile(self, level: int, row: int, col: int, *, unique: bool) -> Generator[None, None, Codes]:
        """Render tile ``(row, col)`` with cells of ``2**level`` letters a side, in steps.

        Returns:
            uint8, shape (TILE, TILE): 0: no dot, 1 to SHADES: dots of the plus strand on a logarithmic scale up to a
            full diagonal, plus SHADES if the minus strand has more.
        """
        side = TILE << level
        rows, cols = (row * side, (row + 1) * side), (col * side, (col + 1) * side)
        lows, highs = self._slices(rows, cols)
        counts, codes = np.zeros((2, TILE, TILE), np.uint32), np.zeros((TILE, TILE), np.uint8)
        for skip in range(0, int((highs - lows).sum()), RUNS_AT_ONCE):
            add_runs(as_writable(self.runs), lows, highs, skip, rows[0], cols[0], level, unique, counts)
            yield
        shade(counts, 1 << level, codes)
        return codes

    def _slices(self, rows: tuple[int, int], cols: tuple[int, int]) -> tuple[Counts, Counts]:
        """Return the index ranges of runs that may overlap a box, one per row of bins."""
        lows, highs, before = list[Counts](), list[Counts](), 0
        for level, width in enumerate(self.widths):
            grid = 1 << 2 * level
            first, last = (
                (min(grid - 1, max(0, each // width)) for each in (low - width, high - 1)) for low, high in (rows, cols)
            )
            (top, foot), (left, right) = first, last
            bins = before + np.arange(top, foot + 1) * grid
            lows.append(self.ends[bins + left])
            highs.append(self.ends[bins + right + 1])
            before += grid * grid
        low, high = np.concatenate(lows), np.concatenate(highs)
        some = low < high
        return low[some], high[some]


def run(job: DotIndexJob) -> Generator[Event, None, DotIndex]:
    yield from make_ready(job.step)
    index, tiles = (yield from _indexed(job.step, job.matches)), dict[Place, Codes]()
    top = max(0, (max(index.n, index.m, 1) - 1).bit_length() - TILE.bit_length() + 1)
    for level in range(top, max(-1, top - OVERVIEW_LEVELS), -1):
        for row, col in product(range(1 << top - level), repeat=2):
            steps, start = index.tile(level, row, col, unique=False), perf_counter()
            while (level, row, col) not in tiles:
                try:
                    next(steps)
                except StopIteration as end:
                    tiles[level, row, col] = end.value
                yield job.step.done("dot plot", start)
                start = perf_counter()
    return replace(index, overview=tiles)


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile or load the kernels of index and tiles."""

    def rehearse() -> None:
        one, no = np.zeros(1, np.int64), np.zeros(1, np.bool_)
        matches = ExactMatches(1, 1, 1, 1, one, one, one + 1, no, one, 0)
        run_to_end(run_to_end(_indexed(step, matches)).tile(0, 0, 0, unique=False))

    yield from warm_up(step, "dot plot", KEY, rehearse)


def _indexed(step: Step, matches: ExactMatches) -> Generator[Event, None, DotIndex]:
    n_runs, side = len(matches), max(matches.n, matches.m, 1)
    n_levels = 1
    while n_levels < MAX_LEVELS and 1 << 4 * n_levels <= n_runs:
        n_levels += 1
    widths = tuple(-(-side >> 2 * level) for level in range(n_levels))
    sizes = np.array(widths, np.int64)
    starts = np.zeros(sum(1 << 4 * level for level in range(n_levels)) + 1, np.int64)
    runs, heads = np.empty((n_runs, 4), np.uint32), starts[1:]
    columns = matches.a_starts, matches.b_starts, matches.lengths
    flags = matches.minus * np.uint8(MINUS) + (matches.n_unique > 0) * np.uint8(UNIQUE)
    for place in (False, True):
        for low in range(0, n_runs, RUNS_AT_ONCE):
            start, some = perf_counter(), slice(low, low + RUNS_AT_ONCE)
            sort_runs(*(as_writable(each[some]) for each in columns), flags[some], sizes, heads, runs, place)
            yield step.done("dot plot", start)
        if not place:
            np.cumsum(starts, out=starts)
            heads = starts[:-1].copy()
    return DotIndex(matches.n, matches.m, matches.k, runs, widths, starts, {})


@jit
def sort_runs(
    a: Counts, b: Counts, lengths: Counts, flags: Codes, widths: Counts, heads: Counts, runs: Runs, place: bool
) -> None:
    """Count the runs of each bin in ``heads``, int64, shape (bins,); with ``place``, write them to ``runs`` by bin."""
    for i in range(a.size):
        level, before = 0, 0
        while level + 1 < widths.size and lengths[i] <= widths[level + 1]:
            before += 1 << (4 * level)
            level += 1
        at = before + (a[i] // widths[level] << (2 * level)) + b[i] // widths[level]
        if place:
            run = runs[heads[at]]
            run[A_START], run[B_START], run[LENGTH], run[FLAGS] = a[i], b[i], lengths[i], flags[i]
        heads[at] += 1


@jit_callee_no_nrt
def _add_run(run, row, col, level, counts):  # type: ignore[no-untyped-def]
    """Add the letters of a run to the cells of a tile at letters ``row`` and ``col``."""
    side, cell = np.int64(TILE) << level, np.int64(1) << level
    minus, length = np.int64(run[FLAGS] & MINUS), np.int64(run[LENGTH])
    y, x = np.int64(run[A_START]) - row, np.int64(run[B_START]) - col
    if y >= side or x >= side or y + length <= 0 or x + length <= 0:
        return
    # Letter t of the run is at y + t and, as counted from the other end on the minus strand, at x + t.
    t, end = max(0, -y), min(length, side - y)
    if minus:
        t, end = max(t, x + length - side), min(end, x + length)
    else:
        t, end = max(t, -x), min(end, side - x)
    while t < end:
        at = x + length - 1 - t if minus else x + t
        n = min(cell - ((y + t) & (cell - 1)), (at & (cell - 1)) + 1 if minus else cell - (at & (cell - 1)))
        n = min(n, end - t)
        counts[minus, (y + t) >> level, at >> level] += n
        t += n


@jit
def add_runs(
    runs: Runs, lows: Counts, highs: Counts, skip: int, row: int, col: int, level: int, unique: bool, counts: Runs
) -> None:
    """Add runs to the cells of a tile at letters ``row`` and ``col``.

    Args:
        lows, highs: int64: slices of ``runs``; ``skip`` runs are skipped and the next ``RUNS_AT_ONCE`` added.
        counts: uint32, shape (2, TILE, TILE), by strand.
    """
    left = RUNS_AT_ONCE
    for k in range(lows.size):
        low = min(lows[k] + skip, highs[k])
        skip -= low - lows[k]
        high = min(highs[k], low + left)
        left -= high - low
        for i in range(low, high):
            if not unique or runs[i, FLAGS] & UNIQUE:
                _add_run(runs[i], row, col, level, counts)
        if not left:
            return


@jit
def shade(counts: Runs, full: int, codes: Codes) -> None:
    """Write the shades of a tile; see ``DotIndex.tile``; ``full``: letters per cell diagonal."""
    scale = (SHADES - 1) / np.log(full) if full > 1 else 0.0
    for row in range(TILE):
        for col in range(TILE):
            plus, minus = counts[0, row, col], counts[1, row, col]
            most = max(plus, minus)
            if most:
                level = SHADES if most >= full else 1 + int(scale * np.log(most))
                codes[row, col] = level + SHADES if minus > plus else level
