"""Longest common subsequence: choose the strategy, compute, trace back, check.

Source: Kawanami and Fujimoto for the bit-parallel column step, the block grid and Hirschberg's
recursion; Sudo and Shinohara for the staggered layout and the queue of ready blocks. We
depart from Kawanami and Fujimoto in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.kernels.pairwise.blocks.block_shape import pair_memory
from wavediff.core.kernels.pairwise.compare import compare
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import CpuLcs
from wavediff.core.kernels.pairwise.lcs.strategy import LcsBackend, LcsStrategy
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.kernels.pairwise.whole_matrix import keep_matrix
from wavediff.core.methods.lcs import LcsJob

CPU = CpuLcs()
MakeStrategy = Callable[[PairProblem[LcsJob], LcsBackend], LcsStrategy]


def run(
    job: LcsJob, backend: LcsBackend = CPU, make_strategy: MakeStrategy = LcsStrategy, strip: bool = True
) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``wavediff.core.jobs.lcs_result.LcsResult``.

    Args:
        backend: what computes matrices; the CPU where ``wavediff.core.run.dispatch`` says nothing else.
        strip: leave equal ends out of the problem.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    answer = yield from compare(job, backend, make_strategy, strip=strip)
    return LcsResult(length=answer.score, **answer.fields)


def keep(job: LcsJob) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job``; see ``wavediff.core.kernels.pairwise.whole_matrix``."""
    return (yield from keep_matrix(job, CPU))


def memory(job: LcsJob) -> tuple[int, int]:
    """Return the bytes that ``job`` takes beside its letters: for letters all alike, and at most."""
    return pair_memory(job, 1)
