"""Verification of a score by a second algorithm."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.verification import Proof
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method
from wavediff.core.methods.second import ProofJob, require_score
from wavediff.core.run.dispatch import resolve


def run(job: ProofJob) -> Generator[Event, None, Proof]:
    """Return the proof; the events are those of the inner job, under its own id.

    Raises:
        SelfCheckFailed: the second algorithm gave another score.
        WavediffError: the result is an upper bound.
    """
    require_score(job.result)
    method, start = method_of(job.pair), perf_counter()
    second = method.second(job.pair, job.result)
    choice = resolve(second.job)
    answer: Any = yield from choice.begin(second.job)
    claimed = _score(method, job.result)
    again = answer if isinstance(answer, int) else _score(method, answer)
    if again != claimed if second.agrees is None else not second.agrees(answer):
        n, m = int(job.pair.a.size), int(job.pair.b.size)
        raise SelfCheckFailed(
            f"the {method.long_name} of {n:,} and {m:,} letters came out as {claimed:,}, and as {again:,} by "
            f"{second.algorithm}: one of the two is wrong, and the result proves nothing"
        )
    return Proof(second.algorithm, str(choice.device), perf_counter() - start, claimed)


def _score(method: Method, result: Any) -> int | float:
    """Return the number to compare; overlaps of equal score may differ in edits."""
    score: int | float | None = getattr(result, "score", None)
    return method.value(result) if score is None else score
