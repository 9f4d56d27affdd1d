"""One pair from letters to a verified alignment: encode, strip common ends, solve, verify, align."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Generic, NamedTuple, TypeVar

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.pairwise.cpu import CpuBackend
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, RECOMPUTE_SECONDS, expected_seconds
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import B, PairProblem, align, check, encode, make_ready, prepare
from wavediff.core.kernels.pairwise.recompute import SCORE_NAMES, contradiction, recompute_score
from wavediff.core.kernels.pairwise.strategy import PairStrategy
from wavediff.core.kernels.traceback.tie_rules import Settled

M = TypeVar("M", bound=MatrixBackend[Any])
S = TypeVar("S", bound=PairStrategy[Any])


class Comparison(NamedTuple, Generic[S]):
    """Verified answer of a strategy: score, totals of events, common result fields."""

    strategy: S
    score: int
    tally: EventTotals
    fields: dict[str, Any]


def compare(
    job: B, backend: M, make_strategy: Callable[[PairProblem[B], M], S], *, strip: bool
) -> Generator[Event, None, Comparison[S]]:
    """Compute ``job`` and verify the answer.

    Args:
        strip: strip equal ends.

    Raises:
        SelfCheckFailed: the result contradicted itself.
        NotEnoughMemory: the path exceeds memory.
    """
    tally = EventTotals()
    strategy, score, settled, verification = yield from tally.watch(_steps(job, backend, make_strategy, strip))
    fields = {
        **tally.fields(job.id, backend.device),
        "alignment": None if settled is None else settled.alignment,
        "ties": None if settled is None else settled.ties,
        "strategy": strategy.problem.strategy,
        "reason": strategy.problem.reason,
        "verification": verification,
        "n_cells": int(job.a.size) * int(job.b.size),
        "cells": tally.cells,
    }
    return Comparison(strategy, score, tally, fields)


def _steps(
    job: B, backend: M, make_strategy: Callable[[PairProblem[B], M], S], strip: bool
) -> Generator[Event, None, tuple[S, int, Settled | None, Verification | None]]:
    backend.foresee(job)
    yield from make_ready(job)
    problem = yield from prepare(job, strip)
    strategy = make_strategy(problem, backend)
    edits = yield from strategy.solve()
    score = strategy.score(edits)
    verification = None
    if strategy.is_exact(edits):
        verification = yield from _verify(job, strategy, score, expected_seconds(strategy.computed_cells))
    if not problem.wants_path:
        problem.finish(path=False)
        return strategy, score, None, verification

    def fits(columns: Counts) -> bool:
        _, mismatches, insertions, deletions = columns.tolist()
        fewest = mismatches + insertions + deletions == edits
        return fewest and (strategy.edits_per_change == 1 or not mismatches)

    paired = strategy.edits_per_change == 2
    settled = yield from align(problem, job.ties, paired=paired, exact=strategy.is_exact(edits))
    yield from check(problem, settled.alignment, fits)
    problem.finish(path=True)
    if verification is None and strategy.is_exact(edits) and edits == strategy.least_edits:
        verification = Verification(Check.BOUND)
    return strategy, score, settled, verification


def _verify(job: B, strategy: S, score: int, seconds: float) -> Generator[Event, None, Verification | None]:
    """Recompute the score by another method, completely or as far as it is cheap.

    Raises:
        SelfCheckFailed: the two scores differ.
    """
    step, claim = strategy.problem.step, strategy.claim
    least = FULL_SECONDS if strategy.problem.look_again is None else RECOMPUTE_SECONDS
    verification = yield from recompute_score(step, job.a, job.b, job.fold_case, claim, score, seconds, least)
    if verification is not None:
        return verification
    n, m = int(job.a.size), int(job.b.size)
    again = yield from strategy.recheck(seconds)
    if again is None:
        return None
    if again.fault:
        raise SelfCheckFailed(
            f"{SCORE_NAMES[strategy.claim]} of {n:,} and {m:,} letters: {again.fault} differed when recomputed in "
            "another way; the result was discarded"
        )
    if again.value != score:
        raise SelfCheckFailed(contradiction(strategy.claim, n, m, score, again.value))
    return Verification(Check.SAMPLED, again.share) if again.share > 0 else None


def keep_matrix(job: B, backend: CpuBackend[B]) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job``, and return the stored parts that reproduce them.

    Raises:
        NotEnoughMemory: the stored parts exceed memory.
    """
    yield from make_ready(job)
    problem = yield from encode(job, strip=False)
    matrix = yield from backend.matrix(problem, None)
    if matrix is None or matrix.kept is None:
        raise NotEnoughMemory(
            f"to compute {job.a.size:,} x {job.b.size:,} cells so that those at their end can be shown takes more "
            "memory than is free; cells further up take less"
        )
    yield from matrix.solve(job.step, [])
    return matrix.kept
