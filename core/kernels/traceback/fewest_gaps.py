"""Minimization of gaps among optimal alignments: windows of a path are solved again.

A traceback at unit costs scatters a gap over letters that are equal by chance. The path between two long equal runs is
solved again by cost, then by gap openings, and replaced if that has fewer openings; remaining ties move gaps left
(``left_align``). The cost must not change, which is checked.

If a D and an I of one gap stand for a substitution (as in an LCS), that is no gap: a gap opens only where it has more
letters of one sequence than of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.arrays import Runs as Pieces
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.results import TieBreak
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.path_windows import COST, CUT, MOST_LETTERS, SIZE, Runs
from wavediff.core.kernels.traceback.tie_rules import (
    LONG_GAP,
    SURELY_ALIKE,
    Settled,
    in_one_piece,
    is_like_shuffled,
    is_short,
)
from wavediff.core.methods.base import Ties

MOST_COST = 1 << 27  # of a window, as the letters of a row have 31 bits


class Solver:
    """Interface of window solvers, compiled or in Python.

    Attributes:
        answers: int64, shape (windows, ANSWER_FIELDS).
    """

    def __init__(self, a: Letters, b: Letters, runs: Runs, windows: Counts, room: int, paired: bool) -> None:
        self._a, self._b, self._runs, self._windows, self._paired = a, b, runs, windows, paired
        self.answers = np.zeros((windows.shape[0], window.ANSWER_FIELDS), np.int64)
        self._ops, self._lengths = np.empty(room, np.uint8), np.empty(room, np.int64)

    def solve(self, step: Step, threads: int) -> Generator[Event, None, None]:
        raise NotImplementedError

    def spliced(self, splice: Callable[..., int]) -> Pieces:
        """Return the runs, last column first, with improved windows replaced."""
        most = self._runs.ops.size + int(self.answers[:, window.RUNS].sum())
        ops, lengths = np.empty(most, np.uint8), np.empty(most, np.int64)
        n = splice(
            self._runs.ops, self._runs.lengths, self._windows, self.answers, self._ops, self._lengths, ops, lengths
        )
        return ops[:n], lengths[:n]


class Kernels(NamedTuple):
    """Functions of ``window_runs``, ``path_windows`` and ``assemble``, compiled or in Python."""

    survey_path: Callable[..., tuple[int, int, int]]
    find_windows: Callable[..., int]
    splice_windows: Callable[..., int]
    count_edits: Callable[..., tuple[int, int]]
    solver: type[Solver]
    assemble: Callable[..., Generator[Event, None, Alignment]]


def fewest_gaps(
    step: Step,
    path: Alignment,
    a: Letters,
    b: Letters,
    prefix: int,
    kernels: Kernels,
    *,
    paired: bool,
    kept: Callable[[Alignment], tuple[Counts, Counts]] | None = None,
    threads: int = 1,
) -> Generator[Event, None, Settled]:
    """Return the optimal alignment ``path`` with as few gap openings as its windows allow.

    Args:
        a, b: codes of the whole sequences; ``prefix``: common letters at the front.
        kernels: compiled (``window_solver``) or Python ones.
        paired: a D and an I of one gap form a substitution (an LCS).
        kept: yields the stretches to keep (swaps), in order: int64 first columns, and ends (exclusive).

    Raises:
        SelfCheckFailed: the cost changed, or a cheaper alignment was found.
    """
    start = perf_counter()
    n_codes = 256 if a.dtype == np.uint8 else 1 + max((int(one.max()) for one in (a, b) if one.size), default=0)
    counts = np.zeros((2, n_codes), np.int64)
    gaps, cost, same = kernels.survey_path(a, b, path.ops, path.lengths, SURELY_ALIKE, counts)
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
    windows = runs.windows(paired, a.size + b.size if is_short(a, b) else LONG_GAP, kernels.find_windows)
    if not windows.shape[0]:
        return Settled(path, TieBreak(Ties.FEWEST_GAPS))
    fits = (windows[:, SIZE] <= MOST_LETTERS) & (windows[:, COST] < MOST_COST)
    left, windows = int((~fits).sum()), windows[fits]
    if not windows.shape[0]:
        return Settled(path, TieBreak(Ties.FEWEST_GAPS, nearby=left))
    room = 2 * windows[:, COST] + 3
    windows[1:, window.OUT] = np.cumsum(room[:-1])
    solver = kernels.solver(a, b, runs, windows, int(room.sum()), paired)
    yield step.done("ties", start, 0)
    yield from solver.solve(step, threads)
    start, answers = perf_counter(), solver.answers
    if answers[:, window.CHEAPER].any():
        raise SelfCheckFailed(
            f"a stretch of the alignment of {a.size:,} and {b.size:,} letters can be had for less; the result was "
            "discarded"
        )
    proven = (answers[:, window.KIND] == window.PROVEN) & (windows[:, CUT] == 0)
    ties = TieBreak(Ties.FEWEST_GAPS, windows=windows.shape[0], nearby=left + int((~proven).sum()))
    if not answers[:, window.RUNS].any():
        yield step.done("ties", start, 0)
        return Settled(path, ties)
    runs_of_all = solver.spliced(kernels.splice_windows)
    yield step.done("ties", start, 0)
    better = yield from kernels.assemble(step, [runs_of_all], a, b, prefix, 0, threads)
    found_cost, found_openings = kernels.count_edits(better.ops, better.lengths, paired)
    if found_cost != cost or found_openings > kernels.count_edits(path.ops, path.lengths, paired)[1]:
        raise SelfCheckFailed(
            f"fewer gaps changed what the alignment of {a.size:,} and {b.size:,} letters costs; the result was "
            "discarded"
        )
    return Settled(better, ties)
