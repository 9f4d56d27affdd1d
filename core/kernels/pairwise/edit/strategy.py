"""Strategy of the edit distance: substitutions too, a subsequence check, and bands that are asked for.

``BandMode.SUDO`` does what Sudo and Shinohara do and nothing more: subsequence check, one band from the Hamming
distance, borders handed through where they only rise and fall. ``BandMode.AUTO`` begins where that ends.
"""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.event_streams import run_to_end
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.edit.cheap_bounds import hamming, is_subsequence, subsequence_path
from wavediff.core.kernels.pairwise.edit.small_pairs import small_distance, small_edit_path
from wavediff.core.kernels.pairwise.estimate import ukkonen_band
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, Original, Recheck, budget
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import CHECKED_LETTER_SECONDS, PairProblem, ScoreSteps
from wavediff.core.kernels.pairwise.recompute import EDIT
from wavediff.core.kernels.pairwise.strategy import NOT_FOUND, PairStrategy
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import Strategy
from wavediff.core.system.machine import available_memory

ASKED = {
    BandMode.AUTO: Strategy.AUTO,
    BandMode.NONE: Strategy.FULL,
    BandMode.SUDO: Strategy.BAND,
    BandMode.FIXED: Strategy.BAND,
}


class EditStrategy(PairStrategy[EditJob]):
    """See the module; the score is the edit distance."""

    delta_bits, edits_per_change, max_probe_edits = (0,) * EDIT_SIGNS, 1, 5000
    edits_name = "edits"
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
        """Return the distance within the band that was asked for."""
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
            reason = f"letter under letter there are {threshold:,} edits, so no more are needed"
        edits = yield from self.compute(strategy, reason, ukkonen_band(self.n, self.m, threshold), threshold)
        return edits if edits != NOT_FOUND else (yield from self.solve_unbanded())

    def _subsequence(self) -> ScoreSteps:
        """Return the distance when the shorter is a subsequence of the longer, else ``NOT_FOUND``."""
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
        """See ``wavediff.core.kernels.pairwise.look_again.LookAgain``: the shorter is met from the end too."""
        part, whole = sorted((self.problem.a, self.problem.b), key=len)
        if len(whole) * CHECKED_LETTER_SECONDS > budget(seconds, FULL_SECONDS):
            return None
        met = yield from is_subsequence(step, part[::-1].copy(), whole[::-1].copy())
        return Recheck(len(whole) - len(part), 1.0, "" if met else "the letters of the shorter one")

    def solve_unbanded(self) -> ScoreSteps:
        raise NotEnoughMemory(
            f"the alignment of {self.n:,} and {self.m:,} letters needs more memory than the "
            f"{available_memory() / 1e9:.1f} GB that are free; the distance alone ('--traceback none') needs less"
        )
