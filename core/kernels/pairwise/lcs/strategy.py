"""Strategy of the LCS: insertions and deletions only, and Hirschberg's recursion where it is asked for or has to be."""

from __future__ import annotations

from typing import Protocol

from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_length, small_path
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import PairProblem, ScoreSteps
from wavediff.core.kernels.pairwise.recompute import INDEL
from wavediff.core.kernels.pairwise.strategy import PairStrategy
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob


class LcsBackend(MatrixBackend[LcsJob], Protocol):
    """A backend that may compute the halves of Hirschberg's recursion too."""

    def half(self, problem: PairProblem[LcsJob]) -> hirschberg.Half | None:
        """Return what computes a half of ``problem``; None: the CPU, in blocks."""
        ...


class LcsStrategy(PairStrategy[LcsJob]):
    """See the module; the score is the length of the LCS."""

    delta_bits, edits_per_change, max_probe_edits = (0,) * LCS_SIGNS, 2, 6000
    edits_name = "insertions and deletions"
    small_key, small_score, small_path = "small", staticmethod(small_length), staticmethod(small_path)
    claim = INDEL

    def __init__(self, problem: PairProblem[LcsJob], backend: LcsBackend) -> None:
        super().__init__(problem, backend, problem.job.strategy)
        self._half = backend.half

    @staticmethod
    def edits_of(score: int, n: int, m: int) -> int:
        return n + m - 2 * score

    @staticmethod
    def band_reason(basis: str, edits: int, band: tuple[int, int]) -> str:  # noqa: ARG004
        return f"band of diagonals {band[0]:,} to {band[1]:,}, enough for {edits:,} insertions and deletions"

    @staticmethod
    def proof(edits: int) -> str:
        return f"{edits:,} found, so no better path leaves it"

    def score(self, edits: int) -> int:
        return (int(self.job.a.size) + int(self.job.b.size) - edits) // 2

    def solve_own(self) -> ScoreSteps | None:
        if self.job.path is TracebackMethod.HIRSCHBERG:
            return self.halve("asked for: halves and recursion, as Kawanami has it", self._half(self.problem))
        return None

    def solve_unbanded(self) -> ScoreSteps:
        return self.halve("the borders of blocks do not fit in memory", self._half(self.problem))

    def halve(self, reason: str, half: hirschberg.Half | None) -> ScoreSteps:
        """Return the edits by Hirschberg's recursion; see ``hirschberg.solve``."""
        return self.edits_of((yield from hirschberg.solve(self.problem, reason, half)), self.n, self.m)
