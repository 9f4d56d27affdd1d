"""Longest common subsequence: strategy, computation, traceback, verification.

Source: Kawanami and Fujimoto for the bit-parallel column step, the block grid and Hirschberg's recursion; Sudo and
Shinohara for the staggered layout and the queue of ready blocks. Our differences from Kawanami and Fujimoto: rows are
bit-sliced, so no addition needs a carry chain; the path comes from stored block borders in one pass, with Hirschberg's
two-pass recursion as an option; and similar sequences need only a part of the matrix (stripped ends, an O(ND) probe, a
proven band).

Hirschberg's recursion is used on request, or if the borders exceed memory.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.kernels.pairwise.blocks.block_shape import pair_memory
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.compare import compare, keep_matrix
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import CpuLcs
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_length, small_path
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import PairProblem, ScoreSteps
from wavediff.core.kernels.pairwise.recompute import INDEL
from wavediff.core.kernels.pairwise.strategy import PairStrategy
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, Strategy


class LcsBackend(MatrixBackend[LcsJob], Protocol):
    """Backend with optional kernels for the halves of Hirschberg's recursion."""

    def half(self, problem: PairProblem[LcsJob]) -> hirschberg.Half | None:
        """Return the kernel for a half of ``problem``; None: blocks on the CPU."""


class LcsStrategy(PairStrategy[LcsJob]):
    """See the module; the score is the length of the LCS."""

    delta_bits, edits_per_change, max_probe_edits = (0,) * LCS_SIGNS, 2, 6000
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


CPU = CpuLcs()
MakeStrategy = Callable[[PairProblem[LcsJob], LcsBackend], LcsStrategy]


def run(
    job: LcsJob, backend: LcsBackend = CPU, make_strategy: MakeStrategy = LcsStrategy, strip: bool = True
) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``wavediff.core.jobs.lcs_result.LcsResult``.

    Args:
        backend: computes matrices; by default the CPU, see ``wavediff.core.run.dispatch``.
        strip: strip equal ends.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    answer = yield from compare(job, backend, make_strategy, strip=strip)
    return LcsResult(length=answer.score, **answer.fields)


def keep(job: LcsJob) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job``; see ``wavediff.core.kernels.pairwise.compare.keep_matrix``."""
    return (yield from keep_matrix(job, CPU))


def memory(job: LcsJob) -> tuple[int, int]:
    """Return the memory of ``job`` in bytes, without its letters: for equal sequences, and the maximum."""
    return pair_memory(job, 1, bands=job.strategy in (Strategy.AUTO, Strategy.BAND))
