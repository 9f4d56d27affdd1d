"""Fewest gaps among alignments of one cost: windows of a finished path are solved again, whatever found it.

A walk through a matrix of unit costs scatters a gap over letters that happen to be equal. Between two long equal runs
the path is solved again by cost first and gap openings second, and taken where that has fewer; then what freedom is
left goes to the left (``left_align``). The cost stays what it is, which is asserted.

Where a D and an I of one gap stand for a substitution (an LCS has no other), that is no gap: an opening is where a gap
has more of one than of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from threading import Event as Flag
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.event_streams import run_to_end
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.results import TieBreak
from wavediff.core.kernels.traceback import window_alignment as window
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.left_align import Ops, frozen
from wavediff.core.kernels.traceback.parallel import run_parallel
from wavediff.core.kernels.traceback.path_windows import COST, CUT, FIELDS, MOST_LETTERS, SIZE, Runs, splice_windows
from wavediff.core.kernels.traceback.tie_rules import SURELY_ALIKE, Settled, in_one_piece, is_like_shuffled, is_short
from wavediff.core.kernels.traceback.window_band import LONG_GAP
from wavediff.core.methods.base import SHORT_LETTERS, Ties

MOST_COST = 1 << 27  # of a window, as the letters of a row have 31 bits
ALL_CELLS = 1 << 24  # of all windows together, about: what decides how much of each is computed
EXACT_CELLS = 1 << 14, 1 << 20  # of a window of which all diagonals are computed: least and most of its limit
EXACT_SHORT_CELLS = 4 * SHORT_LETTERS**2  # the same of short sequences: of every window
NEAR = 16, 32  # rows and columns on each side of the path that are computed of another window, likewise
CALL_CELLS = 1 << 25  # computed between two reports
THREAD_CELLS = 1 << 22  # of what a thread takes, at least


def fewest_gaps(
    step: Step,
    path: Alignment,
    a: Letters,
    b: Letters,
    prefix: int,
    *,
    paired: bool,
    kept: Callable[[Alignment], tuple[Counts, Counts]] | None = None,
    threads: int = 1,
) -> Generator[Event, None, Settled]:
    """Return ``path``, an alignment of least cost, with as few gap openings as its windows allow.

    Args:
        a, b: codes of the whole sequences; ``prefix``: letters that they have in common at the front.
        paired: a D and an I of one gap are a substitution (an LCS).
        kept: gives the stretches that must stay (swaps), in order: their first columns, int64, and those behind them.

    Raises:
        SelfCheckFailed: the cost changed, or a cheaper alignment was found.
    """
    start = perf_counter()
    n_codes = 256 if a.dtype == np.uint8 else 1 + max((int(one.max()) for one in (a, b) if one.size), default=0)
    counts = np.zeros((2, n_codes), np.int64)
    gaps, cost, same = window.survey_path(a, b, path.ops, path.lengths, SURELY_ALIKE, counts)
    if gaps < 2:
        return Settled(path, TieBreak(Ties.FEWEST_GAPS))
    if gaps > 2 and cost == abs(a.size - b.size) and (kept is None or not kept(path)[0].size):
        whole = in_one_piece(a, b)
        if whole is not None:  # one gap alone would lie between a common prefix and a common suffix
            yield step.done("ties", start, 0)
            return Settled(whole, TieBreak(Ties.FEWEST_GAPS, windows=1))
    if same >= 0 and is_like_shuffled(a.size, b.size, cost, same, paired=paired):
        return Settled(path, TieBreak(Ties.FEWEST_GAPS, unrelated=True))
    runs = Runs.of(path, None if kept is None else kept(path))
    found = runs.windows(paired, a.size + b.size if is_short(a, b) else int(LONG_GAP))
    if not found.shape[0]:
        return Settled(path, TieBreak(Ties.FEWEST_GAPS))
    fits = (found[:, SIZE] <= MOST_LETTERS) & (found[:, COST] < MOST_COST)
    left, found = int((~fits).sum()), found[fits]
    if not found.shape[0]:
        return Settled(path, TieBreak(Ties.FEWEST_GAPS, nearby=left))
    yield step.done("ties", start, 0)
    yield from make_ready(step, a.dtype.type)
    start = perf_counter()
    room = 2 * found[:, COST] + 3
    found[1:, window.OUT] = np.cumsum(room[:-1])
    solver = _Solver(a, b, runs, found, int(room.sum()), paired)
    yield step.done("ties", start, 0)
    yield from solver.solve(step, threads)
    start, answers = perf_counter(), solver.answers
    if answers[:, window.CHEAPER].any():
        raise SelfCheckFailed(
            f"a stretch of the alignment of {a.size:,} and {b.size:,} letters can be had for less; the result was "
            "thrown away"
        )
    proven = (answers[:, window.KIND] == window.PROVEN) & (found[:, CUT] == 0)
    ties = TieBreak(Ties.FEWEST_GAPS, windows=found.shape[0], nearby=left + int((~proven).sum()))
    if not answers[:, window.RUNS].any():
        yield step.done("ties", start, 0)
        return Settled(path, ties)
    runs_of_all = solver.spliced()
    yield step.done("ties", start, 0)
    better = yield from assemble_alignment(step, [runs_of_all], a, b, prefix, 0, threads)
    found_cost, found_openings = window.count_edits(better.ops, better.lengths, paired)
    if found_cost != cost or found_openings > openings(path, paired=paired):
        raise SelfCheckFailed(
            f"fewer gaps changed what the alignment of {a.size:,} and {b.size:,} letters costs; the result was thrown "
            "away"
        )
    return Settled(better, ties)


def make_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) what solves windows and puts them in place."""
    letters, ops, lengths = np.zeros(0, letter_type), np.zeros(0, np.uint8), np.zeros(0, np.int64)
    runs = Runs(frozen(ops.view()), frozen(lengths.view()), np.zeros(0, np.bool_))

    def rehearse() -> None:
        empty = np.zeros((1, FIELDS), np.int64)
        empty[0, SIZE] = 1
        solver = _Solver(letters, letters, runs, empty, 0, False)
        run_to_end(solver.solve(step, 1))
        solver.spliced()
        window.count_edits(runs.ops, runs.lengths, False)

    yield from warm_up(step, "ties", variant("ties", letters), rehearse)


def openings(path: Alignment, *, paired: bool) -> int:
    """Return the gap openings of an alignment, see above."""
    return int(window.count_edits(path.ops, path.lengths, paired)[1])


def _within(value: int, limits: tuple[int, int]) -> int:
    return min(max(value, limits[0]), limits[1])


class _Solver:
    """The windows of a path on several threads, and their runs in place of its own."""

    def __init__(self, a: Letters, b: Letters, runs: Runs, windows: Counts, room: int, paired: bool) -> None:
        self._a, self._b, self._runs, self._windows, self._paired = a, b, runs, windows, paired
        short = is_short(a, b)
        self._long_gap = a.size + b.size if short else int(LONG_GAP)
        self.answers = np.zeros((windows.shape[0], window.ANSWER_FIELDS), np.int64)
        self._ops, self._lengths = np.empty(room, np.uint8), np.empty(room, np.int64)
        self._letters = windows[:, SIZE] + windows[:, window.HEAD] + windows[:, window.TAIL]
        self._exact = EXACT_SHORT_CELLS if short else _within(ALL_CELLS // windows.shape[0], EXACT_CELLS)
        self._near = _within(ALL_CELLS // (4 * int(self._letters.sum())), NEAR)
        self._most = (3 * self._near + 1) * (self._letters + 2)  # cells, about, where not all diagonals are computed
        self._most_cells = max(self._exact, 4 * int(self._most.max()))  # of any window, so the same on every thread

    def solve(self, step: Step, threads: int) -> Generator[Event, None, None]:
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
        room = window.room(letters, min((letters + 2) ** 2, self._most_cells), self._a.dtype.type)
        done = 0
        while done < windows.shape[0]:
            done = window.align_windows(
                self._a, self._b, self._runs.ops, self._runs.lengths, self._paired, self._exact,
                self._near, self._long_gap, windows, answers, done, CALL_CELLS, self._ops, self._lengths, *room,
            )  # fmt: skip
            yield

    def spliced(self) -> tuple[Ops, Counts]:
        """Return the runs, last column first, with those of the windows that have fewer gaps in place of the path's."""
        most = self._runs.ops.size + int(self.answers[:, window.RUNS].sum())
        ops, lengths = np.empty(most, np.uint8), np.empty(most, np.int64)
        n = splice_windows(
            self._runs.ops, self._runs.lengths, self._windows, self.answers, self._ops, self._lengths, ops, lengths
        )
        return ops[:n], lengths[:n]
