"""Strategy of the edit distance: substitutions, a subsequence check, requested bands.

``BandMode.SUDO`` is Sudo and Shinohara's strategy alone: subsequence check, one band from the Hamming distance,
monotone borders passed through. ``BandMode.AUTO`` starts with its checks and continues.

The checks are cheap bounds before any matrix (Sudo and Shinohara, section 4): subsequence test, Hamming upper bound.

Each check runs in pieces, so that a stop takes effect soon.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.base.errors import NotEnoughMemory, count_noun
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.events import Event, Step, run_to_end
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.edit.small_pairs import small_distance, small_edit_path
from wavediff.core.kernels.pairwise.estimate import ukkonen_band
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, Original, Recheck, budget
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import CHECKED_LETTER_SECONDS, PairProblem, ScoreSteps
from wavediff.core.kernels.pairwise.recompute import EDIT
from wavediff.core.kernels.pairwise.strategy import NOT_FOUND, PairStrategy
from wavediff.core.kernels.traceback.left_align import append_run
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import Strategy
from wavediff.core.system.machine import available_memory

REPORT_LETTERS = 1 << 23  # letters between two reports
ASKED = {
    BandMode.AUTO: Strategy.AUTO,
    BandMode.NONE: Strategy.FULL,
    BandMode.SUDO: Strategy.BAND,
    BandMode.FIXED: Strategy.BAND,
}


class EditStrategy(PairStrategy[EditJob]):
    """See the module; the score is the edit distance."""

    delta_bits, edits_per_change, max_probe_edits = (0,) * EDIT_SIGNS, 1, 5000
    small_key, small_score, small_path = "small edit", staticmethod(small_distance), staticmethod(small_edit_path)
    claim = EDIT

    def __init__(self, problem: PairProblem[EditJob], backend: MatrixBackend[EditJob]) -> None:
        super().__init__(problem, backend, ASKED[problem.job.band], problem.job.threshold)

    @staticmethod
    def edits_of(score: int, n: int, m: int) -> int:
        return score

    @staticmethod
    def band_reason(basis: str, edits: int, band: tuple[int, int]) -> str:
        return f"{basis}; threshold {edits:,}"

    def score(self, edits: int) -> int:
        return edits

    def solve_own(self) -> ScoreSteps | None:
        if self.job.band in (BandMode.SUDO, BandMode.FIXED):
            return self._one_band()
        return self._subsequence() if self.n != self.m and self.job.band is BandMode.AUTO else None

    def _one_band(self) -> ScoreSteps:
        job = self.job
        if self.n != self.m and job.band is BandMode.SUDO:
            edits = yield from self._subsequence()
            if edits != NOT_FOUND:
                return edits
        yield from self.make_ready()
        strategy, threshold, reason = "band", job.threshold, f"k = {job.threshold or 0:,}, as chosen"
        if threshold is None:
            a, b = self.problem.a, self.problem.b
            key = variant("hamming", a)
            yield from warm_up(job.step, "bound", key, lambda: run_to_end(hamming(job.step, a[:1], b[:1])))
            strategy, threshold = "sudo", (yield from hamming(job.step, a, b))
            reason = f"{count_noun(threshold, 'edit')} letter under letter, so no more are needed"
        edits = yield from self.compute(strategy, reason, ukkonen_band(self.n, self.m, threshold), threshold)
        if edits != NOT_FOUND:
            return edits
        full = self.full("the borders of the band do not fit in memory")
        return (yield from (self.solve_unbanded() if self.problem.wants_path else full))

    def _subsequence(self) -> ScoreSteps:
        """Return the distance if the shorter is a subsequence of the longer, else ``NOT_FOUND``."""
        problem, step, tiny = self.problem, self.problem.step, self.problem.a[:1]
        part, whole, gap = problem.a, problem.b, int(Op.INSERTION)
        if self.n > self.m:
            part, whole, gap = problem.b, problem.a, int(Op.DELETION)

        def rehearse() -> None:
            run_to_end(is_subsequence(step, tiny, tiny))
            run_to_end(subsequence_path(step, tiny, tiny, int(Op.EQUAL), gap))

        yield from warm_up(step, "subsequence", variant("subsequence", tiny), rehearse)
        if not (yield from is_subsequence(step, part, whole)):
            return NOT_FOUND
        if problem.wants_path:
            problem.pieces.append((yield from subsequence_path(step, part, whole, int(Op.EQUAL), gap)))
        grid, block_map = problem.one_block()
        yield problem.planned("subsequence", "the shorter one is a subsequence of the longer", block_map, grid, 0)
        self.skipped.append((SkipReason.SUBSEQUENCE, 0, self.n_cells))
        problem.look_again = self._subsequence_again
        return abs(self.n - self.m)

    def _subsequence_again(self, step: Step, _: Original, seconds: float) -> Generator[Event, None, Recheck | None]:
        """``wavediff.core.kernels.pairwise.look_again.LookAgain``: match the shorter sequence from the end too."""
        part, whole = sorted((self.problem.a, self.problem.b), key=len)
        if len(whole) * CHECKED_LETTER_SECONDS > budget(seconds, FULL_SECONDS):
            return None
        met = yield from is_subsequence(step, part[::-1].copy(), whole[::-1].copy())
        return Recheck(len(whole) - len(part), 1.0, "" if met else "the letters of the shorter one")

    def solve_unbanded(self) -> ScoreSteps:
        raise NotEnoughMemory(
            f"the alignment of {self.job.a.size:,} and {self.job.b.size:,} letters needs more memory than the "
            f"{available_memory() / 1e9:.1f} GB that are free; the distance alone ('--traceback none') needs less",
            traceback=TracebackMethod.NONE,
        )


@jit
def hamming_distance(a: Letters, b: Letters) -> int:
    """Return the Hamming distance of two sequences of equal length."""
    differ = 0
    for i in range(a.size):
        differ += a[i] != b[i]
    return differ


@jit
def match_subsequence(part: Letters, whole: Letters, i: int, first: int, last: int) -> int:
    """Match letters of ``part`` from ``i`` greedily in ``whole[first:last]``; return the number matched.

    Ends early if ``part`` has more letters left than ``whole``.
    """
    for j in range(first, last):
        if i == part.size or part.size - i > whole.size - j:
            break
        if part[i] == whole[j]:
            i += 1
    return i


@jit
def match_back(
    part: Letters, whole: Letters, equal: int, gap: int, place: Counts, budget: int, ops: Ops, lengths: Counts
) -> bool:
    """Match a subsequence from the end, ``budget`` letters per call; return whether finished.

    Args:
        place: int64, shape (3,), at first the letters of both and 0: letters left of part and whole, runs; updated.
        ops, lengths: output of at most 2 * part.size + 1 runs, last column first.
    """
    i, j, runs = place[0], place[1], place[2]
    last = max(0, j - budget)
    while j > last:
        if i > 0 and part[i - 1] == whole[j - 1]:
            runs = append_run(ops, lengths, runs, equal, 1)
            i -= 1
        elif i > 0:
            runs = append_run(ops, lengths, runs, gap, 1)
        else:
            runs = append_run(ops, lengths, runs, gap, j)
            j = 1
        j -= 1
    place[0], place[1], place[2] = i, j, runs
    return bool(j == 0)


def hamming(step: Step, a: Letters, b: Letters) -> Generator[Event, None, int]:
    """Return the mismatches of the common length plus the length difference: an upper bound."""
    n = min(a.size, b.size)
    total = max(a.size, b.size) - n
    for at in range(0, n, REPORT_LETTERS):
        start, end = perf_counter(), min(at + REPORT_LETTERS, n)
        total += int(hamming_distance(a[at:end], b[at:end]))
        yield step.done("bound", start)
    return total


def is_subsequence(step: Step, part: Letters, whole: Letters) -> Generator[Event, None, bool]:
    """Return whether ``part`` is a subsequence of ``whole``."""
    i = at = 0
    while i < part.size and part.size - i <= whole.size - at:
        start, end = perf_counter(), min(at + REPORT_LETTERS, whole.size)
        i = int(match_subsequence(part, whole, i, at, end))
        at = end
        yield step.done("subsequence", start)
    return i == part.size


def subsequence_path(
    step: Step, part: Letters, whole: Letters, equal: int, gap: int
) -> Generator[Event, None, tuple[Ops, Counts]]:
    """Return the runs of a subsequence alignment, last column first, matched from the end."""
    ops, lengths = np.empty(2 * part.size + 1, np.uint8), np.empty(2 * part.size + 1, np.int64)
    place = np.array([part.size, whole.size, 0], np.int64)
    done = False
    while not done:
        start = perf_counter()
        done = bool(match_back(part, whole, equal, gap, place, REPORT_LETTERS, ops, lengths))
        yield step.done("subsequence", start)
    return ops[: place[2]], lengths[: place[2]]
