"""Compiled multithreaded solver of path windows; see ``fewest_gaps``."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from threading import Event as Flag
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step, run_to_end
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.fewest_gaps import Kernels, Solver
from wavediff.core.kernels.traceback.left_align import frozen
from wavediff.core.kernels.traceback.parallel import run_parallel
from wavediff.core.kernels.traceback.path_windows import COST, FIELDS, SIZE, Runs, find_windows, splice_windows
from wavediff.core.kernels.traceback.tie_rules import LONG_GAP, is_short
from wavediff.core.kernels.traceback.window_alignment import align_windows, room
from wavediff.core.methods.base import SHORT_LETTERS

ALL_CELLS = 1 << 24  # of all windows together, about: what decides how much of each is computed
EXACT_CELLS = 1 << 14, 1 << 20  # of a window of which all diagonals are computed: least and most of its limit
EXACT_SHORT_CELLS = 4 * SHORT_LETTERS**2  # the same of short sequences: of every window
NEAR = 16, 32  # rows and columns on each side of the path that are computed of another window, likewise
CALL_CELLS = 1 << 25  # computed between two reports
THREAD_CELLS = 1 << 20  # of what a thread takes, at least


def make_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) the solver."""
    letters, ops, lengths = np.zeros(0, letter_type), np.zeros(0, np.uint8), np.zeros(0, np.int64)
    runs = Runs(frozen(ops.view()), frozen(lengths.view()), np.zeros(0, np.bool_))

    def rehearse() -> None:
        empty = np.zeros((1, FIELDS), np.int64)
        empty[0, SIZE] = 1
        solver = WindowSolver(letters, letters, runs, empty, 0, False)
        run_to_end(solver._solve(step, 1))
        solver.spliced(splice_windows)
        window.count_edits(runs.ops, runs.lengths, False)

    yield from warm_up(step, "ties", variant("ties", letters), rehearse)


def _within(value: int, limits: tuple[int, int]) -> int:
    return min(max(value, limits[0]), limits[1])


class WindowSolver(Solver):
    """Solves the windows of a path on several threads, and replaces their runs."""

    def __init__(self, a: Letters, b: Letters, runs: Runs, windows: Counts, room: int, paired: bool) -> None:
        super().__init__(a, b, runs, windows, room, paired)
        short = is_short(a, b)
        self._long_gap = a.size + b.size if short else LONG_GAP
        self._letters = windows[:, SIZE] + windows[:, window.HEAD] + windows[:, window.TAIL]
        self._exact = EXACT_SHORT_CELLS if short else _within(ALL_CELLS // windows.shape[0], EXACT_CELLS)
        self._near = _within(ALL_CELLS // (4 * int(self._letters.sum())), NEAR)
        self._most = (3 * self._near + 1) * (self._letters + 2)  # cells, about, where not all diagonals are computed
        self._most_cells = max(self._exact, 4 * int(self._most.max()))  # of any window, so the same on every thread

    def solve(self, step: Step, threads: int) -> Generator[Event, None, None]:
        yield from make_ready(step, self._a.dtype.type)
        yield from self._solve(step, threads)

    def _solve(self, step: Step, threads: int) -> Generator[Event, None, None]:
        cells = np.cumsum(np.minimum(self._letters * (self._windows[:, COST] + 1), self._most))
        n = int(max(1, min(threads, int(cells[-1]) // THREAD_CELLS)))
        if n == 1:
            start = perf_counter()
            for _ in self._pieces(0, self._windows.shape[0]):
                yield step.done("ties", start, 0)
                start = perf_counter()
            return
        ends = [0, *np.searchsorted(cells, [int(cells[-1]) * k // n for k in range(1, n)]).tolist(), cells.size]

        def part(first: int, end: int) -> Callable[[Flag], None]:
            def solve_some(stop: Flag) -> None:
                for _ in self._pieces(first, end):
                    if stop.is_set():
                        break

            return solve_some

        parts = [part(first, end) for first, end in pairwise(ends) if first < end]
        yield from run_parallel(step, "ties", parts)

    def _pieces(self, first: int, end: int) -> Generator[None, None, None]:
        windows, answers = self._windows[first:end], self.answers[first:end]
        letters = int(self._letters[first:end].max())
        work = room(letters, min((letters + 2) ** 2, self._most_cells), self._a.dtype.type)
        done = 0
        while done < windows.shape[0]:
            done = align_windows(
                self._a, self._b, self._runs.ops, self._runs.lengths, self._paired, self._exact,
                self._near, self._long_gap, windows, answers, done, CALL_CELLS, self._ops, self._lengths, *work,
            )  # fmt: skip
            yield


COMPILED = Kernels(
    window.survey_path, find_windows, splice_windows, window.count_edits, WindowSolver, assemble_alignment
)  # fmt: skip
