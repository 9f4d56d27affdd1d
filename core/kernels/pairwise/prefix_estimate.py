"""A guess of how far unrelated sequences are apart, from their fronts; a guess only, the band proves itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

from core.arrays import Letters
from core.jobs.events import Event, StepDone
from core.kernels.pairwise.pair_problem import PairProblem

PREFIX_LETTERS = 4096  # letters whose distance tells that of all
THRESHOLD_FACTOR = 1.03  # times as many edits are allowed; a front has relatively more than the whole


def estimate_threshold(
    problem: PairProblem[Any], distance: Callable[[Letters, Letters], int]
) -> Generator[Event, None, int]:
    """Return of how many edits a band must be sure that is likely to prove itself; ``distance`` is compiled already."""
    n, m = int(problem.a.size), int(problem.b.size)
    longer, start = max(n, m), perf_counter()
    front = min(PREFIX_LETTERS, longer)
    edits = distance(problem.a[: max(1, front * n // longer)], problem.b[: max(1, front * m // longer)])
    yield StepDone(problem.job.id, "seeds", 1, 0, perf_counter() - start)
    return int(edits / front * THRESHOLD_FACTOR * longer)
