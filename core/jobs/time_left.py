"""Time that a job still takes, from what it has done so far."""

from __future__ import annotations

PLANNED = frozenset({"blocks", "with swaps", "without swaps"})  # kernels whose cells ``Planned.cells`` counts
MIN_SHARE = 0.001  # of the cells: before, the time is mostly that of the start of a kernel


def seconds_left(done: int, total: int, seconds: float) -> float | None:
    """Return how many seconds are left where ``done`` of ``total`` took ``seconds``; None where too little is done."""
    return seconds * max(0.0, total / done - 1) if total > 0 and done >= MIN_SHARE * total and done > 0 else None
