"""A guess of how far unrelated sequences are apart, from their fronts; a guess only, the band proves itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

from core.arrays import Letters
from core.events import Event, StepDone
from core.kernels.problem import Core

FRONT = 4096  # letters whose distance tells that of all
MORE = 1.03  # times as many edits are allowed; a front has relatively more than the whole


def likely_edits(core: Core[Any], distance: Callable[[Letters, Letters], int]) -> Generator[Event, None, int]:
    """Return of how many edits a band must be sure that is likely to prove itself; ``distance`` is compiled already."""
    n, m = int(core.a.size), int(core.b.size)
    longer, start = max(n, m), perf_counter()
    front = min(FRONT, longer)
    edits = distance(core.a[: max(1, front * n // longer)], core.b[: max(1, front * m // longer)])
    yield StepDone(core.job.id, "seeds", 1, 0, perf_counter() - start)
    return int(edits / front * MORE * longer)
