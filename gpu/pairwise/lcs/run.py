"""Longest common subsequence with matrices on the card; otherwise as on the CPU.

The kernel of Kawanami and Fujimoto gives the length from one matrix, or the sequence by Hirschberg's recursion.

As in the paper, the card computes the halves, forwards and backwards (section 3.2); the CPU runs the recursion, and
computes halves of fewer than 4096 rows (section 3.5). Differences: a wide half goes to the card at any height, since
the CPU would take seconds; and parts of at most a million cells are solved at once.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from time import perf_counter

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.kernels.pairwise.lcs.hirschberg import Show, SubMatrix
from wavediff.core.kernels.pairwise.lcs.run import LcsBackend, LcsStrategy
from wavediff.core.kernels.pairwise.lcs.run import run as run_with
from wavediff.core.kernels.pairwise.problem import PairProblem, ScoreSteps, align_without_matrix
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.gpu.card.cuda import Card, OtherCards, no_others
from wavediff.gpu.pairwise.card_matrix import CardBackend
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings
from wavediff.gpu.pairwise.strips.meet_in_middle import CardHirschbergHalf
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits

CPU_ROWS = 4096  # minimum rows of a half on the card
CPU_CELLS = 1 << 26  # minimum cells of a half on the card, some milliseconds of a core
KERNEL = "the kernel of Kawanami and Fujimoto"


class PaperStrategy(LcsStrategy):
    """Strategy that computes all cells by the kernel of Kawanami and Fujimoto, without shortcuts."""

    def __init__(self, problem: PairProblem[LcsJob], backend: LcsBackend, card: Card) -> None:
        super().__init__(problem, backend)
        self._card = card

    def solve(self) -> ScoreSteps:
        """Solve ``problem``: append its path if requested, record strategy and reason, return the edits.

        Raises:
            NotEnoughMemory: the match vectors exceed the card's memory.
        """
        problem = self.problem
        if not problem.n_cells:
            return (yield from align_without_matrix(problem, substitute=False))
        yield from problem.encode()
        strings = Strings(self._card, problem.a, problem.b, problem.n_codes)
        if problem.wants_path:
            asked = self.job.path is TracebackMethod.HIRSCHBERG
            halving = f"{KERNEL}: halves and recursion"
            without = f"{KERNEL}: halves and recursion, for it keeps no borders of blocks"
            reason = halving if asked else without
            return (yield from self.halve(reason, Halves(problem, strings)))
        matrix = KawanamiMatrix(strings)
        yield problem.planned("full", KERNEL, matrix.block_map, matrix.grid, matrix.n_cells, record=matrix.record)
        yield from matrix.compute(self.job.step)
        start = perf_counter()
        length = matrix.length()
        yield self.job.step.done("download", start)
        return self.edits_of(length, self.n, self.m)


class Halves:
    """See ``wavediff.core.kernels.pairwise.lcs.hirschberg.Half``."""

    def __init__(self, problem: PairProblem[LcsJob], strings: Strings) -> None:
        self._problem, self._strings = problem, strings

    def __call__(self, part: SubMatrix, backwards: bool, show: Show) -> Generator[Event, None, Counts]:
        if part.n_rows < CPU_ROWS and part.n_cells < CPU_CELLS:
            return (yield from hirschberg.word_half(self._problem, part, backwards))
        step = self._problem.step
        matrix = KawanamiMatrix(self._strings, (part.a0, part.a1), (part.b0, part.b1), backwards=backwards)
        for event in matrix.compute(step):
            show(matrix.block_map)
            yield event
        start = perf_counter()
        profile = matrix.profile()
        yield step.done("download", start)
        return profile


class GpuLcs(CardBackend[LcsJob]):
    """See ``CardBackend``."""

    delta_bits, lane_rate = DeltaBits.LCS, 5e9

    def half(self, problem: PairProblem[LcsJob]) -> CardHirschbergHalf:
        return CardHirschbergHalf(problem, self.card)


def run_on(card: Card, job: LcsJob, others: OtherCards = no_others) -> Generator[Event, None, LcsResult]:
    """Compute ``job`` on this card, and on others if faster; see ``wavediff.core.jobs.lcs_result.LcsResult``."""
    backend = GpuLcs(card, others)
    if job.kernel is LcsKernel.KAWANAMI:
        # With equal ends left out its times would not be the paper's.
        return (
            yield from run_with(job, backend, lambda problem, _: PaperStrategy(problem, backend, card), strip=False)
        )
    try:
        return (yield from run_with(job, backend))
    except DeviceOutOfMemory:
        if job.path is not TracebackMethod.BLOCKS:
            raise
    # The error, and its frames with arrays on the card, is released by now.
    card.release()
    text = "The GPU has no room for borders to keep: the path is found by halving, which takes longer"
    yield job.step.notice(text)
    return (yield from run_with(replace(job, path=TracebackMethod.HIRSCHBERG), backend))
